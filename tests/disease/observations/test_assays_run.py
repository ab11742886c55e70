"""Tests that somebody orders: how often they fail, how long they take, what they say."""

from itertools import pairwise

import numpy as np
import pytest

from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.observations.assays_run import Order, log_probability, observed_codes, run_assay
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import load_assays
from oncoproof.seeds import Seed

KEY = noise_key(Seed(20260301))
NUMBERS = np.arange(20_000)
POSITIVE = NUMBERS % 2 == 0


def _order(assay: str = "ctdna_panel", repeat: int = 0) -> Order:
    return Order(assay, "EGFR_T790M", week=np.full(len(NUMBERS), 12), repeat=repeat)


@pytest.mark.parametrize("assay", ["ctdna_panel", "tissue_ngs_panel"])
def test_figures_are_those_of_the_knowledge_base(assay: str) -> None:
    report = run_assay(KEY, NUMBERS, _order(assay), positive=POSITIVE)
    known = load_assays()[assay]
    accuracy = known.accuracy["EGFR_T790M"]
    there = ~report.failed
    # Four standard errors of a share among some 9,000 are below 0.02.
    assert report.failed.mean() == pytest.approx(known.failure.value, abs=0.01)
    assert report.positive[there & POSITIVE].mean() == pytest.approx(accuracy.sensitivity.value, abs=0.02)
    assert report.positive[there & ~POSITIVE].mean() == pytest.approx(
        1 - accuracy.specificity.value, abs=0.01
    )
    assert np.median(report.turnaround_days) == pytest.approx(known.turnaround.value, rel=0.02)
    assert not report.positive[report.failed].any()
    assert (report.week * 7 >= 12 * 7 + report.turnaround_days).all()


def test_a_repeat_is_another_specimen_and_the_same_order_the_same() -> None:
    reports = [run_assay(KEY, NUMBERS, _order(repeat=repeat), positive=POSITIVE) for repeat in (0, 0, 1)]
    first, again, repeated = (report.failed for report in reports)
    assert np.array_equal(first, again)
    assert (first & repeated).mean() < 0.01


def test_sensitivity_of_each_specimen_counts_where_it_is_given() -> None:
    report = run_assay(
        KEY, NUMBERS, _order(), positive=POSITIVE, sensitivity=np.where(NUMBERS < 10_000, 0.0, 1.0)
    )
    there = POSITIVE & ~report.failed
    assert not report.positive[there & (NUMBERS < 10_000)].any()
    assert report.positive[there & (NUMBERS >= 10_000)].all()


def test_codes_tell_failure_value_and_mistake_apart() -> None:
    truth = np.where(POSITIVE, 2, 0)
    report = run_assay(KEY, NUMBERS, _order(), positive=POSITIVE)
    codes = observed_codes(report, truth, without=0, mistaken=1)
    assert set(codes[report.failed].tolist()) == {-1}
    assert set(codes[report.positive & POSITIVE].tolist()) == {2}
    assert set(codes[report.positive & ~POSITIVE].tolist()) == {1}


def test_density_prefers_the_truth() -> None:
    order = _order()
    report = run_assay(KEY, NUMBERS, order, positive=POSITIVE)
    right = float(log_probability(report, order, positive=POSITIVE).mean())
    wrong = float(log_probability(report, order, positive=~POSITIVE).mean())
    assert right > wrong + 1


@pytest.mark.parametrize(
    "order",
    [
        Order("no_such_assay", "EGFR_T790M", week=np.zeros(1, np.int32)),
        Order("ihc_mmr", "EGFR_T790M", week=np.zeros(1, np.int32)),
        Order("ctdna_panel", "EGFR_T790M", week=np.zeros(1, np.int32), repeat=8),
    ],
)
def test_orders_that_cannot_be_are_refused(order: Order) -> None:
    with pytest.raises(InputError):
        run_assay(KEY, np.zeros(1, np.int32), order, positive=np.array([True]))


def test_names_of_assays_do_not_share_chance() -> None:
    reports = [
        run_assay(KEY, NUMBERS, _order(assay), positive=POSITIVE).turnaround_days
        for assay in ("ctdna_panel", "tissue_ngs_panel")
    ]
    for one, other in pairwise(reports):
        assert abs(np.corrcoef(np.log(one), np.log(other))[0, 1]) < 0.04
