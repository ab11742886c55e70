"""What each choice of treatment is worth to patients of a situation, everything after it being usual care.

Rules this module guarantees:

- Every choice is given to the same patients under the same chance: differences are of the choice alone.
- What counts is the time lived within five years of the decision; its error is that of the paired difference
  from the choice that does best.
- A choice that holds a drug of which the model knows nothing in this disease is refused, not taken for idle;
  so is what a hard rule forbids to more than a fifth of the patients.

    >>> from oncoproof.disease.people.typical_patients import typical_patients
    >>> actions = ("osimertinib", "carboplatin+pemetrexed")
    >>> found = weigh(typical_patients()["nsclc_egfr_first"], actions, patients=400, seed=Seed(1))
    >>> found.worth["osimertinib"].lived_months > found.worth["carboplatin+pemetrexed"].lived_months
    True
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray

from oncoproof.disease.courses.endpoints import PARTIAL, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.courses.noise import Channel, noise_key, uniforms
from oncoproof.disease.courses.simulation import Cohort, simulate_endpoints
from oncoproof.disease.numbers.effects import load_effects
from oncoproof.disease.numbers.fitted import load_fit
from oncoproof.disease.numbers.parameters import Parameters, assemble
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.disease.people.populations import Admission, draw_population
from oncoproof.disease.plans.designs import design_lines, regimen_of, with_plan
from oncoproof.disease.plans.later_lines import LINES, plan_lines
from oncoproof.errors import InputError, OncoproofError
from oncoproof.knowledge.medicines import classes_of, regimen_in
from oncoproof.knowledge.rules import Check, Severity, load_checks, validate
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

HORIZON_MONTHS = 60
"""Within which time lived is counted."""

_ANTICANCER = "systemic_therapy"
"""Class of every drug that acts on the cancer by itself."""

_FORBIDDEN_MOST = 0.2
"""Share of patients to whom a choice may be forbidden by a hard rule."""

_HORIZON_WEEKS = round(HORIZON_MONTHS * WEEKS_PER_MONTH)


class Worth(NamedTuple):
    """What came of a choice."""

    lived_months: float
    """Mean time lived within the horizon."""
    error_months: float
    """Standard error of its difference from the best choice."""
    progression_months: float
    """Mean time without progression within the horizon."""
    response_pct: float
    """Patients with a response."""
    severe_pct: float
    """Patients with a severe adverse event of the drugs."""


class Weighed(NamedTuple):
    """What came of every choice."""

    worth: dict[str, Worth]
    """By choice, the best first."""
    refused: dict[str, str]
    """By choice: why the model cannot say."""


def weigh(
    admission: Admission,
    actions: Sequence[str],
    *,
    patients: int,
    seed: Seed,
    parameters: Parameters | None = None,
) -> Weighed:
    """What each choice is worth to the patients of a situation.

    Args:
        admission: Who they are.
        actions: Regimens to choose from.
        patients: How many to simulate with each.
        seed: Where chance starts.
        parameters: Numbers of the model; None = the fitted ones.
    """
    numbers = assemble(load_fit().values) if parameters is None else parameters
    subjects = draw_population(admission, patients=patients, seed=seed.child("population"))
    courses: dict[str, Endpoints] = {}
    refused: dict[str, str] = {}
    for action in actions:
        try:
            cohort = _plan(subjects, admission, action, seed)
        except OncoproofError as error:
            refused[action] = str(error)
        else:
            courses[action] = simulate_endpoints(noise_key(seed), cohort, numbers, weeks=_HORIZON_WEEKS)
    return Weighed(_worth(courses), refused)


def _plan(subjects: Subjects, admission: Admission, action: str, seed: Seed) -> Cohort:
    """The choice for every patient, then what is usual today."""
    drugs = regimen_of(action).drugs
    for drug in drugs:
        _require_known(drug, admission.disease)
    line = max(admission.line_min, 1)
    first = regimen_in(drugs, disease=admission.disease, setting=admission.setting, line=line).id
    _require_allowed(subjects, first)
    count = np.arange(subjects.rows, dtype=np.int32)
    chance = np.asarray(
        uniforms(noise_key(seed), count, Channel.CHOICE, places=2 * LINES), np.float32
    ).reshape(LINES, 2, subjects.rows)
    regimens, plan = plan_lines(
        subjects,
        disease=admission.disease,
        regimens=(first,),
        first=np.zeros(subjects.rows, np.int32),
        chance=chance,
        switch=None,
    )
    return Cohort(covariates_of(subjects, count), design_lines(subjects, regimens, plan))


def _require_known(drug: str, disease: str) -> None:
    names = {drug, *classes_of(drug)}
    if _ANTICANCER not in names:
        return
    for effect in load_effects():
        if names & set(effect.drugs) and ("disease" not in effect.when or disease in effect.when):
            return
    raise InputError(
        came=f"drug {drug!r} in {disease}",
        expected="a drug with a row in the table of effects",
        remedy="add what it does, as docs/how-to/add-a-drug-effect.md says",
    )


def _require_allowed(subjects: Subjects, regimen: str) -> None:
    """Refuse what a hard rule forbids to more than a few of the patients."""
    report = validate(with_plan(subjects, regimen_of(regimen)), checks=_hard_checks())
    share = float(report.violated(Severity.HARD).mean())
    if share > _FORBIDDEN_MOST:
        raise InputError(
            came=f"{regimen}, which a hard rule forbids to {100 * share:.0f} % of the patients",
            expected=f"a choice that is allowed to all but {100 * _FORBIDDEN_MOST:.0f} % of them",
            remedy="weigh another",
        )


@cache
def _hard_checks() -> tuple[Check, ...]:
    return tuple(check for check in load_checks() if check.severity is Severity.HARD)


def _worth(courses: dict[str, Endpoints]) -> dict[str, Worth]:
    lived = {action: _within(each.death_weeks) for action, each in courses.items()}
    order = sorted(lived, key=lambda action: -float(lived[action].mean()))
    return {action: _one(courses[action], lived[action], lived[order[0]]) for action in order}


def _one(course: Endpoints, lived: NDArray[np.float64], best: NDArray[np.float64]) -> Worth:
    return Worth(
        lived_months=float(lived.mean()),
        error_months=float((best - lived).std() / np.sqrt(len(lived))),
        progression_months=float(_within(course.progression_weeks).mean()),
        response_pct=float(100 * (np.asarray(course.response) >= PARTIAL).mean()),
        severe_pct=float(100 * np.asarray(course.harmed_by_drug).mean()),
    )


def _within(weeks: NDArray[np.float32]) -> Float[np.ndarray, " n"]:
    return np.minimum(np.asarray(weeks, np.float64) / WEEKS_PER_MONTH, HORIZON_MONTHS)
