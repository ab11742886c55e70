"""How long until an event comes: Kaplan-Meier curves, medians and hazard ratios of many samples at once.

Rules this module guarantees:

- Every function takes a batch of samples, one in each row, and gives one answer for each; a sample of a
  batch gets the same answer as alone.
- Whoever leaves at the moment of an event was still at risk in it. Whoever is censored before time 0
  takes no part: so a sample may hold places that do not count.
- Tied events are treated after Efron: trials see progression at visits, where ties are many and
  Breslow's shortcut would draw the hazard ratio to 1.
- What is not defined (a median that is not reached, a hazard ratio without a finite maximum of the
  likelihood) is NaN.

The median is where the line through the middles of the curve's steps crosses one half. The plain median
can only be the time of a visit, so that it jumps by a whole interval when one patient more progresses;
the line through the feet of the steps is early by half an interval against the medians that trials
publish. Through the middles it moves smoothly and is on average neither early nor late; where the times
do not pile up at visits, all three agree.

    >>> sample = FollowUp(np.array([[2.0, 4.0, 4.0, 6.0, 8.0]]), np.array([[True, True, False, True, True]]))
    >>> curve = kaplan_meier(sample)
    >>> curve.survival.round(2).tolist()
    [[0.8, 0.6, 0.6, 0.3, 0.0]]
    >>> survival_at(curve, 5.0).round(2).tolist(), median_time(curve).round(2).tolist()
    ([0.6], [5.6])
    >>> later = FollowUp(sample.times[:, ::-1] + np.array([1.0, 3.0, 0.5, 2.0, 0.5]), sample.events[:, ::-1])
    >>> hazard_ratio(later, sample).round(2).tolist()
    [0.36]
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float, Float64, Int, Shaped
from numpy.typing import NDArray

_STEPS_MAX = 60
_STEP_MAX = 1.0
_STEP_ENOUGH = 1e-9


class FollowUp(NamedTuple):
    """How long each patient of each sample was followed."""

    times: Float[np.ndarray, "batch n"]
    """Until the event or the last look, in any unit; below 0 = the place does not count."""
    events: Bool[np.ndarray, "batch n"]
    """Whether the event came."""


class Curve(NamedTuple):
    """The share that is free of the event, for each sample."""

    times: Float[np.ndarray, "batch n"]
    """Times in ascending order; where several are equal, events come first."""
    events: Bool[np.ndarray, "batch n"]
    """Whether the event came."""
    survival: Float64[np.ndarray, "batch n"]
    """Share still free after each place."""


class _Ties(NamedTuple):
    """Where the run of equal times that holds each place begins and ends."""

    first: Int[np.ndarray, "batch n"]
    """Its first place."""
    last: Int[np.ndarray, "batch n"]
    """Its last place."""


def kaplan_meier(sample: FollowUp) -> Curve:
    """The product-limit estimate.

    Args:
        sample: Followed patients; each sample must have one at least.
    """
    order = np.lexsort((~sample.events, sample.times))
    times = np.take_along_axis(sample.times, order, axis=1)
    events = np.take_along_axis(sample.events, order, axis=1)
    followed = times.shape[1] - _places(times)
    survival = np.cumprod(np.where(events, 1.0 - 1.0 / followed, 1.0), axis=1)
    return Curve(times, events, survival)


def survival_at(curve: Curve, time: float) -> Float64[np.ndarray, " batch"]:
    """The share free of the event after a time; NaN where nobody was followed so long and some were free."""
    passed = np.sum(curve.times <= time, axis=1)
    padded = np.concatenate([np.ones((len(passed), 1)), curve.survival], axis=1)
    share = np.take_along_axis(padded, passed[:, None], axis=1)[:, 0]
    return np.where(
        (passed == curve.times.shape[1]) & (share > 0) & (curve.times[:, -1] < time), np.nan, share
    )


def at_risk(sample: FollowUp, time: float) -> Int[np.ndarray, " batch"]:
    """How many are still followed and free of the event just before a time."""
    return np.sum((sample.times >= time) & (sample.times >= 0), axis=1)


def median_time(curve: Curve) -> Float64[np.ndarray, " batch"]:
    """When half have had the event, by the convention of this module; NaN = not reached."""
    ties = _find_ties(curve.times)
    after = np.take_along_axis(curve.survival, ties.last, axis=1)
    before = np.concatenate([np.ones((len(after), 1)), curve.survival], axis=1)
    middle = (np.take_along_axis(before, ties.first, axis=1) + after) / 2
    crossed = curve.events & (middle <= 0.5)
    place = np.argmax(crossed, axis=1)[:, None]
    start_time, start_share = _last_event_before(curve, middle, place)
    time, share = (np.take_along_axis(column, place, axis=1)[:, 0] for column in (curve.times, middle))
    fall = np.where(crossed.any(axis=1), start_share - share, 1.0)
    median = start_time + (time - start_time) * (start_share - 0.5) / fall
    reached = curve.survival[:, -1] <= 0.5
    last_event = np.max(np.where(curve.events, curve.times, -np.inf), axis=1)
    return np.where(crossed.any(axis=1), median, np.where(reached, last_event, np.nan))


def _last_event_before(
    curve: Curve, middle: Float64[np.ndarray, "batch n"], place: Int[np.ndarray, "batch 1"]
) -> tuple[Float64[np.ndarray, " batch"], Float64[np.ndarray, " batch"]]:
    """Time and middle of the step before a place; time 0 and everybody free where there is none."""
    places = _places(curve.times)
    earlier = np.max(np.where(curve.events & (places < place), places, -1), axis=1)[:, None]
    found = earlier[:, 0] >= 0
    time, share = (
        np.take_along_axis(column, np.maximum(earlier, 0), axis=1)[:, 0] for column in (curve.times, middle)
    )
    return np.where(found, time.astype(np.float64), 0.0), np.where(found, share, 1.0)


def _places(times: Shaped[np.ndarray, "batch n"]) -> NDArray[np.int64]:
    """The numbers of the places of a sample."""
    return np.arange(times.shape[1], dtype=np.int64)


def _find_ties(times: Shaped[np.ndarray, "batch n"]) -> _Ties:
    """The runs of equal times of sorted samples."""
    places = np.broadcast_to(_places(times), times.shape)
    border = np.ones((len(times), 1), np.bool_)
    changes = times[:, 1:] != times[:, :-1]
    begins = np.concatenate([border, changes], axis=1)
    ends = np.concatenate([changes, border], axis=1)
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=1)
    last = np.minimum.accumulate(np.where(ends, places, times.shape[1])[:, ::-1], axis=1)[:, ::-1]
    return _Ties(first, last)


def hazard_ratio(treated: FollowUp, control: FollowUp) -> Float64[np.ndarray, " batch"]:
    """Cox's hazard ratio of the first group over the second, below 1 where the first does better.

    Args:
        treated: The group whose hazard is the numerator.
        control: The group it is compared with, in as many samples.

    Returns:
        The ratio that maximises the partial likelihood; NaN where it has no finite maximum.
    """
    risk = _risk_sets(treated, control)
    log_ratio = np.zeros(len(risk.events_treated))
    total = risk.treated + risk.control
    for _ in range(_STEPS_MAX):
        weighted = risk.treated * np.exp(log_ratio)[:, None]
        share = np.divide(weighted, risk.control + weighted, out=np.zeros_like(total), where=total > 0)
        score = risk.events_treated - share.sum(axis=1)
        information = (share * (1.0 - share)).sum(axis=1)
        step = np.clip(score / np.maximum(information, 1e-12), -_STEP_MAX, _STEP_MAX)
        log_ratio = np.where(risk.bounded, log_ratio + step, 0.0)
        if np.all(np.abs(step[risk.bounded]) < _STEP_ENOUGH):
            break
    return np.where(risk.bounded, np.exp(log_ratio), np.nan)


class _RiskSets(NamedTuple):
    """Who was at risk at each event."""

    treated: Float64[np.ndarray, "batch n"]
    """Of the treated, after Efron; 0 in both where the place is no event."""
    control: Float64[np.ndarray, "batch n"]
    """Of the controls."""
    events_treated: Float64[np.ndarray, " batch"]
    """Events among the treated."""
    bounded: Bool[np.ndarray, " batch"]
    """Whether the likelihood has a finite maximum."""


def _risk_sets(treated: FollowUp, control: FollowUp) -> _RiskSets:
    times = np.concatenate([treated.times, control.times], axis=1)
    order = np.argsort(times, axis=1, kind="stable")
    events = np.concatenate([treated.events, control.events], axis=1)
    events = np.take_along_axis(events, order, axis=1)
    in_treated = order < treated.times.shape[1]
    ties = _find_ties(np.take_along_axis(times, order, axis=1))
    hits = events & in_treated
    behind = (np.cumsum(events, axis=1) - _through_tie_before(events, ties)) - 1
    fraction = behind / np.maximum(_in_tie(events, ties), 1)
    sets = [
        np.where(events, _remaining(group, ties) - fraction * _in_tie(group & events, ties), 0.0)
        for group in (in_treated, ~in_treated)
    ]
    count = hits.sum(axis=1)
    lowest = np.sum(events & (sets[1] <= 0), axis=1)
    highest = np.sum(events & (sets[0] > 0), axis=1)
    return _RiskSets(sets[0], sets[1], count.astype(np.float64), (lowest < count) & (count < highest))


def _through_tie_before(marked: Bool[np.ndarray, "batch n"], ties: _Ties) -> Int[np.ndarray, "batch n"]:
    """How many are marked before the run of ties that holds a place."""
    counts = np.concatenate([np.zeros((len(marked), 1), np.int64), np.cumsum(marked, axis=1)], axis=1)
    return np.take_along_axis(counts, ties.first, axis=1)


def _in_tie(marked: Bool[np.ndarray, "batch n"], ties: _Ties) -> Int[np.ndarray, "batch n"]:
    """How many are marked within the run of ties that holds a place."""
    through = np.take_along_axis(np.cumsum(marked, axis=1), ties.last, axis=1)
    return through - _through_tie_before(marked, ties)


def _remaining(group: Bool[np.ndarray, "batch n"], ties: _Ties) -> Int[np.ndarray, "batch n"]:
    """How many of a group are at risk when the run of ties begins."""
    return group.sum(axis=1)[:, None] - _through_tie_before(group, ties)
