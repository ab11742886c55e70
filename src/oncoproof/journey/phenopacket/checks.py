"""Checking a phenopacket against the schema, and putting it into one form.

Rules this module guarantees:

- What is checked: field names, types, required fields, choices, enumerations, numbers, timestamps and
  durations, CURIEs. The first fault raises a FormatError that names the path.
- The form that comes out has JSON names only, no nulls, names for enumerations, numbers as numbers,
  and timestamps as days in UTC. What that takes away (a time of day) and what a journey has no place
  for is listed.

    >>> check({"id": "p", "metaData": {"created": "yesterday"}})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    oncoproof.errors.FormatError: metaData.created: came: 'yesterday'; expected: ...
"""

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, NoReturn, TypeAlias, cast

import orjson

from oncoproof.errors import FormatError
from oncoproof.journey.phenopacket.schema import NAMES, SCHEMA, Field, Message
from oncoproof.journey.readings import Loss

Document: TypeAlias = dict[str, Any]
"""A JSON object: what it may hold is the schema's to say."""

_Path: TypeAlias = "tuple[_Path, str | int] | None"
_Check: TypeAlias = Callable[[Any, _Path], Any]

_CURIE: Final = re.compile(r"[A-Za-z][\w.-]*:\S+")
_TIMESTAMP: Final = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?P<fraction>\.\d{1,9})?(?P<zone>Z|[+-]\d\d:\d\d)"
)
_DURATION: Final = re.compile(
    r"P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?"
)
_NUMBER: Final = re.compile(r"-?(?:\d{1,300}(?:\.\d+)?(?:[eE][-+]?\d{1,2})?|Infinity)")
_MIDNIGHT: Final = "T00:00:00Z"


def check(data: bytes | str | Document) -> None:
    """Check a phenopacket strictly: unknown fields are refused too.

    Raises:
        FormatError: The first fault, with its path.
    """
    inspect(data, refuse_unknown=True)


def inspect(data: bytes | str | Document, *, refuse_unknown: bool) -> tuple[Document, list[Loss]]:
    """Check a phenopacket and put it into one form.

    Args:
        data: JSON, or what it was parsed into.
        refuse_unknown: Whether an unknown field is a fault; otherwise it is a loss.

    Raises:
        FormatError: The first fault, with its path.
    """
    walk = _Walk(refuse_unknown=refuse_unknown)
    try:
        document = walk.message(SCHEMA["Phenopacket"], _parse(data), None)
    except RecursionError:
        raise FormatError(
            where="phenopacket",
            came="messages within messages, hundreds deep",
            expected="a document a person could have written",
            remedy="look at what made it",
        ) from None
    _require_version(document["metaData"]["phenopacketSchemaVersion"])
    return document, walk.losses


def _parse(data: bytes | str | Document) -> Any:  # noqa: ANN401  # JSON: anything
    if isinstance(data, dict):
        return data
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise FormatError(
            where="phenopacket",
            came=f"text that is no JSON ({error})",
            expected="a phenopacket as JSON",
            remedy="convert protobuf or YAML phenopackets to JSON first",
        ) from None


def _require_version(version: str) -> None:
    if version != "2" and not version.startswith("2."):
        raise FormatError(
            where="metaData.phenopacketSchemaVersion",
            came=repr(version),
            expected="a version of schema 2, such as '2.0'",
            remedy="convert phenopackets of schema 1 first",
        )


def place(path: _Path) -> str:
    """A path in words, for instance `measurements[3].value`."""
    steps: list[str] = []
    while path is not None:
        path, step = path
        steps.append(f"[{step}]" if isinstance(step, int) else f".{step}")
    return "".join(reversed(steps)).lstrip(".") or "phenopacket"


def _refuse(path: _Path, came: object, expected: str, remedy: str) -> NoReturn:
    words = repr(came)
    words = words if len(words) <= 80 else f"{words[:77]}..."
    raise FormatError(where=place(path), came=words, expected=expected, remedy=remedy)


def _string(value: Any, path: _Path) -> str:  # noqa: ANN401  # JSON: anything
    if type(value) is not str:
        _refuse(path, value, "text", "put it in quotes, or leave it out")
    return value


def _bool(value: Any, path: _Path) -> bool:  # noqa: ANN401  # JSON: anything
    if type(value) is not bool:
        _refuse(path, value, "true or false", "leave it out for false")
    return value


def _double(value: Any, path: _Path) -> float:  # noqa: ANN401  # JSON: anything
    if type(value) is float or type(value) is int:
        if abs(value) <= 1.7e308:
            return float(value)
    elif type(value) is str and _NUMBER.fullmatch(value):
        return float(value)
    _refuse(path, value, "a number", "write a JSON number")


def _integer(low: int, high: int) -> _Check:
    def check_integer(value: Any, path: _Path) -> int:  # noqa: ANN401  # JSON: anything
        number: int | None = None
        if type(value) is int:
            number = value
        elif (type(value) is float and value.is_integer()) or (
            type(value) is str and re.fullmatch(r"-?\d{1,20}", value)
        ):
            number = int(value)
        if number is None or not low <= number <= high:
            _refuse(path, value, f"a whole number from {low} to {high}", "round it, or leave it out")
        return number

    return check_integer


def _map(value: Any, path: _Path) -> dict[str, str]:  # noqa: ANN401  # JSON: anything
    if type(value) is not dict:
        _refuse(path, value, "an object of texts by name", "write {} where there are none")
    entries = cast("dict[str, Any]", value)
    return {key: _string(item, (path, key)) for key, item in entries.items()}


_SCALARS: Final[dict[str, _Check]] = {
    "string": _string,
    "bool": _bool,
    "double": _double,
    "int32": _integer(-(2**31), 2**31 - 1),
    "uint32": _integer(0, 2**32 - 1),
    "uint64": _integer(0, 2**64 - 1),
    "map": _map,
}


def _enum(names: tuple[str, ...]) -> _Check:
    known = frozenset(names)

    def check_enum(value: Any, path: _Path) -> str:  # noqa: ANN401  # JSON: anything
        if type(value) is str and value in known:
            return value
        if type(value) is int and 0 <= value < len(names):
            return names[value]
        _refuse(path, value, f"one of {', '.join(names)}", "use a name of the enumeration")

    return check_enum


_ENUMS: Final = {name: _enum(names) for name, names in NAMES.items()}


_ONTOLOGY_CLASS: Final = SCHEMA["OntologyClass"]
_TIME_ELEMENT: Final = SCHEMA["TimeElement"]


class _Walk:
    """One pass over one document."""

    def __init__(self, *, refuse_unknown: bool) -> None:
        self.losses: list[Loss] = []
        self._refuse_unknown = refuse_unknown
        self._curies: set[str] = set()
        self._days: dict[str, str] = {}
        self._moments: dict[str, Document] = {}
        self._checks: dict[str, _Check] = {
            **_SCALARS,
            **_ENUMS,
            **{name: partial(self.message, schema) for name, schema in SCHEMA.items()},
            "timestamp": self._timestamp,
            "OntologyClass": self._ontology_class,
            "TimeElement": self._time_element,
        }

    def message(self, schema: Message, value: Any, path: _Path) -> Document:  # noqa: ANN401  # JSON: anything
        """Check a message of any type."""
        if type(value) is not dict:
            _refuse(path, value, f"an object ({schema.name})", "see the schema for its fields")
        given = cast("Document", value)
        out: Document = {}
        fields = schema.fields
        checks = self._checks
        for key, item in given.items():
            field = fields.get(key)
            if field is None:
                self._unknown(key, item, schema, path)
            elif item is not None:
                name = field.name
                if name in out:
                    _refuse((path, key), key, "each field once", "use one spelling of its name")
                check_one = checks[field.type] if field.is_plain else partial(self._value, field)
                out[name] = check_one(item, (path, key))
        _require(out, schema, path)
        special = _SPECIAL.get(schema.name)
        if special is not None:
            special(self, out, path)
        return out

    def check_curie(self, message: Document, path: _Path) -> None:
        """The id of an ontology class has to be a CURIE."""
        identifier = message["id"]
        if identifier not in self._curies:
            if _CURIE.fullmatch(identifier) is None:
                _refuse(
                    (path, "id"), identifier, "a CURIE such as NCIT:C4872", "put the prefix and a colon first"
                )
            self._curies.add(identifier)

    def check_duration(self, message: Document, path: _Path) -> None:
        """An age has to be an ISO 8601 duration."""
        text = message["iso8601duration"]
        if _DURATION.fullmatch(text) is None:
            _refuse(
                (path, "iso8601duration"), text, "an ISO 8601 duration such as P52Y2M", "write years as P52Y"
            )

    def check_finite(self, message: Document, path: _Path) -> None:
        """A quantity has to be a number that can be measured."""
        if not math.isfinite(message.get("value", 0.0)):
            _refuse((path, "value"), message["value"], "a finite number", "leave the measurement out")

    def check_order(self, message: Document, path: _Path) -> None:
        """An interval must not end before it starts."""
        if "end" in message and message["end"] < message["start"]:
            _refuse(
                (path, "end"), message["end"][:10], "an end on the start or later", "swap or correct them"
            )

    def _value(self, field: Field, item: Any, path: _Path) -> Any:  # noqa: ANN401  # JSON: anything
        check_one = self._checks[field.type]
        if field.is_repeated:
            if type(item) is not list:
                _refuse(path, item, "a list", "put it in brackets")
            many = cast("list[Any]", item)
            value: Any = [check_one(each, (path, number)) for number, each in enumerate(many)]
        else:
            value = check_one(item, path)
        if not field.has_place and value and not _is_default(value, field):
            self.losses.append(Loss(place(path), f"{field.name}: {summary(value)}"))
        return value

    def _ontology_class(self, value: Any, path: _Path) -> Document:  # noqa: ANN401  # JSON: anything
        """An ontology class; one whose CURIE has been seen takes a short way."""
        if type(value) is dict:
            given = cast("Document", value)
            label = given.get("label")
            if len(given) == 2 and type(label) is str and label and self._is_known(given.get("id")):
                return given
        return self.message(_ONTOLOGY_CLASS, value, path)

    def _is_known(self, curie: object) -> bool:
        return type(curie) is str and curie in self._curies

    def _time_element(self, value: Any, path: _Path) -> Document:  # noqa: ANN401  # JSON: anything
        """A time element; a day that has been seen takes a short way."""
        if type(value) is dict:
            given = cast("Document", value)
            stamp = given.get("timestamp")
            if len(given) == 1 and type(stamp) is str and stamp.endswith(_MIDNIGHT):
                moment = self._moments.get(stamp)
                if moment is None:
                    moment = self._moments[stamp] = self.message(_TIME_ELEMENT, value, path)
                return moment
        return self.message(_TIME_ELEMENT, value, path)

    def _timestamp(self, value: Any, path: _Path) -> str:  # noqa: ANN401  # JSON: anything
        if type(value) is not str:
            _refuse(path, value, "an RFC 3339 timestamp", "write 2026-03-01T00:00:00Z")
        day = self._days.get(value)
        if day is None:
            day = self._days[value] = _day(value, path)
        if not value.endswith(_MIDNIGHT) and path is not None and path[1] != "created":
            self.losses.append(Loss(place(path), f"the time of day in {value}"))
        return day

    def _unknown(self, key: str, item: Any, schema: Message, path: _Path) -> None:  # noqa: ANN401  # JSON
        if self._refuse_unknown:
            names = ", ".join(dict.fromkeys(field.name for field in schema.fields.values()))
            _refuse((path, key), key, f"a field of {schema.name}: {names}", "remove or rename it")
        self.losses.append(Loss(place((path, key)), f"an unknown field of {schema.name}: {summary(item)}"))


_SPECIAL: Final[dict[str, Callable[[_Walk, Document, _Path], None]]] = {
    "OntologyClass": _Walk.check_curie,
    "Age": _Walk.check_duration,
    "Quantity": _Walk.check_finite,
    "TimeInterval": _Walk.check_order,
}


def _is_default(value: object, field: Field) -> bool:
    """Whether a scalar says no more than its absence would."""
    return field.type in NAMES and value == NAMES[field.type][0]


def _require(out: Document, schema: Message, path: _Path) -> None:
    for name in schema.required:
        if not out.get(name):
            _refuse((path, name), None, f"{name} of {schema.name}, which is required", "state it")
    if schema.has_choices:
        _require_choice(out, schema, path)


def _require_choice(out: Document, schema: Message, path: _Path) -> None:
    chosen: dict[str, str] = {}
    for name in out:
        choice = schema.fields[name].choice
        if choice:
            other = chosen.setdefault(choice, name)
            if other != name:
                _refuse((path, name), f"{other} and {name}", f"only one of the choice {choice}", "remove one")
    if schema.required_choice and schema.required_choice not in chosen:
        names = [
            field.name
            for key, field in schema.fields.items()
            if field.choice == schema.required_choice and key == field.name
        ]
        _refuse(path, sorted(out), f"one of {', '.join(names)} in {schema.name}", "state one")


def _day(text: str, path: _Path) -> str:
    match = _TIMESTAMP.fullmatch(text)
    if match is not None:
        try:
            if match["zone"] == "Z":
                datetime.fromisoformat(text)
                return text[:10]
            return datetime.fromisoformat(text).astimezone(UTC).date().isoformat()
        except (ValueError, OverflowError):
            pass
    _refuse(path, text, "an RFC 3339 timestamp with a zone", "write 2026-03-01T00:00:00Z")


def summary(value: object) -> str:
    """A value in a few words, for a list of losses."""
    if isinstance(value, dict):
        message = cast("Document", value)
        if isinstance(message.get("label"), str):
            return f"{message['label']} ({message.get('id', '')})"
    try:
        text = orjson.dumps(value).decode()
    except orjson.JSONEncodeError:
        text = repr(cast("object", value))
    return text if len(text) <= 120 else f"{text[:117]}..."
