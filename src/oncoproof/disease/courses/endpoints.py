"""What a trial measures of each patient, as one array for each thing measured.

Rules this module guarantees:

- Times are weeks from the start of the treatment that the trial gives; an event that did not come by the
  end of the course is marked as such and its time is that of the last look.
- Harm is that of the trial's treatment, not of later lines.

    >>> Endpoints._fields[:2]
    ('progression_weeks', 'progressed')
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float32, Int8, Int32, UInt32

from oncoproof.disease.courses.state import LINE_MASK, LINE_SHIFT, Mark
from oncoproof.disease.people.covariates import Numbers

WEEKS_PER_MONTH = 365.25 / 12 / 7
"""How many weeks a month has."""

STABLE = 1
"""Best response by RECIST 1.1: neither partial nor progression; 0 = progression or not read."""

PARTIAL = 2
"""Best response: partial."""

COMPLETE = 3
"""Best response: complete."""


class Endpoints(NamedTuple):
    """One patient a place."""

    progression_weeks: Float32[Numbers, " n"]
    """When progression was seen or the patient died, else the last look."""
    progressed: Bool[Numbers, " n"]
    """Whether one of them came."""
    death_weeks: Float32[Numbers, " n"]
    """When the patient died, else the end."""
    died: Bool[Numbers, " n"]
    """Whether the patient died."""
    response: Int8[Numbers, " n"]
    """Best response before progression."""
    response_weeks: Float32[Numbers, " n"]
    """When a partial or complete response was first seen; NaN = never."""
    harmed_by_drug: Bool[Numbers, " n"]
    """Whether a drug caused an adverse event of grade 3 or more."""
    harmed: Bool[Numbers, " n"]
    """Whether there was an adverse event of grade 3 or more of any cause."""
    stopped_for_harm: Bool[Numbers, " n"]
    """Whether the treatment was stopped for harm."""
    best_change_pct: Float32[Numbers, " n"]
    """Best change of the sum of diameters against the first scan, per cent; NaN = no later scan."""


class Marked(NamedTuple):
    """What every week showed."""

    code: UInt32[Numbers, "weeks n"]
    """Bits of `Mark`, and the line."""
    read_mm: Float32[Numbers, "weeks n"]
    """The scan's sum of diameters; 0 = no scan."""


class _First(NamedTuple):
    week: Int32[Array, " n"]
    """The first week in which something held; 0 = never, too."""
    ever: Bool[Array, " n"]
    """Whether it ever did."""


def measure(shown: Marked) -> Endpoints:
    """What a trial of the first line measures."""
    code, weeks = shown.code, shown.code.shape[0]
    first_line = ((code >> LINE_SHIFT) & LINE_MASK) == 0
    ended = _first(_has(code, Mark.PROGRESSED | Mark.DIED))
    death = _first(_has(code, Mark.DIED))
    confirmed = _first(_has(code, Mark.PARTIAL | Mark.COMPLETE) & first_line)
    complete = (_has(code, Mark.COMPLETE) & first_line).any(axis=0)
    stable = (_has(code, Mark.SCANNED) & ~_has(code, Mark.PROGRESSED) & first_line)[1:].any(axis=0)
    by_drug = (_has(code, Mark.SEVERE) & first_line).any(axis=0)
    stop = _first(_has(code, Mark.STOPPED) & first_line)
    otherwise = (_has(code, Mark.ILL) & _has(code, Mark.TREATED) & first_line).any(axis=0)
    return Endpoints(
        progression_weeks=jnp.where(ended.ever, ended.week + 1, weeks).astype(jnp.float32),
        progressed=ended.ever,
        death_weeks=jnp.where(death.ever, death.week + 1, weeks).astype(jnp.float32),
        died=death.ever,
        response=jnp.select([complete, confirmed.ever, stable], [COMPLETE, PARTIAL, STABLE], 0).astype(
            jnp.int8
        ),
        response_weeks=jnp.where(confirmed.ever, _scan_before(code, confirmed.week) + 1.0, jnp.nan),
        harmed_by_drug=by_drug,
        harmed=by_drug | otherwise,
        stopped_for_harm=stop.ever,
        best_change_pct=_best_change(shown, first_line, ended),
    )


def _has(code: UInt32[Array, "weeks n"], mark: Mark) -> Bool[Array, "weeks n"]:
    return (code & int(mark)) > 0


def _first(holds: Bool[Array, "weeks n"]) -> _First:
    return _First(jnp.argmax(holds, axis=0).astype(jnp.int32), holds.any(axis=0))


def _scan_before(code: UInt32[Array, "weeks n"], week: Int32[Array, " n"]) -> Float32[Array, " n"]:
    """The last scan before a week: a response is confirmed by a later scan and dates from the one before."""
    numbers = jnp.arange(code.shape[0])[:, None]
    earlier = jax.lax.cummax(jnp.where(_has(code, Mark.SCANNED), numbers, -1), axis=0)
    shifted = jnp.concatenate([jnp.full((1, code.shape[1]), -1), earlier[:-1]])
    return jnp.take_along_axis(shifted, week[None], axis=0)[0].astype(jnp.float32)


def _best_change(shown: Marked, first_line: Bool[Array, "weeks n"], ended: _First) -> Float32[Array, " n"]:
    """Best change of the sum of diameters until progression."""
    numbers = jnp.arange(shown.code.shape[0])[:, None]
    counts = (
        _has(shown.code, Mark.SCANNED) & first_line & ((numbers <= ended.week) | ~ended.ever) & (numbers > 0)
    )
    smallest = jnp.where(counts, shown.read_mm, jnp.inf).min(axis=0)
    change = 100 * (smallest / jnp.maximum(shown.read_mm[0], 1e-6) - 1)
    return jnp.where(jnp.isfinite(smallest), change, jnp.nan).astype(jnp.float32)
