"""How heavily adverse events weigh on a patient in each week: full at the onset, less as they recover.

Rules this module guarantees:

- An event is fully active in the week of its onset and fades in a straight line until it has recovered;
  it is never active after death.
- The burden is the sum over active events of a weight by grade; 1 is one event of grade 3 at its height.

    >>> activity = active_weeks(np.array([0]), np.array([1]), np.array([2]), np.array([2.0]), patients=1)
    >>> activity.cell.tolist(), activity.share.tolist()
    ([1, 2], [1.0, 0.5])
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float32, Int
from numpy.typing import NDArray

from oncoproof.disease.observations.adverse_events import AdverseEvents
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.knowledge.medicines import OrganSystem


class Activity(NamedTuple):
    """Weeks in which an event is active; one week of one event a place."""

    cell: NDArray[np.int64]
    """Week × patients + patient."""
    share: NDArray[np.float32]
    """How active: 1 at the onset, 0 when it has recovered."""
    event: NDArray[np.int64]
    """Place of the event."""


def active_weeks(
    patient: Int[np.ndarray, " events"],
    week: Int[np.ndarray, " events"],
    duration_weeks: Int[np.ndarray, " events"],
    recovery_weeks: NDArray[np.floating],
    *,
    patients: int,
) -> Activity:
    """The weeks in which each event is active.

    Args:
        patient: Place of the patient.
        week: Week of onset.
        duration_weeks: For how many weeks it is seen.
        recovery_weeks: In how many weeks it fades; events that last are cut off before.
        patients: How many there are.
    """
    event = np.repeat(np.arange(len(patient)), duration_weeks)
    starts = np.cumsum(duration_weeks) - duration_weeks
    since = np.arange(len(event)) - starts[event]
    share = 1.0 - since / np.ceil(np.maximum(recovery_weeks, 1.0))[event]
    cell = (week[event] + since) * np.int64(patients) + patient[event]
    return Activity(cell, share.astype(np.float32), event)


def activity_of(events: AdverseEvents, *, patients: int) -> Activity:
    """The weeks in which adverse events are active."""
    return active_weeks(
        events.patient, events.week, events.duration_weeks, events.recovery_weeks, patients=patients
    )


def weights_by_grade() -> NDArray[np.float64]:
    """The burden of an event at its height, by grade."""
    return np.array([0.0, *(number_of(f"burden_grade{grade}") for grade in range(1, 6))])


def toxicity_burden(
    events: AdverseEvents, activity: Activity, *, shape: tuple[int, int], system: OrganSystem | None = None
) -> Float32[np.ndarray, "weeks n"]:
    """The burden in each week.

    Args:
        events: Adverse events.
        activity: When they are active.
        shape: Weeks and patients.
        system: The organ system to look at; None = all together.
    """
    weight = weights_by_grade()[events.grade]
    if system is not None:
        weight = np.where(events.system == list(OrganSystem).index(system), weight, 0.0)
    return summed(activity, weight, shape)


def summed(activity: Activity, weight: NDArray[np.floating], shape: tuple[int, int]) -> NDArray[np.float32]:
    """The sum over active events of a weight of theirs, by week and patient."""
    chosen = np.flatnonzero(weight[activity.event]) if np.count_nonzero(weight) < len(weight) else slice(None)
    cell = activity.cell[chosen]
    height = weight[activity.event[chosen]] * activity.share[chosen]
    whole = np.bincount(cell, weights=height, minlength=shape[0] * shape[1])
    return whole.astype(np.float32).reshape(shape)
