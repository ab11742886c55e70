"""The writer: one record on its way into resources, and the pieces that every resource is made of.

Rules this module guarantees:

- A writer takes a record and nothing else, so what was never recorded cannot be written.
- Dictionaries are made anew for each resource: whoever gets a bundle may change it.
- An id given to a part of an event never clashes with the id of an event.

    >>> coding("http://loinc.org", "89247-1")
    {'system': 'http://loinc.org', 'code': '89247-1'}
"""

from collections.abc import Iterable
from datetime import date
from functools import lru_cache

from oncoproof.errors import JourneyError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Diagnosis, Modality, Role, Treatment
from oncoproof.journey.events import Event, Kind, Source
from oncoproof.journey.fhir.addresses import ABSENT, CODE, DETAIL, EVENT, LINK, STANDING, profile
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.primitives import PRIMITIVES
from oncoproof.journey.fhir.structures import is_code, is_unit
from oncoproof.journey.links import Link
from oncoproof.journey.records import Record
from oncoproof.journey.units import Quantity

_ID_LENGTH_MAX = 64

_BY_PROCEDURE = frozenset({Modality.SURGERY, Modality.RADIATION})

RESOURCE_OF_KIND = {
    Kind.DIAGNOSIS: "Condition",
    Kind.SYMPTOM: "Condition",
    Kind.STAGE: "Observation",
    Kind.BIOMARKER: "Observation",
    Kind.LAB: "Observation",
    Kind.PERFORMANCE: "Observation",
    Kind.OUTCOME: "Observation",
    Kind.IMAGING: "DiagnosticReport",
    Kind.ADVERSE_EVENT: "AdverseEvent",
    Kind.DECISION: "ServiceRequest",
    Kind.TREATMENT: "CarePlan",
}
"""The resource type that stands for an event; operations and radiotherapy alone are Procedures."""


def resource_type(event: Event) -> str:
    """The resource type that stands for an event.

    Raises:
        JourneyError: The event is a clone: truth that no record holds.
    """
    content = event.content
    if isinstance(content, Treatment) and not content.drugs and content.modality in _BY_PROCEDURE:
        return "Procedure"
    kind = RESOURCE_OF_KIND.get(event.kind)
    if kind is None:
        raise JourneyError(
            where=f"event {event.id!r}",
            came="a clone in a record",
            expected="observed events",
            remedy="leave it out",
        )
    return kind


class Writer:
    """A record on its way into a bundle."""

    __slots__ = (
        "_causes",
        "_dates",
        "_ids",
        "_index",
        "addresses",
        "bodies",
        "drugs",
        "primary",
        "record",
        "resources",
        "specimens",
    )

    def __init__(self, record: Record) -> None:
        """Prepare the addresses of all events.

        Args:
            record: What to write.
        """
        self.record = record
        self.resources: list[Object] = []
        self.addresses = {event.id: f"{resource_type(event)}/{event.id}" for event in record.events}
        self.specimens: dict[str, str] = {}
        self.bodies: dict[tuple[str, str], str] = {}
        self.drugs: dict[str, list[str]] = {}
        self._index = record.index.toordinal()
        self._dates: dict[int, str] = {}
        self._ids = set(self.addresses)
        self._causes: dict[str, list[Link]] = {}
        for link in record.links:
            self._causes.setdefault(link.effect, []).append(link)
        self.primary = next((self.addresses[event.id] for event in record.events if _is_primary(event)), None)

    def put(self, resource: Object) -> None:
        """Add a resource to the bundle."""
        self.resources.append(resource)

    def date(self, day: int) -> str:
        """The calendar date of a day, as FHIR writes it."""
        text = self._dates.get(day)
        if text is None:
            text = self._dates[day] = date.fromordinal(self._index + day).isoformat()
        return text

    def subject(self) -> Object:
        """A reference to the patient."""
        return {"reference": f"Patient/{self.record.patient.id}"}

    def primary_cancer(self) -> Object:
        """A reference to the primary cancer; says that it is unknown where the record has none."""
        if self.primary is None:
            return {"extension": [unknown()]}
        return {"reference": self.primary}

    def part_id(self, event_id: str, part: str) -> str:
        """An id for a part of an event."""
        chosen = f"{event_id}.{part}"
        if len(chosen) > _ID_LENGTH_MAX or chosen in self._ids:
            number = len(self._ids)
            while (chosen := f"part.{number}") in self._ids:
                number += 1
        self._ids.add(chosen)
        return chosen

    def causes(self, event: Event) -> list[Link]:
        """The recorded links that end in an event."""
        return self._causes.get(event.id, [])

    def marks(self, event: Event, *more: Object) -> list[Object]:
        """The extensions that carry what FHIR has no element for in an event, and its causes."""
        kind = event.kind
        parts = list(more)
        recorded = event.recorded
        if recorded is None:
            raise _unrecorded(f"event {event.id!r}")
        if event.source is not SOURCE_OF_KIND.get(kind, Source.CLINICAL):
            parts.append({"url": "source", "valueCode": event.source.value})
        if recorded != event.day:
            parts.append({"url": "recorded", "valueDate": self.date(recorded)})
        if event.confidence != 1.0:
            parts.append({"url": "confidence", "valueDecimal": event.confidence})
        extensions: list[Object] = [{"url": EVENT, "valueCode": kind.value}]
        if parts:
            extensions.append({"url": DETAIL, "extension": parts})
        if event.id in self._causes:
            extensions += [self._link(link) for link in self._causes[event.id]]
        return extensions

    def _link(self, link: Link) -> Object:
        if link.recorded is None:
            raise _unrecorded(f"link from {link.cause!r} to {link.effect!r}")
        parts: list[Object] = [
            {"url": "cause", "valueReference": {"reference": self.addresses[link.cause]}},
            {"url": "reason", "valueCode": link.reason.value},
            {"url": "recorded", "valueDate": self.date(link.recorded)},
        ]
        return {"url": LINK, "extension": parts}

    def end_mark(self, event: Event) -> tuple[Object, ...]:
        """The end of an event whose resource has no element for it."""
        return () if event.end is None else ({"url": "end", "valueDate": self.date(event.end)},)


def _unrecorded(where: str) -> JourneyError:
    return JourneyError(
        where=where,
        came="truth that nobody recorded",
        expected="a record",
        remedy="take the record of the journey",
    )


SOURCE_OF_KIND: dict[Kind, Source] = {
    Kind.BIOMARKER: Source.GENOMIC,
    Kind.LAB: Source.LAB,
    Kind.IMAGING: Source.IMAGING,
}
"""Where the knowledge of an event usually comes from, by kind; all others are clinical."""


def _is_primary(event: Event) -> bool:
    return isinstance(event.content, Diagnosis) and event.content.role is Role.PRIMARY


def meta(name: str) -> Object:
    """The claim to conform to a profile, written as `guide/id`."""
    return {"profile": [profile(name)]}


def derived(name: str = "") -> Object:
    """The mark of a resource that repeats what events say; with the profile that it conforms to."""
    tag: Object = {"tag": [{"system": STANDING, "code": "derived"}]}
    return {"profile": [profile(name)], **tag} if name else tag


def coding(system: str, code: str, display: str = "") -> Object:
    """A coding."""
    if display:
        return {"system": system, "code": code, "display": display}
    return {"system": system, "code": code}


def concept(system: str, code: str, display: str = "") -> Object:
    """A concept with one coding."""
    return {"coding": [coding(system, code, display)]}


@lru_cache(maxsize=1 << 14)
def is_sayable(system: str, code: str) -> bool:
    """Whether a coding can state the code, so that a reader takes it for the same."""
    if not system:
        return PRIMITIVES["code"](code, []) is None
    return is_code(system, code) and not (system == System.HGNC and code.isdigit())


def coding_of(code: Code) -> Object:
    """A code of a journey as a coding; one without the form of a code stands in an extension of it."""
    written: Object = {}
    if is_sayable(code.system, code.code):
        written = {"system": code.system, "code": code.code} if code.system else {"code": code.code}
    else:
        parts = (("system", code.system), ("code", code.code))
        held: list[Object] = [{"url": name, "valueString": text} for name, text in parts if text]
        written["extension"] = [{"url": CODE, "extension": held} if held else unknown()]
    if code.display:
        written["display"] = code.display
    return written


def unknown() -> Object:
    """The extension that says of an element that its value is not known."""
    return {"url": ABSENT, "valueCode": "unknown"}


def named(codes: Iterable[Code], *fixed: tuple[str, str, str], text: str = "") -> Object:
    """A concept of an event's own codes, after those that a profile fixes.

    A fixed code that the event does not have itself carries an element id that begins with `profile`.
    """
    own = [coding_of(code) for code in codes]
    held = {(code.get("code"), code.get("system")) for code in own}
    added = [
        {"id": f"profile-{code}", **coding(system, code, display)}
        for system, code, display in fixed
        if (code, system) not in held
    ]
    written: Object = {}
    if added or own:
        written["coding"] = added + own
    if text:
        written["text"] = text
    if not written:
        written["extension"] = [unknown()]
    return written


def words(text: str) -> Object:
    """A concept in words alone; says that it is unknown where there are none."""
    return {"text": text} if text else {"extension": [unknown()]}


def quantity(value: float, unit: str, comparator: str = "") -> Object:
    """A quantity; its unit is coded where it is UCUM."""
    written: Object = {"value": value}
    if comparator:
        written["comparator"] = comparator
    if unit:
        written["unit"] = unit
        if is_unit(unit):
            written["system"] = System.UCUM.value
            written["code"] = unit
    return written


def quantity_of(amount: Quantity) -> Object:
    """A quantity of a journey."""
    return quantity(amount.value, amount.unit, amount.comparator)
