"""The figures of a simulated arm that a publication would print, each with its 90 % interval.

Rules this module guarantees:

- A value comes from all simulated patients under the fitted parameters; its interval from replicates, each
  of which takes one draw of the parameters and as many patients, with replacement, as the published arm
  had. So the interval says where a trial of that size would end, not how exact the simulation is.
- An interval holds its value: it is widened to it where the replicates lie to one side.
- What is not defined is None: a median that is not reached, the bound above it, a hazard ratio of an arm
  without a comparator. It is never 0 and never NaN.
- Response counts every patient of the arm, also those whose tumour was never read again.
- Both arms of a hazard ratio are replicated under the same draw of the parameters.

    >>> from oncoproof.knowledge.trials import load_trials
    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> weeks, yes = np.linspace(4, 160, 40, dtype=np.float32), np.ones(40, np.bool_)
    >>> course = Endpoints(**dict.fromkeys(Endpoints._fields, ~yes))
    >>> course = course._replace(progression_weeks=weeks, progressed=yes, death_weeks=weeks + 9)
    >>> results = summarise(SimulatedArm(arm, (course,)), seed=Seed(1))
    >>> round(results.pfs_median_mo.value or 0, 1), results.os_median_mo
    (18.9, Estimate(value=None, lo=None, hi=None))
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float64, Int, Int8, Shaped
from numpy.typing import NDArray

from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.trials.follow_up import DEATH, PROGRESSION, Times, entry_weeks, until_cut
from oncoproof.disease.trials.survival import FollowUp, hazard_ratio, kaplan_meier, median_time, survival_at
from oncoproof.knowledge.trials import TrialArm
from oncoproof.seeds import Seed

REPLICATES = 200
"""How many trials of the published size an interval is drawn from."""

_TAIL = 0.05
_DEFINED_SHARE_MIN = 0.9
_NOT_COUNTED = np.float32(-1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A simulated figure."""

    value: float | None
    """The estimate; None = not defined, of a median: not reached."""
    lo: float | None
    """Lower bound of the 90 % interval; None = not defined."""
    hi: float | None
    """Upper bound; None = not defined, of a median: not reached."""


_UNDEFINED = Estimate(None, None, None)


@dataclass(frozen=True, slots=True)
class ArmResults:
    """What came of a simulated arm; the fields bear the names of the trial table."""

    row_id: str
    """The arm."""
    n: int
    """Patients simulated."""
    orr_pct: Estimate
    """Objective response, per cent of all patients."""
    cr_pct: Estimate
    """Complete response, per cent of all patients."""
    dor_median_mo: Estimate
    """Median duration of response, months, among those who responded."""
    pfs_median_mo: Estimate
    """Median progression-free survival, months."""
    pfs_12mo_pct: Estimate
    """Progression-free at 12 months, per cent; None = not followed so long."""
    os_median_mo: Estimate
    """Median overall survival, months."""
    grade3plus_ae_pct: Estimate
    """Patients with an adverse event of grade 3 or more, per cent: of those a drug caused where the published
    figure is of such, otherwise of any cause."""
    pfs_hr: Estimate
    """Hazard ratio of progression or death against the comparator; None = there is none."""
    os_hr: Estimate
    """Hazard ratio of death against the comparator; None = there is none."""


FIGURES = tuple(field.name for field in fields(ArmResults) if field.type is Estimate)
"""The figures, in the order of the columns."""

_MEDIANS = frozenset({"dor_median_mo", "pfs_median_mo", "os_median_mo"})


class SimulatedArm(NamedTuple):
    """A published arm and what was simulated of it."""

    arm: TrialArm
    """The arm as published."""
    courses: Sequence[Endpoints]
    """One for each draw of the parameters: the fitted values first, then draws from their uncertainty."""


class _Measures(NamedTuple):
    """What the figures are made of; samples in rows."""

    progression_weeks: Float[np.ndarray, "batch n"]
    """Until progression or death."""
    progressed: Bool[np.ndarray, "batch n"]
    """Whether one of them came."""
    death_weeks: Float[np.ndarray, "batch n"]
    """Until death."""
    died: Bool[np.ndarray, "batch n"]
    """Whether it came."""
    lasted_weeks: Float[np.ndarray, "batch n"]
    """From response to progression or death; below 0 = no response."""
    response: Int8[np.ndarray, "batch n"]
    """Best response."""
    harmed: Bool[np.ndarray, "batch n"]
    """Whether there was harm as the arm's publication counts it."""
    entered_weeks: Float[np.ndarray, "batch n"]
    """When the patient entered the trial."""


def summarise_arms(
    arms: Sequence[TrialArm],
    courses: Mapping[str, Sequence[Endpoints]],
    *,
    seed: Seed,
    replicates: int = REPLICATES,
) -> Iterator[ArmResults]:
    """The figures of every arm that was simulated, in the order of the table.

    Args:
        arms: The table.
        courses: What was simulated, by row id, as in `SimulatedArm`.
        seed: Of the replicates.
        replicates: How many an interval is drawn from.
    """
    simulated = {arm.row_id: SimulatedArm(arm, courses[arm.row_id]) for arm in arms if arm.row_id in courses}
    for each in simulated.values():
        comparator = simulated.get(each.arm.comparator_row_id or "")
        yield summarise(each, comparator, seed=seed, replicates=replicates)


def summarise(
    treated: SimulatedArm,
    comparator: SimulatedArm | None = None,
    *,
    seed: Seed,
    replicates: int = REPLICATES,
) -> ArmResults:
    """The figures of one arm.

    Args:
        treated: The arm.
        comparator: The control arm of the same trial; None = there is none.
        seed: Of the replicates; an arm has the same ones in any table.
        replicates: How many an interval is drawn from.
    """
    whole, samples = _whole(treated), _replicate(treated, seed, replicates)
    values, spread = _figures(whole), _figures(samples)
    if comparator is not None:
        # A stream for each comparison: a control's replicates here are not those of its own figures.
        stream = seed.child("against", treated.arm.row_id)
        values |= _ratios(whole, _whole(comparator))
        spread |= _ratios(samples, _replicate(comparator, stream, replicates))
    estimates = {
        name: _estimate(float(values[name][0]), spread[name], is_median=name in _MEDIANS)
        if name in values
        else _UNDEFINED
        for name in FIGURES
    }
    return ArmResults(row_id=treated.arm.row_id, n=len(treated.courses[0].died), **estimates)


def _whole(simulated: SimulatedArm) -> _Measures:
    """All patients under the fitted parameters, as one sample."""
    return _measure(simulated.arm, simulated.courses[:1])


def _replicate(simulated: SimulatedArm, seed: Seed, replicates: int) -> _Measures:
    """Samples of the published size, each under one draw of the parameters."""
    draws = simulated.courses[1:] or simulated.courses[:1]
    patients = len(draws[0].died)
    generator = seed.child("replicates", simulated.arm.row_id).generator()
    drawn = generator.integers(patients, size=(replicates, simulated.arm.n))
    places = drawn + (np.arange(replicates, dtype=np.int64) % len(draws) * patients)[:, None]
    return _take(_measure(simulated.arm, draws), places)


def _take(measures: _Measures, places: Int[np.ndarray, "batch n"]) -> _Measures:
    return _Measures(*(column[0][places] for column in measures))


def _measure(arm: TrialArm, courses: Sequence[Endpoints]) -> _Measures:
    """The patients of all courses, one after the other, as one sample."""
    joined = Endpoints(*(np.concatenate(columns) for columns in zip(*courses, strict=True)))
    responded = joined.response >= PARTIAL
    lasted = np.maximum(joined.progression_weeks - joined.response_weeks, 0)
    by_drug = arm.grade3plus_ae_attribution.startswith("treatment-related")
    columns: tuple[Shaped[np.ndarray, " n"], ...] = (
        joined.progression_weeks,
        joined.progressed,
        joined.death_weeks,
        joined.died,
        np.where(responded, lasted, _NOT_COUNTED),
        joined.response,
        joined.harmed_by_drug if by_drug else joined.harmed,
        np.tile(entry_weeks(len(courses[0].died)), len(courses)),
    )
    return _Measures(*(column[None] for column in columns))


def _figures(sample: _Measures) -> dict[str, Float64[np.ndarray, " batch"]]:
    """The figures that need no comparator, for each sample."""
    responded = sample.response >= PARTIAL
    lasted = FollowUp(sample.lasted_weeks, sample.progressed & responded)
    (progression,) = until_cut([_times(sample, PROGRESSION)])
    (death,) = until_cut([_times(sample, DEATH)])
    curve = kaplan_meier(progression)
    return {
        "orr_pct": _per_cent(responded),
        "cr_pct": _per_cent(sample.response == COMPLETE),
        "dor_median_mo": median_time(kaplan_meier(lasted)) / WEEKS_PER_MONTH,
        "pfs_median_mo": median_time(curve) / WEEKS_PER_MONTH,
        "pfs_12mo_pct": 100 * survival_at(curve, 12 * WEEKS_PER_MONTH),
        "os_median_mo": median_time(kaplan_meier(death)) / WEEKS_PER_MONTH,
        "grade3plus_ae_pct": _per_cent(sample.harmed),
    }


def _ratios(treated: _Measures, control: _Measures) -> dict[str, Float64[np.ndarray, " batch"]]:
    """The figures that need a comparator, for each pair of samples."""
    return {
        name: hazard_ratio(*until_cut([_times(treated, event), _times(control, event)]))
        for name, event in (("pfs_hr", PROGRESSION), ("os_hr", DEATH))
    }


def _times(sample: _Measures, event: tuple[str, str]) -> Times:
    return Times(getattr(sample, event[0]), getattr(sample, event[1]), sample.entered_weeks)


def _per_cent(marked: Bool[np.ndarray, "batch n"]) -> Float64[np.ndarray, " batch"]:
    return 100.0 * marked.mean(axis=1, dtype=np.float64)


def _estimate(value: float, spread: NDArray[np.float64], *, is_median: bool) -> Estimate:
    """A value with its interval; a median that is not reached lies above every other."""
    if is_median:
        reached = [float(np.nan_to_num(value, nan=np.inf)), *_bounds(np.nan_to_num(spread, nan=np.inf))]
        return _widened(*reached)
    if np.isnan(value):
        return _UNDEFINED
    defined = spread[~np.isnan(spread)]
    if len(defined) < _DEFINED_SHARE_MIN * len(spread):
        return Estimate(value, None, None)
    return _widened(value, *_bounds(defined))


def _bounds(spread: NDArray[np.float64]) -> tuple[float, float]:
    """The replicates between which 90 % lie, rounded outwards."""
    ordered = np.sort(spread)
    cut = int(_TAIL * (len(ordered) - 1))
    return float(ordered[cut]), float(ordered[-1 - cut])


def _widened(value: float, lo: float, hi: float) -> Estimate:
    parts = (value, min(lo, value), max(hi, value))
    return Estimate(*(part if np.isfinite(part) else None for part in parts))
