"""What is emitted: it passes the project's own checks and the peer's, and tells no truth."""

import re
from dataclasses import replace
from itertools import product
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from journey.fhir.peer import complaints
from journey.fhir.records import PATIENT, Story, findings, long_record, rich_journey
from oncoproof.errors import JourneyError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    Clone,
    CloneKind,
    Diagnosis,
    Imaging,
    Lab,
    LabCategory,
    Lesion,
    Modality,
    Role,
    Symptom,
    Treatment,
)
from oncoproof.journey.demonstration import demonstrate
from oncoproof.journey.events import Event, Kind, Source
from oncoproof.journey.fhir import check, to_fhir, to_fhir_bytes
from oncoproof.journey.fhir.addresses import BASE
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Link, Reason
from oncoproof.journey.patient import Patient
from oncoproof.journey.records import Record
from oncoproof.journey.stories import STORIES
from oncoproof.seeds import Seed
from strategies import journeys

SEEDS = (0, 1, 7, 12)


def resources(record: Record) -> list[dict[str, Any]]:
    return [entry["resource"] for entry in to_fhir(record)["entry"]]


@pytest.mark.parametrize(("disease", "seed"), list(product(STORIES, SEEDS)))
def test_every_demonstration_passes_both_checks(disease: str, seed: int) -> None:
    data = to_fhir_bytes(demonstrate(Seed(seed), disease).record())
    assert check(data) == ()
    assert complaints(data) == []


@pytest.mark.parametrize("transaction", [False, True], ids=["collection", "transaction"])
def test_a_record_with_everything_passes_both_checks(*, transaction: bool) -> None:
    data = to_fhir_bytes(rich_journey().record(), transaction=transaction)
    assert check(data) == ()
    assert complaints(data) == []


@given(journeys(), st.integers(-20, 450))
def test_whatever_a_record_holds_the_bundle_passes_both_checks(journey: Journey, day: int) -> None:
    data = to_fhir_bytes(journey.visible(day))
    assert check(data) == ()
    assert complaints(data) == []


def test_the_peer_can_complain() -> None:
    bundle = to_fhir(rich_journey().record())
    bundle["entry"][0]["resource"]["birthDate"] = "yesterday"
    assert complaints(orjson.dumps(bundle)) != []


@given(journeys(with_diagnosis=True), st.integers(0, 450))
def test_no_truth_and_nothing_later_is_told(journey: Journey, day: int) -> None:
    record = journey.visible(day)
    told = to_fhir_bytes(record)
    ids = {event.id for event in record.events}
    hidden = {event.id for event in journey} - ids
    # Words of generated records may look like ids: what counts is what is addressed and identified.
    named = {match.decode() for match in re.findall(rb'"(?:id|reference)":"(?:[A-Za-z]+/)?(e\d+)[."]', told)}
    assert named <= ids
    assert not named & hidden


@pytest.mark.parametrize("disease", list(STORIES))
def test_a_demonstration_tells_no_clone(disease: str) -> None:
    journey = demonstrate(Seed(3), disease)
    clones = [event for event in journey if event.kind is Kind.CLONE]
    told = to_fhir_bytes(journey.record())
    assert clones
    for clone in clones:
        assert f'"{clone.id}"'.encode() not in told
    assert b"clone" not in told


def test_a_link_that_nobody_recorded_is_not_told() -> None:
    story = Story()
    cancer = story.tell(0, Diagnosis(role=Role.PRIMARY))
    pain = story.tell(1, Symptom())
    story.journey.link(cancer, pain, Reason.DRIVES)
    assert b"urn:oncoproof:link" not in to_fhir_bytes(story.journey.record())
    story.journey.link(cancer, pain, Reason.SHOWS, recorded=2)
    assert to_fhir_bytes(story.journey.record()).count(b"urn:oncoproof:link") == 1


def a_clone() -> Event:
    return Event(
        id="c1",
        day=0,
        recorded=0,
        source=Source.CLINICAL,
        content=Clone(kind=CloneKind.SENSITIVE, log10_cells=9.0),
    )


def a_record(*events: Event, links: tuple[Link, ...] = (), patient: Patient = PATIENT) -> Record:
    index = rich_journey().index
    return Record(patient=patient, index=index, as_of=0, events=events, links=links)


def an_event(**changes: object) -> Event:
    event = Event(id="e1", day=0, recorded=0, source=Source.CLINICAL, content=Symptom())
    return replace(event, **changes)


def a_lesion_without_size() -> Lesion:
    """A lesion whose diameter got past its class and is no number."""
    lesion = Lesion(label="L", organ="lung", diameter_mm=9.0)
    object.__setattr__(lesion, "diameter_mm", float("nan"))
    return lesion


REFUSED = {
    "a clone": (a_record(a_clone()), "clone"),
    "an unrecorded event": (a_record(an_event(recorded=None)), "nobody recorded"),
    "an unrecorded link": (
        a_record(an_event(), an_event(id="e2"), links=(Link("e1", "e2", Reason.SHOWS),)),
        "nobody recorded",
    ),
    "a link from nowhere": (a_record(an_event(), links=(Link("e9", "e1", Reason.SHOWS, 0),)), "'e9'"),
    "a patient without an id": (a_record(patient=Patient(id="a b")), "'a b'"),
    "half a character": (a_record(an_event(note="\ud800")), "surrogates"),
    "a size that is no number": (
        a_record(an_event(content=Imaging(modality="ct", lesions=(a_lesion_without_size(),)))),
        "nan",
    ),
}


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_no_record_may_hold_is_refused(name: str) -> None:
    record, came = REFUSED[name]
    with pytest.raises(JourneyError) as caught:
        to_fhir_bytes(record)
    assert came in caught.value.came


def test_every_entry_is_addressed_and_every_reference_leads_to_one() -> None:
    bundle = to_fhir(rich_journey().record())
    addresses = {entry["fullUrl"].removeprefix(BASE) for entry in bundle["entry"]}
    told = orjson.dumps(bundle).decode()
    assert len(addresses) == len(bundle["entry"])
    assert set(re.findall(r'"reference":"([^"]+)"', told)) <= addresses


def test_a_transaction_asks_for_each_entry_by_its_address() -> None:
    bundle = to_fhir(rich_journey().record(), transaction=True)
    assert bundle["type"] == "transaction"
    for entry in bundle["entry"]:
        assert entry["request"] == {"method": "PUT", "url": entry["fullUrl"].removeprefix(BASE)}


def test_equal_records_have_equal_bytes_and_bundles_are_not_shared() -> None:
    record = long_record(30)
    first = to_fhir(record)
    first["entry"][1]["resource"]["status"] = "banana"
    first["entry"][1]["resource"].clear()
    assert to_fhir_bytes(record) == orjson.dumps(to_fhir(record))


def test_every_finding_claims_a_profile_and_genetic_ones_are_filed_under_genetics() -> None:
    story = Story()
    for finding in findings():
        story.tell(1, finding, source=Source.GENOMIC)
    told = [each for each in resources(story.journey.record()) if each["id"] in story.journey]
    for resource in told:
        (profile,) = resource["meta"]["profile"]
        is_genetic = "genomic" in profile
        assert (b'"GE"' in orjson.dumps(resource["category"])) is is_genetic


@pytest.mark.parametrize(
    ("category", "code", "profile"),
    [
        (LabCategory.LABORATORY, "2160-0", "us-core-observation-lab"),
        (LabCategory.LABORATORY, "2857-1", "mcode-tumor-marker-test"),
        (LabCategory.VITAL, "29463-7", "us-core-vital-signs"),
        (LabCategory.SOCIAL, "72166-2", "us-core-smokingstatus"),
    ],
)
def test_an_observation_claims_the_profile_of_its_kind(
    category: LabCategory, code: str, profile: str
) -> None:
    story = Story()
    story.tell(0, Lab(value="as ever", category=category), Code(System.LOINC, code))
    assert profile in str(resources(story.journey.record())[1]["meta"])


@pytest.mark.parametrize(
    ("modality", "kind"),
    [(Modality.DRUG, "CarePlan"), (Modality.SURGERY, "Procedure"), (Modality.RADIATION, "Procedure")],
)
def test_a_treatment_is_told_by_the_resource_of_its_modality(modality: Modality, kind: str) -> None:
    story = Story()
    story.tell(0, Diagnosis(role=Role.PRIMARY))
    story.tell(1, Treatment(modality=modality))
    assert resources(story.journey.record())[-1]["resourceType"] == kind
