"""Published curves against the figures of the trial table, and registry numbers against known trials."""

import numpy as np
import pytest

from oncoproof.knowledge.trials import curve_of, load_curves, load_trials, registered_year

ARMS = {arm.row_id: arm for arm in load_trials()}


def test_a_curve_belongs_to_an_arm_falls_and_is_counted() -> None:
    for row, endpoint in {(point.row_id, point.endpoint) for point in load_curves()}:
        points = curve_of(row, endpoint)
        assert row in ARMS
        assert endpoint in {"pfs", "os"}
        assert [point.month for point in points] == list(range(1, len(points) + 1))
        free, risk = [point.free_pct for point in points], [point.at_risk for point in points]
        assert free == sorted(free, reverse=True)
        assert risk == sorted(risk, reverse=True)
        assert 0 <= free[-1] <= free[0] <= 100
        assert 10 <= risk[-1] <= risk[0] <= ARMS[row].n


@pytest.mark.parametrize(("endpoint", "tolerance"), [("pfs", 0.12), ("os", 0.12)])
def test_a_curve_crosses_a_half_where_its_trial_says(endpoint: str, tolerance: float) -> None:
    """Medians of another data cut, or of a reading by others, differ a little."""
    off: list[float] = []
    for row in {point.row_id for point in load_curves() if point.endpoint == endpoint}:
        published = (ARMS[row].pfs if endpoint == "pfs" else ARMS[row].os).value
        below = [point.month for point in curve_of(row, endpoint) if point.free_pct <= 50]
        if published is not None and below:
            off.append(abs(np.log((below[0] - 0.5) / published)))
    assert len(off) >= 8
    assert np.median(off) < tolerance


@pytest.mark.parametrize(
    ("nct", "year"),
    [
        ("NCT00322452", 2006), ("NCT00265850", 2005), ("NCT00567190", 2007), ("NCT02142738", 2014),
        ("NCT02296125", 2014), ("NCT04487080", 2020), (None, None), ("NCT1", None), ("EudraCT 2010", None),
    ],
)  # fmt: skip
def test_a_registry_number_tells_its_year(nct: str | None, year: int | None) -> None:
    assert registered_year(nct) == year
