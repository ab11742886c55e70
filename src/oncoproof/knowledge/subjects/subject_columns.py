"""The columns of many subjects: one array, or a few, for each feature, with what is unknown marked.

Rules this module guarantees:

- A column never mixes "no" and "not known": a number that is not known is NaN, a category −1, a flag
  and a set carry a mask of the rows in which they are known.
- A value that is not of the feature's kind or list is an `InputError` that names feature and row.

    >>> from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
    >>> column = read_column(load_vocabulary().feature("sex"), ["female", None, "male"], rows=3)
    >>> column.known.tolist()
    [True, False, True]
"""

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from oncoproof.errors import InputError
from oncoproof.knowledge.subjects.features import Feature, FeatureKind

Mask: TypeAlias = NDArray[np.bool_]
"""One truth for each row."""


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A number for each subject."""

    values: NDArray[np.float64]
    """In the unit of the feature; NaN = not known."""

    @property
    def known(self) -> Mask:
        """Where it is known."""
        return ~np.isnan(self.values)

    def cell(self, row: int) -> float | None:
        """The number of one subject; None = not known."""
        value = float(self.values[row])
        return None if np.isnan(value) else value


@dataclass(frozen=True, slots=True)
class CategoryColumn:
    """One value for each subject."""

    codes: NDArray[np.int16]
    """Positions in the feature's values; −1 = not known."""
    values: tuple[str, ...]
    """The feature's values."""

    @property
    def known(self) -> Mask:
        """Where it is known."""
        return self.codes >= 0

    def cell(self, row: int) -> str | None:
        """The value of one subject; None = not known."""
        code = int(self.codes[row])
        return None if code < 0 else self.values[code]


@dataclass(frozen=True, slots=True)
class FlagColumn:
    """Yes or no for each subject."""

    raised: Mask
    """Where it is yes."""
    known: Mask
    """Where it is known."""

    def cell(self, row: int) -> bool | None:
        """The flag of one subject; None = not known."""
        return bool(self.raised[row]) if self.known[row] else None


@dataclass(frozen=True, slots=True)
class SetColumn:
    """A set for each subject."""

    members: Mapping[str, Mask]
    """Who has a member; one that no subject has may be left out."""
    known: Mask
    """Where the whole set is known; a member that is present counts as known anyway."""

    def cell(self, row: int) -> tuple[str, ...] | None:
        """The members of one subject, sorted; None = nothing is known."""
        present = tuple(sorted(name for name, mask in self.members.items() if mask[row]))
        return present if present or self.known[row] else None


@dataclass(frozen=True, slots=True)
class NumbersColumn:
    """A number by member, such as a dose by drug, for each subject."""

    by_member: Mapping[str, NDArray[np.float64]]
    """In the unit of the feature; NaN = not known; a member left out is known for nobody."""
    known: Mask
    """Where any number is known."""

    def cell(self, row: int) -> dict[str, float] | None:
        """The numbers of one subject by member; None = none is known."""
        found = {name: float(values[row]) for name, values in self.by_member.items()}
        return {name: value for name, value in found.items() if not np.isnan(value)} or None


Column: TypeAlias = NumberColumn | CategoryColumn | FlagColumn | SetColumn | NumbersColumn
"""The column of any kind of feature."""


def chosen_rows(column: Column, rows: NDArray[np.intp]) -> Column:
    """The cells of some subjects, in the order of their numbers."""
    match column:
        case NumberColumn(values):
            return NumberColumn(values[rows])
        case CategoryColumn(codes, values):
            return CategoryColumn(codes[rows], values)
        case FlagColumn(raised, known):
            return FlagColumn(raised[rows], known[rows])
        case SetColumn(members, known):
            return SetColumn({name: mask[rows] for name, mask in members.items()}, known[rows])
        case NumbersColumn(by_member, known):
            return NumbersColumn({name: values[rows] for name, values in by_member.items()}, known[rows])


def read_column(feature: Feature, raw: object, *, rows: int) -> Column:
    """A column from what a caller holds: arrays, or one Python value for each row.

    Numbers take floats (NaN or None = not known). Categories take words (None or empty = not known)
    or whole-number codes (−1 = not known). Flags take truths, or −1, 0, 1. Sets take a mapping from
    member to truths, or one collection of members for each row. Numbers by member take a mapping
    from member to floats, or one mapping for each row.

    Args:
        feature: What the column holds.
        raw: The values.
        rows: How many subjects there are.
    """
    readers = {
        FeatureKind.NUMBER: _read_numbers,
        FeatureKind.CATEGORY: _read_categories,
        FeatureKind.FLAG: _read_flags,
        FeatureKind.SET: _read_sets,
        FeatureKind.NUMBERS: _read_numbers_by_member,
    }
    if isinstance(raw, NumberColumn | CategoryColumn | FlagColumn | SetColumn | NumbersColumn):
        _require_length(feature, len(raw.known), rows)
        return raw
    return readers[feature.kind](feature, raw, rows)


def unknown_column(feature: Feature, rows: int) -> Column:
    """A column in which nothing is known."""
    nothing = np.zeros(rows, dtype=np.bool_)
    match feature.kind:
        case FeatureKind.NUMBER:
            return NumberColumn(np.full(rows, np.nan))
        case FeatureKind.CATEGORY:
            return CategoryColumn(np.full(rows, -1, dtype=np.int16), feature.values)
        case FeatureKind.FLAG:
            return FlagColumn(nothing, nothing)
        case FeatureKind.SET:
            return SetColumn({}, nothing)
        case FeatureKind.NUMBERS:
            return NumbersColumn({}, nothing)


def _read_numbers(feature: Feature, raw: object, rows: int) -> NumberColumn:
    return NumberColumn(_floats(feature, raw, rows))


def _floats(feature: Feature, raw: object, rows: int) -> NDArray[np.float64]:
    try:
        values = np.array(raw, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _refuse(feature, str(error), f"numbers in {feature.unit!r}") from error
    _require_length(feature, _length(values), rows)
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        raise _refuse(feature, f"infinity in row {infinite[0]}", f"numbers in {feature.unit!r}")
    return values


def _read_categories(feature: Feature, raw: object, rows: int) -> CategoryColumn:
    cells = np.asarray(raw)
    _require_length(feature, _length(cells), rows)
    if cells.dtype.kind in "iu":
        return CategoryColumn(_codes(feature, cells), feature.values)
    codes = np.full(rows, -1, dtype=np.int16)
    for code, value in enumerate(feature.values):
        codes[cells == value] = code
    missing = np.array(np.equal(cells, ""), dtype=np.bool_) | _is_none(cells)
    _require_all(feature, (codes >= 0) | missing, cells)
    return CategoryColumn(codes, feature.values)


def _codes(feature: Feature, cells: NDArray[np.integer]) -> NDArray[np.int16]:
    _require_all(feature, (cells >= -1) & (cells < len(feature.values)), cells)
    return cells.astype(np.int16)


def _is_none(cells: NDArray[np.generic]) -> Mask:
    if cells.dtype.kind != "O":
        return np.zeros(len(cells), dtype=np.bool_)
    return np.array([cell is None for cell in cells], dtype=np.bool_)


def _read_flags(feature: Feature, raw: object, rows: int) -> FlagColumn:
    cells = np.asarray(raw)
    _require_length(feature, _length(cells), rows)
    if cells.dtype.kind == "O":
        missing = _is_none(cells)
        truths = np.array([isinstance(cell, bool | np.bool_) for cell in cells], dtype=np.bool_)
        _require_all(feature, truths | missing, cells)
        return FlagColumn(np.array([cell is True or cell == np.True_ for cell in cells]) & truths, ~missing)
    _require_all(feature, np.isin(cells, (-1, 0, 1)), cells)
    return FlagColumn(cells == 1, cells != -1)


def _read_sets(feature: Feature, raw: object, rows: int) -> SetColumn:
    if isinstance(raw, Mapping):
        by_member = cast("Mapping[str, object]", raw)
        masks = {name: _truths(feature, cells, rows) for name, cells in by_member.items()}
        known = np.ones(rows, dtype=np.bool_)
    else:
        collections = cast("Sequence[Iterable[str] | None]", raw)
        _require_length(feature, len(collections), rows)
        masks, known = _masks_of(collections)
    _require_members(feature, masks)
    return SetColumn(masks, known)


def _truths(feature: Feature, raw: object, rows: int) -> Mask:
    cells = np.asarray(raw)
    _require_length(feature, _length(cells), rows)
    if cells.dtype != np.bool_:
        raise _refuse(feature, f"{cells.dtype} for a member", "truths")
    return cells


def _masks_of(collections: "Sequence[Iterable[str] | None]") -> tuple[dict[str, Mask], Mask]:
    rows_of: dict[str, list[int]] = {}
    for row, members in enumerate(collections):
        for member in members or ():
            rows_of.setdefault(member, []).append(row)
    masks = {member: np.zeros(len(collections), dtype=np.bool_) for member in rows_of}
    for member, rows in rows_of.items():
        masks[member][rows] = True
    return masks, np.array([members is not None for members in collections], dtype=np.bool_)


def _read_numbers_by_member(feature: Feature, raw: object, rows: int) -> NumbersColumn:
    if isinstance(raw, Mapping):
        by_member = cast("Mapping[str, object]", raw)
    else:
        by_member = _spread(cast("Sequence[Mapping[str, float] | None]", raw))
    columns = {name: _floats(feature, cells, rows) for name, cells in by_member.items()}
    _require_members(feature, columns)
    known = np.zeros(rows, dtype=np.bool_)
    for values in columns.values():
        known = known | ~np.isnan(values)
    return NumbersColumn(columns, known)


def _spread(cells: "Sequence[Mapping[str, float] | None]") -> dict[str, list[float]]:
    names = sorted({name for cell in cells if cell for name in cell})
    return {name: [(cell or {}).get(name, np.nan) for cell in cells] for name in names}


def _length(cells: NDArray[np.generic]) -> int:
    return len(cells) if cells.ndim == 1 else -1


def _require_length(feature: Feature, came: int, rows: int) -> None:
    if came != rows:
        shape = "values that are not one row of cells" if came < 0 else f"{came} rows"
        raise _refuse(feature, shape, f"{rows} rows")


def _require_members(feature: Feature, given: Mapping[str, object]) -> None:
    for name in given:
        if name not in feature.values:
            raise _refuse(feature, repr(name), "one of the members the vocabulary lists", word=name)


def _require_all(feature: Feature, good: Mask, cells: NDArray[np.generic]) -> None:
    bad = np.flatnonzero(~good)
    if bad.size:
        expected = f"one of {', '.join(feature.values)}" if feature.values else "yes, no or unknown"
        word = str(cells[bad[0]])
        raise _refuse(feature, f"{word!r} in row {bad[0]}", expected, word=word)


def _refuse(feature: Feature, came: str, expected: str, *, word: str = "") -> InputError:
    remedy = _nearest(feature, word)
    return InputError(where=f"feature {feature.name}", came=came, expected=expected, remedy=remedy)


def _nearest(feature: Feature, word: str) -> str:
    """What to write instead of a word that the feature does not have."""
    if word in feature.groups:
        return f"it stands for {', '.join(feature.groups[word])}: give one of them"
    close = difflib.get_close_matches(word.lower(), feature.values, n=3)
    return f"did you mean {' or '.join(close)}?" if close else "see data/features.toml"
