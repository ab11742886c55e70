"""Other medicines: what patients take beside the cancer treatment, and the groups that rules speak of.

Rules this module guarantees:

- Every medicine is of one group at least; a group is a word such as `ppi` or `strong_cyp3a4_inhibitor`.
- A habit or food that changes a drug (smoking, grapefruit) stands in the same table.
- A name or brand stands for one medicine only.

    >>> find_comedication("Coumadin").groups
    ('vitamin_k_antagonist', 'anticoagulant')
    >>> "ppi" in comedication_groups()
    True
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.names import find_name, index_names
from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class Comedication:
    """One medicine, food or habit."""

    slug: str
    """What tables call it."""
    name: str
    """What a reader calls it."""
    synonyms: tuple[str, ...]
    """Other names and brands, lower case."""
    groups: tuple[str, ...]
    """Groups by which interactions and rules speak of it."""
    rxnorm: str
    """RxNorm concept of the ingredient; empty = not known for sure, or no medicine."""
    rxnorm_basis: Basis | None
    """How we know the code; None = there is none."""
    source: str
    """Where the groups come from: id of an entry of `sources.csv`."""
    basis: Basis
    """How we know the groups."""


@cache
def load_comedications() -> Mapping[str, Comedication]:
    """All medicines, by slug."""
    rows = read_csv("comedications.csv", "comedications", Comedication)
    return MappingProxyType({row.slug: row for row in rows})


@cache
def comedication_groups() -> tuple[str, ...]:
    """Every group, sorted."""
    return tuple(sorted({group for row in load_comedications().values() for group in row.groups}))


@cache
def _index() -> Mapping[str, str]:
    names = ((row.slug, (row.slug, row.name, *row.synonyms)) for row in load_comedications().values())
    return index_names(names, where="comedications.csv")


def find_comedication(text: str) -> Comedication:
    """The medicine a text names, exactly but for case, spaces and hyphens.

    Args:
        text: A slug, name, synonym or brand.

    Raises:
        InputError: No medicine is called so; the remedy names the nearest.
    """
    return load_comedications()[find_name(text, _index(), kind="medicine", table="comedications.csv")]
