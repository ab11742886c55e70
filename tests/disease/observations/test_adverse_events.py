"""Adverse events: one for each mark, in proportion to what the regimen brings, active until they recover."""

import numpy as np
import pytest

from hand_made_courses import hand_made
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.observations.adverse_events import (
    AdverseEvents,
    draw_adverse_events,
    list_candidates,
    log_probability_of_onset,
    log_probability_of_term,
    severe_weights,
)
from oncoproof.disease.observations.event_tables import recoveries, term_numbers, terms, terms_of_regimen
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.disease.observations.toxicity_burden import activity_of, toxicity_burden
from oncoproof.knowledge.medicines import OrganSystem, load_regimens


@pytest.fixture(scope="module")
def events(walked: Walked) -> AdverseEvents:
    return draw_adverse_events(walked)


def test_every_mark_is_one_event(walked: Walked, events: AdverseEvents) -> None:
    severe = events.grade >= 3
    code = walked.weeks.code
    for by_drug, mark in ((True, Mark.SEVERE), (False, Mark.ILL)):
        chosen = severe & (events.by_drug == by_drug)
        marks = np.argwhere(marked(code, mark)).tolist()
        assert sorted(
            zip(events.week[chosen].tolist(), events.patient[chosen].tolist(), strict=True)
        ) == sorted((week, patient) for week, patient in marks)
    fatal = events.grade == 5
    assert fatal.sum() == marked(code, Mark.DIED_OF_HARM).sum()


def test_grades_are_those_that_a_term_can_have(events: AdverseEvents) -> None:
    fatal = events.grade == 5
    assert (recoveries().fatal_weight[events.term[fatal]] > 0).all()
    assert (events.grade <= recoveries().grade_max[events.term]).all()


def test_terms_come_as_often_as_they_are_weighted() -> None:
    walked = hand_made(patients=6000)
    events = draw_adverse_events(walked)
    chosen = (events.week == 7) & (events.grade >= 3) & events.by_drug
    table = terms_of_regimen("osimertinib")
    weights = severe_weights(table, np.array([7.0]))[0]
    found = np.array([(events.term[chosen] == term).mean() for term in table.term])
    # 3,000 draws: four standard errors are below 0.037.
    np.testing.assert_allclose(found, weights, atol=0.037)
    density = log_probability_of_term(table, events.term[chosen], np.full(int(chosen.sum()), 7.0))
    entropy = -(weights[weights > 0] * np.log(weights[weights > 0])).sum()
    assert float(density.mean()) == pytest.approx(-entropy, abs=0.08)


def test_milder_events_come_as_often_as_their_law_says() -> None:
    walked = hand_made(patients=6000)
    events = draw_adverse_events(walked)
    diarrhoea = term_numbers()["diarrhoea"]
    candidates = list_candidates(walked)
    mine = (candidates.term == diarrhoea) & (candidates.line == 0)
    share, onset = candidates.share[mine], candidates.onset_weeks[mine]
    not_yet = np.exp(log_probability_of_onset(
        candidates.exposure_weeks[mine], happened=np.zeros(len(share), np.bool_),
        share=share, onset_weeks=onset,
    ))  # fmt: skip
    came = ((events.term == diarrhoea) & (events.line == 0) & (events.grade < 3)).sum() / mine.sum()
    # Four standard errors of a share among 6,000.
    assert came == pytest.approx(1 - float(not_yet.mean()), abs=0.026)


def test_events_belong_to_weeks_in_which_the_patient_lives(walked: Walked, events: AdverseEvents) -> None:
    lived = walked.timeline.lived
    assert lived[events.week, events.patient].all()
    activity = activity_of(events, patients=walked.shape[1])
    assert lived.ravel()[activity.cell].all()
    assert ((activity.share > 0) & (activity.share <= 1)).all()


def test_burden_is_the_sum_over_systems_and_falls_with_recovery(
    walked: Walked, events: AdverseEvents
) -> None:
    activity = activity_of(events, patients=walked.shape[1])
    whole = toxicity_burden(events, activity, shape=walked.shape)
    parts = [toxicity_burden(events, activity, shape=walked.shape, system=system) for system in OrganSystem]
    np.testing.assert_allclose(np.sum(parts, axis=0), whole, atol=1e-4)
    harmed = np.arange(0, walked.shape[1], 2)
    assert whole[7, harmed].mean() > whole[11, harmed].mean() > 0


def test_a_patient_meets_the_same_chance_among_others(events: AdverseEvents) -> None:
    alone = draw_adverse_events(hand_made(patients=3, first=7))
    for place in range(3):
        mine, theirs = events.patient == 7 + place, alone.patient == place
        assert events.week[mine].tolist() == alone.week[theirs].tolist()
        assert events.term[mine].tolist() == alone.term[theirs].tolist()
        assert events.grade[mine].tolist() == alone.grade[theirs].tolist()


@pytest.mark.parametrize("regimen", [regimen for regimen in load_regimens() if regimen != "no_treatment"])
def test_every_regimen_has_events(regimen: str) -> None:
    table = terms_of_regimen(regimen)
    weights = severe_weights(table, np.array([0.0, 5.0, 200.0]))
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    assert ((table.mild >= 0) & (table.mild <= 1)).all()
    assert len(set(table.term.tolist())) <= len(terms())
