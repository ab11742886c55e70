"""The journey graph: one patient's events in order of time, and why one came of another.

Rules this module guarantees:

- Events have a total order: by day, and within a day in the order in which they were added. A causal
  link goes forward in that order, so the graph has no cycles by construction.
- Every event and link keeps the rules of `succession`; what breaks one is refused and changes nothing.
- Adding an event costs O(log n + links made), in whatever order events come.
- `visible` tells only what was recorded by a day: no truth, nothing later, no end that is still to come.
  It costs what it tells, and the links into that: truth and later events are never looked at.

    >>> from oncoproof.journey.contents import Diagnosis, Modality, Role, Treatment
    >>> from oncoproof.journey.events import Source
    >>> journey = Journey(Patient(id="p1"), date(2026, 3, 1))
    >>> journey.add(Event(id="e1", day=0, recorded=2, source=Source.CLINICAL,
    ...                   content=Diagnosis(role=Role.PRIMARY)))
    >>> journey.add(Event(id="e2", day=9, recorded=9, end=90, source=Source.CLINICAL,
    ...                   content=Treatment(modality=Modality.DRUG)),
    ...             because=[Because("e1", Reason.GUIDES, recorded=9)])
    >>> [event.id for event in journey.visible(8).events], journey.visible(30).events[1].end
    (['e1'], None)
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING, NoReturn

from oncoproof.errors import JourneyError
from oncoproof.journey.events import KIND_OF, Event, Kind
from oncoproof.journey.links import Because, Link, Reason
from oncoproof.journey.order import Place
from oncoproof.journey.patient import Patient
from oncoproof.journey.records import Record
from oncoproof.journey.succession import LINK_RULES, RULES_BY_KIND, RULES_OF_PARTS, Facts
from oncoproof.journey.timeline import Timeline
from oncoproof.journey.tracks import TemporalEdge, temporal_edges

if TYPE_CHECKING:
    from networkx import MultiDiGraph


class Journey:
    """A patient's events with temporal and causal edges: a directed acyclic graph."""

    __slots__ = (
        "_causes",
        "_effects",
        "_events",
        "_facts",
        "_index",
        "_is_partial",
        "_patient",
        "_rules",
        "_span",
        "_timeline",
    )
    __hash__ = None  # pyright: ignore[reportAssignmentType]  # it changes: no hash, as for a list

    def __init__(self, patient: Patient, index: date, *, is_partial: bool = False) -> None:
        """An empty journey.

        Args:
            patient: Who it is about.
            index: The date of day 0.
            is_partial: Whether it holds only what somebody recorded: then an event may lack what it
                rests on, and the rules that ask for it (`needs_whole`) do not apply.
        """
        self._patient = patient
        self._index = index
        self._is_partial = is_partial
        self._span = ((date.min - index).days, (date.max - index).days)
        self._events: dict[str, Event] = {}
        self._timeline = Timeline()
        self._causes: dict[str, dict[tuple[str, Reason], Link]] = {}
        self._effects: dict[str, list[Link]] = {}
        self._facts = Facts()
        self._rules = RULES_OF_PARTS if is_partial else RULES_BY_KIND

    @property
    def patient(self) -> Patient:
        """Who it is about."""
        return self._patient

    @property
    def index(self) -> date:
        """The date of day 0."""
        return self._index

    @property
    def is_partial(self) -> bool:
        """Whether it holds only what somebody recorded."""
        return self._is_partial

    @classmethod
    def from_record(cls, record: Record) -> "Journey":
        """The partial journey that holds a record and nothing else.

        Raises:
            JourneyError: The record contradicts itself.
        """
        journey = cls(record.patient, record.index, is_partial=True)
        for event in record.events:
            journey.add(event)
        for link in record.links:
            journey.link(link.cause, link.effect, link.reason, recorded=link.recorded)
        return journey

    def add(self, event: Event, *, because: Iterable[Because] = ()) -> None:
        """Add an event, and why it came about; all of it or nothing.

        Raises:
            JourneyError: The event or a link breaks a rule, or the id is taken.
        """
        self._check_event(event)
        links = self._new_links(event, because) if because else {}
        self._events[event.id] = event
        self._timeline.add(event)
        self._facts.take(event)
        if links:
            self._causes[event.id] = links
        for link in links.values():
            self._effects.setdefault(link.cause, []).append(link)

    def _new_links(self, event: Event, because: Iterable[Because]) -> dict[tuple[str, Reason], Link]:
        """Why a new event came about, as links that break no rule."""
        links: dict[tuple[str, Reason], Link] = {}
        for cause, reason, recorded in because:
            link = Link(cause, event.id, reason, recorded)
            self._check_link(link, event, is_new=True)
            if (cause, reason) in links:
                _refuse_link(link, "the same link twice", "each cause and reason once")
            links[cause, reason] = link
        return links

    def link(self, cause: str, effect: str, reason: Reason, *, recorded: int | None = None) -> None:
        """State that one event came of another.

        Args:
            cause: Id of the earlier event.
            effect: Id of the later event.
            reason: Why.
            recorded: Day on which the link was recorded; None = truth that is not in the record.

        Raises:
            JourneyError: The link breaks a rule, exists already, or an id is unknown.
        """
        link = Link(cause, effect, reason, recorded)
        if effect not in self._events:
            _refuse_link(link, f"unknown effect {effect!r}", "the id of an event of this journey")
        self._check_link(link, self._events[effect], is_new=False)
        if (cause, reason) in self._causes.get(effect, ()):
            _refuse_link(link, "a link that exists", "each cause and reason once")
        self._causes.setdefault(effect, {})[cause, reason] = link
        self._effects.setdefault(cause, []).append(link)

    def event(self, event_id: str) -> Event:
        """The event with an id.

        Raises:
            JourneyError: There is none.
        """
        event = self._events.get(event_id)
        if event is None:
            raise JourneyError(
                where=f"journey of {self._patient.id!r}",
                came=f"event id {event_id!r}",
                expected="the id of an event of this journey",
                remedy="look it up with `of_kind` or `between`",
            )
        return event

    def __len__(self) -> int:
        return len(self._events)

    def __contains__(self, event_id: object) -> bool:
        return event_id in self._events

    def __iter__(self) -> Iterator[Event]:
        return (self._events[event_id] for event_id in self._timeline.order())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Journey):
            return NotImplemented
        return (
            self._patient == other._patient
            and self._index == other._index
            and self._is_partial == other._is_partial
            and list(self) == list(other)
            and list(self.links()) == list(other.links())
        )

    def __repr__(self) -> str:
        return f"<Journey of {self._patient.id!r}: {len(self)} events from {self._index}>"

    def causes(self, event_id: str) -> tuple[Link, ...]:
        """The links that end in an event, by cause in order of time."""
        self.event(event_id)
        return tuple(sorted(self._causes.get(event_id, {}).values(), key=self._by_cause))

    def effects(self, event_id: str) -> tuple[Link, ...]:
        """The links that start from an event, by effect in order of time."""
        self.event(event_id)
        return tuple(sorted(self._effects.get(event_id, ()), key=self._by_effect))

    def links(self) -> Iterator[Link]:
        """All causal links, by effect and then by cause in order of time."""
        for event_id in self._timeline.order():
            if event_id in self._causes:
                yield from self.causes(event_id)

    def temporal_edges(self) -> Iterator[TemporalEdge]:
        """Each event to the next one, and to the next one of its track; derived, never stored."""
        return temporal_edges(self)

    def first(self, kind: Kind) -> Event | None:
        """The first event of a kind; None = there is none."""
        event_id = self._timeline.of_kind(kind).first()
        return None if event_id is None else self._events[event_id]

    def latest(self, kind: Kind, by: int | None = None) -> Event | None:
        """The last event of a kind that happened on day `by` or before; None = there is none.

        Args:
            kind: The kind.
            by: Last day to look at; None = the end.
        """
        event_id = self._timeline.of_kind(kind).latest(by=by)
        return None if event_id is None else self._events[event_id]

    def of_kind(self, kind: Kind) -> Iterator[Event]:
        """The events of a kind, in order of time."""
        return (self._events[event_id] for event_id in self._timeline.of_kind(kind))

    def between(self, first: int, last: int) -> Iterator[Event]:
        """The events that happened on day `first` to day `last`, both included, in order of time."""
        return (self._events[event_id] for event_id in self._timeline.order().between(first, last))

    def visible(self, as_of: int | date) -> Record:
        """What was known on a day, given as a day of the journey or as a date.

        An event is known from the day it was recorded. An end that is still to come is not told, nor
        is what only the end brought: how a treatment ended, how an adverse event resolved.
        """
        day = as_of if isinstance(as_of, int) else (as_of - self._index).days
        known = sorted(self._timeline.known().until(day), key=self._timeline.place)
        events = tuple(_cut(self._events[event_id], day) for event_id in known)
        links = tuple(
            link
            for event in events
            if event.id in self._causes
            for link in self.causes(event.id)
            if link.recorded is not None and link.recorded <= day
        )
        return Record(patient=self._patient, index=self._index, as_of=day, events=events, links=links)

    def record(self) -> Record:
        """Everything that was ever recorded, as known on the last day that anything in it names."""
        known = [event for event in self if event.recorded is not None]
        days = [0, *(event.recorded for event in known if event.recorded is not None)]
        days.extend(event.end for event in known if event.end is not None)
        days.extend(link.recorded for link in self.links() if link.recorded is not None)
        return self.visible(max(days))

    def to_networkx(self) -> "MultiDiGraph[str]":
        """The graph for analysis, truth included: nodes carry `event`, edges `type` and what it says.

        Causal edges have `type="causal"`, `reason` and `recorded`; temporal ones `type="temporal"` and
        `track`.
        """
        from networkx import MultiDiGraph  # noqa: PLC0415  # takes 0.1 s to load, and few need it

        graph: MultiDiGraph[str] = MultiDiGraph(patient=self._patient, index=self._index)
        for event in self:
            graph.add_node(event.id, event=event)
        for link in self.links():
            graph.add_edge(link.cause, link.effect, type="causal", reason=link.reason, recorded=link.recorded)
        for edge in self.temporal_edges():
            graph.add_edge(edge.before, edge.after, type="temporal", track=edge.track)
        return graph

    def _check_event(self, event: Event) -> None:
        if event.id in self._events:
            _refuse_event(event, "an id that is taken", "an id once in a journey", "choose another id")
        first, last = self._span
        reaches = event.day if event.recorded is None else event.recorded
        if event.day < first or reaches > last or (event.end is not None and event.end > last):
            days = [day for day in (event.day, event.recorded, event.end) if day is not None]
            _refuse_event(event, f"days {days}", f"days from {first} to {last}", "correct the days")
        for rule in self._rules[KIND_OF[type(event.content)]]:
            breach = rule.breach(event, self._facts)
            if breach:
                _refuse_event(
                    event, breach, rule.sentence, "correct the event, or add what it rests on first"
                )

    def _check_link(self, link: Link, effect: Event, *, is_new: bool) -> None:
        """Refuse a link that breaks a rule; an effect that is new comes after all others of its day."""
        cause = self._events.get(link.cause)
        if link.cause == link.effect:
            _refuse_link(link, "a link from an event to itself", "a cause before its effect")
        if cause is None:
            _refuse_link(link, f"unknown cause {link.cause!r}", "the id of an event of this journey")
        if cause.day > effect.day or not (is_new or self._precedes(link)):
            _refuse_link(link, "a cause after its effect", "a cause before its effect in the order of events")
        for rule in LINK_RULES:
            breach = rule.breach(link, cause, effect)
            if breach:
                _refuse_link(link, breach, rule.sentence)

    def _precedes(self, link: Link) -> bool:
        return self._timeline.place(link.cause) < self._timeline.place(link.effect)

    def _by_cause(self, link: Link) -> tuple[Place, str]:
        return self._timeline.place(link.cause), link.reason

    def _by_effect(self, link: Link) -> tuple[Place, str]:
        return self._timeline.place(link.effect), link.reason


def _cut(event: Event, as_of: int) -> Event:
    """The event without an end that is still to come."""
    return event.ongoing() if event.end is not None and event.end > as_of else event


def _refuse_event(event: Event, came: str, expected: str, remedy: str) -> NoReturn:
    raise JourneyError(where=f"event {event.id!r}", came=came, expected=expected, remedy=remedy)


def _refuse_link(link: Link, came: str, expected: str) -> NoReturn:
    raise JourneyError(
        where=f"link {link.cause!r} {link.reason} {link.effect!r}",
        came=came,
        expected=expected,
        remedy="correct the link or the order in which events are added",
    )
