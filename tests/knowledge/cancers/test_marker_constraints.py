"""Constraints between biomarkers: they name known values, can be met, and can be broken."""

from itertools import product

import numpy as np
import pytest

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.marker_constraints import (
    MarkerConstraint,
    broken_constraints,
    find_breaches,
    load_marker_constraints,
)
from oncoproof.knowledge.sources import load_sources

EVERY = pytest.mark.parametrize("constraint", load_marker_constraints(), ids=lambda rule: rule.id)


def _diseases(constraint: MarkerConstraint) -> list[str]:
    return [disease for disease in load_diseases() if constraint.applies_to(disease)]


@EVERY
def test_can_be_met_with_its_condition_true_and_can_be_broken(constraint: MarkerConstraint) -> None:
    markers = load_biomarkers()
    disease = _diseases(constraint)[0]
    outcomes: set[tuple[bool, bool]] = set()
    for values in product(*(markers[key].values for key in constraint.keys)):
        chosen = dict(zip(constraint.keys, values, strict=True))
        key, _, wanted = constraint.when.partition("=")
        active = chosen[key] in markers[key].expand(wanted)
        outcomes.add((active, constraint in broken_constraints(disease, chosen)))
    assert outcomes == {(True, True), (True, False), (False, False)}


@EVERY
def test_names_known_things(constraint: MarkerConstraint) -> None:
    assert set(constraint.diseases) <= set(load_diseases())
    assert constraint.source in load_sources()
    assert all(load_biomarkers()[key].values for key in constraint.keys)
    assert constraint.sentence.endswith(".")


def test_ids_are_unique() -> None:
    ids = [constraint.id for constraint in load_marker_constraints()]
    assert len(set(ids)) == len(ids)


def test_all_reference_values_together_break_nothing() -> None:
    values = {key: marker.reference or "" for key, marker in load_biomarkers().items() if marker.values}
    for disease in load_diseases():
        assert broken_constraints(disease, values) == ()


@pytest.mark.parametrize(
    ("disease", "values", "broken"),
    [
        ("crc", {"RAS": "wt", "KRAS": "other"}, True),
        ("crc", {"RAS": "mut", "KRAS": "wt"}, False),
        ("nsclc", {"EGFR_T790M": "positive", "EGFR": "wt"}, True),
        ("nsclc", {"EGFR_T790M": "positive", "EGFR": "l858r"}, False),
        ("ovarian", {"HRD": "negative", "BRCA": "somatic"}, True),
        ("prostate", {"HRR": "brca", "BRCA": "wt"}, True),
        ("prostate", {"HRR": "atm", "BRCA": "germline"}, True),
        ("breast", {"AKT_PATHWAY": "altered", "PIK3CA": "wt", "AKT1": "wt", "PTEN": "intact"}, True),
        ("breast", {"AKT_PATHWAY": "altered", "PIK3CA": "wt", "AKT1": "wt", "PTEN": "altered"}, False),
        ("breast", {"AKT_PATHWAY": "altered", "PIK3CA": "wt", "AKT1": "wt", "PTEN": ""}, False),
        ("breast", {"AKT_PATHWAY": "unaltered", "PIK3CA": "mut"}, True),
    ],
)
def test_known_contradictions(disease: str, values: dict[str, str], *, broken: bool) -> None:
    assert bool(broken_constraints(disease, values)) is broken


def test_columns_are_checked_row_by_row() -> None:
    columns = {"RAS": np.array(["wt", "wt", "mut", ""]), "KRAS": np.array(["wt", "g12c", "g12c", "other"])}
    (broken,) = find_breaches("crc", columns).values()
    assert broken.tolist() == [False, True, False, False]


def _components(disease: str) -> list[list[str]]:
    """The keys that constraints tie together, in groups that have nothing to do with one another."""
    groups: list[set[str]] = []
    for constraint in load_marker_constraints():
        if constraint.applies_to(disease):
            tied = set(constraint.keys).union(*(group for group in groups if group & set(constraint.keys)))
            groups = [group for group in groups if not group & tied] + [tied]
    return [sorted(group) for group in groups]


@pytest.mark.parametrize("disease", load_diseases())
def test_every_value_stands_in_some_patient_who_breaks_nothing(disease: str) -> None:
    for keys in _components(disease):
        known = [key for key in keys if load_biomarkers()[key].applies_to(disease)]
        rows = list(product(*(load_biomarkers()[key].values_in(disease) for key in known)))
        columns = {
            key: np.array([row[position] for row in rows], dtype=np.str_)
            for position, key in enumerate(known)
        }
        breaches = list(find_breaches(disease, columns).values())
        sound = ~np.logical_or.reduce(breaches) if breaches else np.ones(len(rows), dtype=np.bool_)
        for key, column in columns.items():
            assert set(column[sound]) == set(load_biomarkers()[key].values_in(disease)), key
