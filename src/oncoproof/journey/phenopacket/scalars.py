"""Scalars: how the leaves of a phenopacket are checked, and how a fault names its place.

Rules this module guarantees:

- A check gives the value in one form (numbers as numbers, names of enumerations, days in UTC) or
  raises a FormatError that names the path.

    >>> place(((None, "measurements"), 3))
    'measurements[3]'
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, NoReturn, TypeAlias, cast

from oncoproof.errors import FormatError
from oncoproof.journey.phenopacket.schema import NAMES

Path: TypeAlias = "tuple[Path, str | int] | None"
"""Steps from the document to a part, innermost last; None = the document."""

Check: TypeAlias = Callable[[Any, Path], Any]
"""Checks a JSON value and gives it in one form."""

_TIMESTAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?P<fraction>\.\d{1,9})?(?P<zone>Z|[+-]\d\d:\d\d)"
)
_NUMBER: Final = re.compile(r"-?(?:\d{1,300}(?:\.\d+)?(?:[eE][-+]?\d{1,2})?|Infinity)")


def place(path: Path) -> str:
    """A path in words, for instance `measurements[3].value`."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps)).lstrip(".") or "phenopacket"


def refuse(path: Path, came: object, expected: str, remedy: str) -> NoReturn:
    """Raise a FormatError that names the path."""
    words = repr(came)
    words = words if len(words) <= 80 else f"{words[:77]}..."
    raise FormatError(where=place(path), came=words, expected=expected, remedy=remedy)


def _string(value: Any, path: Path) -> str:  # noqa: ANN401  # JSON: anything
    if type(value) is not str:
        refuse(path, value, "text", "put it in quotes, or leave it out")
    return value


def _bool(value: Any, path: Path) -> bool:  # noqa: ANN401  # JSON: anything
    if type(value) is not bool:
        refuse(path, value, "true or false", "leave it out for false")
    return value


def _double(value: Any, path: Path) -> float:  # noqa: ANN401  # JSON: anything
    if type(value) is float or type(value) is int:
        if abs(value) <= 1.7e308:
            return float(value)
    elif type(value) is str and _NUMBER.fullmatch(value):
        return float(value)
    refuse(path, value, "a number", "write a JSON number")


def _integer(low: int, high: int) -> Check:
    def check_integer(value: Any, path: Path) -> int:  # noqa: ANN401  # JSON: anything
        number: int | None = None
        if type(value) is int:
            number = value
        elif (type(value) is float and value.is_integer()) or (
            type(value) is str and re.fullmatch(r"-?\d{1,20}", value)
        ):
            number = int(value)
        if number is None or not low <= number <= high:
            refuse(path, value, f"a whole number from {low} to {high}", "round it, or leave it out")
        return number

    return check_integer


def _map(value: Any, path: Path) -> dict[str, str]:  # noqa: ANN401  # JSON: anything
    if type(value) is not dict:
        refuse(path, value, "an object of texts by name", "write {} where there are none")
    entries = cast("dict[str, Any]", value)
    return {key: _string(item, (path, key)) for key, item in entries.items()}


SCALARS: Final[dict[str, Check]] = {
    "string": _string,
    "bool": _bool,
    "double": _double,
    "int32": _integer(-(2**31), 2**31 - 1),
    "uint32": _integer(0, 2**32 - 1),
    "uint64": _integer(0, 2**64 - 1),
    "map": _map,
}


def _enum(names: tuple[str, ...]) -> Check:
    known = frozenset(names)

    def check_enum(value: Any, path: Path) -> str:  # noqa: ANN401  # JSON: anything
        if type(value) is str and value in known:
            return value
        if type(value) is int and 0 <= value < len(names):
            return names[value]
        refuse(path, value, f"one of {', '.join(names)}", "use a name of the enumeration")

    return check_enum


ENUM_CHECKS: Final = {name: _enum(names) for name, names in NAMES.items()}


def day_of(text: str, path: Path) -> str:
    """The day in UTC of a timestamp."""
    match = _TIMESTAMP.fullmatch(text)
    if match is not None:
        try:
            if match["zone"] == "Z":
                datetime.fromisoformat(text)
                return text[:10]
            return datetime.fromisoformat(text).astimezone(UTC).date().isoformat()
        except (ValueError, OverflowError):
            pass
    refuse(path, text, "an RFC 3339 timestamp with a zone", "write 2026-03-01T00:00:00Z")
