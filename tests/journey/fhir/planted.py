"""Planted faults: one thing made wrong in a bundle that was right, and where a check must find it.

Each fault is planted in the bundle of `rich_journey`: a value is put in place of another, or taken out.
The names of resources are theirs there; paths are FHIR paths.
"""

from dataclasses import dataclass
from typing import Any

from journey.fhir.records import rich_journey
from oncoproof.journey.codes import System
from oncoproof.journey.fhir import to_fhir
from oncoproof.journey.fhir.addresses import CONDITION_CLINICAL, OBSERVATION_CATEGORY, profile

GONE = object()
"""Put in place of a value: the element is taken out."""


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault."""

    resource: str
    """Type and id of the resource that it is planted in; its index where it loses its type."""
    steps: tuple[str | int, ...]
    """Where in the resource."""
    value: Any
    """What is put there."""
    path: str = ""
    """Where it must be found; empty = where it was planted."""
    found_in: str = ""
    """The resource in which it must be found; empty = where it was planted."""

    @property
    def where(self) -> str:
        """Where it must be found, in one line."""
        resource = self.found_in or self.resource
        steps = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.steps)
        return f"{resource}: {self.path or resource.partition('/')[0] + steps}"


def plant(fault: Planted) -> dict[str, Any]:
    """The bundle with the fault in it."""
    bundle = to_fhir(rich_journey().record())
    kind, _, identity = fault.resource.partition("/")
    held: Any = next(
        entry["resource"]
        for entry in bundle["entry"]
        if (entry["resource"]["resourceType"], entry["resource"]["id"]) == (kind, identity)
    )
    *way, last = fault.steps
    for step in way:
        held = held[step]
    if fault.value is GONE:
        del held[last]
    else:
        held[last] = fault.value
    return bundle


def _concept(system: str, code: str) -> dict[str, Any]:
    return {"coding": [{"system": system, "code": code}]}


_VARIANT, _LAB, _SCAN, _CANCER = "Observation/e6", "Observation/e23", "DiagnosticReport/e31", "Condition/e1"
_HARM, _PLAN, _DRUG = "AdverseEvent/e40", "CarePlan/e35", "MedicationAdministration/e35.drug1"
_SIZE, _GROUP, _ECOG, _STATUS = (
    "Observation/e31.lesion1",
    "Observation/e2",
    "Observation/e32",
    "Observation/e45",
)
_LOINC, _SNOMED, _UCUM = System.LOINC.value, System.SNOMED.value, System.UCUM.value
_VALUE = "valueQuantity"

PLANTED: dict[str, Planted] = {
    # Values outside closed lists.
    "status banana": Planted(_LAB, ("status",), "banana"),
    "status in capitals": Planted(_VARIANT, ("status",), "Final"),
    "gender": Planted("Patient/p1", ("gender",), "f"),
    "status of a plan": Planted(_PLAN, ("status",), "in-progress"),
    "intent of a plan": Planted(_PLAN, ("intent",), "wish"),
    "status of a scan": Planted(_SCAN, ("status",), "done"),
    "actuality": Planted(_HARM, ("actuality",), "real"),
    "comparator": Planted("Observation/e24", (_VALUE, "comparator"), "~"),
    # Types and forms.
    "unknown resource type": Planted(
        _LAB,
        ("resourceType",),
        "Observationn",
        "Bundle.entry[29].resource.resourceType",
        "Bundle.entry[29].resource",
    ),
    "no resource type": Planted(
        _LAB, ("resourceType",), GONE, "Bundle.entry[29].resource.resourceType", "Bundle.entry[29].resource"
    ),
    "an id with a blank": Planted(_LAB, ("id",), "e 23", "Observation.id", "Observation/e 23"),
    "an id too long": Planted(_LAB, ("id",), "x" * 65, "Observation.id", f"Observation/{'x' * 65}"),
    "a number as text": Planted(_LAB, (_VALUE, "value"), "1.2"),
    "a text as number": Planted("Observation/e26", ("valueString",), 4),
    "a flag as text": Planted(
        "DiagnosticReport/e44", ("extension", 1, "extension", 0, "valueBoolean"), "true"
    ),
    "a score as decimal": Planted(_ECOG, ("valueInteger",), 1.5),
    "null": Planted(_LAB, ("effectiveDateTime",), None),
    "an empty text": Planted("Observation/e26", ("valueString",), ""),
    "an object for a code": Planted(_LAB, ("status",), {"code": "final"}),
    "a text for a concept": Planted(_LAB, ("code",), "creatinine"),
    # Dates.
    "no day of the calendar": Planted(_CANCER, ("onsetDateTime",), "2026-02-30"),
    "a date of another country": Planted(_LAB, ("effectiveDateTime",), "01.03.2026"),
    "a time without zone": Planted(_LAB, ("effectiveDateTime",), "2026-03-09T10:00:00"),
    "a birth with a time": Planted("Patient/p1", ("birthDate",), "1961-07-04T00:00:00Z"),
    "a month 13": Planted(_HARM, ("date",), "2026-13-01"),
    "an end before the start": Planted(_PLAN, ("period", "end"), "2025-01-01", "CarePlan.period"),
    # Cardinality and names.
    "a list for one": Planted(_LAB, ("code",), [_concept(_LOINC, "2160-0")]),
    "one for a list": Planted(_LAB, ("category",), _concept(_LOINC, "2160-0")),
    "an empty list": Planted(_LAB, ("category",), []),
    "an empty object": Planted(_LAB, ("code",), {}),
    "an unknown element": Planted(_LAB, ("colour",), "red"),
    "a misspelt element": Planted(_CANCER, ("onsetDatetime",), "2026-03-01"),
    "an element of another resource": Planted(_LAB, ("gender",), "female"),
    "two values": Planted(_LAB, ("valueString",), "high", "Observation.value[x]"),
    "two onsets": Planted(_CANCER, ("onsetString",), "in spring", "Condition.onset[x]"),
    # What FHIR requires.
    "no status": Planted(_LAB, ("status",), GONE),
    "no code": Planted(_LAB, ("code",), GONE),
    "no subject of a condition": Planted(_CANCER, ("subject",), GONE),
    "no subject of harm": Planted(_HARM, ("subject",), GONE),
    "no intent": Planted(_PLAN, ("intent",), GONE),
    "no medicine": Planted(
        _DRUG, ("medicationCodeableConcept",), GONE, "MedicationAdministration.medication[x]"
    ),
    "no code of a component": Planted(_VARIANT, ("component", 2, "code"), GONE),
    "a value and why there is none": Planted(_LAB, ("dataAbsentReason",), _concept(_LOINC, "LA11884-6")),
    "an end of what goes on": Planted(
        _CANCER, ("abatementDateTime",), "2026-05-01", "Condition.clinicalStatus"
    ),
    "an extension that says nothing": Planted(
        _LAB, ("extension", 0, "valueCode"), GONE, "Observation.extension[0]"
    ),
    "an extension without address": Planted(_LAB, ("extension", 0, "url"), GONE),
    # References.
    "a reference to nothing": Planted(_LAB, ("subject", "reference"), "Patient/p2"),
    "a specimen that is not there": Planted(_VARIANT, ("specimen", "reference"), "Specimen/none"),
    "a size that is not there": Planted(_SCAN, ("result", 1, "reference"), "Observation/e99"),
    "a reference to another type": Planted(_LAB, ("subject", "reference"), "Condition/e1"),
    "a reference without form": Planted(_LAB, ("subject", "reference"), "the patient"),
    "a contained resource that is not there": Planted(_LAB, ("subject", "reference"), "#p"),
    "a cause that is not there": Planted(
        _HARM, ("extension", 2, "extension", 0, "valueReference", "reference"), "CarePlan/e99"
    ),
    "an id twice": Planted(_LAB, ("id",), "e24", "Observation.id", "Observation/e24"),
    # Codes.
    "a LOINC check digit": Planted(_LAB, ("code", "coding", 0, "code"), "2160-1"),
    "a SNOMED CT check digit": Planted(_CANCER, ("code", "coding", 0, "code"), "254637008"),
    "words for an RxNorm code": Planted(
        _DRUG, ("medicationCodeableConcept", "coding", 0, "code"), "osimertinib"
    ),
    "HGVS without HGVS": Planted(
        _VARIANT, ("component", 1, "valueCodeableConcept", "coding", 0, "code"), "L858R"
    ),
    "a change by another system": Planted(
        _VARIANT,
        ("component", 1, "valueCodeableConcept", "coding", 0),
        {"system": _SNOMED, "code": "254637007"},
        "Observation.component[1].valueCodeableConcept",
    ),
    "the code of a variant": Planted(_VARIANT, ("code",), _concept(_LOINC, "2160-0")),
    "the answer of a variant": Planted(_VARIANT, ("valueCodeableConcept",), _concept(_LOINC, "LA26203-2")),
    "the code of a stage group": Planted(_GROUP, ("code",), _concept(_SNOMED, "254637007")),
    "the code of a tumour size": Planted(_SIZE, ("code",), _concept(_LOINC, "2160-0")),
    "the trend of a cancer": Planted(_STATUS, ("valueCodeableConcept",), _concept(_SNOMED, "254637007")),
    "the category of a laboratory value": Planted(
        _LAB, ("category",), [_concept(OBSERVATION_CATEGORY, "survey")]
    ),
    "a clinical status": Planted(
        _CANCER,
        ("clinicalStatus",),
        _concept(CONDITION_CLINICAL, "ongoing"),
    ),
    "the outcome of harm": Planted(_HARM, ("outcome",), _concept(_SNOMED, "254637007")),
    # Profiles.
    "a profile of another type": Planted(
        _LAB,
        ("meta", "profile"),
        [profile("mcode/mcode-primary-cancer-condition")],
        "Observation.resourceType",
    ),
    "no method of a stage": Planted(_GROUP, ("method",), GONE),
    "no name of a patient": Planted("Patient/p1", ("name",), GONE),
    "no category of a cancer": Planted(_CANCER, ("category",), GONE),
    "a tumour without identifier": Planted("BodyStructure/e31.tumour1", ("identifier",), GONE),
    "components of a performance status": Planted(
        _ECOG, ("component",), [{"code": _concept(_LOINC, "2160-0"), "valueInteger": 1}]
    ),
    "an ECOG score of 7": Planted(_ECOG, ("valueInteger",), 7),
    "a Karnofsky score of 85": Planted("Observation/e33", ("valueInteger",), 85),
    "the type of a part": Planted(
        _VARIANT,
        ("component", 4),
        {"code": _concept(_LOINC, "81258-6"), "valueString": "a third"},
        "Observation.component[4].valueString",
    ),
    # Units.
    "no UCUM": Planted(_LAB, (_VALUE, "code"), "mg per dl"),
    "the case of a unit": Planted(_LAB, (_VALUE, "code"), "MG/DL"),
    "a unit without system": Planted(_LAB, (_VALUE, "system"), GONE),
    "inches of a lesion": Planted(
        _SIZE,
        ("component", 0, _VALUE),
        {"value": 1.2, "system": _UCUM, "code": "[in_i]"},
        "Observation.component[0].valueQuantity.code",
    ),
    "mutations in per cent": Planted(
        "Observation/e18",
        (_VALUE,),
        {"value": 7.5, "system": _UCUM, "code": "%"},
        "Observation.valueQuantity.code",
    ),
    "a unit of a dose": Planted(_DRUG, ("dosage", "dose", "code"), "mgs"),
}
