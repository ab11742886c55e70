"""Subjects: columns in, rows out, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.expressions.bits import Bits
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.features import FeatureKind, FeaturePart
from oncoproof.knowledge.subjects.subject_columns import SetColumn
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

ROW = {
    "disease": "nsclc",
    "sex": "female",
    "age_years": 63.0,
    "pregnancy": False,
    "EGFR": "l858r",
    "plan_drugs": ("osimertinib",),
    "dose": {"osimertinib": 0.5},
}


def test_a_row_comes_back_as_it_went_in_with_its_classes() -> None:
    subjects = Subjects.of_rows([ROW, {}])
    row = subjects.row(0)
    assert {name: row[name] for name in ROW} == ROW
    assert set(row) - set(ROW) == {"plan_classes"}
    assert row["plan_classes"] == ("egfr_tki", "egfr_tki_gen3", "systemic_therapy")
    assert subjects.row(1) == {}


def test_one_subject_taken_out_is_the_same_subject() -> None:
    subjects = Subjects.of_rows([{}, ROW])
    assert subjects.take(1).row(0) == subjects.row(1)


def test_columns_take_words_codes_truths_and_masks() -> None:
    vocabulary = load_vocabulary()
    codes = np.array([vocabulary.feature("disease").values.index("crc"), -1])
    subjects = Subjects.of_columns(
        {
            "disease": codes,
            "sex": np.array(["male", ""]),
            "pregnancy": np.array([0, -1]),
            "breastfeeding": np.array([True, False]),
            "age_years": [50, None],
            "plan_drugs": {"cetuximab": np.array([True, False])},
            "dose": {"cetuximab": [0.8, np.nan]},
        },
        rows=2,
    )
    assert subjects.row(0)["disease"] == "crc"
    assert subjects.row(0)["pregnancy"] is False
    assert subjects.row(0)["breastfeeding"] is True
    assert subjects.row(0)["dose"] == {"cetuximab": 0.8}
    assert subjects.row(1) == {"breastfeeding": False, "plan_drugs": (), "plan_classes": ()}


def test_stated_classes_stay_beside_those_that_follow() -> None:
    subjects = Subjects.of_rows([{"prior_drugs": ["gefitinib"], "prior_classes": ["chemoradiation"]}])
    assert set(subjects.row(0)["prior_classes"]) >= {"chemoradiation", "egfr_tki", "egfr_tki_gen1"}  # pyright: ignore[reportArgumentType]  a tuple


def test_medicines_bring_their_groups() -> None:
    subjects = Subjects.of_rows([{"comedications": ["warfarin"]}])
    assert subjects.row(0)["comedication_groups"] == ("anticoagulant", "vitamin_k_antagonist")


@pytest.mark.parametrize(
    ("columns", "came"),
    [
        ({"colour": ["red"]}, "feature 'colour'"),
        ({"disease": ["gout"]}, "'gout' in row 0"),
        ({"disease": np.array([99])}, "99"),
        ({"age_years": ["old"]}, "could not convert"),
        ({"age_years": [np.inf]}, "infinity in row 0"),
        ({"age_years": [50.0, 60.0]}, "2 rows"),
        ({"age_years": np.zeros((1, 2))}, "not one row of cells"),
        ({"pregnancy": ["yes"]}, "yes"),
        ({"plan_drugs": {"aspirin": np.array([True])}}, "'aspirin'"),
        ({"plan_drugs": [["aspirin"]]}, "'aspirin'"),
        ({"plan_drugs": {"cetuximab": np.array([0.3])}}, "float64"),
        ({"dose": {"aspirin": [1.0]}}, "'aspirin'"),
    ],
)
def test_what_is_not_of_the_vocabulary_is_refused(columns: dict[str, object], came: str) -> None:
    with pytest.raises(InputError) as caught:
        Subjects.of_columns(columns, rows=1)
    assert came in caught.value.came
    assert caught.value.remedy


@pytest.mark.parametrize(
    ("columns", "remedy"),
    [
        ({"conditions": [["solid_organ_transplant"]]}, "organ_transplant"),
        ({"diabetes": ["type_1"]}, "type1"),
        ({"plan_drugs": [["osimertinb"]]}, "osimertinib"),
        ({"HER2": ["negative"]}, "low, ultralow, zero"),
        ({"histology": ["non_squamous"]}, "adenocarcinoma"),
    ],
)
def test_a_refusal_names_the_nearest_words(columns: dict[str, object], remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        Subjects.of_columns(columns, rows=1)
    assert remedy in caught.value.remedy


def test_implausible_numbers_are_kept_unless_refused() -> None:
    columns = {"potassium": [4.0, 99.0]}
    assert Subjects.of_columns(columns, rows=2).row(1) == {"potassium": 99.0}
    with pytest.raises(InputError) as caught:
        Subjects.of_columns(columns, rows=2, refuse_implausible=True)
    assert "99.0 in row 1" in caught.value.came


def test_a_column_of_its_own_kind_passes_through() -> None:
    known = np.array([False])
    column = SetColumn({"brain": np.array([True])}, known)
    subjects = Subjects.of_columns({"metastatic_sites": column}, rows=1)
    assert subjects.row(0) == {"metastatic_sites": ("brain",)}


def test_every_feature_is_documented_bounded_and_sourced() -> None:
    for feature in load_vocabulary().features.values():
        assert feature.about.endswith("."), feature.name
        assert feature.source in load_sources(), feature.name
        if feature.kind is FeatureKind.NUMBER:
            assert feature.unit, feature.name
            assert feature.low is not None
            assert feature.high is not None
            assert feature.low < feature.high, feature.name
        elif feature.kind is not FeatureKind.FLAG:
            assert feature.values, feature.name
            assert len(set(feature.values)) == len(feature.values), feature.name
        for members in feature.groups.values():
            assert set(members) <= set(feature.values), feature.name
    assert all(load_vocabulary().of_part(part) for part in FeaturePart)


@given(st.lists(st.booleans(), max_size=40))
def test_packed_masks_come_back(mask: list[bool]) -> None:
    bits = Bits.of(np.array(mask, dtype=np.bool_))
    assert bits.mask().tolist() == mask
    assert bits.count() == sum(mask)
    assert [bits.at(row) for row in range(len(mask))] == mask
