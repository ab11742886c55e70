"""How each column of a trial table is read and written.

Rules this module guarantees:

- `READERS` has one entry for each field of `TrialArm`, which are the columns of the format.
- A reader either gives the field's value or raises `CellError`; a blank cell is None, empty or an error.
- `write_cell` is the inverse: reading what it wrote gives an equal value.

    >>> READERS["requires"]("EGFR=mut;SMOKING=never|light", "nsclc")[1].values
    ('never', 'light')
    >>> write_cell(READERS["line_max"]("9", "nsclc"))
    '9'
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias, cast

from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.medicines.combinations import NOTHING, Combination, parse_combination
from oncoproof.knowledge.medicines.conditions import (
    CellError,
    Condition,
    parse_condition,
    parse_number,
    parse_treatment,
    write_number,
)
from oncoproof.knowledge.medicines.drug_classes import load_classes
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.treatments import PLACEBO
from oncoproof.knowledge.trials.arms import ArmRole, BrainMetastases, Confidence, Region, Setting, TrialArm
from oncoproof.knowledge.trials.publications import Publication, parse_publications

_ROW_ID = re.compile(r"[a-z0-9_]+-[a-z0-9_]+-[a-z0-9_]+")
_NCT = re.compile(r"NCT\d{8}")
_NOT_REACHED = {"1": True, "0": False}


Reader: TypeAlias = Callable[[str, str | None], Any]
"""Reads a cell's text in a row of the disease named; None = the row's disease is unreadable."""


def _text(text: str, _: str | None) -> str:
    return text


def _required_text(text: str, _: str | None) -> str:
    if not text:
        raise CellError("", expected="a value", remedy="fill the cell in")
    return text


def _matching(pattern: re.Pattern[str], expected: str) -> Reader:
    def read(text: str, _: str | None) -> str:
        if not pattern.fullmatch(text):
            raise CellError(text, expected=expected)
        return text

    return read


def _optional(reader: Reader) -> Reader:
    def read(text: str, disease: str | None) -> object:
        return reader(text, disease) if text else None

    return read


def _number(low: float, high: float) -> Reader:
    def read(text: str, _: str | None) -> float:
        return parse_number(text, low=low, high=high)

    return read


def _whole_number(low: int, high: int) -> Reader:
    def read(text: str, _: str | None) -> int:
        number = parse_number(text, low=low, high=high)
        if number != int(number):
            raise CellError(text, expected="a whole number")
        return int(number)

    return read


def _member(kind: type[StrEnum]) -> Reader:
    allowed = ", ".join(kind)

    def read(text: str, _: str | None) -> StrEnum:
        try:
            return kind(text)
        except ValueError:
            raise CellError(text, expected=f"one of {allowed}") from None

    return read


def _one_of(text: str, allowed: Iterable[str]) -> str:
    if text not in allowed:
        raise CellError(text, expected=f"one of {', '.join(allowed)}")
    return text


def _disease(text: str, _: str | None) -> str:
    return _one_of(text, load_diseases())


def _histology(text: str, disease: str | None) -> str:
    known = load_diseases().get(disease or "")
    return _one_of(text, (*known.histology_groups, *known.histologies)) if known else text


def _pieces(text: str, separator: str) -> list[str]:
    """What stands between separators; nothing for a blank cell."""
    return text.split(separator) if text else []


def _regions(text: str, _: str | None) -> tuple[Region, ...]:
    for piece in text.split(";"):
        _one_of(piece, list(Region))
    return tuple(map(Region, text.split(";")))


def _conditions(text: str, disease: str | None) -> tuple[Condition, ...]:
    return tuple(parse_condition(piece, disease=disease) for piece in _pieces(text, ";"))


def _requires(text: str, disease: str | None) -> tuple[Condition, ...]:
    conditions = _conditions(text, disease)
    if any(condition.key == "PRIOR" for condition in conditions):
        raise CellError(
            "PRIOR", expected="a fact about the patient", remedy="write earlier treatment in prior"
        )
    return conditions


def _prior(text: str, _: str | None) -> tuple[str, ...]:
    return tuple(map(parse_treatment, _pieces(text, ";")))


def _later_treatment(text: str, _: str | None) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(parse_treatment, option.split("+"))) for option in _pieces(text, "|"))


def _drugs(text: str, _: str | None) -> Combination:
    return _given(text, "drug", load_drugs())


def _drug_classes(text: str, _: str | None) -> Combination:
    return _given(text, "class", load_classes())


def _given(text: str, kind: str, known: Collection[str]) -> Combination:
    combination = parse_combination(text)
    words = combination.words()
    unknown = sorted(words - {*known, NOTHING, PLACEBO})
    if unknown:
        raise CellError(
            unknown[0],
            expected=f"a {kind} of the knowledge base",
            remedy="correct the spelling, or add it to the base",
        )
    if len(words) > 1 and PLACEBO in words:
        raise CellError(text, expected="placebo only alone", remedy="name a placebo in schedule_note")
    return combination


def _publications(text: str, _: str | None) -> tuple[Publication, ...]:
    return parse_publications(text)


def _not_reached(text: str, _: str | None) -> bool:
    if text not in _NOT_REACHED:
        raise CellError(text, expected="1 (not reached), 0 (reached) or blank (not known)")
    return _NOT_REACHED[text]


_MONTHS = _optional(_number(0, 600))
_PER_CENT = _optional(_number(0, 100))
_RATIO = _optional(_number(0.001, 1000))
_BY_SUFFIX: tuple[tuple[str, Reader], ...] = (
    ("_hr", _RATIO),
    ("_hr_low", _RATIO),
    ("_hr_high", _RATIO),
    ("_mo", _MONTHS),
    ("_ci_low", _MONTHS),
    ("_ci_high", _MONTHS),
    ("_pct", _PER_CENT),
    ("_not_reached", _optional(_not_reached)),
)
_BY_NAME: Mapping[str, Reader] = {
    "row_id": _matching(_ROW_ID, "trial-population-arm: lower-case words, _ inside a part"),
    "trial": _required_text,
    "nct": _optional(_matching(_NCT, "NCT and eight digits")),
    "pmid_or_doi": _publications,
    "disease": _disease,
    "histology": _histology,
    "setting": _member(Setting),
    "line_min": _whole_number(0, 9),
    "line_max": _whole_number(0, 9),
    "requires": _requires,
    "excludes": _conditions,
    "prior": _prior,
    "ecog_max": _whole_number(0, 4),
    "brain_mets_allowed": _member(BrainMetastases),
    "region_mix": _regions,
    "median_age": _optional(_number(0, 120)),
    "arm": _member(ArmRole),
    "drugs": _drugs,
    "drug_classes": _drug_classes,
    "comparator_row_id": _optional(_required_text),
    "crossover_to": _later_treatment,
    "n": _whole_number(1, 10**7),
    "confidence": _member(Confidence),
}


def _reader(name: str) -> Reader:
    by_suffix = (reader for suffix, reader in _BY_SUFFIX if name.endswith(suffix))
    return _BY_NAME[name] if name in _BY_NAME else next(by_suffix, _text)


READERS: Mapping[str, Reader] = MappingProxyType(
    {field.name: _reader(field.name) for field in fields(TrialArm)}
)
"""How each column is read, in the order of the format."""


def write_cell(value: object) -> str:
    """A field's value as the format writes it."""
    match value:
        case None | ():
            return ""
        case bool():
            return "1" if value else "0"
        case int() | float():
            return write_number(value)
        case tuple():
            return _write_members(cast("tuple[object, ...]", value))
        case _:
            return str(value)


def _write_members(members: tuple[object, ...]) -> str:
    if isinstance(members[0], tuple):
        return "|".join("+".join(cast("tuple[str, ...]", option)) for option in members)
    return ("; " if isinstance(members[0], Publication) else ";").join(map(str, members))
