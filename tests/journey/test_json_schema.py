"""JSON Schema: the committed files are up to date, and agree with what reading accepts."""

import re
from typing import Any, cast

import orjson
import pytest
from hypothesis import given

from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import record_to_json, to_json
from oncoproof.journey.json_schema import SCHEMA_FOLDER, journey_schema, record_schema, write_schemas
from strategies import journeys

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
}


def is_valid(schema: dict[str, Any], plain: Any, root: dict[str, Any]) -> bool:
    """Whether a document keeps a schema, for the words of JSON Schema that ours use."""
    if "$ref" in schema:
        return is_valid(root["$defs"][schema["$ref"].rpartition("/")[2]], plain, root)
    if "anyOf" in schema:
        return any(is_valid(each, plain, root) for each in schema["anyOf"])
    if "oneOf" in schema:
        return sum(is_valid(each, plain, root) for each in schema["oneOf"]) == 1
    if "const" in schema:
        return plain == schema["const"]
    if not _has_type(schema["type"], plain):
        return False
    return _has_parts(schema, plain, root)


def _has_parts(schema: dict[str, Any], plain: Any, root: dict[str, Any]) -> bool:
    if schema["type"] == "object":
        return _is_object(schema, plain, root)
    if schema["type"] == "array":
        return all(is_valid(schema["items"], each, root) for each in plain)
    if schema["type"] == "string":
        fits = re.search(schema.get("pattern", ""), plain) is not None
        return fits and plain in schema.get("enum", [plain])
    return True


def _has_type(name: str, plain: Any) -> bool:
    if name in {"number", "integer"}:
        number = isinstance(plain, int | float) and not isinstance(plain, bool)
        return number and (name == "number" or isinstance(plain, int))
    return isinstance(plain, TYPES[name])


def _is_object(schema: dict[str, Any], plain: dict[str, Any], root: dict[str, Any]) -> bool:
    properties: dict[str, Any] = schema["properties"]
    assert schema["additionalProperties"] is False
    return (
        plain.keys() <= properties.keys()
        and plain.keys() >= set(schema["required"])
        and all(is_valid(properties[name], part, root) for name, part in plain.items())
    )


def test_committed_files_are_what_the_types_say(tmp_path: Any) -> None:
    write_schemas(tmp_path)
    for name in ("journey.schema.json", "record.schema.json"):
        committed = (SCHEMA_FOLDER / name).read_bytes()
        assert committed == (tmp_path / name).read_bytes(), (
            "run: ./run python -m oncoproof.journey.json_schema"
        )


@given(journeys())
def test_what_is_written_keeps_the_schema(journey: Journey) -> None:
    schema = journey_schema()
    assert is_valid(schema, orjson.loads(to_json(journey)), schema)
    schema = record_schema()
    assert is_valid(schema, orjson.loads(record_to_json(journey.record())), schema)


def lab_event(**changes: Any) -> list[Any]:
    """The events of a document with one laboratory event, changed."""
    event = {"id": "e", "day": 0, "recorded": 0, "source": "lab", "content": {"lab": {"value": None}}}
    return [event | changes]


SPOILT: list[tuple[str, Any]] = [
    ("format", "oncoproof.journey/2"),
    ("extra", 1),
    ("index", "1 March"),
    ("patient", {}),
    ("patient", {"id": "p", "sex": "m"}),
    ("events", [{"id": "e"}]),
    ("events", lab_event(day=0.5)),
    ("events", lab_event(content={"lab": {"value": 1}})),
    ("events", lab_event(content={})),
]


@pytest.mark.parametrize(("key", "value"), SPOILT)
def test_what_is_spoilt_breaks_the_schema(key: str, value: Any) -> None:
    schema = journey_schema()
    sound: dict[str, Any] = {
        "format": "oncoproof.journey/1",
        "index": "2026-03-01",
        "patient": {"id": "p"},
        "links": [],
        "events": lab_event(),
    }
    assert is_valid(schema, sound, schema)
    assert not is_valid(schema, sound | {key: value}, schema)


def test_every_field_is_described() -> None:
    definitions = cast("dict[str, Any]", journey_schema()["$defs"])
    for definition in definitions.values():
        assert definition["description"].endswith(".")
        assert all(each["description"].endswith(".") for each in definition["properties"].values())
