"""Prevalence: every cell of the tables is there, intervals are right, strata answer as asked."""

import re
from collections import defaultdict
from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures import require_share, require_wilson, wilson
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.populations.prevalence import PrevalenceFact, Stratum, load_prevalence, prevalence_of
from oncoproof.knowledge.populations.subtypes import load_subtypes
from oncoproof.knowledge.tables import Basis

EVERY = pytest.mark.parametrize(
    "fact", load_prevalence(), ids=lambda fact: f"{fact.disease}-{fact.biomarker}"
)

LUNG_KEYS = ("EGFR", "KRAS", "BRAF", "MET_MUTATION", "ERBB2", "TP53", "PIK3CA")
LUNG: list[tuple[int, str, Stratum]] = [
    (5966, "29.1 33.0 4.3 4.7 4.1 45.2 4.1", {}),
    (4704, "24.2 36.9 4.5 4.9 3.7 44.5 3.8", {"ancestry": "white"}),
    (615, "62.1 10.6 2.4 5.0 5.4 47.3 6.5", {"ancestry": "asian"}),
    (300, "32.7 26.7 6.0 2.0 3.7 52.3 4.7", {"ancestry": "black"}),
    (2022, "50.1 11.7 2.7 6.0 5.8 42.7 4.5", {"smoking": "never"}),
    (3944, "18.4 43.8 5.1 4.1 3.2 46.5 3.9", {"smoking": "ever"}),
    (3724, "32.0 34.0 4.2 4.6 4.0 44.0 4.0", {"sex": "female"}),
    (2242, "24.4 31.3 4.5 5.0 4.2 47.2 4.3", {"sex": "male"}),
    (325, "71.7 5.5 2.2 5.5 4.9 45.2 6.8", {"ancestry": "asian", "smoking": "never", "sex": "female"}),
    (868, "45.6 14.2 3.2 6.6 5.8 41.0 4.1", {"ancestry": "white", "smoking": "never", "sex": "female"}),
    (1320, "13.3 40.7 5.5 4.5 3.7 47.0 4.2", {"ancestry": "white", "smoking": "ever", "sex": "male"}),
    (822, "6.0 4.3 0.7 1.8 1.5 85.9 20.6", {"histology": "squamous"}),
]
COLON_KEYS = ("KRAS", "NRAS", "BRAF", "PIK3CA", "TP53", "ERBB2", "MSI")
COLON: list[tuple[int, str, Stratum]] = [
    (5545, "42.9 3.4 9.8 18.6 74.6 5.2 10.6", {}),
    (2355, "46.3 3.9 8.2 17.2 78.3 4.7 3.2", {"stage": "IV"}),
    (1370, "51.7 2.8 21.7 27.4 61.8 4.8 24.3", {"side": "right"}),
    (1672, "43.7 3.5 3.8 13.2 80.0 6.3 5.1", {"side": "rectal"}),
    (1650, "42.7 3.5 5.5 18.2 79.6 4.9 8.4", {"age_years": 49.9}),
    (1144, "40.7 3.5 19.5 21.2 67.7 4.1 19.9", {"age_years": 70.0}),
    (2548, "46.0 3.3 12.8 21.0 73.5 4.7 12.5", {"sex": "female"}),
    (2997, "40.3 3.5 7.3 16.6 75.5 5.6 9.0", {"sex": "male"}),
    (4333, "42.0 3.3 10.6 18.6 73.9 5.2 11.3", {"ancestry": "white"}),
    (455, "39.8 3.1 7.9 15.4 82.4 6.2 7.3", {"ancestry": "asian"}),
    (382, "56.0 4.2 5.0 20.2 74.6 5.0 8.1", {"ancestry": "black"}),
]
EARLY_COLON = "40.5 3.1 11.1 19.6 71.9 5.6 16.1"


def _value(biomarker: str) -> str:
    return "high" if biomarker == "MSI" else "mut"


@pytest.mark.parametrize(("n", "cells", "stratum"), LUNG)
def test_every_cell_of_the_lung_table(n: int, cells: str, stratum: Stratum) -> None:
    asked: Stratum = {"histology": "adenocarcinoma", **stratum, "cohort": "msk_chord"}
    for biomarker, percent in zip(LUNG_KEYS, cells.split(), strict=True):
        (fact,) = prevalence_of("nsclc", biomarker, "mut", **asked)
        assert fact.share.value == pytest.approx(float(percent) / 100)
        assert fact.n == n


@pytest.mark.parametrize(("n", "cells", "stratum"), COLON)
def test_every_cell_of_the_colorectal_table(n: int, cells: str, stratum: Stratum) -> None:
    asked: Stratum = {**stratum, "cohort": "msk_chord"}
    for biomarker, percent in zip(COLON_KEYS, cells.split(), strict=True):
        (fact,) = prevalence_of("crc", biomarker, _value(biomarker), **asked)
        assert fact.share.value == pytest.approx(float(percent) / 100)
        assert fact.n == n


def test_the_row_of_stages_one_to_three() -> None:
    for biomarker, percent in zip(COLON_KEYS, EARLY_COLON.split(), strict=True):
        facts = [
            fact
            for fact in load_prevalence()
            if (fact.disease, fact.biomarker, fact.stage) == ("crc", biomarker, ("I", "II", "III"))
        ]
        assert [fact.share.value for fact in facts] == [pytest.approx(float(percent) / 100)]


def test_the_tables_leave_no_cell_out() -> None:
    tabled = [fact for fact in load_prevalence() if fact.cohort == "msk_chord" and not fact.given and fact.n]
    assert sum(fact.disease == "nsclc" for fact in tabled) == len(LUNG) * len(LUNG_KEYS)
    assert sum(fact.disease == "crc" for fact in tabled) == (len(COLON) + 1) * len(COLON_KEYS)
    assert sum(fact.disease == "breast" for fact in tabled) == 10
    assert sum(fact.disease == "prostate" for fact in tabled) == 3


def test_the_interval_is_wilsons() -> None:
    assert wilson(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    low, high = wilson(0.1, 50)
    assert 0.1 - low < high - 0.1
    assert wilson(0.0, 10)[0] == 0.0


@EVERY
def test_shares_are_sound(fact: PrevalenceFact) -> None:
    require_share(fact.share)
    require_wilson(fact.share, fact.n)


@EVERY
def test_names_are_known(fact: PrevalenceFact) -> None:
    disease, marker = load_diseases()[fact.disease], load_biomarkers()[fact.biomarker]
    assert marker.applies_to(fact.disease)
    assert all(marker.permits(value) for value in fact.value.split("|"))
    assert fact.histology is None or disease.histologies_of(fact.histology)
    assert fact.subtype is None or load_subtypes()[fact.subtype].disease == fact.disease
    assert fact.side is None or fact.side in disease.sides
    assert fact.sex in {None, "female", "male"}
    assert fact.smoking in {None, "never", "ever"}
    assert set(fact.stage) <= {"I", "II", "III", "IV"}
    for condition in filter(None, fact.given.split(";")):
        key, _, values = condition.partition("=")
        assert all(load_biomarkers()[key].permits(value) for value in values.split("|"))


def test_partitions_sum_to_one_and_share_their_stratum() -> None:
    parts: dict[str, list[PrevalenceFact]] = defaultdict(list)
    for fact in load_prevalence():
        if fact.partition:
            parts[fact.partition].append(fact)
    assert len(parts) >= 6
    for name, facts in parts.items():
        assert sum(fact.share.value for fact in facts) == pytest.approx(1, abs=0.011), name
        assert len({(fact.disease, fact.given, fact.setting, fact.histology) for fact in facts}) == 1
        assert len({fact.value for fact in facts}) == len(facts)


def test_no_fact_stands_twice() -> None:
    keys = [
        tuple(
            getattr(fact, field.name) if field.name != "share" else fact.share.source
            for field in fields(fact)
            if field.name not in {"n", "partition", "note"}
        )
        for fact in load_prevalence()
    ]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    ("disease", "biomarker", "value", "stratum", "expected"),
    [
        ("nsclc", "KRAS", "g12c", {"given": {"KRAS": "mut"}}, (0.405, 0.40, 0.41)),
        ("nsclc", "ROS1", "fusion", {}, (0.015, 0.01, 0.02)),
        ("nsclc", "MET", "ex14", {}, (0.035, 0.03, 0.04)),
        ("nsclc", "PDL1_TPS", "1..100", {"given": {"EGFR": "mut"}}, (0.57, None, None)),
        ("nsclc", "STK11", "mut", {"histology": "adenocarcinoma"}, (0.175, 0.15, 0.20)),
        ("crc", "RAS", "mut", {"given": {"KRAS": "wt"}, "setting": "advanced"}, (0.146512, None, None)),
        ("crc", "BRAF", "v600e", {"setting": "advanced"}, (0.10, 0.08, 0.12)),
        ("crc", "MSI", "high", {"stage": "II"}, (0.229, None, None)),
        ("breast", "ESR1", "mut", {"setting": "advanced"}, (0.25, 0.11, 0.39)),
        ("breast", "HER2", "low", {"given": {"HER2": "negative"}}, (0.525, 0.45, 0.60)),
        ("melanoma", "BRAF", "v600", {}, (0.5, None, None)),
        ("ovarian", "BRCA", "germline", {"histology": "hgsoc"}, (0.14, 0.13, 0.15)),
        ("prostate", "BRCA2", "mut", {"setting": "castration_resistant"}, (0.085, 0.08, 0.09)),
    ],
)
def test_known_literature_values(
    disease: str,
    biomarker: str,
    value: str,
    stratum: Stratum,
    expected: tuple[float, float | None, float | None],
) -> None:
    (fact,) = prevalence_of(disease, biomarker, value, **stratum)
    assert (fact.share.value, fact.share.low, fact.share.high) == (pytest.approx(expected[0]), *expected[1:])


def test_what_is_not_known_of_the_patient_is_not_assumed() -> None:
    facts = prevalence_of("nsclc", "EGFR", "mut", cohort="msk_chord")
    assert facts == ()
    assert prevalence_of("crc", "KRAS", "mut", ancestry="martian", cohort="msk_chord")[0].specificity == 0
    assert prevalence_of("crc", "BRAF", "mut", age_years=60.0, cohort="msk_chord")[0].age_min is None


def test_ties_are_all_returned() -> None:
    facts = prevalence_of("crc", "KRAS", "mut", sex="female", ancestry="black", cohort="msk_chord")
    assert sorted(fact.share.value for fact in facts) == [0.46, 0.56]


@given(st.sampled_from(load_prevalence()), st.sampled_from(["female", "male"]))
def test_knowing_more_never_gives_a_less_specific_answer(fact: PrevalenceFact, sex: str) -> None:
    keys = (fact.disease, fact.biomarker, fact.value)
    less = prevalence_of(*keys, cohort=fact.cohort)
    more = prevalence_of(*keys, cohort=fact.cohort, sex=sex, histology="adenocarcinoma", setting="advanced")
    assert not less or more[0].specificity >= less[0].specificity


def test_computed_rows_come_from_the_cohorts() -> None:
    computed = {fact.share.source for fact in load_prevalence() if fact.share.basis is Basis.COMPUTED}
    assert computed == {"dataset:msk-chord"}
    assert {fact.share.source for fact in load_prevalence() if fact.cohort == "msk_chord"} == computed


@pytest.mark.shared
def test_the_typed_tables_are_those_of_the_sheet(shared_data: Path) -> None:
    sheet = (shared_data / "biology_facts.md").read_text(encoding="utf-8")
    rows = [line for line in sheet.splitlines() if line.startswith("|")]
    numbers = [re.findall(r"[\d.]+", line.replace(",", "").rsplit("| n |", maxsplit=1)[-1]) for line in rows]
    for n, cells, stratum in (*LUNG, *COLON):
        wanted = [str(n), *cells.split()]
        if {"sex", "ancestry"} & set(stratum) and (n, cells, stratum) in COLON:
            found = any(set(wanted) <= set(row) for row in numbers)
        else:
            found = any(row[-len(wanted) :] == wanted for row in numbers)
        assert found, (n, cells)
