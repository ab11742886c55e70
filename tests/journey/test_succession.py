"""Rules of succession: each one refuses what breaks it, and lets pass what comes close."""

from dataclasses import replace
from datetime import date

import pytest

from oncoproof.errors import JourneyError
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Clone,
    CloneKind,
    Content,
    Decision,
    Diagnosis,
    Lab,
    Modality,
    Outcome,
    OutcomeType,
    Role,
    Status,
    Treatment,
)
from oncoproof.journey.events import Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.omics import Finding, Origin, Pharmacogene, Presence, SmallVariant
from oncoproof.journey.patient import Patient
from oncoproof.journey.succession import EVENT_RULES, LINK_RULES, EventRule

PRIMARY = Diagnosis(role=Role.PRIMARY)
DEATH = Outcome(type=OutcomeType.DEATH)
DRUG = Treatment(modality=Modality.DRUG)


def at(day: int, content: Content, *, recorded: int | None = -1, end: int | None = None) -> Event:
    """An event named by its day and class; recorded on its day unless told otherwise."""
    return Event(
        id=f"{type(content).__name__}.{day}",
        day=day,
        recorded=day if recorded == -1 else recorded,
        source=Source.CLINICAL,
        content=content,
        end=end,
    )


def journey_of(*events: Event) -> Journey:
    journey = Journey(Patient(id="p1"), date(2026, 3, 1))
    for event in events:
        journey.add(event)
    return journey


def germline(finding: Finding, presence: Presence = Presence.PRESENT) -> Biomarker:
    return Biomarker(finding=finding, presence=presence, origin=Origin.GERMLINE)


BRCA = SmallVariant(gene="BRCA1", protein="p.Cys61Gly", vaf=0.49)
DPYD = Pharmacogene(gene="DPYD", diplotype="*1/*2A")

REFUSED = {
    "clones_are_hidden": [[at(0, Clone(kind=CloneKind.BYPASS, log10_cells=6.0))]],
    "decisions_are_recorded": [
        [at(5, Decision(maker="board", task="therapy"), recorded=None)],
        [at(5, Decision(maker="board", task="therapy"), recorded=6)],
    ],
    "one_death": [[at(9, DEATH), replace(at(9, DEATH), id="again")]],
    "death_is_last": [
        [at(9, DEATH), at(10, Lab(value=None))],
        [at(9, DEATH), at(8, Lab(value=None), end=10)],
        [at(10, Lab(value=None)), at(9, DEATH)],
        [at(8, Lab(value=None), end=10), at(9, DEATH)],
    ],
    "treatment_needs_diagnosis": [
        [at(0, DRUG)],
        [at(5, PRIMARY), at(4, DRUG)],
        [at(0, Diagnosis(role=Role.COMORBIDITY)), at(5, DRUG)],
    ],
    "outcome_needs_diagnosis": [
        [at(5, PRIMARY), at(4, Outcome(type=OutcomeType.PROGRESSION))],
        [at(4, Outcome(type=OutcomeType.RESPONSE))],
    ],
    "germline_is_for_life": [
        [at(0, germline(BRCA)), at(5, germline(replace(BRCA, vaf=0.51), Presence.ABSENT))],
        [at(0, germline(DPYD)), at(5, germline(replace(DPYD, diplotype="*1/*1")))],
    ],
    "over_means_ended": [
        [at(0, PRIMARY), at(1, replace(DRUG, status=Status.COMPLETED))],
        [at(0, PRIMARY), at(1, replace(DRUG, status=Status.STOPPED))],
        [at(1, AdverseEvent(grade=2, resolution="resolved"))],
    ],
}

ACCEPTED = {
    "clones_are_hidden": [[at(0, Clone(kind=CloneKind.BYPASS, log10_cells=6.0), recorded=None)]],
    "decisions_are_recorded": [[at(5, Decision(maker="board", task="therapy"))]],
    "one_death": [[at(9, DEATH)]],
    "death_is_last": [
        [at(9, DEATH), at(9, Lab(value=None), recorded=20, end=9)],
        [at(9, Lab(value=None), recorded=20), at(9, DEATH)],
    ],
    "treatment_needs_diagnosis": [
        [at(5, PRIMARY), at(5, DRUG)],
        [at(5, PRIMARY, recorded=None), at(6, DRUG)],
        [at(5, Treatment(modality=Modality.SUPPORTIVE))],
        [at(9, PRIMARY), replace(at(5, PRIMARY), id="first"), at(6, DRUG)],
    ],
    "outcome_needs_diagnosis": [[at(5, Outcome(type=OutcomeType.LOST))]],
    "germline_is_for_life": [
        [at(0, germline(BRCA)), at(5, germline(replace(BRCA, vaf=0.51)))],
        [at(0, germline(BRCA)), at(5, germline(BRCA, Presence.NO_CALL))],
        [at(0, germline(BRCA)), replace(at(5, germline(BRCA, Presence.ABSENT)), confidence=0.9)],
        [at(0, Biomarker(finding=BRCA)), at(5, Biomarker(finding=BRCA, presence=Presence.ABSENT))],
        [at(0, germline(DPYD)), at(5, germline(replace(DPYD, diplotype="")))],
    ],
    "over_means_ended": [
        [at(0, PRIMARY), at(1, replace(DRUG, status=Status.COMPLETED), end=1)],
        [at(0, PRIMARY), at(1, replace(DRUG, status=Status.COMPLETED), recorded=9)],
        [at(0, PRIMARY), at(1, Treatment(modality=Modality.SURGERY, status=Status.COMPLETED))],
        [at(1, AdverseEvent(grade=2, resolution="recovering"))],
    ],
}


@pytest.mark.parametrize(
    ("rule", "events"), [(rule, each) for rule, all_ in REFUSED.items() for each in all_]
)
def test_a_breach_is_refused_and_changes_nothing(rule: str, events: list[Event]) -> None:
    journey = journey_of(*events[:-1])
    sentence = next(each.sentence for each in EVENT_RULES if each.name == rule)
    with pytest.raises(JourneyError) as caught:
        journey.add(events[-1])
    assert caught.value.expected == sentence
    assert caught.value.where == f"event {events[-1].id!r}"
    assert journey == journey_of(*events[:-1])


@pytest.mark.parametrize(
    ("rule", "events"), [(rule, each) for rule, all_ in ACCEPTED.items() for each in all_]
)
def test_what_keeps_the_rule_is_accepted(rule: str, events: list[Event]) -> None:
    assert len(journey_of(*events)) == len(events), rule


def test_every_rule_is_shown_from_both_sides() -> None:
    names = {rule.name for rule in EVENT_RULES}
    assert names == REFUSED.keys() == ACCEPTED.keys()


def test_rules_are_sentences_with_names_of_their_own() -> None:
    names = [rule.name for rule in (*EVENT_RULES, *LINK_RULES)]
    assert len(names) == len(set(names))
    assert all(rule.sentence.endswith(".") for rule in (*EVENT_RULES, *LINK_RULES))


def test_a_plan_neither_helps_nor_harms() -> None:
    journey = journey_of(at(0, PRIMARY), at(1, replace(DRUG, status=Status.PLANNED)))
    harm = at(3, AdverseEvent(grade=2))
    with pytest.raises(JourneyError, match="a planned treatment that harms"):
        journey.add(harm, because=[Because("Treatment.1", Reason.HARMS)])


def test_truth_cannot_be_recorded_by_a_link() -> None:
    journey = journey_of(at(0, PRIMARY), at(3, AdverseEvent(grade=2), recorded=None), at(4, Lab(value=None)))
    with pytest.raises(JourneyError, match="not in the record"):
        journey.link("AdverseEvent.3", "Lab.4", Reason.SHOWS, recorded=9)
    journey.link("AdverseEvent.3", "Lab.4", Reason.SHOWS)


@pytest.mark.parametrize("rule", EVENT_RULES, ids=lambda rule: rule.name)
def test_a_partial_journey_may_lack_what_events_rest_on(rule: EventRule) -> None:
    for events in REFUSED[rule.name]:
        journey = Journey(Patient(id="p1"), date(2026, 3, 1), is_partial=True)
        for event in events[:-1]:
            journey.add(event)
        if rule.needs_whole:
            journey.add(events[-1])
        else:
            with pytest.raises(JourneyError):
                journey.add(events[-1])
