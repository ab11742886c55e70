"""Published trials: the project's own table, and the reader of any file in its format.

Rules this module guarantees:

- Every cell is read and checked: an unknown column, word, drug, key or value, a malformed number, an
  interval that does not hold its estimate, a comparator that is not there, a row id used twice.
- All that is wrong with a file comes in one `ProblemsError`, each problem with line, row id and column.
- A first line `# oncoproof.knowledge.trials/1` is accepted and not required; so are a byte order mark,
  either kind of line end, and any order of columns.
- `read_trials(write_trials(arms))` gives equal arms.

    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> arm.drugs.regimens(), arm.pfs_hazard.value
    (('osimertinib',), 0.46)
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.medicines.conditions import CellError
from oncoproof.knowledge.problems import Problem, ProblemsError
from oncoproof.knowledge.tables import read_text
from oncoproof.knowledge.trials.arm_checks import PlacedRow, check_row, check_table
from oncoproof.knowledge.trials.arms import TrialArm
from oncoproof.knowledge.trials.cells import READERS, write_cell

_FORMAT_LINE = "# oncoproof.knowledge.trials/1"
_FILE = "trials.csv"


@cache
def load_trials() -> tuple[TrialArm, ...]:
    """Every arm of the project's own table."""
    return read_trials(read_text(_FILE), where=_FILE)


def read_trials(source: str | Path, *, where: str | None = None) -> tuple[TrialArm, ...]:
    """Read a table of trial arms.

    Args:
        source: The text of the table, or the path of a file that holds it.
        where: What errors call the table; None = the file's name, or `trials`.

    Raises:
        ProblemsError: One cell or many cannot be used; it lists all of them.
        InputError: The file cannot be opened.
    """
    name = where or (source.name if isinstance(source, Path) else "trials")
    text = _read_file(source, name) if isinstance(source, Path) else source.removeprefix("\ufeff")
    return _parse(text, name)


def write_trials(arms: Iterable[TrialArm]) -> str:
    """The arms as text of the format, with its first line."""
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(READERS)
    writer.writerows([write_cell(getattr(arm, column)) for column in READERS] for arm in arms)
    return f"{_FORMAT_LINE}\n{written.getvalue()}"


def _read_file(path: Path, name: str) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            where=name,
            came=error.strerror or str(error),
            expected="a file that can be read",
            remedy="check the path",
        ) from error
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = Problem(
            where=f"line {line}",
            came=f"byte 0x{error.object[error.start]:02x}",
            expected="UTF-8 text",
            remedy="save the file as UTF-8",
        )
        raise ProblemsError([problem], where=name) from error


def _parse(text: str, name: str) -> tuple[TrialArm, ...]:
    lines_before, body = _take_format_line(text, name)
    broken: list[Problem] = []
    table = _rows(body, lines_before, broken)
    _, header = next(table, (1, list[str]()))
    _require_columns(header, name)
    rows = [_parse_row(f"line {line} ({cells[0]})", header, cells) for line, cells in table]
    problems = [*(problem for row in rows for problem in row.problems), *broken, *check_table(rows)]
    if not rows and not problems:
        problems = [Problem(where="table", came="no row", expected="one arm or more", remedy="add a row")]
    if problems:
        raise ProblemsError(problems, where=name)
    return tuple(row.arm for row in rows if row.arm is not None)


def _take_format_line(text: str, name: str) -> tuple[int, str]:
    """How many lines stand before the header, and the text from the header on."""
    if not text.startswith("#"):
        return 0, text
    first, _, body = text.partition("\n")
    if first.strip() != _FORMAT_LINE:
        problem = Problem(
            where="line 1",
            came=repr(first.strip()),
            expected=repr(_FORMAT_LINE),
            remedy="check that the file is of this format and version, or remove the line",
        )
        raise ProblemsError([problem], where=name)
    return 1, body


def _rows(body: str, lines_before: int, problems: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Each row that is not empty, with the line it begins at."""
    reader = csv.reader(io.StringIO(body, newline=""), strict=True)
    line = 0
    try:
        for cells in reader:
            first_line, line = line + 1, reader.line_num
            if cells:
                yield first_line + lines_before, cells
    except csv.Error as error:
        problems.append(
            Problem(
                where=f"line {reader.line_num + lines_before}",
                came=str(error),
                expected="CSV",
                remedy="check the quotes of this line and those before it",
            )
        )


def _require_columns(header: Sequence[str], name: str) -> None:
    problems = [_column_problem(column, "missing", "add it") for column in READERS if column not in header]
    for index, column in enumerate(header):
        if column not in READERS:
            problems.append(_column_problem(column, "unknown", "correct its name or remove it"))
        elif column in header[:index]:
            problems.append(_column_problem(column, "there twice", "remove one"))
    if problems:
        raise ProblemsError(problems, where=name)


def _column_problem(column: str, what: str, remedy: str) -> Problem:
    return Problem(
        where="header",
        came=f"column {column!r} {what}",
        expected="the columns of the trial format",
        remedy=remedy,
    )


def _parse_row(place: str, header: Sequence[str], cells: Sequence[str]) -> PlacedRow:
    """What a row holds, and what is wrong with it."""
    if len(cells) != len(header):
        problem = Problem(
            where=place,
            came=f"{len(cells)} cells",
            expected=f"{len(header)} cells",
            remedy="quote cells that hold a comma; give every row all columns",
        )
        return PlacedRow(place, cells[0], None, (problem,))
    texts = dict(zip(header, cells, strict=True))
    place = f"{place.partition(' (')[0]} ({texts['row_id']})"
    values, problems = _read_cells(texts, place)
    if problems:
        return PlacedRow(place, texts["row_id"], None, tuple(problems))
    arm = TrialArm(**values)
    return PlacedRow(place, arm.row_id, arm, tuple(check_row(arm, place)))


def _read_cells(texts: dict[str, str], place: str) -> tuple[dict[str, Any], list[Problem]]:
    """The value of every cell that can be read, and a problem for each other."""
    disease = texts["disease"] if texts["disease"] in load_diseases() else None
    values: dict[str, Any] = {}
    problems: list[Problem] = []
    for column, read in READERS.items():
        try:
            values[column] = read(texts[column].strip(), disease)
        except CellError as error:
            where, came = f"{place}, {column}", repr(error.came)
            problems.append(Problem(where=where, came=came, expected=error.expected, remedy=error.remedy))
    return values, problems
