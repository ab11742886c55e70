"""Shapes: how each type of a journey looks as plain JSON values, worked out once per type.

Rules this module guarantees:

- A class becomes an object of its fields; a field that has its default value is left out, so that each
  value has one form only. A union of classes becomes an object with one key, the class's name in
  snake case (`{"small_variant": {…}}`); text in such a union stands under `text`.
- Reading is the exact inverse and strict: unknown keys, missing keys, wrong types, values outside an
  enumeration and values that the class itself refuses raise `MisreadError`, which knows the path.
- Whole numbers are written without a point and others as RFC 8785 wants them, so that equal values have
  equal bytes wherever they are written.

    >>> from oncoproof.journey.units import Quantity
    >>> shape = shape_of(Quantity)
    >>> shape.write(Quantity(80.0, "mg"))
    {'value': 80, 'unit': 'mg'}
    >>> shape.read({"value": 80, "unit": "mg"})
    Quantity(value=80.0, unit='mg', comparator='')
"""

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date
from enum import StrEnum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import orjson

from oncoproof.errors import FormatError, InputError

TEXT_KEY = "text"
"""Key of plain text in a union."""

_EXACT_WHOLE = 1 << 53
_PLAIN_FORM_FROM = 1e-5


class MisreadError(Exception):
    """A plain value does not have the shape; caught where the document's name is known."""

    def __init__(self, *, came: str, expected: str, remedy: str = "correct the document") -> None:
        """Keep the parts; the path is filled in on the way out.

        Args:
            came: What was found.
            expected: What would have been right.
            remedy: What the reader can do about it.
        """
        super().__init__(came)
        self.came = came
        self.expected = expected
        self.remedy = remedy
        self.steps: list[str | int] = []

    def path(self) -> str:
        """Where in the document, for instance `events[3].content.lab.value`."""
        steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in reversed(self.steps)]
        return "".join(steps).removeprefix(".")


class Shape(ABC):
    """How values of one type look as plain JSON values."""

    @abstractmethod
    def write(self, value: object) -> object:
        """The plain form of a value."""

    @abstractmethod
    def read(self, plain: object) -> object:
        """The value of a plain form.

        Raises:
            MisreadError: The plain form does not have the shape.
        """


class Text(Shape):
    """Text."""

    def write(self, value: object) -> object:
        """The text itself."""
        return value

    def read(self, plain: object) -> object:
        """The text itself."""
        if type(plain) is not str:
            raise _unlike(plain, "text")
        return plain


class Flag(Shape):
    """True or false."""

    def write(self, value: object) -> object:
        """The value itself."""
        return value

    def read(self, plain: object) -> object:
        """The value itself."""
        if type(plain) is not bool:
            raise _unlike(plain, "true or false")
        return plain


class Whole(Shape):
    """A whole number."""

    def write(self, value: object) -> object:
        """The number itself."""
        return value

    def read(self, plain: object) -> object:
        """The number itself."""
        if type(plain) is not int:
            raise _unlike(plain, "a whole number")
        return plain


class Number(Shape):
    """A finite number."""

    def write(self, value: object) -> object:
        """The number, in the one form that RFC 8785 gives it."""
        number = float(cast("float", value))  # where Python wants a float, it takes 1 for 1.0
        if not math.isfinite(number):
            raise FormatError(
                where="number",
                came=str(number),
                expected="a finite number",
                remedy="leave out what is not known",
            )
        return plain_number(number)

    def read(self, plain: object) -> object:
        """The number as a float."""
        if type(plain) is float and math.isfinite(plain):
            return plain
        if type(plain) is int:
            return float(plain)
        raise _unlike(plain, "a number")


class Day(Shape):
    """A calendar date, as `2026-03-01`."""

    def write(self, value: object) -> object:
        """The date as text."""
        return cast("date", value).isoformat()

    def read(self, plain: object) -> object:
        """The date that the text states."""
        if isinstance(plain, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", plain, re.ASCII):
            try:
                return date.fromisoformat(plain)
            except ValueError:
                pass
        raise _unlike(plain, "a date such as 2026-03-01")


class Choice(Shape):
    """A member of an enumeration, by its value."""

    def __init__(self, members: type[StrEnum]) -> None:
        """Remember the enumeration."""
        self.members: dict[str, StrEnum] = {member.value: member for member in members}
        self.name = members.__name__

    def write(self, value: object) -> object:
        """The member's value."""
        return cast("StrEnum", value).value

    def read(self, plain: object) -> object:
        """The member with the value."""
        member = self.members.get(plain) if isinstance(plain, str) else None
        if member is None:
            raise _unlike(plain, f"one of {', '.join(self.members)}")
        return member


class Maybe(Shape):
    """A value or null."""

    def __init__(self, inner: Shape) -> None:
        """Remember the shape of what is there."""
        self.inner = inner

    def write(self, value: object) -> object:
        """Null or the value's form."""
        return None if value is None else self.inner.write(value)

    def read(self, plain: object) -> object:
        """None or the value."""
        return None if plain is None else self.inner.read(plain)


class Sequence(Shape):
    """Values in order."""

    def __init__(self, member: Shape) -> None:
        """Remember the shape of each."""
        self.member = member

    def write(self, value: object) -> object:
        """A list of the members' forms."""
        write = self.member.write
        return [write(member) for member in cast("tuple[object, ...]", value)]

    def read(self, plain: object) -> object:
        """A tuple of the members."""
        if not isinstance(plain, list):
            raise _unlike(plain, "a list")
        members: list[object] = []
        try:
            for member in cast("list[object]", plain):
                members.append(self.member.read(member))  # noqa: PERF401  # its length tells which member failed
        except MisreadError as error:
            error.steps.append(len(members))
            raise
        return tuple(members)


class OneOf(Shape):
    """A value of one of several classes, told apart by the one key of an object."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        """Remember the classes by name."""
        self.options = {_option_name(each): shape_of(each) for each in classes}
        self._names = {each: _option_name(each) for each in classes}

    def write(self, value: object) -> object:
        """An object with the class's name as its key."""
        name = self.name_of(value)
        return {name: self.options[name].write(value)}

    def name_of(self, value: object) -> str:
        """The key of the value's class."""
        return self._names[type(value)]

    def read(self, plain: object) -> object:
        """The value under the one key."""
        document: object = plain
        if not isinstance(document, dict) or len(cast("dict[str, object]", document)) != 1:
            raise _unlike(plain, f"an object with one key of {', '.join(self.options)}")
        name, inner = next(iter(cast("dict[str, object]", document).items()))
        option = self.options.get(name)
        if option is None:
            raise MisreadError(came=f"key {name!r}", expected=f"one of {', '.join(self.options)}")
        try:
            return option.read(inner)
        except MisreadError as error:
            error.steps.append(name)
            raise


_REQUIRED = object()


@dataclass(frozen=True, slots=True)
class FieldShape:
    """One field of a structure."""

    name: str
    """Its name, in Python and in JSON."""
    shape: Shape
    """How its values look."""
    default: object
    """What it is when left out; a private marker where it must be given."""
    get: Callable[[object], object]
    """Reads the field of an instance."""

    @property
    def is_required(self) -> bool:
        """Whether it must be given."""
        return self.default is _REQUIRED


class Structure(Shape):
    """An instance of a data class, as an object of its fields."""

    def __init__(self, structure: type) -> None:
        """Work out the fields of the class once."""
        self.structure = structure
        self.name = _option_name(structure)
        hints = get_type_hints(structure)
        self.fields = {each.name: _field_shape(each, hints[each.name]) for each in fields(structure)}
        self.required = frozenset(name for name, each in self.fields.items() if each.is_required)
        self._writers = tuple(
            (each.name, each.get, each.default, each.shape.write) for each in self.fields.values()
        )
        self._readers = {name: each.shape.read for name, each in self.fields.items()}

    def write(self, value: object) -> object:
        """An object of the fields that differ from their default."""
        plain: dict[str, object] = {}
        for name, get, default, write in self._writers:
            part = get(value)
            if part is not default and part != default:
                plain[name] = write(part)
        return plain

    def read(self, plain: object) -> object:
        """The instance with these fields."""
        if not isinstance(plain, dict):
            raise _unlike(plain, f"an object ({self.name})")
        document = cast("dict[str, object]", plain)
        missing = self.required - document.keys()
        if missing:
            raise MisreadError(came="nothing", expected=f"the key {min(missing)!r}", remedy="add the key")
        values: dict[str, object] = {}
        for name, part in document.items():
            read = self._readers.get(name)
            if read is None:
                raise self._unknown(name)
            try:
                values[name] = read(part)
            except MisreadError as error:
                error.steps.append(name)
                raise
        try:
            return self.structure(**values)
        except InputError as error:
            raise MisreadError(came=error.came, expected=error.expected, remedy=error.remedy) from error

    def _unknown(self, name: str) -> MisreadError:
        error = MisreadError(
            came="an unknown key",
            expected=f"one of {', '.join(self.fields)}",
            remedy="remove the key or correct its name",
        )
        error.steps.append(name)
        return error


@cache
def shape_of(hint: type[object]) -> Shape:
    """The shape of a type: str, bool, int, float, date, an enumeration, a data class, or a compound.

    Raises:
        TypeError: Journeys hold no such type.
    """
    simple = _SIMPLE.get(hint)
    if simple is not None:
        return simple()
    if get_origin(hint) in {Union, UnionType}:
        return _shape_of_union(get_args(hint))
    if get_origin(hint) is tuple:
        return Sequence(shape_of(get_args(hint)[0]))
    if issubclass(hint, StrEnum):
        return Choice(hint)
    if is_dataclass(hint):
        return Structure(hint)
    raise TypeError(f"no plain form for {hint}")


def plain_number(value: float) -> object:
    """A number in the form that RFC 8785 (that is, ECMAScript) writes."""
    if value.is_integer():
        return int(value) if abs(value) <= _EXACT_WHOLE else orjson.Fragment(_ecmascript(value))
    if abs(value) >= _PLAIN_FORM_FROM:
        return value
    return orjson.Fragment(_ecmascript(value))


def _ecmascript(value: float) -> str:
    """Shortest digits that read back as the value, with an exponent where ECMAScript has one."""
    mantissa, _, exponent = f"{value!r}e0".partition("e")
    sign, mantissa = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    whole, _, fraction = mantissa.partition(".")
    point = len(whole) + int(exponent.removesuffix("e0"))
    digits = (whole + fraction).lstrip("0")
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    if 0 < point <= 21:
        body = digits.ljust(point, "0")
        return sign + body[:point] + ("." + body[point:] if len(body) > point else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    rest = "." + digits[1:] if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{rest}e{point - 1:+d}"


def _unlike(plain: object, expected: str) -> MisreadError:
    came = repr(plain)
    return MisreadError(came=came if len(came) <= 60 else f"{came[:60]}…", expected=expected)


def _option_name(option: type) -> str:
    if option is str:
        return TEXT_KEY
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", option.__name__).lower()


def _field_shape(each: "Field[Any]", hint: type) -> FieldShape:
    default: object = _REQUIRED if each.default is MISSING else each.default
    return FieldShape(each.name, shape_of(hint), default, attrgetter(each.name))


def _shape_of_union(members: tuple[type, ...]) -> Shape:
    present = tuple(member for member in members if member is not NoneType)
    shape = shape_of(present[0]) if len(present) == 1 else OneOf(present)
    return Maybe(shape) if len(present) < len(members) else shape


_SIMPLE: dict[type, type[Shape]] = {str: Text, bool: Flag, int: Whole, float: Number, date: Day}
