"""What the weeks of one course say, in words: lines with their doses, scans as read, severe harm, clones.

Rules this module guarantees:

- Weeks count from the start of the first line; nothing is said of a week that the patient did not live.
- A scan is read as the model judged it: progression where the model saw it, otherwise by the sum of diameters
  against the first scan of the line (RECIST 1.1).
- A line ends once, for one reason.

    >>> codes = np.array([Mark.STARTED | Mark.SCANNED | Mark.TREATED | Mark.ALIVE, Mark.DIED], np.uint32)
    >>> zero = np.zeros((2, 1), np.float32)
    >>> shown = Weeks(codes[:, None], np.array([[50], [0]], np.float32), zero, zero, zero + 1, zero)
    >>> told = read_episodes(shown, regimens=("docetaxel",), plan=np.array([[0]], np.int32))
    >>> told.lines[0].end, told.weeks, told.death
    (<LineEnd.DEATH: 'death'>, 2, <Death.ILLNESS: 'illness'>)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

import numpy as np
from jaxtyping import Int32

from oncoproof.disease.courses.simulation import Weeks
from oncoproof.disease.courses.state import CLONE_SHIFT, LINE_MASK, LINE_SHIFT, Mark
from oncoproof.disease.plans.designs import NO_TREATMENT
from oncoproof.journey import CloneKind, Read

PARTIAL_SHARE, PROGRESSION_SHARE, COMPLETE_MM = 0.7, 1.2, 5.0
"""RECIST 1.1: shares of the sum of diameters, and the sum that counts as nothing, as the model reads it."""

_MEASURABLE_MM = 10.0
_CLONE_MASK = 3
_KINDS = (CloneKind.SENSITIVE, CloneKind.ON_TARGET, CloneKind.BYPASS, CloneKind.IMMUNE_EVASIVE)


class LineEnd(StrEnum):
    """Why a line ended."""

    PROGRESSION = "progression"
    """The disease grew."""
    TOXICITY = "toxicity"
    """Its drugs were stopped for harm."""
    DEATH = "death"
    """The patient died."""
    NOT_ENDED = "not_ended"
    """It went on at the end of what was simulated."""


class Death(StrEnum):
    """How a course ended."""

    TOXICITY = "toxicity"
    """An adverse event killed."""
    ILLNESS = "illness"
    """The disease killed, or age."""
    NONE = "none"
    """The patient lived at the end."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Weeks of a line in which one dose was given."""

    first: int
    """First week."""
    last: int
    """Last week."""
    dose: float
    """As a share of the planned dose; 0 = held."""


@dataclass(frozen=True, slots=True)
class GivenLine:
    """A line of treatment as it was given."""

    number: int
    """Among the lines of the course, from 0."""
    regimen: str
    """Id of the regimen."""
    first: int
    """Week in which it started."""
    last: int
    """Last week in which it was under way and not stopped for good."""
    end: LineEnd
    """Why it ended."""
    stretches: tuple[Stretch, ...]
    """Doses, in order; a hold is a stretch of dose 0."""


@dataclass(frozen=True, slots=True)
class ReadScan:
    """A scan as it was read."""

    week: int
    """When."""
    line: int
    """Number of the line, from 0."""
    sum_mm: float
    """Sum of diameters as read."""
    base_mm: float
    """That of the first scan of the line."""
    nadir_mm: float
    """The smallest of the line before this scan; the base at the first."""
    read: Read | None
    """Reading against earlier scans; None = the first of a line."""
    confirmed: Read | None
    """The response that this scan confirmed; None = none."""
    is_new: bool
    """Whether a lesion was seen that was not there before."""
    is_in_brain: bool
    """Whether a lesion in the brain was new or had grown."""


@dataclass(frozen=True, slots=True)
class SevereHarm:
    """An adverse event of grade 3 or more."""

    week: int
    """When."""
    line: int
    """Number of the line, from 0."""
    is_by_drug: bool
    """Whether the drugs caused it; otherwise the disease did."""
    reduces: bool
    """Whether the dose was reduced for it."""
    stops: bool
    """Whether the drugs were stopped for it."""
    is_fatal: bool
    """Whether it killed."""


@dataclass(frozen=True, slots=True)
class PrevailingClone:
    """Truth: from this week on, most of the tumour is one clone."""

    week: int
    """Since when."""
    kind: CloneKind
    """Which."""


@dataclass(frozen=True, slots=True)
class Episodes:
    """A course in words."""

    lines: tuple[GivenLine, ...]
    """In order."""
    scans: tuple[ReadScan, ...]
    """In order."""
    harms: tuple[SevereHarm, ...]
    """In order."""
    clones: tuple[PrevailingClone, ...]
    """In order; the first from week 0 on."""
    weeks: int
    """How many weeks the patient lived of those that were simulated."""
    death: Death
    """How it ended."""

    @property
    def progressions(self) -> tuple[ReadScan, ...]:
        """The scans that showed progression."""
        return tuple(scan for scan in self.scans if scan.read is Read.PD)


def read_episodes(weeks: Weeks, *, regimens: Sequence[str], plan: Int32[np.ndarray, "lines n"]) -> Episodes:
    """The course of one patient in words.

    Args:
        weeks: What every week of one patient showed.
        regimens: Ids of the regimens that were given.
        plan: For each line the regimen's number among them, in one column.
    """
    code = np.asarray(weeks.code)[:, 0]
    code = code[: int(np.count_nonzero(code))]
    last = int(code[-1]) if code.size else 0
    if last & Mark.DIED:
        death = Death.TOXICITY if last & Mark.DIED_OF_HARM else Death.ILLNESS
    else:
        death = Death.NONE
    given = {
        number: regimens[int(choice)]
        for number, choice in enumerate(plan[:, 0].tolist())
        if choice != NO_TREATMENT
    }
    return Episodes(
        lines=tuple(_lines(code, np.asarray(weeks.dose)[:, 0], given)),
        scans=tuple(_scans(code, np.asarray(weeks.read_mm)[:, 0])),
        harms=tuple(_harms(code)),
        clones=tuple(_clones(code)),
        weeks=len(code),
        death=death,
    )


def _where(code: np.ndarray, mark: Mark) -> list[int]:
    return np.flatnonzero(code & np.uint32(mark)).tolist()


def _line_of(code: np.ndarray, week: int) -> int:
    return int(code[week]) >> LINE_SHIFT & LINE_MASK


def _lines(code: np.ndarray, dose: np.ndarray, given: dict[int, str]) -> Iterator[GivenLine]:
    starts = _where(code, Mark.STARTED)
    for first, after in zip(starts, [*starts[1:], len(code)], strict=True):
        under_way = [week for week in _where(code, Mark.TREATED) if first <= week < after]
        last = under_way[-1]
        number = _line_of(code, first)
        parts = groupby(range(first, last + 1), key=lambda week: round(float(dose[week]), 3))
        yield GivenLine(
            number=number,
            regimen=given[number],
            first=first,
            last=last,
            end=_end(code, last, after),
            stretches=tuple(Stretch((held := list(some))[0], held[-1], level) for level, some in parts),
        )


def _end(code: np.ndarray, last: int, after: int) -> LineEnd:
    shown = int(code[last])
    if shown & Mark.DIED:
        return LineEnd.DEATH
    if shown & Mark.PROGRESSED:
        return LineEnd.PROGRESSION
    if shown & Mark.STOPPED:
        return LineEnd.TOXICITY
    return LineEnd.NOT_ENDED if after == len(code) and last == after - 1 else LineEnd.DEATH


def _scans(code: np.ndarray, read_mm: np.ndarray) -> Iterator[ReadScan]:
    base = nadir = 0.0
    for week in _where(code, Mark.SCANNED):
        shown, sum_mm = int(code[week]), float(read_mm[week])
        is_first = bool(shown & Mark.STARTED)
        if is_first:
            base = nadir = sum_mm
        yield ReadScan(
            week=week,
            line=_line_of(code, week),
            sum_mm=sum_mm,
            base_mm=base,
            nadir_mm=nadir,
            read=None if is_first else _read(shown, sum_mm, base),
            confirmed=Read.CR if shown & Mark.COMPLETE else Read.PR if shown & Mark.PARTIAL else None,
            is_new=bool(shown & Mark.NEW_LESION),
            is_in_brain=bool(shown & Mark.IN_BRAIN),
        )
        nadir = min(nadir, sum_mm)


def _read(shown: int, sum_mm: float, base_mm: float) -> Read:
    if shown & Mark.PROGRESSED:
        return Read.PD
    if base_mm < _MEASURABLE_MM or sum_mm > PARTIAL_SHARE * base_mm:
        return Read.SD
    return Read.CR if sum_mm <= COMPLETE_MM else Read.PR


def _harms(code: np.ndarray) -> Iterator[SevereHarm]:
    for week in _where(code, Mark.SEVERE | Mark.ILL):
        shown = int(code[week])
        for mark in (Mark.SEVERE, Mark.ILL):
            if shown & mark:
                is_by_drug = mark is Mark.SEVERE
                yield SevereHarm(
                    week=week,
                    line=_line_of(code, week),
                    is_by_drug=is_by_drug,
                    reduces=is_by_drug and bool(shown & Mark.REDUCED),
                    stops=is_by_drug and bool(shown & Mark.STOPPED),
                    is_fatal=is_by_drug and bool(shown & Mark.DIED_OF_HARM),
                )


def _clones(code: np.ndarray) -> Iterator[PrevailingClone]:
    kinds = (code >> np.uint32(CLONE_SHIFT)) & np.uint32(_CLONE_MASK)
    for week in np.flatnonzero(np.diff(kinds, prepend=np.uint32(_CLONE_MASK + 1))).tolist():
        yield PrevailingClone(week, _KINDS[int(kinds[week])])
