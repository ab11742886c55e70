"""Tracks: chains of like events through a journey, derived from the order of time.

Rules this module guarantees:

- Every event but the last has an edge to the next event (track `""`), and to the next event of its own
  track where there is one. So a journey of n events has fewer than 2n temporal edges.
- A track is a kind; laboratory values, symptoms and adverse events have one track for each code.

    >>> from oncoproof.journey.contents import Performance, Scale
    >>> from oncoproof.journey.events import Source
    >>> scores = [Event(id=f"e{day}", day=day, recorded=day, source=Source.CLINICAL,
    ...                 content=Performance(scale=Scale.ECOG, score=1)) for day in (0, 21)]
    >>> [(edge.before, edge.after, edge.track) for edge in temporal_edges(scores)]
    [('e0', 'e21', ''), ('e0', 'e21', 'performance')]
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from oncoproof.journey.events import Event, Kind

_BY_CODE = frozenset({Kind.LAB, Kind.SYMPTOM, Kind.ADVERSE_EVENT})


@dataclass(frozen=True, slots=True, kw_only=True)
class TemporalEdge:
    """One event is followed by another."""

    before: str
    """Id of the earlier event."""
    after: str
    """Id of the later event."""
    track: str
    """The track on which they are neighbours; empty = the journey as a whole."""


def track_of(event: Event) -> str:
    """The track that an event belongs to: its kind, with its first code where the kind has many."""
    if event.kind in _BY_CODE and event.codes:
        code = event.codes[0]
        return f"{event.kind} {code.system}|{code.code}"
    return event.kind.value


def temporal_edges(events: Iterable[Event]) -> Iterator[TemporalEdge]:
    """Each event to the next one, and to the next one of its track.

    Args:
        events: Events in order of time.
    """
    last: dict[str, str] = {}
    for event in events:
        for track in ("", track_of(event)):
            if track in last:
                yield TemporalEdge(before=last[track], after=event.id, track=track)
            last[track] = event.id
