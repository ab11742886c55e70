"""Many journeys in one Parquet file: typed columns, streamed, nothing lost.

Rules this module guarantees:

- One row is one journey. Events and links are lists of structures whose columns are those of the types:
  ids, days, kinds of content, codes, numbers, each with its Arrow type. So any tool that reads Parquet
  can ask about them, and reading gives back exactly the journeys that were written.
- A file is written in row groups, whole or not at all, and read a batch at a time: memory does not grow
  with the number of journeys.
- A file of another format or version, with other columns, truncated or changed is a FormatError.

    >>> import tempfile
    >>> from datetime import date
    >>> from oncoproof.journey.graph import Journey
    >>> from oncoproof.journey.patient import Patient
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "cohort.parquet"
    ...     count = write_parquet(path, [Journey(Patient(id="p1"), date(2026, 3, 1))])
    ...     [journey.patient.id for journey in read_parquet(path)]
    ['p1']
"""

import io
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, cast

from oncoproof.errors import FormatError
from oncoproof.journey.atomic_file import replace_file
from oncoproof.journey.cells import arrow_type, cell_of, plain_of
from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import JOURNEY_FORMAT, JourneyDocument, document_of, journey_of
from oncoproof.journey.shapes import shape_of

PARQUET_FORMAT = "oncoproof.journeys/1"
"""Name and version of the form, which a file states in its metadata."""

_FORMAT_KEY = b"oncoproof.format"
_ROWS_PER_GROUP = 2_000
_ROWS_PER_BATCH = 250
_SHAPE = shape_of(JourneyDocument)


def write_parquet(path: Path, journeys: Iterable[Journey], *, rows_per_group: int = _ROWS_PER_GROUP) -> int:
    """Write journeys to a file; the whole file or nothing. Returns how many.

    Args:
        path: The file, which is replaced where it exists.
        journeys: Taken one group at a time.
        rows_per_group: How many journeys are held in memory and stand in one row group.

    Raises:
        InputError: The file cannot be written.
        FormatError: A text holds what Unicode cannot write, or a number does not fit its column.
    """
    with replace_file(path) as file:
        return _write(file, journeys, rows_per_group, str(path))


def read_parquet(path: Path) -> Iterator[Journey]:
    """The journeys of a file, read a batch at a time as they are taken.

    Raises:
        FormatError: The file cannot be read, is not of this format, or breaks its rules.
    """
    yield from _read(path, str(path))


def to_parquet(journeys: Iterable[Journey]) -> bytes:
    """The bytes of a file of journeys, for where there is no folder to write to.

    Raises:
        FormatError: A text holds what Unicode cannot write, or a number does not fit its column.
    """
    file = io.BytesIO()
    _write(file, journeys, _ROWS_PER_GROUP, PARQUET_FORMAT)
    return file.getvalue()


def from_parquet(data: bytes, *, where: str = "journeys") -> Iterator[Journey]:
    """The journeys in the bytes of a file, read a batch at a time as they are taken.

    Args:
        data: The whole file.
        where: Name of the file or message, for errors.

    Raises:
        FormatError: The bytes are not of this format, or break its rules.
    """
    yield from _read(io.BytesIO(data), where)


def _write(file: BinaryIO, journeys: Iterable[Journey], rows_per_group: int, where: str) -> int:
    pq: Any = import_module("pyarrow.parquet")
    count = 0
    source = iter(journeys)
    with pq.ParquetWriter(file, _arrow_schema(), compression="zstd", write_page_checksum=True) as writer:
        while group := [cell_of(_SHAPE, document_of(journey)) for journey in islice(source, rows_per_group)]:
            writer.write_table(_table(group, where))
            count += len(group)
    return count


def _read(source: Path | BinaryIO, where: str) -> Iterator[Journey]:
    pa: Any = import_module("pyarrow")
    pq: Any = import_module("pyarrow.parquet")
    number = 0
    try:
        with pq.ParquetFile(source, page_checksum_verification=True) as file:
            _check_format(file, where)
            for batch in file.iter_batches(batch_size=_ROWS_PER_BATCH):
                for cell in batch.to_pylist():
                    plain = cast("dict[str, object]", plain_of(_SHAPE, cell))
                    yield journey_of({"format": JOURNEY_FORMAT, **plain}, f"{where}: row {number}")
                    number += 1
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(where, error) from error


@cache
def _arrow_schema() -> object:
    pa: Any = import_module("pyarrow")

    row: Any = arrow_type(_SHAPE)
    return pa.schema(list(row), metadata={_FORMAT_KEY: PARQUET_FORMAT.encode()})


def _table(rows: list[object], where: str) -> object:
    pa: Any = import_module("pyarrow")

    try:
        return pa.Table.from_pylist(rows, schema=_arrow_schema())
    except (pa.ArrowException, UnicodeEncodeError, OverflowError) as error:
        raise FormatError(
            where=where,
            came=str(error),
            expected="text and numbers that the columns can hold",
            remedy="correct the journey",
        ) from error


def _check_format(file: object, where: str) -> None:
    """Refuse a Parquet file that does not hold journeys of this version."""
    schema: Any = cast("Any", file).schema_arrow
    metadata = cast("dict[bytes, bytes]", schema.metadata or {})
    stated = metadata.get(_FORMAT_KEY, b"no format").decode(errors="replace")
    if stated != PARQUET_FORMAT:
        raise FormatError(
            where=where,
            came=repr(stated),
            expected=repr(PARQUET_FORMAT),
            remedy="give a file of this format",
        )
    if not schema.equals(_arrow_schema()):
        raise FormatError(
            where=where,
            came="other columns",
            expected=f"the columns of {PARQUET_FORMAT}",
            remedy="write the file again from its journeys",
        )


def _unreadable(where: str, error: Exception) -> FormatError:
    return FormatError(
        where=where,
        came=str(error).partition("\n")[0],
        expected="a whole, unchanged Parquet file",
        remedy="check the path, or write the file again",
    )
