"""The journey graph: its order, its queries, its edges, and that it has no cycles."""

import itertools
from datetime import date

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import JourneyError
from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Biomarker, Diagnosis, Lab, Modality, Role, Symptom, Treatment
from oncoproof.journey.events import Event, Kind, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Link, Reason
from oncoproof.journey.omics import Msi, MsiClass
from oncoproof.journey.patient import Patient
from strategies import LAST_DAY, events, journeys

INDEX = date(2026, 3, 1)
days = st.integers(-25, LAST_DAY)


def lab(event_id: str, day: int, *codes: Code) -> Event:
    return Event(id=event_id, day=day, recorded=day, source=Source.LAB, content=Lab(value=None), codes=codes)


def small_journey() -> Journey:
    """A diagnosis, a marker and the treatment chosen for it; added out of order."""
    journey = Journey(Patient(id="p1"), INDEX)
    journey.add(
        Event(id="d", day=0, recorded=0, source=Source.CLINICAL, content=Diagnosis(role=Role.PRIMARY))
    )
    journey.add(
        Event(id="t", day=20, recorded=20, source=Source.CLINICAL, content=Treatment(modality=Modality.DRUG))
    )
    journey.add(
        Event(
            id="b",
            day=5,
            recorded=12,
            source=Source.GENOMIC,
            content=Biomarker(finding=Msi(status=MsiClass.HIGH)),
        )
    )
    journey.link("b", "t", Reason.GUIDES, recorded=20)
    journey.link("d", "t", Reason.GUIDES)
    return journey


@given(st.lists(st.integers(-9, 9), max_size=30))
def test_order_is_by_day_then_by_adding(chosen: list[int]) -> None:
    journey = Journey(Patient(id="p1"), INDEX)
    for number, day in enumerate(chosen):
        journey.add(lab(f"e{number}", day))
    expected = sorted(range(len(chosen)), key=lambda number: (chosen[number], number))
    assert [event.id for event in journey] == [f"e{number}" for number in expected]
    assert len(journey) == len(chosen)


@given(journeys(), st.sampled_from(Kind), days, days)
def test_queries_agree_with_a_scan(journey: Journey, kind: Kind, one: int, other: int) -> None:
    order = list(journey)
    of_kind = [event for event in order if event.kind is kind]
    assert list(journey.of_kind(kind)) == of_kind
    assert journey.first(kind) == (of_kind[0] if of_kind else None)
    assert journey.latest(kind) == (of_kind[-1] if of_kind else None)
    by_then = [event for event in of_kind if event.day <= one]
    assert journey.latest(kind, by=one) == (by_then[-1] if by_then else None)
    first, last = sorted((one, other))
    assert list(journey.between(first, last)) == [event for event in order if first <= event.day <= last]


@given(journeys())
def test_links_go_forward_and_are_found_from_both_ends(journey: Journey) -> None:
    position = {event.id: number for number, event in enumerate(journey)}
    links = list(journey.links())
    for link in links:
        assert position[link.cause] < position[link.effect]
        assert link in journey.causes(link.effect)
        assert link in journey.effects(link.cause)
    places = [(position[link.effect], position[link.cause], link.reason) for link in links]
    assert places == sorted(places)
    assert sum(len(journey.effects(event.id)) for event in journey) == len(links)


@given(journeys())
def test_networkx_has_the_same_graph_and_no_cycle(journey: Journey) -> None:
    graph = journey.to_networkx()
    assert nx.is_directed_acyclic_graph(graph)
    assert list(graph.nodes) == [event.id for event in journey]
    causal = [edge for edge in graph.edges(data=True) if edge[2]["type"] == "causal"]
    stored = {Link(before, after, words["reason"], words["recorded"]) for before, after, words in causal}
    assert stored == set(journey.links())
    assert len(causal) + len(list(journey.temporal_edges())) == graph.number_of_edges()


@given(journeys(with_diagnosis=True))
def test_temporal_edges_chain_the_journey_and_each_track(journey: Journey) -> None:
    edges = list(journey.temporal_edges())
    order = [event.id for event in journey]
    whole = [(edge.before, edge.after) for edge in edges if not edge.track]
    assert whole == list(itertools.pairwise(order))
    for kind in (Kind.TREATMENT, Kind.DIAGNOSIS):
        chain = [event.id for event in journey.of_kind(kind)]
        track = [(edge.before, edge.after) for edge in edges if edge.track == kind]
        assert track == list(itertools.pairwise(chain))


def test_laboratory_values_have_a_track_for_each_code() -> None:
    journey = Journey(Patient(id="p1"), INDEX)
    sodium, calcium = Code("urn:x", "na"), Code("urn:x", "ca")
    for number, code in enumerate([sodium, calcium, sodium]):
        journey.add(lab(f"e{number}", number, code))
    tracks = [(edge.before, edge.after) for edge in journey.temporal_edges() if edge.track]
    assert tracks == [("e0", "e2")]


def test_asking_for_what_is_there() -> None:
    journey = small_journey()
    assert journey.event("b").day == 5
    assert "b" in journey
    assert "x" not in journey
    assert journey.index == INDEX
    assert journey.patient.id == "p1"
    assert repr(journey) == "<Journey of 'p1': 3 events from 2026-03-01>"
    assert journey.first(Kind.DECISION) is None
    assert journey.latest(Kind.TREATMENT, by=19) is None
    assert journey.causes("t") == (Link("d", "t", Reason.GUIDES), Link("b", "t", Reason.GUIDES, 20))
    assert journey.effects("d") == (Link("d", "t", Reason.GUIDES),)


def test_journeys_are_equal_by_what_they_tell() -> None:
    journey, other = small_journey(), small_journey()
    assert journey == other
    other.add(lab("l", 1))
    assert journey != other
    assert journey != "a journey"


@pytest.mark.parametrize("call", ["event", "causes", "effects"])
def test_unknown_ids_are_refused(call: str) -> None:
    with pytest.raises(JourneyError, match="'nobody'"):
        getattr(small_journey(), call)("nobody")


@pytest.mark.parametrize(
    ("link", "came"),
    [
        (Link("t", "b", Reason.GUIDES), "a cause after its effect"),
        (Link("t", "t", Reason.GUIDES), "to itself"),
        (Link("x", "t", Reason.GUIDES), "unknown cause 'x'"),
        (Link("b", "x", Reason.GUIDES), "unknown effect 'x'"),
        (Link("b", "t", Reason.GUIDES, 30), "a link that exists"),
        (Link("b", "t", Reason.EVOLVES), "biomarker evolves treatment"),
        (Link("d", "b", Reason.SHOWS, 11), "recorded on day 11, events on day 12"),
    ],
)
def test_links_against_the_rules_are_refused(link: Link, came: str) -> None:
    journey = small_journey()
    with pytest.raises(JourneyError, match=came):
        journey.link(link.cause, link.effect, link.reason, recorded=link.recorded)
    assert journey == small_journey()


@pytest.mark.parametrize(
    "because",
    [
        [Because("x", Reason.GUIDES)],
        [Because("d", Reason.GUIDES), Because("t", Reason.INFORMS)],
        [Because("d", Reason.GUIDES), Because("d", Reason.GUIDES, 40)],
        [Because("d", Reason.GUIDES, 29)],
    ],
)
def test_adding_is_all_or_nothing(because: list[Because]) -> None:
    journey = small_journey()
    second = Event(
        id="t2", day=30, recorded=30, source=Source.CLINICAL, content=Treatment(modality=Modality.DRUG)
    )
    with pytest.raises(JourneyError):
        journey.add(second, because=because)
    assert journey == small_journey()
    journey.add(second, because=[Because("b", Reason.GUIDES, 30), Because("d", Reason.GUIDES)])
    assert [link.cause for link in journey.causes("t2")] == ["d", "b"]


def test_an_id_is_given_once() -> None:
    journey = small_journey()
    with pytest.raises(JourneyError, match="an id that is taken"):
        journey.add(lab("t", 3))


def test_an_event_on_the_day_of_its_cause_comes_after_it() -> None:
    journey = small_journey()
    journey.add(
        Event(id="s", day=20, recorded=20, source=Source.CLINICAL, content=Symptom()),
        because=[Because("t", Reason.HARMS, 20)],
    )
    with pytest.raises(JourneyError, match="a cause after its effect"):
        journey.link("s", "t", Reason.MODIFIES)


@pytest.mark.parametrize("day", [10**7, -(10**7)])
def test_days_are_dates(day: int) -> None:
    with pytest.raises(JourneyError, match="days"):
        small_journey().add(lab("far", day))


@given(st.lists(events(), max_size=1))
def test_any_event_is_kept_as_it_came(lone: list[Event]) -> None:
    journey = small_journey()
    for event in lone:
        if event.kind is not Kind.OUTCOME and event.day > 20:
            journey.add(event)
            assert journey.event(event.id) is event
