"""The four policies: standard cases, times, practice variation, completeness and safety."""

from collections.abc import Iterator, Mapping
from datetime import date

import numpy as np
import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.options import STANDINGS, Standing, biomarker_of, drugs_of
from oncoproof.knowledge.policies.policy import Policy
from oncoproof.knowledge.policies.survey import Survey
from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.features import FeaturePart
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from policy_patients import PRIOR_DRUGS, random_patients

NOW = date(2026, 1, 1)
ACCEPTABLE = STANDINGS.index(Standing.ACCEPTABLE)
PREFERRED = STANDINGS.index(Standing.PREFERRED)
POLICIES = sorted(load_policies())
LEARNT_LATER = {"osimertinib_soon_after_pd1"}

LUNG = {"disease": "nsclc", "setting": "advanced", "line": 1, "ecog": 1, "histology": "adenocarcinoma"}
NO_DRIVER = {
    "EGFR": "wt", "ALK": "negative", "ROS1": "negative", "BRAF": "wt", "NTRK": "negative", "RET": "negative",
    "MET": "wt",
}  # fmt: skip
COLON = {"disease": "crc", "setting": "advanced", "line": 1, "ecog": 1}
BREAST = {"disease": "breast", "setting": "advanced", "line": 1, "ecog": 1}
OVARY = {"disease": "ovarian", "setting": "maintenance", "line": 0, "lines_given": 1, "ecog": 0}
PROSTATE = {"disease": "prostate", "setting": "advanced", "line": 1, "ecog": 1}
AFTER_HORMONE = PROSTATE | {
    "CASTRATION": "resistant", "BRCA": "wt", "HRR": "wt", "MSI": "stable", "prior_drugs": ["enzalutamide"],
}  # fmt: skip
PLATINUM_RESISTANT = {
    "disease": "ovarian", "setting": "advanced", "line": 2, "histology": "high_grade_serous", "BRCA": "wt",
    "prior_drugs": ["carboplatin", "paclitaxel"], "days_since_platinum": 90, "ecog": 1,
}  # fmt: skip
SKIN = {"disease": "melanoma", "setting": "advanced", "line": 1, "ecog": 0}


@pytest.mark.parametrize(
    ("patient", "policy", "as_of", "action", "standing"),
    [
        (LUNG | {"EGFR": "l858r"}, "resource_rich", "2026-01-01", "osimertinib", "preferred"),
        (LUNG | {"EGFR": "l858r"}, "resource_rich", "2017-01-01", "osimertinib", "not_listed"),
        (LUNG | {"EGFR": "l858r"}, "resource_rich", "2017-01-01", "gefitinib", "preferred"),
        (LUNG | {"EGFR": "l858r"}, "resource_rich", "2019-01-01", "gefitinib", "acceptable"),
        (LUNG | {"EGFR": "l858r"}, "resource_limited", "2026-01-01", "gefitinib", "preferred"),
        (LUNG | {"EGFR": "l858r"}, "practice_2016", "2026-01-01", "osimertinib", "not_listed"),
        (LUNG | {"EGFR": "ex20ins"}, "resource_rich", "2026-01-01", "erlotinib", "avoided"),
        (LUNG | NO_DRIVER | {"PDL1_TPS": 80}, "resource_rich", "2026-01-01", "pembrolizumab", "preferred"),
        (LUNG | NO_DRIVER | {"PDL1_TPS": 20}, "resource_rich", "2026-01-01", "pembrolizumab", "acceptable"),
        (LUNG | NO_DRIVER | {"PDL1_TPS": 20}, "european", "2026-01-01", "pembrolizumab", "avoided"),
        (LUNG | NO_DRIVER | {"PDL1_TPS": 0}, "resource_rich", "2026-01-01", "pembrolizumab", "avoided"),
        (LUNG | NO_DRIVER | {"PDL1_TPS": 80}, "resource_limited", "2026-01-01",
         "carboplatin+pemetrexed", "preferred"),
        (LUNG | {"ALK": "fusion"}, "resource_rich", "2026-01-01", "lorlatinib", "preferred"),
        (AFTER_HORMONE | {"PSMA": "positive"}, "resource_rich", "2026-01-01", "lutetium_psma", "preferred"),
        (AFTER_HORMONE | {"PSMA": "negative"}, "resource_rich", "2026-01-01", "lutetium_psma", "not_listed"),
        (AFTER_HORMONE, "resource_rich", "2026-01-01", "test:PSMA", "preferred"),
        (AFTER_HORMONE, "resource_rich", "2021-01-01", "test:PSMA", "not_listed"),
        (PLATINUM_RESISTANT | {"FOLR1": "high"}, "european", "2026-01-01",
         "mirvetuximab_soravtansine", "preferred"),
        (PLATINUM_RESISTANT | {"FOLR1": "low"}, "european", "2026-01-01",
         "mirvetuximab_soravtansine", "not_listed"),
        (PLATINUM_RESISTANT, "resource_rich", "2026-01-01", "test:FOLR1", "preferred"),
        (COLON | {"RAS": "mut"}, "european", "2026-01-01",
         "cetuximab+fluorouracil+leucovorin+oxaliplatin", "avoided"),
        (COLON | {"MSI": "high"}, "european", "2026-01-01", "pembrolizumab", "preferred"),
        (COLON | {"MSI": "high"}, "resource_rich", "2018-01-01", "pembrolizumab", "not_listed"),
        (BREAST | {"HR": "positive", "HER2": "low", "MENOPAUSE": "post"}, "resource_rich", "2026-01-01",
         "letrozole+ribociclib", "preferred"),
        (BREAST | {"HR": "positive", "HER2": "low", "MENOPAUSE": "pre"}, "resource_rich", "2026-01-01",
         "letrozole", "avoided"),
        (BREAST | {"HER2": "positive"}, "resource_limited", "2026-01-01",
         "docetaxel+trastuzumab", "preferred"),
        (OVARY | {"BRCA": "germline"}, "resource_rich", "2026-01-01", "olaparib", "preferred"),
        (OVARY | {"BRCA": "germline"}, "resource_limited", "2026-01-01", "no_treatment", "preferred"),
        (PROSTATE | {"CASTRATION": "sensitive"}, "practice_2016", "2026-01-01", "docetaxel", "preferred"),
        (PROSTATE | {"CASTRATION": "resistant", "HRR": "brca", "prior_drugs": ()}, "resource_rich",
         "2026-01-01", "abiraterone+olaparib", "preferred"),
        (SKIN | {"BRAF": "wt"}, "resource_rich", "2026-01-01", "ipilimumab", "avoided"),
    ],
)  # fmt: skip
def test_standard_case(
    patient: dict[str, object], policy: str, as_of: str, action: str, standing: str
) -> None:
    judgement = load_policies()[policy].judge(
        action, Subjects.of_rows([patient]), as_of=date.fromisoformat(as_of)
    )
    assert judgement.standing.value == standing, judgement
    assert bool(judgement.grounds) is (standing != "not_listed")


@pytest.mark.parametrize(
    ("illness", "action"),
    [
        ({"conditions": ["organ_transplant"]}, "carboplatin+pembrolizumab+pemetrexed"),
        ({"crcl_ml_min": 40}, "carboplatin+pemetrexed"),
        ({"ecog": 3}, "carboplatin+paclitaxel"),
        ({"pregnancy": True}, "carboplatin+paclitaxel"),
        ({"anc": 0.8}, "carboplatin+paclitaxel"),
    ],
)
def test_illness_rules_out_and_the_reason_says_so(illness: dict[str, object], action: str) -> None:
    policy = load_policies()["resource_rich"]
    well = LUNG | NO_DRIVER | {"PDL1_TPS": 0}
    assert policy.judge(action, Subjects.of_rows([well]), as_of=NOW).standing.is_advised
    judged = policy.judge(action, Subjects.of_rows([well | illness]), as_of=NOW)
    assert judged.standing is Standing.AVOIDED
    assert judged.grounds[-1].standing is Standing.AVOIDED
    assert judged.sources


def test_unknown_biomarker_orders_the_test_and_defers_the_rest() -> None:
    policy = load_policies()["resource_rich"]
    open_case = Subjects.of_rows([LUNG | {"PDL1_TPS": 0}])
    listed = policy.options(open_case, NOW).listed(0)
    assert listed["test:EGFR"] is Standing.PREFERRED
    assert Standing.PREFERRED not in {
        standing for action, standing in listed.items() if not biomarker_of(action)
    }
    settled = Subjects.of_rows([LUNG | NO_DRIVER | {"PDL1_TPS": 0}])
    assert "test:EGFR" not in policy.options(settled, NOW).listed(0)
    assert (
        policy.judge("carboplatin+pembrolizumab+pemetrexed", settled, as_of=NOW).standing
        is Standing.PREFERRED
    )


def test_dpyd_leaves_only_what_holds_no_fluoropyrimidine() -> None:
    patient = COLON | {"RAS": "mut", "BRAF": "wt", "MSI": "stable", "DPYD": 0.0}
    listed = load_policies()["resource_limited"].options(Subjects.of_rows([patient]), NOW).listed(0)
    chosen = {action for action, standing in listed.items() if standing.is_advised and drugs_of(action)}
    assert "irinotecan+oxaliplatin" in chosen
    assert not any({"fluorouracil", "capecitabine"} & set(drugs_of(action)) for action in chosen)


def test_another_schedule_of_the_same_drugs_counts() -> None:
    patient = Subjects.of_rows(
        [{"disease": "ovarian", "setting": "advanced", "line": 1, "ecog": 1, "BRCA": "wt"}]
    )
    judged = load_policies()["resource_rich"].judge("carboplatin+paclitaxel", patient, as_of=NOW)
    assert judged.standing is Standing.PREFERRED
    assert judged.action == "carboplatin+paclitaxel"


def test_each_subject_may_have_its_own_day() -> None:
    policy = load_policies()["resource_rich"]
    twice = Subjects.of_rows([LUNG | {"EGFR": "ex19del"}] * 2)
    days = np.array(["2017-06-01", "2019-06-01"], dtype="datetime64[D]")
    assert policy.options(twice, days).of("osimertinib").tolist() == [0, PREFERRED]


def test_policy_sees_no_plan() -> None:
    policy = load_policies()["european"]
    patient = LUNG | {"EGFR": "ex19del"}
    bare = policy.options(Subjects.of_rows([patient]), NOW)
    planned = policy.options(Subjects.of_rows([patient | {"plan_drugs": ["docetaxel"]}]), NOW)
    assert np.array_equal(bare.codes, planned.codes)


def test_row_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match="row 3"):
        load_policies()["european"].judge("docetaxel", Subjects.of_rows([LUNG]), as_of=NOW, row=3)


@pytest.mark.parametrize("disease", PRIOR_DRUGS)
def test_many_at_once_is_each_alone(disease: str) -> None:
    policy = load_policies()["resource_rich"]
    many = random_patients(disease, rows=40, unknown=0.3, ill=0.5)
    together = policy.options(many, NOW)
    for row in range(0, 40, 7):
        alone = policy.options(Subjects.of_rows([many.row(row)]), NOW)
        assert alone.listed(0) == together.listed(row)


@pytest.mark.parametrize("slug", POLICIES)
@pytest.mark.parametrize("disease", PRIOR_DRUGS)
def test_every_decision_has_an_answer_that_is_safe(disease: str, slug: str) -> None:
    policy = load_policies()[slug]
    for unknown, ill in ((0.0, 0.0), (0.3, 0.5)):
        patients = random_patients(disease, rows=400, unknown=unknown, ill=ill)
        for day in (policy.complete_from, date(2019, 1, 1), NOW):
            standings = policy.options(patients, day)
            assert standings.covered.all()
            assert standings.answered.all()
        unsafe = set(_unsafe(policy, patients)) - {
            (rule, action)
            for rule in LEARNT_LATER
            for action in ("osimertinib",)
            if policy.frozen is not None
        }
        assert not unsafe


def _unsafe(policy: Policy, patients: Subjects) -> Iterator[tuple[str, str]]:
    """Hard checks that something preferred or acceptable breaks, with the action."""
    plan = {feature.name for feature in load_vocabulary().of_part(FeaturePart.PLAN)} - {"plan_supportive"}
    checks = [check for check in load_checks() if check.severity is Severity.HARD and check.reads & plan]
    standings = policy.options(patients, NOW)
    pairs = [
        (row, standings.actions[number])
        for number, row in np.argwhere(standings.codes >= ACCEPTABLE).tolist()
        if drugs_of(standings.actions[number])
    ]
    known = [patients.row(row) for row in range(patients.rows)]
    plans = Subjects.of_rows([known[row] | _plan(known[row], action) for row, action in pairs])
    for result in validate(plans, checks=checks).results:
        for at in np.flatnonzero(result.violated):
            yield result.check.id, pairs[at][1]


def _plan(patient: Mapping[str, object], action: str) -> dict[str, object]:
    """The action as plan, at half dose where DPYD is not normal."""
    drugs = drugs_of(action)
    halved = patient.get("DPYD") not in {None, 2.0}
    return {"plan_drugs": drugs, "dose": dict.fromkeys(drugs, 0.5 if halved else 1.0)}


@pytest.mark.parametrize("disease", PRIOR_DRUGS)
def test_every_situation_is_reached(disease: str) -> None:
    policy = load_policies()["resource_rich"]
    seen: set[str] = set()
    for unknown in (0.0, 0.3):
        standings = policy.options(random_patients(disease, rows=4000, unknown=unknown, ill=0.2), NOW)
        seen |= {standings.situations[number] for number in np.unique(standings.situation)}
    assert seen == {situation.slug for situation in policy.content.guidelines[disease].situations}


@pytest.mark.parametrize("slug", POLICIES)
def test_nothing_is_preferred_and_avoided_at_once(slug: str) -> None:
    policy = load_policies()[slug]
    for disease in PRIOR_DRUGS:
        patients = random_patients(disease, rows=600, unknown=0.2, ill=0.2)
        for day in (policy.complete_from, date(2019, 1, 1), date(2022, 6, 1), NOW):
            good: dict[str, np.ndarray[tuple[int], np.dtype[np.bool_]]] = {}
            bad: dict[str, np.ndarray[tuple[int], np.dtype[np.bool_]]] = {}
            for option, rows in Survey(policy.content, patients, day).holding():
                kept = bad if option.standing is Standing.AVOIDED else good
                kept[option.action] = kept.get(option.action, np.zeros(patients.rows, np.bool_)) | rows
            clashes = [action for action in good if action in bad and (good[action] & bad[action]).any()]
            assert not clashes


@pytest.mark.parametrize("slug", POLICIES)
def test_names_and_sources_resolve(slug: str) -> None:
    policy = load_policies()[slug]
    regimens = load_regimens()
    assert not [action for action in policy.content.actions if drugs_of(action) and action not in regimens]
    named = {
        source
        for guideline in policy.content.guidelines.values()
        for options in (*guideline.options.values(), guideline.fallback)
        for option in options
        for source in option.sources
    }
    named |= {source for restriction in policy.content.restrictions for source in restriction.sources}
    assert not named - set(load_sources())


def test_practice_varies() -> None:
    """The policies disagree on a good part of the patients, in both directions of wealth and time."""
    patients = random_patients("nsclc", rows=500, unknown=0.0, ill=0.0)
    best: dict[str, set[tuple[int, str]]] = {}
    for slug, policy in load_policies().items():
        standings = policy.options(patients, NOW)
        at, row = np.nonzero(standings.codes == PREFERRED)
        best[slug] = {(int(one), standings.actions[number]) for number, one in zip(at, row, strict=True)}
    for slug, chosen in best.items():
        others = [len(chosen & other) / len(chosen | other) for name, other in best.items() if name != slug]
        assert max(others) < 0.9, slug
