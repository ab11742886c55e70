"""The order of time: where each event stands, kept sorted while events come in any order.

Rules this module guarantees:

- Places compare by day, then by the number in the order of adding; no two are equal.
- Adding a place and finding one cost O(log n), with the constant of `sortedcontainers`: nothing asks for
  a place by its position, for which that library would count all places again after each addition.
- Places are sorted when somebody looks, all new ones together: a journey that is read from a file and
  handed on pays for no order that nobody asked for. Spread over the additions it stays O(log n).

    >>> order = Order()
    >>> for number, day in enumerate([5, 0, 5]):
    ...     order.add(Place(day, number, f"e{number}"))
    >>> list(order), order.latest(by=4)
    (['e1', 'e0', 'e2'], 'e1')
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from sortedcontainers import SortedList

_BEFORE_ALL = -1
_AFTER_ALL = 1 << 62


class Place(NamedTuple):
    """Where an event stands in an order."""

    day: int
    """The day that it is ordered by: that of the event, or that on which it became known."""
    number: int
    """Its number in the order of adding."""
    event: str
    """Its id."""


class Order:
    """Ids of events, in order of time."""

    __slots__ = ("_new", "_places")

    def __init__(self) -> None:
        """No events."""
        # The library is not typed: what it holds is stated here, once.
        self._places: Any = cast("Any", SortedList)()
        self._new: list[Place] = []

    def add(self, place: Place) -> None:
        """Put an event in its place; it is found when somebody asks, so that many are sorted at once."""
        self._new.append(place)

    def _sorted(self) -> Any:  # noqa: ANN401  # the library is not typed
        """All places, in order."""
        if self._new:
            if len(self._new) == 1:
                self._places.add(self._new[0])
            else:
                self._places.update(self._new)
            self._new.clear()
        return self._places

    def __len__(self) -> int:
        return len(self._places) + len(self._new)

    def __iter__(self) -> Iterator[str]:
        return (place.event for place in self._sorted())

    def first(self) -> str | None:
        """The first event; None = there is none."""
        places = self._sorted()
        return places[0].event if places else None

    def latest(self, *, by: int | None = None) -> str | None:
        """The last event of day `by` or before; None = there is none.

        Args:
            by: Last day to look at; None = the end.
        """
        last = None if by is None else (by, _AFTER_ALL, "")
        backwards = self._sorted().irange(maximum=last, reverse=True)
        return next((place.event for place in backwards), None)

    def until(self, last: int) -> Iterator[str]:
        """The events of day `last` and before."""
        return (place.event for place in self._sorted().irange(maximum=(last, _AFTER_ALL, "")))

    def between(self, first: int, last: int) -> Iterator[str]:
        """The events of day `first` to day `last`, both included."""
        return (
            place.event for place in self._sorted().irange((first, _BEFORE_ALL, ""), (last, _AFTER_ALL, ""))
        )
