"""What calibration compares: published figures as targets, and the same figures of simulated arms.

Rules this module guarantees:

- Every target has a scale: the published uncertainty, joined with what the model cannot be asked to hit.
- A median is compared through the share of simulated patients beyond the published median, which is smooth in
  the parameters and defined where a simulated median is not; the scale is that of the log of the median.

    >>> from oncoproof.knowledge.trials import load_trials
    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> [target.figure.value for target in targets_of([arm])][:3]
    ['pfs_median_mo', 'os_median_mo', 'orr_pct']
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray

from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.trials.follow_up import cut_weeks, entry_weeks
from oncoproof.knowledge.trials import Interval, TrialArm

_MEDIAN_SLOPE = 0.5 * np.log(2)
"""How far the share alive falls at the median when the log of time grows by one, for an exponential."""

_MEDIAN_SCALE_MIN, _RATIO_SCALE_MIN = 0.06, 0.08
_SHARE_SCALE_MIN, _SEVERE_SCALE = 2.0, 5.0
_DURATION_SCALE = 0.25

_WEEKS = 640
"""Longer than any course."""


class Figure(StrEnum):
    """What is compared."""

    PFS_MEDIAN = "pfs_median_mo"
    """Median progression-free survival."""
    PFS_YEAR = "pfs_12mo_pct"
    """Progression-free at a year."""
    OS_MEDIAN = "os_median_mo"
    """Median overall survival."""
    RESPONSE = "orr_pct"
    """Objective response."""
    COMPLETE = "cr_pct"
    """Complete response."""
    DURATION = "dor_median_mo"
    """Median duration of response."""
    PFS_RATIO = "pfs_hr"
    """Hazard ratio of progression or death."""
    OS_RATIO = "os_hr"
    """Hazard ratio of death."""
    SEVERE = "grade3plus_ae_pct"
    """Severe adverse events."""


@dataclass(frozen=True, slots=True)
class Target:
    """One published figure."""

    row_id: str
    """The arm."""
    trial: str
    """Its trial."""
    disease: str
    """Its disease."""
    figure: Figure
    """What it says."""
    value: float
    """As published; a ratio as its log."""
    scale: float
    """Standard deviation that a residual is divided by."""
    against: str | None
    """For a ratio, the arm compared with."""
    at_least: bool
    """Whether the figure is only a lower bound, because a median was not reached."""
    drugs_only: bool
    """For severe events, whether only those that a drug caused count."""


def targets_of(arms: Sequence[TrialArm]) -> tuple[Target, ...]:
    """Every figure of the arms that can be compared."""
    return tuple(target for arm in arms for target in _targets_of_arm(arm))


def _targets_of_arm(arm: TrialArm) -> list[Target]:
    found = [
        _median(arm, Figure.PFS_MEDIAN, arm.pfs, not_reached=bool(arm.pfs_not_reached)),
        _median(arm, Figure.OS_MEDIAN, arm.os, not_reached=bool(arm.os_not_reached)),
        _share(arm, Figure.PFS_YEAR, arm.pfs_12mo_pct, floor=4.0),
        _share(arm, Figure.RESPONSE, arm.orr_pct, floor=_SHARE_SCALE_MIN),
        _share(arm, Figure.COMPLETE, arm.cr_pct, floor=5.0),
        _ratio(arm, Figure.PFS_RATIO, arm.pfs_hazard),
        _ratio(arm, Figure.OS_RATIO, arm.os_hazard),
    ]
    if arm.dor_median_mo is not None:
        found.append(_target(arm, Figure.DURATION, arm.dor_median_mo, _DURATION_SCALE))
    if arm.grade3plus_ae_pct is not None:
        found.append(_target(arm, Figure.SEVERE, arm.grade3plus_ae_pct, _SEVERE_SCALE))
    return [target for target in found if target is not None]


def _target(
    arm: TrialArm,
    figure: Figure,
    value: float,
    scale: float,
    *,
    against: str | None = None,
    at_least: bool = False,
) -> Target:
    return Target(
        arm.row_id, arm.trial, arm.disease, figure, value, scale, against, at_least,
        drugs_only=arm.grade3plus_ae_attribution.startswith("treatment-related"),
    )  # fmt: skip


def _median(arm: TrialArm, figure: Figure, published: Interval, *, not_reached: bool) -> Target | None:
    if published.value is None:
        if published.low is None or not not_reached:
            return None
        return _target(arm, figure, published.low, 0.1, at_least=True)
    scale = 0.12
    if published.low and published.high:
        scale = float(np.log(published.high / published.low)) / 3.92
    elif published.low:
        scale = float(np.log(published.value / published.low)) / 1.96
    return _target(arm, figure, published.value, max(scale, _MEDIAN_SCALE_MIN))


def _share(arm: TrialArm, figure: Figure, value: float | None, *, floor: float) -> Target | None:
    if value is None:
        return None
    share = np.clip(value / 100, 0.02, 0.98)
    return _target(arm, figure, value, float(np.hypot(100 * np.sqrt(share * (1 - share) / arm.n) / 2, floor)))


def _ratio(arm: TrialArm, figure: Figure, published: Interval) -> Target | None:
    if published.value is None or arm.comparator_row_id is None:
        return None
    scale = 0.2
    if published.low and published.high:
        scale = float(np.log(published.high / published.low)) / 3.92
    return _target(
        arm,
        figure,
        float(np.log(published.value)),
        max(scale, _RATIO_SCALE_MIN),
        against=arm.comparator_row_id,
    )


def residuals(targets: Sequence[Target], arms: Mapping[str, Endpoints]) -> Float[np.ndarray, " targets"]:
    """How far each simulated figure lies from its target, in scales."""
    return np.array([_residual(target, arms) for target in targets])


def _residual(target: Target, arms: Mapping[str, Endpoints]) -> float:
    arm = arms[target.row_id]
    if target.against is not None:
        other = arms[target.against]
        return (_log_ratio(arm, other, death=target.figure is Figure.OS_RATIO) - target.value) / target.scale
    if target.figure in {Figure.PFS_MEDIAN, Figure.OS_MEDIAN, Figure.DURATION}:
        beyond = (_share_beyond(arm, target) - 0.5) / (_MEDIAN_SLOPE * target.scale)
        return min(beyond, 0.0) if target.at_least else float(np.clip(beyond, -12, 12))
    return (_percent(arm, target) - target.value) / target.scale


def _percent(arm: Endpoints, target: Target) -> float:
    match target.figure:
        case Figure.PFS_YEAR:
            return float(100 * (arm.progression_weeks > 12 * WEEKS_PER_MONTH).mean())
        case Figure.RESPONSE:
            return float(100 * (arm.response >= PARTIAL).mean())
        case Figure.COMPLETE:
            return float(100 * (arm.response >= COMPLETE).mean())
        case _:
            return float(100 * (arm.harmed_by_drug if target.drugs_only else arm.harmed).mean())


def _share_beyond(arm: Endpoints, target: Target) -> float:
    """Share for whom nothing has happened by the published median, averaged over a tenth on either side."""
    if target.figure is Figure.DURATION:
        responded = arm.response >= PARTIAL
        times = (arm.progression_weeks - arm.response_weeks)[responded]
        if len(times) < 10:
            return 0.5
    else:
        times = arm.progression_weeks if target.figure is Figure.PFS_MEDIAN else arm.death_weeks
    median = target.value * WEEKS_PER_MONTH
    window = median * np.linspace(0.9, 1.1, 9)
    return float((times[:, None] > window).mean())


def _log_ratio(arm: Endpoints, other: Endpoints, *, death: bool) -> float:
    """Log hazard ratio at the data cut, where the score of the partial likelihood is zero."""
    times = [each.death_weeks if death else each.progression_weeks for each in (arm, other)]
    happened = [each.died if death else each.progressed for each in (arm, other)]
    entered = [entry_weeks(len(each)) for each in times]
    ends = [np.where(came, weeks, np.inf) for came, weeks in zip(happened, times, strict=True)]
    cut = float(cut_weeks(np.concatenate(ends)[None], np.concatenate(entered)[None])[0])
    (hits, risk), (hits_other, risk_other) = (
        _counts(*each, cut=cut) for each in zip(times, happened, entered, strict=True)
    )
    total = hits + hits_other
    low, high = -4.0, 4.0
    for _ in range(40):  # the score falls in the ratio: halve the interval
        middle = (low + high) / 2
        weight = risk * np.exp(middle)
        if (hits - total * weight / np.maximum(weight + risk_other, 1e-9)).sum() > 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _counts(
    times: NDArray[np.float32], happened: NDArray[np.bool_], entered: NDArray[np.float64], *, cut: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Events and patients at risk, week by week, until the cut."""
    followed = cut - entered
    until = np.minimum(times, followed).astype(np.intp)
    events = np.bincount(until, weights=(happened & (times <= followed)).astype(np.float64), minlength=_WEEKS)
    leaving = np.bincount(until, minlength=_WEEKS)
    return events.astype(np.float64), (len(times) - np.cumsum(leaving) + leaving).astype(np.float64)
