"""The published form of journeys and records: JSON Schema, generated from the types.

Rules this module guarantees:

- The schema is derived from the same shapes that read and write, and described by the words that stand
  beside each field in the source. It cannot say the rules of succession: reading checks those.
- The committed files are what `python -m oncoproof.journey.json_schema` writes; a test compares them.

    >>> journey_schema()["required"]
    ['events', 'format', 'index', 'links', 'patient']
"""

import ast
import inspect
import itertools
from functools import cache
from pathlib import Path
from typing import cast

import orjson

from oncoproof.journey.json_file import JOURNEY_FORMAT, RECORD_FORMAT, JourneyDocument
from oncoproof.journey.records import Record
from oncoproof.journey.shapes import (
    Choice,
    Day,
    Flag,
    Maybe,
    Number,
    OneOf,
    Sequence,
    Shape,
    Structure,
    Text,
    Whole,
    shape_of,
)

Schema = dict[str, object]
"""A JSON Schema as plain values."""

SCHEMA_FOLDER = Path(__file__).parent
"""Where the committed files stand."""

_PLAIN: dict[type[Shape], Schema] = {
    Text: {"type": "string"},
    Flag: {"type": "boolean"},
    Whole: {"type": "integer"},
    Number: {"type": "number"},
    Day: {"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"},
}


def journey_schema() -> Schema:
    """The schema of the form `oncoproof.journey/1`."""
    return _document(JourneyDocument, JOURNEY_FORMAT, "A patient's journey: events and why they came about")


def record_schema() -> Schema:
    """The schema of the form `oncoproof.record/1`."""
    return _document(Record, RECORD_FORMAT, "What is known of a patient on a day")


def write_schemas(folder: Path) -> None:
    """Write `journey.schema.json` and `record.schema.json`."""
    for name, schema in (("journey", journey_schema()), ("record", record_schema())):
        data = orjson.dumps(schema, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
        (folder / f"{name}.schema.json").write_bytes(data)


def _document(root: type[object], form: str, title: str) -> Schema:
    definitions: dict[str, Schema] = {}
    body = _structure(cast("Structure", shape_of(root)), definitions)
    properties: Schema = {"format": {"const": form}, **cast("Schema", body["properties"])}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{form.replace('.', ':').replace('/', ':')}",
        "title": title,
        **body,
        "properties": properties,
        "required": sorted({"format", *cast("list[str]", body["required"])}),
        "$defs": dict(sorted(definitions.items())),
    }


def _schema(shape: Shape, definitions: dict[str, Schema]) -> Schema:
    if isinstance(shape, Maybe):
        return {"anyOf": [_schema(shape.inner, definitions), {"type": "null"}]}
    if isinstance(shape, Sequence):
        return {"type": "array", "items": _schema(shape.member, definitions)}
    if isinstance(shape, Choice):
        return {"type": "string", "enum": list(shape.members)}
    if isinstance(shape, OneOf):
        return {"oneOf": [_option(name, each, definitions) for name, each in shape.options.items()]}
    if isinstance(shape, Structure):
        if shape.name not in definitions:
            definitions[shape.name] = {}
            definitions[shape.name] = _structure(shape, definitions)
        return {"$ref": f"#/$defs/{shape.name}"}
    return dict(_PLAIN[type(shape)])


def _option(name: str, shape: Shape, definitions: dict[str, Schema]) -> Schema:
    return {
        "type": "object",
        "properties": {name: _schema(shape, definitions)},
        "required": [name],
        "additionalProperties": False,
    }


def _structure(shape: Structure, definitions: dict[str, Schema]) -> Schema:
    words = _words_of_fields(shape.structure)
    properties: Schema = {}
    for name, each in shape.fields.items():
        properties[name] = {"description": words[name], **_schema(each.shape, definitions)}
    return {
        "type": "object",
        "description": (inspect.getdoc(shape.structure) or "").partition("\n")[0],
        "properties": properties,
        "required": sorted(shape.required),
        "additionalProperties": False,
    }


@cache
def _words_of_fields(structure: type[object]) -> dict[str, str]:
    """What stands below each field of a data class in its source."""
    tree = ast.parse(inspect.getsource(structure))
    body = cast("ast.ClassDef", tree.body[0]).body
    words: dict[str, str] = {}
    for statement, follower in itertools.pairwise(body):
        if isinstance(statement, ast.AnnAssign) and isinstance(follower, ast.Expr):
            name, text = cast("ast.Name", statement.target).id, cast("ast.Constant", follower.value).value
            words[name] = " ".join(str(text).split())
    return words


if __name__ == "__main__":
    write_schemas(SCHEMA_FOLDER)
