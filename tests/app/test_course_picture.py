"""Pictures of simulated courses, read back as what they are: XML with words and shapes."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.app.course_canvas import CHARACTER, WIDTH, Scale, Time, place_labels
from oncoproof.app.course_picture import draw_course, spread, thresholds
from oncoproof.disease.journeys import SimulatedPatient, observe_course, simulate_patient
from oncoproof.disease.numbers import assemble, prior_means
from oncoproof.seeds import Seed

SVG = "{http://www.w3.org/2000/svg}"
CASES = [
    ("nsclc", 1),
    ("nsclc", 3),
    ("crc", 1),
    ("breast", 4),
    ("melanoma", 4),
    ("ovarian", 5),
    ("prostate", 2),
]


@cache
def _patient(disease: str, seed: int) -> SimulatedPatient:
    return simulate_patient(disease, Seed(seed), parameters=assemble(prior_means()))


@cache
def _drawn(disease: str, seed: int) -> ET.Element:
    patient = _patient(disease, seed)
    return ET.fromstring(draw_course(patient, observe_course(patient)))  # noqa: S314  our own text


def _texts(root: ET.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(("disease", "seed"), CASES)
def test_it_says_who_what_and_that_nobody_is_meant(disease: str, seed: int) -> None:
    root, patient = _drawn(disease, seed), _patient(disease, seed)
    words = _texts(root)
    assert any("not a real person" in text for text in words)
    assert root.find(f"{SVG}title") is not None
    assert all(
        any(text.startswith(f"line {n + 1}: ") for text in words) for n in range(len(patient.episodes.lines))
    )
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert sum(text.startswith("week ") for text in titles) == len(patient.episodes.scans)
    assert any(text.startswith("truth: ") for text in titles)


@pytest.mark.parametrize(("disease", "seed"), CASES)
def test_every_adverse_event_is_drawn_with_its_grade(disease: str, seed: int) -> None:
    titles = [element.text or "" for element in _drawn(disease, seed).iter(f"{SVG}title")]
    harms = observe_course(_patient(disease, seed)).harms
    assert sum(", grade " in text for text in titles) == len(harms)


@pytest.mark.parametrize(("disease", "seed"), CASES)
def test_nothing_lies_outside_the_picture(disease: str, seed: int) -> None:
    root = _drawn(disease, seed)
    height = float(root.attrib["viewBox"].split()[3])
    for element in root.iter():
        for name, largest in (("x", WIDTH), ("y", height), ("cx", WIDTH), ("cy", height)):
            if name in element.attrib:
                assert 0 <= float(element.attrib[name]) <= largest, element.attrib
        assert not any(re.search(r"\bnan\b", value) for value in element.attrib.values())


@given(st.lists(st.tuples(st.floats(150, 1170), st.text("abc ", min_size=1, max_size=40)), max_size=25))
def test_labels_never_lie_on_one_another(labels: list[tuple[float, str]]) -> None:
    taken: dict[int, list[tuple[float, float]]] = {}
    for label in place_labels(labels):
        width = CHARACTER * len(label.text)
        start = label.x - width - 4 if label.is_left else label.x + 4
        for before, after in taken.setdefault(label.row, []):
            assert start + width < before or start > after
        taken[label.row].append((start, start + width))


@given(st.lists(st.floats(0, 200), max_size=10))
def test_words_are_spread(heights: list[float]) -> None:
    moved = spread(sorted(heights), lowest=200.0)
    assert all(later - earlier > 9.99 for earlier, later in pairwise(moved))
    assert all(height <= 200 for height in moved)


def test_scales_and_thresholds() -> None:
    scale = Scale(1, 100, top=0, height=200, is_log=True)
    assert (scale.y(100), scale.y(10), scale.y(0.1)) == (0, 100, 200)
    downwards = Scale(4, 0, top=0, height=40)
    assert (downwards.y(0), downwards.y(1), downwards.y(9)) == (0, 10, 40)
    assert thresholds(100, 50) == (70, 60)
    assert thresholds(100, 10) == (70, 15)
    assert len(Time(520).months()) <= 14
