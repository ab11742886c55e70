"""From records to features: the latest word counts, gaps stay gaps, and no truth gets in."""

from datetime import date

import pytest

from oncoproof.errors import UnitError
from oncoproof.journey import (
    AdverseEvent,
    Biomarker,
    Code,
    Content,
    CopyChange,
    CopyNumber,
    Diagnosis,
    DrugDose,
    Event,
    Expression,
    Fusion,
    Journey,
    Lab,
    Modality,
    Msi,
    MsiClass,
    Origin,
    Patient,
    Pdl1,
    Pdl1Score,
    Performance,
    Pharmacogene,
    Presence,
    Quantity,
    Role,
    Scale,
    Sex,
    SmallVariant,
    Source,
    Stage,
    System,
    Treatment,
)
from oncoproof.knowledge.cancers.variants import load_variants
from oncoproof.knowledge.subjects.analytes import load_analytes
from oncoproof.knowledge.subjects.findings import load_finding_patterns, statements
from oncoproof.knowledge.subjects.record_features import features_of, subjects_of


def _event(
    number: int,
    content: Content,
    *codes: Code,
    day: int = 0,
    recorded: int | None = 0,
    end: int | None = None,
) -> Event:
    return Event(
        id=f"e{number}",
        day=day,
        recorded=recorded,
        end=end,
        source=Source.CLINICAL,
        content=content,
        codes=codes,
    )


def _journey(*events: Event) -> Journey:
    journey = Journey(Patient(id="p1", sex=Sex.MALE, birth=date(1960, 3, 2)), date(2026, 3, 1))
    diagnosis = Diagnosis(role=Role.PRIMARY, histology=Code.of(System.ICDO3, "8140/3"))
    journey.add(_event(0, diagnosis, Code.of(System.ICD10CM, "C34.11")))
    for event in events:
        journey.add(event)
    return journey


def test_a_diagnosis_is_known_by_a_longer_icd10_code() -> None:
    features = features_of(_journey().visible(0))
    assert (features["disease"], features["histology"], features["age_years"]) == (
        "nsclc",
        "adenocarcinoma",
        65,
    )


def test_age_counts_on_the_birthday() -> None:
    assert features_of(_journey().visible(1))["age_years"] == 66


@pytest.mark.parametrize(
    ("finding", "expected"),
    [
        (SmallVariant(gene="EGFR", protein="NP_005219.2:p.(Leu858Arg)"), {"EGFR": "l858r"}),
        (SmallVariant(gene="EGFR", protein="p.Leu747_Pro753delinsSer"), {"EGFR": "ex19del"}),
        (SmallVariant(gene="EGFR", protein="p.Asp770_Asn771insGly"), {"EGFR": "ex20ins"}),
        (SmallVariant(gene="EGFR", protein="p.Thr790Met"), {"EGFR_T790M": "positive"}),
        (SmallVariant(gene="KRAS", protein="p.Gly12Cys"), {"KRAS": "g12c", "RAS": "mut"}),
        (SmallVariant(gene="KRAS", protein="p.Gln61His"), {"RAS": "mut"}),
        (SmallVariant(gene="KRAS", protein="p.Gly13Asp"), {"KRAS": "other", "RAS": "mut"}),
        (SmallVariant(gene="BRAF", protein="p.Val600Glu"), {"BRAF": "v600e"}),
        (SmallVariant(gene="BRAF", protein="p.Val600Glu2"), {"BRAF": "other"}),
        (SmallVariant(gene="UNKNOWN1", protein="p.Ala1Val"), {}),
        (Fusion(five_prime="EML4", three_prime="ALK"), {"ALK": "fusion"}),
        (CopyNumber(gene="MET", change=CopyChange.AMPLIFICATION), {"MET_AMPLIFICATION": "amplified"}),
        (CopyNumber(gene="MET", change=CopyChange.NEUTRAL), {}),
        (Pdl1(score=Pdl1Score.TPS, percent=60), {"PDL1_TPS": 60}),
        (Msi(status=MsiClass.LOW), {"MSI": "stable"}),
        (Pharmacogene(gene="DPYD", diplotype="*1/*2A", activity_score=1.0), {"DPYD": 1.0}),
        (Pharmacogene(gene="UGT1A1", diplotype="*28/*28"), {"UGT1A1": "*28/*28"}),
        (Expression(gene="ERBB2", level="3+"), {}),
    ],
)
def test_findings_mean_what_they_say_in_lung_cancer(
    finding: SmallVariant, expected: dict[str, object]
) -> None:
    assert statements(_event(1, Biomarker(finding=finding)), "nsclc") == expected


def test_a_key_may_speak_of_another_thing_in_another_disease() -> None:
    event = _event(1, Biomarker(finding=Expression(gene="ERBB2", level="3+")))
    assert statements(event, "breast") == {"HER2": "positive"}


@pytest.mark.parametrize(("origin", "expected"), [(Origin.GERMLINE, "germline"), (Origin.SOMATIC, "somatic")])
def test_origin_of_a_brca_variant_is_kept(origin: Origin, expected: str) -> None:
    content = Biomarker(finding=SmallVariant(gene="BRCA2", protein="p.Ser1982ArgfsTer22"), origin=origin)
    assert statements(_event(1, content), "ovarian")["BRCA"] == expected


def test_a_gene_found_unchanged_is_wild_type_and_one_absent_variant_is_not() -> None:
    gene = Biomarker(finding=SmallVariant(gene="EGFR"), presence=Presence.ABSENT)
    told = statements(_event(1, gene), "nsclc")
    assert (told["EGFR"], told["EGFR_T790M"]) == ("wt", "negative")
    variant = Biomarker(finding=SmallVariant(gene="EGFR", protein="p.Leu858Arg"), presence=Presence.ABSENT)
    assert "EGFR" not in statements(_event(1, variant), "nsclc")


def test_one_unchanged_gene_of_several_does_not_make_the_family_wild_type() -> None:
    content = Biomarker(finding=SmallVariant(gene="NRAS"), presence=Presence.ABSENT)
    assert statements(_event(1, content), "crc") == {"NRAS": "wt"}


@pytest.mark.parametrize("presence", [Presence.INDETERMINATE, Presence.NO_CALL])
def test_a_failed_assay_says_nothing(presence: Presence) -> None:
    content = Biomarker(finding=SmallVariant(gene="EGFR", protein="p.Leu858Arg"), presence=presence)
    assert statements(_event(1, content), "nsclc") == {}


def test_own_codes_are_believed_first() -> None:
    content = Biomarker(finding=SmallVariant(gene="EGFR", protein="p.Leu858Arg"))
    event = _event(1, content, Code.of(System.BIOMARKER, "EGFR=ex19del"))
    assert statements(event, "nsclc") == {"EGFR": "ex19del"}


def test_every_representative_variant_is_read_as_what_it_stands_for() -> None:
    misread: list[str] = []
    for (key, value), variant in load_variants().items():
        disease = "crc" if key == "EGFR_S492R" else "nsclc"
        for origin in (Origin.SOMATIC, Origin.GERMLINE):
            content = Biomarker(
                finding=SmallVariant(gene=variant.gene, protein=variant.protein), origin=origin
            )
            told = statements(_event(1, content), disease)
            patterns = {row.biomarker for rows in load_finding_patterns().values() for row in rows}
            if key in patterns and key in told and told[key] != value:
                misread.append(f"{key}={value} read as {told[key]}")
    assert not misread


def test_labs_arrive_in_the_unit_of_the_feature() -> None:
    glucose = _event(1, Lab(value=Quantity(180.156, "mg/dL")), Code.of(System.LOINC, "1558-6"))
    alt = _event(2, Lab(value=Quantity(120, "U/L"), high=40.0), Code.of(System.LOINC, "1742-6"))
    platelets = _event(3, Lab(value=Quantity(150_000, "/uL")), Code.of(System.ANALYTE, "platelets"))
    features = features_of(_journey(glucose, alt, platelets).visible(0))
    assert features["fasting_glucose"] == pytest.approx(10.0)
    assert features["alt_x_uln"] == 3.0
    assert features["platelets"] == pytest.approx(150.0)


def test_a_lab_in_a_unit_that_measures_something_else_is_refused() -> None:
    wrong = _event(1, Lab(value=Quantity(4, "kg")), Code.of(System.LOINC, "2823-3"))
    with pytest.raises(UnitError):
        features_of(_journey(wrong).visible(0))


def test_a_multiple_without_reference_range_is_not_known() -> None:
    alt = _event(1, Lab(value=Quantity(120, "U/L")), Code.of(System.LOINC, "1742-6"))
    assert "alt_x_uln" not in features_of(_journey(alt).visible(0))


def test_the_latest_word_counts_and_truth_does_not() -> None:
    journey = _journey(
        _event(1, Performance(scale=Scale.ECOG, score=0)),
        _event(2, Performance(scale=Scale.ECOG, score=2), day=30, recorded=30),
        _event(3, Performance(scale=Scale.ECOG, score=4), day=40, recorded=None),
    )
    assert features_of(journey.visible(10))["ecog"] == 0
    assert features_of(journey.visible(60))["ecog"] == 2


def test_history_tells_drugs_classes_lines_and_intervals() -> None:
    carboplatin = DrugDose(drug=Code.of(System.DRUG, "carboplatin"))
    brand = DrugDose(drug=Code.of(System.RXNORM, "1547545", "Keytruda"))
    first = Treatment(modality=Modality.DRUG, drugs=(carboplatin, brand), line=1)
    journey = _journey(_event(1, first, day=5, recorded=5, end=95))
    features = features_of(journey.visible(125))
    assert features["prior_drugs"] == {"carboplatin", "pembrolizumab"}
    assert (features["lines_given"], features["days_since_platinum"], features["days_since_pd1"]) == (
        1,
        30,
        30,
    )
    assert features_of(journey.visible(50))["days_since_platinum"] == 0
    assert "prior_drugs" not in features_of(journey.visible(4))


def test_stage_sites_and_other_illness() -> None:
    liver = Diagnosis(role=Role.SECONDARY, sites=(Code(System.ONCOTREE, "liver"),))
    journey = _journey(
        _event(1, Stage(t="T2a", m="M1b", group="IVA")),
        _event(2, liver),
        _event(3, Diagnosis(role=Role.COMORBIDITY), Code(System.CONDITION, "autoimmune_disease")),
        _event(4, AdverseEvent(grade=2), Code(System.ADVERSE_EVENT, "diarrhoea"), day=8, recorded=8, end=12),
    )
    features = features_of(journey.visible(10))
    assert (features["stage_t"], features["stage_group"], features["diarrhoea_grade"]) == ("T2a", "IVA", 2)
    assert (features["metastatic_sites"], features["conditions"]) == ({"liver"}, {"autoimmune_disease"})
    assert "stage_n" not in features
    assert "diarrhoea_grade" not in features_of(journey.visible(20))


def test_records_become_subjects_with_their_plans() -> None:
    records = [_journey().visible(0), _journey().visible(0)]
    subjects = subjects_of(records, plans=[{"plan_drugs": ["osimertinib"]}, {"plan_drugs": ["docetaxel"]}])
    assert subjects.rows == 2
    assert subjects.row(1)["plan_drugs"] == ("docetaxel",)


def test_every_loinc_code_of_the_table_has_the_right_form() -> None:
    for analyte in load_analytes().values():
        for code in analyte.loinc:
            Code.of(System.LOINC, code)
