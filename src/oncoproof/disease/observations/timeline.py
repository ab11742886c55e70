"""Courses that were walked, read as what the record is made of: lines, responses, visits.

Rules this module guarantees:

- Everything is read from the weeks' codes; nothing here draws but whether a patient comes to a planned visit.
- A week in which a patient is dead, or beyond the horizon, is no week of theirs.
- Visits stand in the order of weeks, then of patients; week 0, scans and severe events are always visits.

    >>> code = np.array([[1025 + 512 + 2], [1024 + 512], [512 + 2 + 16]], np.uint32)
    >>> timeline = read_timeline(code)
    >>> timeline.in_line[:, 0].tolist(), timeline.progressed[:, 0].tolist()
    ([True, True, True], [False, False, True])
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Int8, Int16, Int32, UInt32
from numpy.typing import NDArray

from oncoproof.disease.courses.care import Care
from oncoproof.disease.courses.noise import Channel, NoiseKey
from oncoproof.disease.courses.simulation import Weeks
from oncoproof.disease.courses.state import CLONE_SHIFT, LINE_MASK, LINE_SHIFT, Mark
from oncoproof.disease.observations.chance import Rows, uniform_rows
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.people.covariates import Covariates
from oncoproof.disease.plans.designs import NO_TREATMENT, regimen_of
from oncoproof.knowledge.subjects import CategoryColumn, NumberColumn, SetColumn, Subjects

_CLONE_MASK = 3
_DAYS_PER_WEEK = 7


class Timeline(NamedTuple):
    """What held in each week."""

    lived: Bool[np.ndarray, "weeks n"]
    """Whether it is a week of the patient's."""
    line: Int8[np.ndarray, "weeks n"]
    """Number of the line, from 0; before the first, 0."""
    started: Int16[np.ndarray, "weeks n"]
    """Week in which the line started; −1 = none has."""
    in_line: Bool[np.ndarray, "weeks n"]
    """Whether a line is under way, the week of its progression included."""
    treated: Bool[np.ndarray, "weeks n"]
    """Whether its drugs were given."""
    progressed: Bool[np.ndarray, "weeks n"]
    """Whether progression was seen and no new line has started."""
    response: Int8[np.ndarray, "weeks n"]
    """Best confirmed response of the line so far: 0 none, 1 partial, 2 complete."""
    clone: Int8[np.ndarray, "weeks n"]
    """Number of the clone that prevails."""


class Walked:
    """Courses that were walked, with who the patients are and what they were given."""

    def __init__(
        self,
        weeks: Weeks,
        *,
        patients: Covariates,
        subjects: Subjects,
        regimens: tuple[str, ...],
        plan: Int32[np.ndarray, "lines n"],
        key: NoiseKey,
    ) -> None:
        """Tie together what belongs together.

        Args:
            weeks: What every week showed.
            patients: What the model was told of them.
            subjects: The patients as they were before the first line.
            regimens: Ids of the regimens that were given.
            plan: For each line and patient a number among them, or `NO_TREATMENT`.
            key: Of the seed.
        """
        self.weeks = Weeks(*(np.asarray(column) for column in weeks))
        self.patients = Covariates(*(np.asarray(column) for column in patients))
        self.subjects = subjects
        self.regimens = regimens
        self.plan = np.asarray(plan, np.int32)
        self.key = key

    @property
    def numbers(self) -> Int32[np.ndarray, " n"]:
        """Each patient's number in the population."""
        return self.patients.number

    @property
    def shape(self) -> tuple[int, int]:
        """Weeks and patients."""
        weeks, patients = self.weeks.code.shape
        return weeks, patients

    @cached_property
    def timeline(self) -> Timeline:
        """What held in each week."""
        return read_timeline(self.weeks.code)

    @cached_property
    def visits(self) -> "Visits":
        """When each patient was seen."""
        return draw_visits(self)

    @cached_property
    def size(self) -> NDArray[np.float32]:
        """Cube root of the tumour's extent, by week: its diameter as a multiple of manifest disease."""
        return np.cbrt(self.weeks.extent)

    def words(self, feature: str) -> NDArray[np.str_]:
        """A category of each patient; empty = not known."""
        column = self.subjects.column(feature)
        assert isinstance(column, CategoryColumn)  # noqa: S101  the vocabulary says so
        return np.array([*column.values, ""])[column.codes]

    def quantities(self, feature: str) -> NDArray[np.float64]:
        """A number of each patient; NaN = not known."""
        column = self.subjects.column(feature)
        assert isinstance(column, NumberColumn)  # noqa: S101  the vocabulary says so
        return column.values

    def has(self, feature: str, member: str) -> NDArray[np.bool_]:
        """Who has a member of a set."""
        column = self.subjects.column(feature)
        assert isinstance(column, SetColumn)  # noqa: S101  the vocabulary says so
        return column.members.get(member, np.zeros(self.subjects.rows, np.bool_))


def walked_of(care: Care) -> Walked:
    """The courses of patients under somebody's care, as far as they have come."""
    return Walked(
        care.weeks,
        patients=care.cohort.patients,
        subjects=care.first,
        regimens=care.regimens,
        plan=care.plan,
        key=care.key,
    )


class Visits(NamedTuple):
    """When patients were seen; one visit a place."""

    week: Int32[np.ndarray, " visits"]
    """Week since the start."""
    patient: Int32[np.ndarray, " visits"]
    """Place of the patient among those that were walked."""
    scanned: Bool[np.ndarray, " visits"]
    """Whether a scan was read."""


def marked(code: UInt32[np.ndarray, "weeks n"], mark: Mark) -> Bool[np.ndarray, "weeks n"]:
    """Where a mark stands."""
    return (code & np.uint32(mark)) != 0


def read_timeline(code: UInt32[np.ndarray, "weeks n"]) -> Timeline:
    """What held in each week, from what the weeks showed."""
    started = _last(marked(code, Mark.STARTED))
    progressed = _last(marked(code, Mark.PROGRESSED))
    before = np.vstack([np.full((1, code.shape[1]), -1, np.int16), progressed[:-1]])
    lived = code != 0
    complete = (_last(marked(code, Mark.COMPLETE)) >= started) & (started >= 0)
    partial = (_last(marked(code, Mark.PARTIAL)) >= started) & (started >= 0)
    return Timeline(
        lived=lived,
        line=((code >> LINE_SHIFT) & LINE_MASK).astype(np.int8),
        started=started,
        in_line=lived & (started > before),
        treated=marked(code, Mark.TREATED),
        progressed=lived & (progressed > started),
        response=np.where(complete, np.int8(2), partial.astype(np.int8)),
        clone=((code >> CLONE_SHIFT) & _CLONE_MASK).astype(np.int8),
    )


def _last(holds: Bool[np.ndarray, "weeks n"]) -> Int16[np.ndarray, "weeks n"]:
    """The last week, up to this one, in which something held; −1 = none."""
    weeks = np.arange(len(holds), dtype=np.int16)[:, None]
    return np.maximum.accumulate(np.where(holds, weeks, np.int16(-1)), axis=0)


def draw_visits(walked: Walked) -> Visits:
    """When each patient was seen: at every cycle, scan and severe event, less often without treatment."""
    code, timeline = walked.weeks.code, walked.timeline
    weeks = np.arange(len(code), dtype=np.int16)[:, None]
    always = marked(code, Mark.STARTED | Mark.SCANNED | Mark.SEVERE | Mark.ILL)
    always[0] |= timeline.lived[0]
    gap = np.take_along_axis(_cycle_weeks(walked), timeline.line.astype(np.intp), axis=0)
    in_cycle = timeline.in_line & ((weeks - timeline.started) % gap == 0)
    without = timeline.lived & ~timeline.in_line & (weeks % int(number_of("follow_up_weeks")) == 0)
    week, patient = np.nonzero(always | in_cycle | without)
    kept = always[week, patient]
    planned = np.flatnonzero(~kept)
    rows = Rows(walked.numbers[patient[planned]], 2 * week[planned])
    comes = uniform_rows(walked.key, rows, Channel.VISIT, places=1)[0] < number_of("attendance")
    kept[planned[comes]] = True
    week, patient = week[kept].astype(np.int32), patient[kept].astype(np.int32)
    return Visits(week, patient, marked(code, Mark.SCANNED)[week, patient])


def _cycle_weeks(walked: Walked) -> Int16[np.ndarray, "lines n"]:
    """How long a cycle of each patient's lines is, for as many lines as a code can name."""
    shortest = int(number_of("visit_weeks_min"))
    lengths = [
        max(round(regimen_of(regimen).cycle_days / _DAYS_PER_WEEK), shortest) for regimen in walked.regimens
    ]
    usual = int(number_of("follow_up_weeks"))
    found = np.full((LINE_MASK + 1, walked.shape[1]), usual, np.int16)
    by_number = np.array([*lengths, usual], np.int16)
    found[: len(walked.plan)] = by_number[np.where(walked.plan == NO_TREATMENT, -1, walked.plan)]
    return found
