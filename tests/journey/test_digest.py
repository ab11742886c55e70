"""Digests: equal content, equal digest; another content, another."""

from datetime import date

from hypothesis import given

from oncoproof.journey.digest import digest_of
from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import from_json, record_from_json, record_to_json, to_json
from oncoproof.journey.patient import Patient
from strategies import journeys


@given(journeys(), journeys())
def test_digests_are_equal_where_journeys_are(one: Journey, other: Journey) -> None:
    assert digest_of(from_json(to_json(one))) == digest_of(one)
    record = one.record()
    assert digest_of(record_from_json(record_to_json(record))) == digest_of(record)
    assert (digest_of(one) == digest_of(other)) == (to_json(one) == to_json(other))


def test_a_journey_and_its_record_are_told_apart() -> None:
    journey = Journey(Patient(id="p1"), date(2026, 3, 1))
    assert digest_of(journey) != digest_of(journey.record())
