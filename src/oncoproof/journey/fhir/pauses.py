"""Pauses: a time in which Python does not look for reference cycles, as there are none to be found.

Rules this module guarantees:

- While a document is parsed and read, thousands of objects come to be and all of them are in use: a search
  among them finds nothing and takes a tenth of the time. Counting references frees them as always.
- What the program had chosen holds again afterwards, whatever happens; where it had switched the search off,
  it stays off. A search that is put off is not lost: it comes with the next objects that are made.

    >>> import gc
    >>> with without_cycle_search():
    ...     gc.isenabled()
    False
"""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_cycle_search() -> Generator[None]:
    """Put the search for reference cycles off for as long as this lasts."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
