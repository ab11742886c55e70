"""Reported biomarkers against the accuracy of their assays.

Statistical assertions fail by chance once in 1.7 million each.
"""

import numpy as np
import pytest

from disease_patients import require_share
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.observations.assayed import assayed, usual_assay
from oncoproof.disease.people.covariates import check_subjects
from oncoproof.disease.people.populations import Admission, draw_population
from oncoproof.knowledge.cancers import load_assays, load_biomarkers, load_diseases
from oncoproof.knowledge.subjects import CategoryColumn, Subjects
from oncoproof.seeds import Seed

N, KEY = 6_000, noise_key(Seed(9))


def _codes(subjects: Subjects, key: str) -> tuple[np.ndarray, tuple[str, ...]]:
    column = subjects.column(key)
    assert isinstance(column, CategoryColumn)
    return column.codes, column.values


@pytest.mark.parametrize(("key", "value"), [("ALK", "fusion"), ("EGFR", "l858r"), ("MET", "ex14")])
def test_errors_come_as_often_as_the_assay_has_them(key: str, value: str) -> None:
    assay = load_assays()[usual_assay(key)]
    accuracy, failure = assay.accuracy[key], assay.failure.value
    has = np.arange(N) % 2 == 0
    reference = str(load_biomarkers()[key].reference)
    truth = Subjects.of_rows([
        {"disease": "nsclc", "line": 1, key: value if yes else reference} for yes in has.tolist()
    ])  # fmt: skip
    codes, values = _codes(assayed(KEY, truth, np.arange(N)), key)
    require_share(float((codes < 0).mean()), failure**2, n=N)
    told = codes >= 0
    found = codes != values.index(reference)
    seen, false = found[has & told], found[~has & told]
    require_share(float(seen.mean()), accuracy.sensitivity.value, n=len(seen))
    require_share(float(false.mean()), 1 - accuracy.specificity.value, n=len(false))
    assert (codes[has & told & found] == values.index(value)).all()


@pytest.mark.parametrize("disease", sorted(load_diseases()))
def test_reports_can_stand_together_and_nothing_else_changes(disease: str) -> None:
    admission = Admission(disease, "any", "advanced", 1, 1)
    truth = draw_population(admission, patients=1_500, seed=Seed(4))
    seen = assayed(KEY, truth, np.arange(1_500))
    check_subjects(seen)
    for name, column in truth.columns.items():
        if name not in load_biomarkers() or not usual_assay(name):
            assert seen.columns[name] is column
    again = assayed(KEY, truth.choose(np.arange(700)), np.arange(700))
    for name in truth.columns:
        if isinstance(seen.columns[name], CategoryColumn):
            assert np.array_equal(_codes(seen, name)[0][:700], _codes(again, name)[0])


def test_a_missed_mutation_of_a_part_is_missed_in_the_summary() -> None:
    truth = Subjects.of_rows([{"disease": "crc", "line": 1, "KRAS": "g12c", "NRAS": "wt", "RAS": "mut"}] * N)
    seen = assayed(KEY, truth, np.arange(N))
    (kras, kinds), (ras, states) = _codes(seen, "KRAS"), _codes(seen, "RAS")
    missed = kras == kinds.index("wt")
    assert 0 < missed.mean() < 0.1
    assert (ras[missed & (ras >= 0)] == states.index("wt")).mean() > 0.9
    assert (ras[kras == kinds.index("g12c")] == states.index("mut")).all()
    assert (kras < 0).any()
    assert (ras[kras < 0] < 0).all()
