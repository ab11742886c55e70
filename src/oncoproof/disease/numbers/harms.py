"""How hard each drug is on patients: how often an adverse event of grade 3 or more comes, and what follows.

Rules this module guarantees:

- A drug's rate is its own deviation added to that of its class; a drug without a row is as hard as its class,
  and one without either does no severe harm.
- The rate holds at the start of a treatment and falls towards a fifth of it: `constants.csv` says how fast.

    >>> numbers = harm_numbers()
    >>> load_harms()[numbers["docetaxel"]].id, "leucovorin" in numbers
    ('docetaxel', False)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.numbers.terms import Quantity, Term
from oncoproof.knowledge.medicines import classes_of, load_drugs
from oncoproof.knowledge.tables import Basis, parse_csv

_FILE = "harms.csv"


@dataclass(frozen=True, slots=True)
class Harm:
    """One row of the table of harms."""

    id: str
    """A drug or a class."""
    parent: str | None
    """The class that a drug deviates from; None = it stands alone."""
    drugs: tuple[str, ...]
    """The drug or class it speaks of."""
    rate: float
    """Prior mean: log of the weekly hazard at the start, or its deviation from the parent's."""
    rate_sd: float
    """Prior standard deviation; 0 = not a parameter."""
    stop_share: float
    """Share of severe events for which the treatment is stopped for good."""
    fatal_share: float
    """Share of severe events that kill."""
    reducible: bool
    """Whether the dose is reduced after a severe event."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_harms() -> tuple[Harm, ...]:
    """Every harm, classes before drugs."""
    return parse_csv(read_data(_FILE), "harms", Harm, where=_FILE, family="oncoproof.disease")


@cache
def harm_numbers() -> Mapping[str, int]:
    """For each drug that does severe harm the number of its row in `load_harms`."""
    rows = {harm.id: number for number, harm in enumerate(load_harms())}
    found = {
        drug: next((rows[word] for word in (drug, *classes_of(drug)) if word in rows), None)
        for drug in load_drugs()
    }
    return MappingProxyType({drug: number for drug, number in found.items() if number is not None})


def harms_by(term: Term, harm: Harm) -> bool:
    """Whether a term of harm holds for a drug: it names the drug, or the class it deviates from."""
    return term.quantity is Quantity.HARM and term.target in {harm.id, harm.parent}
