"""Kinetics: sound numbers, the figures of the sheet, and the arithmetic between them."""

import math

import pytest

from figures import require_sound, require_stated_range
from oncoproof.errors import InputError
from oncoproof.knowledge.courses.kinetics import KineticsFact, growth_rate_per_day, load_kinetics
from oncoproof.knowledge.tables import read_csv


def test_facts_are_sound() -> None:
    for fact in load_kinetics().values():
        require_sound(fact.figure)
        assert fact.interval in {None, "ci95", "range", "sd"}
        assert (fact.interval is not None) == (fact.figure.low is not None)
        if fact.interval == "range" and not fact.id.startswith("doubling_"):
            require_stated_range(fact.figure)
    assert len(load_kinetics()) == len(read_csv("kinetics.csv", "kinetics", KineticsFact))


@pytest.mark.parametrize(
    ("fact", "value", "unit"),
    [
        ("recist_measurable_min", 10, "mm"),
        ("recist_node_measurable_min", 15, "mm"),
        ("recist_targets_max", 5, "{lesions}"),
        ("recist_partial_response_change", -0.3, "1"),
        ("recist_progression_rise_min", 5, "mm"),
        ("stein_growth_above_median_hazard_ratio", 5.14, "1"),
        ("growth_rate_sunitinib", 0.0008, "/d"),
        ("claret_default_baseline", 60, "mm"),
        ("claret_renal_growth", 0.00374, "/wk"),
        ("claret_renal_shrinkage_log_variance", 0.766, "1"),
        ("claret_renal_resistance_appearance", 0.0922, "/wk"),
        ("claret_crc_growth", 0.021, "/wk"),
        ("claret_shrinkage_bias", 0.2, "1"),
        ("doubling_lung_adenocarcinoma", 258, "d"),
        ("doubling_breast_er_positive", 241, "d"),
        ("doubling_crc_liver_occult", 86, "d"),
        ("ras_clone_half_life", 3.75, "mo"),
        ("esr1_detection_lead", 6.7, "mo"),
        ("time_to_response_checkmate_8hw", 2.8, "mo"),
    ],
)
def test_figures_of_the_sheet(fact: str, value: float, unit: str) -> None:
    figure = load_kinetics()[fact].figure
    assert (figure.value, figure.unit) == (pytest.approx(value), unit)


def test_changes_of_volume_follow_from_changes_of_diameter() -> None:
    facts = load_kinetics()
    for diameter, volume in [
        ("recist_partial_response_change", "sphere_volume_change_at_partial_response"),
        ("recist_progression_change", "sphere_volume_change_at_progression"),
    ]:
        expected = (1 + facts[diameter].figure.value) ** 3 - 1
        assert facts[volume].figure.value == pytest.approx(expected, abs=5e-4)


def test_growth_doubles_the_volume_in_the_doubling_time() -> None:
    for fact in load_kinetics().values():
        if fact.topic == "volume_doubling_time":
            grown = math.exp(growth_rate_per_day(fact.id) * fact.figure.value)
            assert grown == pytest.approx(2)


@pytest.mark.parametrize("name", ["recist_targets_max", "no_such_fact"])
def test_only_doubling_times_give_a_growth_rate(name: str) -> None:
    with pytest.raises(InputError):
        growth_rate_per_day(name)
