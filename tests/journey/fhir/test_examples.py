"""The official mCODE examples import: each by itself and all together, with every loss named."""

import json
from pathlib import Path
from typing import Any

import pytest

from journey.fhir.peer import complaints
from oncoproof.journey.events import Kind
from oncoproof.journey.fhir import check, from_fhir, to_fhir_bytes

pytestmark = pytest.mark.shared

TOLD = {
    "Condition-mCODEPrimaryCancerConditionExample01": Kind.DIAGNOSIS,
    "MedicationStatement-mCODECancerRelatedMedicationStatementExample01": Kind.TREATMENT,
    "Observation-mCODECancerDiseaseStatusExample01": Kind.OUTCOME,
    "Observation-mCODECancerGeneticVariantExample01": Kind.BIOMARKER,
    "Observation-mCODEECOGPerformanceStatusExample01": Kind.PERFORMANCE,
    "Observation-mCODETNMClinicalStageGroupExample01": Kind.STAGE,
    "Observation-mCODETumorMarkerExample01": Kind.LAB,
    "Procedure-mCODECancerRelatedRadiationProcedureExample01": Kind.TREATMENT,
}
"""What an example tells, by the name of its file."""


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> dict[str, dict[str, Any]]:
    paths = sorted((shared_data / "mcode").glob("*.json"))
    if not paths:
        pytest.skip("the mCODE examples beside the project are absent")
    return {path.stem: json.loads(path.read_bytes()) for path in paths}


def test_each_example_imports_by_itself(examples: dict[str, dict[str, Any]]) -> None:
    for name, resource in examples.items():
        assert check(resource) == (), name
        reading = from_fhir(resource)
        is_told = len(reading.journey) > 0 or resource["resourceType"] == "Patient"
        assert is_told or reading.losses, name
        if name in TOLD:
            assert {event.kind for event in reading.journey} == {TOLD[name]}, name


def test_all_examples_import_as_one_journey_and_go_out_again(examples: dict[str, dict[str, Any]]) -> None:
    reading = from_fhir(list(examples.values()))
    told = {event.kind for event in reading.journey}
    assert told >= set(TOLD.values())
    for loss in reading.losses:
        assert loss.where
        assert loss.what
    data = to_fhir_bytes(reading.journey.record())
    assert check(data) == ()
    assert complaints(data) == []
    again = from_fhir(data)
    assert again.losses == ()
    assert list(again.journey) == list(reading.journey)
