"""UCUM: units as expressions over the units that occur in oncology.

Rules this module guarantees:

- An expression is read after the grammar of UCUM (case-sensitive): terms joined by `.` and `/`,
  exponents, metric prefixes, whole factors, parentheses, annotations in braces. It becomes a factor and
  a vector of dimensions, exactly (as a fraction).
- Amount of substance and each arbitrary unit (`[IU]`) are dimensions of their own, which is stricter
  than UCUM, where a mole is a number: a count of cells and a concentration are not the same thing.
- Units that never occur in oncology and are easily written by mistake (`K` kelvin, `G` gauss, `T` tesla,
  `C` coulomb, `u` atomic mass unit, `b` barn) are not known here.

    >>> parse_unit("mg/dL").factor, parse_unit("g/L").factor
    (Fraction(10, 1), Fraction(1000, 1))
    >>> parse_unit("mg/dL").dimensions
    (('g', 1), ('m', -3))
"""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

from oncoproof.errors import UnitError

Dimensions = tuple[tuple[str, int], ...]
"""Powers of the base units, by name, without zeros."""

_PREFIXES = {
    "T": Fraction(10**12),
    "G": Fraction(10**9),
    "M": Fraction(10**6),
    "k": Fraction(1000),
    "h": Fraction(100),
    "da": Fraction(10),
    "d": Fraction(1, 10),
    "c": Fraction(1, 100),
    "m": Fraction(1, 1000),
    "u": Fraction(1, 10**6),
    "n": Fraction(1, 10**9),
    "p": Fraction(1, 10**12),
    "f": Fraction(1, 10**15),
}

_METRIC_BASES = ("m", "s", "g", "mol", "[IU]", "[CFU]", "[arb'U]")
"""Units that all others rest on; they take prefixes."""

_METRIC = {
    "L": ("1000", "cm3"),
    "l": ("1000", "cm3"),
    "U": ("1", "umol/min"),
    "kat": ("1", "mol/s"),
    "eq": ("1", "mol"),
    "osm": ("1", "mol"),
    "Da": ("1.66053906660e-24", "g"),
    "N": ("1", "kg.m/s2"),
    "Pa": ("1", "N/m2"),
    "J": ("1", "N.m"),
    "W": ("1", "J/s"),
    "Hz": ("1", "/s"),
    "Bq": ("1", "/s"),
    "Ci": ("3.7e10", "Bq"),
    "Gy": ("1", "J/kg"),
    "Sv": ("1", "J/kg"),
    "bar": ("100000", "Pa"),
    "m[Hg]": ("133.322", "kPa"),
    "m[H2O]": ("9.80665", "kPa"),
    "cal": ("4.184", "J"),
    "[iU]": ("1", "[IU]"),
}
"""Units that take prefixes, as a number of other units."""

_SINGLE = {
    "10*": ("10", "1"),
    "10^": ("10", "1"),
    "%": ("0.01", "1"),
    "[ppth]": ("1e-3", "1"),
    "[ppm]": ("1e-6", "1"),
    "[ppb]": ("1e-9", "1"),
    "min": ("60", "s"),
    "h": ("60", "min"),
    "d": ("24", "h"),
    "wk": ("7", "d"),
    "a": ("365.25", "d"),
    "mo": ("30.4375", "d"),
    "[in_i]": ("2.54", "cm"),
    "[ft_i]": ("30.48", "cm"),
    "[lb_av]": ("453.59237", "g"),
    "[oz_av]": ("28.349523125", "g"),
    "[foz_us]": ("29.5735295625", "mL"),
    "[pH]": ("1", ""),
    "[hnsf'U]": ("1", ""),
    "[drp]": ("0.05", "mL"),
}
"""Units that take no prefix; one without others is a dimension of its own."""

_WITH_OFFSET = {"Cel": (Fraction(1), Fraction(27315, 100)), "[degF]": (Fraction(5, 9), Fraction(45967, 100))}
"""Temperatures: kelvin = factor × (value + offset)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as a factor times powers of base units."""

    factor: Fraction
    """How many of the base unit one of it is."""
    dimensions: Dimensions
    """Powers of the base units `m`, `s`, `g`, `mol`, `K` and the arbitrary ones."""
    offset: Fraction = field(default=Fraction(0))
    """What is added to a value before the factor: zero but for temperatures."""

    def times(self, other: "Unit") -> "Unit":
        """The product of two units."""
        powers = dict(self.dimensions)
        for base, power in other.dimensions:
            powers[base] = powers.get(base, 0) + power
        return Unit(self.factor * other.factor, _tidy(powers))

    def power(self, exponent: int) -> "Unit":
        """The unit to a power."""
        return Unit(self.factor**exponent, _tidy({base: n * exponent for base, n in self.dimensions}))


ONE = Unit(Fraction(1), ())
"""The number one."""


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> Unit:
    """The unit that an expression states.

    Raises:
        UnitError: It is no UCUM expression over the units known here.
    """
    if text in _WITH_OFFSET:
        factor, offset = _WITH_OFFSET[text]
        return Unit(factor, (("K", 1),), offset)
    parser = _Parser(text)
    unit = parser.term()
    if parser.place < len(parser.tokens):
        raise parser.refusal(parser.tokens[parser.place])
    return unit


_TOKEN = re.compile(r"[./()]|\{[\x21-\x7a\x7c\x7e]*\}|(?:\[[^\]\s{}]*\]|10[*^]|[A-Za-z%'])+|[+-]?\d+")
_SIMPLE = re.compile(r"(?P<symbol>(?:\[[^\]\s{}]*\]|10[*^]|[A-Za-z%'])+)\Z")
_OPERATORS = frozenset("./()")
_DEPTH_MAX = 16
_EXPONENT_MAX = 99


class _Parser:
    """Reads one expression from left to right."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = self._split()
        self.place = 0
        self.depth = 0

    def _split(self) -> list[str]:
        tokens: list[str] = []
        position = 0
        while position < len(self.text):
            match = _TOKEN.match(self.text, position)
            if match is None:
                raise self.refusal(self.text[position:])
            tokens.append(match[0])
            position = match.end()
        return tokens

    def refusal(self, part: str) -> UnitError:
        """The error at a part of the expression."""
        where = "" if part == self.text else f" at {part!r}"
        return UnitError(
            where="unit",
            came=f"{self.text!r}{where}",
            expected="a UCUM unit",
            remedy="write it as UCUM does, for instance mg/dL, 10*9/L, [IU]/mL",
        )

    def _next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def term(self) -> Unit:
        """Components joined by `.` and `/`, from left to right; a leading `/` divides one."""
        unit = ONE if self._next() == "/" else self._component()
        while self._next() in {".", "/"}:
            operator = self._next()
            self.place += 1
            component = self._component()
            unit = unit.times(component if operator == "." else component.power(-1))
        return unit

    def _component(self) -> Unit:
        word = self._next()
        self.place += 1
        if word == "(":
            return self._parenthesis()
        if word.startswith("{"):
            return ONE
        if word.isdecimal() and word != "0":
            unit = Unit(Fraction(int(word)), ())
        elif _SIMPLE.match(word):
            unit = self._powered(_atom(word), word)
        else:
            raise self.refusal(word or self.text)
        if self._next().startswith("{"):
            self.place += 1
        return unit

    def _parenthesis(self) -> Unit:
        self.depth += 1
        if self.depth > _DEPTH_MAX:
            raise self.refusal(self.text)
        unit = self.term()
        if self._next() != ")":
            raise self.refusal(self.text)
        self.place += 1
        self.depth -= 1
        return unit

    def _powered(self, unit: Unit | None, token: str) -> Unit:
        if unit is None:
            raise self.refusal(token)
        exponent = self._next()
        if not exponent.lstrip("+-").isdecimal():
            return unit
        self.place += 1
        if not 0 < abs(int(exponent)) <= _EXPONENT_MAX:
            raise self.refusal(token + exponent)
        return unit.power(int(exponent))


@lru_cache(maxsize=1024)
def _atom(symbol: str) -> Unit | None:
    """The unit of a symbol, with its prefix; None = it is not known."""
    if symbol in _SINGLE:
        return _defined(symbol, *_SINGLE[symbol])
    metric = _metric_atom(symbol)
    if metric is not None:
        return metric
    for prefix, factor in _PREFIXES.items():
        if symbol.startswith(prefix):
            metric = _metric_atom(symbol.removeprefix(prefix))
            if metric is not None:
                return Unit(factor * metric.factor, metric.dimensions)
    return None


def _metric_atom(symbol: str) -> Unit | None:
    if symbol in _METRIC_BASES:
        return Unit(Fraction(1), ((symbol, 1),))
    return _defined(symbol, *_METRIC[symbol]) if symbol in _METRIC else None


def _defined(symbol: str, number: str, unit: str) -> Unit:
    if not unit:
        return Unit(Fraction(1), ((symbol, 1),))
    return Unit(Fraction(number), ()).times(parse_unit(unit))


def _tidy(powers: dict[str, int]) -> Dimensions:
    return tuple(sorted((base, power) for base, power in powers.items() if power))
