"""What makes one patient's disease differ from another's: terms that add up on the log scale.

Rules this module guarantees:

- A term belongs to a disease, a biomarker, a line or an earlier treatment, never to a trial.
- A term of kill or durability concerns the effect it names and everything that descends from it.

    >>> [term.id for term in load_terms() if term.quantity is Quantity.GROWTH][:2]
    ['growth.nsclc', 'growth.nsclc.second']
    >>> term = next(term for term in load_terms() if term.id == "chemotherapy.nsclc.second")
    >>> concerns(term, "docetaxel.nsclc"), concerns(term, "docetaxel.breast")
    (True, False)
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oncoproof.disease.numbers.effects import lineage, read_data
from oncoproof.knowledge.tables import Basis, parse_csv

_FILE = "terms.csv"


class Quantity(StrEnum):
    """What a term adds to."""

    GROWTH = "growth"
    """Log of the weekly growth rate of a small tumour."""
    HAZARD = "hazard"
    """Log of the weekly hazard of death at the tumour's first extent."""
    SEEDING = "seeding"
    """Log of the new lesions to be expected while manifest disease grows by a factor e."""
    EXTENT = "extent"
    """Log of the tumour's extent at the start, against manifest disease."""
    BRAIN = "brain"
    """Decades by which the tumour in the brain is smaller than manifest disease where none is known."""
    EVASION = "evasion"
    """Decades by which the cells that hide from immunity are fewer than all."""
    KILL = "kill"
    """Log of the weekly kill rate of the effects named."""
    DURABILITY = "durability"
    """What the kind of the effects named calls durability."""
    HARM = "harm"
    """Log of the weekly hazard of severe harm of the drug or class named."""


PERSONAL = (
    Quantity.GROWTH,
    Quantity.HAZARD,
    Quantity.SEEDING,
    Quantity.EXTENT,
    Quantity.BRAIN,
    Quantity.EVASION,
)
"""Quantities of the patient's disease, whatever is given."""


@dataclass(frozen=True, slots=True)
class Term:
    """One row of the table of terms."""

    id: str
    """Unique."""
    quantity: Quantity
    """What it adds to."""
    target: str
    """The effect, or for harm the drug or class, it concerns; empty for quantities of the patient."""
    when: str
    """Whom it concerns, in the language of rules; empty = everybody."""
    prior: float
    """Prior mean."""
    prior_sd: float
    """Prior standard deviation; 0 = not a parameter."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_terms() -> tuple[Term, ...]:
    """Every term."""
    return parse_csv(read_data(_FILE), "terms", Term, where=_FILE, family="oncoproof.disease")


@cache
def personal_terms() -> tuple[Term, ...]:
    """The terms of a patient's disease, whatever is given."""
    return tuple(term for term in load_terms() if term.quantity in PERSONAL)


@cache
def line_terms() -> tuple[Term, ...]:
    """The terms of what a drug does."""
    return tuple(term for term in load_terms() if term.quantity not in PERSONAL)


def concerns(term: Term, effect: str) -> bool:
    """Whether a term of kill or durability holds for an effect."""
    return any(name == term.target or name.startswith(f"{term.target}.") for name in lineage(effect))
