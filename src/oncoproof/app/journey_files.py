"""Journeys from and to files of any format, told apart by what they hold, not by their names.

Rules this module guarantees:

- A folder of FHIR resources, one in each file, is read as one bundle; so are resources one on each line.
- A record, in whatever format, becomes a partial journey that holds the record and nothing else: cut as
  of a day, it tells what a whole journey would have told of that record.
- An error names the file, and the line or row in it. The readers of FHIR and of phenopackets are loaded
  when a file needs them.

    >>> detect_format(b'{"resourceType": "Bundle"}', where="x").value
    'fhir'
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias, cast

import orjson
from cyclopts import Parameter

from oncoproof.app.screen import follow, read_input
from oncoproof.errors import FormatError, InputError, JourneyError
from oncoproof.journey import (
    Journey,
    Loss,
    Record,
    from_json,
    from_parquet,
    record_from_json,
    record_to_json,
    to_json,
    to_parquet,
)

if TYPE_CHECKING:
    from oncoproof.journey import Reading


def _refuse_option(_type: object, path: object) -> None:
    if str(path).startswith("-") and str(path) != "-":
        raise ValueError(f"Unknown option: {path}.")


FileToRead: TypeAlias = Annotated[Path, Parameter(allow_leading_hyphen=True, validator=_refuse_option)]
"""A file or folder that a command reads; `-`, which looks like an option, is standard input."""


class FileFormat(StrEnum):
    """A format of journey files."""

    JSON = "json"
    """The project's own: truth and record; one journey, or one on each line."""
    PARQUET = "parquet"
    """The project's own for many journeys: truth and record."""
    RECORD = "record"
    """The project's own for what was known on a day: what systems get; one record, or one on each line."""
    FHIR = "fhir"
    """A FHIR R4 bundle of one record."""
    PHENOPACKET = "phenopacket"
    """A GA4GH phenopacket of one record."""


@dataclass(frozen=True, slots=True)
class FileReading:
    """What came of reading a file."""

    file_format: FileFormat
    """What the file is."""
    journeys: tuple[Journey, ...]
    """What was understood."""
    losses: tuple[Loss, ...] = ()
    """What has no place in a journey."""
    problems: tuple[FormatError, ...] = ()
    """What is wrong in the file, where it was examined and could be read all the same."""


def read_path(path: Path) -> bytes:
    """The bytes of a file, of standard input (`-`), or of a folder of FHIR resources as one list."""
    if not path.is_dir():
        return read_input(path)
    files = sorted(path.glob("*.json"))
    if not files:
        raise InputError(
            where=str(path),
            came="a folder without JSON files",
            expected="a file, or a folder of FHIR resources",
            remedy="check the path",
        )
    return b"[" + b",".join(read_input(file) for file in files) + b"]"


def detect_format(data: bytes, *, where: str) -> FileFormat:
    """Which format a file is, by what it holds.

    Raises:
        FormatError: It is none of them.
    """
    if data[:4] == b"PAR1":
        return FileFormat.PARQUET
    document = _parse(data.lstrip().partition(b"\n")[0])
    if document is None:
        document = _parse(data)
    if isinstance(document, list):
        return FileFormat.FHIR
    if isinstance(document, dict):
        found = _format_of(cast("dict[str, object]", document))
        if found is not None:
            return found
    raise FormatError(
        where=where,
        came=f"{len(data)} bytes that begin with {data[:24]!r}",
        expected="journeys or records in JSON or Parquet, a FHIR bundle or a phenopacket",
        remedy="check that it is the right file and complete",
    )


def _format_of(document: dict[str, object]) -> FileFormat | None:
    if "resourceType" in document:
        return FileFormat.FHIR
    for file_format in (FileFormat.JSON, FileFormat.RECORD):
        name = "journey" if file_format is FileFormat.JSON else "record"
        if str(document.get("format", "")).startswith(f"oncoproof.{name}/"):
            return file_format
    return FileFormat.PHENOPACKET if {"metaData", "meta_data", "subject"} & document.keys() else None


def _parse(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None


def read_journeys(data: bytes, *, where: str) -> FileReading:
    """The journeys of a file of any format.

    Args:
        data: The file.
        where: Its name, for errors.

    Raises:
        FormatError: The file is of no known format, or something is wrong in it.
    """
    file_format = detect_format(data, where=where)
    if file_format not in {FileFormat.FHIR, FileFormat.PHENOPACKET}:
        return FileReading(file_format, tuple(_own_journeys(data, file_format, where)))
    try:
        reading = _read_foreign(data, file_format)
    except InputError as error:
        raise _located(error, where) from error
    return FileReading(file_format, (reading.journey,), reading.losses)


def examine_journeys(data: bytes, *, where: str) -> FileReading:
    """The journeys of a file, and all that is wrong in it as far as it can be read all the same.

    Args:
        data: The file.
        where: Its name, for errors.

    Raises:
        FormatError: The file cannot be read.
    """
    file_format = detect_format(data, where=where)
    if file_format is FileFormat.FHIR:
        return _examine_fhir(data, where)
    reading = read_journeys(data, where=where)
    problems: tuple[FormatError, ...] = ()
    if file_format is FileFormat.PHENOPACKET:
        from oncoproof.journey import phenopacket  # noqa: PLC0415  loaded for files that need it

        try:
            phenopacket.check(data)
        except FormatError as error:
            problems = (error,)
    return FileReading(file_format, reading.journeys, reading.losses, problems)


def _examine_fhir(data: bytes, where: str) -> FileReading:
    from oncoproof.journey import fhir  # noqa: PLC0415  loaded for files that need it

    whole = _as_one_document(data)
    try:
        problems = tuple(problem.error() for problem in fhir.check(whole))
        reading = fhir.from_fhir(whole, strict=False)
    except InputError as error:
        raise _located(error, where) from error
    return FileReading(FileFormat.FHIR, (reading.journey,), reading.losses, problems)


def _own_journeys(data: bytes, file_format: FileFormat, where: str) -> Iterator[Journey]:
    """The journeys of a file in one of the project's own formats."""
    if file_format is FileFormat.PARQUET:
        yield from follow(from_parquet(data, where=where), "reading")
        return
    lines = [(f"{where}:{number}", line) for number, line in enumerate(data.splitlines(), 1) if line.strip()]
    if _parse(lines[0][1]) is None:
        lines = [(where, data)]
    read = from_json if file_format is FileFormat.JSON else _journey_of_record
    for place, line in follow(lines, "reading", total=len(lines)):
        yield read(line, where=place if len(lines) > 1 else where)


def _journey_of_record(data: bytes, *, where: str) -> Journey:
    try:
        return Journey.from_record(record_from_json(data, where=where))
    except JourneyError as error:
        raise _located(error, where) from error


def _read_foreign(data: bytes, file_format: FileFormat) -> "Reading":
    if file_format is FileFormat.FHIR:
        from oncoproof.journey import fhir  # noqa: PLC0415  loaded for files that need it

        return fhir.from_fhir(_as_one_document(data))
    from oncoproof.journey import phenopacket  # noqa: PLC0415  as above

    return phenopacket.from_phenopacket(data)


def _as_one_document(data: bytes) -> bytes:
    """FHIR resources that stand one on each line as a list; anything else as it is."""
    if _parse(data) is not None:
        return data
    return b"[" + b",".join(line for line in data.splitlines() if line.strip()) + b"]"


def _located(error: InputError, where: str) -> FormatError:
    """The error with the name of the file before its place."""
    place = f"{where}: {error.where}" if error.where else where
    return FormatError(where=place, came=error.came, expected=error.expected, remedy=error.remedy)


def write_journeys(
    journeys: Sequence[Journey], file_format: FileFormat, *, as_of: int | date | None
) -> bytes:
    """Journeys as the bytes of a file.

    Args:
        journeys: Read before.
        file_format: The format to write.
        as_of: Tell what was known on this day only; None = everything that the format can say.

    Raises:
        InputError: The format holds one journey, and there are several.
    """
    if file_format is FileFormat.PARQUET:
        return to_parquet(cut(journey, as_of) for journey in _followed(journeys))
    if file_format is FileFormat.JSON:
        return b"".join(to_json(cut(journey, as_of)) + b"\n" for journey in _followed(journeys))
    if file_format is FileFormat.RECORD:
        return b"".join(record_to_json(record_of(each, as_of)) + b"\n" for each in _followed(journeys))
    if len(journeys) != 1:
        raise InputError(
            came=f"{len(journeys)} journeys",
            expected=f"one journey for a {file_format.value} document",
            remedy="convert to json, record or parquet, or take one journey",
        )
    return _write_foreign(record_of(journeys[0], as_of), file_format)


def _followed(journeys: Sequence[Journey]) -> Iterator[Journey]:
    return follow(journeys, "writing", total=len(journeys))


def _write_foreign(record: Record, file_format: FileFormat) -> bytes:
    if file_format is FileFormat.FHIR:
        from oncoproof.journey import fhir  # noqa: PLC0415  loaded for files that need it

        return fhir.to_fhir_bytes(record)
    from oncoproof.journey import phenopacket  # noqa: PLC0415  as above

    return phenopacket.to_phenopacket_bytes(record)


def record_of(journey: Journey, as_of: int | date | None) -> Record:
    """What was known on a day; everything that was ever recorded where none is given."""
    return journey.record() if as_of is None else journey.visible(as_of)


def cut(journey: Journey, as_of: int | date | None) -> Journey:
    """The partial journey of what was known on a day; the journey itself where none is given."""
    return journey if as_of is None else Journey.from_record(journey.visible(as_of))
