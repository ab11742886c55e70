"""Laboratory values at visits: what is so in the blood, and what is reported of it.

Rules this module guarantees:

- A value is what the patient is like, times what the tumour does to it (more where it sits in the liver),
  plus what the tumour secretes, times what the end of life does to it; its measurement errs log-normally.
- While an adverse event is active that the value defines, the value lies where CTCAE puts the event's grade,
  unless it was worse before, and moves back as the event recovers.
- In the week in which a line starts, blood is drawn before the first dose.
- A value that is on record for a patient before the first line is the one expected in week 0.
- A value is missing by chance alone, at the analyte's own share; without a visit there is none.

    >>> [analyte.id for analyte in load_analytes() if "prostate" in analyte.diseases]
    ['psa']
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Bool, Float, Float32
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.observations.adverse_events import AdverseEvents
from oncoproof.disease.observations.chance import Rows, normal_rows, uniform_rows
from oncoproof.disease.observations.event_tables import term_numbers
from oncoproof.disease.observations.likelihoods import log_normal, or_missing
from oncoproof.disease.observations.reserve import Reserve, decline
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.observations.toxicity_burden import Activity, summed
from oncoproof.disease.people.covariates import Numbers
from oncoproof.knowledge.subjects import load_vocabulary
from oncoproof.knowledge.tables import Basis, parse_csv

_WEEK_PLACES, _FIRST_VISIT_PLACE = 64, 64
"""Places of a week in the channel, after those of the patient."""
_LIVER = "liver"


@dataclass(frozen=True, slots=True)
class Analyte:
    """What is measured in the blood; one row of the table."""

    id: str
    """Feature of the vocabulary, or the name of a tumour marker."""
    diseases: tuple[str, ...]
    """In which it is measured; empty = in every disease."""
    unit: str
    """UCUM."""
    normal: float
    """Median of men without burden."""
    female_factor: float
    """By what that of women differs."""
    spread: float
    """Standard deviation between patients of its log."""
    burden: float
    """Added to its log for each unit of the tumour's size (cube root of the extent)."""
    liver: float
    """The same, besides, where the tumour has spread to the liver."""
    decline: float
    """Added to its log for each unit of decline at the end of life."""
    secreted: float
    """Median of what manifest disease adds, in the unit; a tumour adds in proportion to its extent."""
    secreted_spread: float
    """Standard deviation between patients of the log of that."""
    cv: float
    """Standard deviation of the log of a measurement, with the variation from day to day."""
    missing: float
    """Share of visits at which it is not measured."""
    low: float
    """Smallest value that is reported."""
    high: float
    """Largest value that is reported."""
    terms: tuple[str, ...]
    """CTCAE terms that it defines."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class AnalyteGrades:
    """Values in the middle of each CTCAE grade; one row of the table."""

    id: str
    """The analyte."""
    grade1: float
    """In grade 1."""
    grade2: float
    """In grade 2."""
    grade3: float
    """In grade 3."""
    grade4: float
    """In grade 4 and in a fatal event."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    def logs(self) -> NDArray[np.float64]:
        """Log of the value by grade, 0 to 5; that of grade 0 is not used."""
        return np.log([1.0, self.grade1, self.grade2, self.grade3, self.grade4, self.grade4])


class LaboratoryValues(NamedTuple):
    """Values at visits; a row for each analyte of `analytes`, a column for each visit."""

    analytes: tuple[str, ...]
    """What was measured."""
    expected_log: Float32[np.ndarray, "analytes visits"]
    """Truth: log of the value; NaN = not measured in this disease."""
    value: Float32[np.ndarray, "analytes visits"]
    """As reported; NaN = missing."""


@cache
def load_analytes() -> tuple[Analyte, ...]:
    """Every analyte, in the order of its places in the channel."""
    name = "laboratory.csv"
    return parse_csv(read_data(name), "laboratory", Analyte, where=name, family="oncoproof.disease")


@cache
def load_grades() -> Mapping[str, AnalyteGrades]:
    """Values by grade, for each analyte that defines terms."""
    name = "laboratory_grades.csv"
    rows = parse_csv(
        read_data(name), "laboratory_grades", AnalyteGrades, where=name, family="oncoproof.disease"
    )
    return MappingProxyType({row.id: row for row in rows})


class _Person(NamedTuple):
    """What chance makes of a patient: two standard normal draws for an analyte."""

    own: NDArray[np.float32]
    secretion: NDArray[np.float32]


def measure_laboratory(
    walked: Walked, events: AdverseEvents, activity: Activity, reserve: Reserve
) -> LaboratoryValues:
    """What is measured at each visit.

    Args:
        walked: The courses.
        events: Adverse events.
        activity: When they are active.
        reserve: What patients have left.
    """
    week, patient = walked.visits.week, walked.visits.patient
    listed = load_analytes()
    since_start = decline(reserve.weeks_left) - decline(reserve.weeks_left[0])
    declined = since_start[week, patient]
    disease = walked.words("disease")
    rows = Rows(walked.numbers[patient], _FIRST_VISIT_PLACE + _WEEK_PLACES * week)
    people = normal_rows(
        walked.key,
        Rows(walked.numbers, np.zeros_like(walked.numbers)),
        Channel.LABORATORY,
        places=2 * len(listed),
    )
    error = normal_rows(walked.key, rows, Channel.LABORATORY, places=len(listed))
    absent = uniform_rows(
        walked.key, Rows(rows.patient, rows.first + 32), Channel.LABORATORY, places=len(listed)
    )
    activity = _after_first_dose(walked, events, activity)
    names: list[str] = []
    expected: list[NDArray[np.float32]] = []
    reported: list[NDArray[np.float32]] = []
    for place, analyte in enumerate(listed):
        concerned = (
            np.isin(disease, analyte.diseases) if analyte.diseases else np.ones(len(disease), np.bool_)
        )
        if not concerned.any():
            continue
        person = _Person(people[2 * place], people[2 * place + 1])
        level = _undisturbed(walked, analyte, person)[week, patient]
        level += np.float32(analyte.decline) * declined
        level = _disturbed(walked, analyte, level, events, activity)
        level[~concerned[patient]] = np.nan
        value = np.clip(np.exp(level + analyte.cv * error[place]), analyte.low, analyte.high)
        names.append(analyte.id)
        expected.append(level)
        reported.append(np.where(absent[place] < analyte.missing, np.float32(np.nan), value))
    return LaboratoryValues(tuple(names), np.stack(expected), np.stack(reported))


def _after_first_dose(walked: Walked, events: AdverseEvents, activity: Activity) -> Activity:
    """The activity as blood shows it: nothing of events in the week of a line's first dose."""
    at_start = walked.timeline.started[events.week, events.patient] == events.week
    onset = activity.cell == (events.week * np.int64(walked.shape[1]) + events.patient)[activity.event]
    unseen = at_start[activity.event] & onset
    return activity._replace(share=np.where(unseen, np.float32(0.0), activity.share))


def _undisturbed(walked: Walked, analyte: Analyte, person: _Person) -> Float32[np.ndarray, "weeks n"]:
    """Log of the value in each week, but for adverse events."""
    per_size = (analyte.burden + analyte.liver * walked.has("metastatic_sites", _LIVER)).astype(np.float32)
    factor = np.where(walked.patients.female, analyte.female_factor, 1.0)
    own = np.log(analyte.normal * factor) + analyte.spread * person.own
    if analyte.id in load_vocabulary().features:
        recorded = walked.quantities(analyte.id)
        known = recorded > 0
        at_start = np.log(np.where(known, recorded, 1.0)) - per_size * walked.size[0]
        own = np.where(known, at_start, own)
    level = own.astype(np.float32) + per_size * walked.size
    if not analyte.secreted:
        return level
    secreted = (analyte.secreted * np.exp(analyte.secreted_spread * person.secretion)).astype(np.float32)
    return np.log(np.exp(level) + secreted * walked.weeks.extent)


def _disturbed(
    walked: Walked,
    analyte: Analyte,
    level: NDArray[np.float32],
    events: AdverseEvents,
    activity: Activity,
) -> NDArray[np.float32]:
    """Log of the value at each visit: drawn to that of the grade as far as an adverse event is active."""
    if not analyte.terms:
        return level
    numbers = [term_numbers()[term] for term in analyte.terms]
    concerned = np.isin(events.term, numbers).astype(np.float64)
    aim = concerned * load_grades()[analyte.id].logs()[events.grade]
    week, patient = walked.visits.week, walked.visits.patient
    pull = summed(activity, concerned, walked.shape)[week, patient]
    target = summed(activity, aim, walked.shape)[week, patient]
    # Where several are active at once the value lies between their aims; none makes it better than it was.
    drawn = (level + (target - pull * level) / np.maximum(pull, 1.0)).astype(np.float32)
    grades = load_grades()[analyte.id]
    worse = np.minimum if grades.grade4 < grades.grade1 else np.maximum
    return worse(level, drawn)


def log_probability(
    value: Numbers, *, expected_log: Numbers, cv: Numbers, missing: Numbers
) -> Float[Array, "..."]:
    """Log probability of what was reported of one analyte, given what was so.

    Args:
        value: As reported; NaN = missing.
        expected_log: Log of the value that was so.
        cv: Of the analyte.
        missing: Share of visits at which it is not measured.
    """
    absent: Bool[np.ndarray, ...] = np.isnan(np.asarray(value))
    there = np.where(absent, 1.0, np.asarray(value))
    return or_missing(log_normal(there, log_mean=expected_log, log_sd=cv), missing=absent, share=missing)
