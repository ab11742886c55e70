"""Which alterations come together and which avoid one another.

Rules this module guarantees:

- `odds_ratio` facts are measured associations: below 1 the two avoid each other.
- `exclusive` facts are pairs of drivers that a patient before targeted treatment does not have both;
  their strength is the share of double hits to tolerate.
- A pair stands once per disease, subset and relation, in either order.

    >>> find_association("nsclc", "EGFR=mut", "TP53=mut").strength.value
    1.65
    >>> ("EGFR=mut", "ALK=fusion") in exclusive_pairs("nsclc")
    True
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oncoproof.errors import InputError
from oncoproof.knowledge.tables import Figure, read_csv


class Relation(StrEnum):
    """What a fact says of a pair."""

    ODDS_RATIO = "odds_ratio"
    """How much likelier one is with the other."""
    EXCLUSIVE = "exclusive"
    """The two do not occur together, save for the tolerated share."""


@dataclass(frozen=True, slots=True)
class Comutation:
    """A relation between two alterations."""

    disease: str
    """Slug of the disease."""
    histology: str | None
    """Histology it was counted in; None = any."""
    subtype: str | None
    """Subtype it was counted in; None = any."""
    first: str
    """`KEY=value` of the one."""
    second: str
    """`KEY=value` of the other."""
    relation: Relation
    """What the strength means."""
    n: int | None
    """Patients counted; None = not counted."""
    note: str
    """What a reader must know; may be empty."""
    strength: Figure
    """Odds ratio, or tolerated share of double hits."""


@cache
def load_comutation() -> tuple[Comutation, ...]:
    """Every fact, in file order."""
    return read_csv("comutation.csv", "comutation", Comutation)


def exclusive_pairs(disease: str) -> dict[tuple[str, str], Figure]:
    """The pairs of a disease that exclude each other, with the share of double hits to tolerate."""
    return {
        (fact.first, fact.second): fact.strength
        for fact in load_comutation()
        if fact.disease == disease and fact.relation is Relation.EXCLUSIVE
    }


def find_association(disease: str, first: str, second: str) -> Comutation:
    """The odds ratio of a pair, in either order.

    Raises:
        InputError: None is on record.
    """
    for fact in load_comutation():
        asked = {fact.first, fact.second} == {first, second} and fact.disease == disease
        if asked and fact.relation is Relation.ODDS_RATIO:
            return fact
    raise InputError(
        where=disease,
        came=f"{first} with {second}",
        expected="a pair of comutation.csv",
        remedy="treat the pair as independent, or add a fact",
    )
