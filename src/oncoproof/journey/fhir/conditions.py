"""Conditions: diagnoses and symptoms, as mCODE's and US Core's conditions, and back.

Rules this module guarantees:

- A primary cancer refers to the stages told of it, a metastasis to the primary cancer.
- A condition that ended is resolved; one without an end is active.

    >>> PROFILE_OF_ROLE[Role.SECONDARY]
    'mcode/mcode-secondary-cancer-condition'
"""

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Diagnosis, Role, Symptom
from oncoproof.journey.events import Event, Kind
from oncoproof.journey.fhir.addresses import (
    CONDITION_CATEGORY,
    CONDITION_CLINICAL,
    CONDITION_RELATED,
    CONDITION_VERIFICATION,
    HISTOLOGY,
    RELATED_PRIMARY_STU1,
)
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader
from oncoproof.journey.fhir.vocabulary import SEVERITIES, SEVERITY_BY_CODE
from oncoproof.journey.fhir.writer import Writer, coding_of, concept, meta, named

PROFILE_OF_ROLE = {
    Role.PRIMARY: "mcode/mcode-primary-cancer-condition",
    Role.SECONDARY: "mcode/mcode-secondary-cancer-condition",
    Role.COMORBIDITY: "us-core/us-core-condition-problems-health-concerns",
}
"""The profile of a diagnosis by its role."""


def write_diagnosis(writer: Writer, event: Event, content: Diagnosis) -> None:
    """Add a diagnosis to the bundle."""
    extensions = writer.marks(event)
    if content.histology is not None:
        extensions.append(
            {"url": HISTOLOGY, "valueCodeableConcept": {"coding": [coding_of(content.histology)]}}
        )
    if content.role is Role.SECONDARY and writer.primary is not None:
        extensions.append({"url": CONDITION_RELATED, "valueReference": writer.primary_cancer()})
    resource = _condition(writer, event, PROFILE_OF_ROLE[content.role], extensions)
    if content.sites:
        resource["bodySite"] = [{"coding": [coding_of(site)]} for site in content.sites]
    stages = _stages_of(writer, event)
    if stages:
        resource["stage"] = [{"assessment": [{"reference": address}]} for address in stages]
    writer.put(resource)


def write_symptom(writer: Writer, event: Event, content: Symptom) -> None:
    """Add a symptom to the bundle."""
    profile = "us-core/us-core-condition-problems-health-concerns"
    resource = _condition(writer, event, profile, writer.marks(event))
    if content.severity is not None:
        resource["severity"] = concept(System.SNOMED.value, *SEVERITIES[content.severity])
    writer.put(resource)


def _condition(writer: Writer, event: Event, profile: str, extensions: list[Object]) -> Object:
    status = "active" if event.end is None else "resolved"
    resource: Object = {
        "resourceType": "Condition",
        "id": event.id,
        "meta": meta(profile),
        "extension": extensions,
        "clinicalStatus": concept(CONDITION_CLINICAL, status),
        "verificationStatus": concept(CONDITION_VERIFICATION, "confirmed"),
        "category": [concept(CONDITION_CATEGORY, "problem-list-item")],
        "code": named(event.codes),
        "subject": writer.subject(),
        "onsetDateTime": writer.date(event.day),
    }
    if event.end is not None:
        resource["abatementDateTime"] = writer.date(event.end)
    if event.note:
        resource["note"] = [{"text": event.note}]
    return resource


def _stages_of(writer: Writer, event: Event) -> list[str]:
    """Addresses of the stages of the primary cancer; none of another condition."""
    if writer.addresses[event.id] != writer.primary:
        return []
    return [writer.addresses[each.id] for each in writer.record.events if each.kind is Kind.STAGE]


_READ = ALWAYS | names_in(
    "clinicalStatus verificationStatus category code subject onsetDateTime onsetPeriod abatementDateTime "
    "note bodySite stage severity recordedDate"
)
_CANCER = {"mcode-primary-cancer-condition": Role.PRIMARY, "mcode-secondary-cancer-condition": Role.SECONDARY}


def read_condition(reader: Reader, item: Item) -> list[Found]:
    """The diagnosis or symptom that a condition states."""
    resource = item.resource
    codes = reader.once(item, _codes)
    day, end = reader.first_day(item, "onsetDateTime", "onsetPeriod")
    if "abatementDateTime" in resource:
        end = reader.day(item, ".abatementDateTime", resource["abatementDateTime"])
    recorded = None
    if "recordedDate" in resource:
        recorded = reader.day(item, ".recordedDate", resource["recordedDate"])
    reader.take_note(item)
    reader.once(item, _read_status)
    content = reader.once(item, _read_symptom) if item.kind == Kind.SYMPTOM else _read_diagnosis(reader, item)
    reader.rest(item, _READ)
    return [
        Found(content=content, day=recorded if day is None else day, codes=codes, end=end, recorded=recorded)
    ]


def _codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    return reader.codes(item, ".code", item.resource.get("code"))


def _read_symptom(reader: Reader, item: Item) -> Symptom:
    codes = reader.codes(item, ".severity", item.resource.get("severity"))
    severity = SEVERITY_BY_CODE.get(codes[0].code) if codes else None
    if codes and severity is None:
        reader.lose(item, ".severity", f"severity {codes[0].code}")
    return Symptom(severity=severity)


def _read_diagnosis(reader: Reader, item: Item) -> Diagnosis:
    resource = item.resource
    histology = reader.concept_extension(item, HISTOLOGY)
    for address in (CONDITION_RELATED, RELATED_PRIMARY_STU1):
        item.extension(address)
    for number, stage in enumerate(resource.get("stage", ())):
        if not any(reader.resolve(each) for each in stage.get("assessment", ())):
            reader.lose(item, f".stage[{number}]", "a stage whose assessment is not in the document")
    if "severity" in resource:
        reader.lose(item, ".severity", "the severity of a diagnosis")
    return Diagnosis(
        role=reader.once(item, _role),
        sites=reader.once(item, _sites),
        histology=histology[0] if histology else None,
    )


def _role(_: Reader, item: Item) -> Role:
    for name in item.resource.get("meta", {}).get("profile", ()):
        role = _CANCER.get(name.rpartition("/")[2])
        if role is not None:
            return role
    return Role.COMORBIDITY


def _sites(reader: Reader, item: Item) -> tuple[Code, ...]:
    sites: list[Code] = []
    for number, site in enumerate(item.resource.get("bodySite", ())):
        found = reader.codes(item, f".bodySite[{number}]", site)
        sites += found[:1]
        for code in found[1:]:
            reader.lose(item, f".bodySite[{number}]", f"a further code of the site: {code.code}")
    return tuple(sites)


def _read_status(reader: Reader, item: Item) -> None:
    """Note what the two statuses and the category say beyond the usual."""
    usual = {"clinicalStatus": {"active", "resolved"}, "verificationStatus": {"confirmed"}}
    for key, fine in usual.items():
        codes = {code.code for code in reader.codes(item, f".{key}", item.resource.get(key))}
        if codes - fine:
            reader.lose(item, f".{key}", f"status {', '.join(sorted(codes - fine))}")
    for number, category in enumerate(item.resource.get("category", ())):
        for code in reader.codes(item, f".category[{number}]", category):
            if code.code != "problem-list-item":
                reader.lose(item, f".category[{number}]", f"category {code.code}")
