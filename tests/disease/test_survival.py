"""Survival: curves, medians and hazard ratios against lifelines and against closed forms."""

import time
import warnings
from typing import Any, cast

import numpy as np
import pytest
from lifelines import CoxPHFitter, KaplanMeierFitter
from lifelines.exceptions import ApproximationWarning
from pandas import DataFrame

from oncoproof.disease.trials.survival import (
    FollowUp,
    at_risk,
    hazard_ratio,
    kaplan_meier,
    median_time,
    survival_at,
)
from oncoproof.seeds import Seed

MONTHS = np.array([0.0, 1.0, 3.0, 6.0, 11.0, 20.0])


def _sample(
    name: str, *, hazard: float, batch: int = 3, n: int = 180, visit: float | None = None
) -> FollowUp:
    """Exponential times with administrative and random censoring; seen at visits where a gap is given."""
    generator = Seed(20260301).child(name).generator()
    event = generator.exponential(1 / hazard, (batch, n))
    leave = np.minimum(generator.exponential(40.0, (batch, n)), 30.0)
    if visit is not None:
        event, leave = np.ceil(event / visit) * visit, np.floor(leave / visit) * visit
    return FollowUp(np.minimum(event, leave), event <= leave)


def _reference_ratio(treated: FollowUp, control: FollowUp, row: int) -> float:
    """What lifelines makes of one sample, ties after Efron."""
    frame = DataFrame(
        {
            "time": np.concatenate([treated.times[row], control.times[row]]),
            "event": np.concatenate([treated.events[row], control.events[row]]),
            "treated": np.repeat([1.0, 0.0], [treated.times.shape[1], control.times.shape[1]]),
        }
    )
    fitter = cast("Any", CoxPHFitter()).fit(frame, duration_col="time", event_col="event")
    return float(fitter.hazard_ratios_["treated"])


def _reference_curve(sample: FollowUp, row: int) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ApproximationWarning)
        return cast("Any", KaplanMeierFitter()).fit(sample.times[row], sample.events[row])


@pytest.mark.parametrize("visit", [None, 1.4])
def test_curve_is_that_of_lifelines(visit: float | None) -> None:
    sample = _sample("curve", hazard=0.09, visit=visit)
    curve = kaplan_meier(sample)
    for row in range(3):
        expected = np.asarray(_reference_curve(sample, row).survival_function_at_times(MONTHS))
        got = [survival_at(curve, float(month))[row] for month in MONTHS]
        np.testing.assert_allclose(got, expected, atol=1e-9)


@pytest.mark.parametrize("visit", [None, 1.4])
@pytest.mark.parametrize("hazard", [0.05, 0.1, 0.3])
def test_hazard_ratio_is_that_of_lifelines(visit: float | None, hazard: float) -> None:
    treated = _sample("treated", hazard=hazard, visit=visit)
    control = _sample("control", hazard=0.12, n=90, visit=visit)
    ratio = hazard_ratio(treated, control)
    for row in range(3):
        assert ratio[row] == pytest.approx(_reference_ratio(treated, control, row), abs=1e-3)


def test_the_group_that_does_better_has_the_ratio_below_one() -> None:
    slow, fast = _sample("slow", hazard=0.04, n=400), _sample("fast", hazard=0.16, n=200)
    ratio, inverse = hazard_ratio(slow, fast), hazard_ratio(fast, slow)
    np.testing.assert_allclose(ratio * inverse, 1.0, rtol=1e-6)
    # True ratio 0.25; standard error of its logarithm near 0.11 with these numbers of events.
    assert np.all(np.abs(np.log(ratio / 0.25)) < 0.45)


def test_ratio_of_two_by_two_in_closed_form() -> None:
    """Control dies at 1, treated at 2, control at 3: the score is zero where w² = 2, w = the ratio."""
    treated = FollowUp(np.array([[2.0]]), np.array([[True]]))
    control = FollowUp(np.array([[1.0, 3.0]]), np.array([[True, True]]))
    assert hazard_ratio(treated, control)[0] == pytest.approx(np.sqrt(2.0))


@pytest.mark.parametrize(
    ("treated_events", "control_events"), [([False, False], [True, True]), ([True, True], [False, False])]
)
def test_ratio_without_a_finite_maximum_is_not_defined(
    treated_events: list[bool], control_events: list[bool]
) -> None:
    treated = FollowUp(np.array([[3.0, 5.0]]), np.array([treated_events]))
    control = FollowUp(np.array([[2.0, 4.0]]), np.array([control_events]))
    assert np.isnan(hazard_ratio(treated, control)[0])


def test_ratio_is_not_defined_where_one_group_ends_before_the_other_begins() -> None:
    treated = FollowUp(np.array([[1.0, 2.0]]), np.array([[True, True]]))
    control = FollowUp(np.array([[5.0, 6.0]]), np.array([[True, True]]))
    assert np.isnan(hazard_ratio(treated, control)[0])


def test_median_of_fine_times_is_that_of_lifelines() -> None:
    sample = _sample("median", hazard=0.1, n=4_000)
    for row, median in enumerate(median_time(kaplan_meier(sample))):
        assert median == pytest.approx(float(_reference_curve(sample, row).median_survival_time_), abs=0.02)


def test_median_of_visits_is_on_average_that_of_lifelines() -> None:
    """Neither early nor late: the difference has a standard error near 0.02 over 300 samples."""
    hazards = np.linspace(0.06, 0.25, 300)
    samples = [_sample(f"visits {number}", hazard=h, batch=1, visit=1.4) for number, h in enumerate(hazards)]
    differences = [
        float(median_time(kaplan_meier(sample))[0] - _reference_curve(sample, 0).median_survival_time_)
        for sample in samples
    ]
    assert abs(np.mean(differences)) < 0.1


def _one(times: list[float], events: list[bool]) -> FollowUp:
    return FollowUp(np.array([times]), np.array([events]))


def test_median_lies_on_the_line_through_the_middles_of_the_steps() -> None:
    """Steps 1 to 0.6 at 2 and 0.6 to 0.2 at 4: middles 0.8 and 0.4, one half three quarters of the way."""
    sample = _one([2, 2, 4, 4, 9], [True, True, True, True, False])
    assert median_time(kaplan_meier(sample))[0] == pytest.approx(3.5)


@pytest.mark.parametrize(
    ("events", "median"),
    [
        ([True, True, False, False], 2.0),  # reached by the foot of the last step only: its time
        ([True, False, False, False], np.nan),
        ([False, False, False, False], np.nan),
    ],
)
def test_median_at_the_end_of_the_curve(events: list[bool], median: float) -> None:
    np.testing.assert_equal(median_time(kaplan_meier(_one([1, 2, 3, 4], events)))[0], median)


def test_all_at_once() -> None:
    curve = kaplan_meier(_one([5, 5, 5], [True, True, True]))
    assert median_time(curve)[0] == pytest.approx(5.0)
    assert survival_at(curve, 80.0)[0] == 0


def test_share_beyond_the_last_look_is_not_defined() -> None:
    curve = kaplan_meier(_one([5, 6, 7], [True, False, False]))
    assert survival_at(curve, 7.0)[0] == pytest.approx(2 / 3)
    assert np.isnan(survival_at(curve, 7.1)[0])


def test_places_below_zero_do_not_count() -> None:
    sample = _sample("places", hazard=0.1, batch=1, n=60)
    padding = np.full((1, 25), -1.0)
    padded = FollowUp(np.hstack([sample.times, padding]), np.hstack([sample.events, padding > 0]))
    other = _sample("other", hazard=0.2, batch=1, n=60)
    assert median_time(kaplan_meier(padded)) == pytest.approx(median_time(kaplan_meier(sample)))
    assert hazard_ratio(padded, other) == pytest.approx(hazard_ratio(sample, other))
    assert at_risk(padded, 0.0).tolist() == [60]
    assert at_risk(padded, 5.0).tolist() == [int(np.sum(sample.times >= 5.0))]


def test_a_sample_gets_the_same_answer_in_a_batch_as_alone() -> None:
    treated, control = _sample("a", hazard=0.1, visit=1.4), _sample("b", hazard=0.2, visit=1.4)
    ratio, median = hazard_ratio(treated, control), median_time(kaplan_meier(treated))
    for row in range(3):
        alone = FollowUp(treated.times[row : row + 1], treated.events[row : row + 1])
        other = FollowUp(control.times[row : row + 1], control.events[row : row + 1])
        assert hazard_ratio(alone, other)[0] == pytest.approx(ratio[row], rel=1e-8)
        assert median_time(kaplan_meier(alone))[0] == median[row]


def test_two_hundred_trials_of_a_thousand_patients_take_no_time() -> None:
    treated, control = (_sample(name, hazard=0.1, batch=200, n=500) for name in ("fast a", "fast b"))
    started = time.perf_counter()
    hazard_ratio(treated, control)
    # Measured 0.1 s; the bound leaves room for a busy machine.
    assert time.perf_counter() - started < 1.5
