"""Where randomness comes from: one root seed, and a named stream for each use.

A stream depends on the root and on its path of names alone: not on the order in which streams are
taken, on the machine, or on how work is cut into chunks. So a run replays from its seed, and a new
use of randomness never shifts an old one.

    >>> Seed(7).child("cohort", 3) == Seed(7).child("cohort").child(3)
    True
    >>> int(Seed(7).child("cohort").generator().integers(100))
    3
"""

import hashlib
from dataclasses import dataclass

import numpy as np

from oncoproof.errors import InputError

_ROOT_BITS = 64


@dataclass(frozen=True, slots=True)
class Seed:
    """A place in the tree of random streams."""

    root: int
    """The number a person chose; 0 to 2⁶⁴ − 1."""

    path: tuple[str, ...] = ()
    """The names on the way here; empty at the root."""

    def __post_init__(self) -> None:
        if not 0 <= self.root < 1 << _ROOT_BITS:
            raise InputError(
                where="seed",
                came=str(self.root),
                expected=f"a whole number from 0 to 2^{_ROOT_BITS} - 1",
                remedy="choose another seed",
            )

    def child(self, *names: str | int) -> "Seed":
        """The stream under these names."""
        return Seed(self.root, (*self.path, *map(str, names)))

    def bits(self) -> int:
        """256 bits that belong to this place alone."""
        digest = hashlib.sha256(self.root.to_bytes(_ROOT_BITS // 8, "big"))
        for name in self.path:
            encoded = name.encode()
            digest.update(len(encoded).to_bytes(4, "big") + encoded)
        return int.from_bytes(digest.digest(), "big")

    def generator(self) -> np.random.Generator:
        """A NumPy generator started here; each call starts the same stream anew."""
        return np.random.Generator(np.random.Philox(key=self.bits() & ((1 << 128) - 1)))
