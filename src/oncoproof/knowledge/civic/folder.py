"""The folder into which a user imports CIViC, and its files.

- `civic.jsonl`: a first line with the format, the number of rows and the files imported; then a row of
  CIViC per line, by evidence id: its cells as CIViC wrote them (free text aside), the file it is from, and
  each file and line that told of it. What the cells mean is read anew on loading, so a base that
  has learnt a drug since understands more of them.
- `civic-account-SHA.json`: what became of each row of the file with that digest.

Rules this module guarantees:

- A row supersedes another of its evidence id if it was reviewed later, or else is from the newer file; so
  the order of imports makes no difference, and importing a file again changes no byte.
- Files are replaced whole: written beside, flushed to disk, then renamed. The rows come last, so that an
  import that is cut short leaves the rows as they were.

    >>> HeldRows().rows
    {}
"""

import contextlib
import os
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from oncoproof.errors import FormatError, InputError
from oncoproof.knowledge.civic.layouts import CivicFile, CivicRow, Layout

_FORMAT = "oncoproof.knowledge.civic/1"
_FILE = "civic.jsonl"


@dataclass(frozen=True, slots=True, order=True)
class FileMark:
    """A file that was imported; marks sort by age."""

    newest_review: str
    """The latest review in it, which dates it."""
    sha256: str
    """Digest of its bytes."""
    name: str
    """Its name."""
    layout: Layout
    """How its columns are cut."""
    row_count: int
    """Data rows in it."""

    @classmethod
    def of(cls, file: CivicFile) -> "FileMark":
        """The mark of a file that was read."""
        return cls(file.newest_review, file.sha256, file.name, file.layout, len(file.rows))


@dataclass(frozen=True, slots=True, order=True)
class Sighting:
    """A place where a row was seen."""

    sha256: str
    """Digest of the file."""
    line: int
    """Line in it."""
    digest: str
    """Digest of the row's cells there."""


@dataclass(frozen=True, slots=True)
class HeldRow:
    """The row of an evidence id that counts, and every sighting of the id."""

    row: CivicRow
    """The row reviewed last."""
    sha256: str
    """Digest of the file it is from."""
    sightings: tuple[Sighting, ...]
    """Where the id was seen, sorted."""


def _no_files() -> dict[str, FileMark]:
    return {}


def _no_rows() -> dict[int, HeldRow]:
    return {}


@dataclass(frozen=True, slots=True)
class HeldRows:
    """What a folder holds."""

    files: dict[str, FileMark] = field(default_factory=_no_files)
    """The files imported, by digest."""
    rows: dict[int, HeldRow] = field(default_factory=_no_rows)
    """The rows, by evidence id."""

    @property
    def newest_file(self) -> str:
        """Digest of the newest file; empty where there is none."""
        return max(self.files.values()).sha256 if self.files else ""

    def with_file(self, file: CivicFile) -> "HeldRows":
        """What the folder holds once a file is added."""
        files = {**self.files, file.sha256: FileMark.of(file)}
        rows = dict(self.rows)
        for row in file.rows:
            new = HeldRow(row, file.sha256, (Sighting(file.sha256, row.line, row.digest),))
            held = rows.get(row.evidence_id)
            rows[row.evidence_id] = _joined(held, new, files) if held else new
        return HeldRows(files, rows)


def _joined(one: HeldRow, other: HeldRow, files: dict[str, FileMark]) -> HeldRow:
    latest = max((one, other), key=lambda held: (held.row.reviewed, files[held.sha256], -held.row.line))
    sightings = tuple(sorted({*one.sightings, *other.sightings}))
    return HeldRow(latest.row, latest.sha256, sightings)


def read_folder(folder: Path) -> HeldRows:
    """What a folder holds; nothing where nothing was imported.

    Raises:
        FormatError: Its file is damaged or of another version.
    """
    path = folder / _FILE
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return HeldRows()
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        return _parse(content)
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(
            where=str(path),
            came=f"{type(error).__name__}: {error}",
            expected=f"a whole file of format {_FORMAT}",
            remedy="remove the file and import again",
        ) from error


def write_folder(folder: Path, held: HeldRows, account: dict[str, Any], *, account_name: str) -> None:
    """Replace the folder's files; those whose bytes would not change are left alone.

    Args:
        folder: The folder, made if it is not there.
        held: What it is to hold.
        account: What became of the rows of the file added.
        account_name: Name of the account's file.
    """
    import orjson  # noqa: PLC0415  the start of the command line does not need it

    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = orjson.dumps(account, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        _replace(folder / account_name, text)
        _replace(folder / _FILE, _serialise(held))
    except OSError as error:
        raise _unusable(folder, error) from error


def _unusable(path: Path, error: OSError) -> InputError:
    return InputError(
        where=str(path),
        came=error.strerror or str(error),
        expected="a folder that can be read and written",
        remedy="choose another folder or mend its permissions",
    )


def _serialise(held: HeldRows) -> bytes:
    import orjson  # noqa: PLC0415  as above

    header = {
        "format": _FORMAT,
        "row_count": len(held.rows),
        "files": [asdict(mark) for mark in sorted(held.files.values())],
    }
    entries = (
        {
            "row": {name: getattr(entry.row, name) for name in CivicRow.__slots__},
            "sha256": entry.sha256,
            "seen": [[place.sha256, place.line, place.digest] for place in entry.sightings],
        }
        for _, entry in sorted(held.rows.items())
    )
    return b"".join(orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE) for line in (header, *entries))


def _parse(content: bytes) -> HeldRows:
    import orjson  # noqa: PLC0415  as above

    first, *lines = content.splitlines()
    header = orjson.loads(first)
    if header["format"] != _FORMAT or header["row_count"] != len(lines):
        raise ValueError(f"format {header['format']!r}, {len(lines)} of {header['row_count']} rows")
    marks = [_parse_mark(mark) for mark in header["files"]]
    entries = (_parse_entry(orjson.loads(line)) for line in lines)
    return HeldRows(
        {mark.sha256: mark for mark in marks}, {entry.row.evidence_id: entry for entry in entries}
    )


def _parse_mark(mark: dict[str, Any]) -> FileMark:
    return FileMark(
        mark["newest_review"], mark["sha256"], mark["name"], Layout(mark["layout"]), mark["row_count"]
    )


def _parse_entry(entry: dict[str, Any]) -> HeldRow:
    sightings: list[list[Any]] = entry["seen"]
    return HeldRow(CivicRow(**entry["row"]), entry["sha256"], tuple(Sighting(*place) for place in sightings))


def _replace(path: Path, content: bytes) -> None:
    """Put the content in place of the file in one step."""
    if path.exists() and path.read_bytes() == content:
        return
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        raise
