"""Exogenous noise: what chance brings a patient, fixed once and for all by the seed and the patient's number.

Rules this module guarantees:

- A draw depends on the seed, the patient's number, the channel and its place in it: not on how patients
  are cut into chunks, on what was decided for them, or on which other draws are made. So the same patient
  under another decision meets the same chance.
- Draws are exact to float32; uniform draws lie strictly between 0 and 1.

    >>> key = noise_key(Seed(3))
    >>> both = normals(key, jnp.arange(2), Channel.LATENT, places=1)
    >>> bool(both[0, 1] == normals(key, jnp.arange(1, 2), Channel.LATENT, places=1)[0, 0])
    True
"""

from enum import IntEnum
from typing import TypeAlias

import jax
import jax.numpy as jnp
from jax.extend.random import threefry_2x32
from jaxtyping import Array, Float32, Int, UInt32

from oncoproof.disease.people.covariates import Numbers
from oncoproof.seeds import Seed

NoiseKey: TypeAlias = UInt32[Array, "2"]
"""What a seed is to the generator."""

_PLACES_MAX = 1 << 20
"""Places within a channel; the channel stands in the bits above."""

_MANTISSA = 23


class Channel(IntEnum):
    """What a draw is for; each has its own stream."""

    LATENT = 1
    """What the patient is like: growth, frailty, sensitivity."""
    FATE = 2
    """Thresholds that decide when an event comes."""
    READER = 3
    """Error of a reader of scans."""
    CHOICE = 4
    """Whether a further line is given."""
    HARM = 5
    """Thresholds of adverse events."""
    ASSAY = 6
    """Error and failure of laboratory tests."""
    SENSITIVITY = 7
    """How sensitive the patient is to each group of drugs."""
    RESISTANCE = 8
    """How well resistance to each target is held off."""
    VISIT = 9
    """Whether the patient comes to a visit."""
    LESION = 10
    """Where lesions are, how they differ, and how each is measured."""
    ADVERSE_EVENT = 11
    """Which adverse event it is, how bad, when and for how long."""
    PERFORMANCE = 12
    """How a doctor reads the performance status."""
    QUALITY = 13
    """How patients value their health."""
    LABORATORY = 14
    """What a patient's blood is like, and the error of its measurement."""
    BLOOD_DNA = 15
    """How much DNA a tumour sheds, and which molecules are drawn."""
    CAUSE = 16
    """Of what a patient died."""
    MECHANISM = 17
    """Which mechanism of resistance is favoured."""


def noise_key(seed: Seed) -> NoiseKey:
    """The key of a seed."""
    bits = seed.bits()
    return jnp.array([bits & 0xFFFFFFFF, (bits >> 32) & 0xFFFFFFFF], dtype=jnp.uint32)


def uniforms(
    key: NoiseKey, patients: Int[Numbers, " n"], channel: Channel, *, places: int, first: int | Array = 0
) -> Float32[Array, "places n"]:
    """Uniform draws, a row for each place.

    Args:
        key: Of the seed.
        patients: Their numbers in the population.
        channel: What the draws are for.
        places: How many for each patient.
        first: Number of the first place, even; one for all, or one for each patient.
    """
    pairs = -(-places // 2)
    numbers = jnp.broadcast_to(patients.astype(jnp.uint32), (pairs, len(patients)))
    start = jnp.asarray(first).astype(jnp.uint32) // 2
    spots = jnp.arange(pairs, dtype=jnp.uint32)[:, None] + start
    spots = jnp.broadcast_to(spots + jnp.uint32(channel * _PLACES_MAX), numbers.shape)
    bits = jnp.array(threefry_2x32(key, jnp.concatenate([numbers.ravel(), spots.ravel()])))
    drawn = bits.reshape(2, pairs, len(patients)).swapaxes(0, 1).reshape(2 * pairs, len(patients))
    return _unit(drawn[:places])


def normals(
    key: NoiseKey, patients: Int[Numbers, " n"], channel: Channel, *, places: int, first: int | Array = 0
) -> Float32[Array, "places n"]:
    """Standard normal draws; arguments as in `uniforms`, of whose draws they are the quantiles."""
    drawn = uniforms(key, patients, channel, places=places, first=first)
    return jnp.sqrt(jnp.float32(2.0)) * jax.lax.erf_inv(2.0 * drawn - 1.0)


def _unit(bits: UInt32[Array, "places n"]) -> Float32[Array, "places n"]:
    """Bits as numbers in the middle of 2²³ equal cells of the unit interval."""
    cells = (bits >> jnp.uint32(32 - _MANTISSA)).astype(jnp.float32)
    return (cells + 0.5) * jnp.float32(2.0**-_MANTISSA)
