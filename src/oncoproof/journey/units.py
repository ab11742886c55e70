"""Quantities: a number with a UCUM unit, and how it reads in another unit.

Rules this module guarantees:

- Units are compared and converted by what they mean, exactly: the result is the float nearest to the
  true quotient. Units of different dimensions are refused.
- Mass and amount of substance convert into one another only where a molar mass is given.
- A unit that is commonly written in place of the right one is refused with the right one.

    >>> convert(Quantity(1.2, "mg/dL"), "g/L")
    Quantity(value=0.012, unit='g/L', comparator='')
    >>> check_unit("x10^9/L")
    Traceback (most recent call last):
    oncoproof.errors.UnitError: unit: came: 'x10^9/L'; expected: a UCUM unit; try: write 10*9/L
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from oncoproof.errors import UnitError
from oncoproof.journey.ucum import Dimensions, Unit, parse_unit
from oncoproof.journey.unit_spelling import has_split_number, suggested_unit

COMPARATORS = ("", "<", "<=", ">", ">=")
"""How a value may be bounded rather than stated; empty = stated."""

MUTATIONS_PER_MEGABASE = "{mutations}/{Mb}"
"""Unit of tumour mutational burden: bases are no unit of UCUM, so both parts are annotations."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a UCUM unit."""

    value: float
    """The number, in `unit`."""
    unit: str
    """UCUM code, for instance `mg/dL`, `10*9/L`, `1`."""
    comparator: str = ""
    """`<`, `<=`, `>`, `>=` where only a bound is known; empty = the value itself."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise UnitError(
                where=f"quantity in {self.unit!r}",
                came=str(self.value),
                expected="a finite number",
                remedy="leave the quantity out where it is not known",
            )
        if self.comparator not in COMPARATORS:
            raise UnitError(
                where="quantity",
                came=f"comparator {self.comparator!r}",
                expected="one of < <= > >= or none",
                remedy="write a bound with one of these",
            )


@lru_cache(maxsize=4096)
def check_unit(text: str) -> None:
    """Refuse what is no UCUM unit, with the unit that was probably meant.

    Raises:
        UnitError: The text is not a UCUM expression over the units known here.
    """
    try:
        parse_unit(text)
    except UnitError as error:
        meant = suggested_unit(text)
        if meant is None:
            raise
        raise UnitError(
            where="unit", came=repr(text), expected="a UCUM unit", remedy=f"write {meant}"
        ) from error
    if has_split_number(text):
        raise UnitError(
            where="unit",
            came=repr(text),
            expected="whole factors: in UCUM the point multiplies",
            remedy=f"write {suggested_unit(text) or 'the number in braces, or as a fraction'}",
        )


def commensurable(one: str, other: str) -> bool:
    """Whether quantities in the two units measure the same thing.

    Raises:
        UnitError: One of them is no UCUM unit.
    """
    return parse_unit(one).dimensions == parse_unit(other).dimensions


def convert(quantity: Quantity, unit: str, *, molar_mass_g_per_mol: float | None = None) -> Quantity:
    """The same quantity in another unit.

    Args:
        quantity: What to convert; its comparator is kept.
        unit: The unit wanted.
        molar_mass_g_per_mol: Grams per mole of what is measured; None = amount and mass stay apart.

    Raises:
        UnitError: A unit is unknown, or the two measure different things.
    """
    if quantity.unit == unit:
        return quantity
    source, target = parse_unit(quantity.unit), parse_unit(unit)
    ratio = _ratio(source, target, molar_mass_g_per_mol)
    if ratio is None:
        raise UnitError(
            where="conversion",
            came=f"{quantity.unit!r} ({_words(source.dimensions)})",
            expected=f"a unit that measures the same as {unit!r} ({_words(target.dimensions)})",
            remedy="check what was measured; between mass and amount give the molar mass",
        )
    value = (Fraction(quantity.value) + source.offset) * ratio - target.offset
    return Quantity(float(value), unit, quantity.comparator)


def conversion_factor(source: str, target: str, *, molar_mass_g_per_mol: float | None = None) -> float:
    """What values in one unit are multiplied by to be in another: for whole columns.

    Args:
        source: The unit of the values.
        target: The unit wanted.
        molar_mass_g_per_mol: Grams per mole of what is measured; None = amount and mass stay apart.

    Raises:
        UnitError: A unit is unknown, the two measure different things, or temperatures are involved,
            which a factor cannot convert.
    """
    if parse_unit(source).offset or parse_unit(target).offset:
        raise UnitError(
            where="conversion",
            came=f"{source!r} to {target!r}",
            expected="units with a common zero",
            remedy="convert temperatures one by one",
        )
    return convert(Quantity(1.0, source), target, molar_mass_g_per_mol=molar_mass_g_per_mol).value


def _ratio(source: Unit, target: Unit, molar_mass: float | None) -> Fraction | None:
    """How many targets one source is; None = they measure different things."""
    if source.dimensions == target.dimensions:
        return source.factor / target.factor
    if molar_mass is None or not molar_mass > 0:
        return None
    moles = dict(source.dimensions).get("mol", 0) - dict(target.dimensions).get("mol", 0)
    per_mole = Unit(Fraction(molar_mass), (("g", 1), ("mol", -1))).power(moles)
    bridged = source.times(per_mole)
    return bridged.factor / target.factor if bridged.dimensions == target.dimensions else None


def _words(dimensions: Dimensions) -> str:
    return ".".join(base if power == 1 else f"{base}{power}" for base, power in dimensions) or "a number"
