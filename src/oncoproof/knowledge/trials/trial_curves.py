"""Published survival curves, month by month.

Rules this module guarantees:

- A curve belongs to an arm of the trial table; a month stands here while ten patients were still followed.

    >>> [point.free_pct for point in curve_of("keynote_024-tps50-pembrolizumab", "os")][:3]
    [96.7, 92.8, 90.2]
"""

from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A published Kaplan-Meier curve at a month."""

    row_id: str
    """The arm."""
    endpoint: str
    """`pfs` or `os`."""
    month: int
    """Months from the start of treatment."""
    free_pct: float
    """Patients without the event."""
    at_risk: int
    """Patients still followed."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_curves() -> tuple[CurvePoint, ...]:
    """Every point, in file order."""
    return read_csv("trial_curves.csv", "trial_curves", CurvePoint)


def curve_of(row_id: str, endpoint: str) -> tuple[CurvePoint, ...]:
    """One curve."""
    return tuple(point for point in load_curves() if (point.row_id, point.endpoint) == (row_id, endpoint))
