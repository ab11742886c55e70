"""Draws for rows that each name a patient and a place: as many as there are events, visits or lesions.

Rules this module guarantees:

- A draw is that of `noise.uniforms` for the row's patient, channel and place: who else is drawn for changes
  nothing.
- Rows are drawn in blocks of one size, so that a computation is compiled once, however many rows there are.

    >>> from oncoproof.disease.courses.noise import noise_key
    >>> from oncoproof.seeds import Seed
    >>> rows = Rows(np.array([4, 9]), np.array([0, 6]))
    >>> both = uniform_rows(noise_key(Seed(3)), rows, Channel.LESION, places=2)
    >>> second = Rows(rows.patient[1:], rows.first[1:])
    >>> alone = uniform_rows(noise_key(Seed(3)), second, Channel.LESION, places=2)
    >>> bool((both[:, 1] == alone[:, 0]).all())
    True
"""

from typing import NamedTuple, cast

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float32, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.noise import Channel, NoiseKey, normals, uniforms

_BLOCK = 1 << 14


class Rows(NamedTuple):
    """What draws belong to."""

    patient: NDArray[np.integer]
    """Number of the patient in the population."""
    first: NDArray[np.integer]
    """First place in the channel, even."""


@compiled("places", "normal")
def _block(
    key: NoiseKey,
    patient: Int32[Array, " rows"],
    first: Int32[Array, " rows"],
    channel: Int32[Array, ""],
    *,
    places: int,
    normal: bool,
) -> Float32[Array, "places rows"]:
    draw = normals if normal else uniforms
    # The channel is a number of the computation, so that all channels share what is compiled.
    return draw(key, patient, cast("Channel", channel), places=places, first=first)


def uniform_rows(
    key: NoiseKey, rows: Rows, channel: Channel, *, places: int
) -> Float32[np.ndarray, "places rows"]:
    """Uniform draws, strictly between 0 and 1.

    Args:
        key: Of the seed.
        rows: Whom and what the draws are for.
        channel: What the draws are for.
        places: How many for each row; the rows' places must lie this far apart.
    """
    return _drawn(key, rows, channel, places, normal=False)


def normal_rows(
    key: NoiseKey, rows: Rows, channel: Channel, *, places: int
) -> Float32[np.ndarray, "places rows"]:
    """Standard normal draws; arguments as in `uniform_rows`."""
    return _drawn(key, rows, channel, places, normal=True)


def _drawn(
    key: NoiseKey, rows: Rows, channel: Channel, places: int, *, normal: bool
) -> Float32[np.ndarray, "places rows"]:
    count = len(rows.patient)
    blocks = -(-count // _BLOCK)
    padded = np.zeros((2, blocks * _BLOCK), np.int32)
    padded[0, :count], padded[1, :count] = rows.patient, rows.first
    drawn = np.empty((places, count), np.float32)
    # A few sizes are compiled; places beyond those asked for are drawn and dropped.
    compiled_places = max(2, 1 << (places - 1).bit_length())
    stream = jnp.asarray(int(channel), jnp.int32)
    for start in range(0, count, _BLOCK):
        who, first = jnp.asarray(padded[:, start : start + _BLOCK])
        block = _block(key, who, first, stream, places=compiled_places, normal=normal)
        drawn[:, start : start + _BLOCK] = np.asarray(block)[:places, : count - start]
    return drawn


_EXACT_BELOW = 30.0
_STEPS = 90


def poisson_quantiles(
    uniform: NDArray[np.floating], normal: NDArray[np.floating], mean: NDArray[np.floating]
) -> NDArray[np.int64]:
    """Counts with a Poisson law: exact below a mean of 30, otherwise after Cornish and Fisher.

    Args:
        uniform: Draws strictly between 0 and 1, one for each count.
        normal: The standard normal quantiles of the same draws.
        mean: Of each count.
    """
    counts = np.zeros(len(uniform), np.int64)
    few = np.flatnonzero(mean < _EXACT_BELOW)
    chance, expected = uniform[few].astype(np.float64), np.asarray(mean[few], np.float64)
    term = np.exp(-expected)
    below = term.copy()
    for step in range(1, _STEPS):
        open_ = np.flatnonzero(chance > below)
        if not open_.size:
            break
        few, chance, expected = few[open_], chance[open_], expected[open_]
        term = term[open_] * expected / step
        below = below[open_] + term
        counts[few] = step
    many = np.flatnonzero(mean >= _EXACT_BELOW)
    z = normal[many].astype(np.float64)
    level = np.asarray(mean[many], np.float64)
    counts[many] = np.maximum(np.floor(level + np.sqrt(level) * z + (z**2 - 1) / 6 + 0.5), 0).astype(np.int64)
    return counts
