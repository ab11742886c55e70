"""What the graph answers for patients whose answer an oncologist knows."""

from collections.abc import Mapping

import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.graph import Answer, KnowledgeGraph, Relation, Verdict
from oncoproof.knowledge.sources import load_sources

YES, NO, UNKNOWN = Verdict.YES, Verdict.NO, Verdict.UNKNOWN

Facts = Mapping[str, object]

COMPATIBLE: list[tuple[str, str, Facts, Verdict]] = [
    # lung
    ("nsclc", "osimertinib", {"EGFR": "ex19del"}, YES),
    ("nsclc", "osimertinib", {"EGFR": "L858R"}, YES),
    ("nsclc", "osimertinib", {"EGFR": "uncommon"}, YES),
    ("nsclc", "osimertinib", {"EGFR": "T790M"}, YES),
    ("nsclc", "osimertinib", {"EGFR": "wt", "line": 1}, NO),
    ("nsclc", "osimertinib", {"EGFR": "ex19del", "EGFR_C797S": "positive"}, NO),
    ("nsclc", "osimertinib", {"EGFR_T790M": "positive", "EGFR_C797S": "positive"}, NO),
    ("nsclc", "osimertinib", {"EGFR": "ex19del", "TRANSFORMATION": "small_cell"}, NO),
    ("nsclc", "gefitinib", {"EGFR": "ex19del"}, YES),
    ("nsclc", "gefitinib", {"EGFR": "ex19del", "EGFR_T790M": "positive"}, NO),
    ("nsclc", "gefitinib", {"EGFR": "ex20ins"}, NO),
    ("nsclc", "afatinib", {"EGFR": "uncommon"}, YES),
    ("nsclc", "dacomitinib", {"EGFR": "l858r"}, YES),
    ("nsclc", "dacomitinib", {"EGFR": "ex20ins"}, NO),
    ("nsclc", "dacomitinib", {"EGFR": "l858r", "EGFR_T790M": "positive"}, NO),
    ("nsclc", "sunvozertinib", {"EGFR": "ex20ins"}, YES),
    ("nsclc", "pralsetinib", {"RET": "fusion"}, YES),
    ("nsclc", "taletrectinib", {"ROS1": "fusion"}, YES),
    ("nsclc", "alectinib", {"ALK": "fusion"}, YES),
    ("nsclc", "alectinib", {"ALK": "negative"}, NO),
    ("nsclc", "alectinib", {"ALK_G1202R": "positive"}, NO),
    ("nsclc", "lorlatinib", {"ALK_G1202R": "positive"}, YES),
    ("nsclc", "brigatinib", {"ALK": "fusion"}, YES),
    ("nsclc", "sotorasib", {"KRAS": "g12c"}, YES),
    ("nsclc", "sotorasib", {"KRAS": "G12D"}, NO),
    ("nsclc", "selpercatinib", {"RET": "fusion"}, YES),
    ("nsclc", "dabrafenib+trametinib", {"BRAF": "V600E"}, YES),
    ("nsclc", "trastuzumab deruxtecan", {"HER2": "mut"}, YES),
    ("nsclc", "zongertinib", {"HER2": "mut"}, YES),
    ("nsclc", "zongertinib", {"HER2": "wt"}, UNKNOWN),
    ("nsclc", "pembrolizumab", {"PDL1_TPS": 80, "EGFR": "wt", "ALK": "negative"}, YES),
    ("nsclc", "pembrolizumab", {"EGFR": "l858r"}, NO),
    ("nsclc", "pembrolizumab", {"PDL1_TPS": 80, "line": 1, "histology": "non_squamous"}, UNKNOWN),
    ("nsclc", "pemetrexed", {"histology": "squamous"}, NO),
    ("nsclc", "pemetrexed", {"histology": "adenocarcinoma"}, YES),
    # bowel
    ("crc", "cetuximab", {"KRAS": "G12D"}, NO),
    ("crc", "cetuximab", {"RAS": "mut"}, NO),
    ("crc", "cetuximab", {"RAS": "wt", "BRAF": "wt", "primary_side": "left"}, YES),
    ("crc", "cetuximab", {"RAS": "wt", "BRAF": "v600e"}, NO),
    ("crc", "FOLFIRI+Erbitux", {"RAS": "wt", "BRAF": "wt"}, YES),
    ("crc", "panitumumab", {"RAS": "wt"}, YES),
    ("crc", "vemurafenib", {"BRAF": "v600e"}, NO),
    ("crc", "encorafenib+cetuximab", {"BRAF": "v600e", "RAS": "wt"}, YES),
    ("crc", "encorafenib+cetuximab", {"BRAF": "v600e"}, UNKNOWN),
    ("crc", "encorafenib+cetuximab", {"BRAF": "wt", "RAS": "wt"}, NO),
    ("crc", "sotorasib+panitumumab", {"KRAS": "g12c"}, YES),
    ("crc", "pembrolizumab", {"MSI": "high"}, YES),
    ("crc", "pembrolizumab", {"MSI": "stable"}, NO),
    ("crc", "tucatinib+trastuzumab", {"HER2": "positive", "RAS": "wt"}, YES),
    ("crc", "tucatinib+trastuzumab", {"HER2": "positive", "RAS": "mut"}, NO),
    ("crc", "fluorouracil", {"DPYD": 0}, NO),
    ("crc", "larotrectinib", {"NTRK": "fusion"}, YES),
    ("crc", "FOLFOX", {}, YES),
    ("crc", "osimertinib", {}, UNKNOWN),
    # breast
    ("breast", "trastuzumab deruxtecan", {"HER2": "positive"}, YES),
    ("breast", "Enhertu", {"HER2": "low"}, YES),
    ("breast", "trastuzumab deruxtecan", {"HER2": "zero"}, NO),
    ("breast", "trastuzumab", {"HER2": "positive"}, YES),
    ("breast", "trastuzumab", {"HER2": "negative"}, NO),
    ("breast", "olaparib", {"BRCA": "germline"}, YES),
    ("breast", "olaparib", {"BRCA": "germline", "HER2": "negative"}, YES),
    ("breast", "olaparib", {"BRCA": "wt"}, NO),
    ("breast", "fulvestrant", {"HR": "negative"}, NO),
    ("breast", "fulvestrant", {"HR": "positive", "HER2": "negative"}, YES),
    ("breast", "palbociclib", {"HR": "positive", "HER2": "negative"}, YES),
    ("breast", "palbociclib", {"HR": "positive", "HER2": "negative", "RB1": "lost"}, NO),
    ("breast", "letrozole", {"HR": "positive", "HER2": "negative", "ESR1": "mut"}, NO),
    ("breast", "elacestrant", {"HR": "positive", "HER2": "negative", "ESR1": "mut"}, YES),
    ("breast", "elacestrant", {"HR": "positive", "HER2": "negative", "ESR1": "wt"}, NO),
    ("breast", "everolimus+exemestane", {"HR": "positive", "HER2": "negative"}, YES),
    ("breast", "imlunestrant", {"HR": "positive", "HER2": "negative", "ESR1": "mut"}, YES),
    ("breast", "capivasertib+fulvestrant", {"HR": "positive", "HER2": "negative", "PIK3CA": "mut"}, YES),
    # melanoma
    ("melanoma", "dabrafenib+trametinib", {"BRAF": "v600e"}, YES),
    ("melanoma", "vemurafenib", {"BRAF": "v600e"}, YES),
    ("melanoma", "vemurafenib", {"BRAF": "wt"}, NO),
    ("melanoma", "cobimetinib+vemurafenib", {"BRAF": "v600e"}, YES),
    ("melanoma", "imatinib", {"KIT": "mut"}, YES),
    ("melanoma", "imatinib", {"KIT": "wt"}, NO),
    ("melanoma", "pembrolizumab", {"histology": "cutaneous"}, YES),
    ("melanoma", "pembrolizumab", {"histology": "uveal"}, NO),
    # ovary and prostate
    ("ovarian", "olaparib", {"BRCA": "germline"}, YES),
    ("ovarian", "olaparib", {"BRCA": "germline", "BRCA_REVERSION": "positive"}, NO),
    ("ovarian", "carboplatin+paclitaxel", {}, YES),
    ("prostate", "olaparib", {"HRR": "brca"}, YES),
    ("prostate", "olaparib", {"HRR": "brca", "BRCA_REVERSION": "positive"}, NO),
    ("ovarian", "mirvetuximab soravtansine", {"FOLR1": "high"}, YES),
    ("ovarian", "mirvetuximab soravtansine", {"FOLR1": "low"}, NO),
    ("prostate", "enzalutamide", {}, YES),
    ("prostate", "lutetium psma", {"PSMA": "positive"}, YES),
    ("prostate", "lutetium psma", {"PSMA": "negative"}, NO),
]

CONTRAINDICATED: list[tuple[str, str, Facts, Verdict]] = [
    ("crc", "cetuximab", {"KRAS": "G12D"}, YES),
    ("crc", "cetuximab", {"NRAS": "mut"}, YES),
    ("crc", "cetuximab", {}, UNKNOWN),
    ("crc", "fluorouracil", {"DPYD": 0}, YES),
    ("breast", "capecitabine", {"DPYD": 0.5}, YES),
    ("breast", "trastuzumab+doxorubicin", {"HER2": "positive"}, YES),
    ("melanoma", "vemurafenib", {"BRAF": "wt"}, YES),
    ("nsclc", "pemetrexed", {"crcl_ml_min": 30}, YES),
    ("nsclc", "osimertinib", {"EGFR": "ex19del"}, UNKNOWN),
    ("crc", "leucovorin", {}, NO),
    ("prostate", "enzalutamide", {"conditions": []}, NO),
    ("melanoma", "pembrolizumab", {"conditions": ["organ_transplant"]}, YES),
    ("nsclc", "lorlatinib", {"comedications": ["rifampicin"]}, YES),
    ("breast", "ribociclib+tamoxifen", {}, YES),
]

CAUTIONS: list[tuple[str, str, Facts, str]] = [
    ("prostate", "abiraterone", {"plan_supportive": [], "prednisone_mg_day": 0}, "without prednisone"),
    ("prostate", "abiraterone+enzalutamide", {}, "together with enzalutamide"),
    ("crc", "sotorasib", {"KRAS": "g12c"}, "without an anti-EGFR antibody"),
    ("crc", "irinotecan", {"UGT1A1": "*28/*28", "dose": {"irinotecan": 1.0}}, "UGT1A1"),
    ("prostate", "lutetium psma", {"PSMA": "negative", "crcl_ml_min": 20}, "creatinine clearance"),
]

MISSING: list[tuple[str, str, Facts, str]] = [
    ("nsclc", "osimertinib", {}, "EGFR"),
    ("nsclc", "sotorasib", {}, "KRAS"),
    ("nsclc", "alectinib", {}, "ALK"),
    ("nsclc", "brigatinib", {}, "ALK"),
    ("nsclc", "pembrolizumab", {}, "PDL1_TPS"),
    ("nsclc", "pembrolizumab", {"PDL1_TPS": 80, "line": 1, "histology": "non_squamous"}, "EGFR"),
    ("nsclc", "pemetrexed", {}, "histology"),
    ("crc", "cetuximab", {}, "RAS"),
    ("crc", "cetuximab", {"KRAS": "wt"}, "RAS"),
    ("crc", "encorafenib+cetuximab", {"BRAF": "v600e"}, "RAS"),
    ("crc", "pembrolizumab", {}, "MSI"),
    ("breast", "trastuzumab", {}, "HER2"),
    ("breast", "fulvestrant", {}, "HR"),
    ("breast", "olaparib", {}, "BRCA"),
    ("breast", "alpelisib+fulvestrant", {"HR": "positive"}, "PIK3CA"),
    ("melanoma", "dabrafenib+trametinib", {}, "BRAF"),
    ("melanoma", "pembrolizumab", {}, "histology"),
    ("ovarian", "olaparib", {}, "BRCA"),
    ("prostate", "olaparib", {}, "HRR"),
    ("prostate", "lutetium psma", {}, "PSMA"),
    ("ovarian", "mirvetuximab soravtansine", {}, "FOLR1"),
]


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return KnowledgeGraph.load()


def _words(given: object) -> str:
    return str(given).replace("'", "")


@pytest.mark.parametrize(("disease", "treatment", "facts", "verdict"), COMPATIBLE, ids=_words)
def test_compatible(
    graph: KnowledgeGraph, disease: str, treatment: str, facts: Facts, verdict: Verdict
) -> None:
    answer = graph.is_compatible(treatment, facts, disease=disease)
    assert answer.verdict is verdict
    _check(graph, answer, treatment)


@pytest.mark.parametrize(("disease", "treatment", "facts", "verdict"), CONTRAINDICATED, ids=_words)
def test_contraindicated(
    graph: KnowledgeGraph, disease: str, treatment: str, facts: Facts, verdict: Verdict
) -> None:
    answer = graph.is_contraindicated(treatment, facts, disease=disease)
    assert answer.verdict is verdict
    if verdict is YES:
        _check(graph, answer, treatment)
        assert answer.statements[-1].relation is Relation.RULES_OUT
        assert graph.is_compatible(treatment, facts, disease=disease).verdict is NO


@pytest.mark.parametrize(("disease", "treatment", "facts", "title"), CAUTIONS, ids=_words)
def test_what_asks_for_another_dose_or_drug_is_told_beside(
    graph: KnowledgeGraph, disease: str, treatment: str, facts: Facts, title: str
) -> None:
    answer = graph.is_contraindicated(treatment, facts, disease=disease)
    (said,) = (one for one in answer.others if one.relation is Relation.ADVISES_AGAINST)
    assert title in said.sentence
    assert said.source in load_sources()


def test_nobody_is_asked_whether_a_man_with_prostate_cancer_is_pregnant(graph: KnowledgeGraph) -> None:
    answer = graph.is_contraindicated("docetaxel", {}, disease="prostate")
    assert not {"pregnancy", "breastfeeding", "MENOPAUSE", "sex"} & set(answer.missing)


@pytest.mark.parametrize(("disease", "treatment", "facts", "name"), MISSING, ids=_words)
def test_missing(graph: KnowledgeGraph, disease: str, treatment: str, facts: Facts, name: str) -> None:
    answer = graph.is_compatible(treatment, facts, disease=disease)
    assert answer.verdict is UNKNOWN
    assert name in answer.missing
    assert answer.because


def _check(graph: KnowledgeGraph, answer: Answer, treatment: str) -> None:
    """A settled answer has a connected chain that ends at the treatment, each statement with a source."""
    if answer.verdict is UNKNOWN:
        assert not answer.chain
        return
    assert answer.because
    assert not answer.missing
    assert [step.end for step in answer.chain[:-1]] == [step.start for step in answer.chain[1:]]
    assert graph.is_compatible(treatment, {}, disease="crc").question.startswith(f"is {_asked(answer)} ")
    for reason in graph.why(answer):
        assert reason.source in load_sources()
        assert reason.citation
        assert reason.sentence.endswith((".", "?"))


def _asked(answer: Answer) -> str:
    return answer.question.removeprefix("is ").partition(" compatible ")[0].partition(" contraindicated ")[0]


def test_test_that_is_missing_forbids_nothing(graph: KnowledgeGraph) -> None:
    """The validator calls an untested RAS a breach; to the graph it is a gap."""
    answer = graph.is_contraindicated("panitumumab", {}, disease="crc")
    assert answer.verdict is UNKNOWN
    assert answer.missing[0] == "RAS"


def test_forbidding_chain_leads_over_the_deduction(graph: KnowledgeGraph) -> None:
    answer = graph.is_contraindicated("cetuximab", {"KRAS": "G12D"}, disease="crc")
    assert [str(step) for step in answer.chain] == [
        "marker:KRAS=other - implies -> marker:RAS=mut",
        "marker:RAS=mut - rules_out -> drug:cetuximab",
    ]


def test_forbidding_chain_leads_over_the_marker_that_breaks_the_rule(graph: KnowledgeGraph) -> None:
    facts = {"EGFR": "l858r", "ALK": "negative", "line": 1}
    answer = graph.is_contraindicated("pembrolizumab", facts, disease="nsclc")
    assert answer.verdict is YES
    assert answer.chain[0].start == "marker:EGFR=l858r"


def test_yes_names_what_it_takes_for_granted(graph: KnowledgeGraph) -> None:
    answer = graph.is_compatible("palbociclib", {"HR": "positive"}, disease="breast")
    assert answer.verdict is YES
    assert {"HER2=negative", "MENOPAUSE=post", "line 1"} <= set(answer.provided)
    assert answer.provided[0] == "given as part of palbociclib and letrozole"


def test_known_line_is_not_taken_for_granted(graph: KnowledgeGraph) -> None:
    answer = graph.is_compatible("osimertinib", {"EGFR": "ex19del", "line": 1}, disease="nsclc")
    assert answer.verdict is YES
    assert answer.provided == ("histology adenocarcinoma",)


def test_names_make_no_difference(graph: KnowledgeGraph) -> None:
    by_slug = graph.is_compatible("osimertinib", {"EGFR": "l858r", "EGFR_T790M": "negative"}, disease="nsclc")
    by_name = graph.is_compatible(
        "TAGRISSO", {"egfr": "L858R", "EGFR T790M": "Negative"}, disease="Non-Small Cell Lung Cancer"
    )
    assert by_slug == by_name


def test_disease_may_stand_among_the_facts(graph: KnowledgeGraph) -> None:
    facts = {"EGFR": "ex19del", "disease": "nsclc"}
    assert graph.is_compatible("osimertinib", facts).verdict is YES


@pytest.mark.parametrize(
    ("treatment", "facts", "disease", "remedy"),
    [
        ("osimertinb", {}, "nsclc", "osimertinib"),
        ("osimertinib+cetuximb", {}, "nsclc", "cetuximab"),
        ("osimertinib", {"EGFRR": "wt"}, "nsclc", "EGFR"),
        ("osimertinib", {"EGFR": "ex19"}, "nsclc", "ex19del"),
        ("osimertinib", {"EGFR": "wt"}, "nsclcc", "nsclc"),
        ("osimertinib", {"EGFR": "wt"}, None, "nsclc"),
        ("pembrolizumab", {"PDL1_TPS": 130}, "nsclc", "unit"),
        ("trastuzumab", {"HER2": "positive"}, "nsclc", "mut"),
        ("cetuximab", {"RAS": "wt", "KRAS": "g12c"}, "crc", "correct one"),
        ("pemetrexed", {"histology": "uveal"}, "nsclc", "histology"),
    ],
)
def test_unknown_name_is_refused_with_the_nearest(
    graph: KnowledgeGraph, treatment: str, facts: Facts, disease: str | None, remedy: str
) -> None:
    with pytest.raises(InputError) as caught:
        graph.is_compatible(treatment, facts, disease=disease)
    assert remedy in caught.value.remedy
