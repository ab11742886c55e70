"""Primitives: the smallest values of FHIR, each with its form.

Rules this module guarantees:

- A value of the wrong JSON type, an empty text, an impossible date or a form that FHIR does not allow
  is a fault. A valid value costs a call and no more: forms of texts are remembered.

    >>> PRIMITIVES["date"]("2026-02-29", [])[0].came
    "'2026-02-29'"
"""

import re
import sys
from collections.abc import Callable
from datetime import date
from typing import TypeVar

from oncoproof.journey.fhir.faults import Faults, Json, Rule, Seen, fault
from oncoproof.journey.fhir.texts import has_control

_Found = TypeVar("_Found", str, bytes)
_REMEMBERED = 1 << 14
_LENGTH_MAX = 1_024
_ID_LENGTH_MAX = 64

_DATE = r"(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_FORMS = {
    "id": (r"[A-Za-z0-9\-.]{1,64}", "1 to 64 letters, digits, hyphens or dots"),
    "code": (r"[^\s]+(?: [^\s]+)*", "a code without spaces at its ends"),
    "uri": (r"\S+", "an address without spaces"),
    "url": (r"\S+", "an address without spaces"),
    "canonical": (r"\S+", "an address without spaces"),
    "oid": (r"urn:oid:[0-2](?:\.(?:0|[1-9]\d*))+", "urn:oid: and an OID"),
    "uuid": (r"urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", "urn:uuid: and a UUID"),
    "base64Binary": (r"\s*(?:[0-9A-Za-z+/]\s*)*(?:=\s*){0,2}", "base64"),
    "time": (_CLOCK, "a time such as 14:30:00"),
    "date": (_DATE, "a date such as 2026-03-01"),
    "dateTime": (f"{_DATE}(?:T{_CLOCK}{_ZONE})?", "a date, or a date and time with its zone"),
    "instant": (rf"(\d{{4}})-(\d\d)-(\d\d)T{_CLOCK}{_ZONE}", "a date and time with its zone"),
}
_UNICODE = frozenset({"code", "uri", "url", "canonical"})
_DATED = frozenset({"date", "dateTime", "instant"})


def _formed(kind: str) -> Rule:
    pattern, expected = _FORMS[kind]
    compiled = re.compile(pattern, 0 if kind in _UNICODE else re.ASCII)
    is_dated = kind in _DATED

    good: set[str] = set()

    def is_good(text: str) -> bool:
        match = compiled.fullmatch(text)
        if match is None or not is_dated:
            return match is not None
        if "T" in text and match[3] is None:
            return False
        return _is_in_calendar(int(match[1]), int(match[2] or 1), int(match[3] or 1))

    def rule(value: Json, _: Seen) -> Faults:
        if type(value) is str:
            if value in good:
                return None
            if is_good(value):
                remember(good, value)
                return None
        return fault(value, f"{expected} ({kind})")

    return rule


_DAYS: set[str] = set()
"""Days found to be in the calendar, which is the same for dates and for dates with a time."""

_DAY_LENGTH = len("2026-03-01")


def _dated(kind: str) -> Rule:
    """The form of a date; nearly all are plain days."""
    general = _formed(kind)

    def rule(value: Json, seen: Seen) -> Faults:
        if type(value) is str:
            if value in _DAYS:
                return None
            if len(value) == _DAY_LENGTH and _is_day(value):
                remember(_DAYS, value)
                return None
        return general(value, seen)

    return rule


def _is_day(text: str) -> bool:
    """Whether a text of ten characters is a day such as 2026-03-01."""
    if text[4] != "-" or text[7] != "-":  # ISO 8601 knows weeks too
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def remember(known: set[_Found], what: _Found) -> None:
    """Keep what was found good, and no more of it than fits in a little memory."""
    if len(what) <= _LENGTH_MAX:
        if len(known) >= _REMEMBERED:
            known.clear()
        known.add(what)


def _identity(value: Json, seen: Seen) -> Faults:
    """The form of an id; what is plain on sight is not remembered, for an id occurs once."""
    if type(value) is not str or len(value) > _ID_LENGTH_MAX or not value.isascii():
        return _any_identity(value, seen)
    if value.replace("-", "").replace(".", "").isalnum():
        return None
    return _any_identity(value, seen)


_any_identity = _formed("id")


def _address(kind: str) -> Rule:
    """The form of an address; what is plain on sight is not remembered, for most occur once."""
    general = _formed(kind)

    def rule(value: Json, seen: Seen) -> Faults:
        if type(value) is str and value.isascii() and value.isprintable() and value and " " not in value:
            return None
        return general(value, seen)

    return rule


def _is_in_calendar(year: int, month: int, day: int) -> bool:
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True


def text_rule(value: Json, _: Seen) -> Faults:
    """A text that is not empty."""
    if (
        type(value) is str
        and value
        and not value.isspace()
        and (value.isprintable() or not has_control(value))
    ):
        return None
    return fault(value, "a text that is neither empty nor holds control characters (string)")


LARGEST = sys.float_info.max
"""Beyond this lies no float."""


def _boolean(value: Json, _: Seen) -> Faults:
    return None if type(value) is bool else fault(value, "true or false (boolean)")


def _decimal(value: Json, _: Seen) -> Faults:
    if (type(value) is float or type(value) is int) and -LARGEST <= value <= LARGEST:
        return None
    return fault(value, "a number (decimal)")


def _whole(kind: str, least: int) -> Rule:
    def rule(value: Json, _: Seen) -> Faults:
        if type(value) is int and least <= value < 1 << 31:
            return None
        return fault(value, f"a whole number from {least} to 2^31 - 1 ({kind})")

    return rule


def listed(codes: frozenset[str]) -> Rule:
    """A code out of a closed list."""

    def rule(value: Json, _: Seen) -> Faults:
        if type(value) is str and value in codes:
            return None
        return fault(value, f"one of {', '.join(sorted(codes))}", "use a code of the list")

    return rule


def _anything(value: Json, _: Seen) -> Faults:
    return None if value not in (None, {}, [], "") else fault(value, "a value")


PRIMITIVES: dict[str, Rule] = {
    **{kind: _formed(kind) for kind in _FORMS},
    "id": _identity,
    **{kind: _address(kind) for kind in ("uri", "url", "canonical")},
    **{kind: _dated(kind) for kind in ("date", "dateTime")},
    "string": text_rule,
    "markdown": text_rule,
    "xhtml": text_rule,
    "boolean": _boolean,
    "decimal": _decimal,
    "integer": _whole("integer", -(1 << 31)),
    "unsignedInt": _whole("unsignedInt", 0),
    "positiveInt": _whole("positiveInt", 1),
}
"""The check of each primitive type by its FHIR name."""

OTHERS: dict[str, Callable[[object, Seen], Faults]] = {"Any": _anything}
"""The check of types that are taken as they come: rare ones that no record speaks of."""
