"""Treatments: regimens as care plans with a resource for each drug, operations and the like as procedures.

Rules this module guarantees:

- A regimen is a care plan: codes, line, intent, dose and what became of it stand there once. Each drug
  is a mCODE medication administration, or a medication request while the regimen is only planned.
- An operation or radiotherapy without drugs is a mCODE procedure.

    >>> from oncoproof.journey.contents import Treatment, Modality
    >>> is_given(Treatment(modality=Modality.DRUG, status=Status.PLANNED))
    False
"""

from oncoproof.journey.codes import System
from oncoproof.journey.contents import DrugDose, Modality, Status, Treatment
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import INTENT, TERMINATION
from oncoproof.journey.fhir.dimensions import expected_of_dose, require_unit
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.vocabulary import (
    ADMINISTRATION_STATUS,
    CARE_PLAN_STATUS,
    INTENTS,
    PROCEDURE_STATUS,
    REQUEST_STATUS,
    ROUTES,
    TERMINATIONS,
)
from oncoproof.journey.fhir.writer import Writer, coding_of, concept, meta, named, quantity_of, words
from oncoproof.journey.links import Reason
from oncoproof.journey.units import Quantity

_SNOMED = System.SNOMED.value


def is_given(content: Treatment) -> bool:
    """Whether a treatment has begun."""
    return content.status is not Status.PLANNED


def write_treatment(writer: Writer, event: Event, content: Treatment) -> None:
    """Add a treatment to the bundle."""
    if writer.addresses[event.id].startswith("Procedure/"):
        _write_procedure(writer, event, content)
    else:
        _write_plan(writer, event, content)


def _marks(writer: Writer, event: Event, content: Treatment) -> list[Object]:
    """The extensions of the resource that stands for the treatment as a whole."""
    more: list[Object] = [{"url": "modality", "valueCode": content.modality.value}]
    if content.line is not None:
        more.append({"url": "line", "valueInteger": content.line})
    if content.dose_fraction != 1.0:
        more.append({"url": "doseFraction", "valueDecimal": content.dose_fraction})
    if content.reason_ended:
        more.append({"url": "reasonEnded", "valueString": content.reason_ended})
    return writer.marks(event, *more)


def _mcode_extensions(content: Treatment) -> list[Object]:
    """What mCODE wants to know of a treatment: its intent, and why it ended."""
    extensions: list[Object] = []
    if content.intent is not None:
        extensions.append({"url": INTENT, "valueCodeableConcept": concept(_SNOMED, *INTENTS[content.intent])})
    code = TERMINATIONS.get(content.reason_ended)
    if code is not None:
        extensions.append({"url": TERMINATION, "valueCodeableConcept": concept(_SNOMED, *code)})
    return extensions


def _period(writer: Writer, event: Event) -> Object:
    period: Object = {"start": writer.date(event.day)}
    if event.end is not None:
        period["end"] = writer.date(event.end)
    return period


def _write_plan(writer: Writer, event: Event, content: Treatment) -> None:
    extensions = _marks(writer, event, content)
    if content.intent is not None:
        extensions.append({"url": INTENT, "valueCodeableConcept": concept(_SNOMED, *INTENTS[content.intent])})
    plan: Object = {
        "resourceType": "CarePlan",
        "id": event.id,
        "extension": extensions,
        "status": CARE_PLAN_STATUS[content.status],
        "intent": "plan" if content.status is Status.PLANNED else "order",
        "category": [named(event.codes)],
        "subject": writer.subject(),
        "period": _period(writer, event),
    }
    is_cancer = content.modality is not Modality.SUPPORTIVE
    if is_cancer and writer.primary is not None:
        plan["addresses"] = [writer.primary_cancer()]
    supporting = [
        {"reference": writer.addresses[link.cause]}
        for link in writer.causes(event)
        if link.reason is Reason.GUIDES or link.reason is Reason.MODIFIES
    ]
    if supporting:
        plan["supportingInfo"] = supporting
    drugs = [
        _write_drug(writer, event, content, drug=drug, number=number)
        for number, drug in enumerate(content.drugs, start=1)
    ]
    if drugs:
        plan["activity"] = [_activity(address) for address in drugs]
        writer.drugs[event.id] = drugs
    if event.note:
        plan["note"] = [{"text": event.note}]
    writer.put(plan)


def _activity(address: str) -> Object:
    if address.startswith("MedicationRequest/"):
        return {"reference": {"reference": address}}
    return {"outcomeReference": [{"reference": address}]}


def _write_drug(writer: Writer, event: Event, content: Treatment, *, drug: DrugDose, number: int) -> str:
    """Add a drug of a regimen; gives its address."""
    identity = writer.part_id(event.id, f"drug{number}")
    is_cancer = content.modality is not Modality.SUPPORTIVE
    kind = "MedicationAdministration" if is_given(content) else "MedicationRequest"
    resource: Object = {"resourceType": kind, "id": identity}
    if is_cancer:
        suffix = "administration" if is_given(content) else "request"
        resource["meta"] = meta(f"mcode/mcode-cancer-related-medication-{suffix}")
    extensions = _mcode_extensions(content)
    if extensions:
        resource["extension"] = extensions
    if is_given(content):
        _administer(writer, event, content, drug, resource)
    else:
        _request(writer, event, content, drug, resource)
    if is_cancer and writer.primary is not None:
        resource["reasonReference"] = [writer.primary_cancer()]
    writer.put(resource)
    return f"{kind}/{identity}"


def _administer(writer: Writer, event: Event, content: Treatment, drug: DrugDose, resource: Object) -> None:
    resource["status"] = ADMINISTRATION_STATUS[content.status]
    resource["medicationCodeableConcept"] = {"coding": [coding_of(drug.drug)]}
    resource["subject"] = writer.subject()
    resource["effectivePeriod"] = _period(writer, event)
    dosage = _dosage(drug)
    if drug.dose is not None:
        dosage["dose"] = _dose(event, drug.dose)
    if dosage:
        resource["dosage"] = dosage


def _request(writer: Writer, event: Event, content: Treatment, drug: DrugDose, resource: Object) -> None:
    resource["status"] = REQUEST_STATUS[content.status]
    resource["intent"] = "plan"
    resource["medicationCodeableConcept"] = {"coding": [coding_of(drug.drug)]}
    resource["subject"] = writer.subject()
    resource["authoredOn"] = writer.date(event.day)
    resource["requester"] = {"display": "the treating team"}
    dosage = _dosage(drug)
    if drug.dose is not None:
        dosage["doseAndRate"] = [{"doseQuantity": _dose(event, drug.dose)}]
    if dosage:
        resource["dosageInstruction"] = [dosage]


def _dose(event: Event, dose: Quantity) -> Object:
    told = quantity_of(dose)
    require_unit(told, expected_of_dose, event.id, "a dose")
    return told


def _dosage(drug: DrugDose) -> Object:
    dosage: Object = {}
    if drug.text:
        dosage["text"] = drug.text
    if drug.route:
        route = words(drug.route)
        if drug.route in ROUTES:
            route = {**concept(_SNOMED, *ROUTES[drug.route]), "text": drug.route}
        dosage["route"] = route
    return dosage


_RADIOTHERAPY = ("1217123003", "Radiotherapy course of treatment")
_CATEGORY = {
    Modality.SURGERY: ("387713003", "Surgical procedure"),
    Modality.RADIATION: ("108290001", "Radiation oncology AND/OR radiotherapy"),
}
_PROCEDURE_PROFILE = {
    Modality.SURGERY: "mcode/mcode-cancer-related-surgical-procedure",
    Modality.RADIATION: "mcode/mcode-radiotherapy-course-summary",
}


def _write_procedure(writer: Writer, event: Event, content: Treatment) -> None:
    is_radiation = content.modality is Modality.RADIATION
    fixed = [(_SNOMED, *_RADIOTHERAPY)] if is_radiation else []
    resource: Object = {
        "resourceType": "Procedure",
        "id": event.id,
        "meta": meta(_PROCEDURE_PROFILE[content.modality]),
        "extension": [*_marks(writer, event, content), *_mcode_extensions(content)],
        "status": PROCEDURE_STATUS[content.status],
        "category": concept(_SNOMED, *_CATEGORY[content.modality]),
        "code": named(event.codes, *fixed),
        "subject": writer.subject(),
    }
    if is_radiation or event.end is not None:
        resource["performedPeriod"] = _period(writer, event)
    else:
        resource["performedDateTime"] = writer.date(event.day)
    if writer.primary is not None:
        resource["reasonReference"] = [writer.primary_cancer()]
    if event.note:
        resource["note"] = [{"text": event.note}]
    writer.put(resource)
