"""What drugs do to patients besides: severe events, and what usually follows from them.

Rules this module guarantees:

- An event comes when the accumulated hazard reaches a threshold that chance set beforehand; a patient meets
  the same thresholds under any treatment.
- What follows is a hold, a lower dose where the drug allows it, the end of the drug, or death.

    >>> Harm._fields
    ('severe', 'stops', 'fatal', 'reduces')
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool

from oncoproof.disease.courses.line_effects import LineEffects
from oncoproof.disease.courses.state import ON, State
from oncoproof.disease.courses.traits import HARMS_MAX, Traits
from oncoproof.disease.numbers.parameters import Constants


class Harm(NamedTuple):
    """What drugs did to patients in a week."""

    severe: Bool[Array, " n"]
    """An event of grade 3 or more."""
    stops: Bool[Array, " n"]
    """The treatment is stopped for it."""
    fatal: Bool[Array, " n"]
    """It kills."""
    reduces: Bool[Array, " n"]
    """The dose is reduced for it."""


def suffer(state: State, traits: Traits, now: LineEffects, constants: Constants) -> tuple[State, Harm]:
    """Severe events of the drugs, and what usually follows: a hold, a lower dose, their end, death."""
    on = jnp.where((state.phase == ON) & (state.hold <= 0), 1.0 - state.stopped, 0.0)
    limited = jnp.where(state.line_week < now.limited_weeks, now.harm_limited, 0.0)
    rate = (now.harm + limited) * on * jnp.square(state.dose)
    hazard = state.harm_hazard + rate * (constants.harm_lasting + (1 - constants.harm_lasting) * state.front)
    place = jnp.minimum(state.harms, HARMS_MAX - 1)[None]
    threshold = jnp.take_along_axis(traits.harm_thresholds, place, axis=0)[0]
    fate = jnp.take_along_axis(traits.harm_fates, place, axis=0)[0]
    severe = (hazard >= threshold) & (state.harms < HARMS_MAX)
    fatal = severe & (fate < now.fatal_share)
    stops = severe & ~fatal & (fate < now.fatal_share + now.stop_share)
    reduces = severe & ~fatal & ~stops & (now.reducible > 0)
    lower = 1 - (1 - constants.dose_step) * now.reducible
    return state._replace(
        harm_hazard=hazard,
        harms=state.harms + severe,
        hold=jnp.where(severe, constants.hold_weeks, jnp.maximum(state.hold - 1, 0.0)),
        dose=jnp.where(reduces, state.dose * lower, state.dose),
        stopped=jnp.where(stops, 1.0, state.stopped),
        front=state.front * jnp.exp(-1 / constants.harm_fall_weeks),
    ), Harm(severe, stops, fatal, reduces)
