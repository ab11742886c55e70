"""How patients value states of health, and what adverse events take away.

Rules this module guarantees:

- A state's utility lies between 0 and 1; an adverse event's decrement is negative and is added to it.
- Instruments differ: EQ-5D decrements are larger than standard-gamble ones; bracket with both.
- Low and high are the interval from the standard error where one is on record, and otherwise the
  stated range, with the value its middle.

    >>> [row.figure.value for row in utilities_of("nsclc", "stable")]
    [0.653]
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oncoproof.knowledge.tables import Figure, read_csv


class UtilityKind(StrEnum):
    """What a utility row tells."""

    STATE = "state"
    """The utility of being in a state."""
    DECREMENT = "decrement"
    """What a change of the disease adds or takes away."""
    ADVERSE_EVENT = "adverse_event"
    """What an adverse event takes away."""
    MINIMAL_DIFFERENCE = "minimal_difference"
    """The smallest difference that patients notice."""


@dataclass(frozen=True, slots=True)
class Utility:
    """One utility, decrement or threshold."""

    disease: str
    """Slug of the disease; `any` = all."""
    instrument: str
    """How it was measured: `standard_gamble`, `eq5d_3l`, `qlq_c30`."""
    kind: UtilityKind
    """What the figure is."""
    name: str
    """The state, event or scale."""
    line: tuple[int, ...]
    """Lines of treatment; empty = not restricted."""
    region: str | None
    """Whose values or patients; None = not restricted."""
    standard_error: float | None
    """Standard error of the figure; None = not on record."""
    standard_deviation: float | None
    """Standard deviation between patients; None = not on record."""
    note: str
    """What a reader must know; may be empty."""
    figure: Figure
    """The number, from 0 (dead) to 1 (full health), or points of a scale."""


@dataclass(frozen=True, slots=True)
class QualityOfLifeResult:
    """A quality-of-life result of a trial."""

    disease: str
    """Slug of the disease."""
    nct: str
    """Source id of the trial."""
    instrument: str
    """Scale measured."""
    quantity: str
    """`change`, `difference`, `time_to_deterioration_median` or its hazard ratio."""
    arm: str
    """The arm, or the two compared."""
    figure: Figure
    """The number in its unit."""


@cache
def load_utilities() -> tuple[Utility, ...]:
    """Every utility, in file order."""
    return read_csv("utilities.csv", "utilities", Utility)


@cache
def load_quality_of_life_results() -> tuple[QualityOfLifeResult, ...]:
    """Every trial result, in file order."""
    return read_csv("quality_of_life_trials.csv", "quality_of_life_trials", QualityOfLifeResult)


def utilities_of(disease: str, name: str, *, instrument: str | None = None) -> tuple[Utility, ...]:
    """The utilities of a state or event in a disease, by one instrument or all."""
    return tuple(
        row
        for row in load_utilities()
        if row.name == name and row.disease in {disease, "any"} and instrument in {None, row.instrument}
    )
