"""RECIST 1.1 on states made by hand: what a reader says of a sum of diameters."""

import jax.numpy as jnp
import numpy as np
import pytest

from disease_patients import constants, on_treatment, traits
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.scans import BRAIN_VISIBLE, Scan, scan
from oncoproof.disease.courses.state import BETWEEN, State

_scan = compiled()(scan)
WHO = traits()


def _read(
    mm: float, *, state: State | None = None, started: bool = False, **changed: float
) -> tuple[State, Scan]:
    """A scan of a tumour whose sum of diameters is this; 100 mm are an extent of 1."""
    before = on_treatment(WHO, line_week=12) if state is None else state
    extent = np.array([(mm / 100) ** 3], np.float32)
    clones = np.zeros((4, 1), np.float32)
    clones[0] = extent
    before = before._replace(
        clones=clones, **{name: np.array([value], np.float32) for name, value in changed.items()}
    )
    return _scan(before, WHO, constants(), jnp.array([started]), extent_before=jnp.array(extent))


def _course(*readings: float) -> list[tuple[State, Scan]]:
    """Scan after scan of one line; the first sets the base."""
    found = [_read(readings[0], started=True)]
    for mm in readings[1:]:
        state = found[-1][0]
        found.append(_read(mm, state=state._replace(line_week=state.next_read)))
    return found


def test_the_first_scan_sets_the_base_and_judges_nothing() -> None:
    state, seen = _read(80.0, started=True, nadir_mm=10.0, base_mm=10.0)
    assert float(state.base_mm[0]) == float(state.nadir_mm[0]) == pytest.approx(80, rel=1e-4)
    assert not seen.worse[0] and not seen.better[0]  # noqa: PT018  one rule
    assert int(state.reads[0]) == 1
    assert int(state.next_read[0]) == 12 + 6


@pytest.mark.parametrize(
    ("nadir", "mm", "worse"),
    [
        (50.0, 60.5, True),  # a fifth and more, and 10 mm
        (50.0, 59.5, False),  # 9.5 mm, but less than a fifth
        (20.0, 24.5, False),  # more than a fifth, but 4.5 mm
        (20.0, 25.5, True),
        (3.0, 8.5, False),  # nothing that can be measured
        (4.0, 10.5, True),
        (100.0, 119.0, False),
        (100.0, 121.0, True),
    ],
)
def test_progression_is_a_fifth_and_5_mm_over_the_smallest(nadir: float, mm: float, *, worse: bool) -> None:
    _, seen = _read(mm, base_mm=100.0, nadir_mm=nadir)
    assert bool(seen.worse[0]) is worse


def test_progression_is_measured_from_the_smallest_not_from_the_base() -> None:
    seen = [bool(each.worse[0]) for _, each in _course(100.0, 60.0, 50.0, 58.0, 63.0)]
    assert seen == [False, False, False, False, True]


@pytest.mark.parametrize(
    ("readings", "responses"),
    [
        ((100.0, 65.0, 65.0), [0, 0, 2]),  # confirmed by the next scan
        ((100.0, 65.0, 80.0, 65.0, 60.0), [0, 0, 0, 0, 2]),  # not confirmed, then confirmed
        ((100.0, 71.0, 71.0), [0, 0, 0]),
        ((100.0, 4.0, 4.0), [0, 0, 3]),
        ((100.0, 60.0, 4.0, 4.5), [0, 0, 2, 3]),  # what both scans show counts
        ((9.0, 4.0, 4.0), [0, 0, 0]),  # nothing to measure at the start
        ((100.0, 65.0, 90.0), [0, 0, 0]),
    ],
)
def test_a_response_counts_when_the_next_scan_shows_it_too(
    readings: tuple[float, ...], responses: list[int]
) -> None:
    assert [int(state.response[0]) for state, _ in _course(*readings)] == responses


def test_what_is_worse_is_no_response() -> None:
    _, seen = _read(60.0, base_mm=100.0, nadir_mm=45.0, shrunk=2)
    assert seen.worse[0]
    assert not seen.better[0]


def test_a_new_lesion_is_progression_when_a_scan_is_due() -> None:
    who = WHO._replace(seeding_threshold=np.full((2, 1), 0.5, np.float32))
    for line_week, expected in ((12, True), (3, False)):
        state = on_treatment(who, line_week=line_week, next_read=6, base_mm=100.0, nadir_mm=100.0)
        state = state._replace(seeding_hazard=np.array([0.6], np.float32))
        moved, seen = _scan(state, who, constants(), jnp.array([False]), extent_before=jnp.ones(1))
        assert bool(seen.new[0]) is bool(seen.worse[0]) is expected
        assert bool(seen.read[0]) is (float(seen.mm[0]) > 0) is expected
        assert float(moved.seeding_hazard[0]) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("brain", "nadir", "seen_there"),
    [
        (0.5 * BRAIN_VISIBLE, 1e-6, False),
        (2 * BRAIN_VISIBLE, 1e-6, True),
        (0.5, 0.5, False),
        (0.5, 0.2, True),
    ],
)
def test_a_lesion_in_the_brain_that_is_new_or_has_grown_is_progression(
    brain: float, nadir: float, *, seen_there: bool
) -> None:
    _, seen = _read(100.0, base_mm=100.0, nadir_mm=100.0, brain=brain, brain_nadir=nadir)
    assert bool(seen.in_brain[0]) is bool(seen.worse[0]) is seen_there


def test_nobody_is_scanned_between_lines() -> None:
    _, seen = _read(100.0, state=on_treatment(WHO, phase=BETWEEN, line_week=12))
    assert not seen.read[0]


def test_after_a_year_scans_are_rarer() -> None:
    early, late = (_read(100.0, line_week=week, next_read=0)[0] for week in (10, 60))
    assert int(late.next_read[0]) - 60 > int(early.next_read[0]) - 10
