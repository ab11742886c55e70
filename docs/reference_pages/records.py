"""Records: the fields of a data class as a table, in the words that stand below each field in its source.

Rules this module guarantees:

- A field without words is an error, not a blank cell.
- A field whose type is a data class points to that class, which gets a table of its own.
"""

import ast
import inspect
import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import date
from enum import Enum
from functools import cache
from types import ModuleType, NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

from oncoproof.knowledge.tables import Figure
from reference_pages.markdown import cell, code, table

_PLAIN = {
    str: "text",
    int: "whole number",
    float: "number",
    date: "date",
    Any: "anything",
}


@dataclass(frozen=True)
class Notation:
    """How a kind of file writes what a field holds."""

    yes_or_no: str
    """A field of type bool."""
    several: str
    """What is said of a tuple beside its members."""
    is_flat: bool
    """Whether a Figure is spread over columns."""
    has_parts: bool = True
    """Whether a data class that a field holds has a table of its own."""


CSV = Notation(yes_or_no="`yes`, `no`", several=r", several with `\|` between", is_flat=True)
TRIALS = Notation(yes_or_no="`1`, `0`", several=", several with `;` between", is_flat=True, has_parts=False)
JSON = Notation(yes_or_no="`true`, `false`", several=", a list", is_flat=False)
TOML = Notation(yes_or_no="`true`, `false`", several=", a list", is_flat=False)


@cache
def words_of_fields(record: type[object]) -> Mapping[str, str]:
    """What stands below each field of a class in its source."""
    body = cast("ast.ClassDef", ast.parse(inspect.getsource(record)).body[0]).body
    return dict(_words(body))


@cache
def words_of_constants(module: ModuleType) -> Mapping[str, str]:
    """What stands below each constant of a module in its source."""
    return dict(_words(ast.parse(inspect.getsource(module)).body))


def _words(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    for statement, follower in itertools.pairwise(body):
        if isinstance(follower, ast.Expr) and isinstance(follower.value, ast.Constant):
            words = " ".join(str(follower.value.value).split())
            yield from ((name, words) for name in _named_by(statement))


def _named_by(statement: ast.stmt) -> list[str]:
    """The names that a statement gives a value; several at once share what stands below them."""
    target: object = None
    if isinstance(statement, ast.AnnAssign):
        target = statement.target
    elif isinstance(statement, ast.Assign):
        target = statement.targets[0]
    targets: list[ast.expr | object] = [*target.elts] if isinstance(target, ast.Tuple) else [target]
    return [each.id for each in targets if isinstance(each, ast.Name)]


def field_table(
    record: type[object],
    notation: Notation,
    *,
    heading: str,
    words: Mapping[str, str] | None = None,
    skip: str = "",
) -> str:
    """The fields of a record as a table.

    Args:
        record: The data class.
        notation: How its file writes it.
        heading: What a field is called in that file: a column, or a key.
        words: Words for fields that have none below them.
        skip: The field that the file does not write, for it is the name of the table.
    """
    known = {**(words or {}), **words_of_fields(record)}
    hints = _hints(record)
    rows = [
        (
            _names(field.name, hints[field.name], notation),
            _kind(hints[field.name], notation),
            cell(known[field.name]),
        )
        for field in fields(cast("Any", record))
        if field.name != skip
    ]
    return table((heading, "holds", "what it says"), rows)


def parts_of(record: type[object]) -> list[type[object]]:
    """The data classes that the fields of a record hold, each once, figures left out."""
    found: list[type[object]] = []
    for hint in _hints(record).values():
        for part in _classes(hint):
            if part not in found and part is not Figure:
                found += [part, *(inner for inner in parts_of(part) if inner not in found)]
    return found


def _classes(hint: object) -> Iterator[type[object]]:
    if isinstance(hint, type) and is_dataclass(hint):
        yield hint
    for inner in get_args(hint):
        yield from _classes(inner)


@cache
def _hints(record: type[object]) -> dict[str, Any]:
    return get_type_hints(record)


def _names(name: str, hint: object, notation: Notation) -> str:
    if not notation.is_flat or Figure not in (hint, *get_args(hint)):
        return code(name)
    prefix = "" if name == "figure" else f"{name}_"
    return ", ".join(code(prefix + field.name) for field in fields(Figure))


def _kind(hint: Any, notation: Notation) -> str:  # noqa: ANN401  a type hint is any object
    options = [option for option in get_args(hint) if option is not NoneType]
    origin = get_origin(hint)
    if isinstance(hint, UnionType) or origin is Union:
        return " or ".join(_kind(option, notation) for option in options)
    if origin is tuple:
        return _kind(options[0], notation) + notation.several
    if origin in {dict, Mapping, cast("Any", Mapping)}:
        return f"a table; each value: {_kind(options[1], notation)}"
    return _plain(hint, notation)


def _plain(hint: Any, notation: Notation) -> str:  # noqa: ANN401  a type hint is any object
    if hint is Figure:
        return "[figure](#figures)"
    if hint is bool:
        return notation.yes_or_no
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return ", ".join(code(member.value) for member in hint)
    name = str(hint.__name__)
    return f"[{name}](#{name.lower()})" if notation.has_parts else name.lower()
