"""Published arms simulated as what they are: a population and a schedule.

Rules this module guarantees:

- Nothing that a trial reported of its outcome is looked at: only who was admitted, what was given, and what
  share crossed over.
- Arms of one population hold the same patients, with the same chance.
- An arm that cannot be simulated is listed with the reason; none is dropped.

    >>> first_number("FLAURA") == first_number("FLAURA"), first_number("FLAURA") == first_number("AURA3")
    (True, False)
"""

import zlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oncoproof.disease.courses.care import HORIZON_WEEKS
from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.courses.noise import Channel, noise_key, uniforms
from oncoproof.disease.courses.simulation import Cohort, simulate_endpoints
from oncoproof.disease.numbers.fitted import load_fit
from oncoproof.disease.numbers.parameters import Parameters, assemble
from oncoproof.disease.people.covariates import Covariates, covariates_of
from oncoproof.disease.people.populations import admission_of, draw_population
from oncoproof.disease.plans.designs import LineDesigns, design_lines
from oncoproof.disease.plans.later_lines import LINES, Switch, load_crossovers, plan_lines
from oncoproof.errors import InputError, OncoproofError
from oncoproof.knowledge.medicines import expand_choice, load_drugs, regimen_in
from oncoproof.knowledge.trials import TrialArm, registered_year
from oncoproof.seeds import Seed


class SimulatedArms(NamedTuple):
    """What came of arms."""

    courses: dict[str, tuple[Endpoints, ...]]
    """By row id: with the fitted numbers, then with each draw of their uncertainty."""
    refused: dict[str, str]
    """By row id: why an arm cannot be simulated."""


class PreparedArms(NamedTuple):
    """Arms as the model takes them."""

    rows: tuple[str, ...]
    """Row ids, in order."""
    cohort: Cohort
    """The patients of all of them, arm after arm."""
    patients: int
    """Patients in each arm."""
    refused: dict[str, str]
    """By row id: why an arm cannot be simulated."""


def simulate_arms(
    arms: Sequence[TrialArm],
    *,
    patients: int,
    seed: Seed,
    draws: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> SimulatedArms:
    """Simulate arms of trials.

    Args:
        arms: Rows of a trial table.
        patients: How many to simulate in each.
        seed: Where chance starts.
        draws: How many draws of the parameters' uncertainty to simulate as well.
        progress: Told after each simulation how many are done, of how many.
    """
    prepared = prepare_arms(arms, patients=patients, seed=seed)
    fit = load_fit()
    vectors = [fit.values, *fit.draws(draws, seed=seed.child("draws"))]
    found: list[Sequence[Endpoints]] = []
    for number, vector in enumerate(vectors):
        found.append(run_arms(prepared, assemble(vector), seed=seed))
        if progress is not None:
            progress(number + 1, len(vectors))
    courses = {row: tuple(each[place] for each in found) for place, row in enumerate(prepared.rows)}
    return SimulatedArms(courses, prepared.refused)


def run_arms(
    prepared: PreparedArms, parameters: Parameters, *, seed: Seed, weeks: int = HORIZON_WEEKS
) -> list[Endpoints]:
    """What each prepared arm measures with these parameters."""
    if not prepared.rows:
        return []
    whole = simulate_endpoints(noise_key(seed), prepared.cohort, parameters, weeks=weeks)
    ends = range(0, len(prepared.rows) * prepared.patients, prepared.patients)
    return [Endpoints(*(column[at : at + prepared.patients] for column in whole)) for at in ends]


def prepare_arms(arms: Sequence[TrialArm], *, patients: int, seed: Seed) -> PreparedArms:
    """Draw the patients of each arm and plan their lines."""
    if not 1 <= patients <= _PATIENTS_MAX:
        raise InputError(
            came=f"{patients} patients in each arm",
            expected=f"1 to {_PATIENTS_MAX:,}",
            remedy="simulate several seeds for more",
        )
    parts: list[Cohort] = []
    rows: list[str] = []
    refused: dict[str, str] = {}
    for arm in arms:
        try:
            parts.append(_prepare(arm, patients, seed))
            rows.append(arm.row_id)
        except OncoproofError as error:
            refused[arm.row_id] = str(error)
    if not parts:
        return PreparedArms(
            (), Cohort(Covariates(*[np.zeros(0)] * 6), LineDesigns(*[np.zeros(0)] * 9)), patients, refused
        )
    cohort = Cohort(
        Covariates(
            *(np.concatenate(columns) for columns in zip(*(part.patients for part in parts), strict=True))
        ),
        LineDesigns(
            *(
                np.concatenate(columns, axis=1)
                for columns in zip(*(part.designs for part in parts), strict=True)
            )
        ),
    )
    return PreparedArms(tuple(rows), cohort, patients, refused)


def some_arms(prepared: PreparedArms, numbers: Sequence[int]) -> PreparedArms:
    """Some of the arms, by their numbers among the rows."""
    count = prepared.patients
    places = np.concatenate([np.arange(number * count, (number + 1) * count) for number in numbers])
    rows = tuple(prepared.rows[number] for number in numbers)
    return PreparedArms(rows, _chosen(prepared.cohort, places), count, {})


def _chosen(cohort: Cohort, places: NDArray[np.intp]) -> Cohort:
    return Cohort(
        Covariates(*(column[places] for column in cohort.patients)),
        LineDesigns(*(column[:, places] for column in cohort.designs)),
    )


def _prepare(arm: TrialArm, patients: int, seed: Seed) -> Cohort:
    # Each trial has patients of its own, so that chance does not err in all of them alike.
    subjects = draw_population(admission_of(arm), patients=patients, seed=seed.child("population", arm.trial))
    numbers = first_number(arm.trial) + np.arange(patients, dtype=np.int32)
    chance = np.asarray(
        uniforms(noise_key(seed), numbers, Channel.CHOICE, places=2 * LINES), np.float32
    ).reshape(LINES, 2, patients)
    options = _options(arm)
    first = np.minimum((chance[0, 1] * len(options)).astype(np.int32), len(options) - 1)
    regimens, plan = plan_lines(
        subjects,
        disease=arm.disease,
        regimens=options,
        first=first,
        chance=chance,
        switch=_switch(arm),
        year=_later_year(arm),
    )
    return Cohort(covariates_of(subjects, numbers), design_lines(subjects, regimens, plan))


_PATIENTS_MAX = 1_000_000


def first_number(trial: str) -> int:
    """The number of a trial's first patient: the same in any table, with room for a million patients."""
    return zlib.crc32(trial.encode()) % 2000 * _PATIENTS_MAX


_YEARS_UNTIL_LATER = 3
"""From a trial's registration until its patients progress."""


def _later_year(arm: TrialArm) -> int | None:
    registered = registered_year(arm.nct)
    return None if registered is None else registered + _YEARS_UNTIL_LATER


def _options(arm: TrialArm) -> tuple[str, ...]:
    """The regimens of an arm, with the schedule that is used in its situation."""
    ids = expand_choice(str(arm.drugs))
    return tuple(
        regimen_in(
            tuple(id_.split("+")), disease=arm.disease, setting=arm.setting.value, line=max(arm.line_min, 1)
        ).id
        for id_ in ids
    )


def _switch(arm: TrialArm) -> Switch | None:
    if arm.crossover_pct is None or not arm.crossover_to:
        return None
    words = arm.crossover_to[0]
    known = load_crossovers().get((arm.disease, words[0])) if len(words) == 1 else None
    if known is None and not all(word in load_drugs() for word in words):
        return None
    return Switch(known or "+".join(sorted(words)), arm.crossover_pct / 100)
