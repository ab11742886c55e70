"""From T, N and M to the stage group: AJCC 8, and FIGO 2014 for ovarian cancer.

Rules this module guarantees:

- Every combination of categories of a disease has exactly one outcome: a group, or `invalid` (a
  combination that contradicts itself, such as an in-situ tumour with metastases, or has no group).
- What a record leaves out (`""`, `TX`, `NX`, `MX`) or says coarsely (`T1`, `N2`) stands for every
  category it may mean; so one record may fit several groups.
- Breast uses the anatomic groups, melanoma the pathological ones. In prostate cancer the group also
  depends on PSA and grade group; a plain `T2` stands for T2a to T2c, and pathological T2, which the
  manual groups as T2a, is not told apart from it. N1 in breast means a macrometastasis; N1mi is its own.

    >>> stage_group("nsclc", "T2a", "N1", "M0"), stage_group("crc", "T4a", "N2a", "M0")
    ('IIB', 'IIIC')
    >>> stage_group("nsclc", "T1", "N0", "M0") is None  # IA1, IA2 or IA3
    True
    >>> stages_fit("nsclc", ["IIIA", "IIIA"], ["T1", "T1"], ["N2", "N3"], ["M0", "M0"]).tolist()
    [True, False]
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oncoproof.errors import InputError, IntegrityError
from oncoproof.knowledge.tables import Basis, read_csv

Column: TypeAlias = Sequence[str | None] | NDArray[np.str_] | NDArray[np.object_]
"""One text per patient; blank or None = not recorded."""

INVALID = "invalid"
"""What the table says of a combination that has no group."""

AXES = ("t", "n", "m", "psa", "grade_group")
"""What a group depends on, in the order of the table's axes."""

PSA_BAND_BOUNDS_NG_ML = (10.0, 20.0)
"""Where the PSA bands `lt10`, `10to20`, `ge20` part, in ng/mL (AJCC 8)."""

_ANY = ("any",)
_UNKNOWN = {"", "TX", "NX", "MX"}
_PREFIX = re.compile(r"^[acpry]+(?=[TNM])")
_SUFFIX = re.compile(r"\(.*\)$")
_ROMAN = re.compile(r"[IV]+")


@dataclass(frozen=True, slots=True)
class StageRule:
    """Some combinations of one disease and the group they belong to."""

    disease: str
    """Slug of the disease."""
    t: tuple[str, ...]
    """T categories; `any` = all of the disease."""
    n: tuple[str, ...]
    """N categories; `any` = all."""
    m: tuple[str, ...]
    """M categories; `any` = all."""
    psa: tuple[str, ...]
    """PSA bands in ng/mL; `any` = all, or not used in this disease."""
    grade_group: tuple[str, ...]
    """Grade groups; `any` = all, or not used in this disease."""
    stage: str
    """The stage group, or `invalid`."""
    source: str
    """Id of the staging system."""
    basis: Basis
    """How the rule came to us."""


@dataclass(frozen=True, slots=True)
class StageAxis:
    """The categories of one axis in one disease."""

    disease: str
    """Slug of the disease."""
    axis: str
    """`t`, `n`, `m`, `psa` or `grade_group`."""
    categories: tuple[str, ...]
    """The finest categories, in order of extent."""
    source: str
    """Id of the staging system."""
    basis: Basis
    """How the list came to us."""


@dataclass(frozen=True, slots=True)
class StageTable:
    """All combinations of one disease, as an array."""

    categories: tuple[tuple[str, ...], ...]
    """The categories along each of `AXES`; `("any",)` where the disease does not use the axis."""
    groups: tuple[str, ...]
    """The stage groups, in order of appearance."""
    outcome: NDArray[np.int16]
    """Index into `groups` for each combination, axes as in `AXES`; −1 = invalid."""


@dataclass(frozen=True, slots=True)
class PossibleStages:
    """Which stage groups each patient may have."""

    groups: tuple[str, ...]
    """The stage groups of the disease."""
    possible: NDArray[np.bool_]
    """Patients × groups; a row without any True is invalid or uses an unknown category."""


@cache
def load_stage_tables() -> Mapping[str, StageTable]:
    """The table of every disease, by slug."""
    axes = {
        (row.disease, row.axis): row.categories
        for row in read_csv("stage_categories.csv", "stage_categories", StageAxis)
    }
    rules = read_csv("stages.csv", "stages", StageRule)
    slugs = dict.fromkeys(rule.disease for rule in rules)
    return MappingProxyType(
        {
            slug: _fill(
                [rule for rule in rules if rule.disease == slug],
                tuple(axes.get((slug, axis), _ANY) for axis in AXES),
            )
            for slug in slugs
        }
    )


def _fill(rules: Sequence[StageRule], categories: tuple[tuple[str, ...], ...]) -> StageTable:
    groups = tuple(dict.fromkeys(rule.stage for rule in rules if rule.stage != INVALID))
    shape = tuple(len(axis) for axis in categories)
    outcome = np.full(shape, -1, dtype=np.int16)
    times_set = np.zeros(shape, dtype=np.int16)
    for rule in rules:
        parts = (rule.t, rule.n, rule.m, rule.psa, rule.grade_group)
        cells = np.ix_(*(_positions(part, axis) for part, axis in zip(parts, categories, strict=True)))
        outcome[cells] = -1 if rule.stage == INVALID else groups.index(rule.stage)
        times_set[cells] += 1
    if not (times_set == 1).all():
        where: tuple[int, ...] = tuple(np.argwhere(times_set != 1)[0].tolist())
        names = [axis[position] for axis, position in zip(categories, where, strict=True)]
        raise IntegrityError(
            where=f"stages.csv {rules[0].disease}",
            came=f"{times_set[where]} rules for {' '.join(names)}",
            expected="exactly one rule for every combination",
            remedy="add or narrow a rule",
        )
    return StageTable(categories, groups, outcome)


def _positions(members: tuple[str, ...], axis: tuple[str, ...]) -> list[int]:
    return list(range(len(axis))) if members == _ANY else [axis.index(member) for member in members]


def _table(disease: str) -> StageTable:
    tables = load_stage_tables()
    if disease not in tables:
        raise InputError(
            where="stage",
            came=repr(disease),
            expected="one of " + ", ".join(tables),
            remedy="use the slug of a disease",
        )
    return tables[disease]


def stage_group(
    disease: str, t: str, n: str, m: str, *, psa_ng_ml: float | None = None, grade_group: int | None = None
) -> str | None:
    """The one stage group that the categories determine.

    Args:
        disease: Slug of the disease.
        t: T category, with or without its prefix (`pT2a`); blank = not known.
        n: N category.
        m: M category.
        psa_ng_ml: PSA at diagnosis (prostate); None = not known.
        grade_group: Grade group 1 to 5 (prostate); None = not known.

    Returns:
        The group; None where the combination is invalid or leaves more than one group open.
    """
    psa = None if psa_ng_ml is None else [psa_ng_ml]
    grades = None if grade_group is None else [grade_group]
    found = stage_groups_possible(disease, [t], [n], [m], psa_ng_ml=psa, grade_group=grades)
    open_groups = np.flatnonzero(found.possible[0])
    return found.groups[int(open_groups[0])] if len(open_groups) == 1 else None


def stage_groups_possible(
    disease: str,
    t: Column,
    n: Column,
    m: Column,
    *,
    psa_ng_ml: ArrayLike | None = None,
    grade_group: ArrayLike | None = None,
) -> PossibleStages:
    """The stage groups that each patient's categories leave open; work grows with distinct combinations.

    Args:
        disease: Slug of the disease.
        t: T categories, one per patient.
        n: N categories.
        m: M categories.
        psa_ng_ml: PSA at diagnosis; NaN or None = not known.
        grade_group: Grade groups 1 to 5; NaN, 0 or None = not known.

    Raises:
        InputError: The disease is not known, or the columns differ in length.
    """
    table = _table(disease)
    rows = len(t)
    columns = [
        _texts(t),
        _texts(n),
        _texts(m),
        _psa_bands(psa_ng_ml, rows),
        _grade_texts(grade_group, rows),
    ]
    _require_one_length(columns)
    words, codes = zip(*(np.unique(column, return_inverse=True) for column in columns), strict=True)
    combined = np.ravel_multi_index(codes, [len(word) for word in words])
    _, first, row_of = np.unique(combined, return_index=True, return_inverse=True)
    distinct = np.stack(codes)[:, first]
    masks = [
        [categories_meant(str(word), axis) for word in column]
        for column, axis in zip(words, table.categories, strict=True)
    ]
    possible = np.zeros((distinct.shape[1], len(table.groups)), dtype=np.bool_)
    for position in range(distinct.shape[1]):
        cells = np.ix_(*(mask[int(word)] for mask, word in zip(masks, distinct[:, position], strict=True)))
        outcomes = np.unique(table.outcome[cells])
        possible[position, outcomes[outcomes >= 0]] = True
    return PossibleStages(table.groups, possible[row_of])


def _require_one_length(columns: Sequence[NDArray[np.str_]]) -> None:
    lengths = {len(column) for column in columns}
    if len(lengths) > 1:
        raise InputError(
            where="stage",
            came=f"columns of {' and '.join(map(str, sorted(lengths)))} patients",
            expected="columns of one length",
            remedy="give every column one entry per patient",
        )


def _texts(column: Column) -> NDArray[np.str_]:
    array = np.asarray(column)
    if array.dtype == np.object_:
        array = np.where(array == np.array(None, dtype=np.object_), "", array)
    return array.astype(np.str_)


def _psa_bands(psa_ng_ml: ArrayLike | None, rows: int) -> NDArray[np.str_]:
    if psa_ng_ml is None:
        return np.full(rows, "")
    psa = np.asarray(psa_ng_ml, dtype=np.float64)
    bands = np.array(["lt10", "10to20", "ge20"])[np.digitize(psa, PSA_BAND_BOUNDS_NG_ML)]
    return np.where(np.isnan(psa), "", bands)


def _grade_texts(grade_group: ArrayLike | None, rows: int) -> NDArray[np.str_]:
    if grade_group is None:
        return np.full(rows, "")
    grades = np.nan_to_num(np.asarray(grade_group, dtype=np.float64)).astype(np.int64)
    return np.where(grades == 0, "", grades.astype(np.str_))


def categories_meant(text: str, axis: tuple[str, ...]) -> NDArray[np.intp]:
    """The positions along an axis of the categories that a text may mean."""
    if axis == _ANY:
        return np.zeros(1, dtype=np.intp)
    plain = _SUFFIX.sub("", _PREFIX.sub("", text.strip()))
    if plain in _UNKNOWN:
        return np.arange(len(axis))
    exact = [position for position, category in enumerate(axis) if category == plain]
    coarse = [position for position, category in enumerate(axis) if category.startswith(plain)]
    return np.array(exact or (coarse if len(plain) > 1 else []), dtype=np.intp)


def stage_covers(stage: str, group: str) -> bool:
    """Whether a recorded stage, fine or coarse (`III`, `IA`), may mean a stage group."""
    if stage == group:
        return True
    numeral = _ROMAN.match(group)
    if _ROMAN.fullmatch(stage):
        return numeral is not None and numeral.group() == stage
    return bool(stage) and numeral is not None and group.startswith(stage)


def stages_fit(
    disease: str,
    stage: Column,
    t: Column,
    n: Column,
    m: Column,
    *,
    psa_ng_ml: ArrayLike | None = None,
    grade_group: ArrayLike | None = None,
) -> NDArray[np.bool_]:
    """Whether each patient's recorded stage agrees with the categories; a blank stage always does.

    Args:
        disease: Slug of the disease.
        stage: Recorded stages, fine or coarse.
        t: T categories.
        n: N categories.
        m: M categories.
        psa_ng_ml: PSA at diagnosis; NaN or None = not known.
        grade_group: Grade groups; NaN, 0 or None = not known.
    """
    found = stage_groups_possible(disease, t, n, m, psa_ng_ml=psa_ng_ml, grade_group=grade_group)
    words, row_of = np.unique(_texts(stage), return_inverse=True)
    covers = np.array(
        [[not word or stage_covers(str(word), group) for group in found.groups] for word in words],
        dtype=np.bool_,
    ).reshape(len(words), len(found.groups))
    blank = (words == "")[row_of]
    return blank | (covers[row_of] & found.possible).any(axis=1)


def list_combinations(disease: str) -> tuple[tuple[str, ...], ...]:
    """Every combination of categories of a disease, along `AXES`."""
    return tuple(product(*_table(disease).categories))
