"""Whole courses of many patients: in chunks that fit the cache, on every core, the same whatever the cut.

Rules this module guarantees:

- A patient's course depends on the seed, their number, their features and their plan: not on who else is
  simulated, nor on how the work is cut.
- Memory grows with what is asked for, not with the weeks that were walked to find it.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32, UInt32

from oncoproof.disease.courses.course import State, Week, init, step
from oncoproof.disease.courses.endpoints import Endpoints, Marked, measure
from oncoproof.disease.courses.line_effects import line_effects
from oncoproof.disease.courses.noise import NoiseKey
from oncoproof.disease.courses.traits import Covariates, Traits, draw_traits
from oncoproof.disease.numbers.parameters import Parameters
from oncoproof.disease.plans.designs import LineDesigns

CHUNK = 1024
"""Patients simulated together: their state stays in the cache."""


class Weeks(NamedTuple):
    """Every week of every patient; fields as in `Week`."""

    code: UInt32[np.ndarray, "weeks n"]
    read_mm: Float32[np.ndarray, "weeks n"]
    extent: Float32[np.ndarray, "weeks n"]
    brain: Float32[np.ndarray, "weeks n"]


class Cohort(NamedTuple):
    """Patients and what is planned for each."""

    patients: Covariates
    """What the model is told of them."""
    designs: LineDesigns
    """Their lines."""


Kept = TypeVar("Kept", bound=tuple[Array, ...])
Found = TypeVar("Found", bound=tuple[Array, ...])


def _walk(
    key: NoiseKey, cohort: Cohort, parameters: Parameters, weeks: int, keep: Callable[[Week], Kept]
) -> tuple[Traits, Kept]:
    """Walk every week and keep some of what each shows."""
    lines = cohort.designs.given.shape[0]
    traits = draw_traits(key, cohort.patients, parameters, lines=lines, weeks=weeks)
    effects = line_effects(cohort.designs, traits, parameters)
    known = jnp.full_like(cohort.patients.number, lines)

    def one_week(state: State, _: None) -> tuple[State, Kept]:
        moved, week = step(state, traits, effects, parameters.constants, lines_known=known)
        return moved, keep(week)

    return traits, jax.lax.scan(one_week, init(traits), length=weeks)[1]


@partial(jax.jit, static_argnames=("weeks",))
def _endpoints(key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int) -> Endpoints:
    traits, shown = _walk(key, cohort, parameters, weeks, lambda week: Marked(week.code, week.read_mm))
    return measure(shown, traits, parameters.constants)


@partial(jax.jit, static_argnames=("weeks",))
def _weeks(key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int) -> Week:
    return _walk(key, cohort, parameters, weeks, lambda week: week)[1]


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
    parts = _in_chunks(partial(_endpoints, weeks=weeks), key, cohort, parameters, chunk)
    return Endpoints(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def simulate_weeks(
    key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int, chunk: int = CHUNK
) -> Weeks:
    """Every week of each patient; arguments as in `simulate_endpoints`."""
    parts = _in_chunks(partial(_weeks, weeks=weeks), key, cohort, parameters, chunk)
    return Weeks(*(np.concatenate(columns, axis=1) for columns in zip(*parts, strict=True)))


def _in_chunks(
    run: Callable[[NoiseKey, Cohort, Parameters], Found],
    key: NoiseKey,
    cohort: Cohort,
    parameters: Parameters,
    chunk: int,
) -> list[tuple[np.ndarray, ...]]:
    """Run chunk after chunk, as many at once as there are cores; patients stand in the last axis."""
    patients = len(cohort.patients.number)

    def one(start: int) -> tuple[np.ndarray, ...]:
        done = run(key, _cut(cohort, start, chunk), parameters)
        kept = min(chunk, patients - start)
        return tuple(np.asarray(column)[..., :kept] for column in done)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, range(0, patients, chunk)))


def _cut(cohort: Cohort, start: int, chunk: int) -> Cohort:
    """Some patients, the last repeated until the chunk is full, so that every chunk has one shape."""
    patients = len(cohort.patients.number)
    if start + chunk <= patients:
        rows: slice | np.ndarray = slice(start, start + chunk)
    else:
        rows = np.minimum(np.arange(start, start + chunk), patients - 1)
    return Cohort(
        Covariates(*(np.asarray(column)[rows] for column in cohort.patients)),
        LineDesigns(*(np.asarray(column)[:, rows] for column in cohort.designs)),
    )
