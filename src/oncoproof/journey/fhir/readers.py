"""The reader: resources on their way into events, with an account of what was not understood.

Rules this module guarantees:

- Every element of a resource is either read or named in the losses: a reader states which elements it
  reads, and the rest is a loss.
- A reader meets only resources whose elements have been checked; their shapes can be relied on. One of
  a type that no record speaks of is a loss as a whole.

    >>> Item({"resourceType": "Patient", "id": "p1"}).name
    'Patient/p1'
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypeVar, cast

import orjson

from oncoproof.errors import FormatError, InputError, UnitError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Content
from oncoproof.journey.fhir.addresses import ABSENT, CODE, DETAIL, EVENT, LINK
from oncoproof.journey.fhir.checks import Document
from oncoproof.journey.fhir.faults import Object, is_object
from oncoproof.journey.fhir.headings import Heading
from oncoproof.journey.readings import Loss
from oncoproof.journey.units import Quantity, convert

ALWAYS = frozenset({"resourceType", "id", "meta", "extension"})
"""Elements that are read of every resource."""

_META = frozenset({"profile", "tag"})
_CODING = frozenset({"system", "code", "display", "id"})
_CONCEPT = frozenset({"coding", "text"})
_PLAIN_QUANTITY = ("value", "unit", "system", "code")
_QUANTITY = frozenset({"value", "unit", "system", "code", "comparator"})
_MARKS = {
    "source": "valueCode",
    "finding": "valueCode",
    "modality": "valueCode",
    "recorded": "valueDate",
    "end": "valueDate",
    "confidence": "valueDecimal",
    "doseFraction": "valueDecimal",
    "probability": "valueDecimal",
    "line": "valueInteger",
    "newLesion": "valueBoolean",
    "note": "valueString",
    "reasonEnded": "valueString",
    "resolution": "valueString",
}


_Value = TypeVar("_Value")
_Member = TypeVar("_Member", bound=StrEnum)

_REMEMBERED = 1 << 14
_LENGTH_MAX = 1_024
_UNKNOWN = Code("", "?")
_CODES: dict[bytes, Code | None] = {}


def _remember(text: bytes, code: Code | None) -> None:
    """Keep what a coding was read as."""
    if len(text) <= _LENGTH_MAX:
        if len(_CODES) >= _REMEMBERED:
            _CODES.clear()
        _CODES[text] = code


def _code(system: str, code: str, display: str) -> Code:
    if system == System.HGNC and code.isdigit():
        code = f"HGNC:{code}"
    return Code(system, code, display)


_NOTHING: Object = {}
_NO_MARKS: dict[str, object] = {}


class Item:
    """One resource while it is read."""

    __slots__ = ("extensions", "kind", "links", "marks", "note", "number", "readings", "resource")

    def __init__(self, resource: Object, heading: Heading | None = None, number: int = -1) -> None:
        """Begin with nothing taken apart.

        Args:
            resource: The resource.
            heading: What it says like others; None = not known.
            number: Its number in the document; -1 = does not matter.
        """
        self.number = number
        self.resource = resource
        self.readings: dict[object, object] = {} if heading is None else heading.readings
        self.kind = ""
        self.marks: Mapping[str, object] = _NO_MARKS
        self.links: tuple[Sequence[Object], ...] = ()
        self.extensions: dict[str, Object] = _NOTHING
        self.note: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Type and id."""
        return f"{self.resource['resourceType']}/{self.resource.get('id', '')}"

    def extension(self, address: str) -> Object:
        """The extension with an address, which is then read; empty = there is none."""
        return self.extensions.pop(address, _NOTHING)

    def mark(self, name: str, default: str = "") -> str:
        """What the own extension says under a name, as text."""
        return str(self.marks.get(name, default))


class Reader:
    """A document on its way into events."""

    __slots__ = ("_days", "document", "index", "is_strict", "losses", "specimens", "tumours", "used")

    def __init__(self, document: Document, index: date, *, is_strict: bool = True) -> None:
        """Begin with nothing read.

        Args:
            document: The checked document.
            index: The date of day 0.
            is_strict: Whether something that cannot be read refuses the whole document.
        """
        self.document = document
        self.index = index
        self.is_strict = is_strict
        self.losses: list[Loss] = []
        self.used: set[int] = set()
        self.tumours: dict[str, tuple[str, str]] = {}
        self.specimens: dict[str, str] = {}
        self._days: dict[str, int] = {}

    def lose(self, item: Item, path: str, what: str) -> None:
        """Note a part that has no place in a journey."""
        self.losses.append(Loss(f"{item.name}: {item.resource['resourceType']}{path}", what))

    def refuse(self, item: Item, error: InputError) -> None:
        """Raise the error, or note what it is about as a loss where the reader is not strict."""
        if self.is_strict:
            raise error
        where = error.where if error.where.startswith(item.name) else item.name
        self.losses.append(Loss(where, f"came: {error.came}; expected: {error.expected}"))

    def once(self, item: Item, read: "Callable[[Reader, Item], _Value]") -> _Value:
        """What a function reads of the heading of a resource.

        Resources with the same heading share it, unless something was lost or noted: that is told of each.

        Args:
            item: The resource.
            read: Looks at elements of the heading and at nothing else.
        """
        readings = item.readings
        if read in readings:
            return cast("_Value", readings[read])
        before = len(self.losses) + len(item.note)
        value = read(self, item)
        if len(self.losses) + len(item.note) == before:
            readings[read] = value
        return value

    def unpack(self, item: Item) -> Item:
        """Take the extensions of a resource apart: own kind, marks and links; the others by address."""
        resource = item.resource
        for extension in resource.get("extension", ()):
            address = extension["url"]
            if address == EVENT:
                item.kind = str(extension.get("valueCode", ""))
            elif address == DETAIL:
                item.marks = self._marks(item, extension.get("extension", ()))
            elif address == LINK:
                item.links += (extension.get("extension", ()),)
            elif address in item.extensions:
                self.lose(item, ".extension", f"a further {address}")
            else:
                item.extensions = item.extensions or {}
                item.extensions[address] = extension
        return item

    def _marks(self, item: Item, parts: Iterable[Object]) -> dict[str, object]:
        """The parts of the own extension, each of which must be of the type that this project writes."""
        marks: dict[str, object] = {}
        for part in parts:
            name = part["url"]
            kind = _MARKS.get(name)
            if kind is None:
                self.lose(item, ".extension", f"part {name} of {DETAIL}")
            elif kind not in part:
                raise refused(
                    item, ".extension", f"{name} as {', '.join(sorted(part.keys() - {'url'}))}", kind
                )
            else:
                marks[name] = part[kind]
        return marks

    def rest(self, item: Item, read: frozenset[str]) -> None:
        """Note every element that was not read."""
        for address in item.extensions:
            self.lose(item, ".extension", f"extension {address}")
        if read in item.readings:
            return
        resource, meta = item.resource, item.resource.get("meta", _NOTHING)
        if resource.keys() <= read and meta.keys() <= _META:
            item.readings[read] = None
            return
        for key in sorted(resource.keys() - read - ALWAYS):
            self.lose(item, f".{key}", "the narrative" if key == "text" else f"element {key}")
        if not meta.keys() <= _META:
            self.lose(item, ".meta", ", ".join(sorted(meta.keys() - _META)))

    def day(self, item: Item, path: str, text: str) -> int:
        """The day of the journey of a date or time; what is finer or coarser than a day is lost."""
        day = self._days.get(text)
        if day is not None:
            return day
        full = text[:10] + "-01-01"[len(text[:10]) - 4 :] if len(text) < 10 else text[:10]
        day = date.fromisoformat(full).toordinal() - self.index.toordinal()
        if len(text) == 10:
            self._days[text] = day
        else:
            self.lose(item, path, "the time of day" if len(text) > 10 else "that the date is coarse")
        return day

    def first_day(self, item: Item, *keys: str) -> tuple[int | None, int | None]:
        """First and last day by the first of these elements that is there; None = not stated."""
        for key in keys:
            held = item.resource.get(key)
            if isinstance(held, str):
                day = self._days.get(held)
                return self.day(item, f".{key}", held) if day is None else day, None
            if is_object(held):
                start, end = held.get("start"), held.get("end")
                return (
                    None if start is None else self.day(item, f".{key}.start", start),
                    None if end is None else self.day(item, f".{key}.end", end),
                )
        return None, None

    def codes(self, item: Item, path: str, concept: Object | None) -> tuple[Code, ...]:
        """The codes of a concept, without those that only a profile asked for; its words go to the note."""
        if concept is None:
            return ()
        found = self._codings(item, path, concept)
        if "text" in concept:
            text = concept["text"]
            if all(text != code.display for code in found):
                item.note += (text,)
        return found

    def codes_and_text(self, item: Item, path: str, concept: Object | None) -> tuple[tuple[Code, ...], str]:
        """The codes of a concept and its words."""
        if concept is None:
            return (), ""
        return self._codings(item, path, concept), concept.get("text", "")

    def _codings(self, item: Item, path: str, concept: Object) -> tuple[Code, ...]:
        if len(concept) > 1 and not concept.keys() <= _CONCEPT and not _is_absent(concept):
            self.lose(item, path, f"{', '.join(sorted(concept.keys() - _CONCEPT))} of a concept")
        found: list[Code] = []
        for coding in concept.get("coding", ()):
            code = self.code(item, path, coding)
            if code is not None:
                found.append(code)
        return tuple(found)

    def code(self, item: Item, path: str, coding: Object) -> Code | None:
        """The code of a coding; None = it has none, or only a profile asked for it."""
        try:
            text = orjson.dumps(coding)
        except orjson.JSONEncodeError:  # nested more deeply than can be written
            return self._code(item, path, coding)
        code = _CODES.get(text, _UNKNOWN)
        if code is _UNKNOWN:
            before = len(self.losses)
            code = self._code(item, path, coding)
            if len(self.losses) == before:
                _remember(text, code)
        return code

    def _code(self, item: Item, path: str, coding: Object) -> Code | None:
        for extension in coding.get("extension", ()):
            if extension["url"] == CODE:
                held = {part["url"]: str(value_of(part)) for part in extension.get("extension", ())}
                return Code(held.get("system", ""), held.get("code", ""), coding.get("display", ""))
        if not coding.keys() <= _CODING:
            self.lose(item, f"{path}.coding", f"{', '.join(sorted(coding.keys() - _CODING))} of a code")
        if str(coding.get("id", "")).startswith("profile"):
            return None
        if "code" in coding:
            return _code(coding.get("system", ""), coding["code"], coding.get("display", ""))
        self.lose(item, f"{path}.coding", f"a coding without a code: {coding.get('display', '')}")
        return None

    def quantity(self, item: Item, path: str, held: Object) -> Quantity | None:
        """A quantity; None = it has no value, which is lost."""
        if tuple(held) == _PLAIN_QUANTITY and held["unit"] == held["code"]:
            return Quantity(float(held["value"]), held["unit"])
        if not held.keys() <= _QUANTITY:
            self.lose(item, path, f"{', '.join(sorted(held.keys() - _QUANTITY))} of a quantity")
        if "value" not in held:
            self.lose(item, path, "a quantity without a value")
            return None
        unit = held.get("code") or held.get("unit", "")
        if held.get("code") and held.get("unit", unit) != unit:
            self.lose(item, f"{path}.unit", f"the unit's other name {held['unit']!r}")
        return Quantity(float(held["value"]), unit, held.get("comparator", ""))

    def amount(self, item: Item, path: str, held: Object, unit: str) -> float | None:
        """The number of a quantity in a unit; None = it has none, which is lost.

        Raises:
            FormatError: It is in a unit that measures something else, or in none where one is needed.
        """
        if tuple(held) == _PLAIN_QUANTITY and held["code"] == held["unit"] == unit:
            return float(held["value"])
        amount = self.quantity(item, path, held)
        if amount is None or amount.unit == unit or (not amount.unit and unit == "1"):
            return None if amount is None else amount.value
        try:
            return convert(amount, unit).value
        except UnitError:
            came = repr(amount.unit) if amount.unit else "no unit"
            raise refused(item, f"{path}.code", came, f"the unit {unit}, or one that measures it") from None

    def number_of(self, reference: Object) -> int | None:
        """The number of the resource that a reference leads to; None = it is not in the document."""
        return self.document.by_address.get(reference.get("reference", ""))

    def resolve(self, reference: Object) -> Object | None:
        """The resource that a reference leads to; None = it is not in the document."""
        number = self.number_of(reference)
        return None if number is None else self.document.resources[number]

    def take(
        self, reference: Object, is_wanted: "Callable[[Reader, Item], bool] | None" = None
    ) -> Item | None:
        """The resource that a reference leads to, which is then read with the one that refers to it.

        None = it is not in the document, or of a type that no record speaks of and that was not checked.

        Args:
            reference: The reference.
            is_wanted: Whether it is taken, by its heading; None = always.
        """
        number = self.number_of(reference)
        heading = None if number is None else self.document.headings[number]
        if number is None or heading is None:
            return None
        item = Item(self.document.resources[number], heading, number)
        if is_wanted is not None and not self.once(item, is_wanted):
            return None
        self.used.add(number)
        return item

    def sides(self, item: Item, path: str, held: Object, read: frozenset[str], what: str) -> None:
        """Note every element of a part of a resource that is not read; `what` the part is."""
        if not held.keys() <= read:
            for key in sorted(held.keys() - read):
                self.lose(item, f"{path}.{key}", f"{key} of {what}" if what else f"element {key}")

    def take_note(self, item: Item) -> None:
        """Read the element `note`."""
        for note in item.resource.get("note", ()):
            item.note += (note["text"],)
            if len(note) > 1:
                self.lose(item, ".note", f"{', '.join(sorted(note.keys() - {'text'}))} of a note")

    def concept_extension(self, item: Item, *addresses: str) -> tuple[Code, ...]:
        """The codes of the first of these extensions that is there."""
        for address in addresses if item.extensions else ():
            extension = item.extension(address)
            if extension:
                return self.codes(item, ".extension", extension.get("valueCodeableConcept"))
        return ()


def value_of(extension: Object) -> object:
    """The value of a simple extension, of whatever type; None = it has none."""
    for key, item in extension.items():
        if key.startswith("value"):
            return item
    return None


def _is_absent(concept: Object) -> bool:
    extensions: Iterable[Object] = concept.get("extension", ())
    return set(concept) <= {"extension", *_CONCEPT} and all(each["url"] == ABSENT for each in extensions)


@dataclass(slots=True)
class Found:
    """What a resource says, before it becomes an event."""

    content: Content
    """What it is about."""
    day: int | None
    """When it happened; None = not stated, so that it cannot be placed."""
    codes: tuple[Code, ...] = ()
    """What it is called."""
    end: int | None = None
    """Last day; None = not stated."""
    recorded: int | None = None
    """When it became known, as a foreign resource states it; None = not stated."""
    part: str = ""
    """Which part of the resource it is, where one resource holds several; empty = the only one."""


class Told(NamedTuple):
    """A resource and what it says."""

    item: Item
    """The resource."""
    found: list[Found]
    """What it says."""


def member(kind: type[_Member], value: object, item: Item, path: str = ".extension") -> _Member:
    """The member of an enumeration with a value.

    Raises:
        FormatError: It has none.
    """
    found = _members(kind).get(value if isinstance(value, str) else "")
    if found is None:
        raise refused(item, path, repr(value), f"one of {', '.join(kind)}")
    return cast("_Member", found)


@cache
def _members(kind: type[StrEnum]) -> Mapping[str, StrEnum]:
    """The members of an enumeration by value."""
    return {each.value: each for each in kind}


def refused(item: Item, path: str, came: str, expected: str) -> FormatError:
    """An error about a place of a resource."""
    where = f"{item.name}: {item.resource['resourceType']}{path}"
    return FormatError(where=where, came=came, expected=expected, remedy="correct the element")
