"""Checks of the stage group against T, N and M, by the staging tables.

Rules this module guarantees:

- A group is contradicted only where no reading of the categories, however coarse, leads to it; of T, N
  and M one is enough, for the others may then be anything.
- A category or group that a disease does not have is a fault by itself.
- Where the manual has a second table that is not held here (prognostic groups in breast cancer, clinical
  ones in melanoma) a group that does not fit asks for a look; `contradictions.csv` keeps stage IV and M
  together.
- Prostate groups also depend on PSA and grade group, which a subject does not state: they stay open.

    >>> checks = list(list_stage_checks())
    >>> from oncoproof.knowledge.expressions.evaluation import Evaluator
    >>> from oncoproof.knowledge.subjects.subjects import Subjects
    >>> patient = {"disease": "nsclc", "stage_t": "T1a", "stage_n": "N0", "stage_m": "M0"}
    >>> subjects = Subjects.of_rows([{**patient, "stage_group": group} for group in ("IV", "IA1")])
    >>> checks[0].broken(Evaluator(subjects)).true.tolist()
    [True, False]
"""

from collections.abc import Iterator
from functools import cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.cancers.stages import categories_meant, load_stage_tables, stage_covers
from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import (
    Among,
    Expression,
    Known,
    Name,
    Word,
    conjunction,
    disjunction,
)
from oncoproof.knowledge.expressions.truths import Truth
from oncoproof.knowledge.rules.checks import Check, CheckGroup, known_all
from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.subjects.subject_columns import CategoryColumn
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis

_PARTS = ("stage_group", "stage_t", "stage_n", "stage_m")

_WITH_SECOND_TABLE = frozenset({"breast", "melanoma"})
"""Diseases with stage groups by another table than ours."""


def list_stage_checks() -> Iterator[Check]:
    """Two checks for each disease that has a staging table: of the group, then of single categories."""
    tables = load_stage_tables()
    return chain(map(_stage_check, tables), map(_category_check, tables))


def _stage_check(disease: str) -> Check:
    here = _is(disease)
    group, *categories = (Known(Name(part)) for part in _PARTS)
    staged = conjunction(group, disjunction(*categories))

    def find(subjects: Subjects) -> Truth:
        return _find(disease, subjects)

    return Check(
        id=f"stage:{disease}",
        group=CheckGroup.STAGE,
        severity=Severity.ADJUST if disease in _WITH_SECOND_TABLE else Severity.HARD,
        title="A stage group that T, N and M do not give",
        sentence="The stage group follows from T, N and M; here it does not.",
        action="Check the stage.",
        source=_source(disease),
        basis=Basis.RECALLED,
        when=conjunction(known_all(here), here, staged),
        breach=find,
    )


def _category_check(disease: str) -> Check:
    here = _is(disease)
    return Check(
        id=f"category:{disease}",
        group=CheckGroup.STAGE,
        severity=Severity.HARD,
        title="A stage category that this cancer does not have",
        sentence="The categories of T, N and M and the stage groups differ from cancer to cancer.",
        action="Check cancer and stage.",
        source=_source(disease),
        basis=Basis.RECALLED,
        when=conjunction(known_all(here), here),
        breach=disjunction(*(conjunction(Known(atom.operand), atom) for atom in _foreign(disease))),
    )


def _foreign(disease: str) -> Iterator[Among]:
    """For each part of the stage, that it is a word without a meaning in the disease."""
    table = load_stage_tables()[disease]
    for part, axis in zip(_PARTS, (table.groups, *table.categories), strict=False):
        reading = _covering if part == "stage_group" else _meanings
        meant = np.asarray(reading(part, axis).any(axis=1), dtype=np.bool_)
        foreign = tuple(Word(_words(part)[position]) for position in np.flatnonzero(~meant))
        if foreign:
            yield Among(Name(part), foreign)


def _is(disease: str) -> Expression:
    return parse_expression(f"disease == {disease}", load_vocabulary())


def _source(disease: str) -> str:
    return "classification:figo-2014" if disease == "ovarian" else "classification:ajcc-8"


def _find(disease: str, subjects: Subjects) -> Truth:
    column = _categories(subjects, "disease")
    rows = np.flatnonzero(column.codes == column.values.index(disease))
    broken = np.zeros(subjects.rows, dtype=np.bool_)
    if rows.size:
        cells = tuple(_categories(subjects, part).codes[rows] for part in _PARTS)
        broken[rows] = ~_fits(disease)[cells]
    return Truth(broken, ~broken)


def _categories(subjects: Subjects, feature: str) -> CategoryColumn:
    column = subjects.column(feature)
    assert isinstance(column, CategoryColumn)  # noqa: S101  the vocabulary says so
    return column


@cache
def _fits(disease: str) -> NDArray[np.bool_]:
    """Whether a stage group fits, by the codes of group, T, N and M; the last code is "not known"."""
    table = load_stage_tables()[disease]
    outcome = table.outcome[..., np.newaxis] == np.arange(len(table.groups))
    leads = outcome.any(axis=(3, 4)).astype(np.float32)
    covers = _covering("stage_group", table.groups)
    t, n, m = (_meanings(part, table.categories[axis]) for axis, part in enumerate(_PARTS[1:]))
    return np.einsum("sg,at,bn,cm,tnmg->sabc", covers, t, n, m, leads, optimize=True) > 0


def _words(feature: str) -> tuple[str, ...]:
    return (*load_vocabulary().feature(feature).values, "")


def _covering(feature: str, groups: tuple[str, ...]) -> NDArray[np.float32]:
    """Words × groups: 1 where a word may mean a group."""
    words = _words(feature)
    return np.array(
        [[not word or stage_covers(word, group) for group in groups] for word in words], dtype=np.float32
    )


def _meanings(feature: str, axis: tuple[str, ...]) -> NDArray[np.float32]:
    """Words × categories: 1 where a word may mean a category."""
    meanings = np.zeros((len(_words(feature)), len(axis)), dtype=np.float32)
    for position, word in enumerate(_words(feature)):
        meanings[position, categories_meant(word, axis)] = 1
    return meanings
