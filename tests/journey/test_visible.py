"""What is visible on a day: no later event, no truth, no end that is still to come."""

import itertools
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import (
    AdverseEvent,
    Clone,
    CloneKind,
    Diagnosis,
    Lab,
    Modality,
    Status,
    Treatment,
)
from oncoproof.journey.events import Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import from_json, record_to_json, to_json
from oncoproof.journey.links import Link, Reason
from strategies import LAST_DAY, events, journeys, try_to_add, try_to_link

days = st.integers(-25, LAST_DAY + 70)


def _uncut(event: Event) -> Event:
    return event.ongoing()


@given(journeys(), days)
def test_nothing_later_and_no_truth(journey: Journey, as_of: int) -> None:
    record = journey.visible(as_of)
    assert record.as_of == as_of
    for event in record.events:
        assert event.recorded is not None
        assert event.recorded <= as_of
        assert event.end is None or event.end <= as_of
    shown = {event.id for event in record.events}
    for link in record.links:
        assert link.recorded is not None
        assert link.recorded <= as_of
        assert {link.cause, link.effect} <= shown


@given(journeys(), days)
def test_everything_recorded_by_then_is_told(journey: Journey, as_of: int) -> None:
    known = [event for event in journey if event.recorded is not None and event.recorded <= as_of]
    told = journey.visible(as_of).events
    assert [event.id for event in told] == [event.id for event in known]
    for event, source in zip(told, known, strict=True):
        ended = source.end is None or source.end <= as_of
        assert event == (source if ended else source.ongoing())


@given(journeys(), days)
def test_what_is_seen_stays_seen(journey: Journey, as_of: int) -> None:
    before, after = journey.visible(as_of), journey.visible(as_of + 1)
    later = {event.id: event for event in after.events}
    for event in before.events:
        assert _uncut(later[event.id]) == _uncut(event)
    assert set(before.links) <= set(after.links)


@given(journeys())
def test_the_last_day_tells_the_whole_record(journey: Journey) -> None:
    record = journey.record()
    assert record == journey.visible(record.as_of)
    assert record.events == tuple(event for event in journey if event.recorded is not None)
    assert record.links == tuple(link for link in journey.links() if link.recorded is not None)
    assert replace(journey.visible(record.as_of + 1000), as_of=record.as_of) == record


@given(journeys(), days)
def test_a_record_is_a_partial_journey(journey: Journey, as_of: int) -> None:
    record = journey.visible(as_of)
    partial = Journey.from_record(record)
    assert partial.is_partial
    assert replace(partial.record(), as_of=as_of) == record
    assert from_json(to_json(partial)) == partial


@given(journeys(), days)
def test_a_date_is_its_day(journey: Journey, as_of: int) -> None:
    assert journey.visible(journey.index + timedelta(days=as_of)) == journey.visible(as_of)


def _is_hidden(event: Event, as_of: int) -> bool:
    return event.recorded is None or event.recorded > as_of


def _altered(event: Event, as_of: int) -> Event:
    """The event with all changed that nobody may know on a day."""
    if _is_hidden(event, as_of):
        return replace(event, note="another", codes=(Code("urn:x", "y"),), confidence=0.5, source=Source.LAB)
    if event.end is None or event.end <= as_of:
        return event
    content = event.content
    if isinstance(content, Treatment) and content.status is not Status.PLANNED:
        content = replace(content, status=Status.STOPPED, reason_ended="another reason")
    if isinstance(content, AdverseEvent):
        content = replace(content, resolution="recovering", grade=5 if content.grade >= 4 else content.grade)
    return replace(event, content=content, end=as_of + 1)


def _another_future(journey: Journey, as_of: int, drops: set[int]) -> Journey:
    """A journey that differs in everything hidden on a day, and in nothing else."""
    other = Journey(journey.patient, journey.index)
    for number, event in enumerate(journey):
        if number in drops and _is_hidden(event, as_of) and not isinstance(event.content, Diagnosis):
            continue
        clone = Clone(kind=CloneKind.BYPASS, log10_cells=float(number))
        try_to_add(
            other, Event(id=f"t{number}", day=event.day, recorded=None, source=Source.LAB, content=clone)
        )
        added = try_to_add(other, _altered(event, as_of))
        assert added or _is_hidden(event, as_of)
    try_to_add(
        other,
        Event(id="late", day=as_of, recorded=as_of + 1, source=Source.LAB, content=Lab(value="late")),
    )
    for link in journey.links():
        if link.recorded is not None and link.recorded <= as_of:
            try_to_link(other, link)
    _add_true_links(other)
    return other


def _add_true_links(journey: Journey) -> None:
    order = [event.id for event in journey]
    for cause, effect in itertools.pairwise(order):
        for reason in Reason:
            try_to_link(journey, Link(cause, effect, reason))


@given(journeys(), days, st.sets(st.integers(0, 8)))
def test_what_is_hidden_never_changes_what_is_seen(journey: Journey, as_of: int, drops: set[int]) -> None:
    other = _another_future(journey, as_of, drops)
    assert record_to_json(other.visible(as_of)) == record_to_json(journey.visible(as_of))


@given(events())
def test_ongoing_forgets_the_end_only(event: Event) -> None:
    ongoing = event.ongoing()
    assert ongoing.end is None
    assert ongoing.ongoing() == ongoing
    assert replace(ongoing, content=event.content, end=event.end) == event


def test_a_fatal_harm_is_not_told_as_fatal_before_its_end() -> None:
    harm = AdverseEvent(grade=5, resolution="fatal")
    assert harm.ongoing() == AdverseEvent(grade=4)


@pytest.mark.parametrize("status", [Status.ACTIVE, Status.HELD, Status.COMPLETED, Status.STOPPED])
def test_a_treatment_under_way_is_active(status: Status) -> None:
    treatment = Treatment(modality=Modality.DRUG, status=status, reason_ended="progression")
    assert treatment.ongoing() == Treatment(modality=Modality.DRUG, status=Status.ACTIVE)
