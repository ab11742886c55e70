"""Round trips: everything that both sides can say comes back, and what does not is listed."""

from dataclasses import replace
from itertools import product

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from journey.fhir.records import PATIENT, Story, rich_journey
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    Content,
    Decision,
    Diagnosis,
    DrugDose,
    Lab,
    Modality,
    Role,
    Stage,
    Treatment,
)
from oncoproof.journey.demonstration import demonstrate
from oncoproof.journey.events import Event
from oncoproof.journey.fhir import from_fhir, to_fhir, to_fhir_bytes
from oncoproof.journey.fhir.texts import sayable
from oncoproof.journey.graph import Journey
from oncoproof.journey.records import Record
from oncoproof.journey.stories import STORIES
from oncoproof.seeds import Seed
from strategies import journeys


def told(record: Record) -> Record:
    """The record without what `LOSSES` says FHIR cannot tell of it."""
    record = sayable(record)
    patient = record.patient
    names = tuple(name for name in patient.given_names if name)
    return replace(
        record,
        patient=replace(patient, given_names=names),
        events=tuple(replace(event, content=_told_content(event)) for event in record.events),
    )


def _told_content(event: Event) -> Content:
    content = event.content
    if isinstance(content, Lab) and content.value == "":
        return replace(content, value=None)
    return content


def assert_comes_back(record: Record, data: bytes) -> None:
    reading = from_fhir(data)
    assert reading.losses == ()
    assert reading.journey == Journey.from_record(told(record))


@given(journeys(), st.integers(-20, 450))
def test_whatever_a_record_holds_comes_back(journey: Journey, day: int) -> None:
    record = journey.visible(day)
    assert_comes_back(record, to_fhir_bytes(record))


@pytest.mark.parametrize(("disease", "seed"), list(product(STORIES, (0, 1, 7))))
def test_demonstrations_come_back_as_they_were(disease: str, seed: int) -> None:
    record = demonstrate(Seed(seed), disease).record()
    reading = from_fhir(to_fhir_bytes(record))
    assert reading.losses == ()
    assert reading.journey == Journey.from_record(record)


@pytest.mark.parametrize("day", [-1, 0, 3, 14, 20, 40, 71, 99])
def test_a_record_with_everything_comes_back_on_any_day(day: int) -> None:
    record = rich_journey().visible(day)
    reading = from_fhir(to_fhir_bytes(record))
    assert reading.losses == ()
    assert reading.journey == Journey.from_record(record)
    assert reading.journey.visible(day) == record


@given(journeys())
def test_writing_what_was_read_changes_no_byte(journey: Journey) -> None:
    first = to_fhir_bytes(journey.record())
    again = to_fhir_bytes(from_fhir(first).journey.record())
    assert from_fhir(again).journey == from_fhir(first).journey


def test_text_bytes_and_dictionaries_read_alike() -> None:
    record = rich_journey().record()
    data = to_fhir_bytes(record)
    journeys_read = [from_fhir(each).journey for each in (data, data.decode(), to_fhir(record))]
    assert journeys_read[0] == journeys_read[1] == journeys_read[2]


def test_a_transaction_reads_like_a_collection() -> None:
    record = rich_journey().record()
    assert from_fhir(to_fhir(record, transaction=True)).journey == Journey.from_record(record)


def test_the_order_of_entries_changes_no_event() -> None:
    bundle = to_fhir(rich_journey().record())
    bundle["entry"].reverse()
    reading = from_fhir(orjson.dumps(bundle))
    assert {event.id: event for event in reading.journey} == {event.id: event for event in rich_journey()}


def test_displays_come_back() -> None:
    record = rich_journey().record()
    read = from_fhir(to_fhir_bytes(record)).journey
    for event in record.events:
        shown = [code.display for code in event.codes]
        assert [code.display for code in read.event(event.id).codes] == shown


ODD_CODES = {
    "a LOINC code with a wrong check digit": Code(System.LOINC, "89247-2", "words"),
    "a slug as SNOMED CT": Code(System.SNOMED, "lung cancer"),
    "digits alone as HGNC": Code(System.HGNC, "3236"),
    "blanks at the ends": Code("urn:example:system", " x ", "x"),
    "a line end within": Code("urn:example:system", "a\nb"),
    "no code": Code("urn:example:system", "", "only words"),
    "a system with blanks": Code("my own system", "x"),
    "no system": Code("", "x"),
}


@pytest.mark.parametrize("name", list(ODD_CODES))
def test_codes_that_are_none_in_fhir_come_back_from_an_extension(name: str) -> None:
    code = ODD_CODES[name]
    story = Story()
    story.tell(0, Diagnosis(role=Role.PRIMARY, sites=(code,), histology=code), code)
    story.tell(0, Stage(method=code), code, code)
    story.tell(1, Treatment(modality=Modality.SUPPORTIVE, drugs=(DrugDose(drug=code),)), code)
    story.tell(1, Lab(value=code), code)
    story.tell(1, Decision(maker="", task="", options=(code, code)), code)
    assert_comes_back(story.journey.record(), to_fhir_bytes(story.journey.record()))


ODD_TEXTS = {
    "blanks": ("  ", ""),
    "a no-break space": ("\u00a0", ""),
    "an ideographic space": ("\u3000", ""),
    "a line end": ("\n", ""),
    "a bell": ("a\x07b", "ab"),
    "nothing but control characters": ("\x00\x1f", ""),
    "blanks around": (" a ", " a "),
    "quotes": ('say ""', 'say ""'),
    "a tab within": ("a\tb", "a\tb"),
    "another script": ("肺がん", "肺がん"),
    "an emoji": ("🫁", "🫁"),
}


@pytest.mark.parametrize("name", list(ODD_TEXTS))
def test_texts_come_back_as_far_as_fhir_can_tell_them(name: str) -> None:
    wrote, came = ODD_TEXTS[name]
    story = Story(replace(PATIENT, family_name=wrote, given_names=(wrote,)))
    story.tell(0, Diagnosis(role=Role.PRIMARY), note=wrote)
    read = from_fhir(to_fhir_bytes(story.journey.record())).journey
    assert read.patient.family_name == came
    assert read.patient.given_names == ((came,) if came else ())
    assert read.event("e1").note == came
