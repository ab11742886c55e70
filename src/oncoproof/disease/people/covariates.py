"""What the disease model is told of patients, from their features.

Rules this module guarantees:

- A term of the disease holds where its context does; what is not known of a patient does not hold.
- Where age or performance status is not known, the usual value stands in.

    >>> subjects = Subjects.of_rows([{"disease": "nsclc", "sex": "female", "age_years": 60}])
    >>> people = covariates_of(subjects, np.arange(1))
    >>> people.age_years.tolist(), people.female.tolist()
    ([60.0], [True])
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Bool, Float32, Int32
from numpy.typing import NDArray

from oncoproof.disease.numbers.effects import context_of
from oncoproof.disease.numbers.terms import personal_terms
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import find_breaches
from oncoproof.knowledge.expressions import Evaluator
from oncoproof.knowledge.subjects import CategoryColumn, NumberColumn, SetColumn, Subjects, implausible

Numbers: TypeAlias = Any
"""An array on the device or beside it: what patients are and what came of them crosses between the two, and
no checker can tell on which side a structure stands."""

_AGE_YEARS, _ECOG = 62.0, 0.6


class Covariates(NamedTuple):
    """What is known of patients and what the model is told of them; one patient a place."""

    number: Int32[Numbers, " n"]
    """Number in the population: what ties the patient to the noise."""
    terms: Bool[Numbers, "n terms"]
    """Which of `personal_terms()` hold."""
    age_years: Float32[Numbers, " n"]
    """Age at the start."""
    female: Bool[Numbers, " n"]
    """Sex."""
    ecog: Float32[Numbers, " n"]
    """Performance status at the start."""
    brain: Bool[Numbers, " n"]
    """Whether brain metastases are known at the start."""


def covariates_of(subjects: Subjects, numbers: np.ndarray) -> Covariates:
    """What the model is told of patients."""
    sites = subjects.column("metastatic_sites")
    sex = subjects.column("sex")
    assert isinstance(sites, SetColumn) and isinstance(sex, CategoryColumn)  # noqa: S101, PT018  the vocabulary says so
    return Covariates(
        number=numbers,
        terms=_terms_of(subjects),
        age_years=_numbers(subjects, "age_years", _AGE_YEARS),
        female=sex.codes == sex.values.index("female"),
        ecog=_numbers(subjects, "ecog", _ECOG),
        brain=sites.members.get("brain", np.zeros(subjects.rows, np.bool_)),
    )


_NEEDED = ("disease", "line")
_NEEDED_WHERE_GIVEN = ("age_years", "ecog")
"""What the usual value stands in for, unless some patients have one of their own."""


def check_subjects(subjects: Subjects) -> None:
    """Refuse patients of whom the model would simulate nonsense.

    Raises:
        InputError: There is no patient, disease or line are not known of one, age or ECOG of some but not of
            others, a number is not plausible, or biomarkers contradict one another.
    """
    if subjects.rows == 0:
        raise InputError(
            where="patients", came="none", expected="at least one patient", remedy="give one patient or more"
        )
    given = [name for name in _NEEDED_WHERE_GIVEN if name in subjects.columns]
    for name in (*_NEEDED, *given):
        unknown = np.flatnonzero(~subjects.column(name).known)
        if unknown.size:
            raise InputError(
                where=f"patient {unknown[0]}", came=f"no {name}",
                expected="a patient with disease and line, and with age and ECOG where others have them",
                remedy=f"state {name}" if name in _NEEDED else f"state {name} of every patient or of none",
            )  # fmt: skip
    for name, column in subjects.columns.items():
        bad = np.flatnonzero(implausible(subjects.vocabulary.feature(name), column))
        if bad.size:
            feature = subjects.vocabulary.feature(name)
            raise InputError(
                where=f"patient {bad[0]}", came=f"{name} {column.cell(int(bad[0]))}",
                expected=f"{feature.low} to {feature.high} {feature.unit}", remedy="correct the number",
            )  # fmt: skip
    _check_markers(subjects)


def _check_markers(subjects: Subjects) -> None:
    disease = subjects.column("disease")
    assert isinstance(disease, CategoryColumn)  # noqa: S101  the vocabulary says so
    words = {
        name: np.array(["", *column.values])[column.codes + 1]
        for name, column in subjects.columns.items()
        if isinstance(column, CategoryColumn)
    }
    codes: list[int] = np.unique(disease.codes).tolist()
    for code in codes:
        for constraint, broken in find_breaches(disease.values[code], words).items():
            bad = np.flatnonzero(broken & (disease.codes == code))
            if bad.size:
                raise InputError(
                    where=f"patient {bad[0]}",
                    came=", ".join(f"{key} {words[key][bad[0]]}" for key in constraint.keys),
                    expected=f"values that can stand together: {constraint.when} asks for {constraint.then}",
                    remedy="correct one of them",
                )


def _numbers(subjects: Subjects, feature: str, otherwise: float) -> np.ndarray:
    column = subjects.column(feature)
    assert isinstance(column, NumberColumn)  # noqa: S101  the vocabulary says so
    return np.where(column.known, column.values, otherwise).astype(np.float32)


def _terms_of(subjects: Subjects) -> Bool[np.ndarray, "n terms"]:
    """For each patient which of `personal_terms()` hold."""
    evaluator = Evaluator(subjects)
    return np.stack([holds(evaluator, term.when) for term in personal_terms()], axis=1)


def holds(evaluator: Evaluator, when: str) -> NDArray[np.bool_]:
    """In whom a context holds; an empty one holds in everybody."""
    expression = context_of(when)
    if expression is None:
        return np.ones(evaluator.subjects.rows, np.bool_)
    return evaluator.truth(expression).true
