"""Quantities: a number with a UCUM unit.

>>> Quantity(80.0, "mg")
Quantity(value=80.0, unit='mg', comparator='')
"""

import math
from dataclasses import dataclass

from oncoproof.errors import UnitError

COMPARATORS = ("", "<", "<=", ">", ">=")
"""How a value may be bounded rather than stated; empty = stated."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with a UCUM unit."""

    value: float
    """The number, in `unit`."""
    unit: str
    """UCUM code, for instance `mg/dL`, `10*9/L`, `1`."""
    comparator: str = ""
    """`<`, `<=`, `>`, `>=` where only a bound is known; empty = the value itself."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.value):
            raise UnitError(
                where=f"quantity in {self.unit!r}",
                came=str(self.value),
                expected="a finite number",
                remedy="leave the quantity out where it is not known",
            )
        if self.comparator not in COMPARATORS:
            raise UnitError(
                where="quantity",
                came=f"comparator {self.comparator!r}",
                expected="one of < <= > >= or none",
                remedy="write a bound with one of these",
            )
