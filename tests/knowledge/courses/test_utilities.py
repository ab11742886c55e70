"""Utilities: in range, negative where they should be, and the figures of the sheet."""

import pytest

from figures import require_sound, require_stated_range
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.courses.utilities import (
    Utility,
    UtilityKind,
    load_quality_of_life_results,
    load_utilities,
    utilities_of,
)

EVERY = pytest.mark.parametrize("row", load_utilities(), ids=lambda row: f"{row.disease}-{row.name}")


@EVERY
def test_rows_are_sound(row: Utility) -> None:
    require_sound(row.figure)
    require_stated_range(row.figure)
    assert row.disease == "any" or row.disease in load_diseases()
    if row.kind is UtilityKind.STATE:
        assert 0 < row.figure.value < 1
    if row.kind is UtilityKind.ADVERSE_EVENT:
        assert -0.5 < row.figure.value < 0
    if row.standard_error is not None:
        assert row.figure.high is not None
        assert row.figure.high - row.figure.value == pytest.approx(1.96 * row.standard_error, rel=1e-3)


def test_a_worse_state_is_worth_less() -> None:
    for disease, worse, better in [
        ("nsclc", "progressive", "stable"),
        ("breast", "progressive", "stable"),
        ("melanoma", "progressive", "partial_response"),
        ("ovarian", "progressive", "progression_free_maintenance"),
        ("prostate", "after_chemotherapy", "before_chemotherapy"),
    ]:
        instrument = utilities_of(disease, better)[0].instrument
        low = utilities_of(disease, worse, instrument=instrument)[0].figure.value
        assert low < utilities_of(disease, better)[0].figure.value


@pytest.mark.parametrize(
    ("disease", "name", "instrument", "value"),
    [
        ("nsclc", "stable", "standard_gamble", 0.653),
        ("nsclc", "responding", "standard_gamble", 0.673),
        ("nsclc", "progression", "standard_gamble", -0.18),
        ("nsclc", "rash", "standard_gamble", -0.03),
        ("nsclc", "febrile_neutropenia", "eq5d_3l", -0.27),
        ("nsclc", "neuropathy", "eq5d_3l", -0.15),
        ("breast", "progressive", "standard_gamble", 0.443),
        ("breast", "stomatitis", "standard_gamble", -0.151),
        ("crc", "end_of_treatment", "eq5d_3l", 0.59),
        ("melanoma", "complete_response", "standard_gamble", 0.88),
        ("ovarian", "progressive", "eq5d_3l", 0.675),
        ("prostate", "before_chemotherapy", "eq5d_3l", 0.8),
        ("crc", "global_health_status", "qlq_c30", 10),
        ("crc", "utility", "eq5d_3l", 0.08),
    ],
)
def test_figures_of_the_sheet(disease: str, name: str, instrument: str, value: float) -> None:
    assert [row.figure.value for row in utilities_of(disease, name, instrument=instrument)] == [
        pytest.approx(value)
    ]


def test_lines_of_treatment_are_told_apart() -> None:
    by_line = {
        line: row.figure.value
        for row in utilities_of("nsclc", "progression_free")
        for line in row.line
        if row.region is None
    }
    assert by_line == {1: 0.71, 2: 0.74, 3: 0.62, 4: 0.62}


def test_trial_results() -> None:
    found = {(row.nct, row.quantity, row.arm): row.figure for row in load_quality_of_life_results()}
    assert len(found) == len(load_quality_of_life_results()) == 14
    for figure in found.values():
        require_sound(figure)
    both = "experimental v control"
    assert found["nct:NCT02000622", "difference", both].value == 7.5
    assert found["nct:NCT01945775", "time_to_deterioration_hazard_ratio", both].value == 0.385
    assert found["nct:NCT03529110", "time_to_deterioration_hazard_ratio", both].high == 1.11
    assert found["nct:NCT04737187", "time_to_deterioration_median", "control"].value == 4.7
