"""The validator: impossible, inconsistent and unsafe subjects are found, by name, weight and source."""

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oncoproof.knowledge.cancers.stages import load_stage_tables, stages_fit
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.interactions import load_interactions
from oncoproof.knowledge.rules.checks import CheckGroup
from oncoproof.knowledge.rules.rules import Severity, load_rules
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.rules.violations import Outcome
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

Row = Mapping[str, object]

SOUND: Row = {
    "disease": "nsclc",
    "histology": "adenocarcinoma",
    "sex": "female",
    "age_years": 61,
    "MENOPAUSE": "post",
    "setting": "advanced",
    "stage_t": "T2a",
    "stage_n": "N3",
    "stage_m": "M1c",
    "stage_group": "IVB",
    "line": 1,
    "lines_given": 0,
    "as_of_year": 2025,
    "prior_drugs": [],
    "EGFR": "l858r",
    "KRAS": "wt",
    "ALK": "negative",
    "assays": ["EGFR:tissue_ngs_panel"],
    "ecog": 1,
    "qtcf_ms": 420,
    "potassium": 4.2,
    "conditions": [],
    "comedications": [],
    "plan_drugs": ["osimertinib"],
    "dose": {"osimertinib": 1.0},
}


def _violations(**changes: object) -> dict[str, Severity]:
    report = validate(Subjects.of_rows([{**SOUND, **changes}]))
    return {violation.id: violation.severity for violation in report.violations(0)}


def test_a_sound_patient_and_plan_break_nothing() -> None:
    assert _violations() == {}


@pytest.mark.parametrize(
    ("changes", "id_", "severity"),
    [
        ({"ALK": "fusion"}, "exclusive:nsclc:EGFR=mut:ALK=fusion", Severity.ADJUST),
        ({"EGFR": "wt", "EGFR_T790M": "positive"}, "constraint:t790m-egfr", Severity.HARD),
        ({"RAS": "wt", "KRAS": "g12c"}, "constraint:ras-wt-kras", Severity.HARD),
        ({"HER2": "low"}, "value:nsclc:HER2", Severity.HARD),
        ({"disease": "ovarian", "sex": "male"}, "sex:ovarian", Severity.HARD),
        ({"disease": "prostate"}, "sex:prostate", Severity.HARD),
        ({"age_years": 4}, "age:nsclc", Severity.ADJUST),
        ({"histology": "uveal"}, "histology:nsclc", Severity.HARD),
        ({"pregnancy": True}, "contradiction:menopause_pregnancy", Severity.HARD),
        ({"stage_group": "IA1"}, "stage:nsclc", Severity.HARD),
        ({"stage_m": "M0"}, "stage:nsclc", Severity.HARD),
        ({"assays": ["PDL1_TPS:ctdna_panel"]}, "assay", Severity.HARD),
        ({"as_of_year": 2012}, "approval:plan_drugs:osimertinib", Severity.ADJUST),
        (
            {"as_of_year": 2005, "prior_drugs": ["alectinib"]},
            "approval:prior_drugs:alectinib",
            Severity.ADJUST,
        ),
        ({"line": 3}, "contradiction:line_not_next", Severity.ADJUST),
        ({"line": 1, "lines_given": 2}, "contradiction:line_already_given", Severity.ADJUST),
        ({"line": 2, "lines_given": 1}, "contradiction:line_without_treatment", Severity.ADJUST),
        ({"prior_classes": ["platinum"]}, "prior_class:platinum", Severity.ADJUST),
        ({"days_since_pd1": 30}, "contradiction:pd1_interval", Severity.HARD),
        ({"plan_drugs": ["alectinib"]}, "alk_tki_without_fusion", Severity.HARD),
        ({"dose": {"osimertinib": 1.6}}, "dose:osimertinib", Severity.HARD),
        ({"potassium": 99}, "bounds:potassium", Severity.HARD),
        (
            {"plan_drugs": ["erlotinib"], "bilirubin_x_uln": 4},
            "threshold:erlotinib:bilirubin_x_uln:1",
            Severity.HARD,
        ),
        ({"plan_drugs": ["gefitinib", "osimertinib"]}, "one_per_plan:egfr_tki", Severity.HARD),
        (
            {"plan_drugs": ["brigatinib"], "comedications": ["ketoconazole"], "dose": {"brigatinib": 1.0}},
            "interaction:brigatinib:strong_cyp3a4_inhibitor",
            Severity.ADJUST,
        ),
        ({"plan_drugs": ["letrozole"], "disease": "nsclc", "DPYD": 0.5}, None, None),
        ({"plan_drugs": ["capecitabine"], "DPYD": 0.5}, "fluoropyrimidine_dpyd_poor", Severity.HARD),
        ({"plan_drugs": ["tucatinib"]}, "indication:tucatinib", Severity.MONITOR),
    ],
)
def test_each_kind_of_fault_is_found(changes: Row, id_: str | None, severity: Severity | None) -> None:
    found = _violations(**changes)
    if id_ is None:
        assert "fluoropyrimidine_dpyd_poor" not in found
    else:
        assert found[id_] is severity


def test_a_lower_dose_settles_an_interaction() -> None:
    changes = {"plan_drugs": ["brigatinib"], "comedications": ["ketoconazole"], "dose": {"brigatinib": 0.5}}
    assert "interaction:brigatinib:strong_cyp3a4_inhibitor" not in _violations(**changes)


def test_double_drivers_after_targeted_treatment_may_be_resistance() -> None:
    changes = {"KRAS": "g12c", "prior_drugs": ["osimertinib"], "line": 2, "lines_given": 1}
    assert not any(id_.startswith("exclusive:") for id_ in _violations(**changes))


def test_outcomes_are_told_apart() -> None:
    rows: list[Row] = [
        {"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]},
        {"disease": "crc", "RAS": "wt", "KRAS": "wt", "NRAS": "wt", "plan_drugs": ["cetuximab"]},
        {"disease": "crc", "plan_drugs": ["cetuximab"]},
        {"disease": "crc", "plan_drugs": ["irinotecan"]},
        {"disease": "crc"},
    ]
    result = validate(Subjects.of_rows(rows)).result("anti_egfr_mab_ras_mutant")
    assert [result.outcome(row) for row in range(5)] == [
        Outcome.VIOLATED,
        Outcome.SATISFIED,
        Outcome.NOT_ASSESSABLE,
        Outcome.NOT_APPLICABLE,
        Outcome.NOT_APPLICABLE,
    ]
    assert result.violated.tolist() == [True, False, False, False, False]
    assert result.not_assessable.tolist() == [False, False, True, False, False]


def test_gaps_name_what_is_missing() -> None:
    report = validate(Subjects.of_rows([{"disease": "crc", "NRAS": "wt", "plan_drugs": ["cetuximab"]}]))
    gaps = {gap.id: gap.missing for gap in report.gaps(0)}
    assert gaps["anti_egfr_mab_ras_mutant"] == ("RAS", "KRAS")


def test_a_violation_carries_reason_action_and_source() -> None:
    report = validate(Subjects.of_rows([{**SOUND, "plan_drugs": ["pemetrexed"], "crcl_ml_min": 38}]))
    found = next(one for one in report.violations(0) if one.id == "pemetrexed_crcl_below_45")
    assert found.reasons == ("the plan includes pemetrexed", "creatinine clearance: 38 mL/min, below 45")
    assert found.source == "label:pemetrexed"
    assert found.group is CheckGroup.SAFETY
    assert found.action


def test_hard_violations_come_first_and_order_is_fixed() -> None:
    rows: list[Row] = [{**SOUND, "age_years": 4, "potassium": 99, "as_of_year": 2012}]
    first, again = (validate(Subjects.of_rows(rows)).violations(0) for _ in range(2))
    assert first == again
    weights = [list(Severity).index(violation.severity) for violation in first]
    assert weights == sorted(weights)
    assert len(weights) >= 3


def test_the_report_counts_by_check_and_by_weight() -> None:
    report = validate(Subjects.of_rows([SOUND, {**SOUND, "potassium": 99}, {**SOUND, "age_years": 108}]))
    assert report.counts() == {"bounds:potassium": 1, "age:nsclc": 1}
    assert report.violated().tolist() == [False, True, True]
    assert report.violated(Severity.HARD).tolist() == [False, True, False]


def test_every_check_has_a_name_a_source_and_words() -> None:
    sources = load_sources()
    for check in load_checks():
        assert check.source in sources, check.id
        assert check.title, check.id
        assert check.sentence.endswith("."), check.id
        assert check.action.endswith("."), check.id
    assert len({check.id for check in load_checks()}) == len(load_checks())
    assert {check.group for check in load_checks()} == set(CheckGroup)


def test_every_interaction_is_asked_by_a_check_or_by_a_rule() -> None:
    asked = sum(check.group is CheckGroup.INTERACTION for check in load_checks())
    ruled = sum(rule.topic == "interactions" for rule in load_rules().values())
    assert asked <= len(load_interactions()) <= asked + 20 * ruled


@settings(max_examples=20)
@given(st.data())
def test_many_at_once_are_judged_as_one_by_one(data: st.DataObject) -> None:
    examples = [dict(rule.text.fires) for rule in load_rules().values()]
    rows = data.draw(st.lists(st.sampled_from(examples), min_size=2, max_size=4))
    together = validate(Subjects.of_rows(rows))
    for number, row in enumerate(rows):
        alone = validate(Subjects.of_rows([row]))
        assert [one.id for one in alone.violations(0)] == [one.id for one in together.violations(number)]


@given(st.data())
def test_stage_groups_are_judged_as_the_staging_tables_do(data: st.DataObject) -> None:
    disease = data.draw(st.sampled_from(sorted(load_stage_tables())))
    features = ("stage_group", "stage_t", "stage_n", "stage_m")
    words = {
        name: data.draw(st.sampled_from(load_vocabulary().feature(name).values), label=name)
        for name in features
    }
    result = validate(Subjects.of_rows([{"disease": disease, **words}])).result(f"stage:{disease}")
    fits = stages_fit(disease, *([words[name]] for name in features))
    assert np.array_equal(result.violated, ~fits)


def test_no_subjects_are_judged_too() -> None:
    report = validate(Subjects.of_columns({"age_years": []}, rows=0))
    assert report.violated().tolist() == []


@pytest.mark.parametrize(
    ("patient", "id_", "severity"),
    [
        ({"disease": "nsclc", "stage_m": "M0", "stage_group": "IV"}, "stage:nsclc", Severity.HARD),
        ({"disease": "crc", "stage_n": "N2b", "stage_group": "IIA"}, "stage:crc", Severity.HARD),
        ({"disease": "nsclc", "stage_m": "M1d"}, "category:nsclc", Severity.HARD),
        ({"disease": "nsclc", "stage_group": "IVC"}, "category:nsclc", Severity.HARD),
        (
            {"disease": "melanoma", "stage_m": "M0", "stage_group": "IV"},
            "contradiction:stage_iv_without_metastasis",
            Severity.HARD,
        ),
        ({"sex": "male", "pregnancy": True}, "contradiction:sex_pregnancy", Severity.HARD),
        ({"disease": "prostate", "age_years": 3}, "contradiction:carcinoma_childhood", Severity.HARD),
        ({"PDL1_TPS": 80, "PDL1_CPS": 20}, "contradiction:cps_below_tps", Severity.ADJUST),
        ({"plan_drugs": ["carboplatin"], "dose": {"carboplatin": 0.02}}, "dose:carboplatin", Severity.HARD),
        ({"disease": "crc", "plan_drugs": ["docetaxel"]}, "indication:docetaxel", Severity.MONITOR),
        (
            {
                "disease": "crc",
                "setting": "advanced",
                "line": 1,
                "prior_drugs": [],
                "plan_drugs": ["trifluridine"],
            },
            "too_early:trifluridine",
            Severity.ADJUST,
        ),
        (
            {"bilirubin_x_uln": 2, "plan_drugs": ["doxorubicin"], "dose": {"doxorubicin": 1.0}},
            "threshold:doxorubicin:bilirubin_x_uln:4",
            Severity.ADJUST,
        ),
        (
            {"crcl_ml_min": 20, "plan_drugs": ["olaparib"], "dose": {"olaparib": 0.5}},
            "threshold:olaparib:crcl_ml_min:2",
            Severity.HARD,
        ),
    ],
)
def test_a_fault_is_found_in_what_little_is_known(patient: Row, id_: str, severity: Severity) -> None:
    found = {one.id: one.severity for one in validate(Subjects.of_rows([patient])).violations(0)}
    assert found.get(id_) is severity


@pytest.mark.parametrize(
    "patient",
    [
        {"disease": "nsclc", "stage_group": "IIIA", "stage_t": "T1"},
        {"disease": "prostate", "stage_t": "T2", "stage_n": "N0", "stage_m": "M0", "stage_group": "IIB"},
        {"disease": "nsclc", "EGFR": "l858r", "lvef_pct": 45, "lvef_fall": 0, "plan_drugs": ["osimertinib"]},
        {"disease": "breast", "stage_t": "T2", "stage_n": "N0", "stage_m": "M0", "stage_group": "IA"},
    ],
)
def test_nothing_hard_is_found_in_what_may_be(patient: Row) -> None:
    assert not validate(Subjects.of_rows([patient])).violated(Severity.HARD).any()


def test_every_threshold_is_asked_by_a_check_or_by_a_rule() -> None:
    for slug, drug in load_drugs().items():
        for threshold in drug.thresholds:
            low = threshold.low or 0.0
            high = 2 * low if threshold.high is None else threshold.high
            plan = {"plan_drugs": [slug], "dose": {slug: 1.0}, "plan_supportive": []}
            rows: list[Row] = [plan, {**plan, threshold.feature: (low + high) / 2}]
            bare, measured = (set(ids) for ids in _ids(rows))
            assert measured - bare, f"{slug} {threshold}"


def _ids(rows: list[Row]) -> list[list[str]]:
    report = validate(Subjects.of_rows(rows))
    return [[one.id for one in report.violations(row)] for row in range(len(rows))]
