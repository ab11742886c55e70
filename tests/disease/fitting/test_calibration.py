"""Fitting: what pulls a number, what does not, and which way a planted one is found."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from disease_patients import same
from oncoproof.disease.courses.care import HORIZON_WEEKS
from oncoproof.disease.courses.endpoints import WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.fitting.calibration import (
    Linearised,
    Problem,
    all_residuals,
    corrected,
    covariance_root,
    descend,
    describe,
    objective,
    pose,
    simulate_all,
    solve,
)
from oncoproof.disease.fitting.leave_out import leave_each_out
from oncoproof.disease.fitting.targets import Figure
from oncoproof.disease.numbers.parameters import assemble, free_names, prior_means, prior_sds
from oncoproof.disease.trials.arms import run_arms, some_arms
from oncoproof.knowledge.trials import TrialArm, load_trials
from oncoproof.seeds import Seed

SEED, PATIENTS = Seed(17), 100
ARMS = {arm.row_id: arm for arm in load_trials()}
PAIR = (ARMS["flaura-egfr-osimertinib"], ARMS[ARMS["flaura-egfr-osimertinib"].comparator_row_id or ""])
NAMES, MEANS, SDS = free_names(), prior_means(), prior_sds()
PLANTED = NAMES.index("term:growth.nsclc")

_SILENT: dict[str, Any] = dict.fromkeys(
    (
        "pfs_median_mo", "pfs_ci_low", "pfs_ci_high", "os_median_mo", "os_ci_low", "os_ci_high", "orr_pct",
        "cr_pct", "dor_median_mo", "pfs_12mo_pct", "grade3plus_ae_pct", "pfs_hr", "os_hr",
    )
)  # fmt: skip


def _silent(arm: TrialArm, **said: float) -> TrialArm:
    """An arm that published nothing but what is said."""
    return replace(arm, **(_SILENT | said))


def _months(course: Endpoints) -> float:
    return float(np.median(course.progression_weeks)) / WEEKS_PER_MONTH


@pytest.fixture(scope="module")
def planted() -> tuple[Problem, np.ndarray]:
    """Two arms whose published medians come of slower growth than the priors', and those numbers."""
    truth = MEANS.copy()
    truth[PLANTED] -= 1.0 * SDS[PLANTED]
    blank = pose(PAIR, patients=PATIENTS, seed=SEED)
    courses = simulate_all(blank, truth)
    told = [_silent(arm, pfs_median_mo=_months(courses[arm.row_id])) for arm in PAIR]
    return pose(told, patients=PATIENTS, seed=SEED), truth


@pytest.mark.xdist_group("calibration")
def test_a_planted_number_is_found_in_its_direction(planted: tuple[Problem, np.ndarray]) -> None:
    """One number is let free: its slope, and a step that closes most of the way to the truth."""
    problem, truth = planted
    width = 0.35 * SDS[PLANTED]
    moved = MEANS.copy()
    moved[PLANTED] -= width
    before = all_residuals(problem, MEANS)
    slopes = np.zeros((len(problem.targets), len(MEANS)))
    slopes[:, PLANTED] = (before - all_residuals(problem, moved)) / width
    assert (before < -0.5).all()  # the priors progress too early
    found = solve(Linearised(MEANS, before, slopes), damping=0.0)
    assert truth[PLANTED] - 0.5 * SDS[PLANTED] < found[PLANTED] < MEANS[PLANTED] - 0.2 * SDS[PLANTED]
    assert np.array_equal(np.delete(found, PLANTED), np.delete(MEANS, PLANTED))
    after = all_residuals(problem, found)
    assert objective(after, found) < objective(before, MEANS)
    # A median of 100 patients seen at visits is a step, the target a slope: they differ by a few steps, of a
    # quarter of a scale each.
    assert np.abs(all_residuals(problem, truth)).max() < min(1.0, np.abs(before).max())


@pytest.mark.xdist_group("calibration")
def test_what_cannot_matter_to_an_arm_is_not_tried(planted: tuple[Problem, np.ndarray]) -> None:
    problem, _ = planted
    relevant = dict(zip(NAMES, problem.relevant.T.tolist(), strict=True))
    assert relevant["kill:osimertinib.egfr"][0]
    assert relevant["term:growth.nsclc"] == [True, True]
    assert relevant["term:growth.melanoma"] == [False, False]
    assert all(relevant[name] == [True, True] for name in NAMES if name.startswith("constant:"))


@pytest.mark.xdist_group("calibration")
def test_what_identifies_a_number_is_named(planted: tuple[Problem, np.ndarray]) -> None:
    problem, _ = planted
    slopes = np.zeros((len(problem.targets), len(MEANS)))
    slopes[0, PLANTED] = 2.0 / SDS[PLANTED]
    linear = Linearised(MEANS, np.zeros(len(problem.targets)), slopes)
    row = describe(problem, linear, MEANS)[PLANTED]
    assert row.identified_by == (f"{problem.targets[0].row_id}:{Figure.PFS_MEDIAN}",)
    assert row.sd == pytest.approx(SDS[PLANTED] / np.sqrt(1 + 4))
    assert row.learned == pytest.approx(0.8)


def test_solve_is_the_regression_that_it_claims_to_be() -> None:
    """One number, one figure, slope s in the prior's spread: the posterior mean of a normal law."""
    slopes = np.zeros((1, len(MEANS)))
    slopes[0, 3] = 2.0 / SDS[3]
    near = 1e-3  # so small that Cauchy's loss is a square
    found = solve(Linearised(MEANS, np.array([near]), slopes), damping=0.0)
    assert (found[3] - MEANS[3]) / SDS[3] / near == pytest.approx(-2.0 / (1 + 4))
    root = covariance_root(Linearised(MEANS, np.array([near]), slopes))
    assert np.sqrt((root[3] ** 2).sum()) == pytest.approx(SDS[3] / np.sqrt(5))
    assert np.allclose(np.sqrt((np.delete(root, 3, 0) ** 2).sum(axis=1)), np.delete(SDS, 3))


def test_what_nothing_pulls_goes_back_to_its_prior() -> None:
    away = MEANS + 0.5 * SDS
    found = solve(Linearised(away, np.zeros(1), np.zeros((1, len(MEANS)))), damping=0.0)
    assert np.allclose(found, MEANS)
    held = solve(Linearised(away, np.zeros(1), np.zeros((1, len(MEANS)))), damping=1.0)
    assert np.allclose(held, MEANS + 0.25 * SDS)


def test_outlying_figures_count_for_less_and_less() -> None:
    assert objective(np.array([0.01]), MEANS) == pytest.approx(1e-4, rel=1e-4)
    assert objective(np.array([2.5]), MEANS) == pytest.approx(2.5**2 * np.log(2))
    far = [objective(np.array([size]), MEANS) for size in (10.0, 20.0, 30.0)]
    assert far[2] - far[1] < far[1] - far[0] < 10.0**2
    assert objective(np.zeros(1), MEANS + SDS) == pytest.approx(len(MEANS))


@pytest.mark.xdist_group("calibration")
def test_a_trial_that_is_left_out_has_no_say() -> None:
    """Whatever a trial reported, it is predicted alike; what the others reported matters to it."""
    other = ARMS["profile_1001-ros1-crizotinib"]

    def predicted(own: float, others: float) -> Endpoints:
        arms = (_silent(PAIR[0], orr_pct=own), _silent(other, orr_pct=others))
        problem = pose(arms, patients=60, seed=SEED)
        slopes = np.zeros((2, len(MEANS)))
        slopes[0, PLANTED] = slopes[1, NAMES.index("term:growth.nsclc")] = 8.0
        linear = Linearised(MEANS, all_residuals(problem, MEANS), slopes)
        left = {each.trial: each for each in leave_each_out(problem, linear, arms)}
        assert set(left) == {arm.nct for arm in arms}
        return left[PAIR[0].nct or ""].courses[PAIR[0].row_id][0]

    assert same(predicted(80.0, 70.0), predicted(20.0, 70.0))
    assert not same(predicted(80.0, 70.0), predicted(80.0, 5.0))


@pytest.mark.xdist_group("calibration")
def test_what_only_the_left_out_trial_told_returns_to_its_prior() -> None:
    other = ARMS["profile_1001-ros1-crizotinib"]
    arms = (_silent(PAIR[0], orr_pct=80.0), _silent(other, orr_pct=70.0))
    problem = pose(arms, patients=20, seed=SEED)
    slopes = np.zeros((2, len(MEANS)))
    slopes[0, PLANTED] = 3.0
    fitted = MEANS.copy()
    fitted[PLANTED] += 1.5 * SDS[PLANTED]
    linear = Linearised(fitted, np.zeros(2), slopes)
    (left, _) = leave_each_out(problem, linear, arms)
    (expected,) = run_arms(
        some_arms(problem.prepared, [0]), assemble(MEANS), seed=SEED, weeks=HORIZON_WEEKS
    )  # fmt: skip
    assert same(left.courses[PAIR[0].row_id][0], expected)


@pytest.mark.xdist_group("calibration")
def test_a_round_lowers_the_objective_and_knows_where_it_ended() -> None:
    """Two arms that lasted far longer than the priors have it: growth must slow."""
    blank = pose(PAIR, patients=60, seed=SEED)
    courses = simulate_all(blank, MEANS)
    told = [_silent(arm, pfs_median_mo=2.5 * _months(courses[arm.row_id])) for arm in PAIR]
    problem = pose(told, patients=60, seed=SEED)
    start = objective(all_residuals(problem, MEANS), MEANS)
    (reached,) = descend(problem, MEANS, first=20, rounds=1)
    assert reached.objective < 0.7 * start
    assert np.array_equal(reached.linear.at, reached.free)
    assert np.array_equal(reached.linear.residuals, all_residuals(problem, reached.free))
    assert reached.free[PLANTED] < MEANS[PLANTED]


def test_corrected_slopes_agree_with_what_a_step_met() -> None:
    slopes = np.zeros((2, len(MEANS)))
    slopes[0, 3] = 1.0 / SDS[3]
    linear = Linearised(MEANS, np.zeros(2), slopes)
    point = MEANS + np.where(np.arange(len(MEANS)) < 5, 0.3 * SDS, 0.0)
    met = np.array([0.7, -0.2])
    after = corrected(linear, point, met)
    assert after.at is point
    assert np.allclose(after.residuals + after.slopes @ (MEANS - point), linear.residuals)
