"""Demography: sound numbers, exhaustive classes, and the figures of the sheet."""

from collections import defaultdict

import pytest

from figures import require_share, require_sound, require_wilson
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.populations.demography import DemographyFact, demography_of, load_demography
from oncoproof.knowledge.populations.subtypes import load_subtypes

EVERY = pytest.mark.parametrize("fact", load_demography(), ids=lambda fact: f"{fact.disease}-{fact.quantity}")


@EVERY
def test_facts_are_sound(fact: DemographyFact) -> None:
    require_sound(fact.figure)
    assert fact.disease in load_diseases()
    assert fact.interval in {None, "ci95", "iqr", "range"}
    assert (fact.interval is not None) == (fact.figure.low is not None)
    if fact.category:
        require_share(fact.figure)
        require_wilson(fact.figure, fact.n)
    if fact.quantity == "subtype":
        assert fact.category in load_subtypes()


def test_partitions_sum_to_one() -> None:
    parts: dict[str, float] = defaultdict(float)
    for fact in load_demography():
        if fact.partition:
            parts[fact.partition] += fact.figure.value
    assert len(parts) >= 12
    for name, total in parts.items():
        assert total == pytest.approx(1, abs=0.0015), name


@pytest.mark.parametrize(
    ("disease", "quantity", "category", "subset", "value"),
    [
        ("nsclc", "sex", "male", {}, 0.42),
        ("nsclc", "ancestry", "asian", {}, 0.10),
        ("nsclc", "smoking", "ever", {}, 0.70),
        ("nsclc", "histology", "squamous", {}, 0.11),
        ("nsclc", "stage", "IV", {}, 0.43),
        ("nsclc", "sex", "female", {"histology": "adenocarcinoma"}, 0.624),
        ("crc", "stage", "IV", {}, 0.425),
        ("crc", "side", "rectal", {}, 0.302),
        ("breast", "subtype", "triple_negative", {}, 0.184),
        ("breast", "subtype", "hr_positive_her2_negative", {"stage": "IV"}, 0.56),
        ("breast", "subtype", "triple_negative", {"ancestry": "black"}, 0.305),
        ("breast", "subtype", "hr_negative_her2_positive", {"ancestry": "asian"}, 0.06),
    ],
)
def test_shares_of_the_sheet(
    disease: str, quantity: str, category: str, subset: dict[str, str], value: float
) -> None:
    facts = demography_of(disease, quantity, **subset)
    assert {fact.category: fact.figure.value for fact in facts}[category] == pytest.approx(value, abs=5e-4)


def test_median_ages() -> None:
    (age,) = demography_of("nsclc", "age_median")
    assert (age.figure.value, age.figure.low, age.figure.high, age.interval, age.n) == (
        68,
        61,
        75,
        "iqr",
        7810,
    )
    (older,) = demography_of("nsclc", "age_median", given="MET=ex14")
    assert (older.figure.low, older.figure.high) == (71, 72)
    assert {fact.disease for fact in load_demography() if fact.quantity == "age_median_population"} == set(
        load_diseases()
    )
