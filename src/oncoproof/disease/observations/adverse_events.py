"""Adverse events: which term each severe event is, the milder ones beside it, and how long each lasts.

Rules this module guarantees:

- Every mark of a severe event becomes one event of grade 3 or more, put down to the drugs (`SEVERE`) or the
  disease (`ILL`); grade 5 where the patient died of it, and only there.
- A severe event of the drugs is a term of the line's regimen, in proportion to how often the regimen brings
  it at grade 3 or more and to how well its usual time fits.
- A milder event comes to the share of patients who have the term at grade 1 or 2 and no more, after a
  log-normal time, if the line lasts so long.
- A patient meets the same chance for a term in a line under any regimen.

    >>> weights = severe_weights(terms_of_regimen("nivolumab"), np.array([2.0]))
    >>> bool(np.isclose(weights.sum(), 1.0))
    True
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Float32, Float64, Int, Int8, Int16, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.courses.state import LINE_MASK, Mark
from oncoproof.disease.observations.chance import Rows, normal_rows, uniform_rows
from oncoproof.disease.observations.event_tables import (
    Frequencies,
    recoveries,
    systems_of_terms,
    terms_of_illness,
    terms_of_regimen,
)
from oncoproof.disease.observations.likelihoods import time_to_event
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.disease.people.covariates import Numbers
from oncoproof.disease.plans.designs import NO_TREATMENT

_WEEKS_MAX = 1024
_PLACES = 8
"""Places of the channel for each event: severe ones by week and cause, then milder ones by line and term."""
_TERMS_MAX = 256
_FATAL_GRADE = 5


class AdverseEvents(NamedTuple):
    """Adverse events, severe ones first; one event a place."""

    patient: Int32[np.ndarray, " events"]
    """Place of the patient among those that were walked."""
    week: Int32[np.ndarray, " events"]
    """Week of its onset."""
    duration_weeks: Int32[np.ndarray, " events"]
    """Weeks until it has passed, cut off at death and at the horizon."""
    recovery_weeks: Float32[np.ndarray, " events"]
    """Weeks until it would have passed."""
    term: Int16[np.ndarray, " events"]
    """Number of the CTCAE term in `terms()`."""
    system: Int8[np.ndarray, " events"]
    """Number of the organ system in `OrganSystem`."""
    grade: Int8[np.ndarray, " events"]
    """CTCAE grade."""
    line: Int8[np.ndarray, " events"]
    """Line of treatment, from 0."""
    by_drug: Bool[np.ndarray, " events"]
    """Whether the drugs caused it; otherwise the disease did."""
    hospital_days: Float32[np.ndarray, " events"]
    """Days in hospital for it."""


class _Found(NamedTuple):
    """Events whose term is known."""

    patient: NDArray[np.int32]
    week: NDArray[np.int32]
    term: NDArray[np.intp]
    grade: NDArray[np.int8]
    by_drug: NDArray[np.bool_]
    chance: NDArray[np.float32]
    """Two draws: a normal one of the duration, a uniform one of admission."""


def draw_adverse_events(walked: Walked) -> AdverseEvents:
    """All adverse events of the courses."""
    parts = [_severe(walked, by_drug=True), _severe(walked, by_drug=False), _mild(walked)]
    patient = np.concatenate([part.patient for part in parts])
    week = np.concatenate([part.week for part in parts])
    term = np.concatenate([part.term for part in parts])
    grade = np.concatenate([part.grade for part in parts])
    chance = np.concatenate([part.chance for part in parts], axis=1)
    table, severe = recoveries(), grade >= 3
    median = np.where(severe, table.weeks_severe[term], table.weeks_mild[term])
    recovery = median * np.exp(table.spread[term] * chance[0])
    last = walked.timeline.lived.sum(axis=0)[patient]
    duration = np.clip(np.ceil(recovery), 1, np.maximum(last - week, 1))
    admitted = severe & ((grade == _FATAL_GRADE) | (chance[1] < table.admission_share[term]))
    return AdverseEvents(
        patient=patient,
        week=week,
        duration_weeks=duration.astype(np.int32),
        recovery_weeks=recovery.astype(np.float32),
        term=term.astype(np.int16),
        system=systems_of_terms()[term],
        grade=grade,
        line=walked.timeline.line[week, patient],
        by_drug=np.concatenate([part.by_drug for part in parts]),
        hospital_days=np.where(admitted, table.admission_days[term], 0.0).astype(np.float32),
    )


def severe_weights(
    frequencies: Frequencies, line_weeks: Float64[np.ndarray, " events"]
) -> Float64[np.ndarray, "events terms"]:
    """How likely each term is the severe event that came so many weeks into a line; each row sums to 1."""
    spread, late = number_of("onset_spread"), number_of("onset_late_share")
    gap = (np.log(line_weeks + 0.5)[:, None] - np.log(frequencies.onset_weeks)) / spread
    fits = np.exp(-0.5 * gap**2) / (spread * np.sqrt(2 * np.pi) * (line_weeks + 0.5)[:, None])
    possible = recoveries().grade_max[frequencies.term] >= 3
    weight = frequencies.severe * possible * ((1 - late) * fits + late / 52)
    return weight / weight.sum(axis=1, keepdims=True)


def fatal_weights(
    weights: Float64[np.ndarray, "events terms"], frequencies: Frequencies
) -> NDArray[np.float64]:
    """The same of an event that killed."""
    deadly = weights * recoveries().fatal_weight[frequencies.term]
    return deadly / deadly.sum(axis=1, keepdims=True)


def _severe(walked: Walked, *, by_drug: bool) -> _Found:
    """Severe events of the drugs, or of the disease, with the term that each is."""
    code = walked.weeks.code
    week, patient = np.nonzero(marked(code, Mark.SEVERE if by_drug else Mark.ILL))
    fatal = by_drug & marked(code, Mark.DIED_OF_HARM)[week, patient]
    rows = Rows(walked.numbers[patient], _PLACES * (2 * week + (not by_drug)))
    chance = uniform_rows(walked.key, rows, Channel.ADVERSE_EVENT, places=4)
    term = np.zeros(len(week), np.intp)
    since = (week - walked.timeline.started[week, patient]).astype(np.float64)
    for frequencies, chosen in _groups(walked, week, patient, by_drug=by_drug):
        weights = severe_weights(frequencies, since[chosen])
        weights = np.where(fatal[chosen, None], fatal_weights(weights, frequencies), weights)
        taken = (chance[0, chosen, None] > np.cumsum(weights, axis=1)).sum(axis=1)
        term[chosen] = frequencies.term[np.minimum(taken, len(frequencies.term) - 1)]
    table = recoveries()
    worse = (chance[1] < table.grade4_share[term]) & (table.grade_max[term] >= 4)
    grade = np.where(fatal, _FATAL_GRADE, np.where(worse, 4, 3)).astype(np.int8)
    quantile = normal_rows(walked.key, Rows(rows.patient, rows.first + 4), Channel.ADVERSE_EVENT, places=1)
    return _Found(
        patient.astype(np.int32), week.astype(np.int32), term, grade,
        np.full(len(week), by_drug), np.vstack([quantile, chance[2:3]]),
    )  # fmt: skip


def _groups(
    walked: Walked, week: NDArray[np.intp], patient: NDArray[np.intp], *, by_drug: bool
) -> Iterator[tuple[Frequencies, NDArray[np.intp]]]:
    """Severe events that share their frequencies: those of a regimen, or of a disease."""
    if by_drug:
        line = np.minimum(walked.timeline.line[week, patient], len(walked.plan) - 1)
        given = walked.plan[line, patient]
        numbers: list[int] = np.unique(given).tolist()
        for number in numbers:
            none = number == NO_TREATMENT
            table = terms_of_illness("") if none else terms_of_regimen(walked.regimens[number])
            yield table, np.flatnonzero(given == number)
        return
    disease = walked.words("disease")[patient]
    for slug in np.unique(disease):
        yield terms_of_illness(str(slug)), np.flatnonzero(disease == slug)


class Candidates(NamedTuple):
    """Milder events that may come: each term of each line that was given."""

    patient: NDArray[np.int32]
    """Place of the patient."""
    line: NDArray[np.int32]
    """Line of treatment, from 0."""
    start: NDArray[np.int32]
    """Week in which the line started."""
    exposure_weeks: NDArray[np.float64]
    """Weeks from then to the last week with the drugs, and one more."""
    term: NDArray[np.intp]
    """Number of the term."""
    share: NDArray[np.float64]
    """Share of patients to whom it comes if the line lasts for ever."""
    onset_weeks: NDArray[np.float64]
    """Median time of those."""


def list_candidates(walked: Walked) -> Candidates:
    """The milder events that may come in each line that was given."""
    code, timeline = walked.weeks.code, walked.timeline
    week, patient = np.nonzero(marked(code, Mark.STARTED))
    line = timeline.line[week, patient]
    last = np.zeros((LINE_MASK + 1, code.shape[1]), np.int32)
    given_week, whom = np.nonzero(timeline.treated)
    # Weeks ascend, so that what stands in a place in the end is the last of them.
    last[timeline.line[given_week, whom], whom] = given_week
    given = walked.plan[np.minimum(line, len(walked.plan) - 1), patient]
    listed: list[int] = np.unique(given).tolist()
    numbers = [number for number in listed if number != NO_TREATMENT]
    tables = [terms_of_regimen(walked.regimens[number]) for number in numbers]
    started = [np.flatnonzero(given == number) for number in numbers]
    rows = _joined(
        np.repeat(mine, len(table.term)) for mine, table in zip(started, tables, strict=True)
    ).astype(np.intp)

    def column(field: str) -> NDArray[np.float64]:
        columns = (
            np.tile(getattr(table, field), len(mine)) for mine, table in zip(started, tables, strict=True)
        )
        return _joined(columns)

    exposure = (last[line[rows], patient[rows]] - week[rows] + 1).astype(np.float64)
    found = Candidates(
        patient=patient[rows].astype(np.int32),
        line=line[rows].astype(np.int32),
        start=week[rows].astype(np.int32),
        exposure_weeks=exposure,
        term=column("term").astype(np.intp),
        share=column("mild"),
        onset_weeks=column("onset_weeks"),
    )
    return _some(found, np.flatnonzero(found.share > 0))


def _joined(parts: Iterable[NDArray[np.generic]]) -> NDArray[np.float64]:
    """Parts one after another, also where there are none."""
    return np.concatenate([np.zeros(0), *(part.astype(np.float64) for part in parts)])


def _some(candidates: Candidates, chosen: NDArray[np.intp]) -> Candidates:
    """Some of the candidates."""
    return Candidates(
        patient=candidates.patient[chosen],
        line=candidates.line[chosen],
        start=candidates.start[chosen],
        exposure_weeks=candidates.exposure_weeks[chosen],
        term=candidates.term[chosen],
        share=candidates.share[chosen],
        onset_weeks=candidates.onset_weeks[chosen],
    )


def _mild(walked: Walked) -> _Found:
    """Events of grade 1 or 2."""
    candidates = list_candidates(walked)
    first = _PLACES * (2 * _WEEKS_MAX + candidates.line * _TERMS_MAX + candidates.term)
    rows = Rows(walked.numbers[candidates.patient], first)
    comes = uniform_rows(walked.key, rows, Channel.ADVERSE_EVENT, places=2)
    wanted = np.flatnonzero(comes[0] < candidates.share)
    kept = _some(candidates, wanted)
    quantiles = normal_rows(
        walked.key, Rows(rows.patient[wanted], first[wanted] + 2), Channel.ADVERSE_EVENT, places=2
    )
    onset = kept.onset_weeks * np.exp(number_of("onset_spread") * quantiles[0])
    happens = np.flatnonzero(onset < kept.exposure_weeks)
    kept = _some(kept, happens)
    grade = np.where(comes[1, wanted[happens]] < number_of("mild_grade2_share"), 2, 1).astype(np.int8)
    week = kept.start + np.floor(onset[happens]).astype(np.int32)
    chance = np.vstack([quantiles[1, happens], np.ones(len(week), np.float32)])
    return _Found(kept.patient, week, kept.term, grade, np.ones(len(week), np.bool_), chance)


def log_probability_of_term(
    frequencies: Frequencies, term: Int[np.ndarray, " events"], line_weeks: Float64[np.ndarray, " events"]
) -> Float64[np.ndarray, " events"]:
    """Log probability that a severe event of the drugs, which did not kill, is this term."""
    weights = severe_weights(frequencies, line_weeks)
    return np.log(((frequencies.term == term[:, None]) * weights).sum(axis=1))


def log_probability_of_onset(
    weeks: Numbers, *, happened: Numbers, share: Numbers, onset_weeks: Numbers
) -> Float[Array, " events"]:
    """Log probability that a milder event came after so many weeks, or had not come by then.

    Args:
        weeks: When it came, or how long the line's drugs were given.
        happened: Whether it came.
        share: Of the patients to whom it comes if the line lasts for ever.
        onset_weeks: Median time of those.
    """
    return time_to_event(
        weeks,
        happened=happened,
        share=share,
        log_median=jnp.log(jnp.asarray(onset_weeks)),
        log_sd=number_of("onset_spread"),
    )
