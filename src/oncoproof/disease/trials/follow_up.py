"""How long a trial looks: patients enter one after the other, and the data are cut when enough has happened.

Rules this module guarantees:

- Entry is spread evenly over the accrual; the cut comes when a share of all patients have had the event, as
  in event-driven trials, and never before everybody was followed for a year.
- Nothing that a trial reported decides the cut.

    >>> cut = cut_weeks(np.array([[10.0, 20.0, 400.0]]), np.zeros((1, 3)))
    >>> bool(cut[0] == ACCRUAL_WEEKS + YEAR_WEEKS)
    True
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float

from oncoproof.disease.trials.survival import FollowUp

ACCRUAL_WEEKS = 78.0
"""Over which patients enter."""

YEAR_WEEKS = 52.2
"""Shortest follow-up of a patient who has no event."""

EVENT_SHARE = 0.7
"""Share of patients with the event at which the data are cut."""

_GOLDEN = 0.6180339887498949


PROGRESSION, DEATH = ("progression_weeks", "progressed"), ("death_weeks", "died")
"""Fields that tell when an event came and whether."""


class Times(NamedTuple):
    """When an event came to the patients of an arm; samples in rows."""

    weeks: Float[np.ndarray, "batch n"]
    """Until the event, or the last look."""
    happened: Bool[np.ndarray, "batch n"]
    """Whether it came."""
    entered_weeks: Float[np.ndarray, "batch n"]
    """When the patient entered the trial."""


def entry_weeks(patients: int) -> Float[np.ndarray, " n"]:
    """When each patient enters: evenly spread, whatever part of the patients is looked at."""
    return ACCRUAL_WEEKS * ((np.arange(patients) + 0.5) * _GOLDEN % 1.0)


def cut_weeks(
    event_weeks: Float[np.ndarray, "batch n"], entered_weeks: Float[np.ndarray, "batch n"]
) -> Float[np.ndarray, " batch"]:
    """When the data of each sample are cut, in weeks from the first entry.

    Args:
        event_weeks: For each patient of the trial the time from entry to the event; infinite = never.
        entered_weeks: When each entered.
    """
    reached = np.quantile(event_weeks + entered_weeks, EVENT_SHARE, axis=-1, method="lower")
    return np.maximum(reached, ACCRUAL_WEEKS + YEAR_WEEKS)


def until_cut(arms: Sequence[Times]) -> list[FollowUp]:
    """The arms of one trial, followed until its data are cut."""
    ends = [np.where(arm.happened, arm.weeks, np.inf) for arm in arms]
    entered = [arm.entered_weeks for arm in arms]
    cut = cut_weeks(np.concatenate(ends, axis=1), np.concatenate(entered, axis=1))[:, None]
    return [
        FollowUp(
            np.minimum(arm.weeks, cut - arm.entered_weeks),
            arm.happened & (end <= cut - arm.entered_weeks),
        )
        for arm, end in zip(arms, ends, strict=True)
    ]
