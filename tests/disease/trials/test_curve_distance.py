"""The distance of survival curves, against areas in closed form."""

import numpy as np
import pytest

from oncoproof.disease.courses.endpoints import WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.trials.curve_distance import curve_distances, distance_of
from oncoproof.knowledge.tables import Basis
from oncoproof.knowledge.trials import CurvePoint, curve_of

N = 20_000


def _straight(months: int, last_pct: float) -> tuple[CurvePoint, ...]:
    """A curve that falls in a straight line from 100 %."""
    fall = (100 - last_pct) / months
    return tuple(
        CurvePoint("demo", "os", month, 100 - fall * month, 100, "project:assumptions", Basis.ASSUMED)
        for month in range(1, months + 1)
    )


def _even(months: float) -> np.ndarray:
    """Events spread evenly over a time: a straight curve to 0."""
    return (np.arange(N) + 0.5) / N * months * WEEKS_PER_MONTH


def test_the_same_curve_has_no_distance() -> None:
    found = distance_of(_straight(20, 0.0), _even(20))
    assert found.mean_points < 0.01
    assert found.largest_points < 0.02
    assert found.months == 20


def test_the_area_between_two_straight_lines() -> None:
    """From 100 to 60 against 100 to 20 over 20 months: 40 points apart at the end, 20 on average."""
    found = distance_of(_straight(20, 60.0), _even(25))
    assert found.mean_points == pytest.approx(20, abs=0.1)
    assert found.largest_points == pytest.approx(40, abs=0.1)
    assert found.shift_points == pytest.approx(-20, abs=0.1)


def test_curves_that_cross_are_apart_though_their_areas_are_equal() -> None:
    early = np.where(np.arange(N) < N / 2, 5.0, 35.0) * WEEKS_PER_MONTH
    found = distance_of(_straight(40, 0.0), early)
    assert abs(found.shift_points) < 1.5
    assert found.mean_points > 8


def test_every_arm_with_a_curve_is_measured_by_the_event_it_shows() -> None:
    row = "keynote_024-tps50-pembrolizumab"
    course = Endpoints(**dict.fromkeys(Endpoints._fields, np.full(100, 1e4)))._replace(
        death_weeks=np.ones(100)
    )
    found = {each.endpoint: each for each in curve_distances({row: course, "without-a-curve": course})}
    assert set(found) == {"pfs", "os"}
    assert found["pfs"].shift_points > 0 > found["os"].shift_points
    assert found["os"].months == len(curve_of(row, "os"))
