"""What a choice is worth: the same patients, only the choice differs."""

from dataclasses import replace

import numpy as np
import pytest

from oncoproof.disease.numbers.parameters import assemble, prior_means
from oncoproof.disease.people.typical_patients import load_typical_patients, typical_patients
from oncoproof.disease.trials.worth import HORIZON_MONTHS, weigh
from oncoproof.knowledge.policies import load_situations
from oncoproof.seeds import Seed

pytestmark = pytest.mark.xdist_group("worth")

EGFR = typical_patients()["nsclc_egfr_first"]
SEED = Seed(8)


def test_choices_are_ordered_by_time_lived_and_the_first_has_no_error() -> None:
    actions = ("carboplatin+pemetrexed", "osimertinib", "gefitinib")
    worth = weigh(EGFR, actions, patients=300, seed=SEED).worth
    lived = [each.lived_months for each in worth.values()]
    assert lived == sorted(lived, reverse=True)
    assert 0 < min(lived) <= max(lived) <= HORIZON_MONTHS
    first, *others = worth.values()
    assert first.error_months == 0 < min(each.error_months for each in others)
    assert worth["osimertinib"].response_pct > worth["carboplatin+pemetrexed"].response_pct


def test_two_names_of_nothing_are_worth_the_same() -> None:
    """Drugs that kill nothing in anybody: the same patients live exactly as long under both."""
    numbers = assemble(prior_means())
    idle = numbers._replace(kill=numbers.kill - 40.0, harm=numbers.harm - 40.0)
    found = weigh(EGFR, ("gefitinib", "erlotinib"), patients=200, seed=SEED, parameters=idle).worth
    (one, other) = found.values()
    assert one.lived_months == other.lived_months
    assert other.error_months == 0


def test_what_the_model_does_not_know_or_a_rule_forbids_is_refused() -> None:
    melanoma = typical_patients()["melanoma_first"]
    found = weigh(melanoma, ("tamoxifen", "pembrolizumab"), patients=100, seed=SEED)
    assert list(found.worth) == ["pembrolizumab"]
    assert "table of effects" in found.refused["tamoxifen"]
    both = weigh(melanoma, ("nivolumab+relatlimab", "nivolumab"), patients=200, seed=SEED)
    assert list(both.worth) == ["nivolumab+relatlimab", "nivolumab"]
    assert "typo" in weigh(melanoma, ("typo",), patients=50, seed=SEED).refused["typo"]
    ras_mutant = typical_patients()["crc_first"]
    forbidden = "cetuximab+fluorouracil+irinotecan+leucovorin"
    assert "hard rule" in weigh(ras_mutant, (forbidden,), patients=100, seed=SEED).refused[forbidden]


def test_typical_patients_are_of_situations_that_exist() -> None:
    known = {each.slug for every in load_situations().values() for each in every}
    rows = load_typical_patients()
    assert {row.situation for row in rows} <= known
    assert len({row.id for row in rows}) == len(rows)
    assert {row.disease for row in rows} == {"nsclc", "crc", "breast", "melanoma", "ovarian", "prostate"}


def test_more_patients_change_the_error_and_not_the_choice() -> None:
    actions = ("osimertinib", "carboplatin+pemetrexed")
    few = weigh(replace(EGFR, ecog_max=1), actions, patients=200, seed=SEED).worth
    many = weigh(replace(EGFR, ecog_max=1), actions, patients=1_800, seed=SEED).worth
    assert list(few) == list(many)
    ratio = few["carboplatin+pemetrexed"].error_months / many["carboplatin+pemetrexed"].error_months
    assert ratio == pytest.approx(3, rel=0.35)
    assert np.isfinite(ratio)
