"""Checking a phenopacket against the schema, and putting it into one form.

Rules this module guarantees:

- What is checked: field names, types, required fields, choices, enumerations, numbers, timestamps and
  durations, CURIEs, UCUM units, the expressions of VRS, and that what one part refers to is there. The
  first fault raises a FormatError that names the path.
- A reader is milder than `check` in three things, which it names as losses: unknown fields, terminologies
  that no resource explains, and units that are unknown without being a misspelling.
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
from functools import partial
from typing import Any, Final, cast
from urllib.parse import unquote

import orjson

from oncoproof.errors import FormatError, UnitError
from oncoproof.journey.phenopacket.scalars import (
    ENUM_CHECKS,
    SCALARS,
    Check,
    Path,
    day_of,
    place,
    refuse,
)
from oncoproof.journey.phenopacket.schema import NAMES, SCHEMA, Document, Field, Message
from oncoproof.journey.phenopacket.variations import CURIE, VARIATION_CHECKS
from oncoproof.journey.readings import Loss
from oncoproof.journey.unit_spelling import suggested_unit
from oncoproof.journey.units import check_unit

_DURATION: Final = re.compile(
    r"P(?=.)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=.)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?"
)
_MIDNIGHT: Final = "T00:00:00Z"
_UCUM: Final = "UCUM"
_WITH_IDS: Final = ("biosamples", "interpretations")


def check(data: bytes | str | Document) -> None:
    """Check a phenopacket strictly: what a reader names as a loss is refused too.

    Raises:
        FormatError: The first fault, with its path.
    """
    inspect(data, is_strict=True)


def inspect(data: bytes | str | Document, *, is_strict: bool) -> tuple[Document, list[Loss]]:
    """Check a phenopacket and put it into one form.

    Args:
        data: JSON, or what it was parsed into.
        is_strict: Whether unknown fields, unexplained terminologies and unknown units are faults;
            otherwise they are losses.

    Raises:
        FormatError: The first fault, with its path.
    """
    walk = _Walk(is_strict=is_strict)
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
    _require_coherence(document, walk.prefixes, None if is_strict else walk.losses)
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


_ONTOLOGY_CLASS: Final = SCHEMA["OntologyClass"]
_TIME_ELEMENT: Final = SCHEMA["TimeElement"]


class _Walk:
    """One pass over one document."""

    def __init__(self, *, is_strict: bool) -> None:
        self.losses: list[Loss] = []
        self.prefixes: dict[str, Path] = {}
        self._is_strict = is_strict
        self._curies: set[str] = set()
        self._days: dict[str, str] = {}
        self._moments: dict[str, Document] = {}
        self._checks: dict[str, Check] = {
            **SCALARS,
            **ENUM_CHECKS,
            **{name: partial(self.message, schema) for name, schema in SCHEMA.items()},
            "timestamp": self._timestamp,
            "OntologyClass": self._ontology_class,
            "TimeElement": self._time_element,
        }

    def message(self, schema: Message, value: Any, path: Path) -> Document:  # noqa: ANN401  # JSON: anything
        """Check a message of any type."""
        if type(value) is not dict:
            refuse(path, value, f"an object ({schema.name})", "see the schema for its fields")
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
                    refuse((path, key), key, "each field once", "use one spelling of its name")
                check_one = checks[field.type] if field.is_plain else partial(self._value, field)
                out[name] = check_one(item, (path, key))
        _require(out, schema, path)
        self._require_more(schema.name, out, path)
        return out

    def _require_more(self, name: str, out: Document, path: Path) -> None:
        """What is asked of a message beyond its fields."""
        special = _SPECIAL.get(name)
        if special is not None:
            special(self, out, path)
        variation_check = VARIATION_CHECKS.get(name)
        if variation_check is not None:
            variation_check(out, path)

    def check_curie(self, message: Document, path: Path) -> None:
        """The id of an ontology class has to be a CURIE."""
        self._curie(message["id"], (path, "id"))

    def check_gene(self, message: Document, path: Path) -> None:
        """The id of a gene has to be a CURIE."""
        self._curie(message["valueId"], (path, "valueId"))

    def _curie(self, identifier: str, path: Path) -> None:
        if identifier not in self._curies:
            if CURIE.fullmatch(identifier) is None:
                refuse(path, identifier, "a CURIE such as NCIT:C4872", "put the prefix and a colon first")
            self._curies.add(identifier)
            self.prefixes.setdefault(identifier.partition(":")[0], path)

    def check_duration(self, message: Document, path: Path) -> None:
        """An age has to be an ISO 8601 duration."""
        text = message["iso8601duration"]
        if _DURATION.fullmatch(text) is None:
            refuse(
                (path, "iso8601duration"), text, "an ISO 8601 duration such as P52Y2M", "write years as P52Y"
            )

    def check_unit(self, message: Document, path: Path) -> None:
        """A unit that claims to be UCUM has to be."""
        prefix, _, unit = message["unit"]["id"].partition(":")
        if prefix.upper() != _UCUM:
            return
        unit = unquote(unit)
        try:
            check_unit(unit)
        except UnitError as error:
            where: Path = ((path, "unit"), "id")
            if self._is_strict or suggested_unit(unit) is not None:
                refuse(where, message["unit"]["id"], error.expected, error.remedy)
            self.losses.append(Loss(place(where), f"a unit of UCUM that is not known here: {unit}"))

    def check_quantity(self, message: Document, path: Path) -> None:
        """A quantity has to be a number that can be measured, in a unit."""
        self.check_unit(message, path)
        if not math.isfinite(message.get("value", 0.0)):
            refuse((path, "value"), message["value"], "a finite number", "leave the measurement out")

    def check_order(self, message: Document, path: Path) -> None:
        """An interval must not end before it starts."""
        if "end" in message and message["end"] < message["start"]:
            refuse((path, "end"), message["end"][:10], "an end on the start or later", "swap or correct them")

    def _value(self, field: Field, item: Any, path: Path) -> Any:  # noqa: ANN401  # JSON: anything
        check_one = self._checks[field.type]
        if field.is_repeated:
            if type(item) is not list:
                refuse(path, item, "a list", "put it in brackets")
            many = cast("list[Any]", item)
            value: Any = [check_one(each, (path, number)) for number, each in enumerate(many)]
        else:
            value = check_one(item, path)
        if not field.has_place and value and not _is_default(value, field):
            self.losses.append(Loss(place(path), f"{field.name}: {summary(value)}"))
        return value

    def _ontology_class(self, value: Any, path: Path) -> Document:  # noqa: ANN401  # JSON: anything
        """An ontology class; one whose CURIE has been seen takes a short way."""
        if type(value) is dict:
            given = cast("Document", value)
            label = given.get("label")
            if len(given) == 2 and type(label) is str and label and self._is_known(given.get("id")):
                return given
        return self.message(_ONTOLOGY_CLASS, value, path)

    def _is_known(self, curie: object) -> bool:
        return type(curie) is str and curie in self._curies

    def _time_element(self, value: Any, path: Path) -> Document:  # noqa: ANN401  # JSON: anything
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

    def _timestamp(self, value: Any, path: Path) -> str:  # noqa: ANN401  # JSON: anything
        if type(value) is not str:
            refuse(path, value, "an RFC 3339 timestamp", "write 2026-03-01T00:00:00Z")
        day = self._days.get(value)
        if day is None:
            day = self._days[value] = day_of(value, path)
        if not value.endswith(_MIDNIGHT) and path is not None and path[1] != "created":
            self.losses.append(Loss(place(path), f"the time of day in {value}"))
        return day

    def _unknown(self, key: str, item: Any, schema: Message, path: Path) -> None:  # noqa: ANN401  # JSON
        if self._is_strict:
            names = ", ".join(dict.fromkeys(field.name for field in schema.fields.values()))
            refuse((path, key), key, f"a field of {schema.name}: {names}", "remove or rename it")
        self.losses.append(Loss(place((path, key)), f"an unknown field of {schema.name}: {summary(item)}"))


_SPECIAL: Final[dict[str, Callable[[_Walk, Document, Path], None]]] = {
    "OntologyClass": _Walk.check_curie,
    "GeneDescriptor": _Walk.check_gene,
    "Age": _Walk.check_duration,
    "Quantity": _Walk.check_quantity,
    "ReferenceRange": _Walk.check_unit,
    "TimeInterval": _Walk.check_order,
}


def _is_default(value: object, field: Field) -> bool:
    """Whether a scalar says no more than its absence would."""
    return field.type in NAMES and value == NAMES[field.type][0]


def _require(out: Document, schema: Message, path: Path) -> None:
    for name in schema.required:
        if not out.get(name):
            refuse((path, name), None, f"{name} of {schema.name}, which is required", "state it")
    if schema.has_choices:
        _require_choice(out, schema, path)


def _require_choice(out: Document, schema: Message, path: Path) -> None:
    chosen: dict[str, str] = {}
    for name in out:
        choice = schema.fields[name].choice
        if choice:
            other = chosen.setdefault(choice, name)
            if other != name:
                refuse((path, name), f"{other} and {name}", f"only one of the choice {choice}", "remove one")
    for choice in schema.required_choices:
        if choice in chosen:
            continue
        names = [
            field.name for key, field in schema.fields.items() if field.choice == choice and key == field.name
        ]
        refuse(path, sorted(out), f"one of {', '.join(names)} in {schema.name}", "state one")


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


def _require_coherence(document: Document, prefixes: dict[str, Path], losses: list[Loss] | None) -> None:
    """Check a document whose messages have been checked one by one.

    Args:
        document: The document.
        prefixes: Where each prefix of a class stands first.
        losses: Where terminologies that no resource explains are named; None = they are faults.

    Raises:
        FormatError: The first fault, with its path.
    """
    for section in _WITH_IDS:
        _require_own_ids(document, section)
    _require_subjects(document)
    _explain_prefixes(document, prefixes, losses)


def _require_own_ids(document: Document, section: str) -> None:
    taken: set[str] = set()
    for number, each in enumerate(document.get(section, [])):
        if each["id"] in taken:
            path: Path = (((None, section), number), "id")
            refuse(path, each["id"], "an id once in the document", "give each its own")
        taken.add(each["id"])


def _require_subjects(document: Document) -> None:
    """A finding must be of the subject or of a sample that is there."""
    known = {each["id"] for each in document.get("biosamples", [])}
    if "subject" in document:
        known.add(document["subject"]["id"])
    for number, interpretation in enumerate(document.get("interpretations", [])):
        path: Path = (((None, "interpretations"), number), "diagnosis")
        calls: list[Document] = interpretation["diagnosis"].get("genomicInterpretations", [])
        for place_in_list, call in enumerate(calls):
            if call["subjectOrBiosampleId"] not in known:
                refuse(
                    (((path, "genomicInterpretations"), place_in_list), "subjectOrBiosampleId"),
                    call["subjectOrBiosampleId"],
                    "the id of the subject or of a sample of the document",
                    "add the subject or the sample, or correct the id",
                )


def _explain_prefixes(document: Document, prefixes: dict[str, Path], losses: list[Loss] | None) -> None:
    resources: list[Document] = document.get("metaData", {}).get("resources", [])
    explained = {each["namespacePrefix"].upper() for each in resources}
    for prefix, path in prefixes.items():
        if prefix.upper() in explained:
            continue
        if losses is None:
            expected = "a prefix that a resource explains"
            refuse(path, prefix, expected, f"add a resource with the namespacePrefix {prefix}")
        losses.append(Loss(place(path), f"no resource explains the prefix {prefix}"))
