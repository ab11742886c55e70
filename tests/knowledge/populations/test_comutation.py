"""Co-mutation: the odds ratios of the sheet, and drivers that exclude one another."""

from itertools import combinations

import pytest

from figures import require_share, require_sound
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.populations.comutation import (
    Comutation,
    Relation,
    exclusive_pairs,
    find_association,
    load_comutation,
)
from oncoproof.knowledge.populations.subtypes import load_subtypes

EVERY = pytest.mark.parametrize("fact", load_comutation(), ids=lambda fact: f"{fact.first}-{fact.second}")


@EVERY
def test_facts_are_sound_and_name_known_things(fact: Comutation) -> None:
    require_sound(fact.strength)
    assert fact.strength.value > 0
    disease = load_diseases()[fact.disease]
    assert fact.histology is None or fact.histology in disease.histologies
    assert fact.subtype is None or fact.subtype in load_subtypes()
    for condition in (fact.first, fact.second):
        key, _, value = condition.partition("=")
        assert value in {*load_biomarkers()[key].values_in(fact.disease), *load_biomarkers()[key].groups}
    if fact.relation is Relation.EXCLUSIVE:
        require_share(fact.strength)


def test_a_pair_stands_once_per_relation() -> None:
    pairs = [
        (fact.disease, fact.relation, frozenset((fact.first, fact.second))) for fact in load_comutation()
    ]
    assert len(set(pairs)) == len(pairs)
    assert all(len(pair) == 2 for _, _, pair in pairs)


@pytest.mark.parametrize(
    ("disease", "first", "second", "odds_ratio"),
    [
        ("nsclc", "EGFR=mut", "KRAS=mut", 0.02),
        ("nsclc", "EGFR=mut", "ALK_MUTATION=mut", 0.12),
        ("nsclc", "EGFR=mut", "BRAF=mut", 0.12),
        ("nsclc", "KRAS=mut", "BRAF=mut", 0.22),
        ("nsclc", "EGFR=mut", "ERBB2=mut", 0.46),
        ("nsclc", "KRAS=mut", "TP53=mut", 0.51),
        ("nsclc", "TP53=mut", "EGFR=mut", 1.65),
        ("nsclc", "EGFR=mut", "PIK3CA=mut", 1.72),
        ("nsclc", "EGFR=mut", "CTNNB1=mut", 2.78),
        ("crc", "KRAS=mut", "BRAF=mut", 0.06),
        ("crc", "KRAS=mut", "NRAS=mut", 0.08),
        ("crc", "BRAF=mut", "NRAS=mut", 0.47),
        ("crc", "KRAS=mut", "PIK3CA=mut", 1.93),
        ("crc", "BRAF=mut", "PIK3CA=mut", 1.44),
        ("crc", "KRAS=mut", "TP53=mut", 0.42),
        ("crc", "BRAF=mut", "TP53=mut", 0.62),
        ("breast", "PIK3CA=mut", "TP53=mut", 0.65),
    ],
)
def test_odds_ratios_of_the_sheet(disease: str, first: str, second: str, odds_ratio: float) -> None:
    assert find_association(disease, first, second).strength.value == odds_ratio


def test_lung_drivers_exclude_one_another_in_every_pair() -> None:
    drivers = ["EGFR=mut", "KRAS=mut", "ALK=fusion", "ROS1=fusion", "RET=fusion", "BRAF=v600e", "HER2=mut"]
    pairs = exclusive_pairs("nsclc")
    for pair in combinations(drivers, 2):
        assert pairs[pair].high == 0.02


def test_a_pair_that_is_not_on_record_is_refused() -> None:
    with pytest.raises(InputError):
        find_association("nsclc", "EGFR=mut", "MSI=high")
