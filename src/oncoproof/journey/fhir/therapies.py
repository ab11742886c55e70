"""Therapies: treatments read back from care plans, medicines and procedures.

Rules this module guarantees:

- A care plan of this project's making takes its drugs in; a foreign medicine alone is a treatment with
  one drug. What mCODE STU1 called otherwise is understood too.

    >>> procedure_modality({"category": {"coding": [{"code": "387713003"}]}, "code": {}})
    <Modality.SURGERY: 'surgery'>
"""

from typing import Any

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import DrugDose, Intent, Modality, Status, Treatment
from oncoproof.journey.fhir.addresses import INTENT, INTENT_STU1, TERMINATION, TERMINATION_STU1
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader, member
from oncoproof.journey.fhir.vocabulary import (
    INTENT_BY_CODE,
    ROUTE_BY_CODE,
    STATUS_BY_CODE,
    TERMINATION_BY_CODE,
)
from oncoproof.journey.units import Quantity

_PLAN_READ = ALWAYS | names_in("status intent category subject period addresses supportingInfo activity note")
_PROCEDURE_READ = ALWAYS | names_in(
    "status category code subject performedPeriod performedDateTime reasonReference note"
)
_DRUG_READ = ALWAYS | names_in(
    "status intent medicationCodeableConcept medicationReference subject authoredOn effectivePeriod "
    "effectiveDateTime dosage dosageInstruction reasonReference note requester dateAsserted"
)
_DOSAGE_READ = names_in("text route dose doseAndRate")
_RATE_READ = frozenset({"doseQuantity"})
_NOTHING = frozenset[str]()


def read_plan(reader: Reader, item: Item) -> list[Found]:
    """The regimen that a care plan of this project's making stands for."""
    resource = item.resource
    codes = reader.once(item, _plan_codes)
    drugs: list[DrugDose] = []
    for activity in resource.get("activity", ()):
        for reference in (*activity.get("outcomeReference", ()), *_single(activity.get("reference"))):
            child = reader.take(reference)
            drug = None if child is None else _read_drug(reader, reader.unpack(child))
            if drug is None:
                reader.lose(item, ".activity", str(reference.get("reference", "an activity")))
            else:
                drugs.append(drug)
    day, end = reader.first_day(item, "period")
    content = _treatment(reader, item, Modality.DRUG, tuple(drugs))
    reader.take_note(item)
    reader.rest(item, _PLAN_READ)
    return [Found(content=content, day=day, codes=codes, end=end)]


def _plan_codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    categories = item.resource.get("category", ())
    return tuple(code for each in categories for code in reader.codes(item, ".category", each))


def _single(reference: Object | None) -> tuple[Object, ...]:
    return () if reference is None else (reference,)


def _treatment(reader: Reader, item: Item, modality: Modality, drugs: tuple[DrugDose, ...]) -> Treatment:
    """What a resource says of a treatment as a whole."""
    marks = item.marks
    if "modality" in marks:
        modality = member(Modality, marks["modality"], item)
    line, fraction = marks.get("line"), marks.get("doseFraction", 1.0)
    reason = _reason(reader, item)
    status = STATUS_BY_CODE.get(item.resource["status"])
    if status is None:
        reader.lose(item, ".status", f"status {item.resource['status']}")
        status = Status.STOPPED
    return Treatment(
        modality=modality,
        drugs=drugs,
        line=line if isinstance(line, int) else None,
        intent=_intent(reader, item),
        status=status,
        dose_fraction=float(fraction) if isinstance(fraction, int | float) else 1.0,
        reason_ended=item.mark("reasonEnded") or reason,
    )


def _intent(reader: Reader, item: Item) -> Intent | None:
    codes = reader.concept_extension(item, INTENT, INTENT_STU1)
    for code in codes:
        if code.code not in INTENT_BY_CODE:
            reader.lose(item, ".extension", f"intent {code.code}")
    return next((INTENT_BY_CODE[code.code] for code in codes if code.code in INTENT_BY_CODE), None)


def _reason(reader: Reader, item: Item) -> str:
    codes = reader.concept_extension(item, TERMINATION, TERMINATION_STU1)
    return TERMINATION_BY_CODE.get(codes[0].code, codes[0].display or codes[0].code) if codes else ""


def _read_drug(reader: Reader, item: Item) -> DrugDose | None:
    """The drug of a medicine within a care plan; what the plan says once is not read again."""
    if not item.resource["resourceType"].startswith("Medication") or "status" not in item.resource:
        return None
    for address in (INTENT, TERMINATION):
        item.extension(address)
    drug = _drug(reader, item)
    reader.rest(item, _DRUG_READ)
    return drug


def _drug(reader: Reader, item: Item) -> DrugDose:
    concept = item.resource.get("medicationCodeableConcept")
    if concept is not None:
        return reader.once(item, _coded_drug)
    held = reader.take(item.resource.get("medicationReference", {}))
    if held is None:
        reader.lose(item, ".medicationReference", "a medicine that is not in the document")
        return _named_drug(reader, item, None)
    reader.rest(reader.unpack(held), frozenset({"code"}))
    return _named_drug(reader, item, held.resource.get("code"))


def _coded_drug(reader: Reader, item: Item) -> DrugDose:
    return _named_drug(reader, item, item.resource["medicationCodeableConcept"])


def _named_drug(reader: Reader, item: Item, concept: Object | None) -> DrugDose:
    codes, text = reader.codes_and_text(item, ".medicationCodeableConcept", concept)
    for further in codes[1:]:
        reader.lose(item, ".medicationCodeableConcept", f"a further code: {further.code}")
    if codes and text and text != codes[0].display:
        item.note += (text,)
    return DrugDose(drug=codes[0] if codes else Code("", "", text), **_dosage(reader, item))


def _dosage(reader: Reader, item: Item) -> dict[str, Any]:
    """Dose, route and instruction of the first dosage."""
    resource = item.resource
    held = resource.get("dosageInstruction", resource.get("dosage", ()))
    dosages: list[Object] = [held] if isinstance(held, dict) else list(held)
    if not dosages:
        return {}
    for number in range(1, len(dosages)):
        reader.lose(item, f".dosage[{number}]", "a further dosage")
    dosage = dosages[0]
    reader.sides(item, ".dosage", dosage, _DOSAGE_READ, "a dosage")
    return {
        "dose": _dose(reader, item, dosage),
        "route": _route(reader, item, dosage),
        "text": dosage.get("text", ""),
    }


def _dose(reader: Reader, item: Item, dosage: Object) -> Quantity | None:
    rates = dosage.get("doseAndRate", ())
    for number, rate in enumerate(rates):
        read = _NOTHING if number else _RATE_READ
        reader.sides(item, f".dosage.doseAndRate[{number}]", rate, read, "a dosage")
    held = dosage.get("dose") or (rates[0].get("doseQuantity") if rates else None)
    return None if held is None else reader.quantity(item, ".dosage", held)


def _route(reader: Reader, item: Item, dosage: Object) -> str:
    codes, text = reader.codes_and_text(item, ".dosage.route", dosage.get("route"))
    if text or not codes:
        return text
    return ROUTE_BY_CODE.get(codes[0].code, codes[0].display or codes[0].code)


def read_medicine(reader: Reader, item: Item) -> list[Found]:
    """The treatment with one drug that a foreign medicine stands for."""
    resource = item.resource
    day, end = reader.first_day(item, "effectivePeriod", "effectiveDateTime", "authoredOn", "dateAsserted")
    recorded = None
    for key in ("dateAsserted", "authoredOn"):
        if key in resource:
            recorded = reader.day(item, f".{key}", resource[key])
    names = resource.get("meta", {}).get("profile", ())
    is_cancer = any("cancer" in name for name in names)
    drug = _drug(reader, item)
    content = _treatment(reader, item, Modality.DRUG if is_cancer else Modality.SUPPORTIVE, (drug,))
    _note_reasons(reader, item)
    if resource.get("intent", "order") != "order":
        reader.lose(item, ".intent", f"intent {resource['intent']}")
    if "requester" in resource:
        reader.lose(item, ".requester", "who asked for it")
    reader.take_note(item)
    reader.rest(item, _DRUG_READ)
    return [Found(content=content, day=day, end=end, recorded=recorded)]


_RADIATION_CODES = frozenset({"108290001", "1287742003", "1217123003", "152198000"})


def procedure_modality(resource: Object) -> Modality | None:
    """How a procedure acts on the cancer; None = it does not, as far as it says."""
    for name in resource.get("meta", {}).get("profile", ()):
        if "surgical-procedure" in name:
            return Modality.SURGERY
        if "radi" in name.rpartition("/")[2]:
            return Modality.RADIATION
    concepts = (resource.get("category", {}), resource.get("code", {}))
    codes = {coding.get("code") for concept in concepts for coding in concept.get("coding", ())}
    if codes & _RADIATION_CODES:
        return Modality.RADIATION
    return Modality.SURGERY if "387713003" in codes else None


def read_procedure(reader: Reader, item: Item) -> list[Found]:
    """The operation or radiotherapy that a procedure stands for."""
    resource = item.resource
    codes = reader.codes(item, ".code", resource.get("code"))
    day, end = reader.first_day(item, "performedPeriod", "performedDateTime")
    modality = procedure_modality(resource)
    content = _treatment(reader, item, modality or Modality.SUPPORTIVE, ())
    _note_reasons(reader, item)
    reader.take_note(item)
    reader.rest(item, _PROCEDURE_READ)
    return [Found(content=content, day=day, codes=codes, end=end)]


def _note_reasons(reader: Reader, item: Item) -> None:
    """Note reasons that lead out of the document."""
    if item.kind:
        return
    for reason in item.resource.get("reasonReference", ()):
        if reader.resolve(reason) is None:
            reader.lose(item, ".reasonReference", str(reason.get("reference", "a reason")))
