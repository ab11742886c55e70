"""The fitted numbers: what calibration found, how sure it is, and where that came from.

Rules this module guarantees:

- The file names every number, its prior, its value and its standard deviation; a free number that the file
  does not name is at its prior.
- Draws come from the normal approximation that calibration wrote beside it, the same for a seed.
"""

from dataclasses import dataclass, field
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from oncoproof.disease.numbers.parameters import free_names, prior_means, prior_sds
from oncoproof.seeds import Seed

_FILE = "data/fitted.npz"


@dataclass(frozen=True, slots=True)
class Fit:
    """Values of the free numbers and their uncertainty."""

    values: NDArray[np.float64]
    """In the order of `free_names()`."""
    root: NDArray[np.float64] = field(repr=False)
    """A square root of their covariance: values + root @ standard normals is a draw."""

    def draws(self, count: int, *, seed: Seed) -> list[NDArray[np.float64]]:
        """Draws of the numbers."""
        normal = seed.generator().standard_normal((count, self.root.shape[1]))
        return list(self.values + normal @ self.root.T)


@cache
def load_fit() -> Fit:
    """The fitted numbers that ship; where there are none, the prior."""
    place = resources.files("oncoproof.disease").joinpath(_FILE)
    values, root = prior_means(), np.diag(prior_sds())
    if not place.is_file():
        return Fit(values, root)
    with place.open("rb") as stream, np.load(stream) as stored:
        at = {name: number for number, name in enumerate(stored["names"].tolist())}
        known = [(here, at[name]) for here, name in enumerate(free_names()) if name in at]
        here, there = (list(column) for column in zip(*known, strict=True))
        values[here] = stored["values"][there]
        spread = np.zeros((len(values), stored["root"].shape[1]))
        spread[here] = stored["root"][there]
    return Fit(values, spread)
