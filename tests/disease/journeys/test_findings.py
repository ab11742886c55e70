"""Biomarkers as findings, laboratory values as reported, mechanisms, and the chronicle's order."""

from datetime import date

import pytest

from oncoproof.disease.journeys.biomarker_findings import biomarker_findings
from oncoproof.disease.journeys.chronicle import Chronicle
from oncoproof.disease.journeys.resistance_mechanisms import mechanism_of
from oncoproof.disease.journeys.visit_findings import laboratory_value
from oncoproof.journey import (
    CloneKind,
    Diagnosis,
    Modality,
    Origin,
    Outcome,
    OutcomeType,
    Patient,
    Presence,
    Reason,
    Role,
    SmallVariant,
    Status,
    Treatment,
)
from oncoproof.seeds import Seed


def test_a_key_that_sums_up_is_told_of_the_gene_that_is_altered() -> None:
    found = {
        each.key: each
        for each in biomarker_findings({"disease": "crc", "KRAS": "wt", "NRAS": "mut", "RAS": "mut"})
    }
    finding = found["RAS"].biomarker.finding
    assert isinstance(finding, SmallVariant)
    assert finding.gene == "NRAS"
    assert found["KRAS"].biomarker.presence is Presence.ABSENT


def test_what_is_inherited_is_found_in_blood() -> None:
    found = next(biomarker_findings({"disease": "ovarian", "BRCA": "germline"}))
    assert found.biomarker.origin is Origin.GERMLINE
    assert found.biomarker.specimen == "blood"


def test_the_score_of_pd_l1_is_that_of_the_disease() -> None:
    both = {"PDL1_TPS": 40.0, "PDL1_CPS": 30.0}
    assert [each.key for each in biomarker_findings({"disease": "nsclc", **both})] == ["PDL1_TPS"]
    assert [each.key for each in biomarker_findings({"disease": "breast", **both})] == ["PDL1_CPS"]


@pytest.mark.parametrize("analyte", ["haemoglobin", "alt_x_uln", "cea", "ca_125", "s100b"])
def test_values_have_a_code_and_a_unit(analyte: str) -> None:
    content, codes = laboratory_value(analyte, 1.5)
    assert codes
    assert content.value is not None


def test_a_mechanism_is_one_of_the_clone_s_kind_or_none() -> None:
    fact = mechanism_of("nsclc", "osimertinib", CloneKind.ON_TARGET, Seed(1))
    assert fact is not None
    assert fact.kind.value == "on_target"
    assert mechanism_of("nsclc", "osimertinib", CloneKind.SENSITIVE, Seed(1)) is None
    assert mechanism_of("nsclc", "", CloneKind.BYPASS, Seed(1)) is None


def test_a_chronicle_is_told_in_order_of_time_whatever_the_order_of_telling() -> None:
    chronicle = Chronicle()
    chronicle.tell("end", 30, Outcome(type=OutcomeType.DEATH, cause="cancer"), delay=2)
    given = Treatment(modality=Modality.DRUG, status=Status.STOPPED, reason_ended="death")
    chronicle.tell("given", 0, given, end=30, because=[("found", Reason.GUIDES), ("unsaid", Reason.GUIDES)])
    chronicle.tell("found", 0, Diagnosis(role=Role.PRIMARY), delay=3)
    journey = chronicle.journey(Patient(id="p1"), date(2025, 3, 3))
    assert [event.kind.value for event in journey] == ["diagnosis", "treatment", "outcome"]
    links = list(journey.links())
    assert [(link.cause, link.effect, link.recorded) for link in links] == [("e1", "e2", 3)]
