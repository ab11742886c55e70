"""How far simulated survival curves lie from published ones, over their whole length.

Rules this module guarantees:

- The distance is the area between the two curves up to the last month at which ten patients were still
  followed, divided by that time: mean percentage points between them.

    >>> from oncoproof.knowledge.trials import curve_of
    >>> published = curve_of("keynote_024-tps50-pembrolizumab", "os")
    >>> everybody = np.full(10, 1e6)
    >>> distance_of(published, everybody).mean_points > 10
    True
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from jaxtyping import Float

from oncoproof.disease.courses.endpoints import WEEKS_PER_MONTH, Endpoints
from oncoproof.knowledge.trials import CurvePoint, load_curves


@dataclass(frozen=True, slots=True)
class CurveDistance:
    """How far one curve lies from its published one."""

    row_id: str
    """The arm."""
    endpoint: str
    """`pfs` or `os`."""
    months: int
    """Length of the published curve."""
    mean_points: float
    """Area between the curves over their length, in percentage points."""
    largest_points: float
    """Largest distance at a whole month."""
    shift_points: float
    """The same area with its sign: above 0 where simulated patients do better."""


def curve_distances(courses: Mapping[str, Endpoints]) -> Iterator[CurveDistance]:
    """The distance of every arm that was simulated and whose curve is on record.

    Args:
        courses: What was simulated, by row id.
    """
    for (row_id, endpoint), points in groupby(
        load_curves(), key=lambda point: (point.row_id, point.endpoint)
    ):
        if row_id in courses:
            arm = courses[row_id]
            yield distance_of(tuple(points), arm.death_weeks if endpoint == "os" else arm.progression_weeks)


def distance_of(published: Sequence[CurvePoint], weeks: Float[np.ndarray, " n"]) -> CurveDistance:
    """The distance of one curve.

    Args:
        published: Its points, month by month.
        weeks: For each simulated patient the time of the event; beyond the curve where it did not come.
    """
    months = np.array([0, *(point.month for point in published)])
    free = np.array([100.0, *(point.free_pct for point in published)])
    simulated = np.array([100 * float((weeks > month * WEEKS_PER_MONTH).mean()) for month in months])
    apart = simulated - free
    length = float(months[-1])
    return CurveDistance(
        row_id=published[0].row_id,
        endpoint=published[0].endpoint,
        months=int(length),
        mean_points=float(np.trapezoid(np.abs(apart), months)) / length,
        largest_points=float(np.abs(apart).max()),
        shift_points=float(np.trapezoid(apart, months)) / length,
    )
