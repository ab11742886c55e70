"""What commands print: tables and words for people, one JSON document for machines, errors for both.

Rules this module guarantees:

- Results go to standard output, everything else to standard error: a pipe gets data only.
- `NO_COLOR` and a pipe turn colour off; what is piped is not cut to the screen's width, errors among it.
- How far a long job is shows on standard error while somebody looks at it, and leaves nothing behind.

    >>> print_json({"n": 1})
    {
      "n": 1
    }
"""

import os
import sys
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from oncoproof.errors import InputError, OncoproofError
from oncoproof.journey.atomic_file import replace_file

if TYPE_CHECKING:
    from rich.progress import Progress

_PIPE_WIDTH = 160

Item = TypeVar("Item")


class _Output(Console):
    """Standard output; a reader who leaves ends the command, and is no failure of it."""

    def on_broken_pipe(self) -> None:
        """Leave it to the command line's start, which knows how a command ends."""
        raise BrokenPipeError


def make_console() -> Console:
    """A console on standard output."""
    width = None if sys.stdout.isatty() or "COLUMNS" in os.environ else _PIPE_WIDTH
    return _Output(width=width, highlight=False)


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A titled table; empty cells stay empty."""
    table = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*(Text("" if cell is None else str(cell)) for cell in row))
    make_console().print(table)


def print_words(text: str, *, style: str = "") -> None:
    """A paragraph; no markup is read out of it, and a pipe gets it in one line."""
    make_console().print(Text(text, style=style), soft_wrap=not sys.stdout.isatty())


def print_note(text: str) -> None:
    """A sentence beside the result, on standard error."""
    Console(stderr=True, highlight=False).print(Text(text, style="dim"), soft_wrap=True)


def follow(items: Iterable[Item], words: str, *, total: int | None = None) -> Iterator[Item]:
    """The items, with a bar on standard error that shows how many have been taken.

    Args:
        items: What is worked through.
        words: What is being done, for instance `reading`.
        total: How many there are; None = not known before the end.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    with _make_bar() as shown:
        yield from shown.track(items, total=total, description=words)


@contextmanager
def follow_steps(words: str) -> Generator[Callable[[int, int], None], None, None]:
    """Something to tell how many steps are done, of how many; it shows a bar while somebody looks.

    Args:
        words: What is being done, for instance `simulating`.
    """
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    with _make_bar() as shown:
        task = shown.add_task(words, total=None)
        yield lambda done, of: shown.update(task, completed=done, total=of)


def _make_bar() -> "Progress":
    from rich import progress  # noqa: PLC0415  takes 30 ms to load, and a pipe needs none

    columns = (
        progress.TextColumn("{task.description}"),
        progress.BarColumn(),
        progress.MofNCompleteColumn(),
        progress.TimeRemainingColumn(),
    )
    return progress.Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


@contextmanager
def busy(words: str) -> Generator[None, None, None]:
    """A moving bar on standard error during one long step, of which nobody can say how far it is.

    Args:
        words: What is being done, for instance `asking the base`.
    """
    if not sys.stderr.isatty():
        yield
        return
    from rich import progress  # noqa: PLC0415  as above

    columns = (progress.TextColumn("{task.description}"), progress.BarColumn(), progress.TimeElapsedColumn())
    with progress.Progress(
        *columns, console=Console(stderr=True), transient=True, redirect_stdout=False
    ) as shown:
        shown.add_task(words, total=None)
        yield


def print_json(document: object) -> None:
    """One JSON document on standard output."""
    options = orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS | orjson.OPT_APPEND_NEWLINE
    sys.stdout.write(orjson.dumps(document, option=options, default=str).decode())


def print_error(error: OncoproofError, *, as_json: bool) -> None:
    """An error on standard error, its parts on lines of their own."""
    if as_json:
        _print_error_json({"error": type(error).__name__, **error.parts()})
        return
    parts = (("came", error.came), ("expected", error.expected), ("try", error.remedy))
    _print_error_words(error.where or type(error).__name__, parts)


def print_usage_error(message: str, *, as_json: bool) -> None:
    """What is wrong with the call, on standard error."""
    remedy = "oncoproof COMMAND --help"
    if as_json:
        _print_error_json({"error": "UsageError", "came": message, "remedy": remedy})
        return
    _print_error_words(message, (("try", remedy),))


def print_fault(error: Exception, *, as_json: bool) -> None:
    """A fault of the program on standard error: for people with the place where it happened."""
    remedy = "report it with the command and these lines: the program is at fault, not what you gave it"
    if as_json:
        _print_error_json({"error": "Fault", "came": f"{type(error).__name__}: {error}", "remedy": remedy})
        return
    traceback.print_exception(error)
    _print_error_words("a fault of the program", (("try", remedy),))


def _print_error_words(title: str, parts: Iterable[tuple[str, str]]) -> None:
    """On a screen the words of a part stay in their column; a pipe gets each part in one line."""
    console = Console(stderr=True, highlight=False)
    console.print(Text(f"error: {title}", style="bold red"), soft_wrap=True)
    for label, words in parts:
        head = f"  {label + ':':<10}"
        if console.is_terminal:
            grid = Table.grid()
            grid.add_row(Text(head), Text(words, overflow="fold"))
            console.print(grid)
        else:
            console.print(Text(head + words), soft_wrap=True)


def _print_error_json(document: Mapping[str, str]) -> None:
    sys.stderr.write(orjson.dumps(document, option=orjson.OPT_APPEND_NEWLINE).decode())


def write_output(data: bytes, output: Path | None) -> None:
    """Bytes into a file, or onto standard output where none is named."""
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with replace_file(output) as file:
        file.write(data)


def read_input(path: Path) -> bytes:
    """The bytes of a file, or of standard input where the path is `-`."""
    if str(path) == "-":
        return sys.stdin.buffer.read()
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(
            where=str(path),
            came=error.strerror or str(error),
            expected="a file that can be read",
            remedy="check the path",
        ) from error
