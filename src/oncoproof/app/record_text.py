"""Records of the knowledge base as words for people and as JSON for machines.

Rules this module guarantees:

- Nothing is left out but what is empty; a field that holds records becomes lines of its own.
- A figure is told with its interval, unit, source and basis; JSON keeps every part apart.

    >>> from oncoproof.knowledge import load_diseases
    >>> [line for line in describe(load_diseases()["nsclc"]) if line[0] == "age"]
    [('age', '71 a (18 to 105) [dataset:seer, recalled]')]
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any, cast

from oncoproof.knowledge.tables import Figure

_INLINE_MAX = 120
"""A list longer than this is told one member a line."""


def describe(record: object) -> list[tuple[str, str]]:
    """Field and words of everything a record says, in its order; of several records, one after the other."""
    if isinstance(record, tuple):
        return [line for member in cast("Iterable[object]", record) for line in describe(member)]
    return [line for name, value in _parts(record) for line in _lines(name, value)]


def as_json(value: object) -> Any:  # noqa: ANN401  JSON is any of its types
    """A record, and all that it holds, in the types of JSON."""
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        held = cast("Mapping[object, object]", value)
        return {_key(key): as_json(member) for key, member in held.items()}
    if isinstance(value, frozenset | set):
        return sorted((as_json(member) for member in cast("Iterable[object]", value)), key=str)
    if isinstance(value, tuple | list):
        return [as_json(member) for member in cast("Iterable[object]", value)]
    if _speaks_for_itself(value):
        return str(value)
    return {name: as_json(member) for name, member in _parts(value)}


def figure_words(figure: Figure) -> str:
    """A figure in a line."""
    bounds = "" if figure.low is None and figure.high is None else f" ({_bounds(figure)})"
    unit = "" if figure.unit == "1" else f" {figure.unit}"
    return f"{figure.value:g}{unit}{bounds} [{figure.source}, {figure.basis.value}]"


def _bounds(figure: Figure) -> str:
    if figure.low is None:
        return f"up to {figure.high:g}"
    return f"from {figure.low:g}" if figure.high is None else f"{figure.low:g} to {figure.high:g}"


def _parts(record: object) -> Iterator[tuple[str, object]]:
    for field in fields(cast("Any", record)):
        if not field.name.startswith("_"):
            yield field.name, getattr(record, field.name)


def _lines(name: str, value: object) -> Iterator[tuple[str, str]]:
    if _is_empty(value):
        return
    if isinstance(value, Mapping):
        for key, member in cast("Mapping[object, object]", value).items():
            yield from _lines(f"{name} {_key(key)}", member)
    elif isinstance(value, tuple | list | frozenset):
        yield from _listed(name, tuple(cast("Iterable[object]", value)))
    else:
        yield name, _words(value)


def _listed(name: str, members: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    words = [_words(member) for member in members]
    inline = ", ".join(words)
    if len(inline) <= _INLINE_MAX and not any(map(_has_parts, members)):
        yield name, inline
        return
    for number, word in enumerate(words):
        yield (name if number == 0 else ""), word


def _words(value: object) -> str:
    if isinstance(value, Figure):
        return figure_words(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        held = cast("Mapping[object, object]", value)
        return "; ".join(f"{_key(key)}: {_words(member)}" for key, member in held.items())
    if isinstance(value, tuple | list | frozenset):
        return ", ".join(_words(member) for member in cast("Iterable[object]", value))
    if _has_parts(value):
        told = [(name, member) for name, member in _parts(value) if not _is_empty(member)]
        return "; ".join(f"{name} {_words(member)}" for name, member in told)
    return str(cast("re.Pattern[str]", value).pattern if isinstance(value, re.Pattern) else value)


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, str | tuple | frozenset | Mapping) and not value)


def _has_parts(value: object) -> bool:
    return is_dataclass(value) and not _speaks_for_itself(value)


def _speaks_for_itself(value: object) -> bool:
    """Whether a value is told best in its own words."""
    return not is_dataclass(value) or "__str__" in vars(type(value))


def _key(key: object) -> str:
    if isinstance(key, tuple):
        return " ".join(map(str, cast("Iterable[object]", key)))
    return str(key)
