"""Importing CIViC: a file of its evidence into a folder of the user's, every row accounted for.

Rules this module guarantees:

- The account's counts of rows imported, merged and skipped by reason add up to the rows of the file.
- A file that cannot be used whole changes nothing; importing a file again changes nothing.
- A file cut between two rows looks whole; the account counts the held rows of its layout that it lacks.
- Each piece of evidence keeps where it is from: evidence ids, citation, rating, review, the digests of files.

    >>> from pathlib import Path
    >>> load_imported(Path("nowhere"))
    ()
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oncoproof.errors import InputError
from oncoproof.knowledge.civic.folder import FileMark, HeldRows, read_folder, write_folder
from oncoproof.knowledge.civic.layouts import CivicFile, read_civic
from oncoproof.knowledge.civic.rows import Outcome, RowOutcome, SkipReason, interpret_rows
from oncoproof.knowledge.evidence.evidence import Evidence

_ACCOUNT_FORMAT = "oncoproof.knowledge.civic.imports-account/1"


@dataclass(frozen=True, slots=True)
class FolderChanges:
    """What an import did to the evidence ids a folder holds."""

    added: int
    """Ids it did not hold."""
    superseded: int
    """Ids whose row was replaced by a later one."""
    confirmed: int
    """Ids whose row the file tells in the same words."""
    kept: int
    """Ids whose held row is later than the file's."""
    absent: int
    """Ids it holds that the file does not tell of; they stay."""
    lacking: int
    """Of those, ids that another file of the same layout told of: the file may be cut short."""


@dataclass(frozen=True, slots=True)
class ImportAccount:
    """What became of a file."""

    file: FileMark
    """The file."""
    imported: int
    """Rows that are evidence."""
    merged: int
    """Rows that say what another row says."""
    skipped: Mapping[SkipReason, int]
    """Rows left out, by reason; a reason without rows is not listed."""
    mapped: int
    """Of the rows imported, those the words of the base express wholly."""
    rows: tuple[RowOutcome, ...]
    """What became of each row, in the order of the file."""
    changes: FolderChanges
    """What it did to the folder."""

    @property
    def row_count(self) -> int:
        """All rows, as the counts add up."""
        return self.imported + self.merged + sum(self.skipped.values())

    def as_json(self) -> dict[str, Any]:
        """The account without what it did to the folder: it depends on the file alone."""
        return {
            "format": _ACCOUNT_FORMAT,
            "file": {
                "name": self.file.name,
                "sha256": self.file.sha256,
                "layout": self.file.layout,
                "newest_review": self.file.newest_review,
                "row_count": self.file.row_count,
            },
            "imported": self.imported,
            "mapped": self.mapped,
            "merged": self.merged,
            "skipped": {reason.value: count for reason, count in sorted(self.skipped.items())},
            "rows": [
                {
                    "line": row.line,
                    "evidence_id": row.evidence_id,
                    "outcome": row.outcome,
                    **({"reason": row.reason} if row.reason else {}),
                    **({"merged_with": row.merged_with} if row.merged_with else {}),
                }
                for row in self.rows
            ],
        }


def import_civic(path: Path, *, target: Path) -> ImportAccount:
    """Import a file of CIViC evidence.

    Args:
        path: The file, of either layout.
        target: The user's folder of imported knowledge; made if it is not there.

    Raises:
        FormatError: The file is not a whole file of CIViC evidence, or the folder's file is damaged.
        InputError: The file or folder cannot be opened.
    """
    file = read_civic(_read(path), name=path.name)
    before = read_folder(target)
    after = before.with_file(file)
    account = _account(file, _changes(file, before, after))
    write_folder(target, after, account.as_json(), account_name=f"civic-account-{file.sha256[:16]}.json")
    return account


def load_imported(target: Path) -> tuple[Evidence, ...]:
    """The evidence a folder holds, by CIViC's number; empty where nothing was imported.

    Raises:
        FormatError: The folder's file is damaged.
    """
    held = read_folder(target)
    pieces = interpret_rows([entry.row for _, entry in sorted(held.rows.items())]).evidence
    return tuple(_placed(piece, held) for piece in pieces)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            where=str(path),
            came=error.strerror or str(error),
            expected="a file that can be read",
            remedy="check the path",
        ) from error


def _placed(piece: Evidence, held: HeldRows) -> Evidence:
    """The piece with the files that told of it."""
    if piece.civic is None:
        return piece
    files = {place.sha256 for number in piece.civic.evidence_ids for place in held.rows[number].sightings}
    is_current = held.newest_file in files
    return replace(piece, civic=replace(piece.civic, files=tuple(sorted(files)), is_current=is_current))


def _account(file: CivicFile, changes: FolderChanges) -> ImportAccount:
    interpretation = interpret_rows(file.rows)
    outcomes = Counter(row.outcome for row in interpretation.outcomes)
    return ImportAccount(
        file=FileMark.of(file),
        imported=outcomes[Outcome.IMPORTED],
        merged=outcomes[Outcome.MERGED],
        skipped=Counter(row.reason for row in interpretation.outcomes if row.reason),
        mapped=sum(piece.is_mapped for piece in interpretation.evidence),
        rows=interpretation.outcomes,
        changes=changes,
    )


def _changes(file: CivicFile, before: HeldRows, after: HeldRows) -> FolderChanges:
    kinds: Counter[str] = Counter()
    told = {row.evidence_id: row for row in file.rows}
    absent = before.rows.keys() - told.keys()
    alike = {sha256 for sha256, mark in before.files.items() if mark.layout is file.layout}
    for number, row in told.items():
        held = before.rows.get(number)
        if held is None:
            kinds["added"] += 1
        elif held.row.digest == after.rows[number].row.digest:
            kinds["confirmed" if row.digest == held.row.digest else "kept"] += 1
        else:
            kinds["superseded"] += 1
    return FolderChanges(
        added=kinds["added"],
        superseded=kinds["superseded"],
        confirmed=kinds["confirmed"],
        kept=kinds["kept"],
        absent=len(absent),
        lacking=sum(
            any(place.sha256 in alike for place in before.rows[number].sightings) for number in absent
        ),
    )
