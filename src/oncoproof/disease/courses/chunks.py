"""Many patients in chunks that fit the cache, on every core, the same whatever the cut.

Rules this module guarantees:

- Every chunk has one shape: the last is filled up with copies of the last patient, which are dropped again.
  So a computation is compiled once, and how the patients are cut changes no result.

    >>> in_chunks(lambda rows: (np.arange(10)[rows] * 2,), 10, chunk=4)[0].tolist()
    [0, 2, 4, 6, 8, 10, 12, 14, 16, 18]
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeAlias

import numpy as np
from jaxtyping import Array
from numpy.typing import NDArray

CHUNK = 1024
"""Patients simulated together: their state stays in the cache."""

Rows: TypeAlias = slice | NDArray[np.intp]
"""Which patients a chunk holds."""


def in_chunks(
    run: Callable[[Rows], Sequence[Array | np.ndarray]], patients: int, chunk: int = CHUNK
) -> list[np.ndarray]:
    """Run chunk after chunk, as many at once as there are cores, and join the columns that each gives.

    Args:
        run: What to do with a chunk; patients stand in the last axis of each column it gives.
        patients: How many there are.
        chunk: How many stand in a chunk.
    """

    def one(start: int) -> list[np.ndarray]:
        kept = min(chunk, patients - start)
        return [np.asarray(column)[..., :kept] for column in run(_rows(start, chunk, patients))]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = list(pool.map(one, range(0, patients, chunk)))
    return [np.concatenate(columns, axis=-1) for columns in zip(*parts, strict=True)]


def _rows(start: int, chunk: int, patients: int) -> Rows:
    if start + chunk <= patients:
        return slice(start, start + chunk)
    return np.minimum(np.arange(start, start + chunk, dtype=np.intp), patients - 1)
