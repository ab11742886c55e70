"""What scans show: the sum of diameters as a reader sees it, response and progression by RECIST 1.1.

Rules this module guarantees:

- The first scan of a line sets the base; a response counts when the next scan shows it too.
- Progression is growth of the sum of diameters by a fifth and 5 mm over the smallest so far, a new lesion, or
  a lesion in the brain that is new or has grown.

    >>> shares = (_PARTIAL, _PROGRESSION)  # of the base, and of the smallest reading
    >>> [round(share * 50.0) for share in shares]
    [35, 60]
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float32

from oncoproof.disease.courses.line_effects import of_line
from oncoproof.disease.courses.state import ON, State
from oncoproof.disease.courses.traits import Traits
from oncoproof.disease.courses.tumour import seeding_rate
from oncoproof.disease.numbers.parameters import Constants

BRAIN_VISIBLE = 0.02
"""Extent at which a metastasis in the brain is seen."""

_PARTIAL, _PROGRESSION, _PROGRESSION_MM, _COMPLETE_MM, _MEASURABLE_MM = 0.7, 1.2, 5.0, 5.0, 10.0
"""RECIST 1.1: shares of the sum of diameters and lengths that decide a reading."""

_YEAR_WEEKS = 52
_LATER_VISIT_WEEKS = 4
"""How much longer the time between scans is after a year."""


class Scan(NamedTuple):
    """What a scan showed."""

    read: Bool[Array, " n"]
    """Whether there was one."""
    mm: Float32[Array, " n"]
    """The sum of diameters as read; 0 = no scan."""
    worse: Bool[Array, " n"]
    """Progression."""
    better: Bool[Array, " n"]
    """A response that is better than any before, confirmed."""
    new: Bool[Array, " n"]
    """A new lesion."""
    in_brain: Bool[Array, " n"]
    """A new or growing lesion in the brain."""


def scan(
    state: State,
    traits: Traits,
    constants: Constants,
    started: Bool[Array, " n"],
    *,
    extent_before: Float32[Array, " n"],
) -> tuple[State, Scan]:
    """Read a scan where one is due: the first of a line sets the base, later ones judge."""
    due = (state.phase == ON) & (state.line_week >= state.next_read)
    extent = state.clones.sum(axis=0)
    relative = jnp.exp(jnp.log(extent) / 3)  # `cbrt` goes patient by patient
    seeding = state.seeding_hazard + seeding_rate(extent_before, extent, relative, traits)
    brain_nadir = jnp.minimum(state.brain_nadir, state.brain)
    place = jnp.minimum(state.reads, traits.reads.shape[0] - 1)[None]
    error = jnp.take_along_axis(traits.reads, place, axis=0)[0]
    read_mm = traits.size_mm * relative * jnp.exp(constants.reader_error * error)
    judged = due & ~started
    grew = read_mm - state.nadir_mm
    larger = (
        (read_mm >= _PROGRESSION * state.nadir_mm) & (grew >= _PROGRESSION_MM) & (read_mm >= _MEASURABLE_MM)
    )
    new = judged & (seeding >= of_line(traits.seeding_threshold, state.line))
    in_brain = judged & (state.brain >= BRAIN_VISIBLE) & (state.brain >= _PROGRESSION**3 * brain_nadir)
    worse = (judged & larger) | new | in_brain
    shows = jnp.where(read_mm <= _COMPLETE_MM, 3, jnp.where(read_mm <= _PARTIAL * state.base_mm, 2, 0))
    shows = jnp.where(state.base_mm >= _MEASURABLE_MM, shows, 0)
    confirmed = jnp.minimum(shows, state.shrunk)
    better = judged & ~worse & (confirmed > state.response)
    wait = traits.visit_weeks + jnp.where(state.line_week < _YEAR_WEEKS, 0, _LATER_VISIT_WEEKS)
    nadir = jnp.where(started, read_mm, jnp.minimum(state.nadir_mm, read_mm))
    return state._replace(
        seeding_hazard=seeding,
        brain_nadir=brain_nadir,
        base_mm=jnp.where(due & started, read_mm, state.base_mm),
        nadir_mm=jnp.where(due, nadir, state.nadir_mm),
        shrunk=jnp.where(judged, shows, state.shrunk),
        response=jnp.where(better, confirmed, state.response),
        reads=state.reads + due,
        next_read=jnp.where(due, state.line_week + wait, state.next_read),
    ), Scan(due, jnp.where(due, read_mm, 0.0), worse, better, new, in_brain)
