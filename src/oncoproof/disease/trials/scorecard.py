"""Simulated against published: which figures a simulation hits, by criteria fixed beforehand.

Rules this module guarantees:

- A median hits inside the published 95 % interval, or within 15 % of the published median. Where the
  published one was not reached, it hits if it is not reached or lies above the published lower bound.
- A bound that is blank beside a lower bound is not reached: any median above the lower bound is inside.
- Response hits within 6 points, harm of grade 3 or more within 10, a hazard ratio inside its interval.
- The sign of a hazard ratio is asked only where the published interval excludes 1.
- What was published and cannot be judged (the arm or its comparator was not simulated, or the figure is not
  defined) is listed as such: it is neither hit nor miss. What was not published is not asked.

    >>> from oncoproof.disease.trials.arm_results import FIGURES
    >>> from oncoproof.knowledge.trials import load_trials
    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> nothing = Estimate(None, None, None)
    >>> figures = dict.fromkeys(FIGURES, nothing) | {"pfs_hr": Estimate(0.52, 0.41, 0.66)}
    >>> card = judge([arm], [ArmResults(row_id=arm.row_id, n=500, **figures)])
    >>> card.verdict(arm.row_id, Criterion.PFS_HR).outcome.value, arm.pfs_hr_low, arm.pfs_hr_high
    ('hit', 0.37, 0.57)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from oncoproof.disease.trials.arm_results import ArmResults, Estimate
from oncoproof.knowledge.trials import Interval, TrialArm

_MEDIAN_TOLERANCE = 0.15
_RESPONSE_POINTS = 6.0
_HARM_POINTS = 10.0


class Criterion(StrEnum):
    """What is compared."""

    PFS_MEDIAN = "pfs_median"
    """Median progression-free survival."""
    OS_MEDIAN = "os_median"
    """Median overall survival."""
    ORR = "orr"
    """Objective response."""
    GRADE3PLUS = "grade3plus"
    """Harm of grade 3 or more."""
    PFS_HR = "pfs_hr"
    """Hazard ratio of progression or death."""
    OS_HR = "os_hr"
    """Hazard ratio of death."""
    PFS_HR_SIGN = "pfs_hr_sign"
    """Which arm does better, by progression or death."""
    OS_HR_SIGN = "os_hr_sign"
    """Which arm does better, by death."""


class Outcome(StrEnum):
    """How a comparison ended."""

    HIT = "hit"
    """The simulated figure is as close as the criterion asks."""
    MISS = "miss"
    """It is not."""
    NOT_JUDGED = "not judged"
    """There is no simulated figure to compare."""


@dataclass(frozen=True, slots=True)
class Standard:
    """What a criterion asks."""

    figure: str
    """The simulated figure, as a field of `ArmResults`."""
    words: str
    """The criterion in words."""
    goal: float | None
    """Share of hits to reach; None = reported without a goal."""


_MEDIAN_WORDS = "inside the 95 % interval or within 15 %"
STANDARDS = {
    Criterion.PFS_MEDIAN: Standard("pfs_median_mo", f"median PFS {_MEDIAN_WORDS}", 0.90),
    Criterion.ORR: Standard("orr_pct", "response within 6 points", 0.90),
    Criterion.OS_MEDIAN: Standard("os_median_mo", f"median OS {_MEDIAN_WORDS}", 0.85),
    Criterion.PFS_HR: Standard("pfs_hr", "PFS hazard ratio inside its interval", 0.90),
    Criterion.GRADE3PLUS: Standard("grade3plus_ae_pct", "grade 3 or more within 10 points", 0.85),
    Criterion.OS_HR: Standard("os_hr", "OS hazard ratio inside its interval", None),
    Criterion.PFS_HR_SIGN: Standard("pfs_hr", "PFS: the right arm does better, where clear", 1.0),
    Criterion.OS_HR_SIGN: Standard("os_hr", "OS: the right arm does better, where clear", None),
}
"""The criteria, in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One comparison."""

    row_id: str
    """The arm."""
    criterion: Criterion
    """What is compared."""
    published: Interval
    """The published figure; without a value = a median that was not reached."""
    simulated: Estimate
    """The simulated figure."""
    outcome: Outcome
    """How it ended."""


@dataclass(frozen=True, slots=True)
class Score:
    """What came of one criterion."""

    criterion: Criterion
    """What is compared."""
    verdicts: tuple[Verdict, ...]
    """Every arm that published it, in the order of the table."""

    @property
    def standard(self) -> Standard:
        """What the criterion asks."""
        return STANDARDS[self.criterion]

    @property
    def hits(self) -> int:
        """How many hit."""
        return sum(verdict.outcome is Outcome.HIT for verdict in self.verdicts)

    @property
    def total(self) -> int:
        """How many were judged."""
        return self.hits + len(self.misses)

    @property
    def misses(self) -> tuple[Verdict, ...]:
        """Those that missed."""
        return tuple(verdict for verdict in self.verdicts if verdict.outcome is Outcome.MISS)

    @property
    def not_judged(self) -> tuple[Verdict, ...]:
        """Those that were published and could not be judged."""
        return tuple(verdict for verdict in self.verdicts if verdict.outcome is Outcome.NOT_JUDGED)

    @property
    def share(self) -> float | None:
        """Hits among those judged; None = none was."""
        return self.hits / self.total if self.total else None

    @property
    def is_reached(self) -> bool | None:
        """Whether the goal is reached; None = there is no goal, or nothing was judged."""
        if self.standard.goal is None or self.share is None:
            return None
        return self.share >= self.standard.goal


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What came of all criteria."""

    scores: tuple[Score, ...]
    """One for each criterion, in the order of `STANDARDS`."""

    def score(self, criterion: Criterion) -> Score:
        """What came of a criterion."""
        return next(score for score in self.scores if score.criterion is criterion)

    def verdict(self, row_id: str, criterion: Criterion) -> Verdict | None:
        """What came of a criterion for an arm; None = it was not asked."""
        verdicts = self.score(criterion).verdicts
        return next((verdict for verdict in verdicts if verdict.row_id == row_id), None)


def judge(arms: Sequence[TrialArm], results: Sequence[ArmResults]) -> Scorecard:
    """Compare every published figure with the simulated one.

    Args:
        arms: The table.
        results: What was simulated of it; an arm that is missing is not judged.
    """
    by_id = {result.row_id: result for result in results}
    return Scorecard(
        tuple(Score(criterion, tuple(_judge_all(criterion, arms, by_id))) for criterion in STANDARDS)
    )


def _judge_all(
    criterion: Criterion, arms: Sequence[TrialArm], results: dict[str, ArmResults]
) -> Iterator[Verdict]:
    for arm in arms:
        published = _published(criterion, arm)
        if published is None:
            continue
        simulated, outcome = Estimate(None, None, None), Outcome.NOT_JUDGED
        if arm.row_id in results:
            simulated = getattr(results[arm.row_id], STANDARDS[criterion].figure)
            outcome = _compare(criterion, published, simulated.value)
        yield Verdict(arm.row_id, criterion, published, simulated, outcome)


def _published(criterion: Criterion, arm: TrialArm) -> Interval | None:
    """The published figure a criterion asks for; None = there is none."""
    match criterion:
        case Criterion.PFS_MEDIAN:
            return arm.pfs if arm.pfs.value is not None or arm.pfs_not_reached else None
        case Criterion.OS_MEDIAN:
            return arm.os if arm.os.value is not None or arm.os_not_reached else None
        case Criterion.ORR:
            return _plain(arm.orr_pct)
        case Criterion.GRADE3PLUS:
            return _plain(arm.grade3plus_ae_pct)
        case Criterion.PFS_HR | Criterion.OS_HR:
            hazard = arm.pfs_hazard if criterion is Criterion.PFS_HR else arm.os_hazard
            return None if None in {hazard.low, hazard.high} else hazard
        case Criterion.PFS_HR_SIGN | Criterion.OS_HR_SIGN:
            hazard = arm.pfs_hazard if criterion is Criterion.PFS_HR_SIGN else arm.os_hazard
            return hazard if hazard.excludes(1.0) else None


def _plain(value: float | None) -> Interval | None:
    return None if value is None else Interval(value=value, low=None, high=None)


def _compare(criterion: Criterion, published: Interval, simulated: float | None) -> Outcome:
    if criterion in {Criterion.PFS_MEDIAN, Criterion.OS_MEDIAN}:
        is_hit = _is_median_hit(published, simulated)
    elif simulated is None or published.value is None:
        return Outcome.NOT_JUDGED
    else:
        is_hit = _is_number_hit(criterion, published, published.value, simulated)
    return Outcome.HIT if is_hit else Outcome.MISS


def _is_number_hit(criterion: Criterion, published: Interval, value: float, simulated: float) -> bool:
    """Whether a figure hits that both sides have as a number."""
    match criterion:
        case Criterion.ORR:
            return abs(simulated - value) <= _RESPONSE_POINTS
        case Criterion.GRADE3PLUS:
            return abs(simulated - value) <= _HARM_POINTS
        case Criterion.PFS_HR_SIGN | Criterion.OS_HR_SIGN:
            return (simulated < 1) == (value < 1)
        case _:
            return _is_inside(published, simulated)


def _is_median_hit(published: Interval, simulated: float | None) -> bool:
    """Whether a median hits; None = not reached, which lies above every number."""
    reached = float("inf") if simulated is None else simulated
    if published.value is None:
        return simulated is None or (published.low is not None and reached > published.low)
    return _is_inside(published, reached) or abs(reached - published.value) <= (
        _MEDIAN_TOLERANCE * published.value
    )


def _is_inside(published: Interval, number: float) -> bool:
    """Whether a number lies in an interval that is open above where it states no upper bound."""
    return (
        published.low is not None
        and published.low <= number
        and (published.high is None or number <= published.high)
    )
