"""Whatever becomes of a phenopacket: a typed error with its path, or a journey; never another exception."""

import orjson
import pytest
from hypothesis import given, settings

from journey.mutation import Change, changes_of, spoilt, values_like
from journey.phenopacket.peer import parsed
from journey.phenopacket.records import rich_record
from oncoproof.errors import FormatError
from oncoproof.journey.phenopacket import check, from_phenopacket, to_phenopacket_bytes

PACKET = to_phenopacket_bytes(rich_record())
STRAYS: list[object] = [
    None, True, False, 0, -1, 7, 1.5, 1e308, 1 << 40, "", " ", "banana", "FEMALE", "P52Y2M", "2026-02-30",
    "2026-03-09T10:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "NCIT:C4872", "UCUM:mg",
    "UCUM:MG", "NaN", "é\u0000", [], [None], [[]], {}, {"id": "NCIT:C4872", "label": "x"}, {"id": "x"},
    {"timestamp": "2026-03-01T00:00:00Z"}, {"age": {"iso8601duration": "P1000000Y"}},
    {"quantity": {"value": 1, "unit": {"id": "UCUM:mg", "label": "mg"}}}, {"start": "2027", "end": "2026"},
]  # fmt: skip
"""Values to put where they do not belong."""


def refusal_of(document: bytes) -> FormatError | None:
    """Why a document does not pass the strict check; None = it does."""
    try:
        check(document)
    except FormatError as error:
        return error
    return None


def outcome(document: bytes) -> str:
    """What came of reading a document in every way; anything but a FormatError with its place is raised."""
    refusal = refusal_of(document)
    if refusal is None:
        parsed(document)
    else:
        assert refusal.where
        assert refusal.expected
    try:
        from_phenopacket(document)
    except FormatError as error:
        return "refused" if error.where else "refused without a place"
    return "journey" if refusal is None else "journey with losses"


@settings(max_examples=200)
@given(changes_of(orjson.loads(PACKET), STRAYS))
def test_a_packet_changed_at_random_is_refused_or_read(changes: list[Change]) -> None:
    document = orjson.loads(PACKET)
    for each in changes:
        each.apply(document)
    outcome(orjson.dumps(document))


@given(values_like(orjson.loads(PACKET), STRAYS))
def test_any_json_is_refused_or_read(content: object) -> None:
    try:
        document = orjson.dumps(content)
    except orjson.JSONEncodeError:  # half a character, or a number beyond 64 bits
        return
    outcome(document)


@given(spoilt(PACKET))
def test_bytes_changed_at_random_are_refused_or_read(document: bytes) -> None:
    outcome(document)


@pytest.mark.parametrize("length", range(0, len(PACKET), len(PACKET) // 40))
def test_a_truncated_document_is_refused(length: int) -> None:
    assert outcome(PACKET[:length]) == "refused"
