"""One typical patient, drawn, treated as a guideline prefers, and walked to death or the horizon.

Rules this module guarantees:

- The same disease, seed and guideline give the same patient and the same course.
- A line is what the guideline prefers on its day and no hard rule forbids; of several such regimens chance
  takes one. Where it prefers none, an acceptable one is taken; where it lists none, nothing more is given.
- Whether a patient gets a further line at all follows the shares that are usual; nobody gets a regimen twice.

    >>> patient = simulate_patient("nsclc", Seed(3), weeks=52)
    >>> patient.features["disease"], patient.episodes.lines[0].first
    ('nsclc', 0)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cached_property

import numpy as np
from jaxtyping import Array, Float32, Float64, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.care import (
    Action,
    Care,
    NoTreatment,
    Treat,
    begin,
    treat_by,
)
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.noise import NoiseKey, noise_key
from oncoproof.disease.courses.simulation import Cohort, Weeks
from oncoproof.disease.courses.traits import draw_traits
from oncoproof.disease.journeys.episodes import Episodes, read_episodes
from oncoproof.disease.numbers.parameters import Parameters
from oncoproof.disease.observations import Record, Walked, observe
from oncoproof.disease.observations.assayed import assayed
from oncoproof.disease.people.covariates import Covariates
from oncoproof.disease.people.populations import Admission, draw_population
from oncoproof.disease.plans.designs import with_line
from oncoproof.disease.plans.later_lines import load_further_treatment
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import load_biomarkers, load_diseases
from oncoproof.knowledge.policies import Judgement, Standing, drugs_of, load_policies
from oncoproof.knowledge.rules import Severity, load_checks, validate
from oncoproof.knowledge.subjects import NumberColumn, SetColumn, Subjects
from oncoproof.seeds import Seed

GUIDELINE = "resource_rich"
"""Whose advice is followed where none is named."""

START = date(2025, 3, 3)
"""The first day of treatment where none is given."""

WEEKS = 260
"""Five years."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What was decided of a line, and why."""

    week: int
    """When."""
    action: str
    """Regimen id, or `no_treatment`."""
    options: tuple[str, ...]
    """What the guideline advised, the best first."""
    judgement: Judgement
    """What the guideline holds of what was chosen."""


@dataclass(frozen=True)
class SimulatedPatient:
    """A patient, their treatment and their course."""

    disease: str
    """Disease slug."""
    seed: Seed
    """Where chance started."""
    guideline: str
    """Slug of the guideline that was followed."""
    start: date
    """First day of the first line: day 0, week 0."""
    subjects: Subjects = field(repr=False)
    """The patient before the first line, as a table of one row."""
    reported: dict[str, object] = field(repr=False)
    """What is on record of the patient before the first line: biomarkers as laboratories reported them."""
    regimens: tuple[str, ...]
    """Ids of the regimens that were given."""
    plan: Int32[np.ndarray, "lines n"]
    """For each line the number of its regimen, or `NO_TREATMENT`."""
    choices: tuple[Choice, ...]
    """What was decided of each line that was due."""
    cohort: Cohort = field(repr=False)
    """What the model was told."""
    weeks: Weeks = field(repr=False)
    """What every week showed."""
    parameters: Parameters = field(repr=False)
    """Numbers of the model."""

    @cached_property
    def features(self) -> dict[str, object]:
        """Truth: what is so of the patient before the first line, by feature."""
        return self.subjects.row(0)

    def members(self, feature: str) -> tuple[str, ...]:
        """The members of a set that hold before the first line, sorted.

        Args:
            feature: A set of the vocabulary, for instance `metastatic_sites`.
        """
        column = self.subjects.column(feature)
        assert isinstance(column, SetColumn)  # noqa: S101  the vocabulary says so
        return tuple(sorted(name for name, mask in column.members.items() if mask[0]))

    @cached_property
    def episodes(self) -> Episodes:
        """The course in words."""
        return read_episodes(self.weeks, regimens=self.regimens, plan=self.plan)

    @cached_property
    def true_mm(self) -> Float64[np.ndarray, " weeks"]:
        """Truth: the sum of diameters in each week that was lived, without a reader's error."""
        extent = np.asarray(self.weeks.extent, np.float64)[: self.episodes.weeks, 0]
        size_mm = _size_mm(noise_key(self.seed), self.cohort.patients, self.parameters)
        return float(size_mm[0]) * np.cbrt(extent)

    @cached_property
    def walked(self) -> Walked:
        """The course, as observations take it."""
        return Walked(
            self.weeks,
            patients=self.cohort.patients,
            subjects=self.subjects,
            regimens=self.regimens,
            plan=self.plan,
            key=noise_key(self.seed),
        )

    @cached_property
    def record(self) -> Record:
        """Everything that was observed."""
        return observe(self.walked, self.parameters)


@compiled()
def _size_mm(key: NoiseKey, patients: Covariates, parameters: Parameters) -> Float32[Array, " n"]:
    """Truth: the sum of diameters that manifest disease has in each patient."""
    # It depends neither on lines nor on scans; what is not used is not computed.
    return draw_traits(key, patients, parameters, lines=1, weeks=1).size_mm


def simulate_patient(
    disease: str,
    seed: Seed,
    *,
    start: date = START,
    weeks: int = WEEKS,
    guideline: str = GUIDELINE,
    parameters: Parameters | None = None,
) -> SimulatedPatient:
    """Draw a typical patient with advanced disease and walk their course.

    Args:
        disease: Disease slug.
        seed: Where chance starts.
        start: First day of treatment.
        weeks: How long the patient is followed.
        guideline: Whose advice is followed: a policy of the knowledge base.
        parameters: Numbers of the model; None = those that ship.

    Raises:
        InputError: There is no such disease or guideline, or there are no weeks to follow.
    """
    _check(disease, weeks, guideline)
    admission = Admission(disease=disease, histology="any", setting="advanced", line_min=1, line_max=1)
    here = seed.child("journey", disease)
    subjects = draw_population(admission, patients=1, seed=here.child("patient"))
    reported = assayed(noise_key(here), subjects, np.zeros(1, np.int32))
    adviser = _Adviser(disease, guideline, start, here, reported)
    care = treat_by(begin(subjects, seed=here, parameters=parameters, weeks=weeks), adviser)
    return SimulatedPatient(
        disease=disease,
        seed=here,
        guideline=guideline,
        start=start,
        subjects=subjects,
        reported=reported.row(0),
        regimens=care.regimens,
        plan=care.plan,
        choices=tuple(adviser.choices),
        cohort=care.cohort,
        weeks=care.weeks,
        parameters=care.parameters,
    )


_NOTHING = "no_treatment"


class _Adviser:
    """Decides lines as a guideline prefers, and remembers what it decided."""

    def __init__(self, disease: str, guideline: str, start: date, seed: Seed, reported: Subjects) -> None:
        self.disease = disease
        self.policy = load_policies()[guideline]
        self.start = start
        self.seed = seed
        self.reported = {
            name: reported.columns[name] for name in reported.columns if name in load_biomarkers()
        }
        self.choices: list[Choice] = []

    def __call__(self, care: Care, due: NDArray[np.intp]) -> Sequence[Action]:
        """The next line of the one patient there is."""
        line, week = int(care.lines_known[0]), int(care.state.week[0])
        chance = self.seed.child("line", line).generator().random(2)
        truth = _with_lines_given(with_line(care.subjects, line), line)
        present = Subjects(truth.rows, {**truth.columns, **self.reported}, truth.vocabulary)
        day = self.start + timedelta(weeks=week)
        listed = self.policy.options(present, day).listed(0)
        given = {choice.action for choice in self.choices}
        advised = [
            action
            for action, standing in listed.items()
            if standing.is_advised and drugs_of(action) and action not in given
        ]
        safe = _safe(present, advised)
        best = [action for action in safe if listed[action] is Standing.PREFERRED] or safe
        wanted = line == 0 or chance[0] < load_further_treatment().get((self.disease, line), 0.0)
        action = best[int(chance[1] * len(best))] if best and wanted else _NOTHING
        judgement = self.policy.judge(action, present, as_of=day)
        self.choices.append(Choice(week, action, tuple(advised), judgement))
        return [NoTreatment() if action == _NOTHING else Treat(action)] * len(due)


def _safe(present: Subjects, advised: Sequence[str]) -> list[str]:
    """Those of the advised regimens that no hard rule forbids, as the patient was before the first line."""
    features = present.row(0)
    plans = Subjects.of_rows([{**features, "plan_drugs": drugs_of(action)} for action in advised])
    report = validate(plans, checks=[check for check in load_checks() if check.severity is Severity.HARD])
    return [action for row, action in enumerate(advised) if not list(report.violations(row))]


def _with_lines_given(subjects: Subjects, lines: int) -> Subjects:
    """The same patients after some lines of treatment for advanced disease."""
    given = subjects.column("lines_given")
    assert isinstance(given, NumberColumn)  # noqa: S101  the vocabulary says so
    columns = {**subjects.columns, "lines_given": NumberColumn(np.nan_to_num(given.values) + lines)}
    return Subjects(subjects.rows, columns, subjects.vocabulary)


def _check(disease: str, weeks: int, guideline: str) -> None:
    known = {
        "disease": (disease, sorted(load_diseases())),
        "guideline": (guideline, sorted(load_policies())),
    }
    for what, (came, names) in known.items():
        if came not in names:
            raise InputError(
                where="simulated patient",
                came=f"{what} {came!r}",
                expected=f"one of {', '.join(names)}",
                remedy="choose one of these",
            )
    if weeks < 1:
        raise InputError(
            where="simulated patient",
            came=f"{weeks} weeks",
            expected="at least one week",
            remedy="follow the patient for longer",
        )
