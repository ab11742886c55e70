"""How long a trial looks: closed forms."""

import numpy as np
import pytest

from oncoproof.disease.trials.follow_up import (
    ACCRUAL_WEEKS,
    EVENT_SHARE,
    YEAR_WEEKS,
    cut_weeks,
    entry_weeks,
)


def test_patients_enter_evenly_whatever_part_is_looked_at() -> None:
    entered = entry_weeks(1_000)
    assert entered.min() >= 0
    assert entered.max() <= ACCRUAL_WEEKS
    for part in (entered, entered[:200], entered[500:700]):
        counts, _ = np.histogram(part, bins=10, range=(0, ACCRUAL_WEEKS))
        assert counts == pytest.approx(np.full(10, len(part) / 10), abs=0.03 * len(part))
    assert np.array_equal(entry_weeks(50), entered[:50])


def test_the_cut_comes_when_enough_has_happened() -> None:
    events = np.arange(200.0, 300.0)[None]
    cut = cut_weeks(events, np.zeros((1, 100)))
    assert (events <= cut[:, None]).mean() == pytest.approx(EVENT_SHARE, abs=0.011)


def test_nobody_is_followed_for_less_than_a_year() -> None:
    cut = cut_weeks(np.ones((1, 10)), np.zeros((1, 10)))
    assert cut.tolist() == [ACCRUAL_WEEKS + YEAR_WEEKS]


def test_the_cut_of_an_event_that_hardly_comes_is_never() -> None:
    events = np.full((1, 10), np.inf)
    events[0, :3] = 100.0
    assert np.isinf(cut_weeks(events, np.zeros((1, 10)))).all()
