r"""Texts: what FHIR lets a text be, and a record without what it does not.

Rules this module guarantees:

- FHIR knows no text of blanks and no control characters save tab and line ends. A text of blanks is told
  as none, and control characters are left out; everything else of a record stays as it is.
- Few records hold any of it: whether one does is asked of the finished JSON, in one pass.

    >>> told("\x07 a\x00b"), told(" \n ")
    (' ab', '')
"""

import re
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import TypeVar, cast

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_BLANK = rb" |\\[nrt]|\xc2[\x85\xa0]|\xe1\x9a\x80|\xe2[\x80\x81][\x80-\xbf]|\xe3\x80\x80"
_SUSPECT = re.compile(rb'\\[bf]|\\u00[01]|"(?:' + _BLANK + rb')*"')
"""Control characters as JSON writes them, and texts of nothing but blanks."""

_Value = TypeVar("_Value")


def has_control(text: str) -> bool:
    """Whether a text holds control characters that FHIR forbids."""
    return _CONTROL.search(text) is not None


def told(text: str) -> str:
    """The text as FHIR can tell it; empty = not at all."""
    kept = _CONTROL.sub("", text)
    return "" if kept.isspace() else kept


def is_suspect(document: bytes) -> bool:
    """Whether a JSON document may hold texts that FHIR does not allow, or numbers that are none.

    It misses none, and now and then finds something harmless; that costs time and nothing else.
    """
    if b":null" in document or b'""' in document.translate(None, b" "):
        return True
    is_plain = b"\\" not in document and document.isascii()
    return not is_plain and _SUSPECT.search(document) is not None


def sayable(value: _Value) -> _Value:
    """The value with every text in it as FHIR can tell it."""
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return cast("_Value", told(value))
    if isinstance(value, tuple):
        items = cast("tuple[object, ...]", value)
        return cast("_Value", tuple(sayable(item) for item in items))
    if not is_dataclass(value) or isinstance(value, type):
        return value
    kept = {each.name: sayable(cast("object", getattr(value, each.name))) for each in fields(value)}
    return replace(value, **kept)
