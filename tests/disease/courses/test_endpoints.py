"""What a trial measures of weeks written by hand."""

from collections.abc import Mapping

import numpy as np
import pytest

from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, STABLE, Endpoints, Marked, measure
from oncoproof.disease.courses.state import LINE_SHIFT, Mark

WEEKS = 30
SCAN = Mark.SCANNED
_measure = compiled()(measure)


def _of(marks: Mapping[int, int], readings: dict[int, float] | None = None) -> Endpoints:
    """The endpoints of one patient in whose weeks these marks stand; the first scan is in week 0."""
    code = np.zeros((WEEKS, 1), np.uint32)
    read = np.zeros((WEEKS, 1), np.float32)
    for week, mark in {0: Mark.STARTED | SCAN, **marks}.items():
        code[week] = mark
    for week, mm in ({0: 50.0} | (readings or {})).items():
        read[week] = mm
    return Endpoints(*(np.asarray(column)[0] for column in _measure(Marked(code, read))))


SECOND = 1 << LINE_SHIFT


def test_nothing_happened() -> None:
    found = _of({})
    assert not found.progressed
    assert not found.died
    assert found.progression_weeks == found.death_weeks == WEEKS
    assert found.response == 0
    assert np.isnan(found.response_weeks)
    assert np.isnan(found.best_change_pct)
    assert not found.harmed


def test_progression_is_dated_at_the_end_of_its_week_and_death_counts_as_such() -> None:
    found = _of({8: SCAN | Mark.PROGRESSED, 20: Mark.DIED | SECOND})
    assert (float(found.progression_weeks), float(found.death_weeks)) == (9.0, 21.0)
    found = _of({20: Mark.DIED})
    assert (float(found.progression_weeks), float(found.death_weeks)) == (21.0, 21.0)
    assert found.progressed
    assert found.died


@pytest.mark.parametrize(
    ("marks", "response"),
    [
        ({7: SCAN}, STABLE),
        ({7: SCAN | Mark.PROGRESSED}, 0),
        ({7: SCAN, 14: SCAN | Mark.PARTIAL}, PARTIAL),
        ({7: SCAN, 14: SCAN | Mark.PARTIAL, 21: SCAN | Mark.COMPLETE}, COMPLETE),
        ({7: SCAN | Mark.PROGRESSED, 14: SCAN | SECOND, 21: SCAN | Mark.PARTIAL | SECOND}, 0),
    ],
)
def test_best_response_is_that_of_the_first_line(marks: dict[int, int], response: int) -> None:
    assert int(_of(marks).response) == response


def test_a_response_dates_from_the_scan_that_showed_it_first() -> None:
    found = _of({7: SCAN, 14: SCAN | Mark.PARTIAL, 21: SCAN | Mark.COMPLETE})
    assert float(found.response_weeks) == 8.0


def test_harm_is_that_of_the_first_line() -> None:
    by_drug = _of({3: Mark.SEVERE | Mark.STOPPED})
    assert by_drug.harmed_by_drug
    assert by_drug.harmed
    assert by_drug.stopped_for_harm
    ill = _of({3: Mark.ILL | Mark.TREATED})
    assert ill.harmed
    assert not ill.harmed_by_drug
    assert not _of({3: Mark.ILL}).harmed
    assert not _of({3: Mark.SEVERE | SECOND}).harmed


def test_best_change_ends_with_progression() -> None:
    marks = {7: SCAN, 14: SCAN, 21: SCAN | Mark.PROGRESSED, 28: SCAN}
    found = _of(marks, {7: 40.0, 14: 30.0, 21: 45.0, 28: 10.0})
    assert float(found.best_change_pct) == pytest.approx(-40.0)
    grew = _of({7: SCAN | Mark.PROGRESSED}, {7: 75.0})
    assert float(grew.best_change_pct) == pytest.approx(50.0)
