"""Journeys from and to files of any format, told apart by what they hold, not by their names.

A folder of FHIR resources, one in each file, is read as one bundle.

    >>> detect_format(b'{"resourceType": "Bundle"}', where="x").value
    'fhir'
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

import orjson

from oncoproof.app.screen import read_input
from oncoproof.errors import FormatError, InputError
from oncoproof.journey import Journey, Loss, from_json, from_parquet, to_json, to_parquet
from oncoproof.journey.fhir import from_fhir, to_fhir_bytes
from oncoproof.journey.phenopacket import from_phenopacket, to_phenopacket_bytes


class FileFormat(StrEnum):
    """A format of journey files."""

    JSON = "json"
    """The project's own: truth and record; one journey, or one on each line."""
    PARQUET = "parquet"
    """The project's own for many journeys: truth and record."""
    FHIR = "fhir"
    """A FHIR R4 bundle of one record."""
    PHENOPACKET = "phenopacket"
    """A GA4GH phenopacket of one record."""


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
    return b"[" + b",".join(file.read_bytes() for file in files) + b"]"


@dataclass(frozen=True, slots=True)
class FileReading:
    """What came of reading a file."""

    journeys: tuple[Journey, ...]
    """What was understood."""
    losses: tuple[Loss, ...]
    """What was not."""


def detect_format(data: bytes, *, where: str) -> FileFormat:
    """Which format a file is, by what it holds.

    Raises:
        FormatError: It is none of them.
    """
    if data[:4] == b"PAR1":
        return FileFormat.PARQUET
    first = data.lstrip().partition(b"\n")[0]
    document = _parse(first) or _parse(data)
    if isinstance(document, list):
        return FileFormat.FHIR
    if isinstance(document, dict):
        if "resourceType" in document:
            return FileFormat.FHIR
        if str(document.get("format", "")).startswith("oncoproof.journey/"):
            return FileFormat.JSON
        if {"metaData", "meta_data", "subject"} & set(document):
            return FileFormat.PHENOPACKET
    raise FormatError(
        where=where,
        came=f"{len(data)} bytes that begin with {data[:24]!r}",
        expected="a journey in JSON or Parquet, a FHIR bundle or a phenopacket",
        remedy="check that it is the right file and complete",
    )


def _parse(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None


def read_journeys(data: bytes, *, where: str) -> FileReading:
    """The journeys of a file of any format."""
    file_format = detect_format(data, where=where)
    if file_format is FileFormat.JSON:
        lines = [data] if _parse(data) is not None else data.splitlines()
        return FileReading(tuple(from_json(line) for line in lines if line.strip()), ())
    if file_format is FileFormat.PARQUET:
        return FileReading(tuple(from_parquet(data)), ())
    reading = from_fhir(data) if file_format is FileFormat.FHIR else from_phenopacket(data)
    return FileReading((reading.journey,), reading.losses)


def write_journeys(journeys: Sequence[Journey], file_format: FileFormat, *, as_of: int | None) -> bytes:
    """Journeys as the bytes of a file; what was known on day `as_of` only, where one is given."""
    if file_format is FileFormat.JSON:
        return b"\n".join(to_json(_cut(journey, as_of)) for journey in journeys) + b"\n"
    if file_format is FileFormat.PARQUET:
        return to_parquet([_cut(journey, as_of) for journey in journeys])
    if len(journeys) != 1:
        raise InputError(
            came=f"{len(journeys)} journeys",
            expected=f"one journey for a {file_format.value} document",
            remedy="convert to json or parquet, or take one journey",
        )
    journey = journeys[0]
    record = journey.record() if as_of is None else journey.visible(as_of)
    return to_fhir_bytes(record) if file_format is FileFormat.FHIR else to_phenopacket_bytes(record)


def _cut(journey: Journey, as_of: int | None) -> Journey:
    return journey if as_of is None else Journey.from_record(journey.visible(as_of))
