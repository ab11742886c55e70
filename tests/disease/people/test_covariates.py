"""What the model is told of patients, and of whom it refuses to hear."""

import numpy as np
import pytest

from oncoproof.disease.numbers.terms import personal_terms
from oncoproof.disease.people.covariates import check_subjects, covariates_of
from oncoproof.errors import InputError
from oncoproof.knowledge.subjects import Subjects

WELL: dict[str, object] = {"disease": "nsclc", "line": 1, "age_years": 60, "sex": "female", "ecog": 1}


def test_what_is_known_is_told() -> None:
    subjects = Subjects.of_rows([{**WELL, "metastatic_sites": ["brain", "liver"]}, {**WELL, "sex": "male"}])
    people = covariates_of(subjects, np.array([7, 9], np.int32))
    assert people.number.tolist() == [7, 9]
    assert people.age_years.tolist() == [60.0, 60.0]
    assert people.ecog.tolist() == [1.0, 1.0]
    assert people.female.tolist() == [True, False]
    assert people.brain.tolist() == [True, False]


def test_what_is_not_known_does_not_hold_and_the_usual_stands_in() -> None:
    people = covariates_of(Subjects.of_rows([{"disease": "nsclc", "line": 1}]), np.arange(1))
    assert 50 < people.age_years[0] < 75
    assert 0 <= people.ecog[0] <= 1
    assert not people.female[0]
    assert not people.brain[0]


def test_a_term_holds_where_its_context_does() -> None:
    rows: list[dict[str, object]] = [WELL, {**WELL, "line": 2}, {"disease": "crc", "line": 1}]
    held = covariates_of(Subjects.of_rows(rows), np.arange(3)).terms
    for place, term in enumerate(personal_terms()):
        if term.when == "disease == nsclc":
            assert held[:, place].tolist() == [True, True, False]
        if term.when == "disease == nsclc and line >= 2":
            assert held[:, place].tolist() == [False, True, False]


def test_patients_as_they_are_pass() -> None:
    check_subjects(Subjects.of_rows([WELL, {**WELL, "EGFR": "l858r", "EGFR_T790M": "positive"}]))


@pytest.mark.parametrize(
    ("wrong", "came"),
    [
        ({"disease": None}, "no disease"),
        ({"line": None}, "no line"),
        ({"line": float("nan")}, "no line"),
        ({"age_years": 300}, "age_years 300"),
        ({"age_years": float("nan")}, "no age_years"),
        ({"ecog": None}, "no ecog"),
        ({"age_years": -1}, "age_years -1"),
        ({"ecog": 9}, "ecog 9"),
        ({"EGFR": "wt", "EGFR_T790M": "positive"}, "EGFR_T790M"),
        ({"disease": "crc", "RAS": "wt", "KRAS": "g12c"}, "RAS wt"),
    ],
)
def test_nonsense_is_refused_and_the_patient_named(wrong: dict[str, object], came: str) -> None:
    subjects = Subjects.of_rows([WELL, {**WELL, **wrong}])
    with pytest.raises(InputError) as raised:
        check_subjects(subjects)
    assert raised.value.where == "patient 1"
    assert came in raised.value.came


def test_an_infinite_number_is_refused_where_it_is_read() -> None:
    with pytest.raises(InputError, match="infinity"):
        Subjects.of_rows([{**WELL, "age_years": float("inf")}])


def test_nobody_is_refused() -> None:
    with pytest.raises(InputError, match="at least one patient"):
        check_subjects(Subjects.of_rows([]))
