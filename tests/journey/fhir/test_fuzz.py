"""Whatever becomes of a document: problems or a typed error, or a journey; never another exception."""

from typing import Any, cast

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from journey.fhir.records import rich_journey
from journey.mutation import Change, changes_of, spoilt, values_like
from oncoproof.errors import FormatError, InputError
from oncoproof.journey.fhir import Problem, check, from_fhir, to_fhir_bytes
from oncoproof.journey.fhir.checks import Source

BUNDLE = to_fhir_bytes(rich_journey().record())
STRAYS: list[object] = [
    None, True, False, 0, -1, 7, 1.5, 1e308, 1 << 40, "", " ", "banana", "final", "2026-02-30", "2026",
    "0000", "9999-12-31", "2026-03-09T10:00:00Z", "Patient/p1", "Condition/e1", "#x", "http://loinc.org",
    "69548-6", "LA9633-4", "mg", "HGVS", "é\u0000", [], [None], [[]], {}, {"coding": []}, {"coding": [{}]},
    {"text": "x"}, {"reference": "Condition/e1"}, {"extension": [{"url": "x", "valueString": "y"}]},
    {"value": 1, "code": "mg"}, {"start": "2027", "end": "2026"}, {"resourceType": "Patient"},
    {"resourceType": "Bundle", "type": "batch"},
]  # fmt: skip
"""Values to put where they do not belong."""

KINDS = ["Observation", "Condition", "Patient", "CarePlan", "Bundle", "Account"]
"""Types of resources to fill with anything."""


def problems_of(document: Source) -> tuple[Problem, ...] | None:
    """What is wrong with a document; None = it is none."""
    try:
        return check(document)
    except FormatError:
        return None


def refusal_of(document: Source) -> InputError | None:
    """Why a document cannot be read; None = it can."""
    try:
        from_fhir(document)
    except InputError as error:
        return error
    return None


def outcome(document: Source) -> str:
    """What came of reading a document in every way; anything but an error of the project's own is raised."""
    problems, refusal = problems_of(document), refusal_of(document)
    assert problems_of(document) == problems, "what was checked before changes nothing"
    if problems is None:
        assert refusal is not None
        return "no document"
    came = "" if refusal is None else refusal.came
    assert "could not be read" not in came, "the checks let something pass that no reader can read"
    if problems:
        assert refusal is not None
        assert refusal.parts() == problems[0].error().parts()
    assert refusal_of(BUNDLE) is None, "what was checked before changes nothing"
    from_fhir(document, strict=False)
    return "problems" if problems else "journey" if refusal is None else "refused"


@settings(max_examples=250)
@given(changes_of(orjson.loads(BUNDLE), STRAYS))
def test_a_bundle_changed_at_random_is_refused_or_read(changes: list[Change]) -> None:
    document = orjson.loads(BUNDLE)
    for each in changes:
        each.apply(document)
    outcome(document)


@given(st.sampled_from(KINDS), values_like(orjson.loads(BUNDLE), STRAYS))
def test_any_json_is_refused_or_read(kind: str, content: object) -> None:
    if isinstance(content, dict):
        content = {"resourceType": kind, **cast("dict[str, Any]", content)}
    try:
        document = orjson.dumps(content)
    except orjson.JSONEncodeError:  # half a character, or a number beyond 64 bits
        return
    outcome(document)


@given(spoilt(BUNDLE))
def test_bytes_changed_at_random_are_refused_or_read(document: bytes) -> None:
    outcome(document)


@pytest.mark.parametrize("length", range(0, len(BUNDLE), len(BUNDLE) // 40))
def test_a_truncated_document_is_refused(length: int) -> None:
    assert outcome(BUNDLE[:length]) == "no document"
