"""A phenopacket that is being written: its sections, and what is said of each event beside them.

Rules this module guarantees:

- Each event that is told has one line in `metaData.externalReferences`: the event's id, where in the
  document it stands, and in `description` what the schema has no field for, as `key=value`.
- Days become timestamps at midnight UTC; nothing is later than the record's `as_of` except what the
  record itself says.

    >>> unpack(pack({"source": "lab", "note": "a; b=c"}))
    {'source': 'lab', 'note': 'a; b=c'}
"""

from datetime import timedelta
from typing import Final

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Diagnosis
from oncoproof.journey.events import Event, Kind, Source
from oncoproof.journey.links import Link
from oncoproof.journey.phenopacket.curies import NOT_STATED, Curies, Term
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.records import Record

AUTHOR: Final = "OncoProof"
"""Who a phenopacket says it was created by."""

EVENT_PREFIX: Final = "event/"
"""What the id of an event begins with in `externalReferences`."""

UNTOLD: Final = frozenset({Kind.DECISION, Kind.CLONE})
"""Kinds of events that a phenopacket has no place for."""

USUAL_SOURCES: Final = {
    Kind.BIOMARKER: Source.GENOMIC,
    Kind.LAB: Source.LAB,
    Kind.IMAGING: Source.IMAGING,
}
"""Where the knowledge of an event comes from where nothing is said; clinical for all other kinds."""


def pack(beside: dict[str, str]) -> str:
    """What is said beside the document's fields, as one text."""
    return "; ".join(f"{key}={_escape(value)}" for key, value in beside.items())


def unpack(text: str) -> dict[str, str]:
    """What was packed."""
    pairs = (part.partition("=") for part in text.split("; ") if part)
    return {key: value.replace("%3B", ";").replace("%25", "%") for key, _, value in pairs}


def _escape(value: str) -> str:
    return value.replace("%", "%25").replace(";", "%3B")


class Packet:
    """A phenopacket in the making."""

    def __init__(self, record: Record) -> None:
        """An empty one.

        Args:
            record: What is to be told.
        """
        self.record: Final = record
        self.curies: Final = Curies()
        self.features: Final[list[Document]] = []
        self.measurements: Final[list[Document]] = []
        self.samples: Final[list[Document]] = []
        self.diseases: Final[list[Document]] = []
        self.actions: Final[list[Document]] = []
        self.genomic: Final[dict[str, tuple[Term, list[Document]]]] = {}
        self.references: Final[list[Document]] = []
        self.vital_status: Document = {"status": "ALIVE"}
        self.pooled: Final[dict[tuple[str, int, bool], str]] = {}
        self.staged: Final[set[int]] = set()
        self._primaries: Final[list[tuple[Event, Diagnosis, int]]] = []
        self._days: Final[dict[int, str]] = {}
        self._events: Final = {event.id: event for event in record.events}
        self._causes: Final[dict[str, list[Link]]] = {}
        self._effects: Final[dict[str, list[Link]]] = {}
        for link in record.links:
            self._causes.setdefault(link.effect, []).append(link)
            self._effects.setdefault(link.cause, []).append(link)

    def date(self, day: int) -> str:
        """A day as an ISO date."""
        text = self._days.get(day)
        if text is None:
            text = self._days[day] = (self.record.index + timedelta(days=day)).isoformat()
        return text

    def timestamp(self, day: int) -> str:
        """A day as a timestamp."""
        return f"{self.date(day)}T00:00:00Z"

    def moment(self, day: int) -> Document:
        """A day as a time element."""
        return {"timestamp": self.timestamp(day)}

    def interval(self, first: int, last: int) -> Document:
        """A time from the first to the last day."""
        return {"start": self.timestamp(first), "end": self.timestamp(last)}

    def span(self, event: Event) -> Document:
        """The time of an event, as a time element."""
        if event.end is None:
            return self.moment(event.day)
        return {"interval": self.interval(event.day, event.end)}

    def term(self, code: Code) -> Term:
        """The ontology class of a code."""
        return self.curies.term(code)

    def say(self, term: Term) -> Term:
        """A class of a vocabulary, remembered as used."""
        self.curies.use(term)
        return term

    def name(self, event: Event) -> Term:
        """The ontology class an event is told by: its first code of a public terminology, else its first."""
        code = named_by(event)
        return self.say(NOT_STATED) if code is None else self.curies.term(code)

    def effects(self, event: Event) -> list[tuple[Link, Event]]:
        """The recorded links that start from an event, with the events they lead to."""
        links = self._effects.get(event.id, ())
        return [(link, self._events[link.effect]) for link in links]

    def add_primary(self, event: Event, content: Diagnosis, number: int) -> None:
        """Remember a cancer, as context for what follows: `number` is its place among the diseases."""
        self._primaries.append((event, content, number))

    def primary(self) -> tuple[Event, Diagnosis, int] | None:
        """The latest cancer told; None = none was."""
        return self._primaries[-1] if self._primaries else None

    def first_primary(self) -> Event | None:
        """The first cancer told; None = none was."""
        return self._primaries[0][0] if self._primaries else None

    def unstaged_primary(self) -> int | None:
        """Place among the diseases of the first cancer without a stage; None = there is none."""
        return next((number for _, _, number in self._primaries if number not in self.staged), None)

    def refer(self, event: Event, pointer: str, told: str = "", **beside: str) -> None:
        """Say which event stands where, and of it what the schema has no field for.

        Args:
            event: The event.
            pointer: Where it stands, as a JSON pointer.
            told: Which of `day`, `end`, `note`, `name` stand there already.
            beside: What else has to be said; empty values are left out.
        """
        said = self._provenance(event)
        if "day" not in told:
            said["on"] = self.date(event.day)
        if event.end is not None and "end" not in told:
            said["end"] = self.date(event.end)
        if event.note and "note" not in told:
            said["note"] = event.note
        if len(event.codes) > ("name" in told):
            said["codes"] = ",".join(self.curies.curie(each.system, each.code) for each in event.codes)
        said.update((key, value) for key, value in beside.items() if value)
        reference = {"id": f"{EVENT_PREFIX}{event.id}", "reference": f"#{pointer}"}
        if said:
            reference["description"] = pack(said)
        self.references.append(reference)

    def _provenance(self, event: Event) -> dict[str, str]:
        said: dict[str, str] = {}
        if event.source is not USUAL_SOURCES.get(event.kind, Source.CLINICAL):
            said["source"] = event.source.value
        if event.recorded is not None and event.recorded != event.day:
            said["recorded"] = self.date(event.recorded)
        if event.confidence != 1.0:
            said["confidence"] = repr(event.confidence)
        because = self._because(event.id) if event.id in self._causes else ""
        return said | {"because": because} if because else said

    def _because(self, event_id: str) -> str:
        return ",".join(
            f"{link.reason}:{link.cause}:{'' if link.recorded is None else self.date(link.recorded)}"
            for link in self._causes[event_id]
            if link.cause in self._events and self._events[link.cause].kind not in UNTOLD
        )


def named_by(event: Event) -> Code | None:
    """The code an event is told by: the first of a public terminology, else the first; None = it has none."""
    for code in event.codes:
        if not code.system.startswith("urn:oncoproof:"):
            return code
    return event.codes[0] if event.codes else None
