"""What a phenopacket tells of a record comes back, and is what protobuf reads too."""

from dataclasses import replace
from itertools import product
from typing import Any, cast

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from journey.phenopacket.peer import reserialised
from journey.phenopacket.records import rich_record
from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Treatment
from oncoproof.journey.demonstration import demonstrate
from oncoproof.journey.events import Event
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Link
from oncoproof.journey.phenopacket.checks import check
from oncoproof.journey.phenopacket.curies import Curies, Prefixes
from oncoproof.journey.phenopacket.emission import to_phenopacket, to_phenopacket_bytes
from oncoproof.journey.phenopacket.packet import UNTOLD
from oncoproof.journey.phenopacket.reading import from_phenopacket
from oncoproof.journey.readings import Reading
from oncoproof.journey.records import Record
from oncoproof.journey.stories import STORIES
from oncoproof.seeds import Seed
from strategies import codes, journeys


def told(event: Event) -> Event:
    """The event without what `LOSSES` says a phenopacket cannot say of it."""
    content = event.content
    if isinstance(content, Treatment):
        drugs = tuple(
            replace(each, dose=each.dose and replace(each.dose, comparator="")) for each in content.drugs
        )
        return replace(event, content=replace(content, drugs=drugs))
    return event


def assert_comes_back(record: Record, reading: Reading) -> None:
    broken = {loss.where for loss in reading.losses if "breaks a rule" in loss.what}
    expected = [told(event) for event in record.events if event.kind not in UNTOLD]
    came = list(reading.journey)
    if not broken:
        assert came == expected
        kept = {event.id for event in expected}
        links = [link for link in record.links if {link.cause, link.effect} <= kept]
        assert sorted(reading.journey.links(), key=_order) == sorted(links, key=_order)
        assert reading.losses == ()
    assert {event.id for event in came} <= {event.id for event in expected}
    assert len(came) + len(broken) >= len(expected)
    patient = reading.journey.patient
    assert (patient.id, patient.sex, patient.birth) == (
        record.patient.id,
        record.patient.sex,
        record.patient.birth,
    )


def _order(link: Link) -> tuple[str, str, str]:
    return link.cause, link.effect, link.reason


@given(journeys(), st.integers(0, 450))
def test_own_emission_comes_back_with_all_that_both_sides_can_say(journey: Journey, day: int) -> None:
    record = journey.visible(day)
    assert_comes_back(record, from_phenopacket(to_phenopacket_bytes(record), index=record.index))


@given(journeys())
def test_every_emission_passes_the_strict_check_and_protobuf(journey: Journey) -> None:
    record = journey.record()
    document = to_phenopacket(record)
    check(document)
    again = reserialised(orjson.dumps(document))
    check(again)
    one = from_phenopacket(document, index=record.index)
    other = from_phenopacket(again, index=record.index)
    assert one.journey == other.journey


@given(
    st.lists(codes, max_size=6),
    st.lists(st.builds(Code, st.text(max_size=9), st.text(max_size=9)), max_size=4),
)
def test_codes_become_curies_and_the_same_codes_again(known: list[Code], strange: list[Code]) -> None:
    curies = Curies()
    terms = [curies.term(code) for code in [*known, *strange]]
    prefixes = Prefixes(curies.resources())
    assert [prefixes.term(term) for term in terms] == [*known, *strange]


@given(journeys())
def test_every_prefix_used_is_explained(journey: Journey) -> None:
    document = to_phenopacket(journey.record())
    explained = {each["namespacePrefix"] for each in document["metaData"]["resources"]}
    assert set(prefixes_in(document)) <= explained


def prefixes_in(value: object) -> list[str]:
    if isinstance(value, dict):
        message = cast("dict[str, Any]", value)
        own = [message["id"].split(":")[0]] if set(message) == {"id", "label"} else []
        return own + [each for item in message.values() for each in prefixes_in(item)]
    if isinstance(value, list):
        return [each for item in cast("list[object]", value) for each in prefixes_in(item)]
    return []


def test_a_rich_record_comes_back() -> None:
    record = rich_record()
    assert_comes_back(record, from_phenopacket(to_phenopacket_bytes(record), index=record.index))


@pytest.mark.parametrize(("disease", "seed"), list(product(STORIES, (0, 1, 7))))
def test_demonstrations_pass_both_checks_and_come_back(disease: str, seed: int) -> None:
    record = demonstrate(Seed(seed), disease).record()
    data = to_phenopacket_bytes(record)
    check(data)
    assert_comes_back(record, from_phenopacket(data, index=record.index))
    assert_comes_back(record, from_phenopacket(reserialised(data), index=record.index))


def test_an_extension_without_a_value_says_nothing() -> None:
    document = to_phenopacket(rich_record())
    calls = document["interpretations"][0]["diagnosis"]["genomicInterpretations"]
    descriptor = calls[0]["variantInterpretation"]["variationDescriptor"]
    descriptor["extensions"] = [{"name": "assay"}, {"name": "assay"}, {"name": "batch"}]
    what = [loss.what for loss in from_phenopacket(document).losses]
    assert "assay: " in what
    assert "batch: " in what


def test_day_0_is_the_first_cancer_unless_told_otherwise() -> None:
    record = rich_record()
    reading = from_phenopacket(to_phenopacket(record))
    assert reading.journey.index == record.index
    assert [event.id for event in reading.journey] == [
        event.id for event in record.events if event.kind not in UNTOLD
    ]


def test_the_same_record_gives_the_same_bytes() -> None:
    assert to_phenopacket_bytes(rich_record()) == to_phenopacket_bytes(rich_record())
