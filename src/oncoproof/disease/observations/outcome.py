"""How each course ends: remission, death of the cancer, of a drug, of another cause, or the horizon.

Rules this module guarantees:

- Every course has one end. Death of a drug is that of the walk; other deaths are put down to another cause
  with the background's share of the hazard in the week of death, by the patient's own noise.
- Who lives at the end is in remission where a complete response holds.

    >>> End(4).name
    'DEATH_OF_OTHER_CAUSE'
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Float, Float32, Int8, Int16

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.observations.chance import Rows, uniform_rows
from oncoproof.disease.observations.likelihoods import bernoulli
from oncoproof.disease.observations.reserve import Reserve
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.disease.people.covariates import Numbers

_COMPLETE = 2


class End(IntEnum):
    """How a course ends."""

    HORIZON = 0
    """The patient lives, with the disease."""
    REMISSION = 1
    """The patient lives, and a complete response holds."""
    DEATH_OF_DISEASE = 2
    """The cancer killed."""
    DEATH_OF_HARM = 3
    """An adverse event of the treatment killed."""
    DEATH_OF_OTHER_CAUSE = 4
    """The patient died of what people of that age and sex die of."""


class Outcomes(NamedTuple):
    """One patient a place."""

    end: Int8[np.ndarray, " n"]
    """Number in `End`."""
    week: Int16[np.ndarray, " n"]
    """Last week of the patient's."""
    background_share: Float32[np.ndarray, " n"]
    """Truth: the background's share of the hazard of death in that week."""


def find_outcomes(walked: Walked, reserve: Reserve) -> Outcomes:
    """How each course ended.

    Args:
        walked: The courses.
        reserve: What patients have left.
    """
    timeline = walked.timeline
    patients = np.arange(walked.shape[1])
    last = np.maximum(timeline.lived.sum(axis=0) - 1, 0)
    share = np.asarray(reserve.background_share)[last, patients]
    rows = Rows(walked.numbers, np.zeros_like(walked.numbers))
    other = uniform_rows(walked.key, rows, Channel.CAUSE, places=1)[0] < share
    at_end = walked.weeks.code[last, patients]
    died = marked(at_end, Mark.DIED)
    well = (timeline.response[last, patients] == _COMPLETE) & ~timeline.progressed[last, patients]
    end = np.select(
        [marked(at_end, Mark.DIED_OF_HARM), died & other, died, well],
        [End.DEATH_OF_HARM, End.DEATH_OF_OTHER_CAUSE, End.DEATH_OF_DISEASE, End.REMISSION],
        End.HORIZON,
    )
    return Outcomes(end.astype(np.int8), last.astype(np.int16), share)


def log_probability(of_other_cause: Numbers, *, share: Numbers) -> Float[Array, "..."]:
    """Log probability that a death no drug caused was of another cause than the cancer, or was not.

    Args:
        of_other_cause: Whether it was.
        share: The background's share of the hazard.
    """
    return bernoulli(of_other_cause, share=share)
