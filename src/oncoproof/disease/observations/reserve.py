"""How much a patient has left: the weeks until the hazard uses it up, at its present pace.

Rules this module guarantees:

- A patient dies of the disease or of age when the accumulated hazard reaches a threshold that chance set: the
  threshold is their reserve. What is left of it, at the present pace, is a time.
- The decline that doctors see begins half a year before that time is up and steepens; a better treatment
  slows the pace and with it the decline.

    >>> [round(float(steps), 2) for steps in decline(np.array([60.0, 13.0, 1.0]))]
    [0.0, 0.69, 3.26]
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32

from oncoproof.disease.courses.chunks import Rows, in_chunks
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.noise import NoiseKey
from oncoproof.disease.courses.traits import draw_traits
from oncoproof.disease.numbers.parameters import Parameters
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.people.covariates import Covariates, Numbers

_CHUNK = 4096

_SLOWEST = 1e-12
"""Hazard below which time left is not told apart; weeks after death have none."""


class Reserve(NamedTuple):
    """Truth, by week."""

    weeks_left: Float32[Numbers, "weeks n"]
    """Weeks until the reserve is used up, at the present pace."""
    background_share: Float32[Numbers, "weeks n"]
    """The background's share of the weekly hazard of death."""


@compiled()
def _reserve(
    key: NoiseKey,
    patients: Covariates,
    parameters: Parameters,
    pace: Float32[Array, "weeks n"],
) -> Reserve:
    # None of these depends on how many lines or scans there are; what is not used is not computed.
    traits = draw_traits(key, patients, parameters, lines=1, weeks=1)
    left = jnp.maximum(traits.death_threshold - jnp.cumsum(pace, axis=0), 0.0)
    return Reserve(
        left / jnp.maximum(pace, _SLOWEST), background_share(background=traits.background, whole=pace)
    )


def background_share(*, background: Numbers, whole: Numbers) -> Numbers:
    """The background's share of the hazard of death.

    Args:
        background: Weekly hazard of people of that age and sex.
        whole: Weekly hazard of the patient, which holds it.
    """
    return jnp.clip(jnp.asarray(background) / jnp.maximum(jnp.asarray(whole), 1e-12), 0.0, 1.0)


def reserve_of(walked: Walked, parameters: Parameters) -> Reserve:
    """What patients have left.

    Args:
        walked: The courses.
        parameters: Numbers of the model with which they were walked.
    """

    def one(rows: Rows) -> Reserve:
        chosen = Covariates(*(column[rows] for column in walked.patients))
        return _reserve(walked.key, chosen, parameters, walked.weeks.hazard[:, rows])

    return Reserve(*in_chunks(one, walked.shape[1], _CHUNK))


def decline(weeks_left: Numbers) -> Numbers:
    """How far the end has come into sight: 0 until half a year before, 1 for each factor e that is gone."""
    horizon = np.float32(number_of("decline_weeks"))
    return np.log(horizon / np.clip(weeks_left, np.float32(1.0), horizon))
