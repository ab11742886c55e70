"""A value or a dose in a unit that measures something else is an error with its place, read or written."""

from datetime import date
from typing import Any

import pytest

from oncoproof.errors import FormatError, JourneyError
from oncoproof.journey.codes import Code, System, check_form
from oncoproof.journey.contents import Content, Diagnosis, DrugDose, Lab, Modality, Role, Status, Treatment
from oncoproof.journey.events import Event, Source
from oncoproof.journey.fhir import check, from_fhir, to_fhir
from oncoproof.journey.fhir.dimensions import analytes, expected_of, expected_of_dose
from oncoproof.journey.fhir.listings import rows_of
from oncoproof.journey.graph import Journey
from oncoproof.journey.patient import Patient
from oncoproof.journey.ucum import parse_unit
from oncoproof.journey.units import Quantity
from oncoproof.knowledge.subjects.analytes import load_analytes

LOINC = System.LOINC.value


def quantity(unit: str, value: float = 80.0) -> dict[str, Any]:
    return {"value": value, "unit": unit, "system": System.UCUM.value, "code": unit}


def named(code: str) -> dict[str, Any]:
    return {"coding": [{"system": LOINC, "code": code}]}


def observation(code: str, **more: Any) -> dict[str, Any]:
    return {"resourceType": "Observation", "id": "x", "status": "final", "code": named(code), **more}


def medicine(kind: str, **more: Any) -> dict[str, Any]:
    drug = {"text": "osimertinib"}
    subject = {"reference": "Patient/p"}
    return {
        "resourceType": kind,
        "id": "x",
        "status": "active" if kind == "MedicationRequest" else "completed",
        "medicationCodeableConcept": drug,
        "subject": subject,
        **more,
    }


WRONG = {
    "creatinine in kg": (observation("2160-0", valueQuantity=quantity("kg")), "valueQuantity.code"),
    "platelets in mg/dL": (observation("777-3", valueQuantity=quantity("mg/dL")), "valueQuantity.code"),
    "ALT in 10*9/L": (observation("1742-6", valueQuantity=quantity("10*9/L")), "valueQuantity.code"),
    "weight in cm": (observation("29463-7", valueQuantity=quantity("cm")), "valueQuantity.code"),
    "potassium in mg/dL": (observation("2823-3", valueQuantity=quantity("mg/dL")), "valueQuantity.code"),
    "a range in mm": (
        observation(
            "2160-0", valueQuantity=quantity("mg/dL"), referenceRange=[{"high": quantity("mm", 1.2)}]
        ),
        "referenceRange[0].high.code",
    ),
    "a component in kg": (
        observation("85354-9", component=[{"code": named("8480-6"), "valueQuantity": quantity("kg")}]),
        "component[0].valueQuantity.code",
    ),
    "a range of a component in kg": (
        observation(
            "85354-9",
            component=[
                {"code": named("8462-4"), "valueQuantity": quantity("mm[Hg]")},
                {
                    "code": named("8480-6"),
                    "valueQuantity": quantity("mm[Hg]"),
                    "referenceRange": [{"low": quantity("kg")}],
                },
            ],
        ),
        "component[1].referenceRange[0].low.code",
    ),
    "a dose given in mm": (
        medicine("MedicationAdministration", effectiveDateTime="2026-03-01", dosage={"dose": quantity("mm")}),
        "dosage.dose.code",
    ),
    "a dose asked for in mm": (
        medicine(
            "MedicationRequest",
            intent="order",
            dosageInstruction=[{"text": "daily"}, {"doseAndRate": [{"doseQuantity": quantity("mm")}]}],
        ),
        "dosageInstruction[1].doseAndRate[0].doseQuantity.code",
    ),
    "a dose stated in mg/dL": (
        medicine("MedicationStatement", dosage=[{"doseAndRate": [{"doseQuantity": quantity("mg/dL")}]}]),
        "dosage[0].doseAndRate[0].doseQuantity.code",
    ),
}
"""What is valid UCUM and measures something else, and where."""


@pytest.mark.parametrize("name", list(WRONG))
def test_a_unit_that_measures_something_else_is_an_error_with_resource_and_path(name: str) -> None:
    resource, path = WRONG[name]
    where = f"{resource['resourceType']}/x: {resource['resourceType']}.{path}"
    assert [problem.where for problem in check(resource)] == [where]
    with pytest.raises(FormatError) as caught:
        from_fhir(resource)
    assert caught.value.where == where
    assert "a unit" in caught.value.expected
    assert [problem.where for problem in check(resource)] == [where], "once more, from memory"


@pytest.mark.parametrize("name", list(WRONG))
def test_a_resource_with_a_wrong_unit_is_a_loss_where_the_reader_is_not_strict(name: str) -> None:
    resource, path = WRONG[name]
    reading = from_fhir(resource, strict=False)
    assert any(loss.where.endswith(path) for loss in reading.losses)
    assert len(reading.journey) == 0


@pytest.mark.parametrize(
    ("code", "unit"),
    [
        ("2160-0", "mg/dL"),
        ("2160-0", "umol/L"),
        ("751-8", "10*3/uL"),
        ("751-8", "/mm3"),
        ("1742-6", "U/L"),
        ("1742-6", "[IU]/L"),
        ("1742-6", "ukat/L"),
        ("4548-4", "mmol/mol"),
        ("6301-6", "{INR}"),
        ("8867-4", "{beats}/min"),
        ("10334-1", "k[IU]/L"),
        ("10334-1", "[arb'U]/mL"),
        ("39156-5", "kg/m2"),
        ("8310-5", "[degF]"),
        ("2160-0", "no unit at all"),
        ("9999-9", "kg"),
    ],
)
def test_units_in_use_pass_and_what_is_not_known_is_not_judged(code: str, unit: str) -> None:
    assert expected_of(code, unit) == ""


@pytest.mark.parametrize(
    "unit",
    [
        *("mg", "mg/m2", "mg/kg", "ug/kg/d", "mg/mL.min", "mmol", "mL", "MBq", "GBq", "MBq/kg"),
        *("[IU]", "[IU]/m2", "U/m2", "[CFU]", "{tablet}", "10*6/kg"),
    ],
)
def test_medicines_are_dosed_in_these_units(unit: str) -> None:
    assert expected_of_dose(unit) == ""


@pytest.mark.parametrize("unit", ["mm", "mg/dL", "10*9/L", "mm[Hg]", "Cel", "h"])
def test_and_not_in_those(unit: str) -> None:
    assert expected_of_dose(unit)


def test_the_tables_are_sound_and_know_every_analyte_of_the_knowledge_base() -> None:
    dimensions = {row["dimension"]: row["units"].split() for row in rows_of("dimensions")}
    used = {name for names in analytes().values() for name in names}
    for units in dimensions.values():
        assert units
        assert [parse_unit(unit) for unit in units]
    dosed = {row["dimension"] for row in rows_of("dimensions") if row["is_dose"] == "yes"}
    assert used | dosed == dimensions.keys(), "every dimension is used, and every one that is used is known"
    for code in analytes():
        check_form(LOINC, code)
    rows = [row["loinc"] for row in rows_of("analytes")]
    assert len(rows) == len(set(rows))
    assert analytes().keys() >= {code for each in load_analytes().values() for code in each.loinc}


def journey_with(content: Content, *codes: Code) -> Journey:
    journey = Journey(Patient(id="p"), date(2026, 3, 1))
    diagnosis = Diagnosis(role=Role.PRIMARY)
    journey.add(Event(id="d", day=0, recorded=0, source=Source.CLINICAL, content=diagnosis))
    journey.add(Event(id="x", day=1, recorded=1, source=Source.LAB, content=content, codes=codes))
    return journey


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.PLANNED])
def test_what_would_be_refused_is_not_written(status: Status) -> None:
    creatinine = Code.of(System.LOINC, "2160-0")
    with pytest.raises(JourneyError, match="event 'x': came: a value in 'kg'"):
        to_fhir(journey_with(Lab(value=Quantity(1.0, "kg")), creatinine).record())
    drug = DrugDose(drug=Code.of(System.DRUG, "osimertinib"), dose=Quantity(80.0, "mm"))
    treatment = Treatment(modality=Modality.DRUG, drugs=(drug,), status=status)
    with pytest.raises(JourneyError, match="event 'x': came: a dose in 'mm'"):
        to_fhir(journey_with(treatment).record())
