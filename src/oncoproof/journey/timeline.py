"""The timeline: where the events of a journey stand in time, among their kind, and by when they became known.

Rules this module guarantees:

- An event is given its places when somebody first asks for any, together with all that came since: a
  journey that is read from a file and handed on pays for no order that nobody asked for.
- Spread over the additions, a place costs O(log n), in whatever order events come.

    >>> from oncoproof.journey.contents import Performance, Scale
    >>> from oncoproof.journey.events import Source
    >>> timeline = Timeline()
    >>> for day in (21, 0):
    ...     timeline.add(Event(id=f"e{day}", day=day, recorded=day, source=Source.CLINICAL,
    ...                        content=Performance(scale=Scale.ECOG, score=1)))
    >>> list(timeline.order()), timeline.of_kind(Kind.PERFORMANCE).latest(by=9)
    (['e0', 'e21'], 'e0')
"""

from oncoproof.journey.events import Event, Kind
from oncoproof.journey.order import Order, Place


class Timeline:
    """The places of events."""

    __slots__ = ("_by_kind", "_known", "_new", "_order", "_places")

    def __init__(self) -> None:
        """No events."""
        self._new: list[Event] = []
        self._places: dict[str, Place] = {}
        self._order = Order()
        self._known = Order()
        self._by_kind = {kind: Order() for kind in Kind}

    def add(self, event: Event) -> None:
        """Take an event in, after all that were added before it."""
        self._new.append(event)

    def place(self, event_id: str) -> Place:
        """Where an event stands in the order of time."""
        self._settle()
        return self._places[event_id]

    def order(self) -> Order:
        """All events, by day."""
        self._settle()
        return self._order

    def known(self) -> Order:
        """The events that were ever recorded, by the day on which they were."""
        self._settle()
        return self._known

    def of_kind(self, kind: Kind) -> Order:
        """The events of a kind, by day."""
        self._settle()
        return self._by_kind[kind]

    def _settle(self) -> None:
        """Give places to the events that have none."""
        if not self._new:
            return
        for number, event in enumerate(self._new, start=len(self._places)):
            place = Place(event.day, number, event.id)
            self._places[event.id] = place
            self._order.add(place)
            self._by_kind[event.kind].add(place)
            if event.recorded is not None:
                is_at_once = event.recorded == event.day
                self._known.add(place if is_at_once else Place(event.recorded, number, event.id))
        self._new.clear()
