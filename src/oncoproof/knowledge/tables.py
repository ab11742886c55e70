"""Reading the data files: every row becomes a typed, frozen record, or an error that names its cell.

Rules this module guarantees:

- A file states its format in the first line (CSV: `# oncoproof.knowledge.TOPIC/1`) or first key
  (TOML: `format = "oncoproof.knowledge.TOPIC/1"`); another format is refused.
- A column or key that the record does not have, and one that the record needs and the file lacks,
  are refused. A blank CSV cell is None where the field allows it, and the field's default where it
  has one.
- In CSV, `|` separates the members of a tuple, and a `Figure` called `figure` is spread over the
  columns `value, low, high, unit, source, basis` (one called `dose` over `dose_value, dose_low, …`).

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Drug:
    ...     name: str
    ...     targets: tuple[str, ...]
    >>> text = "# oncoproof.knowledge.drugs/1" + chr(10) + "name,targets" + chr(10) + "crizotinib,ALK|ROS1"
    >>> parse_csv(text, "drugs", Drug, where="drugs.csv")
    (Drug(name='crizotinib', targets=('ALK', 'ROS1')),)
"""

import csv
import io
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from datetime import date
from enum import Enum, StrEnum
from functools import cache
from importlib import resources
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from oncoproof.errors import FormatError

Record = TypeVar("Record")

_MEMBER_SEPARATOR = "|"


class Basis(StrEnum):
    """How a fact came to us: what a reader may build on it."""

    COMPUTED = "computed"
    """Computed from individual-level data, which the source names."""
    READ = "read"
    """Read in the source itself."""
    RECALLED = "recalled"
    """Recalled from the source and not checked against it since: a prior, not a gate."""
    ASSUMED = "assumed"
    """A modelling choice of this project; the source says where it is argued."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that can be defended: its interval, its unit and where it comes from."""

    value: float
    """The estimate, in `unit`."""
    low: float | None
    """Lower bound of the 95 % interval (or stated range); None = the source gives none."""
    high: float | None
    """Upper bound; None = the source gives none."""
    unit: str
    """UCUM; `1` for a ratio or share."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How the number came to us."""


_FIGURE_COLUMNS = tuple(field.name for field in fields(Figure))


def records_within(item: object) -> Iterator[object]:
    """Every record that something holds, however deep, itself first where it is one."""
    if isinstance(item, Mapping):
        item = tuple(cast("Mapping[object, object]", item).values())
    if isinstance(item, tuple | list | frozenset | set):
        for member in cast("Iterable[object]", item):
            yield from records_within(member)
    elif is_dataclass(item) and not isinstance(item, type):
        yield item
        for field in fields(item):
            yield from records_within(getattr(item, field.name))


def read_text(name: str) -> str:
    """The text of a data file, by its path below `knowledge/data`."""
    return resources.files("oncoproof.knowledge").joinpath(f"data/{name}").read_text(encoding="utf-8")


def list_files(folder: str, suffix: str) -> tuple[str, ...]:
    """The data files of a folder, by path, sorted."""
    entries = resources.files("oncoproof.knowledge").joinpath(f"data/{folder}").iterdir()
    return tuple(sorted(f"{folder}/{entry.name}" for entry in entries if entry.name.endswith(suffix)))


def read_csv(name: str, topic: str, record: type[Record]) -> tuple[Record, ...]:
    """All rows of a CSV data file as records."""
    return parse_csv(read_text(name), topic, record, where=name)


def parse_csv(
    text: str, topic: str, record: type[Record], *, where: str, family: str = "oncoproof.knowledge"
) -> tuple[Record, ...]:
    """All rows of a CSV text as records.

    Args:
        text: The file.
        topic: What its format line must name.
        record: What each row becomes.
        where: Its name, for errors.
        family: Whose files these are; the format is `FAMILY.TOPIC/1`.
    """
    first, _, body = text.partition("\n")
    _require_format(first.removeprefix("#").strip(), topic, where, family)
    reader = csv.DictReader(io.StringIO(body), strict=True)
    built: list[Record] = []
    try:
        for number, row in enumerate(reader, start=3):
            place = f"{where} line {number}"
            if None in row or None in row.values():
                raise FormatError(
                    where=place,
                    came=f"{len(row)} cells",
                    expected=f"{len(reader.fieldnames or ())} cells",
                    remedy="quote cells that hold a comma; give every row all columns",
                )
            built.append(build(record, _spread(record, row), where=place))
    except csv.Error as error:
        raise FormatError(
            where=where, came=str(error), expected="CSV", remedy="check the quotes of the line named"
        ) from error
    return tuple(built)


def read_toml(name: str, topic: str) -> dict[str, Any]:
    """A TOML data file as plain data, its `format` checked and taken out."""
    return parse_toml(read_text(name), topic, where=name)


def parse_toml(text: str, topic: str, *, where: str) -> dict[str, Any]:
    """A TOML text as plain data, its `format` checked and taken out."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(
            where=where, came=str(error), expected="TOML", remedy="mend the line named"
        ) from error
    _require_format(str(data.pop("format", "")), topic, where)
    return data


def _require_format(found: str, topic: str, where: str, family: str = "oncoproof.knowledge") -> None:
    expected = f"{family}.{topic}/1"
    if found != expected:
        raise FormatError(
            where=where,
            came=f"format {found!r}",
            expected=f"format {expected!r}",
            remedy="check that the file is of this topic and version",
        )


def _spread(record: type[object], row: Mapping[str, str]) -> dict[str, object]:
    """Gather the flat columns of each Figure into one cell."""
    cells: dict[str, object] = dict(row)
    for name, hint in _hints(record).items():
        if Figure not in (hint, *get_args(hint)):
            continue
        prefix = "" if name == "figure" else f"{name}_"
        parts = {column: cells.pop(prefix + column, "") for column in _FIGURE_COLUMNS}
        if any(parts.values()):
            cells[name] = parts
    return cells


def build(record: type[Record], cells: Mapping[str, object], *, where: str) -> Record:
    """One record from cells by name: text from CSV, or typed values from TOML."""
    hints = _hints(record)
    unknown = sorted(set(cells) - set(hints))
    if unknown:
        raise FormatError(
            where=where,
            came=f"column {unknown[0]!r}",
            expected=f"one of {', '.join(hints)}",
            remedy="rename or remove it",
        )
    values: dict[str, object] = {}
    for field in fields(cast("Any", record)):
        raw = cells.get(field.name, "")
        if _is_blank(raw):
            _fill_blank(field, hints[field.name], values, where)
        else:
            values[field.name] = convert(raw, hints[field.name], where=f"{where} {field.name}")
    return record(**values)


def _is_blank(raw: object) -> bool:
    return raw is None or (isinstance(raw, str) and not raw)


def _fill_blank(field: "Field[Any]", hint: object, values: dict[str, object], where: str) -> None:
    if field.default is not MISSING or field.default_factory is not MISSING:
        return
    if NoneType in get_args(hint):
        values[field.name] = None
    elif hint is str:
        values[field.name] = ""
    elif get_origin(hint) is tuple:
        values[field.name] = ()
    else:
        raise FormatError(
            where=where,
            came=f"no value for {field.name!r}",
            expected=_describe(hint),
            remedy="fill the cell in",
        )


def convert(raw: object, hint: Any, *, where: str) -> object:  # noqa: ANN401  a type hint is any object
    """A cell as the type its field declares."""
    try:
        return _convert(raw, hint, where)
    except (ValueError, TypeError, KeyError) as error:
        raise FormatError(
            where=where, came=repr(raw), expected=_describe(hint), remedy="correct the cell"
        ) from error


def _convert(raw: object, hint: Any, where: str) -> object:  # noqa: ANN401  a type hint is any object
    if isinstance(hint, UnionType) or get_origin(hint) is Union:
        options = [option for option in get_args(hint) if option is not NoneType]
        return _convert(raw, options[0], where)
    if get_origin(hint) is tuple:
        members = raw.split(_MEMBER_SEPARATOR) if isinstance(raw, str) else cast("Iterable[object]", raw)
        return tuple(_convert(member, get_args(hint)[0], where) for member in members)
    if get_origin(hint) in {dict, Mapping}:
        value_hint = get_args(hint)[1]
        return {key: _convert(value, value_hint, where) for key, value in cast("Any", raw).items()}
    if is_dataclass(hint):
        return build(cast("type[object]", hint), cast("Mapping[str, object]", raw), where=where)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(raw)
    return _convert_plain(raw, hint)


def _convert_plain(raw: object, hint: Any) -> object:  # noqa: ANN401  a type hint is any object
    if hint is bool:
        return raw if isinstance(raw, bool) else {"yes": True, "no": False}[str(raw)]
    if hint is date:
        return raw if isinstance(raw, date) else date.fromisoformat(str(raw))
    if hint in {int, float}:
        if isinstance(raw, bool) or not isinstance(raw, str | int | float):
            raise TypeError(raw)
        return int(raw) if hint is int else float(raw)
    if hint is str and not isinstance(raw, str):
        raise TypeError(raw)
    return raw


def _describe(hint: Any) -> str:  # noqa: ANN401  a type hint is any object
    if isinstance(hint, type) and issubclass(hint, Enum):
        return "one of " + ", ".join(str(member.value) for member in hint)
    if hint is bool:
        return "yes or no"
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)


@cache
def _hints(record: type[object]) -> dict[str, Any]:
    return get_type_hints(record)
