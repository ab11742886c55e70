"""The chronicle: what resources say, placed in time and joined into a journey.

Rules this module guarantees:

- Events of this project's making keep the order in which they stand; foreign ones stand after the
  diagnoses of their day.
- A foreign event that breaks a rule of journeys is a loss with the rule; one of this project's making is an
  error, for then the document has been changed, or a loss where the reader is not strict.

    >>> _fitting_id("a b", {"a-b"})
    'a-b.2'
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from oncoproof.errors import FormatError, InputError, JourneyError
from oncoproof.journey.contents import (
    AdverseEvent,
    Content,
    Modality,
    Status,
    Treatment,
)
from oncoproof.journey.events import KIND_OF, Event, Kind, Source
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.readers import Found, Item, Reader, Told, member, refused
from oncoproof.journey.fhir.writer import SOURCE_OF_KIND
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.patient import Patient

_NOTHING: Object = {}
_OVER = frozenset({Status.COMPLETED, Status.STOPPED})


@dataclass(slots=True)
class Placed:
    """An event and the resource that it came from."""

    item: Item
    """The resource."""
    event: Event
    """The event."""


def place(reader: Reader, told: Iterable[Told]) -> list[Placed]:
    """The events of what resources say, in order of time."""
    taken: set[str] = set()
    placed: list[Placed] = []
    for item, found in told:
        for each in found:
            if each.day is None:
                reader.lose(item, "", "something without a date")
                continue
            try:
                event = (
                    _own(reader, item, each, each.day) if item.kind else _foreign(reader, item, each, taken)
                )
            except InputError as error:
                reader.refuse(item, error)
                continue
            taken.add(event.id)
            placed.append(Placed(item, event))
    placed.sort(key=_order)
    return placed


def _order(placed: Placed) -> int:
    is_late = not placed.item.kind and placed.event.kind is not Kind.DIAGNOSIS
    return 2 * placed.event.day + is_late


def _own(reader: Reader, item: Item, found: Found, day: int) -> Event:
    """The event that a resource of this project's making stands for."""
    recorded, confidence = day, 1.0
    source = SOURCE_OF_KIND.get(KIND_OF[type(found.content)], Source.CLINICAL)
    marks = item.marks
    if marks:
        if "recorded" in marks:
            recorded = reader.day(item, ".extension", str(marks["recorded"]))
        if "source" in marks:
            source = member(Source, marks["source"], item)
        if "confidence" in marks:
            confidence = float(str(marks["confidence"]))
    return Event(
        id=str(item.resource.get("id", "")),
        day=day,
        recorded=recorded,
        source=source,
        content=found.content,
        end=found.end,
        codes=found.codes,
        confidence=confidence,
        note="\n".join(item.note) if item.note else "",
    )


def _foreign(reader: Reader, item: Item, found: Found, taken: set[str]) -> Event:
    """The event that a foreign resource tells of."""
    day = 0 if found.day is None else found.day
    recorded = max(day, day if found.recorded is None else found.recorded)
    if found.recorded is not None and found.recorded < day:
        reader.lose(item, "", "a day of recording before the day of the event")
    end = found.end
    if end is not None and end < day:
        reader.lose(item, "", "an end before the beginning")
        end = None
    if end is None and _is_over(found.content):
        end = recorded
        reader.lose(item, "", "that no end is stated: it was over when it was recorded")
    stem = str(item.resource.get("id") or item.resource["resourceType"])
    kind = KIND_OF[type(found.content)]
    return Event(
        id=_fitting_id(f"{stem}.{found.part}" if found.part else stem, taken),
        day=day,
        recorded=recorded,
        source=SOURCE_OF_KIND.get(kind, Source.CLINICAL),
        content=found.content,
        end=end,
        codes=found.codes,
        note="\n".join(item.note),
    )


def _is_over(content: Content) -> bool:
    if isinstance(content, Treatment):
        return content.status in _OVER and content.modality is not Modality.SURGERY
    return isinstance(content, AdverseEvent) and content.resolution in {"resolved", "fatal"}


def _fitting_id(wanted: str, taken: set[str]) -> str:
    stem = re.sub(r"[^A-Za-z0-9.-]", "-", wanted)[:56] or "event"
    chosen, number = stem, 1
    while chosen in taken:
        number += 1
        chosen = f"{stem}.{number}"
    return chosen


def join(reader: Reader, patient: Patient, placed: list[Placed]) -> Journey:
    """The journey of these events and of the links between them."""
    journey = Journey(patient, reader.index, is_partial=True)
    names: dict[int | None, str] = {each.item.number: each.event.id for each in placed if each.item.kind}
    for each in placed:
        try:
            journey.add(each.event, because=_causes(reader, each.item, names) if each.item.links else ())
        except JourneyError as error:
            if each.item.kind and reader.is_strict:
                raise
            reader.lose(each.item, "", f"an event that breaks a rule: {error.expected} (came: {error.came})")
    return journey


def _causes(reader: Reader, item: Item, names: Mapping[int | None, str]) -> list[Because]:
    """Why the event of a resource came about."""
    causes: list[Because] = []
    for link in item.links:
        try:
            causes.append(_because(reader, item, link, names))
        except FormatError as error:
            reader.refuse(item, error)
    return causes


def _because(reader: Reader, item: Item, link: Iterable[Object], names: Mapping[int | None, str]) -> Because:
    """What one link says; `names` are those of the events by the numbers of their resources."""
    parts = {part["url"]: part for part in link}
    cause = parts.get("cause", _NOTHING).get("valueReference", _NOTHING)
    event_id = names.get(reader.number_of(cause))
    if event_id is None:
        raise refused(item, ".extension", f"a link from {cause}", "a cause that is an event of this document")
    reason = member(Reason, parts.get("reason", _NOTHING).get("valueCode"), item)
    recorded = parts.get("recorded")
    if recorded is None:
        return Because(event_id, reason)
    if "valueDate" not in recorded:
        raise refused(item, ".extension", f"a link recorded {recorded}", "a valueDate")
    return Because(event_id, reason, reader.day(item, ".extension", recorded["valueDate"]))
