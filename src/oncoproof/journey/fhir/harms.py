"""Harms: adverse events with their CTCAE grade and suspected causes, and back.

Rules this module guarantees:

- The grade stands in the grade extension of HL7's adverse event guide, as an NCI Thesaurus code and in
  figures; a grade of 5 is a fatal outcome only where the record says so.
- A treatment that a causal link names as the cause is a suspect: each of its drugs, or the procedure.

    >>> grade_of({"valueCodeableConcept": {"coding": [{"code": "C41340"}]}})
    3
"""

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import AdverseEvent
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import GRADE, HARM_OUTCOME, NCIT, SERIOUSNESS
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader
from oncoproof.journey.fhir.vocabulary import GRADES, RESOLUTION_BY_CODE, RESOLUTIONS
from oncoproof.journey.fhir.writer import Writer, coding, concept, named
from oncoproof.journey.links import Reason

_GRADE_BY_CODE = {code: grade for grade, code in GRADES.items()}
_SUSPECTS = ("Procedure/", "MedicationAdministration/")


def write_adverse_event(writer: Writer, event: Event, content: AdverseEvent) -> None:
    """Add an adverse event to the bundle."""
    more: list[Object] = [*writer.end_mark(event)]
    if event.note:
        more.append({"url": "note", "valueString": event.note})
    if content.resolution and content.resolution not in RESOLUTIONS:
        more.append({"url": "resolution", "valueString": content.resolution})
    grade = {"coding": [coding(NCIT, GRADES[content.grade])], "text": str(content.grade)}
    resource: Object = {
        "resourceType": "AdverseEvent",
        "id": event.id,
        "extension": [*writer.marks(event, *more), {"url": GRADE, "valueCodeableConcept": grade}],
        "actuality": "actual",
        "event": named(event.codes),
        "subject": writer.subject(),
        "date": writer.date(event.day),
        "seriousness": concept(SERIOUSNESS, "serious" if content.is_serious else "non-serious"),
    }
    if event.recorded is not None:
        resource["recordedDate"] = writer.date(event.recorded)
    if content.resolution in RESOLUTIONS:
        resource["outcome"] = concept(HARM_OUTCOME, RESOLUTIONS[content.resolution])
    suspects = _suspects(writer, event)
    if suspects:
        resource["suspectEntity"] = [{"instance": {"reference": address}} for address in suspects]
    writer.put(resource)


def _suspects(writer: Writer, event: Event) -> list[str]:
    addresses: dict[str, None] = {}
    for link in writer.causes(event):
        if link.reason is Reason.HARMS:
            for address in writer.drugs.get(link.cause, [writer.addresses[link.cause]]):
                if address.startswith(_SUSPECTS):
                    addresses[address] = None
    return list(addresses)


def grade_of(extension: Object) -> int | None:
    """The grade that an extension states; None = none that is known."""
    concept: Object = extension.get("valueCodeableConcept", {})
    for code in concept.get("coding", ()):
        if code.get("code") in _GRADE_BY_CODE:
            return _GRADE_BY_CODE[code["code"]]
    text = concept.get("text", "")
    return int(text) if text in {"1", "2", "3", "4", "5"} else None


_READ = ALWAYS | names_in(
    "actuality event subject date seriousness recordedDate outcome suspectEntity severity"
)
_GRADE_OF_SEVERITY = {"mild": 1, "moderate": 2, "severe": 3}


def read_adverse_event(reader: Reader, item: Item) -> list[Found]:
    """The harm that a resource states; empty = it has no grade, which is lost with it."""
    resource = item.resource
    codes = reader.once(item, _codes)
    day, _ = reader.first_day(item, "date", "recordedDate")
    recorded, end = resource.get("recordedDate"), item.marks.get("end")
    is_serious = reader.once(item, _is_serious)
    grade = _grade(reader, item)
    if item.mark("note"):
        item.note += (item.mark("note"),)
    _note_suspects(reader, item)
    if resource["actuality"] != "actual":
        reader.lose(item, ".actuality", "harm that could have happened")
    resolution = item.mark("resolution") or reader.once(item, _resolution)
    reader.rest(item, _READ)
    if grade is None:
        reader.lose(item, "", "harm without a grade")
        return []
    return [
        Found(
            content=AdverseEvent(grade=grade, is_serious=is_serious, resolution=resolution),
            day=day,
            codes=codes,
            end=None if end is None else reader.day(item, ".extension", str(end)),
            recorded=None if recorded is None else reader.day(item, ".recordedDate", recorded),
        )
    ]


def _codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    return reader.codes(item, ".event", item.resource.get("event"))


def _is_serious(reader: Reader, item: Item) -> bool:
    codes = reader.codes(item, ".seriousness", item.resource.get("seriousness"))
    return any(code.code != "non-serious" for code in codes)


def _grade(reader: Reader, item: Item) -> int | None:
    grade = grade_of(item.extension(GRADE))
    for code in reader.codes(item, ".severity", item.resource.get("severity")):
        if grade is None:
            grade = _GRADE_OF_SEVERITY.get(code.code)
        reader.lose(item, ".severity", f"severity {code.code}")
    return grade


def _resolution(reader: Reader, item: Item) -> str:
    codes = reader.codes(item, ".outcome", item.resource.get("outcome"))
    for code in codes:
        if code.code not in RESOLUTION_BY_CODE or code.code == "resolvedWithSequelae":
            reader.lose(item, ".outcome", f"outcome {code.code}")
    return RESOLUTION_BY_CODE.get(codes[0].code, "") if codes else ""


def _note_suspects(reader: Reader, item: Item) -> None:
    """Suspects of this project's making are links; others are lost, as no link says when it was recorded."""
    for number, suspect in enumerate(item.resource.get("suspectEntity", ())):
        if not item.kind or suspect.keys() != {"instance"}:
            reader.lose(
                item, f".suspectEntity[{number}]", str(suspect["instance"].get("reference", "a suspect"))
            )
