"""Who enters a trial: every admission of the table is honoured; weighting is what rejecting would do.

Statistical assertions fail by chance once in 1.7 million.
"""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from disease_patients import require_same_share, require_share
from oncoproof.disease.people.covariates import check_subjects
from oncoproof.disease.people.populations import Admission, admission_of, draw_population
from oncoproof.errors import InputError
from oncoproof.knowledge.medicines import Condition, treatment_groups
from oncoproof.knowledge.subjects import CategoryColumn, NumberColumn, Subjects, load_vocabulary
from oncoproof.knowledge.trials import BrainMetastases, Setting, TrialArm, load_trials
from oncoproof.seeds import Seed

SEED, PATIENTS = Seed(3), 30
ARMS = load_trials()
NSCLC = Admission("nsclc", "any", "advanced", 1, 1)


def _draw(admission: Admission, patients: int = PATIENTS, *, seed: Seed = SEED) -> Subjects:
    return draw_population(admission, patients=patients, seed=seed)


def _groups(row: dict[str, object], arm: TrialArm) -> set[str]:
    """What may be said to have been given: `platinum_doublet` where platinum and another drug were."""
    drugs = cast("tuple[str, ...]", row.get("prior_drugs", ()))
    words = set(treatment_groups(sorted(drugs), thoracic_radiation=arm.setting is Setting.CONSOLIDATION))
    cytotoxic = [drug for drug in drugs if "chemotherapy" in treatment_groups([drug])]
    return words | ({"platinum_doublet"} if "platinum" in words and len(cytotoxic) > 1 else set())


@pytest.fixture(scope="module")
def drawn() -> dict[str, Subjects]:
    """The patients of each of the table's arms; arms that admit the same people share them."""
    found: dict[Admission, Subjects] = {}
    for arm in ARMS:
        admission = admission_of(arm)
        if admission not in found:
            found[admission] = _draw(admission)
    return {arm.row_id: found[admission_of(arm)] for arm in ARMS}


def _rows(drawn: dict[str, Subjects]) -> list[tuple[TrialArm, dict[str, object]]]:
    return [(arm, drawn[arm.row_id].row(number)) for arm in ARMS for number in range(PATIENTS)]


@pytest.mark.xdist_group("populations")
def test_what_is_required_is_so_in_all_arms(drawn: dict[str, Subjects]) -> None:
    wrong = {
        (arm.row_id, str(condition), str(row.get(condition.key)))
        for arm, row in _rows(drawn)
        for condition in arm.requires
        if not condition.admits(row[condition.key])  # pyright: ignore[reportArgumentType]  a word or number
        and not (condition.key == "MSI" and "centrally" not in arm.biomarker_population)
    }
    assert not wrong


@pytest.mark.xdist_group("populations")
def test_some_have_a_marker_by_error_of_a_local_test_alone() -> None:
    arms = {arm.row_id: arm for arm in load_trials()}
    for row, share in (("keynote_177-msi-chemo", 0.14), ("checkmate_8hw_1l-msi-chemo", 0.0)):
        patients = draw_population(admission_of(arms[row]), patients=4_000, seed=Seed(5))
        msi = patients.column("MSI")
        assert isinstance(msi, CategoryColumn)
        require_share(float((msi.codes == msi.values.index("stable")).mean()), share, n=4_000)


@pytest.mark.xdist_group("populations")
def test_what_is_excluded_is_not_so_in_any_arm(drawn: dict[str, Subjects]) -> None:
    wrong: set[tuple[str, str]] = set()
    for arm, row in _rows(drawn):
        for condition in arm.excludes:
            value = row.get(condition.key)
            if condition.key == "PRIOR":
                met = bool(_groups(row, arm) & set(condition.values) - {"platinum_doublet"})
            else:
                met = isinstance(value, str | float) and condition.admits(value)
            if met:
                wrong.add((arm.row_id, str(condition)))
    assert not wrong


@pytest.mark.xdist_group("populations")
def test_earlier_treatment_line_ecog_histology_and_brain_are_as_admitted(drawn: dict[str, Subjects]) -> None:
    histology = load_vocabulary().feature("histology")
    wrong: set[tuple[str, str]] = set()
    for arm, row in _rows(drawn):
        sites = row.get("metastatic_sites", ())
        assert isinstance(sites, frozenset | set | tuple | list)
        ecog, line = row["ecog"], row["line"]
        assert isinstance(ecog, float)
        assert isinstance(line, float)
        checks = {
            "prior": set(arm.prior) <= _groups(row, arm),
            "ecog": 0 <= ecog <= arm.ecog_max,
            "line": arm.line_min <= line <= arm.line_max,
            "brain": arm.brain_mets_allowed is not BrainMetastases.EXCLUDED or "brain" not in sites,
            "histology": arm.histology == "any" or row.get("histology") in histology.expand(arm.histology),
        }
        wrong |= {(arm.row_id, name) for name, holds in checks.items() if not holds}
    assert not wrong


@pytest.mark.xdist_group("populations")
def test_every_population_is_one_that_the_model_takes(drawn: dict[str, Subjects]) -> None:
    for subjects in drawn.values():
        assert subjects.rows == PATIENTS
        check_subjects(subjects)


def test_patients_depend_on_who_is_admitted_not_on_what_is_given() -> None:
    treated = next(arm for arm in ARMS if arm.row_id == "flaura-egfr-osimertinib")
    control = next(arm for arm in ARMS if arm.row_id == treated.comparator_row_id)
    one, other = (_draw(admission_of(arm)) for arm in (treated, control))
    assert _features(one) == _features(other)
    assert _features(one) != _features(_draw(admission_of(treated), seed=Seed(4)))


def _features(subjects: Subjects) -> list[dict[str, object]]:
    """All but age and sex, which are moved to what each arm published of itself."""
    rows = (subjects.row(number) for number in range(subjects.rows))
    return [{key: cell for key, cell in row.items() if key not in {"age_years", "sex"}} for row in rows]


def _marked(subjects: Subjects, feature: str, value: str) -> np.ndarray:
    column = subjects.column(feature)
    assert isinstance(column, CategoryColumn)
    return column.codes == column.values.index(value)


def _share(subjects: Subjects, feature: str, value: str, among: np.ndarray | None = None) -> float:
    marked = _marked(subjects, feature, value)
    return float(marked.mean() if among is None else marked[among].mean())


def test_weighting_is_what_rejecting_would_do() -> None:
    """Those with an EGFR mutation among all patients are those of a trial that asks for one.

    Candidates are thrice the patients; weights that vary as these do leave as many as there are patients.
    """
    n, everybody = 3_000, _draw(NSCLC, 20_000, seed=Seed(8))
    mutated = ~_marked(everybody, "EGFR", "wt")
    asked = _draw(replace(NSCLC, requires=(Condition("EGFR", ("mut",)),)), n, seed=Seed(9))
    assert _share(asked, "EGFR", "wt") == 0.0
    for feature, value in (
        ("SMOKING", "never"), ("ancestry", "east_asian"), ("sex", "female"), ("EGFR", "l858r"),
        ("MSI", "high"),
    ):  # fmt: skip
        require_same_share(
            _share(asked, feature, value), _share(everybody, feature, value, mutated),
            n_one=n, n_other=int(mutated.sum()),
        )  # fmt: skip
    assert _share(asked, "SMOKING", "never") > _share(everybody, "SMOKING", "never") + 0.1


def test_published_age_and_sex_are_met() -> None:
    subjects = _draw(replace(NSCLC, median_age_years=58.0, female_share=0.7), 2_000)
    ages = subjects.column("age_years")
    assert isinstance(ages, NumberColumn)
    assert np.median(ages.values) == pytest.approx(58.0, abs=0.5)
    require_share(_share(subjects, "sex", "female"), 0.7, n=subjects.rows)


@pytest.mark.parametrize(
    "admission",
    [
        replace(NSCLC, requires=(Condition("EGFR", ("l858r",)),), excludes=(Condition("EGFR", ("mut",)),)),
        replace(NSCLC, requires=(Condition("EGFR", ("l858r",)), Condition("EGFR", ("wt",)))),
        replace(NSCLC, prior=("platinum",), excludes=(Condition("PRIOR", ("platinum",)),)),
        replace(NSCLC, prior=("no_such_treatment",)),
    ],
    ids=["required and excluded", "two values", "prior that is excluded", "prior that nothing is"],
)
def test_conditions_that_nobody_meets_are_refused(admission: Admission) -> None:
    with pytest.raises(InputError):
        _draw(admission)
