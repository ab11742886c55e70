"""Three-valued truth, for many subjects at once (Kleene): yes, no, and not known.

Rules this module guarantees:

- No row is both true and false; one that is neither is not known.
- `and` is false as soon as one side is false, `or` true as soon as one is true, whatever is unknown.

    >>> yes, unknown = Truth.of(np.array([True])), Truth.of(np.array([True]), np.array([False]))
    >>> (yes & unknown).known.tolist(), (yes | unknown).true.tolist()
    ([False], [True])
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Truth:
    """What is so and what is not, row by row."""

    true: NDArray[np.bool_]
    """Where it is so."""
    false: NDArray[np.bool_]
    """Where it is not so."""

    @classmethod
    def of(cls, value: NDArray[np.bool_], known: NDArray[np.bool_] | None = None) -> "Truth":
        """A truth from values and where they are known; None = known everywhere."""
        if known is None:
            return cls(value, ~value)
        return cls(value & known, ~value & known)

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where it is settled either way."""
        return self.true | self.false

    def __and__(self, other: "Truth") -> "Truth":
        return Truth(self.true & other.true, self.false | other.false)

    def __or__(self, other: "Truth") -> "Truth":
        return Truth(self.true | other.true, self.false & other.false)

    def __invert__(self) -> "Truth":
        return Truth(self.false, self.true)
