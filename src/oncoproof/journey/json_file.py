"""Journeys and records as JSON: one canonical form, read strictly.

Rules this module guarantees:

- A journey is one line in the form `oncoproof.journey/1`, a record one in the form
  `oncoproof.record/1`. Keys are sorted and numbers written after RFC 8785: equal journeys have equal
  bytes, so the bytes can be hashed, and reading what was written and writing it again changes none.
- Events stand in order of time, links by effect and then by cause.
- What a file says is checked in full: form, types, the rules of succession. An error names the place.

    >>> from datetime import date
    >>> from oncoproof.journey.patient import Patient
    >>> to_json(Journey(Patient(id="p1"), date(2026, 3, 1))).decode()
    '{"events":[],"format":"oncoproof.journey/1","index":"2026-03-01","links":[],"patient":{"id":"p1"}}'
    >>> from_json(b'{"format":"oncoproof.journey/9"}')
    Traceback (most recent call last):
    oncoproof.errors.FormatError: journey: format: came: 'oncoproof.journey/9'; expected: \
'oncoproof.journey/1'; try: give a file of this format
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import cast

import orjson

from oncoproof.errors import FormatError, InputError, JourneyError
from oncoproof.journey.atomic_file import replace_file
from oncoproof.journey.events import Event
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Link
from oncoproof.journey.patient import Patient
from oncoproof.journey.records import Record
from oncoproof.journey.shapes import MisreadError, shape_of

JOURNEY_FORMAT = "oncoproof.journey/1"
"""Name and version of the form of journeys."""

RECORD_FORMAT = "oncoproof.record/1"
"""Name and version of the form of records."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JourneyDocument:
    """What the JSON form of a journey holds beside its format."""

    patient: Patient
    """Who it is about."""
    index: date
    """The date of day 0."""
    events: tuple[Event, ...]
    """All events, in order of time."""
    links: tuple[Link, ...]
    """All causal links."""
    is_partial: bool = False
    """Whether it holds only what somebody recorded, so that events may lack what they rest on."""


_JOURNEY = shape_of(JourneyDocument)
_RECORD = shape_of(Record)


def to_json(journey: Journey) -> bytes:
    """The canonical bytes of a journey, truth included, without a line end.

    Raises:
        FormatError: A text holds what Unicode cannot write, or a number is not finite.
    """
    return _dump(_JOURNEY.write(document_of(journey)), JOURNEY_FORMAT)


def from_json(data: bytes, *, where: str = "journey") -> Journey:
    """The journey that the bytes state.

    Args:
        data: One JSON document.
        where: Name of the file or message, for errors.

    Raises:
        FormatError: The bytes are no JSON, not of this format, or break its rules.
    """
    return journey_of(load_document(data, where), where)


def record_to_json(record: Record) -> bytes:
    """The canonical bytes of a record, without a line end.

    Raises:
        FormatError: A text holds what Unicode cannot write, or a number is not finite.
    """
    return _dump(_RECORD.write(record), RECORD_FORMAT)


def record_from_json(data: bytes, *, where: str = "record") -> Record:
    """The record that the bytes state.

    Args:
        data: One JSON document.
        where: Name of the file or message, for errors.

    Raises:
        FormatError: The bytes are no JSON, not of this format, or break its rules.
    """
    plain = load_document(data, where)
    _take_format(plain, RECORD_FORMAT, where)
    try:
        return cast("Record", _RECORD.read(plain))
    except MisreadError as error:
        raise _located(error, where) from error


def write_journeys(path: Path, journeys: Iterable[Journey]) -> int:
    """Write journeys to a file, one on each line; the whole file or nothing. Returns how many.

    Raises:
        InputError: The file cannot be written.
    """
    count = 0
    with replace_file(path) as file:
        for journey in journeys:
            file.write(to_json(journey) + b"\n")
            count += 1
    return count


def read_journeys(path: Path) -> Iterator[Journey]:
    """The journeys of a file with one on each line, read as they are taken.

    Raises:
        InputError: The file cannot be read.
        FormatError: A line is not a journey; the error names the line.
    """
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                yield from_json(line, where=f"{path}:{number}")
    except OSError as error:
        raise InputError(
            where=str(path),
            came=str(error.strerror),
            expected="a file that can be read",
            remedy="check the path",
        ) from error


def document_of(journey: Journey) -> JourneyDocument:
    """What the files say of a journey."""
    return JourneyDocument(
        patient=journey.patient,
        index=journey.index,
        events=tuple(journey),
        links=tuple(journey.links()),
        is_partial=journey.is_partial,
    )


def journey_of(plain: dict[str, object], where: str) -> Journey:
    """The journey of a plain document with its format.

    Args:
        plain: The document; its key `format` is taken out.
        where: Name of the file or message, for errors.

    Raises:
        FormatError: The document is not of this format or breaks its rules.
    """
    _take_format(plain, JOURNEY_FORMAT, where)
    try:
        return _build(cast("JourneyDocument", _JOURNEY.read(plain)))
    except MisreadError as error:
        raise _located(error, where) from error


def load_document(data: bytes, where: str) -> dict[str, object]:
    """The JSON object in the bytes.

    Args:
        data: One JSON document.
        where: Name of the file or message, for errors.

    Raises:
        FormatError: The bytes are no JSON object.
    """
    try:
        plain: object = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(
            where=where, came=str(error), expected="a JSON document", remedy="give a whole, unchanged file"
        ) from error
    if not isinstance(plain, dict):
        raise FormatError(
            where=where, came=type(plain).__name__, expected="a JSON object", remedy="give one document"
        )
    return cast("dict[str, object]", plain)


def _dump(plain: object, form: str) -> bytes:
    document = {"format": form, **cast("dict[str, object]", plain)}
    try:
        return orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
    except (orjson.JSONEncodeError, UnicodeEncodeError) as error:
        raise FormatError(
            where=form, came=str(error), expected="text that Unicode can write", remedy="correct the text"
        ) from error


def _take_format(plain: dict[str, object], expected: str, where: str) -> None:
    came = plain.pop("format", None)
    if came != expected:
        raise FormatError(
            where=f"{where}: format",
            came=repr(came),
            expected=repr(expected),
            remedy="give a file of this format",
        )


def _build(document: JourneyDocument) -> Journey:
    journey = Journey(document.patient, document.index, is_partial=document.is_partial)
    for number, event in enumerate(document.events):
        try:
            journey.add(event)
        except JourneyError as error:
            raise _misread(error, "events", number) from error
    for number, link in enumerate(document.links):
        try:
            journey.link(link.cause, link.effect, link.reason, recorded=link.recorded)
        except JourneyError as error:
            raise _misread(error, "links", number) from error
    return journey


def _misread(error: JourneyError, part: str, number: int) -> MisreadError:
    misread = MisreadError(came=error.came, expected=error.expected, remedy=error.remedy)
    misread.steps.extend((number, part))
    return misread


def _located(error: MisreadError, where: str) -> FormatError:
    path = error.path()
    return FormatError(
        where=f"{where}: {path}" if path else where,
        came=error.came,
        expected=error.expected,
        remedy=error.remedy,
    )
