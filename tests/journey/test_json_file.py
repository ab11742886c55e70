"""JSON: canonical bytes, lossless both ways, strict reading with the place in every error."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import orjson
import pytest
from hypothesis import given

from oncoproof.errors import FormatError, InputError
from oncoproof.journey.contents import Biomarker, Diagnosis, Lab, Modality, Role, Treatment
from oncoproof.journey.events import Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import (
    from_json,
    read_journeys,
    record_from_json,
    record_to_json,
    to_json,
    write_journeys,
)
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.omics import Tmb
from oncoproof.journey.patient import Patient
from oncoproof.journey.units import Quantity
from strategies import journeys


def small_journey() -> Journey:
    journey = Journey(Patient(id="p1"), date(2026, 3, 1))
    journey.add(
        Event(id="d", day=0, recorded=0, source=Source.CLINICAL, content=Diagnosis(role=Role.PRIMARY))
    )
    journey.add(
        Event(id="t", day=5, recorded=5, source=Source.CLINICAL, content=Treatment(modality=Modality.DRUG)),
        because=[Because("d", Reason.GUIDES, 5)],
    )
    return journey


@given(journeys())
def test_journeys_come_back(journey: Journey) -> None:
    data = to_json(journey)
    back = from_json(data)
    assert back == journey
    assert to_json(back) == data


@given(journeys())
def test_records_come_back(journey: Journey) -> None:
    record = journey.record()
    data = record_to_json(record)
    assert record_from_json(data) == record
    assert record_to_json(record_from_json(data)) == data


@given(journeys())
def test_bytes_are_canonical(journey: Journey) -> None:
    data = to_json(journey)
    tidy = json.dumps(json.loads(data), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert next(part for part in data.split(b'"') if part.isascii()) == b"{"
    assert len(orjson.loads(tidy)["events"]) == len(journey)
    assert b"\n" not in data
    assert orjson.loads(tidy) == orjson.loads(data)
    assert list(json.loads(data)) == ["events", "format", "index", "links", "patient"]


def test_the_form_is_as_published() -> None:
    """Another implementation must come to these bytes; a change of them is a new version."""
    assert to_json(small_journey()).decode() == (
        '{"events":[{"content":{"diagnosis":{"role":"primary"}},"day":0,"id":"d","recorded":0,'
        '"source":"clinical"},{"content":{"treatment":{"modality":"drug"}},"day":5,"id":"t","recorded":5,'
        '"source":"clinical"}],"format":"oncoproof.journey/1","index":"2026-03-01",'
        '"links":[{"cause":"d","effect":"t","reason":"guides","recorded":5}],"patient":{"id":"p1"}}'
    )


def _spoilt(path: str, value: object) -> bytes:
    """The small journey with one place of its document replaced; `...` removes it."""
    document = orjson.loads(to_json(small_journey()))
    place = document
    *steps, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return orjson.dumps(document)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("format", "oncoproof.journey/2", "x.json: format"),
        ("format", ..., "x.json: format"),
        ("patient", ..., "x.json"),
        ("extra", 1, "x.json: extra"),
        ("index", "yesterday", "x.json: index"),
        ("events/1/content/treatment/modality", "magic", "x.json: events[1].content.treatment.modality"),
        ("events/1/content/treatment/dose", 3, "x.json: events[1].content.treatment.dose"),
        ("events/1/day", "5", "x.json: events[1].day"),
        ("events/1/recorded", 4, "x.json: events[1]"),
        ("events/1/id", "d", "x.json: events[1]"),
        ("events/0/content", {"lab": {"value": None}}, "x.json: events[1]"),
        ("links/0/cause", "nobody", "x.json: links[0]"),
        ("links/0/reason", "because", "x.json: links[0].reason"),
        ("links/0/recorded", 4, "x.json: links[0]"),
    ],
)
def test_errors_name_the_place(path: str, value: object, where: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_json(_spoilt(path, value), where="x.json")
    assert caught.value.where == where


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"null", b"\xff", b'{"format":"oncoproof.record/1"}'])
def test_what_is_no_journey_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        from_json(data)


@pytest.mark.parametrize("data", [b"", b"[]", to_json(small_journey()), b'{"format":"oncoproof.record/1"}'])
def test_what_is_no_record_is_refused(data: bytes) -> None:
    with pytest.raises(FormatError):
        record_from_json(data)


def test_text_that_unicode_cannot_write_is_refused() -> None:
    journey = small_journey()
    lone = chr(0xD800)
    journey.add(Event(id="l", day=6, recorded=6, source=Source.LAB, content=Lab(value=None), note=lone))
    with pytest.raises(FormatError, match="Unicode"):
        to_json(journey)


def test_many_journeys_stand_one_on_a_line(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    first = small_journey()
    second = Journey(replace(first.patient, id="p2"), first.index)
    assert write_journeys(path, [first, second]) == 2
    assert path.read_bytes().count(b"\n") == 2
    assert list(read_journeys(path)) == [first, second]


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(to_json(small_journey()) + b"\n{}\n")
    with pytest.raises(FormatError) as caught:
        list(read_journeys(path))
    assert caught.value.where == f"{path}:2: format"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "many.jsonl"
    path.write_bytes(b"old")
    bad = small_journey()
    bad.add(Event(id="l", day=6, recorded=6, source=Source.LAB, content=Lab(value=None), note=chr(0xD800)))
    with pytest.raises(FormatError):
        write_journeys(path, [small_journey(), bad])
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_unreadable_and_unwritable_paths_are_typed_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        list(read_journeys(tmp_path / "none.jsonl"))
    with pytest.raises(InputError, match="No such file"):
        write_journeys(tmp_path / "none" / "x.jsonl", [])


def test_a_whole_number_stands_for_the_same_float() -> None:
    journeys_told: list[Journey] = []
    for value in (2, 2.0):
        journey = Journey(Patient(id="p1"), date(2026, 3, 1))
        lab = Lab(value=Quantity(value, "mg/dL"), low=value)
        journey.add(Event(id="e1", day=0, recorded=0, source=Source.LAB, content=lab))
        journeys_told.append(journey)
    assert to_json(journeys_told[0]) == to_json(journeys_told[1])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_number_that_json_does_not_know_is_refused(value: float) -> None:
    journey = Journey(Patient(id="p1"), date(2026, 3, 1))
    finding = Tmb(per_megabase=9.0)
    object.__setattr__(finding, "per_megabase", value)  # past its class, which refuses it
    content = Biomarker(finding=finding)
    journey.add(Event(id="e1", day=0, recorded=0, source=Source.GENOMIC, content=content))
    with pytest.raises(FormatError, match="a finite number"):
        to_json(journey)
