"""The schema as data agrees with the protobuf descriptors, which are the authority."""

from typing import Any, cast

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from journey.phenopacket.peer import Phenopacket
from oncoproof.journey.phenopacket.schema import ENUMS, MESSAGES, NAMES, SCHEMA, snake_case

SCALARS = {
    FieldDescriptor.TYPE_STRING: "string",
    FieldDescriptor.TYPE_BOOL: "bool",
    FieldDescriptor.TYPE_DOUBLE: "double",
    FieldDescriptor.TYPE_INT32: "int32",
    FieldDescriptor.TYPE_UINT32: "uint32",
    FieldDescriptor.TYPE_UINT64: "uint64",
}


def name_of(descriptor: Descriptor) -> str:
    outer = descriptor.containing_type
    return f"{outer.name}Member" if outer is not None and descriptor.name == "Member" else descriptor.name


def descriptors() -> dict[str, Descriptor]:
    found: dict[str, Descriptor] = {}
    todo = [cast("Descriptor", Phenopacket.DESCRIPTOR)]
    while todo:
        descriptor = todo.pop()
        if (
            name_of(descriptor) in found
            or descriptor.GetOptions().map_entry
            or descriptor.name == "Timestamp"
        ):
            continue
        found[name_of(descriptor)] = descriptor
        todo += [field.message_type for field in descriptor.fields if field.message_type is not None]
    return found


DESCRIPTORS = descriptors()


def test_same_messages() -> None:
    assert set(MESSAGES) == set(DESCRIPTORS)


@pytest.mark.parametrize("name", sorted(MESSAGES))
def test_same_fields_types_and_choices(name: str) -> None:
    ours = {
        field.name: (key, field.type, field.is_repeated, field.choice)
        for key, field in SCHEMA[name].fields.items()
        if key == snake_case(field.name)
    }
    theirs: dict[str, Any] = {}
    for field in DESCRIPTORS[name].fields:
        kind, is_map = kind_of(field)
        oneof = field.containing_oneof
        choice = oneof.name if oneof is not None and not oneof.name.startswith("_") else ""
        theirs[field.json_name] = (field.name, kind, field.is_repeated and not is_map, choice)
    assert ours == theirs


def kind_of(field: FieldDescriptor) -> tuple[str, bool]:
    if field.message_type is not None:
        is_map = field.message_type.GetOptions().map_entry
        name = name_of(field.message_type)
        return ("map" if is_map else "timestamp" if name == "Timestamp" else name), is_map
    if field.enum_type is not None:
        name = "VitalStatusStatus" if field.enum_type.name == "Status" else field.enum_type.name
        values = field.enum_type.values
        assert NAMES[name] == tuple(value.name for value in values)
        assert [value.number for value in values] == list(range(len(values)))
        return name, False
    return SCALARS[field.type], False


def test_every_enumeration_is_used() -> None:
    used = {field.type for message in SCHEMA.values() for field in message.fields.values()}
    assert set(ENUMS) <= used


def test_required_fields_exist() -> None:
    for message in SCHEMA.values():
        assert set(message.required) <= set(message.fields)
        choices = {field.choice for field in message.fields.values()}
        assert set(message.required_choices) <= choices
