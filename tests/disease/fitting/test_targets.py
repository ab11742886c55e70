"""Published figures as targets, and residuals against courses with closed forms."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, STABLE, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.fitting.targets import Figure, Target, residuals, targets_of
from oncoproof.knowledge.trials import load_trials

ARMS = {arm.row_id: arm for arm in load_trials()}
TREATED = ARMS["flaura-egfr-osimertinib"]
CONTROL = ARMS[TREATED.comparator_row_id or ""]
N = 4_000


def _exponential(median_months: float) -> Endpoints:
    """Progression at the quantiles of an exponential law; a tenth complete, two fifths partial responses."""
    weeks = -np.log(1 - (np.arange(N) + 0.5) / N) * median_months / np.log(2) * WEEKS_PER_MONTH
    kind = np.arange(N) * 0.6180339887 % 1
    course = Endpoints(**dict.fromkeys(Endpoints._fields, np.zeros(N, np.bool_)))
    return course._replace(
        progression_weeks=weeks.astype(np.float32), progressed=np.ones(N, np.bool_),
        death_weeks=(2 * weeks).astype(np.float32), died=np.ones(N, np.bool_),
        response=np.select([kind < 0.1, kind < 0.5], [COMPLETE, PARTIAL], STABLE).astype(np.int8),
        response_weeks=np.zeros(N, np.float32),
        harmed_by_drug=kind < 0.2, harmed=kind < 0.6,
    )  # fmt: skip


def _target(figure: Figure, value: float, **changed: Any) -> Target:
    plain = Target(
        TREATED.row_id, TREATED.trial, "nsclc", figure, value, 1.0, None, at_least=False, drugs_only=False
    )
    return replace(plain, **changed)


def _residual(target: Target, months: float = 12.0, other: float = 12.0) -> float:
    courses = {TREATED.row_id: _exponential(months), CONTROL.row_id: _exponential(other)}
    return float(residuals([target], courses)[0])


@pytest.mark.parametrize(
    ("figure", "value"),
    [
        (Figure.PFS_MEDIAN, 12.0), (Figure.OS_MEDIAN, 24.0), (Figure.DURATION, 12.0), (Figure.PFS_YEAR, 50.0),
        (Figure.RESPONSE, 50.0), (Figure.COMPLETE, 10.0), (Figure.SEVERE, 60.0),
    ],
)  # fmt: skip
def test_a_figure_that_is_hit_has_no_residual(figure: Figure, value: float) -> None:
    assert _residual(_target(figure, value)) == pytest.approx(0, abs=0.1)


def test_severe_events_count_as_the_publication_counted_them() -> None:
    assert _residual(_target(Figure.SEVERE, 20.0, drugs_only=True)) == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("figure", [Figure.PFS_MEDIAN, Figure.OS_MEDIAN, Figure.PFS_YEAR, Figure.DURATION])
def test_more_than_published_is_above_zero(figure: Figure) -> None:
    value = {Figure.OS_MEDIAN: 24.0, Figure.PFS_YEAR: 50.0}.get(figure, 12.0)
    assert _residual(_target(figure, value), 16.0) > 0.1
    assert _residual(_target(figure, value), 8.0) < -0.1


def test_a_residual_of_a_median_is_that_of_its_log() -> None:
    found = _residual(_target(Figure.PFS_MEDIAN, 12.0, scale=0.1), 12.0 * np.exp(0.1))
    assert found == pytest.approx(1.0, rel=0.1)


def test_a_bound_that_is_passed_asks_for_no_more() -> None:
    target = _target(Figure.PFS_MEDIAN, 12.0, at_least=True)
    assert _residual(target, 20.0) == 0.0
    assert _residual(target, 8.0) < 0.0


@pytest.mark.parametrize("ratio", [0.4, 1.0, 1.8])
def test_a_hazard_ratio_is_that_of_the_law(ratio: float) -> None:
    """Quantiles, not draws: the ratio of 4,000 against 4,000 is exact to about two hundredths."""
    target = _target(Figure.PFS_RATIO, np.log(ratio), against=CONTROL.row_id)
    assert _residual(target, 10.0 / ratio, 10.0) == pytest.approx(0, abs=0.03)


def test_what_was_published_is_a_target_and_nothing_else() -> None:
    figures = {target.figure: target for target in targets_of([TREATED])}
    assert figures[Figure.PFS_MEDIAN].value == TREATED.pfs_median_mo
    assert figures[Figure.PFS_RATIO].value == pytest.approx(np.log(TREATED.pfs_hr or 0))
    assert figures[Figure.PFS_RATIO].against == CONTROL.row_id
    assert Figure.PFS_RATIO not in {target.figure for target in targets_of([CONTROL])}
    bare = replace(TREATED, orr_pct=None)
    assert Figure.RESPONSE not in {target.figure for target in targets_of([bare])}


def test_every_target_of_the_table_has_a_scale_and_is_compared_within_its_trial() -> None:
    for target in targets_of(tuple(ARMS.values())):
        assert target.scale > 0
        assert np.isfinite(target.value)
        if target.against is not None:
            assert ARMS[target.against].trial == target.trial


def test_a_ratio_that_is_not_finite_is_as_far_out_as_ratios_are_looked_at() -> None:
    """Nobody dies on one side: by no means a hit."""
    spared = _exponential(12.0)._replace(
        died=np.zeros(N, np.bool_), death_weeks=np.full(N, 500.0, np.float32)
    )
    target = _target(Figure.OS_RATIO, 0.0, against=CONTROL.row_id)
    treated = {TREATED.row_id: spared, CONTROL.row_id: _exponential(12.0)}
    (better,) = residuals([target], treated)
    (worse,) = residuals([target], {TREATED.row_id: _exponential(12.0), CONTROL.row_id: spared})
    assert better == pytest.approx(np.log(0.02))
    assert worse == pytest.approx(-np.log(0.02))
