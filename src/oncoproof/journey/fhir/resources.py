"""Resources: which reader understands which resource.

Rules this module guarantees:

- A resource of this project's making is read by the kind of event that it names; a foreign one by its type,
  codes and profiles. One that no reader understands is a loss as a whole.

    >>> OWN["AdverseEvent", Kind.ADVERSE_EVENT].__name__
    'read_adverse_event'
"""

from collections.abc import Callable, Iterable
from enum import Enum

from oncoproof.journey.contents import Modality
from oncoproof.journey.events import Kind
from oncoproof.journey.fhir.addresses import STANDING
from oncoproof.journey.fhir.biomarkers import is_genomic, read_biomarker
from oncoproof.journey.fhir.conditions import read_condition
from oncoproof.journey.fhir.decisions import read_decision
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.harms import read_adverse_event
from oncoproof.journey.fhir.headings import Heading
from oncoproof.journey.fhir.images import is_imaging, read_imaging
from oncoproof.journey.fhir.observations import (
    is_outcome,
    performance_scale,
    read_lab,
    read_outcome,
    read_performance,
)
from oncoproof.journey.fhir.readers import Found, Item, Reader, refused
from oncoproof.journey.fhir.stages import read_stage, stage_part
from oncoproof.journey.fhir.therapies import procedure_modality, read_medicine, read_plan, read_procedure

ResourceReader = Callable[[Reader, Item], list[Found]]
"""What reads a resource."""


def _own_stage(reader: Reader, item: Item) -> list[Found]:
    part = stage_part(item.resource)
    if part is None:
        raise refused(item, ".code", "no code of a stage", "a code of a TNM stage")
    return read_stage(reader, item, *part)


def _own_performance(reader: Reader, item: Item) -> list[Found]:
    scale = performance_scale(item.resource)
    if scale is None:
        raise refused(item, ".code", "no code of a performance status, or no score", "a performance status")
    return read_performance(reader, item, scale)


OWN: dict[tuple[str, str], ResourceReader] = {
    ("Condition", Kind.DIAGNOSIS): read_condition,
    ("Condition", Kind.SYMPTOM): read_condition,
    ("Observation", Kind.STAGE): _own_stage,
    ("Observation", Kind.BIOMARKER): read_biomarker,
    ("Observation", Kind.LAB): read_lab,
    ("Observation", Kind.PERFORMANCE): _own_performance,
    ("Observation", Kind.OUTCOME): read_outcome,
    ("DiagnosticReport", Kind.IMAGING): read_imaging,
    ("CarePlan", Kind.TREATMENT): read_plan,
    ("Procedure", Kind.TREATMENT): read_procedure,
    ("AdverseEvent", Kind.ADVERSE_EVENT): read_adverse_event,
    ("ServiceRequest", Kind.DECISION): read_decision,
}
"""Readers of what this project wrote, by resource type and kind of event."""

_LOST = {
    "CarePlan": "a plan of others",
    "ServiceRequest": "a request of others",
    "Practitioner": "a practitioner",
    "Organization": "an organisation",
    "Encounter": "an encounter",
    "Specimen": "a specimen that no finding refers to",
    "BodyStructure": "a body structure that no measured lesion refers to",
    "Medication": "a medicine that no treatment refers to",
    "Provenance": "who recorded what",
    "DiagnosticReport": "a report that groups observations; they are read themselves",
}
_MEDICINES = frozenset({"MedicationRequest", "MedicationAdministration", "MedicationStatement"})
_NOT_DONE = frozenset({"entered-in-error", "not-done", "not-taken", "cancelled"})
_ABSORBING = frozenset({"DiagnosticReport", "CarePlan"})


class Turn(Enum):
    """When a resource is read."""

    FIRST = 1
    """Before others, as it takes some of them in."""
    THEN = 2
    """After those, unless one of them took it in."""
    NEVER = 3
    """Not at all: it only repeats what events say."""


def turn_of(resource: Object, heading: Heading) -> Turn:
    """When a resource is read, which its heading tells."""
    turn = heading.readings.get(Turn)
    if not isinstance(turn, Turn):
        turn = heading.readings[Turn] = _turn_of(resource)
    return turn


def _turn_of(resource: Object) -> Turn:
    tags: Iterable[Object] = resource["meta"].get("tag", ()) if "meta" in resource else ()
    if any(tag.get("system") == STANDING and tag.get("code") == "derived" for tag in tags):
        return Turn.NEVER
    absorbs = resource["resourceType"] in _ABSORBING or "hasMember" in resource or "specimen" in resource
    return Turn.FIRST if absorbs else Turn.THEN


def read_resource(reader: Reader, item: Item) -> list[Found]:
    """What a resource tells of the patient."""
    resource = item.resource
    reader.unpack(item)
    if item.kind:
        read = OWN.get((resource["resourceType"], item.kind))
        if read is None:
            raise refused(
                item, ".extension", f"an event of kind {item.kind!r}", "a kind that fits the resource"
            )
        return read(reader, item)
    if resource.get("status") in _NOT_DONE:
        reader.lose(item, "", f"a resource with status {resource['status']}")
        return []
    return _read_foreign(reader, item)


def _read_foreign(reader: Reader, item: Item) -> list[Found]:
    resource = item.resource
    kind = resource["resourceType"]
    if kind == "Observation":
        return _read_observation(reader, item)
    if kind == "Condition":
        return read_condition(reader, item)
    if kind == "Procedure":
        return read_procedure(reader, item) if _is_performed(resource) else _lose(reader, item, "a procedure")
    if kind in _MEDICINES:
        return read_medicine(reader, item)
    if kind == "AdverseEvent":
        return read_adverse_event(reader, item)
    if kind == "DiagnosticReport" and is_imaging(resource):
        return read_imaging(reader, item)
    return _lose(reader, item, _LOST.get(kind, f"a resource of type {kind}"))


def _is_performed(resource: Object) -> bool:
    return procedure_modality(resource) in {Modality.SURGERY, Modality.RADIATION}


def _lose(reader: Reader, item: Item, what: str) -> list[Found]:
    reader.lose(item, "", what)
    return []


def _read_observation(reader: Reader, item: Item) -> list[Found]:
    resource = item.resource
    part = stage_part(resource)
    if part is not None and ("valueCodeableConcept" in resource or "hasMember" in resource):
        return read_stage(reader, item, *part)
    if is_genomic(resource):
        return read_biomarker(reader, item)
    scale = performance_scale(resource)
    if scale is not None:
        return read_performance(reader, item, scale)
    if is_outcome(resource):
        return read_outcome(reader, item)
    if any(coding.get("code") == "53041-0" for coding in resource["code"].get("coding", ())):
        return _lose(reader, item, "the regions of the genome that were looked at")
    return read_lab(reader, item)
