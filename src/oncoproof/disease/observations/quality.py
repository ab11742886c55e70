"""Quality of life: what each week is worth, what patients report of it, and what courses add up to.

Rules this module guarantees:

- A week's utility is that of the state (disease, line, response or progression), multiplied down by each
  active adverse event, by a visible metastasis in the brain and by decline at the end of life, so that one
  event takes what was published and several take less than their sum; weeks after death are worth nothing.
- Published numbers come from the knowledge base by disease, name and instrument; an event that a disease has
  no number for takes that of lung cancer, else of breast cancer, else a stated one.
- Gains compare two courses of the same patients.

    >>> [round(row, 3) for row in utilities_by_state("nsclc")[:, 0].tolist()]
    [0.653, 0.673, 0.673, 0.473]
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float32, Float64, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.endpoints import WEEKS_PER_MONTH
from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.courses.scans import BRAIN_VISIBLE
from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.observations.adverse_events import AdverseEvents
from oncoproof.disease.observations.chance import Rows, normal_rows
from oncoproof.disease.observations.event_tables import terms
from oncoproof.disease.observations.likelihoods import logit_normal
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.reserve import Reserve, decline
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.observations.toxicity_burden import Activity, summed
from oncoproof.disease.people.covariates import Numbers
from oncoproof.errors import IntegrityError
from oncoproof.knowledge.courses import Utility, utilities_of
from oncoproof.knowledge.tables import Basis, parse_csv

STATES = ("stable", "partial", "complete", "progressed")
"""States that have a utility."""

_LINES = 12
_WEEKS_PER_YEAR = 12 * WEEKS_PER_MONTH
_DAYS_PER_WEEK = 7.0
_OTHERWISE = "nsclc"
_USUAL = 0.7
"""Utility of a stable state against which decrements count that no disease has of its own."""


@dataclass(frozen=True, slots=True)
class UtilityState:
    """Which published utility stands for a state; one row of the table."""

    disease: str
    """Disease slug."""
    state: str
    """One of `STATES`."""
    line: int | None
    """From which line of treatment on; None = from the first."""
    name: str
    """Name of the state in the knowledge base."""
    instrument: str
    """Its instrument there."""
    source_line: int | None
    """Its line there; None = not restricted."""
    factor: float
    """What the published number is multiplied with."""
    source: str
    """Id of an entry of `sources.csv`: where the choice is argued."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class UtilityEvent:
    """Which published decrement stands for an adverse event; one row of the table."""

    term: str
    """Slug of a CTCAE term."""
    name: str
    """Name of the event in the knowledge base."""
    source: str
    """Id of an entry of `sources.csv`: where the choice is argued."""
    basis: Basis
    """How we know."""


class Quality(NamedTuple):
    """Utilities, by week, and as patients report them."""

    utility: Float32[np.ndarray, "weeks n"]
    """Worth of the week, from 0 (dead) to 1 (full health)."""
    report_week: Int32[np.ndarray, " reports"]
    """Week of a report; a patient reports at each scan."""
    report_patient: Int32[np.ndarray, " reports"]
    """Place of the patient."""
    reported: Float64[np.ndarray, " reports"]
    """Utility as reported."""
    person: Float64[np.ndarray, " n"]
    """Truth: how much better than others of that state the patient feels, in log odds."""


class Totals(NamedTuple):
    """What courses add up to; one patient a place."""

    months: Float64[np.ndarray, " n"]
    """Months lived."""
    qalys: Float64[np.ndarray, " n"]
    """Years lived, each week at its utility."""
    hospital_weeks: Float64[np.ndarray, " n"]
    """Weeks in hospital for adverse events."""


@cache
def utilities_by_state(disease: str) -> Float64[np.ndarray, "states lines"]:
    """The utility of each of `STATES` in each line of treatment, from the first."""
    name = "utility_states.csv"
    rows = parse_csv(read_data(name), "utility_states", UtilityState, where=name, family="oncoproof.disease")
    found = np.full((len(STATES), _LINES), np.nan)
    for row in sorted((row for row in rows if row.disease == disease), key=lambda row: row.line or 1):
        found[STATES.index(row.state), (row.line or 1) - 1 :] = _published_state(row) * row.factor
    if np.isnan(found).any():
        raise IntegrityError(
            where=name, came=f"no utility of every state of {disease!r}", expected="a row for each state",
            remedy="add rows for the disease",
        )  # fmt: skip
    return found


def _published_state(row: UtilityState) -> float:
    wanted = () if row.source_line is None else (row.source_line,)
    found = [
        fact
        for fact in utilities_of(row.disease, row.name, instrument=row.instrument)
        if fact.line == wanted and fact.disease == row.disease
    ]
    if not found:
        raise IntegrityError(
            where=f"utility_states.csv {row.disease} {row.state}", came=f"{row.name}, {row.instrument}",
            expected="a utility of the knowledge base", remedy="correct name, instrument or source_line",
        )  # fmt: skip
    return found[0].figure.value


@cache
def decrements(disease: str) -> Float64[np.ndarray, " terms"]:
    """What each term takes at grade 3 or more, as a number above 0."""
    name = "utility_events.csv"
    rows = parse_csv(read_data(name), "utility_events", UtilityEvent, where=name, family="oncoproof.disease")
    names = {row.term: row.name for row in rows}
    other = number_of("utility_other_event")
    return np.array([_published_decrement(disease, names.get(term.slug), other) for term in terms()])


def _published_decrement(disease: str, name: str | None, other: float) -> float:
    if name is None:
        return other
    for source in (disease, _OTHERWISE, "breast"):
        found = _preferred(fact for fact in utilities_of(source, name) if fact.disease == source)
        if found is not None:
            return -found.figure.value
    return other


def _preferred(facts: Iterable[Utility]) -> Utility | None:
    """Of several instruments the standard gamble, whose decrements are smaller: the states are its too."""
    return min(facts, key=lambda fact: fact.instrument != "standard_gamble", default=None)


def value_weeks(walked: Walked, events: AdverseEvents, activity: Activity, reserve: Reserve) -> Quality:
    """The worth of every week, and what is reported at scans.

    Args:
        walked: The courses.
        events: Adverse events.
        activity: When they are active.
        reserve: What patients have left.
    """
    timeline = walked.timeline
    disease = walked.words("disease")
    planned = np.nan_to_num(walked.quantities("line"), nan=1.0)
    line = np.clip(timeline.line + np.maximum(planned, 1).astype(np.int8) - 1, 0, _LINES - 1)
    state = np.where(timeline.progressed, np.int8(len(STATES) - 1), timeline.response)
    slugs, which = np.unique(disease, return_inverse=True)
    table = np.stack([utilities_by_state(str(slug)) for slug in slugs]).astype(np.float32)
    base = table[which[None, :], state, line]
    lost = summed(activity, _log_losses(events, slugs, which), walked.shape)
    in_brain = (walked.weeks.brain >= BRAIN_VISIBLE) * np.float32(
        _log_loss(number_of("utility_brain"), _USUAL)
    )
    near_end = decline(reserve.weeks_left) * np.float32(_log_loss(number_of("utility_decline"), _USUAL))
    utility = np.where(timeline.lived, base * np.exp(lost + in_brain + near_end), np.float32(0.0))
    return _reported(walked, utility)


def _log_losses(
    events: AdverseEvents, slugs: NDArray[np.str_], which: NDArray[np.intp]
) -> Float64[np.ndarray, " events"]:
    """What each event does at its height to the log of the utility."""
    by_grade = np.array(
        [0.0, number_of("utility_grade1_share"), number_of("utility_grade2_share"), 1.0, 1.0, 1.0]
    )
    taken = np.stack([decrements(str(slug)) for slug in slugs])
    stable = np.array([utilities_by_state(str(slug))[0, 0] for slug in slugs])
    of_event = which[events.patient]
    return _log_loss(taken[of_event, events.term] * by_grade[events.grade], stable[of_event])


def _log_loss(decrement: Numbers, stable: Numbers) -> Numbers:
    """Log of the share of a stable state's utility that a decrement leaves."""
    return np.log1p(-np.minimum(decrement / stable, 0.9))


def _reported(walked: Walked, utility: Float32[np.ndarray, "weeks n"]) -> Quality:
    visits = walked.visits
    week, patient = visits.week[visits.scanned], visits.patient[visits.scanned]
    nobody = np.zeros_like(walked.numbers)
    person = normal_rows(walked.key, Rows(walked.numbers, nobody), Channel.QUALITY, places=1)[0]
    person = number_of("utility_person_spread") * person.astype(np.float64)
    rows = Rows(walked.numbers[patient], 2 * (week + 1))
    error = normal_rows(walked.key, rows, Channel.QUALITY, places=1)[0]
    logit = _logit(utility[week, patient].astype(np.float64)) + person[patient]
    reported = 1.0 / (1.0 + np.exp(-(logit + number_of("utility_report_error") * error)))
    return Quality(utility, week, patient, reported, person)


def _logit(utility: Numbers) -> Numbers:
    share = np.clip(utility, 0.01, 0.99)
    return np.log(share / (1.0 - share))


def total(walked: Walked, quality: Quality, events: AdverseEvents, *, discount_yearly: float = 0.0) -> Totals:
    """What each course adds up to.

    Args:
        walked: The courses.
        quality: The worth of their weeks.
        events: Adverse events.
        discount_yearly: Yearly discount of years of life; `number_of("discount_yearly")` is usual.
    """
    lived = walked.timeline.lived
    weights = (1.0 + discount_yearly) ** (-np.arange(len(lived)) / _WEEKS_PER_YEAR)
    days = np.bincount(events.patient, weights=events.hospital_days, minlength=lived.shape[1])
    return Totals(
        months=lived.sum(axis=0) / WEEKS_PER_MONTH,
        qalys=weights @ quality.utility.astype(np.float64) / _WEEKS_PER_YEAR,
        hospital_weeks=np.minimum(days / _DAYS_PER_WEEK, lived.sum(axis=0)),
    )


def gained(one: Totals, other: Totals) -> Totals:
    """What one course of each patient has over another."""
    return Totals(*(mine - theirs for mine, theirs in zip(one, other, strict=True)))


def log_probability(reported: Numbers, *, utility: Numbers, person: Numbers) -> Float[Array, "..."]:
    """Log density of reported utilities.

    Args:
        reported: As reported.
        utility: Worth of the week.
        person: How much better than others the patient feels, in log odds.
    """
    share = jnp.clip(jnp.asarray(utility), 0.01, 0.99)
    centre = jnp.log(share) - jnp.log1p(-share) + jnp.asarray(person)
    return logit_normal(reported, logit_mean=centre, logit_sd=number_of("utility_report_error"))
