"""Mutation: documents changed at random, to see what becomes of them.

Rules this module guarantees:

- A change puts a value where it does not belong, takes one out, doubles or renames one, or copies one from
  elsewhere in the document. A change whose place an earlier one took away does nothing.

    >>> document = {"id": "p", "sex": "female"}
    >>> Change(("sex",), "rename", "gender").apply(document)
    >>> document
    {'id': 'p', 'gender': 'female'}
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

from hypothesis import strategies as st

Way: TypeAlias = tuple[str | int, ...]
"""The steps that lead to a value in a document."""

KINDS = ("put", "take out", "double", "rename", "copy")
"""What a change does."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a document."""

    way: Way
    """Where."""
    kind: str
    """What is done: one of `KINDS`."""
    stray: Any = None
    """The value to put there, or the name to give it."""
    other: Way = ()
    """Where the value to copy stands."""

    def apply(self, document: Any) -> None:
        """Change a document where it still has the place."""
        held, last = _at(document, self.way[:-1]), self.way[-1]
        try:
            if self.kind == "put":
                held[last] = copy.deepcopy(self.stray)
            elif self.kind == "take out":
                del held[last]
            elif self.kind == "double":
                held[last] = [held[last], held[last]]
            elif self.kind == "rename":
                held[str(self.stray)] = held.pop(last)
            else:
                held[last] = copy.deepcopy(_at(document, self.other))
        except (LookupError, TypeError, AttributeError):
            return


def _at(document: Any, way: Way) -> Any:
    """The value at a place; None where an earlier change took it away."""
    held = document
    for step in way:
        try:
            held = held[step]
        except (LookupError, TypeError):
            return None
    return held


def ways_in(held: object, way: Way = ()) -> list[Way]:
    """The way to each value in a document, itself left out."""
    steps: list[tuple[str | int, object]] = []
    if isinstance(held, dict):
        steps = list(cast("dict[str | int, object]", held).items())
    elif isinstance(held, list):
        steps = list(enumerate(cast("list[object]", held)))
    found: list[Way] = []
    for step, item in steps:
        found += [(*way, step), *ways_in(item, (*way, step))]
    return found


def changes_of(document: object, strays: Sequence[object]) -> st.SearchStrategy[list[Change]]:
    """Up to four changes of a document.

    Args:
        document: The document, which stays as it is.
        strays: Values to put where they do not belong.
    """
    ways = st.sampled_from(ways_in(document))
    change = st.builds(Change, ways, st.sampled_from(KINDS), st.sampled_from(strays), ways)
    return st.lists(change, min_size=1, max_size=4)


def values_like(document: object, strays: Sequence[object]) -> st.SearchStrategy[object]:
    """Any JSON, often with the names of a document's elements."""
    names = st.sampled_from(sorted({str(way[-1]) for way in ways_in(document)}))
    return st.recursive(
        st.sampled_from(strays) | st.text(max_size=4) | st.floats(allow_nan=False) | st.integers(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(names | st.text(max_size=4), inner, min_size=1, max_size=4)
        ),
        max_leaves=8,
    )


@st.composite
def spoilt(draw: st.DrawFn, data: bytes) -> bytes:
    """A text with up to three bytes replaced, or one taken out."""
    place, stray = draw(st.integers(0, len(data) - 1)), draw(st.binary(max_size=3))
    return data[:place] + stray + data[place + max(len(stray), 1) :]
