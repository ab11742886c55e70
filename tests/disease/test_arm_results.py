"""The figures of an arm: closed forms, intervals of the published size, and what is not defined."""

from dataclasses import replace

import numpy as np
import pytest

from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, STABLE, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.trials.arm_results import (
    FIGURES,
    ArmResults,
    Estimate,
    SimulatedArm,
    summarise,
    summarise_arms,
)
from oncoproof.knowledge.trials import TrialArm, load_trials
from oncoproof.seeds import Seed

SEED = Seed(7)
ARMS = {arm.row_id: arm for arm in load_trials()}
TREATED, CONTROL = (
    ARMS["flaura-egfr-osimertinib"],
    ARMS[ARMS["flaura-egfr-osimertinib"].comparator_row_id or ""],
)


def _course(name: str, *, pfs_months: float, n: int = 4_000, horizon_months: float = 120) -> Endpoints:
    """Exponential progression with the median given, death half a year later; half respond, a tenth fully."""
    generator = SEED.child(name).generator()
    progression = generator.exponential(pfs_months / np.log(2), n) * WEEKS_PER_MONTH
    death = progression + generator.exponential(6 / np.log(2), n) * WEEKS_PER_MONTH
    horizon = horizon_months * WEEKS_PER_MONTH
    kind = generator.random(n)
    response = np.where(kind < 0.1, COMPLETE, np.where(kind < 0.5, PARTIAL, STABLE)).astype(np.int8)
    no = np.zeros(n, np.bool_)
    course = Endpoints(**dict.fromkeys(Endpoints._fields, no))
    return course._replace(
        progression_weeks=np.minimum(progression, horizon).astype(np.float32),
        progressed=progression <= horizon,
        death_weeks=np.minimum(death, horizon).astype(np.float32),
        died=death <= horizon,
        response=response,
        response_weeks=np.where(response >= PARTIAL, np.minimum(progression, horizon) / 2, np.nan).astype(
            np.float32
        ),
        harmed_by_drug=generator.random(n) < 0.2,
        harmed=generator.random(n) < 0.6,
    )


def _value(results: ArmResults, name: str) -> float:
    value = getattr(results, name).value
    assert value is not None
    return value


@pytest.fixture(scope="module")
def results() -> ArmResults:
    """An arm with a median PFS of 12 months against one of 6."""
    treated = SimulatedArm(TREATED, (_course("treated", pfs_months=12),))
    control = SimulatedArm(CONTROL, (_course("control", pfs_months=6),))
    return summarise(treated, control, seed=SEED)


@pytest.mark.parametrize(
    ("name", "truth", "tolerance"),
    [
        # Tolerances are four standard errors at 4,000 patients.
        ("orr_pct", 50.0, 3.2),
        ("cr_pct", 10.0, 1.9),
        ("pfs_median_mo", 12.0, 1.1),
        ("pfs_12mo_pct", 50.0, 3.2),
        ("dor_median_mo", 6.0, 0.8),
        ("grade3plus_ae_pct", 60.0, 3.1),
        ("pfs_hr", 0.5, 0.05),
    ],
)
def test_figures_are_those_of_the_law(results: ArmResults, name: str, truth: float, tolerance: float) -> None:
    assert _value(results, name) == pytest.approx(truth, abs=tolerance)


def test_every_interval_holds_its_value(results: ArmResults) -> None:
    for name in FIGURES:
        estimate: Estimate = getattr(results, name)
        assert estimate.value is not None
        assert estimate.lo is not None
        assert estimate.hi is not None
        assert estimate.lo <= estimate.value <= estimate.hi


def test_interval_is_that_of_a_trial_of_the_published_size() -> None:
    """The 90 % interval of a share of one half among n is 2 × 1.645 × 50 / √n points wide."""
    course = _course("size", pfs_months=9)
    for n in (50, 200, 800):
        estimate = summarise(SimulatedArm(replace(TREATED, n=n), (course,)), seed=SEED).orr_pct
        assert estimate.lo is not None
        assert estimate.hi is not None
        assert estimate.hi - estimate.lo == pytest.approx(2 * 1.645 * 50 / np.sqrt(n), rel=0.25)


def test_draws_of_the_parameters_widen_the_interval() -> None:
    fitted = _course("fitted", pfs_months=12)
    draws = [_course(f"draw {months}", pfs_months=months) for months in (6, 9, 12, 18, 24)]
    narrow = summarise(SimulatedArm(TREATED, (fitted,)), seed=SEED).pfs_median_mo
    wide = summarise(SimulatedArm(TREATED, (fitted, *draws)), seed=SEED).pfs_median_mo
    assert narrow.value == wide.value
    assert narrow.lo is not None
    assert narrow.hi is not None
    assert wide.lo is not None
    assert wide.hi is not None
    assert wide.lo < 7 < narrow.lo < narrow.hi < 20 < wide.hi


def test_shared_draws_leave_the_hazard_ratio_sharp() -> None:
    """Parameters that move both arms alike move their ratio little: draws are paired, not crossed."""
    treated = [_course(f"t{m}", pfs_months=2 * m) for m in (6, 3, 6, 12)]
    control = [_course(f"c{m}", pfs_months=m) for m in (6, 3, 6, 12)]
    ratio = summarise(SimulatedArm(TREATED, treated), SimulatedArm(CONTROL, control), seed=SEED).pfs_hr
    assert ratio.lo is not None
    assert ratio.hi is not None
    assert 0.4 < ratio.lo < 0.5 < ratio.hi < 0.62


def test_harm_is_counted_as_the_publication_counts_it() -> None:
    course = _course("harm", pfs_months=9)
    by_drug = replace(TREATED, grade3plus_ae_attribution="treatment-related (grade 3-4)")
    assert _value(summarise(SimulatedArm(by_drug, (course,)), seed=SEED), "grade3plus_ae_pct") == (
        pytest.approx(100 * course.harmed_by_drug.mean())
    )


def test_a_median_that_is_not_reached_is_none_and_so_is_its_upper_bound() -> None:
    short = _course("short", pfs_months=60, horizon_months=24)
    results = summarise(SimulatedArm(TREATED, (short,)), seed=SEED)
    assert results.pfs_median_mo == Estimate(None, None, None)
    near = summarise(SimulatedArm(TREATED, (_course("near", pfs_months=23, horizon_months=24),)), seed=SEED)
    assert near.pfs_median_mo.lo is not None
    assert near.pfs_median_mo.hi is None


def test_what_needs_a_comparator_a_response_or_longer_follow_up_is_not_defined() -> None:
    course = _course("short look", pfs_months=30, horizon_months=9)
    course = course._replace(response=np.full_like(course.response, STABLE))
    results = summarise(SimulatedArm(CONTROL, (course,)), seed=SEED)
    for name in ("pfs_hr", "os_hr", "dor_median_mo", "pfs_12mo_pct"):
        assert getattr(results, name) == Estimate(None, None, None)
    assert results.orr_pct == Estimate(0.0, 0.0, 0.0)


def test_a_ratio_without_events_is_not_defined() -> None:
    course = _course("no events", pfs_months=12)
    course = course._replace(died=np.zeros_like(course.died))
    results = summarise(SimulatedArm(TREATED, (course,)), SimulatedArm(CONTROL, (course,)), seed=SEED)
    assert results.os_hr == Estimate(None, None, None)


def _table() -> list[TrialArm]:
    return [TREATED, CONTROL]


def test_a_table_skips_what_was_not_simulated_and_finds_comparators() -> None:
    courses = {TREATED.row_id: (_course("treated", pfs_months=12),)}
    (alone,) = summarise_arms(_table(), courses, seed=SEED)
    assert (alone.row_id, alone.n, alone.pfs_hr.value) == (TREATED.row_id, 4_000, None)
    courses[CONTROL.row_id] = (_course("control", pfs_months=6),)
    first, second = summarise_arms(_table(), courses, seed=SEED)
    assert first.pfs_hr.value is not None
    assert second.pfs_hr.value is None


def test_the_same_seed_gives_the_same_figures_in_any_table() -> None:
    courses = {arm.row_id: (_course(arm.row_id, pfs_months=8),) for arm in _table()}
    forward = {each.row_id: each for each in summarise_arms(_table(), courses, seed=SEED)}
    backward = {each.row_id: each for each in summarise_arms(_table()[::-1], courses, seed=SEED)}
    assert forward == backward
    other = summarise_arms(_table(), courses, seed=Seed(8))
    assert {each.row_id: each for each in other} != forward
