"""How tumours grow and shrink, and how imaging judges them.

Rules this module guarantees:

- A fact has an id, a topic (`recist`, `claret`, `stein_fojo`, `volume_doubling_time`, …) and a unit.
- A fact says what its low and high are: `ci95`, `range`, `sd`, or blank for none.
- A volume doubling time gives the growth rate ln 2 / time; a diameter grows a third as fast.

    >>> round(growth_rate_per_day("doubling_lung_squamous"), 5)
    0.00573
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.errors import InputError
from oncoproof.knowledge.tables import Figure, read_csv

_DOUBLING_TOPIC = "volume_doubling_time"


@dataclass(frozen=True, slots=True)
class KineticsFact:
    """One number about growth, shrinkage or its measurement."""

    id: str
    """Short name, unique."""
    topic: str
    """What it belongs to."""
    disease: str
    """Slug of a disease or another cancer; `any` = not restricted."""
    subject: str | None
    """What was measured: histology, subtype, site; None = not restricted."""
    n: int | None
    """Patients counted; None = not on record."""
    interval: str | None
    """What low and high are: `ci95`, `range` or `sd`; None = there are none."""
    note: str
    """What a reader must know; may be empty."""
    figure: Figure
    """The number in its unit."""


@cache
def load_kinetics() -> Mapping[str, KineticsFact]:
    """Every fact, by id."""
    return MappingProxyType({row.id: row for row in read_csv("kinetics.csv", "kinetics", KineticsFact)})


def growth_rate_per_day(doubling_id: str) -> float:
    """The exponential growth rate of volume that a doubling time means.

    Raises:
        InputError: The fact is not a volume doubling time.
    """
    fact = load_kinetics().get(doubling_id)
    if fact is None or fact.topic != _DOUBLING_TOPIC:
        raise InputError(
            where="kinetics",
            came=repr(doubling_id),
            expected=f"a fact of topic {_DOUBLING_TOPIC}",
            remedy="choose an id that starts with doubling_",
        )
    return math.log(2) / fact.figure.value
