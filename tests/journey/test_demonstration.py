"""The demonstration: a whole course for each disease, the same for the same seed, sound at every time."""

from itertools import pairwise

import pytest

from oncoproof.errors import InputError
from oncoproof.journey.codes import System, check_form
from oncoproof.journey.contents import Biomarker, Lab, Modality, Outcome, OutcomeType, Treatment
from oncoproof.journey.demonstration import demonstrate
from oncoproof.journey.events import Event, Kind
from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import from_json, to_json
from oncoproof.journey.links import Reason
from oncoproof.journey.stories import STORIES
from oncoproof.journey.units import Quantity, check_unit
from oncoproof.seeds import Seed

SEEDS = range(12)
EVERY = [(disease, seed) for disease in STORIES for seed in SEEDS]


def told(disease: str, seed: int = 0) -> Journey:
    return demonstrate(Seed(seed), disease)


@pytest.mark.parametrize("disease", STORIES)
def test_the_same_seed_tells_the_same_story(disease: str) -> None:
    assert to_json(told(disease)) == to_json(told(disease))
    assert to_json(told(disease, 1)) != to_json(told(disease, 2))


@pytest.mark.parametrize(("disease", "seed"), EVERY)
def test_a_course_has_every_kind_of_event_and_comes_back_from_json(disease: str, seed: int) -> None:
    journey = told(disease, seed)
    assert {event.kind for event in journey} == set(Kind)
    assert from_json(to_json(journey)) == journey
    hidden = [event for event in journey if event.recorded is None]
    assert {event.kind for event in hidden} == {Kind.CLONE}
    assert Kind.CLONE not in {event.kind for event in journey.record().events}


@pytest.mark.parametrize(("disease", "seed"), EVERY)
def test_treatments_follow_one_another_and_are_explained(disease: str, seed: int) -> None:
    journey = told(disease, seed)
    treatments = list(journey.of_kind(Kind.TREATMENT))
    for before, after in pairwise(treatments):
        assert before.end is not None
        assert before.end <= after.day
    assert all(journey.causes(event.id) for event in treatments)
    assert all(
        journey.causes(event.id) for event in journey.of_kind(Kind.OUTCOME) if _is_of_the_tumour(event)
    )
    reduced = [_treatment(event).dose_fraction for event in treatments]
    assert min(reduced) < 1.0


def _treatment(event: Event) -> Treatment:
    assert isinstance(event.content, Treatment)
    return event.content


def _is_of_the_tumour(event: Event) -> bool:
    return isinstance(event.content, Outcome) and event.content.type is not OutcomeType.HORIZON


@pytest.mark.parametrize("disease", STORIES)
def test_what_drove_the_progression_is_hidden(disease: str) -> None:
    journey = told(disease)
    progression = next(
        event
        for event in journey.of_kind(Kind.OUTCOME)
        if isinstance(event.content, Outcome) and event.content.type is OutcomeType.PROGRESSION
    )
    drives = [link for link in journey.causes(progression.id) if link.reason is Reason.DRIVES]
    assert len(drives) == 1
    assert drives[0].recorded is None
    assert any(link.reason is Reason.READS for link in journey.record().links)


@pytest.mark.parametrize("disease", STORIES)
def test_codes_and_units_are_well_formed(disease: str) -> None:
    for event in told(disease):
        for code in event.codes:
            check_form(code.system, code.code)
        if isinstance(event.content, Lab) and isinstance(event.content.value, Quantity):
            check_unit(event.content.value.unit)
        if isinstance(event.content, Treatment):
            assert event.content.modality is Modality.DRUG
            for drug in event.content.drugs:
                assert drug.dose is not None
                check_unit(drug.dose.unit)


def test_both_endings_are_told() -> None:
    endings = {
        event.content.type
        for seed in SEEDS
        for event in told("nsclc", seed).of_kind(Kind.OUTCOME)
        if isinstance(event.content, Outcome)
    }
    assert {OutcomeType.DEATH, OutcomeType.HORIZON} <= endings


@pytest.mark.parametrize("disease", STORIES)
def test_the_driver_guides_the_treatment_once_it_is_known(disease: str) -> None:
    journey = told(disease)
    guides = [link for link in journey.links() if link.reason is Reason.GUIDES]
    drivers = [link for link in guides if isinstance(journey.event(link.cause).content, Biomarker)]
    assert drivers
    for link in drivers:
        recorded = journey.event(link.cause).recorded
        assert recorded is not None
        assert recorded <= journey.event(link.effect).day


@pytest.mark.parametrize("disease", STORIES)
def test_the_disease_is_named_by_its_slug(disease: str) -> None:
    diagnosis = told(disease).first(Kind.DIAGNOSIS)
    assert diagnosis is not None
    assert diagnosis.code_in(System.DISEASE) == disease


def test_another_disease_is_refused() -> None:
    with pytest.raises(InputError, match="'gout'"):
        told("gout")
