"""Cells: how each shape looks as nested columns of Arrow.

Rules this module guarantees:

- A structure has a column for each field, and a default is written out; a union has a column for each
  class, of which one is filled; a date is a date.
- Arrow is loaded when first needed: it takes 0.2 s, and few commands need it. It comes untyped.
- `plain_of` gives the plain form that `shapes` reads, so that every check stands in one place.

    >>> from oncoproof.journey.shapes import shape_of
    >>> from oncoproof.journey.units import Quantity
    >>> cell_of(shape_of(Quantity), Quantity(80.0, "mg"))
    {'value': 80.0, 'unit': 'mg', 'comparator': ''}
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any, cast

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
    Whole,
)

_Turn = Callable[[object], object]


def arrow_type(shape: Shape) -> object:
    """The type of the column that holds values of a shape."""
    pa: Any = import_module("pyarrow")

    if isinstance(shape, Structure):
        return pa.struct([_arrow_field(name, each.shape) for name, each in shape.fields.items()])
    if isinstance(shape, OneOf):
        options = shape.options.items()
        return pa.struct([pa.field(name, arrow_type(each), nullable=True) for name, each in options])
    if isinstance(shape, Sequence):
        return pa.list_(pa.field("element", arrow_type(shape.member), nullable=False))
    if isinstance(shape, Maybe):
        return arrow_type(shape.inner)
    plain: dict[type[Shape], object] = {
        Flag: pa.bool_(),
        Whole: pa.int64(),
        Number: pa.float64(),
        Day: pa.date32(),
    }
    return plain.get(type(shape), pa.string())


def cell_of(shape: Shape, value: object) -> object:
    """What a column of the shape's type holds for a value."""
    return _writer(shape)(value)


def plain_of(shape: Shape, cell: object) -> object:
    """The plain form of what a column of the shape's type holds."""
    return _reader(shape)(cell)


def _arrow_field(name: str, shape: Shape) -> object:
    pa: Any = import_module("pyarrow")

    return pa.field(name, arrow_type(shape), nullable=isinstance(shape, Maybe))


@cache
def _writer(shape: Shape) -> _Turn:
    if isinstance(shape, Structure):
        return _structure_writer(shape)
    if isinstance(shape, OneOf):
        return _option_writer(shape)
    if isinstance(shape, Sequence):
        member = _writer(shape.member)
        return lambda value: [member(each) for each in cast("tuple[object, ...]", value)]
    if isinstance(shape, Maybe):
        inner = _writer(shape.inner)
        return lambda value: None if value is None else inner(value)
    return shape.write if isinstance(shape, Choice) else _itself


def _structure_writer(shape: Structure) -> _Turn:
    parts = [(name, each.get, _writer(each.shape)) for name, each in shape.fields.items()]
    return lambda value: {name: write(get(value)) for name, get, write in parts}


def _option_writer(shape: OneOf) -> _Turn:
    def write(value: object) -> object:
        name = shape.name_of(value)
        return {name: _writer(shape.options[name])(value)}

    return write


@cache
def _reader(shape: Shape) -> _Turn:
    if isinstance(shape, Structure):
        return _structure_reader(shape)
    if isinstance(shape, OneOf):
        options = {name: _reader(each) for name, each in shape.options.items()}
        return lambda cell: _filled(cell, options)
    if isinstance(shape, Sequence):
        member = _reader(shape.member)
        return lambda cell: [member(each) for each in cast("list[object]", cell)]
    if isinstance(shape, Maybe):
        inner = _reader(shape.inner)
        return lambda cell: None if cell is None else inner(cell)
    return shape.write if isinstance(shape, Day) else _itself


def _structure_reader(shape: Structure) -> _Turn:
    parts = [(name, _reader(each.shape)) for name, each in shape.fields.items()]

    def read(cell: object) -> object:
        columns = cast("dict[str, object]", cell)
        return {name: turn(columns[name]) for name, turn in parts}

    return read


def _filled(cell: object, options: dict[str, _Turn]) -> object:
    """The one class that is filled; where it is not one, reading refuses what is left."""
    columns = cast("dict[str, object]", cell)
    return {name: turn(columns[name]) for name, turn in options.items() if columns[name] is not None}


def _itself(value: object) -> object:
    return value
