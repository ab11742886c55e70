"""When a trial was registered: registry numbers rise with time.

Rules this module guarantees:

- A year is read off the number alone, exact to about a year; a number that is none has no year.

    >>> registered_year("NCT02142738"), registered_year("ISRCTN1")
    (2014, None)
"""

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class RegistryYear:
    """The first number of a year."""

    number: int
    """Digits of the first registry number of the year, about."""
    year: int
    """Calendar year."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_registry_years() -> tuple[RegistryYear, ...]:
    """Every year, in order."""
    return read_csv("registry_years.csv", "registry_years", RegistryYear)


def registered_year(nct: str | None) -> int | None:
    """The year of a registry number; None = it is not one of ClinicalTrials.gov."""
    found = re.fullmatch(r"NCT(\d{8})", nct or "")
    if found is None:
        return None
    rows = load_registry_years()
    return rows[bisect_right([row.number for row in rows], int(found[1])) - 1].year
