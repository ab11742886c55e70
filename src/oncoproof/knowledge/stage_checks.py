"""Checks of the stage group against T, N and M, by the staging tables.

Rules this module guarantees:

- A group is contradicted only where no reading of the categories, however coarse, leads to it.
- Prostate groups also depend on PSA and grade group, which a subject does not state: they stay open.

    >>> checks = list(list_stage_checks())
    >>> from oncoproof.knowledge.evaluation import Evaluator
    >>> from oncoproof.knowledge.subjects import Subjects
    >>> patient = {"disease": "nsclc", "stage_t": "T1a", "stage_n": "N0", "stage_m": "M0"}
    >>> subjects = Subjects.of_rows([{**patient, "stage_group": group} for group in ("IV", "IA1")])
    >>> checks[0].broken(Evaluator(subjects)).true.tolist()
    [True, False]
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.checks import Check, CheckGroup, known_all
from oncoproof.knowledge.expression_types import parse_expression
from oncoproof.knowledge.expressions import conjunction
from oncoproof.knowledge.rules import Severity
from oncoproof.knowledge.stages import load_stage_tables, stages_fit
from oncoproof.knowledge.subject_columns import CategoryColumn
from oncoproof.knowledge.subjects import Subjects
from oncoproof.knowledge.tables import Basis
from oncoproof.knowledge.truths import Truth
from oncoproof.knowledge.vocabulary import load_vocabulary

_PARTS = ("stage_group", "stage_t", "stage_n", "stage_m")


def list_stage_checks() -> Iterator[Check]:
    """One check for each disease that has a staging table."""
    return (_stage_check(disease) for disease in load_stage_tables())


def _stage_check(disease: str) -> Check:
    here = parse_expression(f"disease == {disease}", load_vocabulary())
    staged = parse_expression(" and ".join(f"known({part})" for part in _PARTS), load_vocabulary())
    figo = disease == "ovarian"

    def find(subjects: Subjects) -> Truth:
        return _find(disease, subjects)

    return Check(
        id=f"stage:{disease}",
        group=CheckGroup.STAGE,
        severity=Severity.HARD,
        title="A stage group that T, N and M do not give",
        sentence="The stage group follows from T, N and M; here it does not.",
        action="Check the stage.",
        source="classification:figo-2014" if figo else "classification:ajcc-8",
        basis=Basis.RECALLED,
        when=conjunction(known_all(here), here, staged),
        breach=find,
    )


def _find(disease: str, subjects: Subjects) -> Truth:
    column = subjects.column("disease")
    rows = np.flatnonzero(_is(column, disease)) if isinstance(column, CategoryColumn) else np.zeros(0, int)
    broken = np.zeros(subjects.rows, dtype=np.bool_)
    if rows.size:
        group, t, n, m = (_texts(subjects, part)[rows] for part in _PARTS)
        broken[rows] = ~stages_fit(disease, group, t, n, m)
    return Truth(broken, ~broken)


def _is(column: CategoryColumn, value: str) -> NDArray[np.bool_]:
    return column.codes == column.values.index(value)


def _texts(subjects: Subjects, feature: str) -> NDArray[np.str_]:
    column = subjects.column(feature)
    assert isinstance(column, CategoryColumn)  # noqa: S101  the vocabulary says so
    return np.array([*column.values, ""])[column.codes]
