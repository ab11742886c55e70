"""A phenopacket that is being read: what its sections say of events, and the journey made of it.

Rules this module guarantees:

- A draft is one event with dates instead of days. What the line of an event in
  `metaData.externalReferences` says (id, day of recording, source, links, …) is put back into it.
- Undated parts are placed: a cancer on the first day the document names, anything else on the last
  encounter; that they are undated is a loss.
- An event that breaks a rule of the journey is left out and named as a loss, with the reason.

    >>> place_of("/measurements/3/value")
    'measurements[3].value'
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from oncoproof.errors import FormatError, InputError
from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Content, Diagnosis, Role
from oncoproof.journey.events import KIND_OF, Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.patient import Patient
from oncoproof.journey.phenopacket.curies import NOT_STATED, Prefixes, Term
from oncoproof.journey.phenopacket.packet import AUTHOR, EVENT_PREFIX, USUAL_SOURCES, unpack
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.times import Calendar, parse_date
from oncoproof.journey.readings import Loss

_NOT_STATED_ID: Final = NOT_STATED["id"]
_SOURCES: Final = {each.value: each for each in Source}
_REASONS: Final = {each.value: each for each in Reason}


@dataclass(slots=True, kw_only=True)
class Reference:
    """The line of an event in `externalReferences`."""

    number: int
    """Its place among the lines: the order of events."""
    id: str
    """Id of the event."""
    beside: dict[str, str]
    """What is said of the event beside the document's fields."""


@dataclass(slots=True, kw_only=True)
class Draft:
    """An event as a document tells it."""

    pointer: str
    """Where it stands."""
    content: Content
    """What it is about."""
    start: date | None
    """First day; None = not told."""
    end: date | None = None
    """Last day; None = not told."""
    codes: tuple[Code, ...] = ()
    """What it is called."""
    note: str = ""
    """Words beside it."""
    because: list[tuple["Draft", Reason]] = field(default_factory=list["tuple[Draft, Reason]"])
    """Earlier drafts that it came of, where the document's structure says so."""
    reference: Reference | None = None
    """Its line; None = it has none."""
    id: str = ""
    """Id in the journey, once there is one."""

    @property
    def is_cancer(self) -> bool:
        """Whether it is the diagnosis of a cancer under treatment."""
        return isinstance(self.content, Diagnosis) and self.content.role is Role.PRIMARY


def place_of(pointer: str) -> str:
    """A JSON pointer as the path that errors and losses show."""
    steps = [f"[{step}]" if step.isdigit() else f".{step}" for step in pointer.split("/")[1:]]
    return "".join(steps).lstrip(".")


class PacketReader:
    """What all sections need to read a document."""

    def __init__(self, document: Document, losses: list[Loss]) -> None:
        """Learn the document's prefixes, dates and lines.

        Args:
            document: A checked document.
            losses: Where losses are collected.
        """
        meta: Document = document["metaData"]
        self.document: Final = document
        self.losses: Final = losses
        self.calendar: Final = Calendar(document)
        self.prefixes: Final = Prefixes(meta["resources"])
        self.references: Final = self._read_references(meta.get("externalReferences", []))
        self.drafts: Final[list[Draft]] = []
        self._moments: Final[dict[int, tuple[date, None]]] = {}
        if self.calendar.inference:
            self.lose("/subject/dateOfBirth", self.calendar.inference)
        self._lose_meta(meta)

    def _read_references(self, lines: list[Document]) -> dict[str, Reference]:
        references: dict[str, Reference] = {}
        for number, line in enumerate(lines):
            pointer = line.get("reference", "")
            if line.get("id", "").startswith(EVENT_PREFIX) and pointer.startswith("#/"):
                words = line.get("description")
                references[pointer[1:]] = Reference(
                    number=number,
                    id=line["id"][len(EVENT_PREFIX) :],
                    beside=unpack(words) if words else {},
                )
            else:
                words = " ".join(str(value) for value in line.values())
                self.lose(f"/metaData/externalReferences/{number}", f"a reference: {words}")
        return references

    def _lose_meta(self, meta: Document) -> None:
        """Name who wrote the document and which versions of terminologies it used."""
        if meta["createdBy"] != AUTHOR:
            self.lose("/metaData/createdBy", f"its author: {meta['createdBy']} ({self.calendar.created})")
        for number, resource in enumerate(meta["resources"]):
            version = resource.get("version", NOT_STATED["label"])
            if version != NOT_STATED["label"]:
                words = f"the version of {resource['name']}: {version}"
                self.lose(f"/metaData/resources/{number}/version", words)

    def lose(self, pointer: str, what: str) -> None:
        """Name a part that has no place in a journey."""
        self.losses.append(Loss(place_of(pointer), what))

    def code(self, term: Term) -> Code | None:
        """The code of a class; None where it says that nothing was stated."""
        return None if term["id"] == _NOT_STATED_ID else self.prefixes.code(term["id"], term["label"])

    def codes(self, term: Term | None) -> tuple[Code, ...]:
        """The codes of a class: one, or none where nothing was stated."""
        code = None if term is None else self.code(term)
        return () if code is None else (code,)

    def time(self, element: Document | None, pointer: str) -> tuple[date | None, date | None]:
        """First and last day of a time element; None = not told."""
        if element is not None:
            moment = self._moments.get(id(element))
            if moment is not None:
                return moment
            if "timestamp" in element:
                moment = self._moments[id(element)] = (parse_date(element["timestamp"]), None)
                return moment
        first, last, lost = self.calendar.read(element)
        if lost:
            self.lose(pointer, lost)
        return first, last

    def codes_beside(self, text: str, pointer: str) -> tuple[Code, ...]:
        """The codes that the line of an event states.

        Raises:
            FormatError: They are no CURIEs.
        """
        curies = text.split(",")
        for each in curies:
            if not each.partition(":")[2]:
                raise _faulty(text, pointer, "CURIEs, separated by commas")
        return tuple(self.prefixes.code(each) for each in curies)

    def attempt(self, pointer: str, read: Callable[[], None]) -> None:
        """Read a part; what the schema allows and a journey refuses, such as a share of 3, is a loss.

        Args:
            pointer: Where the part stands.
            read: Reads it.
        """
        try:
            read()
        except FormatError:
            raise
        except InputError as error:
            self.lose(pointer, f"it cannot be so: {error}")

    def beside(self, pointer: str) -> dict[str, str]:
        """What is said of the event that stands here; nothing where no line names the place."""
        reference = self.references.get(pointer)
        return {} if reference is None else reference.beside

    def add(
        self,
        pointer: str,
        content: Content,
        start: date | None,
        end: date | None = None,
        *,
        codes: tuple[Code, ...] = (),
        note: str = "",
    ) -> Draft:
        """Add a draft; what its line says takes precedence."""
        draft = Draft(pointer=pointer, content=content, start=start, end=end, codes=codes, note=note)
        reference = draft.reference = self.references.get(pointer)
        if reference is not None and reference.beside:
            beside = reference.beside
            draft.note = beside.get("note", note)
            if "codes" in beside:
                draft.codes = self.codes_beside(beside["codes"], pointer)
            if "on" in beside:
                draft.start = _date(beside["on"], pointer)
            if "end" in beside:
                draft.end = _date(beside["end"], pointer)
        self.drafts.append(draft)
        return draft

    def journey(self, patient: Patient, index: date | None) -> Journey:
        """The journey of all drafts.

        Args:
            patient: Who it is about.
            index: The date of day 0; None = the first cancer, or else the first event.
        """
        self._place_undated()
        day_0 = index or self._first_day()
        journey = Journey(patient, day_0)
        taken = {reference.id for reference in self.references.values()}
        for number, draft in enumerate(sorted(self.drafts, key=_order)):
            self._name(draft, number, taken)
            self._enter(journey, draft, day_0)
        return journey

    def _place_undated(self) -> None:
        dated = [draft.start for draft in self.drafts if draft.start is not None]
        first = min([*dated, self.calendar.last_encounter])
        for draft in self.drafts:
            if draft.start is None:
                draft.start = first if draft.is_cancer else draft.end or self.calendar.last_encounter
                self.lose(draft.pointer, f"no day is stated; placed on {draft.start}")

    def _first_day(self) -> date:
        cancers = [draft.start for draft in self.drafts if draft.is_cancer and draft.start]
        days = cancers or [draft.start for draft in self.drafts if draft.start]
        return min(days, default=self.calendar.last_encounter)

    def _name(self, draft: Draft, number: int, taken: set[str]) -> None:
        if draft.reference is not None:
            draft.id = draft.reference.id
            return
        while (name := f"p{number}") in taken:
            number += 1
        taken.add(name)
        draft.id = name

    def _enter(self, journey: Journey, draft: Draft, day_0: date) -> None:
        try:
            reference = draft.reference
            is_linked = bool(draft.because) or (reference is not None and "because" in reference.beside)
            because = list(self._because(journey, draft, day_0)) if is_linked else ()
            journey.add(_event(draft, day_0), because=because)
        except InputError as error:
            self.lose(draft.pointer, f"it breaks a rule of the journey: {error}")

    def _because(self, journey: Journey, draft: Draft, day_0: date) -> Iterable[Because]:
        for cause, reason in draft.because:
            if cause.id in journey:
                yield Because(cause.id, reason, _days(max(_start(draft), _start(cause)), day_0))
        said = draft.reference.beside.get("because", "") if draft.reference else ""
        for each in said.split(",") if said else ():
            reason, cause_id, recorded = _three(each, draft.pointer)
            if cause_id in journey:
                known = _days(_date(recorded, draft.pointer), day_0) if recorded else None
                yield Because(cause_id, reason, known)
            else:
                self.lose(draft.pointer, f"it {reason} from {cause_id}, which is not in the document")

    def is_after_diagnosis(self, start: date | None) -> bool:
        """Whether a cancer was known by a day; True where one of the days is not told."""
        cancers = [draft.start for draft in self.drafts if draft.is_cancer]
        return any(each is None or start is None or each <= start for each in cancers)


def _start(draft: Draft) -> date:
    return draft.start or date.min


def _order(draft: Draft) -> tuple[date, int]:
    return _start(draft), draft.reference.number if draft.reference else 1 << 30


def _days(day: date, day_0: date) -> int:
    return day.toordinal() - day_0.toordinal()


def _event(draft: Draft, day_0: date) -> Event:
    day = _days(_start(draft), day_0)
    beside = draft.reference.beside if draft.reference else {}
    kind = KIND_OF[type(draft.content)]
    return Event(
        id=draft.id,
        day=day,
        recorded=_days(_date(beside["recorded"], draft.pointer), day_0) if "recorded" in beside else day,
        source=_SOURCES.get(beside.get("source", "")) or USUAL_SOURCES.get(kind, Source.CLINICAL),
        content=draft.content,
        end=None if draft.end is None else _days(draft.end, day_0),
        codes=draft.codes,
        confidence=number_of(beside["confidence"], draft.pointer) if "confidence" in beside else 1.0,
        note=draft.note,
    )


def _date(text: str, pointer: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise _faulty(text, pointer, "a date") from None


def number_of(text: str, pointer: str) -> float:
    """A number that the line of an event states.

    Raises:
        FormatError: It is none.
    """
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise _faulty(text, pointer, "a number")
    return number


def _three(text: str, pointer: str) -> tuple[Reason, str, str]:
    reason, _, rest = text.partition(":")
    cause, _, recorded = rest.partition(":")
    if reason not in _REASONS:
        raise _faulty(text, pointer, "a link such as guides:e3:2026-03-01")
    return _REASONS[reason], cause, recorded


def _faulty(text: str, pointer: str, expected: str) -> FormatError:
    return FormatError(
        where=f"line of {place_of(pointer)} in metaData.externalReferences",
        came=repr(text),
        expected=expected,
        remedy="leave the lines of `event/…` as they were written",
    )
