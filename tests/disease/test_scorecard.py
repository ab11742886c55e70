"""The scorecard: each criterion at its edges, and what is asked of whom."""

from dataclasses import replace

import pytest

from oncoproof.disease.trials.arm_results import FIGURES, ArmResults, Estimate
from oncoproof.disease.trials.scorecard import STANDARDS, Criterion, Outcome, Score, judge
from oncoproof.knowledge.trials import TrialArm, load_trials

NOTHING = Estimate(None, None, None)
ARM = replace(
    next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib"),
    orr_pct=80.0,
    pfs_median_mo=20.0,
    pfs_ci_low=19.0,
    pfs_ci_high=28.0,
    pfs_hr=0.46,
    pfs_hr_low=0.37,
    pfs_hr_high=0.57,
    os_median_mo=40.0,
    os_ci_low=None,
    os_ci_high=None,
    os_hr=0.8,
    os_hr_low=0.64,
    os_hr_high=1.0,
    grade3plus_ae_pct=34.0,
)


def _results(arm: TrialArm = ARM, /, **figures: float) -> ArmResults:
    estimates = {name: Estimate(value, value, value) for name, value in figures.items()}
    return ArmResults(row_id=arm.row_id, n=100, **dict.fromkeys(FIGURES, NOTHING) | estimates)


def _outcome(criterion: Criterion, arm: TrialArm = ARM, /, **figures: float) -> Outcome | None:
    verdict = judge([arm], [_results(arm, **figures)]).verdict(arm.row_id, criterion)
    return None if verdict is None else verdict.outcome


@pytest.mark.parametrize(
    ("median", "hit"),
    # inside the interval; within 15 % below it (17 to 23); outside both; not reached though published
    [(19.0, True), (28.0, True), (17.1, True), (16.9, False), (28.1, False), (None, False)],
)
def test_median_hits_inside_the_interval_or_near_the_median(median: float | None, hit: bool) -> None:  # noqa: FBT001  a case of a table
    figures = {} if median is None else {"pfs_median_mo": median}
    assert _outcome(Criterion.PFS_MEDIAN, **figures) is (Outcome.HIT if hit else Outcome.MISS)


def test_median_without_an_interval_hits_within_15_per_cent_on_both_sides() -> None:
    outcomes = [_outcome(Criterion.OS_MEDIAN, os_median_mo=value) for value in (33.9, 34.1, 45.9, 46.1)]
    assert outcomes == [Outcome.MISS, Outcome.HIT, Outcome.HIT, Outcome.MISS]


def test_an_interval_that_is_open_above_holds_every_later_median() -> None:
    arm = replace(ARM, pfs_ci_high=None)
    assert _outcome(Criterion.PFS_MEDIAN, arm, pfs_median_mo=90.0) is Outcome.HIT
    assert _outcome(Criterion.PFS_MEDIAN, arm) is Outcome.HIT
    assert _outcome(Criterion.PFS_MEDIAN, arm, pfs_median_mo=15.0) is Outcome.MISS


def test_a_median_published_as_not_reached() -> None:
    arm = replace(ARM, pfs_median_mo=None, pfs_not_reached=True, pfs_ci_low=64.3, pfs_ci_high=None)
    assert _outcome(Criterion.PFS_MEDIAN, arm) is Outcome.HIT
    assert _outcome(Criterion.PFS_MEDIAN, arm, pfs_median_mo=70.0) is Outcome.HIT
    assert _outcome(Criterion.PFS_MEDIAN, arm, pfs_median_mo=60.0) is Outcome.MISS
    bare = replace(arm, pfs_ci_low=None)
    assert _outcome(Criterion.PFS_MEDIAN, bare, pfs_median_mo=70.0) is Outcome.MISS


@pytest.mark.parametrize(
    ("criterion", "figure", "near", "far"),
    [
        (Criterion.ORR, "orr_pct", (74.0, 86.0), (73.9, 86.1)),
        (Criterion.GRADE3PLUS, "grade3plus_ae_pct", (24.0, 44.0), (23.9, 44.1)),
        (Criterion.PFS_HR, "pfs_hr", (0.37, 0.57), (0.36, 0.58)),
        (Criterion.OS_HR, "os_hr", (0.64, 1.0), (0.63, 1.01)),
        (Criterion.PFS_HR_SIGN, "pfs_hr", (0.1, 0.99), (1.0, 1.5)),
    ],
)
def test_figures_at_the_edge(
    criterion: Criterion, figure: str, near: tuple[float, float], far: tuple[float, float]
) -> None:
    assert [_outcome(criterion, **{figure: value}) for value in near] == [Outcome.HIT] * 2
    assert [_outcome(criterion, **{figure: value}) for value in far] == [Outcome.MISS] * 2


def test_the_sign_of_harm_is_asked_too() -> None:
    worse = replace(ARM, pfs_hr=1.6, pfs_hr_low=1.2, pfs_hr_high=2.1)
    assert _outcome(Criterion.PFS_HR_SIGN, worse, pfs_hr=1.1) is Outcome.HIT
    assert _outcome(Criterion.PFS_HR_SIGN, worse, pfs_hr=0.9) is Outcome.MISS


def test_the_sign_is_not_asked_where_the_interval_holds_one() -> None:
    assert _outcome(Criterion.OS_HR_SIGN, os_hr=1.4) is None


def test_what_was_not_published_is_not_asked() -> None:
    silent = replace(ARM, orr_pct=None, os_median_mo=None, os_not_reached=None)
    assert _outcome(Criterion.ORR, silent, orr_pct=50.0) is None
    assert _outcome(Criterion.OS_MEDIAN, silent, os_median_mo=50.0) is None


def test_what_was_not_simulated_is_neither_hit_nor_miss() -> None:
    score = judge([ARM], []).score(Criterion.ORR)
    assert (score.hits, score.total, len(score.not_judged)) == (0, 0, 1)
    assert score.share is None
    assert score.is_reached is None
    assert _outcome(Criterion.PFS_HR) is Outcome.NOT_JUDGED


def test_a_goal_is_reached_at_its_share() -> None:
    arms = [replace(ARM, row_id=f"a-b-{number}") for number in range(10)]
    for far_off, reached in ((1, True), (2, False)):
        results = [_results(arm, orr_pct=20.0 if n < far_off else 80.0) for n, arm in enumerate(arms)]
        score = judge(arms, results).score(Criterion.ORR)
        assert (score.hits, score.total, score.is_reached) == (10 - far_off, 10, reached)
        assert [miss.row_id for miss in score.misses] == [arm.row_id for arm in arms[:far_off]]


def test_a_figure_without_a_goal_is_reported_only() -> None:
    score: Score = judge([ARM], [_results(os_hr=0.8)]).score(Criterion.OS_HR)
    assert (score.hits, score.is_reached) == (1, None)


def test_every_criterion_has_its_standard_and_its_score() -> None:
    assert set(STANDARDS) == set(Criterion)
    assert [score.criterion for score in judge([], []).scores] == list(STANDARDS)


def test_the_published_figures_judged_by_themselves_all_hit() -> None:
    arms = load_trials()
    results = [
        _results(arm, **{name: value for name in FIGURES if (value := getattr(arm, name)) is not None})
        for arm in arms
    ]
    card = judge(arms, results)
    assert not [miss for score in card.scores for miss in score.misses]
    assert all(score.total > 40 for score in card.scores)
