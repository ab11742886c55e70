"""Whole courses of many patients: in chunks that fit the cache, on every core, the same whatever the cut.

Rules this module guarantees:

- A patient's course depends on the seed, their number, their features and their plan: not on who else is
  simulated, nor on how the work is cut.
- Memory grows with what is asked for, not with the weeks that were walked to find it.

    >>> cohort = Cohort(Covariates(*np.zeros((6, 3))), LineDesigns(*np.zeros((9, 4, 3))))
    >>> len(chosen(cohort, slice(0, 2)).patients.number)
    2
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32, UInt32

from oncoproof.disease.courses.chunks import CHUNK, Rows, in_chunks
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.course import step
from oncoproof.disease.courses.endpoints import Endpoints, Marked, measure
from oncoproof.disease.courses.line_effects import LineEffects, line_effects
from oncoproof.disease.courses.noise import NoiseKey
from oncoproof.disease.courses.state import State, Week, init
from oncoproof.disease.courses.traits import Traits, draw_traits
from oncoproof.disease.numbers.parameters import Constants, Parameters
from oncoproof.disease.people.covariates import Covariates, Numbers
from oncoproof.disease.plans.designs import LineDesigns


class Weeks(NamedTuple):
    """Every week of every patient."""

    code: UInt32[Numbers, "weeks n"]
    """Bits of `Mark`, the line and the clone that prevails."""
    read_mm: Float32[Numbers, "weeks n"]
    """The scan's sum of diameters; 0 = no scan."""
    extent: Float32[Numbers, "weeks n"]
    """Truth: the tumour as a multiple of manifest disease."""
    brain: Float32[Numbers, "weeks n"]
    """Truth: the tumour in the brain."""
    dose: Float32[Numbers, "weeks n"]
    """Dose as a share of the planned one, after the week."""
    hazard: Float32[Numbers, "weeks n"]
    """Truth: weekly hazard of death."""


class Cohort(NamedTuple):
    """Patients and what is planned for each."""

    patients: Covariates
    """What the model is told of them."""
    designs: LineDesigns
    """Their lines."""


Kept = TypeVar("Kept", bound=tuple[Array, ...])


# Each of the three is compiled on its own: within one, the compiler would compute parts of the traits and of
# the effects anew in every week, since it takes that for cheaper than keeping them.
_traits = compiled("lines", "weeks")(draw_traits)
_effects = compiled()(line_effects)


class _Told(NamedTuple):
    """What decides the courses of a chunk of patients."""

    traits: Traits
    effects: LineEffects
    constants: Constants


def _told(key: NoiseKey, cohort: Cohort, parameters: Parameters, weeks: int) -> _Told:
    lines = cohort.designs.given.shape[0]
    traits = _traits(key, cohort.patients, parameters, lines=lines, weeks=weeks)
    return _Told(traits, _effects(cohort.designs, traits, parameters), parameters.constants)


def _walk(told: _Told, weeks: int, keep: Callable[[Week], Kept]) -> Kept:
    """Walk every week and keep some of what each shows."""
    lines, patients = told.effects.given.shape
    known = jnp.full(patients, lines)

    def one_week(state: State, _: None) -> tuple[State, Kept]:
        moved, week = step(state, told.traits, told.effects, told.constants, lines_known=known)
        return moved, keep(week)

    return jax.lax.scan(one_week, init(told.traits), length=weeks)[1]


@compiled("weeks")
def _endpoints(told: _Told, *, weeks: int) -> Endpoints:
    return measure(_walk(told, weeks, lambda week: Marked(week.code, week.read_mm)))


@compiled("weeks")
def _weeks(told: _Told, *, weeks: int) -> Week:
    return _walk(told, weeks, lambda week: week)


def simulate_endpoints(
    key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int, chunk: int = CHUNK
) -> Endpoints:
    """What a trial of the first line would measure of each patient.

    Args:
        key: Of the seed.
        cohort: Patients and their lines.
        parameters: Numbers of the model.
        weeks: How long each is followed.
        chunk: Patients simulated together; it changes no result.
    """

    def one(rows: Rows) -> Endpoints:
        return _endpoints(_told(key, chosen(cohort, rows), parameters, weeks), weeks=weeks)

    return Endpoints(*in_chunks(one, len(cohort.patients.number), chunk))


def simulate_weeks(
    key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int, chunk: int = CHUNK
) -> Weeks:
    """Every week of each patient; arguments as in `simulate_endpoints`."""

    def one(rows: Rows) -> Week:
        return _weeks(_told(key, chosen(cohort, rows), parameters, weeks), weeks=weeks)

    return Weeks(*in_chunks(one, len(cohort.patients.number), chunk))


def chosen(cohort: Cohort, rows: Rows) -> Cohort:
    """Some of the patients."""
    return Cohort(
        Covariates(*(np.asarray(column)[rows] for column in cohort.patients)),
        LineDesigns(*(np.asarray(column)[:, rows] for column in cohort.designs)),
    )
