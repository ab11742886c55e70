"""A condition on one fact of a patient: `EGFR=ex19del|l858r`, `PDL1_TPS=50..100`.

Rules this module guarantees:

- A condition holds either values, any of which will do, or a closed range, never both.
- It keeps the words it was written in (a group stays a group), so that writing it gives its text back;
  the plain values a group stands for are asked of the biomarker.
- An unknown key or value, and a number outside the key's range, is a `CellError`.

    >>> condition = parse_condition("BRAF=v600")
    >>> str(condition), sorted(condition.plain_values())
    ('BRAF=v600', ['v600e', 'v600k'])
    >>> parse_condition("PDL1_TPS=50..100").admits(72.0)
    True
"""

import math
from dataclasses import dataclass

from oncoproof.knowledge.cancers.biomarkers import Biomarker, load_biomarkers
from oncoproof.knowledge.medicines.treatments import treatment_words


class CellError(ValueError):
    """The text of one cell cannot be read; the reader of the file adds where it stands."""

    def __init__(self, came: str, *, expected: str, remedy: str = "correct the cell") -> None:
        """Keep the parts of an error that are known before the place is.

        Args:
            came: The offending piece of the cell, unquoted.
            expected: What would have been right.
            remedy: What the reader can do about it.
        """
        self.came = came
        self.expected = expected
        self.remedy = remedy
        super().__init__(f"{came!r}: {expected}")


@dataclass(frozen=True, slots=True)
class Condition:
    """What must be so of one key."""

    key: str
    """The fact asked about, such as `EGFR`; `PRIOR` asks about earlier treatment."""
    values: tuple[str, ...] = ()
    """Values or groups as written, any of which will do; empty where a range is meant."""
    low: float | None = None
    """Lowest number that will do; None = the condition is not a range."""
    high: float | None = None
    """Highest number that will do; None = the condition is not a range."""

    def __str__(self) -> str:
        """The condition as a cell writes it."""
        if self.low is None or self.high is None:
            return f"{self.key}={'|'.join(self.values)}"
        return f"{self.key}={write_number(self.low)}..{write_number(self.high)}"

    def plain_values(self) -> frozenset[str]:
        """The plain values that will do, each group replaced by what it stands for; empty for a range."""
        biomarker = load_biomarkers()[self.key]
        if biomarker.is_open:
            return frozenset(self.values)
        return frozenset(plain for value in self.values for plain in biomarker.expand(value))

    def negated(self, disease: str | None) -> "Condition":
        """The plain values that do not meet the condition, of those the disease has; for values only.

        Args:
            disease: Disease slug; None = any.
        """
        biomarker = load_biomarkers()[self.key]
        plain = biomarker.values if disease is None else biomarker.values_in(disease)
        met = self.plain_values()
        return Condition(self.key, tuple(value for value in plain if value not in met))

    def admits(self, value: str | float) -> bool:
        """Whether a patient with this plain value or number meets the condition."""
        if isinstance(value, str):
            return value in self.plain_values()
        return self.low is not None and self.high is not None and self.low <= value <= self.high


def parse_condition(text: str, *, disease: str | None = None) -> Condition:
    """Read one `KEY=VALUE`.

    Args:
        text: The condition as written.
        disease: Where given, a value that this disease does not have is refused too.
    """
    key, equals, rest = text.partition("=")
    if not equals or not rest:
        raise CellError(text, expected="KEY=VALUE", remedy="write for instance EGFR=mut or PDL1_TPS=50..100")
    biomarker = load_biomarkers().get(key)
    if biomarker is None:
        raise CellError(key, expected=f"a key: {', '.join(load_biomarkers())}")
    if biomarker.low is not None and biomarker.high is not None:
        return _parse_range(key, rest, biomarker.low, biomarker.high)
    values = tuple(rest.split("|"))
    if biomarker.is_open:
        return Condition(key, tuple(map(parse_treatment, values)))
    allowed = _words(biomarker, disease)
    for value in values:
        if value not in allowed:
            raise CellError(value, expected=f"a value of {key}: {', '.join(allowed)}")
    return Condition(key, values)


def _words(biomarker: Biomarker, disease: str | None) -> tuple[str, ...]:
    """Values and groups that may be written, for one disease or (None) for any."""
    plain = biomarker.values if disease is None else biomarker.values_in(disease)
    return (*plain, *(name for name, values in biomarker.groups.items() if set(values) <= set(plain)))


def parse_treatment(name: str) -> str:
    """Read one earlier or later treatment: a drug, a class or an umbrella."""
    if name not in treatment_words():
        raise CellError(
            name,
            expected="a drug, class or umbrella of the knowledge base",
            remedy="correct the spelling, or add it to the base",
        )
    return name


def parse_number(text: str, *, low: float = -math.inf, high: float = math.inf) -> float:
    """Read a finite number within closed bounds."""
    try:
        number = float(text) if text.isascii() and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise CellError(text, expected="a number", remedy="write digits with a decimal point, or leave blank")
    if not low <= number <= high:
        raise CellError(text, expected=f"a number from {write_number(low)} to {write_number(high)}")
    return number


def write_number(number: float) -> str:
    """A number as a cell writes it: no trailing zeros, and exactly the number when read again."""
    return str(int(number)) if math.isfinite(number) and number == int(number) else repr(number)


def _parse_range(key: str, text: str, lowest: float, highest: float) -> Condition:
    low_text, dots, high_text = text.partition("..")
    if not dots:
        raise CellError(text, expected=f"a closed range lo..hi for {key}")
    low = parse_number(low_text, low=lowest, high=highest)
    high = parse_number(high_text, low=lowest, high=highest)
    if low > high:
        raise CellError(text, expected="the lower end first")
    return Condition(key, low=low, high=high)
