"""What is visible on a day: no later event, no truth, no end that is still to come."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import Phase, find, given, settings
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
from oncoproof.journey.records import Record
from strategies import View, events, journeys, try_to_add, try_to_link, views

VIEWS = 200
"""Views that the properties about leaks look at: enough to meet each way to leak."""


def _uncut(event: Event) -> Event:
    return event.ongoing()


def leaks(journey: Journey, record: Record) -> list[str]:
    """What a record tells that nobody could know on its day."""
    found: list[str] = []
    known = {event.id: event for event in journey if event.recorded is not None}
    for event in record.events:
        source = known.get(event.id)
        if source is None or source.recorded is None or source.recorded > record.as_of:
            found.append(f"event {event.id}")
        elif source.end is not None and source.end > record.as_of and event != source.ongoing():
            found.append(f"the end of {event.id}")
    shown = {event.id for event in record.events}
    early = (
        link
        for link in record.links
        if link.recorded is None or link.recorded > record.as_of or not {link.cause, link.effect} <= shown
    )
    found.extend(f"link {link.cause} {link.reason} {link.effect}" for link in early)
    return found


@settings(max_examples=VIEWS)
@given(views())
def test_nothing_later_and_no_truth(view: View) -> None:
    record = view.journey.visible(view.as_of)
    assert record.as_of == view.as_of
    assert leaks(view.journey, record) == []


def _with_truth(journey: Journey, as_of: int) -> Record:
    record = journey.visible(as_of)
    hidden = (event for event in journey if event.recorded is None and event.day <= as_of)
    return replace(record, events=(*record.events, *hidden))


def _with_tomorrow(journey: Journey, as_of: int) -> Record:
    return replace(journey.visible(as_of + 1), as_of=as_of)


def _by_day_of_event(journey: Journey, as_of: int) -> Record:
    early = (event for event in journey if event.recorded is not None and event.day <= as_of)
    return replace(journey.visible(as_of), events=tuple(event.ongoing() for event in early))


def _with_ends(journey: Journey, as_of: int) -> Record:
    record = journey.visible(as_of)
    return replace(record, events=tuple(journey.event(event.id) for event in record.events))


def _with_how_it_ended(journey: Journey, as_of: int) -> Record:
    record = journey.visible(as_of)
    told = (replace(journey.event(event.id), end=event.end) for event in record.events)
    return replace(record, events=tuple(told))


def _with_links(journey: Journey, as_of: int, *, of_truth: bool) -> Record:
    record = journey.visible(as_of)
    shown = {event.id for event in record.events}
    known = (link for link in journey.links() if {link.cause, link.effect} <= shown)
    return replace(record, links=tuple(link for link in known if (link.recorded is None) == of_truth))


LEAKY: dict[str, Callable[[Journey, int], Record]] = {
    "truth of the day": _with_truth,
    "tomorrow's record": _with_tomorrow,
    "events by the day they happened": _by_day_of_event,
    "ends to come": _with_ends,
    "how what goes on will end": _with_how_it_ended,
    "links to be recorded": lambda journey, as_of: _with_links(journey, as_of, of_truth=False),
    "links nobody records": lambda journey, as_of: _with_links(journey, as_of, of_truth=True),
}
"""Ways to tell too much, each of which somebody could write in place of `visible`."""


@pytest.mark.parametrize("name", list(LEAKY))
def test_as_many_views_as_a_property_sees_show_each_way_to_tell_too_much(name: str) -> None:
    tell = LEAKY[name]
    as_a_property = settings(
        max_examples=VIEWS, derandomize=True, deadline=None, database=None, phases=[Phase.generate]
    )
    find(views(), lambda view: leaks(view.journey, tell(*view)) != [], settings=as_a_property)


@given(views())
def test_everything_recorded_by_then_is_told(view: View) -> None:
    journey, as_of = view
    known = [event for event in journey if event.recorded is not None and event.recorded <= as_of]
    told = journey.visible(as_of).events
    assert [event.id for event in told] == [event.id for event in known]
    for event, source in zip(told, known, strict=True):
        ended = source.end is None or source.end <= as_of
        assert event == (source if ended else source.ongoing())


@given(views())
def test_what_is_seen_stays_seen(view: View) -> None:
    journey, as_of = view
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


@given(views())
def test_a_record_is_a_partial_journey(view: View) -> None:
    journey, as_of = view
    record = journey.visible(as_of)
    partial = Journey.from_record(record)
    assert partial.is_partial
    assert replace(partial.record(), as_of=as_of) == record
    assert from_json(to_json(partial)) == partial


@given(views())
def test_a_date_is_its_day(view: View) -> None:
    journey, as_of = view
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


@settings(max_examples=VIEWS)
@given(views(), st.sets(st.integers(0, 8)))
def test_what_is_hidden_never_changes_what_is_seen(view: View, drops: set[int]) -> None:
    journey, as_of = view
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
