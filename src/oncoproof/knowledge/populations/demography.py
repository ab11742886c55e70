"""Who the patients are: ages, sexes, ancestries, smoking, histologies, stages, subtypes.

Rules this module guarantees:

- A fact says what its low and high are: `ci95` (Wilson interval), `iqr`, `range`, or blank for none.
- Facts that share a `partition` are exhaustive: their shares sum to 1 within rounding.
- Shares come from referral cohorts and are marked by their source; population ages are recalled.

    >>> [fact.figure.value for fact in demography_of("nsclc", "age_median")]
    [68.0]
"""

from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.tables import Figure, read_csv


@dataclass(frozen=True, slots=True)
class DemographyFact:
    """One number about who the patients of a disease are."""

    disease: str
    """Slug of the disease."""
    quantity: str
    """What is told: `age_median`, `sex`, `ancestry`, `smoking`, `histology`, `stage`, `subtype`, …"""
    category: str
    """The class the share belongs to, `|` between alternatives; empty for a median."""
    histology: str | None
    """Histology counted; None = any."""
    ancestry: str | None
    """Ancestry counted; None = any."""
    stage: str | None
    """Stage counted; None = any."""
    given: str
    """Biomarker condition of those counted; empty = none."""
    n: int | None
    """Patients counted; None = not on record."""
    interval: str | None
    """What low and high are: `ci95`, `iqr` or `range`; None = there are none."""
    partition: str | None
    """Name shared by facts that together are exhaustive; None = stands alone."""
    note: str
    """What a reader must know; may be empty."""
    figure: Figure
    """The median in its unit, or the share."""


@cache
def load_demography() -> tuple[DemographyFact, ...]:
    """Every fact, in file order."""
    return read_csv("demography.csv", "demography", DemographyFact)


def demography_of(
    disease: str,
    quantity: str,
    *,
    histology: str | None = None,
    ancestry: str | None = None,
    stage: str | None = None,
    given: str = "",
) -> tuple[DemographyFact, ...]:
    """The facts of one quantity in exactly one subset of a disease."""
    return tuple(
        fact
        for fact in load_demography()
        if (fact.disease, fact.quantity, fact.given) == (disease, quantity, given)
        and (fact.histology, fact.ancestry, fact.stage) == (histology, ancestry, stage)
    )
