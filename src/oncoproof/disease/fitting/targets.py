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
from oncoproof.disease.trials.follow_up import DEATH, PROGRESSION, Times, entry_weeks, until_cut
from oncoproof.disease.trials.survival import hazard_ratio
from oncoproof.knowledge.trials import Interval, TrialArm, curve_of

_MEDIAN_SLOPE = 0.5 * np.log(2)
"""How far the share alive falls at the median when the log of time grows by one, for an exponential."""

_MEDIAN_SCALE_MIN, _RATIO_SCALE_MIN = 0.06, 0.05
_SHARE_SCALE_MIN, _SEVERE_SCALE = 2.5, 5.0
_DURATION_SCALE = 0.25

_CURVE_MONTHS, _CURVE_SCALE_MIN = (2, 4, 9, 18, 30), 5.0


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
    PFS_CURVE = "pfs_curve_pct"
    """Progression-free at a month of a published curve."""
    OS_CURVE = "os_curve_pct"
    """Alive at a month of a published curve."""


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
    month: int = 0
    """Of a curve, the month."""


def targets_of(arms: Sequence[TrialArm]) -> tuple[Target, ...]:
    """Every figure of the arms that can be compared."""
    return tuple(target for arm in arms for target in [*_targets_of_arm(arm), *_curve(arm)])


def _curve(arm: TrialArm) -> list[Target]:
    figure = {"pfs": Figure.PFS_CURVE, "os": Figure.OS_CURVE}
    return [
        Target(
            arm.row_id,
            arm.trial,
            arm.disease,
            figure[endpoint],
            point.free_pct,
            float(np.hypot(_CURVE_SCALE_MIN, 100 * np.sqrt(0.25 / arm.n))),
            against=None,
            at_least=False,
            drugs_only=False,
            month=point.month,
        )
        for endpoint in figure
        for point in curve_of(arm.row_id, endpoint)
        if point.month in _CURVE_MONTHS
    ]


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
    return _target(arm, figure, published.value, float(np.hypot(scale, _MEDIAN_SCALE_MIN)))


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
        float(np.hypot(scale, _RATIO_SCALE_MIN)),
        against=arm.comparator_row_id,
    )


def residuals(targets: Sequence[Target], arms: Mapping[str, Endpoints]) -> Float[np.ndarray, " targets"]:
    """How far each simulated figure lies from its target, in scales."""
    found = np.array([_residual(target, arms[target.row_id]) for target in targets])
    for figure in (Figure.PFS_RATIO, Figure.OS_RATIO):
        places = [place for place, target in enumerate(targets) if target.figure is figure]
        if places:
            found[places] = _of_ratios([targets[place] for place in places], arms)
    return found


def _residual(target: Target, arm: Endpoints) -> float:
    if target.against is not None:
        return 0.0  # all of them at once, below
    if target.figure in {Figure.PFS_MEDIAN, Figure.OS_MEDIAN, Figure.DURATION}:
        beyond = (_share_beyond(arm, target) - 0.5) / (_MEDIAN_SLOPE * target.scale)
        return min(beyond, 0.0) if target.at_least else float(np.clip(beyond, -12, 12))
    return (_percent(arm, target) - target.value) / target.scale


def _of_ratios(targets: Sequence[Target], arms: Mapping[str, Endpoints]) -> NDArray[np.float64]:
    """Residuals of hazard ratios of one endpoint, as the scorecard computes them."""
    pairs = [[arms[row] for row in (target.row_id, str(target.against))] for target in targets]
    weeks, event = _ENDPOINT[targets[0].figure]
    entered = entry_weeks(len(pairs[0][0].died))

    def stacked(side: int, name: str) -> NDArray[np.float64]:
        return np.stack([np.asarray(getattr(pair[side], name)) for pair in pairs])

    sides = (
        Times(stacked(side, weeks), stacked(side, event) > 0, np.tile(entered, (len(pairs), 1)))
        for side in (0, 1)
    )
    treated, control = until_cut(list(sides))
    more = np.sign(treated.events.sum(axis=1) - control.events.sum(axis=1).astype(np.int64))
    found = hazard_ratio(treated, control)
    # Where one side has no event there is no finite ratio: it is as far out as ratios are looked at.
    found = np.where(np.isnan(found), _RATIO_LEAST ** -more.astype(np.float64), found)
    ratio = np.log(np.clip(found, _RATIO_LEAST, 1 / _RATIO_LEAST))
    return np.array(
        [(each - target.value) / target.scale for each, target in zip(ratio, targets, strict=True)]
    )


_ENDPOINT = {Figure.PFS_RATIO: PROGRESSION, Figure.OS_RATIO: DEATH}
_RATIO_LEAST = 0.02


def _percent(arm: Endpoints, target: Target) -> float:
    match target.figure:
        case Figure.PFS_YEAR:
            return float(100 * (arm.progression_weeks > 12 * WEEKS_PER_MONTH).mean())
        case Figure.PFS_CURVE:
            return float(100 * (arm.progression_weeks > target.month * WEEKS_PER_MONTH).mean())
        case Figure.OS_CURVE:
            return float(100 * (arm.death_weeks > target.month * WEEKS_PER_MONTH).mean())
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
