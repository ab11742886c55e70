"""Numbers of what is observed that hold for every patient, each with its range and source.

Rules this module guarantees:

- A number that is asked for by name exists; a name that does not is an error that lists the file.

    >>> number_of("lesions_max")
    5.0
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.disease.numbers.effects import read_data
from oncoproof.errors import IntegrityError
from oncoproof.knowledge.tables import Figure, parse_csv

_FILE = "observation_numbers.csv"


@dataclass(frozen=True, slots=True)
class ObservationNumber:
    """One row of the table."""

    id: str
    """Unique."""
    figure: Figure
    """The number."""
    meaning: str
    """What it is, in a sentence."""


@cache
def load_observation_numbers() -> Mapping[str, ObservationNumber]:
    """Every number, by id."""
    rows = parse_csv(
        read_data(_FILE), "observation_numbers", ObservationNumber, where=_FILE, family="oncoproof.disease"
    )
    return MappingProxyType({row.id: row for row in rows})


def number_of(id_: str) -> float:
    """The value of a number.

    Raises:
        IntegrityError: The table does not have it.
    """
    found = load_observation_numbers().get(id_)
    if found is None:
        raise IntegrityError(
            where=_FILE, came=f"no {id_!r}", expected="a row for it", remedy="add the row with its source"
        )
    return found.figure.value
