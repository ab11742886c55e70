"""Evidence: what trials prove, what was curated, and what a profile asks of a patient."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError, IntegrityError
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.evidence.citations import cite, cite_all, sources_of
from oncoproof.knowledge.evidence.curated_evidence import CuratedRow, curated_evidence, load_curated_evidence
from oncoproof.knowledge.evidence.evidence import (
    Direction,
    Effect,
    Endpoint,
    Evidence,
    Level,
    unique_evidence,
)
from oncoproof.knowledge.evidence.known_evidence import evidence_about, load_evidence
from oncoproof.knowledge.evidence.molecular import parse_profile
from oncoproof.knowledge.evidence.trial_evidence import evidence_from_trials
from oncoproof.knowledge.medicines.treatments import treatment_words
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import Basis
from oncoproof.knowledge.trials.arms import ArmRole, TrialArm
from oncoproof.knowledge.trials.trial_table import load_trials


def _arm(row_id: str) -> TrialArm:
    return next(arm for arm in load_trials() if arm.row_id == row_id)


def _piece(id_: str) -> Evidence:
    return next(piece for piece in load_evidence() if piece.id == id_)


def _derive(arm: TrialArm) -> Evidence:
    control = [] if arm.comparator_row_id is None else [_arm(arm.comparator_row_id)]
    return evidence_from_trials([arm, *control])[0]


def test_each_arm_that_is_no_control_gives_one_piece() -> None:
    arms = [arm for arm in load_trials() if arm.arm is not ArmRole.CONTROL]
    assert [piece.id for piece in evidence_from_trials()] == [f"trial:{arm.row_id}" for arm in arms]


def test_each_comparison_names_what_it_was_compared_with() -> None:
    for arm, piece in zip(
        [arm for arm in load_trials() if arm.arm is not ArmRole.CONTROL], evidence_from_trials(), strict=True
    ):
        if arm.comparator_row_id:
            assert piece.comparator == _arm(arm.comparator_row_id).drugs
        else:
            assert piece.comparator is None
            assert piece.level is Level.B


@pytest.mark.parametrize(
    ("row_id", "direction", "effect"),
    [
        ("flaura-egfr-osimertinib", Direction.SUPPORTS, Effect.SENSITIVITY),
        ("crystal-ras_mut-folfiri_cetuximab", Direction.OPPOSES, Effect.NO_BENEFIT),
        ("paola_1-hrd_neg_or_unknown-olaparib_bevacizumab", Direction.OPPOSES, Effect.NO_BENEFIT),
        ("solar_1-pik3ca_wt-alpelisib_fulvestrant", Direction.OPPOSES, Effect.NO_BENEFIT),
        ("calgb_80405-kras_wt-chemo_cetuximab", Direction.NEUTRAL, Effect.NO_DIFFERENCE),
        ("destiny_crc02-her2_pos-tdxd_5_4", Direction.SUPPORTS, Effect.SENSITIVITY),
    ],
)
def test_trials_are_judged_as_their_readers_judge_them(
    row_id: str, direction: Direction, effect: Effect
) -> None:
    piece = _piece(f"trial:{row_id}")
    assert (piece.direction, piece.effect) == (direction, effect)


def test_a_hazard_ratio_above_one_opposes_and_its_mirror_supports() -> None:
    arm = replace(_arm("flaura-egfr-osimertinib"), os_hr=None, os_hr_low=None, os_hr_high=None)
    harmful = _derive(replace(arm, pfs_hr=1.31, pfs_hr_low=1.07, pfs_hr_high=1.6))
    helpful = _derive(replace(arm, pfs_hr=1 / 1.31, pfs_hr_low=1 / 1.6, pfs_hr_high=1 / 1.07))
    assert (harmful.direction, harmful.effect) == (Direction.OPPOSES, Effect.HARM)
    assert (helpful.direction, helpful.effect) == (Direction.SUPPORTS, Effect.SENSITIVITY)


def test_endpoints_that_disagree_and_ratios_without_interval_decide_nothing() -> None:
    arm = _arm("flaura-egfr-osimertinib")
    torn = replace(arm, pfs_hr=0.5, pfs_hr_low=0.4, pfs_hr_high=0.6, os_hr=2.0, os_hr_low=1.5, os_hr_high=2.5)
    bare = replace(arm, pfs_hr_low=None, pfs_hr_high=None, os_hr=None, os_hr_low=None, os_hr_high=None)
    assert _derive(torn).direction is Direction.NEUTRAL
    assert _derive(bare).direction is Direction.NEUTRAL


def test_response_interval_is_wilsons() -> None:
    size = _derive(replace(_arm("destiny_crc02-her2_pos-tdxd_5_4"), orr_pct=30.0, n=10)).sizes[0]
    assert size.endpoint is Endpoint.RESPONSE
    # The textbook interval of three in ten.
    assert (size.figure.low, size.figure.high) == (0.108, 0.603)
    assert _derive(replace(_arm("destiny_crc02-her2_pos-tdxd_5_4"), orr_pct=20.0, n=10)).direction is (
        Direction.NEUTRAL
    )


def test_what_a_trial_left_out_is_part_of_its_profile() -> None:
    profile = _piece("trial:keynote_024-tps50-pembrolizumab").profile
    patient = {"PDL1_TPS": 70.0, "EGFR": "wt", "ALK": "negative"}
    assert profile.admits(patient) is True
    assert profile.admits({**patient, "EGFR": "l858r"}) is False
    assert profile.admits({"PDL1_TPS": 70.0}) is None


def test_the_figure_that_decided_comes_first() -> None:
    piece = _piece("trial:checkmate_057-nonsq-nivolumab")
    assert [size.endpoint for size in piece.sizes] == [Endpoint.OS_HR, Endpoint.PFS_HR]
    assert piece.direction is Direction.SUPPORTS


def test_figures_cite_the_report_of_their_endpoint() -> None:
    by_endpoint = {
        size.endpoint: size.figure.source for size in _piece("trial:flaura-egfr-osimertinib").sizes
    }
    assert by_endpoint == {Endpoint.PFS_HR: "pmid:29151359", Endpoint.OS_HR: "pmid:31751012"}


def test_every_piece_resolves_into_the_base() -> None:
    assert len(load_curated_evidence()) >= 60
    for piece in load_evidence():
        assert piece.disease is None or piece.disease in load_diseases(), piece.id
        assert piece.treatment.words() <= treatment_words() | {"none"}, piece.id
        assert piece.sources, piece.id
        assert set(sources_of([piece])) <= load_sources().keys(), piece.id
        assert piece.statement.endswith("."), piece.id
        if piece.disease and piece.histology != "any":
            assert load_diseases()[piece.disease].histologies_of(piece.histology), piece.id


def test_figures_lie_within_their_intervals() -> None:
    for piece in load_evidence():
        for size in piece.sizes:
            bounds = [size.figure.low, size.figure.value, size.figure.high]
            given_ = [number for number in bounds if number is not None]
            assert given_ == sorted(given_), piece.id
            if size.endpoint in {Endpoint.RESPONSE, Endpoint.PREVALENCE}:
                assert 0 <= size.figure.value <= 1, piece.id


@pytest.mark.parametrize(
    ("disease", "drug", "patient"),
    [
        ("nsclc", "gefitinib", {"EGFR": "l858r", "EGFR_T790M": "positive"}),
        ("nsclc", "osimertinib", {"EGFR": "l858r", "EGFR_C797S": "positive"}),
        ("nsclc", "alectinib", {"ALK": "fusion", "ALK_G1202R": "positive"}),
        ("nsclc", "pembrolizumab", {"EGFR": "ex19del"}),
        ("crc", "cetuximab", {"RAS": "mut"}),
        ("crc", "panitumumab", {"RAS": "mut"}),
        ("breast", "letrozole", {"HR": "positive", "ESR1": "mut"}),
        ("melanoma", "vemurafenib", {"BRAF": "wt"}),
        ("ovarian", "olaparib", {"BRCA": "germline", "BRCA_REVERSION": "positive"}),
    ],
)
def test_known_resistance_and_futility_are_found(disease: str, drug: str, patient: dict[str, str]) -> None:
    against = [
        piece.id
        for piece in evidence_about(disease, drug)
        if piece.direction is Direction.OPPOSES and piece.applies_to(disease, patient)
    ]
    assert against


def test_evidence_across_tumours_applies_everywhere_and_other_evidence_does_not() -> None:
    agnostic = _piece("curated:ntrk_larotrectinib")
    assert all(agnostic.applies_to(disease, {"NTRK": "fusion"}) for disease in load_diseases())
    assert _piece("curated:c797s_osimertinib").applies_to("crc", {"EGFR": "mut"}) is False


def test_a_variant_no_key_expresses_leaves_the_answer_open() -> None:
    piece = _piece("curated:arv7_ar_inhibitor")
    assert not piece.is_mapped
    assert piece.applies_to("prostate", {"CASTRATION": "resistant"}) is None
    assert piece.applies_to("prostate", {"CASTRATION": "sensitive"}) is False


def test_strongest_evidence_comes_first() -> None:
    levels = [piece.level for piece in evidence_about("nsclc", "osimertinib")]
    assert levels == sorted(levels)
    assert levels[0] is Level.A


ROW = CuratedRow(
    id="x",
    disease="nsclc",
    histology="any",
    requires="EGFR=mut",
    variants="",
    treatment="osimertinib",
    direction=Direction.SUPPORTS,
    effect=Effect.SENSITIVITY,
    level=Level.A,
    line_min=None,
    line_max=None,
    comparator="",
    endpoint=None,
    figure=None,
    references=("nct:NCT02296125",),
    references_basis=Basis.RECALLED,
    statement="So.",
)


@pytest.mark.parametrize(
    "row",
    [
        replace(ROW, requires="EGFR=mutt"),
        replace(ROW, requires="HER2=positive"),
        replace(ROW, treatment="osimertinibb"),
        replace(ROW, references=()),
        replace(ROW, endpoint=Endpoint.OS_HR),
        replace(ROW, statement=""),
    ],
)
def test_a_curated_row_against_the_base_is_refused(row: CuratedRow) -> None:
    assert curated_evidence(ROW).is_mapped
    with pytest.raises(IntegrityError, match=r"evidence.csv x"):
        curated_evidence(row)


def test_two_pieces_of_one_id_are_refused() -> None:
    piece = curated_evidence(ROW)
    with pytest.raises(IntegrityError, match="'curated:x' twice"):
        unique_evidence([piece, piece])


@given(st.dictionaries(st.sampled_from(["EGFR", "KRAS", "BRAF"]), st.sampled_from(["wt", "other", "l858r"])))
def test_more_facts_never_change_a_settled_answer(patient: dict[str, str]) -> None:
    profile = parse_profile("EGFR=mut;KRAS=wt")
    answer = profile.admits(patient)
    full = {"EGFR": "l858r", "KRAS": "wt", **patient}
    assert answer is None or profile.admits(full) is answer


def test_a_citation_carries_its_identifier_and_no_address() -> None:
    citation = cite("pmid:29151359")
    assert citation.identifiers == {"PMID": "29151359"}
    assert citation.line.endswith("PMID 29151359.")
    assert citation.bibtex.startswith("@article{pmid:29151359,\n")
    assert "http" not in citation.line + citation.bibtex


def test_every_source_can_be_cited_under_a_key_of_its_own() -> None:
    citations = [cite(source) for source in load_sources()]
    keys = {citation.bibtex.partition(",")[0] for citation in citations}
    assert len(keys) == len(citations)
    assert all(citation.bibtex.count("{") == citation.bibtex.count("}") for citation in citations)


def test_a_run_cites_exactly_what_it_used() -> None:
    used = [_arm("eurtac-egfr-erlotinib"), _piece("curated:c797s_osimertinib")]
    assert [citation.id for citation in cite_all(used)] == [
        "nct:NCT00446225",
        "pmid:22285168",
        "pmid:25939061",
    ]


def test_an_unknown_source_is_an_error() -> None:
    with pytest.raises(InputError, match="pmid:1"):
        cite("pmid:1")
