"""Performance status over time: what a doctor reads at a visit, as an ECOG step from 0 to 4.

Rules this module guarantees:

- The first visit reads the status on record; later ones read a drift from it, with an error, rounded.
- The drift rises with the tumour, in body and brain, with the burden of adverse events, and as the end of
  life comes into sight; a shrinking tumour gives back a limited part.

    >>> float(drift(1.0, 2.0, brain_size=0.0, burden=0.0, declined=0.0).round(2))
    0.9
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Float, Float32, Int8
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.observations.chance import Rows, normal_rows
from oncoproof.disease.observations.likelihoods import rounded_normal
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.reserve import Reserve, decline
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.people.covariates import Numbers

_WORST = 4


class PerformanceReadings(NamedTuple):
    """Readings of performance status; one visit a place."""

    expected: Float32[np.ndarray, " visits"]
    """Truth: the status as a number between the steps."""
    ecog: Int8[np.ndarray, " visits"]
    """The step as read."""


def drift(
    size_before: Numbers, size: Numbers, *, brain_size: Numbers, burden: Numbers, declined: Numbers
) -> Numbers:
    """Steps by which the status is worse than at the start.

    Args:
        size_before: Cube root of the tumour's extent at the start.
        size: The same now.
        brain_size: Cube root of the extent in the brain.
        burden: Of adverse events.
        declined: How far the end of life has come into sight.
    """
    tumour = number_of("ecog_tumour") * (size - size_before)
    relief = -number_of("ecog_relief_max")
    return (
        np.maximum(tumour, relief)
        + number_of("ecog_brain") * brain_size
        + number_of("ecog_toxicity") * burden
        + number_of("ecog_decline") * declined
    )


def read_performance(
    walked: Walked, burden: Float32[np.ndarray, "weeks n"], reserve: Reserve
) -> PerformanceReadings:
    """What is read at each visit.

    Args:
        walked: The courses.
        burden: Of adverse events, by week.
        reserve: What patients have left.
    """
    week, patient = walked.visits.week, walked.visits.patient
    brain = np.cbrt(walked.weeks.brain[week, patient]) - np.cbrt(walked.weeks.brain[0, patient])
    steps = drift(
        walked.size[0, patient],
        walked.size[week, patient],
        brain_size=np.maximum(brain, 0.0),
        burden=burden[week, patient],
        declined=decline(np.asarray(reserve.weeks_left)[week, patient])
        - decline(reserve.weeks_left[0])[patient],
    )
    baseline = walked.patients.ecog[patient]
    expected = np.clip(baseline + steps, 0.0, float(_WORST)).astype(np.float32)
    rows = Rows(walked.numbers[patient], 2 * week)
    error = normal_rows(walked.key, rows, Channel.PERFORMANCE, places=1)[0]
    read = _rounded(expected + number_of("ecog_reader_error") * error)
    return PerformanceReadings(expected, np.where(week == 0, _rounded(baseline), read))


def _rounded(status: NDArray[np.floating]) -> Int8[np.ndarray, " visits"]:
    return np.clip(np.floor(status + 0.5), 0, _WORST).astype(np.int8)


def log_probability(ecog: Numbers, *, expected: Numbers) -> Float[Array, " visits"]:
    """Log probability of readings after the first visit, given the status that was so."""
    return rounded_normal(ecog, mean=expected, sd=number_of("ecog_reader_error"), low=0, high=_WORST)
