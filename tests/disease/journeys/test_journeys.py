"""Journeys of simulated patients: every disease, several seeds, read by all that reads journeys."""

from functools import cache
from itertools import pairwise

import pytest

from oncoproof.disease.journeys import SimulatedPatient, journey_of, observe_course, simulate_patient
from oncoproof.disease.numbers import assemble, prior_means
from oncoproof.disease.observations import End
from oncoproof.errors import InputError
from oncoproof.journey import (
    Journey,
    Kind,
    Modality,
    Outcome,
    OutcomeType,
    Reason,
    Source,
    Status,
    Treatment,
    fhir,
    phenopacket,
    to_json,
)
from oncoproof.knowledge.cancers import load_biomarkers
from oncoproof.knowledge.rules import load_checks, validate
from oncoproof.knowledge.subjects import statements, subjects_of
from oncoproof.seeds import Seed

DISEASES = ["nsclc", "crc", "breast", "melanoma", "ovarian", "prostate"]
TERMINAL = {OutcomeType.DEATH, OutcomeType.REMISSION, OutcomeType.HORIZON}
PATIENTS = [(disease, seed) for disease in DISEASES for seed in (1, 2, 5)]

each_patient = pytest.mark.parametrize(("disease", "seed"), PATIENTS)


@cache
def patient_of(disease: str, seed: int) -> SimulatedPatient:
    return simulate_patient(disease, Seed(seed), parameters=assemble(prior_means()))


@cache
def told_of(disease: str, seed: int) -> Journey:
    return journey_of(patient_of(disease, seed))


@each_patient
def test_it_ends_once_and_last(disease: str, seed: int) -> None:
    journey, patient = told_of(disease, seed), patient_of(disease, seed)
    events = list(journey)
    ends = [
        event for event in events if isinstance(event.content, Outcome) and event.content.type in TERMINAL
    ]
    assert ends == [events[-1]]
    assert ends[0].day == 7 * patient.episodes.weeks - 1
    content = ends[0].content
    assert isinstance(content, Outcome)
    cause = {
        End.DEATH_OF_DISEASE: "cancer", End.DEATH_OF_HARM: "toxicity", End.DEATH_OF_OTHER_CAUSE: "other",
    }.get(observe_course(patient).end, "")  # fmt: skip
    assert content.cause == cause


@each_patient
def test_everything_that_was_done_or_happened_has_a_cause(disease: str, seed: int) -> None:
    journey = told_of(disease, seed)
    for event in journey:
        reasons = {link.reason for link in journey.causes(event.id)}
        content = event.content
        if isinstance(content, Treatment) and content.line is not None:
            assert Reason.LEADS_TO in reasons, event
        elif event.kind is Kind.ADVERSE_EVENT:
            assert reasons in ({Reason.HARMS}, {Reason.DRIVES}), event
        elif event.kind is Kind.IMAGING:
            assert reasons & {Reason.RESPONDS, Reason.ORDERED_FOR, Reason.LEADS_TO}, event
        elif isinstance(content, Outcome) and content.type is OutcomeType.PROGRESSION:
            assert reasons == {Reason.READS, Reason.DRIVES}
        elif event.kind in {Kind.DECISION, Kind.BIOMARKER}:
            assert reasons, event


@each_patient
def test_decisions_rest_on_what_was_known(disease: str, seed: int) -> None:
    journey = told_of(disease, seed)
    for decision in journey.of_kind(Kind.DECISION):
        for link in journey.causes(decision.id):
            assert link.recorded == decision.day


@each_patient
def test_fhir_and_phenopackets_take_it_whole(disease: str, seed: int) -> None:
    record = told_of(disease, seed).record()
    bundle = fhir.to_fhir_bytes(record)
    assert fhir.check(bundle) == ()
    assert fhir.from_fhir(bundle).losses == ()
    phenopacket.check(phenopacket.to_phenopacket_bytes(record))


@each_patient
def test_nothing_contradicts_itself_at_any_decision(disease: str, seed: int) -> None:
    journey = told_of(disease, seed)
    days = [event.day for event in journey.of_kind(Kind.DECISION)]
    records = [*(journey.visible(day) for day in days), journey.record()]
    contradictions = [check for check in load_checks() if ":" in check.id]
    report = validate(subjects_of(records), checks=contradictions)
    for row in range(len(records)):
        assert report.violations(row) == ()


@each_patient
def test_the_record_says_of_biomarkers_what_laboratories_reported(disease: str, seed: int) -> None:
    features = patient_of(disease, seed).reported
    for event in told_of(disease, seed).of_kind(Kind.BIOMARKER):
        if event.day > 0:
            continue
        for key, value in statements(event, disease).items():
            known = features[key]
            assert value == (round(known) if isinstance(known, float) else known)
            assert load_biomarkers()[key].applies_to(disease)


@each_patient
def test_truth_stays_hidden(disease: str, seed: int) -> None:
    journey = told_of(disease, seed)
    clones = {event.id for event in journey.of_kind(Kind.CLONE)}
    assert clones
    record = journey.record()
    assert clones.isdisjoint(event.id for event in record.events)
    for link in journey.links():
        if link.cause in clones or link.effect in clones:
            assert link.recorded is None


@each_patient
def test_doses_of_a_line_follow_one_another(disease: str, seed: int) -> None:
    """No two treatments overlap, and only the last of a living patient goes on."""
    journey = told_of(disease, seed)
    given = [
        (event, event.content)
        for event in journey.of_kind(Kind.TREATMENT)
        if isinstance(event.content, Treatment) and event.content.modality is Modality.DRUG
    ]
    for (earlier, content), (later, _) in pairwise(given):
        assert earlier.end is not None
        assert earlier.end < later.day
        assert content.status is not Status.ACTIVE


def test_sources_tell_genomic_from_stained() -> None:
    events = list(told_of("nsclc", 1).of_kind(Kind.BIOMARKER))
    sources = {event.codes[0].code.partition("=")[0]: event.source for event in events if event.codes}
    assert sources["KRAS"] is Source.GENOMIC
    assert sources["PDL1_TPS"] is Source.LAB


def test_the_same_seed_gives_the_same_journey_and_another_another() -> None:
    again = simulate_patient("nsclc", Seed(2), parameters=assemble(prior_means()))
    assert to_json(journey_of(again)) == to_json(told_of("nsclc", 2))
    assert to_json(told_of("nsclc", 1)) != to_json(told_of("nsclc", 2))


def test_nobody_gets_a_regimen_twice() -> None:
    for disease, seed in PATIENTS:
        regimens = [line.regimen for line in patient_of(disease, seed).episodes.lines]
        assert len(set(regimens)) == len(regimens)


@pytest.mark.parametrize(
    ("disease", "guideline", "weeks", "came"),
    [
        ("gout", "resource_rich", 52, "gout"),
        ("nsclc", "astrology", 52, "astrology"),
        ("nsclc", "resource_rich", 0, "0 weeks"),
    ],
)
def test_what_cannot_be_simulated_is_refused_at_once(
    disease: str, guideline: str, weeks: int, came: str
) -> None:
    with pytest.raises(InputError, match=came):
        simulate_patient(disease, Seed(1), guideline=guideline, weeks=weeks)
