"""Subtypes: defined by known values, and exclusive of one another."""

from itertools import combinations

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.populations.subtypes import load_subtypes
from oncoproof.knowledge.sources import load_sources


def test_conditions_are_known_values() -> None:
    for subtype in load_subtypes().values():
        assert subtype.disease in load_diseases()
        assert subtype.source in load_sources()
        for key, value in subtype.conditions.items():
            assert load_biomarkers()[key].expand(value)


def test_two_subtypes_of_a_disease_always_differ_in_a_condition() -> None:
    markers = load_biomarkers()
    for first, second in combinations(load_subtypes().values(), 2):
        if first.disease == second.disease:
            assert any(
                not set(markers[key].expand(value)) & set(markers[key].expand(second.conditions[key]))
                for key, value in first.conditions.items()
            )
