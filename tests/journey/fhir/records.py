"""Records to emit: one of every kind by hand, and a large one for measuring."""

from datetime import date

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Content,
    Decision,
    Diagnosis,
    DrugDose,
    Imaging,
    Intent,
    Lab,
    LabCategory,
    Lesion,
    Modality,
    Outcome,
    OutcomeType,
    Performance,
    Read,
    Role,
    Scale,
    Severity,
    Stage,
    StageBasis,
    Status,
    Symptom,
    Treatment,
)
from oncoproof.journey.events import Event, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Fusion,
    Hrd,
    HrdClass,
    Methylation,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pdl1Score,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)
from oncoproof.journey.patient import Patient, Sex
from oncoproof.journey.records import Record
from oncoproof.journey.units import Quantity

SNOMED, LOINC, RXNORM = System.SNOMED.value, System.LOINC.value, System.RXNORM.value
OSIMERTINIB = Code(RXNORM, "1721560", "osimertinib")
INDEX = date(2026, 3, 1)

PATIENT = Patient(
    id="p1",
    sex=Sex.FEMALE,
    birth_sex=Sex.FEMALE,
    birth=date(1961, 7, 4),
    race="Asian",
    ethnicity="not hispanic",
    family_name="Anyperson",
    given_names=("Eve", "A."),
    postcode="12345",
    city="Anytown",
    state="MA",
    country="US",
    language="en-US",
    insurance="public",
    income="low",
    education="secondary",
    disability="none",
    distance_km=41.5,
)


class Story:
    """Adds events to a journey with ids in order."""

    def __init__(self, patient: Patient = PATIENT) -> None:
        self.journey = Journey(patient, INDEX)

    def tell(
        self,
        day: int,
        content: Content,
        *codes: Code,
        because: tuple[Because, ...] = (),
        recorded: int | None = None,
        end: int | None = None,
        source: Source = Source.CLINICAL,
        confidence: float = 1.0,
        note: str = "",
    ) -> str:
        event = Event(
            id=f"e{len(self.journey) + 1}",
            day=day,
            recorded=day if recorded is None else recorded,
            source=source,
            content=content,
            codes=codes,
            end=end,
            confidence=confidence,
            note=note,
        )
        self.journey.add(event, because=because)
        return event.id


def findings() -> tuple[Biomarker, ...]:
    """A biomarker of every kind of finding."""
    return (
        Biomarker(
            finding=SmallVariant(
                gene="EGFR",
                gene_id="HGNC:3236",
                protein="p.Leu858Arg",
                coding="NM_005228.5:c.2573T>G",
                genomic="NC_000007.14:g.55191822T>G",
                vaf=0.31,
            ),
            origin=Origin.SOMATIC,
            assay="ngs_panel",
            specimen="tissue",
        ),
        Biomarker(
            finding=SmallVariant(gene="KRAS", protein="G12C, by its short name"),
            presence=Presence.ABSENT,
            origin=Origin.SOMATIC,
            assay="ngs_panel",
            specimen="tissue",
        ),
        Biomarker(finding=Fusion(five_prime="EML4", three_prime="ALK", three_prime_id="HGNC:427")),
        Biomarker(finding=Fusion(five_prime="", three_prime="RET"), presence=Presence.INDETERMINATE),
        Biomarker(
            finding=CopyNumber(gene="MET", change=CopyChange.AMPLIFICATION, copies=8.0), specimen="plasma"
        ),
        Biomarker(finding=CopyNumber(gene="PTEN", gene_id="own:1", change=CopyChange.DEEP_DELETION)),
        Biomarker(finding=Expression(gene="ERBB2", level="low", percent=10.0), origin=Origin.SOMATIC),
        Biomarker(finding=Expression(gene="ESR1", level="positive")),
        Biomarker(finding=Expression(gene="TROP2", level="3+"), presence=Presence.NO_CALL),
        Biomarker(finding=Pdl1(score=Pdl1Score.TPS, percent=60.0, antibody="22C3")),
        Biomarker(finding=Pdl1(score=Pdl1Score.CPS, percent=12.0)),
        Biomarker(finding=Msi(status=MsiClass.STABLE)),
        Biomarker(finding=Tmb(per_megabase=7.5)),
        Biomarker(finding=Hrd(status=HrdClass.NEGATIVE, score=21.0)),
        Biomarker(finding=Methylation(gene="MGMT", methylation_class="methylated")),
        Biomarker(
            finding=Pharmacogene(
                gene="DPYD", diplotype="*1/*2A", activity_score=1.0, phenotype="intermediate_metaboliser"
            ),
            origin=Origin.GERMLINE,
        ),
        Biomarker(finding=Pharmacogene(gene="UGT1A1"), origin=Origin.GERMLINE),
    )


def labs() -> tuple[tuple[Lab, tuple[Code, ...]], ...]:
    """An observation of every category and type of value."""
    return (
        (
            Lab(value=Quantity(1.2, "mg/dL"), low=0.6, high=1.1),
            (Code(LOINC, "2160-0", "Creatinine"), Code(System.ANALYTE.value, "creatinine")),
        ),
        (Lab(value=Quantity(0.1, "ng/mL", "<")), (Code(LOINC, "2857-1", "PSA"),)),
        (Lab(value=None), (Code(LOINC, "2345-7", "Glucose"),)),
        (Lab(value="haemolysed"), (Code(LOINC, "2823-3", "Potassium"),)),
        (Lab(value=Quantity(71.0, "kg"), category=LabCategory.VITAL), (Code(LOINC, "29463-7", "Weight"),)),
        (
            Lab(value=Code(SNOMED, "266919005", "Never smoked"), category=LabCategory.SOCIAL),
            (Code(LOINC, "72166-2", "Tobacco smoking status"),),
        ),
        (
            Lab(value=Quantity(431.0, "ms"), category=LabCategory.EXAM, high=470.0),
            (Code(System.ANALYTE.value, "qtcf_ms"),),
        ),
        (Lab(value=Quantity(5.0, "spoons of sugar"), low=1.0), ()),
    )


def rich_journey() -> Journey:
    """A journey with an event of every kind and finding, with links."""
    story = Story()
    tell = story.tell
    cancer = tell(
        0,
        Diagnosis(
            role=Role.PRIMARY,
            sites=(Code(SNOMED, "39607008", "Lung structure"),),
            histology=Code(System.ICDO3.value, "8140/3", "Adenocarcinoma"),
        ),
        Code(SNOMED, "254637007", "Non-small cell lung cancer"),
        Code(System.DISEASE.value, "nsclc"),
        recorded=2,
        note="found on a scan",
    )
    method = Code(SNOMED, "897275008", "AJCC 8th edition")
    stage = tell(3, Stage(t="T2a", n="N1", m="M1b", group="IVA", method=method), recorded=5)
    tell(3, Stage(basis=StageBasis.PATHOLOGICAL, t="yT1"), end=4)
    tell(4, Diagnosis(role=Role.SECONDARY), Code(SNOMED, "94225005", "Metastasis to brain"))
    tell(
        4,
        Diagnosis(role=Role.COMORBIDITY),
        Code(System.ICD10.value, "I10", "Hypertension"),
        end=90,
        confidence=0.8,
    )
    seen = [
        tell(7, finding, source=Source.GENOMIC, recorded=14, because=(Because(cancer, Reason.SHOWS, 14),))
        for finding in findings()
    ]
    for lab, codes in labs():
        tell(8, lab, *codes, source=Source.LAB)
    baseline = tell(
        9,
        Imaging(
            modality="ct",
            lesions=(
                Lesion(label="L1", organ="lung", diameter_mm=31.0),
                Lesion(label="L2", organ="thyroid", diameter_mm=None, is_target=False),
            ),
        ),
        source=Source.IMAGING,
        note="with contrast",
    )
    tell(9, Performance(scale=Scale.ECOG, score=1))
    tell(9, Performance(scale=Scale.KARNOFSKY, score=90), Code(LOINC, "89243-0", "Karnofsky"))
    decision = tell(
        14,
        Decision(
            maker="tumour board",
            task="therapy",
            options=(
                Code(System.REGIMEN.value, "osimertinib", "Osimertinib"),
                Code(System.REGIMEN.value, "afatinib"),
            ),
            probability=0.83,
            rationale="an activating change",
        ),
        Code(System.REGIMEN.value, "osimertinib"),
        because=(Because(seen[0], Reason.INFORMS, 14), Because(stage, Reason.INFORMS, 15)),
    )
    therapy = tell(
        16,
        Treatment(
            modality=Modality.DRUG,
            drugs=(
                DrugDose(drug=OSIMERTINIB, dose=Quantity(80.0, "mg"), route="oral", text="once a day"),
                DrugDose(
                    drug=Code(System.DRUG.value, "pemetrexed"),
                    dose=Quantity(500.0, "mg/m2"),
                    route="intravenous",
                ),
            ),
            line=1,
            intent=Intent.PALLIATIVE,
            status=Status.STOPPED,
            dose_fraction=0.75,
            reason_ended="toxicity",
        ),
        Code(System.REGIMEN.value, "osimertinib+pemetrexed"),
        end=80,
        because=(Because(decision, Reason.LEADS_TO, 16), Because(seen[0], Reason.GUIDES, 16)),
    )
    tell(
        20,
        Treatment(
            modality=Modality.SUPPORTIVE,
            drugs=(DrugDose(drug=Code(RXNORM, "1223", "atropine"), route="eye drops"),),
            status=Status.PLANNED,
        ),
    )
    tell(21, Treatment(modality=Modality.DRUG, status=Status.HELD, reason_ended="waiting for a bed"))
    tell(22, Treatment(modality=Modality.SURGERY, status=Status.COMPLETED, intent=Intent.CURATIVE))
    tell(
        24,
        Treatment(modality=Modality.RADIATION, status=Status.COMPLETED, intent=Intent.PALLIATIVE),
        Code(SNOMED, "33195004", "Teleradiotherapy"),
        end=30,
    )
    harm = tell(
        35,
        AdverseEvent(grade=3, is_serious=True, resolution="resolved"),
        Code(System.ADVERSE_EVENT.value, "diarrhoea", "Diarrhoea"),
        end=50,
        because=(Because(therapy, Reason.HARMS, 36),),
        recorded=36,
        note="at home",
    )
    tell(
        36, AdverseEvent(grade=1, resolution="fading"), Code("https://www.meddra.org", "10013968", "Dyspnoea")
    )
    tell(
        36,
        Symptom(severity=Severity.MODERATE),
        Code(SNOMED, "267036007", "Dyspnoea"),
        end=60,
        because=(Because(therapy, Reason.HARMS, 40),),
    )
    tell(37, Symptom(), Code(SNOMED, "22253000", "Pain"))
    scan = tell(
        70,
        Imaging(
            modality="ct",
            lesions=(Lesion(label="L1", organ="lung", diameter_mm=20.5),),
            has_new_lesion=True,
            read=Read.PD,
        ),
        source=Source.IMAGING,
        because=(Because(therapy, Reason.RESPONDS, 70), Because(baseline, Reason.ORDERED_FOR, 71)),
    )
    tell(71, Outcome(type=OutcomeType.RESPONSE, read=Read.PR), because=(Because(scan, Reason.READS, 71),))
    tell(72, Outcome(type=OutcomeType.PROGRESSION, read=Read.PD), because=(Because(scan, Reason.READS, 72),))
    tell(73, Outcome(type=OutcomeType.REMISSION))
    tell(95, Outcome(type=OutcomeType.LOST), Code(SNOMED, "399307001", "Lost to follow-up"))
    tell(96, Outcome(type=OutcomeType.HORIZON))
    tell(99, Outcome(type=OutcomeType.DEATH, cause="toxicity"), because=(Because(harm, Reason.ENDS, 99),))
    return story.journey


def long_record(resources: int = 200) -> Record:
    """A record whose bundle has about this many resources: a year of care as hospitals write it."""
    story = Story()
    tell = story.tell
    tell(0, Diagnosis(role=Role.PRIMARY), Code(SNOMED, "254637007", "Non-small cell lung cancer"))
    method = Code(SNOMED, "897275008", "AJCC 8th edition")
    tell(1, Stage(t="T2a", n="N1", m="M1b", group="IVA", method=method))
    seen = [tell(7, finding, source=Source.GENOMIC, recorded=14) for finding in findings()[:8]]
    therapy = tell(
        16,
        Treatment(
            modality=Modality.DRUG,
            drugs=(DrugDose(drug=OSIMERTINIB, dose=Quantity(80.0, "mg"), route="oral"),),
            line=1,
        ),
        Code(System.REGIMEN.value, "osimertinib"),
        because=(Because(seen[0], Reason.GUIDES, 16),),
    )
    day = 20
    blood = (
        ("718-7", "Hemoglobin", "g/dL", 12.1),
        ("777-3", "Platelets", "10*3/uL", 210.0),
        ("2160-0", "Creatinine", "mg/dL", 0.9),
    )
    while len(story.journey) < resources * 0.79:
        for loinc, name, unit, value in blood * 2:
            tell(
                day,
                Lab(value=Quantity(value + day / 100, unit), low=1.0, high=500.0),
                Code(LOINC, loinc, name),
                source=Source.LAB,
            )
        tell(day, Performance(scale=Scale.ECOG, score=1))
        tell(
            day,
            Imaging(
                modality="ct",
                lesions=(
                    Lesion(label="L1", organ="lung", diameter_mm=31.0),
                    Lesion(label="L2", organ="liver", diameter_mm=12.0),
                ),
                read=Read.SD,
            ),
            source=Source.IMAGING,
        )
        tell(day, Outcome(type=OutcomeType.RESPONSE, read=Read.SD))
        tell(
            day,
            AdverseEvent(grade=2),
            Code(System.ADVERSE_EVENT.value, "rash", "Rash"),
            because=(Because(therapy, Reason.HARMS, day),),
        )
        day += 21
    return story.journey.record()
