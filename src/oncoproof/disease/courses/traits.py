"""What the model knows of each patient: traits that decide the course, drawn once from the noise.

Rules this module guarantees:

- A trait is a differentiable function of the parameters and of exogenous noise that no decision touches.

    >>> young, old = background_hazard(jnp.array([60.0, 80.0]), jnp.array([True, True])).tolist()
    >>> round(old / young, 2)
    6.05
"""

from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jax.scipy.stats import norm
from jaxtyping import Array, Bool, Float32, Int32

from oncoproof.disease.courses.noise import Channel, NoiseKey, normals, uniforms
from oncoproof.disease.numbers.effects import sensitivity_groups, targets
from oncoproof.disease.numbers.parameters import Parameters
from oncoproof.disease.numbers.terms import PERSONAL, Quantity, personal_terms
from oncoproof.disease.people.covariates import Covariates, Numbers

CLONES = 4
"""Drug-sensitive; resistant on the target; by bypass; transformed or hidden from immunity."""

HARMS_MAX = 8
"""Severe events that a course keeps thresholds for."""

_FEWEST_WEEKS_BETWEEN_SCANS = 6


class Traits(NamedTuple):
    """What decides a patient's course; one patient a place."""

    growth: Float32[Numbers, " n"]
    """Weekly growth rate of a small tumour."""
    hazard: Float32[Numbers, " n"]
    """Weekly hazard of death at manifest disease."""
    background: Float32[Numbers, " n"]
    """Weekly hazard of death of people of that age and sex."""
    seeding: Float32[Numbers, " n"]
    """New lesions to be expected while manifest disease grows by a factor e."""
    extent: Float32[Numbers, " n"]
    """Tumour at the start as a multiple of manifest disease."""
    size_mm: Float32[Numbers, " n"]
    """Sum of diameters that manifest disease has."""
    brain: Float32[Numbers, " n"]
    """Tumour in the brain at the start as a multiple of manifest disease."""
    harm: Float32[Numbers, " n"]
    """Factor on every rate of severe harm."""
    sensitivity: Float32[Numbers, "groups n"]
    """Standard normal sensitivity to each group of drugs."""
    resistance: Float32[Numbers, "groups n"]
    """Standard normal strength with which resistance to each target is held off."""
    mechanism: Float32[Numbers, "mechanisms n"]
    """Standard Gumbel: what the log odds of each mechanism of resistance are raised by in this patient."""
    evasion_decades: Float32[Numbers, " n"]
    """Minus log10 of the share of cells that hide from immunity."""
    visit_weeks: Int32[Numbers, " n"]
    """Weeks between scans in the first year."""
    death_threshold: Float32[Numbers, " n"]
    """Accumulated hazard at which the patient dies."""
    seeding_threshold: Float32[Numbers, "lines n"]
    """Accumulated hazard, within each line, at which a new lesion comes."""
    harm_thresholds: Float32[Numbers, "harms n"]
    """Accumulated hazards at which severe events come."""
    harm_fates: Float32[Numbers, "harms n"]
    """Uniform draw that decides what follows from each severe event."""
    illness_threshold: Float32[Numbers, " n"]
    """Accumulated hazard at which a severe event comes that no drug causes."""
    reads: Float32[Numbers, "reads n"]
    """Standard normal error of each scan's reading."""


class Latents(NamedTuple):
    """What chance makes of patients before anything happens: standard normal, independent of one another."""

    person: Float32[Numbers, "places n"]
    """Growth, frailty, size, general sensitivity, harm, new lesions, brain, evasion of immunity."""
    sensitivity: Float32[Numbers, "groups n"]
    """Sensitivity to each group of drugs, beyond the general one."""
    resistance: Float32[Numbers, "targets n"]
    """How strongly resistance to each target is held off."""
    mechanism: Float32[Numbers, "mechanisms n"]
    """Which mechanism of resistance is favoured: on the target, bypass, transformation."""


def draw_latents(key: NoiseKey, number: Int32[Numbers, " n"]) -> Latents:
    """The latents of patients, by their numbers in the population."""
    return Latents(
        person=normals(key, number, Channel.LATENT, places=8),
        sensitivity=normals(key, number, Channel.SENSITIVITY, places=len(sensitivity_groups())),
        resistance=normals(key, number, Channel.RESISTANCE, places=len(targets())),
        mechanism=normals(key, number, Channel.MECHANISM, places=CLONES - 1),
    )


def draw_traits(
    key: NoiseKey, patients: Covariates, parameters: Parameters, *, lines: int, weeks: int
) -> Traits:
    """The traits of patients: what chance and their covariates make of them.

    Args:
        key: Of the seed.
        patients: Who they are.
        parameters: Numbers of the model.
        lines: Most lines of treatment that a course may have.
        weeks: Longest course, which decides how many scans there can be.
    """
    who = patients.number
    fates = -jnp.log(uniforms(key, who, Channel.FATE, places=2 + lines))
    harms = -jnp.log(uniforms(key, who, Channel.HARM, places=HARMS_MAX))
    visit = uniforms(key, who, Channel.LATENT, places=2, first=8)[0]
    return traits_of(draw_latents(key, who), patients, parameters)._replace(
        visit_weeks=6 + jnp.floor(3 * visit).astype(jnp.int32),
        death_threshold=fates[0],
        seeding_threshold=fates[2:],
        harm_thresholds=jnp.cumsum(harms, axis=0),
        harm_fates=uniforms(key, who, Channel.HARM, places=HARMS_MAX, first=HARMS_MAX),
        illness_threshold=fates[1],
        reads=normals(key, who, Channel.READER, places=weeks // _FEWEST_WEEKS_BETWEEN_SCANS + 2 * lines),
    )


def traits_of(latents: Latents, patients: Covariates, parameters: Parameters) -> Traits:
    """The traits that follow from latents and covariates; what events and readers bring by chance is zero."""
    constants, person = parameters.constants, latents.person
    sums = {quantity: _personal_sum(patients.terms, parameters, quantity) for quantity in PERSONAL}
    own_frailty = jnp.sqrt(1 - constants.hazard_growth**2)
    frailty = constants.hazard_growth * person[0] + own_frailty * person[1]
    shared, own = jnp.sqrt(constants.shared_sensitivity), jnp.sqrt(1 - constants.shared_sensitivity)
    occult = sums[Quantity.BRAIN] + _SPREAD_BRAIN_DECADES * person[6]
    brain_decades = jnp.where(patients.brain, 1.0 + 0.3 * person[6], occult)
    ecog = _ECOG_HAZARD * (patients.ecog - _ECOG_USUAL)
    extent = jnp.exp(sums[Quantity.EXTENT])
    brain = 10.0 ** -jnp.clip(brain_decades, 0.3, 9.0)
    nothing = jnp.zeros_like(person[0])
    return Traits(
        growth=jnp.exp(sums[Quantity.GROWTH] + constants.spread_growth * person[0]),
        hazard=jnp.exp(sums[Quantity.HAZARD] + constants.spread_frailty * frailty + ecog),
        background=background_hazard(patients.age_years, patients.female),
        seeding=jnp.exp(sums[Quantity.SEEDING] + _SPREAD_SEEDING * person[5]),
        extent=extent,
        size_mm=constants.size_mm * jnp.exp(constants.spread_size * person[2]),
        brain=brain,
        harm=jnp.exp(constants.spread_harm * person[4]),
        sensitivity=shared * person[3] + own * latents.sensitivity,
        resistance=latents.resistance,
        mechanism=_gumbel(latents.mechanism),
        evasion_decades=constants.evasion_decades
        + sums[Quantity.EVASION]
        + constants.spread_evasion * person[7],
        visit_weeks=nothing.astype(jnp.int32),
        death_threshold=nothing,
        seeding_threshold=nothing[None],
        harm_thresholds=nothing[None],
        harm_fates=nothing[None],
        illness_threshold=nothing,
        reads=nothing[None],
    )


def _gumbel(normal: Float32[Array, "mechanisms n"]) -> Float32[Array, "mechanisms n"]:
    """The Gumbel draw at the place of a normal one: by the largest of such, shares become who prevails."""
    uniform = jnp.clip(norm.cdf(normal), 1e-6, 1 - 1e-6)
    return -jnp.log(-jnp.log(uniform))


_SPREAD_SEEDING = 0.5
_SPREAD_BRAIN_DECADES = 1.5
_ECOG_USUAL = 0.6
_ECOG_HAZARD = 0.35
"""Log hazard ratio of death for a step of ECOG (fact sheet: 1.3 to 1.6 from 0 to 1)."""


def _personal_sum(
    holds: Bool[Array, "n terms"], parameters: Parameters, quantity: Quantity
) -> Float32[Array, " n"]:
    chosen = np.array([term.quantity is quantity for term in personal_terms()], np.float32)
    return holds.astype(jnp.float32) @ (parameters.personal * chosen)


def background_hazard(age_years: Float32[Array, " n"], female: Bool[Array, " n"]) -> Float32[Array, " n"]:
    """Weekly hazard of death of the general population: Gompertz, fitted by eye to a life table."""
    yearly = jnp.exp(-10.1 + 0.09 * age_years - 0.4 * female)
    return yearly / 52.18
