"""The schema in a form to check with: messages and fields as values.

Rules this module guarantees:

- A field is found by its JSON name and by its protobuf name: `metaData` and `meta_data` are one.

    >>> SCHEMA["Phenopacket"].fields["meta_data"].name
    'metaData'
"""

import re
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from oncoproof.journey.phenopacket.messages import ENUMS, MESSAGES, REQUIRED_CHOICES

Document: TypeAlias = dict[str, Any]
"""A message of a phenopacket as JSON: what it may hold is the schema's to say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a message."""

    name: str
    """Its JSON name."""
    type: str
    """Message, enumeration or scalar."""
    is_repeated: bool
    """Whether it is a list."""
    has_place: bool
    """Whether a journey has a place for it."""
    is_plain: bool
    """Whether it is neither a list nor without a place: the many that need no more than their own check."""
    choice: str
    """Choice it belongs to; empty = none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message of the schema."""

    name: str
    """Its name."""
    fields: dict[str, Field]
    """Fields by JSON name and by protobuf name."""
    required: tuple[str, ...]
    """JSON names of the fields that must be there."""
    has_choices: bool
    """Whether it has fields of which at most one may be set."""
    required_choices: tuple[str, ...]
    """The choices of which one field must be set."""


_FIELD: Final = re.compile(
    r"(?P<name>\w+)(?::(?P<type>\w+))?(?P<repeated>\*)?(?P<required>!)?(?P<placeless>~)?(?:@(?P<choice>\w+))?"
)


def _field(word: str) -> tuple[Field, bool]:
    match = _FIELD.fullmatch(word)
    if match is None:  # pragma: no cover  # the table is fixed
        raise AssertionError(word)
    kind = match["type"] or "string"
    field = Field(
        name=match["name"],
        type=kind,
        is_repeated=match["repeated"] is not None,
        has_place=match["placeless"] is None,
        is_plain=match["repeated"] is None and match["placeless"] is None,
        choice=match["choice"] or "",
    )
    return field, match["required"] is not None


def snake_case(name: str) -> str:
    """The protobuf name of a field with this JSON name."""
    return re.sub(r"([A-Z])", lambda match: "_" + match[1].lower(), name)


def _message(name: str, text: str) -> Message:
    read = [_field(word) for word in text.split()]
    fields = {field.name: field for field, _ in read}
    fields |= {snake_case(field.name): field for field, _ in read}
    return Message(
        name=name,
        fields=fields,
        required=tuple(field.name for field, is_required in read if is_required),
        has_choices=any(field.choice for field, _ in read),
        required_choices=tuple(REQUIRED_CHOICES.get(name, "").split()),
    )


SCHEMA: Final = {name: _message(name, text) for name, text in MESSAGES.items()}
"""Messages by name."""

NAMES: Final = {name: tuple(text.split()) for name, text in ENUMS.items()}
"""Names of enumerations, in the order of their numbers."""
