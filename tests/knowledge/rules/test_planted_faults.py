"""Faults planted one at a time are caught, with their weight and a source; sound patients break nothing."""

from collections.abc import Mapping

import pytest

from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.rules.validator import validate
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.subjects import Subjects

Row = Mapping[str, object]

HARD, ADJUST, MONITOR = Severity.HARD, Severity.ADJUST, Severity.MONITOR
LUNG: Row = {"disease": "nsclc"}
BOWEL: Row = {"disease": "crc"}
BREAST: Row = {"disease": "breast"}
SKIN: Row = {"disease": "melanoma"}
PROSTATE: Row = {"disease": "prostate"}
FOLFOX = ["fluorouracil", "leucovorin", "oxaliplatin"]

PLANTED: list[tuple[Row, Row, str, Severity]] = [
    # who and what
    (PROSTATE, {"sex": "female"}, "sex:prostate", HARD),
    ({"disease": "ovarian"}, {"sex": "male"}, "sex:ovarian", HARD),
    (PROSTATE, {"sex": "male", "age_years": 5}, "contradiction:carcinoma_childhood", HARD),
    (LUNG, {"sex": "male", "pregnancy": True}, "contradiction:sex_pregnancy", HARD),
    (LUNG, {"stage_m": "M0", "stage_group": "IV"}, "stage:nsclc", HARD),
    (BOWEL, {"stage_m": "M1a", "stage_group": "IIIA"}, "stage:crc", HARD),
    (LUNG, {"line": 1, "lines_given": 3}, "contradiction:line_already_given", ADJUST),
    (BOWEL, {"sex": "male", "MENOPAUSE": "post"}, "contradiction:sex_menopause_elsewhere", MONITOR),
    # markers
    (BOWEL, {"MSI": "high", "TMB": 0.3}, "contradiction:msi_without_mutations", ADJUST),
    (LUNG, {"EGFR": "l858r", "KRAS": "g12c"}, "exclusive:nsclc:EGFR=mut:KRAS=mut", ADJUST),
    (BOWEL, {"RAS": "wt", "KRAS": "g12c"}, "constraint:ras-wt-kras", HARD),
    (LUNG, {"EGFR": "wt", "EGFR_T790M": "positive"}, "constraint:t790m-egfr", HARD),
    (BREAST, {"HER2": "zero", "HER2_AMPLIFICATION": "amplified"}, "constraint:her2-positive-amplified", HARD),
    # drug against marker
    (BOWEL, {"RAS": "mut", "plan_drugs": ["cetuximab"]}, "anti_egfr_mab_ras_mutant", HARD),
    (SKIN, {"BRAF": "wt", "plan_drugs": ["vemurafenib"]}, "braf_inhibitor_without_v600", HARD),
    (BREAST, {"HER2": "zero", "plan_drugs": ["trastuzumab_deruxtecan"]},
     "trastuzumab_deruxtecan_her2_zero", HARD),
    (BREAST, {"BRCA": "wt", "plan_drugs": ["olaparib"]}, "parp_breast_without_brca", HARD),
    (LUNG, {"histology": "squamous", "plan_drugs": ["pemetrexed"]}, "pemetrexed_squamous", HARD),
    (PROSTATE, {"PSMA": "negative", "plan_drugs": ["lutetium_psma"]}, "lutetium_without_psma", HARD),
    ({"disease": "ovarian"}, {"FOLR1": "low", "plan_drugs": ["mirvetuximab_soravtansine"]},
     "mirvetuximab_without_folate_receptor", HARD),
    # pharmacogenes, organs, medicines
    (BOWEL, {"DPYD": 0, "plan_drugs": ["capecitabine"]}, "fluoropyrimidine_dpyd_poor", HARD),
    (BOWEL, {"UGT1A1": "*28/*28", "plan_drugs": ["irinotecan"], "dose": {"irinotecan": 1.0}},
     "irinotecan_ugt1a1_poor", ADJUST),
    (LUNG, {"crcl_ml_min": 30, "plan_drugs": ["cisplatin"]}, "cisplatin_crcl_below_50", HARD),
    (BOWEL, {"crcl_ml_min": 20, "plan_drugs": ["capecitabine"]}, "capecitabine_crcl_below_30", HARD),
    (BREAST, {"qtcf_ms": 470, "plan_drugs": ["letrozole", "ribociclib"]}, "ribociclib_qtcf", HARD),
    (BREAST, {"plan_drugs": ["ribociclib", "tamoxifen"]}, "ribociclib_tamoxifen", HARD),
    (BREAST, {"lvef_pct": 35, "plan_drugs": ["trastuzumab"]}, "her2_antibody_lvef_below_40", HARD),
    (BREAST, {"ild_grade": 2, "plan_drugs": ["trastuzumab_deruxtecan"]},
     "trastuzumab_deruxtecan_ild_symptomatic", HARD),
    (SKIN, {"conditions": ["organ_transplant"], "plan_drugs": ["nivolumab"]},
     "checkpoint_organ_transplant", HARD),
    (LUNG, {"comedications": ["rifampicin"], "plan_drugs": ["lorlatinib"]},
     "lorlatinib_strong_cyp3a4_inducer", HARD),
    (BOWEL, {"comedications": ["warfarin"], "plan_drugs": ["capecitabine"]},
     "fluoropyrimidine_warfarin", ADJUST),
    (BREAST, {"comedications": ["paroxetine"], "plan_drugs": ["tamoxifen"]},
     "tamoxifen_cyp2d6_inhibitor", ADJUST),
    (BREAST, {"diabetes": "type1", "plan_drugs": ["alpelisib", "fulvestrant"]}, "alpelisib_diabetes", HARD),
    (PROSTATE, {"plan_drugs": ["abiraterone"], "prednisone_mg_day": 0, "plan_supportive": []},
     "abiraterone_without_prednisone", ADJUST),
    (PROSTATE, {"prior_drugs": [], "anc": 1.2, "plan_drugs": ["radium_223"]}, "radium_counts", HARD),
    # dose, time
    (LUNG, {"plan_drugs": ["cisplatin"], "dose": {"cisplatin": 3.0}}, "dose:cisplatin", HARD),
    (SKIN, {"plan_drugs": ["nivolumab", "pembrolizumab"]}, "one_per_plan:anti_pd1_pdl1", HARD),
    (LUNG, {"as_of_year": 2005, "plan_drugs": ["osimertinib"]}, "approval:plan_drugs:osimertinib", ADJUST),
    (LUNG, {"days_since_pd1": 30, "plan_drugs": ["osimertinib"]}, "osimertinib_soon_after_pd1", HARD),
    (BOWEL, {"days_since_surgery": 10, "plan_drugs": ["bevacizumab"]}, "bevacizumab_surgery", HARD),
]  # fmt: skip

WELL: Row = {
    "anc": 4.0, "platelets": 250, "haemoglobin": 12.5, "crcl_ml_min": 85, "bilirubin_x_uln": 0.6,
    "ast_x_uln": 0.6, "alt_x_uln": 0.6, "alp_x_uln": 0.8, "potassium": 4.2, "magnesium": 0.85, "calcium": 2.3,
    "qtcf_ms": 415, "lvef_pct": 62, "lvef_fall": 0, "neuropathy_grade": 0, "ild_grade": 0, "ecog": 0,
    "conditions": [], "comedications": [], "lines_given": 0, "prior_drugs": [], "line": 1,
    "setting": "advanced", "as_of_year": 2024, "age_years": 64,
}  # fmt: skip
WOMAN: Row = WELL | {"sex": "female", "MENOPAUSE": "post"}
MAN: Row = WELL | {"sex": "male"}

SOUND: list[Row] = [
    WOMAN | LUNG | {"EGFR": "ex19del", "plan_drugs": ["osimertinib"]},
    WOMAN | LUNG | {"ALK": "fusion", "EGFR": "wt", "heart_rate": 70, "plan_drugs": ["alectinib"]},
    MAN | BOWEL | {
        "RAS": "wt", "KRAS": "wt", "NRAS": "wt", "BRAF": "wt", "primary_side": "left", "DPYD": 2,
        "plan_drugs": [*FOLFOX, "panitumumab"], "plan_supportive": ["antiemetics"],
    },
    WOMAN | BOWEL | {
        "RAS": "wt", "BRAF": "v600e", "line": 2, "lines_given": 1, "prior_drugs": FOLFOX,
        "plan_drugs": ["cetuximab", "encorafenib"],
    },
    WOMAN | BREAST | {"HR": "positive", "HER2": "low", "plan_drugs": ["letrozole", "ribociclib"]},
    WOMAN | BREAST | {
        "HR": "negative", "HER2": "positive", "plan_drugs": ["docetaxel", "pertuzumab", "trastuzumab"]
    },
    MAN | BREAST | {"MENOPAUSE": "post", "HR": "positive", "HER2": "low", "plan_drugs": ["tamoxifen"]},
    MAN | SKIN | {"BRAF": "v600e", "plan_drugs": ["dabrafenib", "trametinib"]},
    MAN | PROSTATE | {"CASTRATION": "resistant", "plan_drugs": ["abiraterone", "prednisone"]},
    MAN | PROSTATE | {
        "CASTRATION": "resistant", "line": 3, "lines_given": 2, "PSMA": "positive",
        "prior_drugs": ["docetaxel", "enzalutamide"], "plan_drugs": ["lutetium_psma"],
    },
    MAN | LUNG | {
        "histology": "squamous", "PDL1_TPS": 10, "plan_drugs": ["carboplatin", "paclitaxel", "pembrolizumab"],
        "plan_supportive": ["antiemetics"],
        "tests_done": ["thyroid_function", "liver_function", "glucose", "hepatitis_b"],
    },
]  # fmt: skip


@pytest.mark.parametrize(("sound", "fault", "id_", "severity"), PLANTED, ids=lambda part: str(part)[:40])
def test_a_planted_fault_is_caught(sound: Row, fault: Row, id_: str, severity: Severity) -> None:
    report = validate(Subjects.of_rows([{**sound, **fault}, sound]))
    found = {violation.id: violation for violation in report.violations(0)}
    assert id_ in found, sorted(found)
    assert found[id_].severity is severity
    assert found[id_].source in load_sources()
    assert found[id_].sentence
    assert id_ not in {violation.id for violation in report.violations(1)}


@pytest.mark.parametrize("row", SOUND, ids=lambda row: "+".join(row["plan_drugs"]))
def test_a_sound_patient_breaks_nothing(row: Row) -> None:
    report = validate(Subjects.of_rows([row]))
    assert [violation.id for violation in report.violations(0)] == []
