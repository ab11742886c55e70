"""Resistance: sound shares, known markers and therapies, and the figures of the sheet."""

import pytest

from figures import require_share, require_sound, require_stated_range
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.courses.resistance import (
    MechanismKind,
    ResistanceFact,
    ResistanceQuantity,
    load_resistance,
    mechanisms_of,
)
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs

EVERY = pytest.mark.parametrize(
    "fact", load_resistance(), ids=lambda fact: f"{'-'.join(fact.therapy)}-{fact.mechanism}"
)


@EVERY
def test_facts_are_sound(fact: ResistanceFact) -> None:
    if fact.share is None:
        assert fact.note
        return
    if fact.quantity is ResistanceQuantity.PRE_EXISTING_LOG10:
        require_sound(fact.share)
    else:
        require_share(fact.share)
    require_stated_range(fact.share)


@EVERY
def test_names_are_known(fact: ResistanceFact) -> None:
    assert fact.disease == "any" or fact.disease in load_diseases()
    assert (fact.biomarker is None) == (fact.value is None)
    if fact.biomarker is not None and fact.value is not None:
        marker = load_biomarkers()[fact.biomarker]
        assert marker.permits(fact.value)
        assert fact.disease == "any" or marker.applies_to(fact.disease)
    known = {*load_drugs(), *load_classes(), *load_umbrellas(), "any"}
    assert {part for therapy in fact.therapy for part in therapy.split("+")} <= known


@pytest.mark.parametrize(
    ("therapy", "setting", "mechanism", "expected"),
    [
        ("egfr_tki_gen1", "any", "egfr_t790m", (0.55, 0.5, 0.6)),
        ("egfr_tki_gen2", "any", "small_cell_transformation", (0.085, 0.03, 0.14)),
        ("osimertinib", "after_t790m", "egfr_c797s", (0.145, 0.14, 0.15)),
        ("osimertinib", "first_line", "met_amplification", (0.15, None, None)),
        ("osimertinib", "first_line", "egfr_t790m", (0.0, None, None)),
        ("crizotinib", "alk_fusion", "secondary_alk_mutation", (0.2, None, None)),
        ("brigatinib", "any", "alk_g1202r", (0.43, None, None)),
        ("lorlatinib", "after_alk_tki_gen2", "compound_alk_mutation", (0.35, None, None)),
        ("kras_g12c_inhibitor", "any", "any", (17 / 38, None, None)),
        ("kras_g12c_inhibitor", "any", "several", (7 / 38, None, None)),
        ("anti_egfr_mab", "any", "ras_mutation", (0.45, 0.3, 0.6)),
        ("panitumumab", "any", "egfr_ectodomain_mutation", (0.01, None, None)),
        ("braf_inhibitor+mek_inhibitor", "any", "braf_splice_variant", (0.215, 0.13, 0.3)),
        ("cdk46_inhibitor+endocrine", "any", "rb1_loss", (6 / 127, None, None)),
        ("anti_pdl1", "acquired", "b2m_or_jak_loss", (0.175, 0.05, 0.3)),
        ("any", "any", "pre_existing", (-4.0, -6.0, -2.0)),
        ("any", "any", "several", (0.275, 0.15, 0.4)),
    ],
)
def test_figures_of_the_sheet(
    therapy: str, setting: str, mechanism: str, expected: tuple[float, float | None, float | None]
) -> None:
    facts = [fact for fact in mechanisms_of(therapy, setting=setting) if fact.mechanism == mechanism]
    shares = [fact.share for fact in facts if fact.share and fact.setting == setting]
    assert [(share.value, share.low, share.high) for share in shares] == [
        (pytest.approx(expected[0], abs=1e-6), *expected[1:])
    ]


def test_kinds_are_all_in_use() -> None:
    assert {fact.kind for fact in load_resistance()} == set(MechanismKind)


def test_a_question_can_be_narrowed_by_disease() -> None:
    anywhere = mechanisms_of("parp_inhibitor")
    prostate = mechanisms_of("parp_inhibitor", disease="prostate")
    assert {fact.disease for fact in anywhere} == {"any", "prostate", "ovarian"}
    assert {fact.disease for fact in prostate} == {"any", "prostate"}
