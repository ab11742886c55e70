"""Dimensions: what an analyte or a dose can be measured in, so that a creatinine in kilograms is an error.

Rules this module guarantees:

- `data/analytes.csv` says in which dimensions an analyte is reported: the one that LOINC defines for the
  code, then those that laboratories use under it nevertheless. `data/dimensions.csv` says which units stand
  for a dimension, and whether a medicine can be dosed in it.
- A unit is judged by what it measures, never by how it is written. Units that are no UCUM, and analytes that
  are not listed, are not judged here.

    >>> expected_of("2160-0", "kg")
    'a unit of mass concentration or substance concentration, such as g/L'
    >>> expected_of("2160-0", "umol/L"), expected_of_dose("mg/m2")
    ('', '')
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from oncoproof.errors import JourneyError, UnitError
from oncoproof.journey.codes import System
from oncoproof.journey.fhir.faults import Fault, Faults, Object
from oncoproof.journey.fhir.listings import rows_of
from oncoproof.journey.ucum import Dimensions, parse_unit

_UCUM = System.UCUM.value
_LOINC = System.LOINC.value
_REMEMBERED = 1 << 12

Judge = Callable[[str], str]
"""What was expected of a unit; empty = it is as it should be."""


@cache
def _units() -> dict[str, tuple[str, ...]]:
    """The units that stand for each dimension."""
    return {row["dimension"]: tuple(row["units"].split()) for row in rows_of("dimensions")}


@cache
def _doses() -> tuple[str, ...]:
    """The dimensions that a dose can have."""
    return tuple(row["dimension"] for row in rows_of("dimensions") if row["is_dose"] == "yes")


@cache
def analytes() -> dict[str, tuple[str, ...]]:
    """The dimensions of each analyte that is listed, by LOINC code."""
    return {row["loinc"]: tuple(row["dimensions"].split("|")) for row in rows_of("analytes")}


@lru_cache(maxsize=_REMEMBERED)
def expected_of(loinc: str, unit: str) -> str:
    """What was expected of the unit of an analyte; empty = it is right, or nothing is known."""
    return _expected(analytes().get(loinc, ()), unit)


@lru_cache(maxsize=_REMEMBERED)
def expected_of_dose(unit: str) -> str:
    """What was expected of the unit of a dose; empty = it is right, or nothing is known."""
    wrong = _expected(_doses(), unit)
    return wrong and "a unit that medicines are dosed in, such as mg, mg/m2, mg/kg, [IU] or MBq"


def _expected(dimensions: tuple[str, ...], unit: str) -> str:
    try:
        measured = parse_unit(unit).dimensions
    except UnitError:
        return ""
    if not dimensions or measured in {each for name in dimensions for each in _dimensions(name)}:
        return ""
    return f"a unit of {' or '.join(dimensions)}, such as {_units()[dimensions[0]][0]}"


def _dimensions(name: str) -> Iterator[Dimensions]:
    return (parse_unit(unit).dimensions for unit in _units()[name])


def judge_of(concept: Object) -> Judge | None:
    """What judges the units of values that a concept names; None = it names no analyte that is listed."""
    for coding in concept.get("coding", ()):
        code = coding.get("code")
        if coding.get("system") == _LOINC and code in analytes():
            return lambda unit: expected_of(code, unit)
    return None


def require_unit(quantity: Object, judge: Judge | None, event: str, what: str) -> None:
    """Refuse to tell of an event with a unit that measures something else.

    Raises:
        JourneyError: The unit does.
    """
    faults = None if judge is None else wrong_unit(quantity, judge, "")
    for each in faults or ():
        raise JourneyError(
            where=f"event {event!r}",
            came=f"{what} in {each.came}",
            expected=each.expected,
            remedy=each.remedy,
        )


def wrong_unit(quantity: Object | None, judge: Judge, path: str) -> Faults:
    """That a quantity has a unit which measures something else."""
    if quantity is None or quantity.get("system") != _UCUM or "code" not in quantity:
        return None
    expected = judge(quantity["code"])
    if not expected:
        return None
    return [Fault(f"{path}.code", repr(quantity["code"]), expected, "correct the unit, or what was measured")]
