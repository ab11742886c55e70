"""A truth for each of many subjects, kept in one bit: what a report holds for each of its checks.

Rules this module guarantees:

- Packing loses nothing: the mask that comes out is the mask that went in.

    >>> bits = Bits.of(np.array([True, False, True]))
    >>> bits.at(2), bits.at(1), bits.mask().tolist(), bits.count()
    (True, False, [True, False, True], 2)
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Bits:
    """A packed mask."""

    packed: NDArray[np.uint8]
    """Eight subjects in a byte, the first in the highest bit."""
    rows: int
    """How many subjects there are."""

    @classmethod
    def of(cls, mask: NDArray[np.bool_]) -> "Bits":
        """A mask packed."""
        return cls(np.packbits(mask), len(mask))

    @classmethod
    def none(cls, rows: int) -> "Bits":
        """A mask that is true of nobody."""
        return cls(np.zeros((rows + 7) // 8, dtype=np.uint8), rows)

    def mask(self) -> NDArray[np.bool_]:
        """The mask, one truth for each subject."""
        return np.unpackbits(self.packed, count=self.rows).astype(np.bool_)

    def at(self, row: int) -> bool:
        """The truth of one subject."""
        return bool(self.packed[row >> 3] >> (7 - (row & 7)) & 1)

    def count(self) -> int:
        """Of how many subjects it is true."""
        return int(np.bitwise_count(self.packed).sum())
