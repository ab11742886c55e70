"""Stage groups: the tables are complete, and known cells of the manuals come out right."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.stages import (
    StageAxis,
    StageRule,
    list_combinations,
    load_stage_tables,
    stage_covers,
    stage_group,
    stage_groups_possible,
    stages_fit,
)
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import read_csv

KNOWN = [
    ("nsclc", "T1a", "N0", "M0", "IA1"),
    ("nsclc", "T1c", "N0", "M0", "IA3"),
    ("nsclc", "T2b", "N0", "M0", "IIA"),
    ("nsclc", "T3", "N0", "M0", "IIB"),
    ("nsclc", "T1a", "N1", "M0", "IIB"),
    ("nsclc", "T4", "N0", "M0", "IIIA"),
    ("nsclc", "T2a", "N2", "M0", "IIIA"),
    ("nsclc", "T3", "N2", "M0", "IIIB"),
    ("nsclc", "T2a", "N3", "M0", "IIIB"),
    ("nsclc", "T4", "N3", "M0", "IIIC"),
    ("nsclc", "T1b", "N0", "M1b", "IVA"),
    ("nsclc", "", "", "M1c", "IVB"),
    ("crc", "T2", "N0", "M0", "I"),
    ("crc", "T4b", "N0", "M0", "IIC"),
    ("crc", "T1", "N2a", "M0", "IIIA"),
    ("crc", "T2", "N2a", "M0", "IIIB"),
    ("crc", "T3", "N1c", "M0", "IIIB"),
    ("crc", "T3", "N2b", "M0", "IIIC"),
    ("crc", "T4b", "N1a", "M0", "IIIC"),
    ("crc", "T3", "N2a", "M1c", "IVC"),
    ("breast", "T1c", "N0", "M0", "IA"),
    ("breast", "T0", "N1mi", "M0", "IB"),
    ("breast", "T2", "N0", "M0", "IIA"),
    ("breast", "T2", "N1", "M0", "IIB"),
    ("breast", "T3", "N1a", "M0", "IIIA"),
    ("breast", "T4d", "N0", "M0", "IIIB"),
    ("breast", "T1a", "N3c", "M0", "IIIC"),
    ("breast", "T4", "N2", "M1", "IV"),
    ("melanoma", "T1b", "N0", "M0", "IA"),
    ("melanoma", "T2a", "N0", "M0", "IB"),
    ("melanoma", "T4b", "N0", "M0", "IIC"),
    ("melanoma", "T1a", "N2a", "M0", "IIIA"),
    ("melanoma", "T3a", "N1a", "M0", "IIIB"),
    ("melanoma", "T2a", "N2c", "M0", "IIIC"),
    ("melanoma", "T4b", "N2c", "M0", "IIIC"),
    ("melanoma", "T4b", "N3a", "M0", "IIID"),
    ("melanoma", "T0", "N1b", "M0", "IIIB"),
    ("melanoma", "T3b", "N0", "M1d(1)", "IV"),
    ("ovarian", "T1c2", "N0", "M0", "IC2"),
    ("ovarian", "T2b", "N1a", "M0", "IIIA1"),
    ("ovarian", "T3a", "N1b", "M0", "IIIA2"),
    ("ovarian", "T3c", "N0", "M0", "IIIC"),
    ("ovarian", "T3c", "N1b", "M1a", "IVA"),
    ("prostate", "T3a", "N1", "M0", "IVA"),
    ("prostate", "T1c", "N0", "M1b", "IVB"),
]


@pytest.mark.parametrize(("disease", "t", "n", "m", "stage"), KNOWN)
def test_known_cells(disease: str, t: str, n: str, m: str, stage: str) -> None:
    assert stage_group(disease, t, n, m) == stage
    assert stage_group(disease, f"p{t}" if t else "", f"p{n}" if n else "NX", f"c{m}") == stage


@pytest.mark.parametrize(
    ("t", "psa", "grade", "stage"),
    [
        ("T1c", 6.0, 1, "I"),
        ("T2b", 6.0, 1, "IIA"),
        ("T1c", 10.0, 1, "IIA"),
        ("T2a", 19.9, 2, "IIB"),
        ("T2c", 5.0, 4, "IIC"),
        ("T1a", 20.0, 1, "IIIA"),
        ("T3b", 5.0, 3, "IIIB"),
        ("T1c", 5.0, 5, "IIIC"),
    ],
)
def test_prostate_groups_ask_for_psa_and_grade(t: str, psa: float, grade: int, stage: str) -> None:
    assert stage_group("prostate", t, "N0", "M0", psa_ng_ml=psa, grade_group=grade) == stage
    assert stage_group("prostate", t, "N0", "M0") is None


@pytest.mark.parametrize(
    ("disease", "t", "n", "m"),
    [
        ("nsclc", "Tis", "N2", "M0"),
        ("crc", "Tis", "N0", "M1a"),
        ("breast", "T0", "N0", "M0"),
        ("melanoma", "T0", "N0", "M0"),
        ("nsclc", "T9", "N0", "M0"),
        ("nsclc", "T", "N0", "M0"),
    ],
)
def test_impossible_combinations_have_no_group(disease: str, t: str, n: str, m: str) -> None:
    assert stage_group(disease, t, n, m) is None
    assert not stage_groups_possible(disease, [t], [n], [m]).possible.any()


def test_every_disease_has_a_complete_table() -> None:
    assert set(load_stage_tables()) == set(load_diseases())
    for disease, table in load_stage_tables().items():
        assert table.outcome.size == len(list_combinations(disease))
        assert set(np.unique(table.outcome)) <= set(range(-1, len(table.groups)))
        assert len(np.unique(table.outcome[table.outcome >= 0])) == len(table.groups)


def test_sources_are_in_the_bibliography() -> None:
    rows = (
        *read_csv("stages.csv", "stages", StageRule),
        *read_csv("stage_categories.csv", "stage_categories", StageAxis),
    )
    assert {row.source for row in rows} <= set(load_sources())


def test_more_extent_never_lowers_the_stage() -> None:
    for disease in ("nsclc", "crc", "breast"):
        table = load_stage_tables()[disease]
        plain = [("0", "occult"), ("I",), ("II",), ("III",), ("IV",)]
        rank = {
            group: next(
                level for level, names in enumerate(plain) for name in names if stage_covers(name, group)
            )
            for group in table.groups
        }
        levels = np.array([rank[group] for group in table.groups])[table.outcome]
        for axis in (1, 2):
            both = np.diff((table.outcome >= 0).astype(int), axis=axis) == 0
            steps = np.where(both & (np.delete(table.outcome, 0, axis) >= 0), np.diff(levels, axis=axis), 0)
            assert (steps >= 0).all(), disease


def test_coarse_categories_leave_groups_open() -> None:
    found = stage_groups_possible("nsclc", ["T1", "T2", "TX"], ["N0", "N0", ""], ["M0", "M0", None])
    groups = [{group for group, on in zip(found.groups, row, strict=True) if on} for row in found.possible]
    assert groups[0] == {"IA1", "IA2", "IA3"}
    assert groups[1] == {"IB", "IIA"}
    assert groups[2] == set(found.groups)


@pytest.mark.parametrize(
    ("stage", "group", "covers"),
    [
        ("I", "IA1", True),
        ("I", "II", False),
        ("I", "IV", False),
        ("IA", "IA3", True),
        ("II", "IIIA", False),
        ("IIIA", "IIIA1", True),
        ("IV", "IV", True),
        ("IVB", "IVA", False),
        ("0", "0", True),
        ("", "0", False),
    ],
)
def test_coarse_stages_cover_their_groups(stage: str, group: str, *, covers: bool) -> None:
    assert stage_covers(stage, group) is covers


def test_columns_are_checked_row_by_row() -> None:
    fits = stages_fit(
        "crc",
        ["IVA", "IV", "III", "", "IIIB"],
        ["T3", "T3", "T3", "Tis", "pT3"],
        ["N1a", "", "N0", "N2a", "N1"],
        ["M1a", "M1", "M0", "M1a", "MX"],
    )
    assert fits.tolist() == [True, True, False, True, True]


def test_an_unknown_disease_is_refused() -> None:
    with pytest.raises(InputError):
        stage_group("sarcoma", "T1", "N0", "M0")


def test_columns_of_unequal_length_are_refused() -> None:
    with pytest.raises(InputError) as caught:
        stage_groups_possible("nsclc", ["T1a", "T2a"], ["N0"], ["M0", "M0"])
    assert "1 and 2" in caught.value.came


def test_no_patients_give_no_rows() -> None:
    assert stage_groups_possible("nsclc", [], [], []).possible.shape == (0, 13)


@given(st.data())
def test_columns_agree_with_single_patients(data: st.DataObject) -> None:
    disease = data.draw(st.sampled_from(list(load_stage_tables())))
    table = load_stage_tables()[disease]
    draws = [st.sampled_from(("", *axis)) for axis in table.categories[:3]]
    rows = data.draw(st.lists(st.tuples(*draws), min_size=1, max_size=8))
    t, n, m = ([row[axis] for row in rows] for axis in range(3))
    found = stage_groups_possible(disease, t, n, m)
    for row, possible in zip(rows, found.possible, strict=True):
        only = found.groups[int(possible.argmax())] if possible.sum() == 1 else None
        assert stage_group(disease, *row) == only
