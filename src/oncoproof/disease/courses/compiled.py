"""Compiling a function for the device without losing its type.

Rules this module guarantees:

- A compiled function takes and gives what it did before, under the same name.

    >>> @compiled()
    ... def double(number: float) -> float:
    ...     return number * 2
    >>> float(double(2.0))
    4.0
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import jax

Given = ParamSpec("Given")
Found = TypeVar("Found")


def compiled(*static: str) -> Callable[[Callable[Given, Found]], Callable[Given, Found]]:
    """Compile a function at its first call; JAX's own decorator forgets what it takes and gives.

    Args:
        static: Arguments whose every value is compiled anew.
    """

    def compile_(function: Callable[Given, Found]) -> Callable[Given, Found]:
        return cast("Callable[Given, Found]", jax.jit(function, static_argnames=static))

    return compile_
