"""A record with an event of every kind and finding that a phenopacket can tell, as a person would have it."""

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
    Finding,
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

NSCLC = Code.of(System.SNOMED, "254637007", "Non-small cell lung cancer")
LUNG = Code.of(System.SNOMED, "39607008", "Lung structure")
RIGHT = Code.of(System.SNOMED, "24028007", "Right")
ADENOCARCINOMA = Code.of(System.ICDO3, "8140/3", "Adenocarcinoma")
OSIMERTINIB = Code.of(System.RXNORM, "1721560", "osimertinib")
DIARRHOEA = Code.of(System.ADVERSE_EVENT, "diarrhoea")
CREATININE = Code.of(System.LOINC, "2160-0", "Creatinine")

_TISSUE: tuple[Finding, ...] = (
    SmallVariant(
        gene="EGFR",
        gene_id="HGNC:3236",
        protein="p.Leu858Arg",
        coding="NM_005228.5:c.2573T>G",
        genomic="NC_000007.14:g.55191822T>G",
        vaf=0.31,
    ),
    Fusion(five_prime="EML4", three_prime="ALK", five_prime_id="HGNC:1316", three_prime_id="HGNC:427"),
    Fusion(five_prime="", three_prime="ROS1"),
    CopyNumber(gene="MET", gene_id="HGNC:7029", change=CopyChange.AMPLIFICATION, copies=12.0),
    CopyNumber(gene="CDKN2A", change=CopyChange.DEEP_DELETION, copies=0.3),
    Expression(gene="ERBB2", gene_id="HGNC:3430", level="low", percent=20.0),
    Expression(gene="ESR1", level="negative"),
    Pdl1(score=Pdl1Score.TPS, percent=60.0, antibody="22C3"),
    Pdl1(score=Pdl1Score.CPS, percent=10.0),
    Msi(status=MsiClass.STABLE),
    Tmb(per_megabase=4.2),
    Hrd(status=HrdClass.POSITIVE, score=47.0),
    Methylation(gene="MGMT", methylation_class="methylated"),
    Methylation(methylation_class="CIMP-high"),
)


class Story:
    """A journey that is told event by event."""

    def __init__(self) -> None:
        patient = Patient(
            id="p-17", sex=Sex.FEMALE, birth=date(1961, 5, 4), family_name="Smith", race="Asian"
        )
        self.journey = Journey(patient, date(2026, 1, 5))

    def add(
        self,
        day: int,
        content: Content,
        *codes: Code,
        because: tuple[Because, ...] = (),
        end: int | None = None,
        source: Source = Source.CLINICAL,
        recorded: int | None = None,
        note: str = "",
        confidence: float = 1.0,
    ) -> str:
        event_id = f"e{len(self.journey)}"
        event = Event(
            id=event_id,
            day=day,
            recorded=day if recorded is None else recorded,
            source=source,
            content=content,
            end=end,
            codes=codes,
            confidence=confidence,
            note=note,
        )
        self.journey.add(event, because=because)
        return event_id


def rich_record() -> Record:
    """The record."""
    story = Story()
    story.add(
        -900,
        Diagnosis(role=Role.COMORBIDITY),
        Code.of(System.ICD10, "E11.9", "Type 2 diabetes"),
        note="diet; no drugs",
    )
    cancer = story.add(
        0,
        Diagnosis(role=Role.PRIMARY, sites=(LUNG, RIGHT), histology=ADENOCARCINOMA),
        NSCLC,
        Code.of(System.DISEASE, "nsclc"),
    )
    story.add(0, Stage(t="T2a", n="N1", m="M1b", group="IVA", method=Code.of(System.SNOMED, "897275008")))
    story.add(2, Stage(basis=StageBasis.PATHOLOGICAL, t="T2b", n="N2", group="IIIA"))
    for finding in _TISSUE:
        content = Biomarker(finding=finding, origin=Origin.SOMATIC, assay="ngs_tissue", specimen="tissue")
        story.add(3, content, source=Source.GENOMIC, recorded=17)
    _tell_other_findings(story)
    _tell_observations(story)
    _tell_care(story, cancer)
    return story.journey.record()


def _tell_other_findings(story: Story) -> None:
    brca = SmallVariant(gene="BRCA2", protein="p.(Ser1982ArgfsTer22)")
    story.add(4, Biomarker(finding=brca, origin=Origin.GERMLINE, specimen="blood"), source=Source.GENOMIC)
    for presence in (Presence.ABSENT, Presence.INDETERMINATE, Presence.NO_CALL):
        kras = SmallVariant(gene="KRAS", protein="p.Gly12Cys")
        story.add(5, Biomarker(finding=kras, presence=presence, specimen="plasma"), source=Source.GENOMIC)
        story.add(5, Biomarker(finding=Msi(status=MsiClass.HIGH), presence=presence), source=Source.GENOMIC)
    gene = Pharmacogene(gene="DPYD", diplotype="*1/*2A", activity_score=1.0, phenotype="intermediate")
    story.add(6, Biomarker(finding=gene, origin=Origin.GERMLINE), source=Source.GENOMIC, confidence=0.9)


def _tell_observations(story: Story) -> None:
    lab = Source.LAB
    story.add(7, Lab(value=Quantity(0.9, "mg/dL"), low=0.5, high=1.1), CREATININE, source=lab, note="fasting")
    story.add(
        7, Lab(value=Quantity(0.1, "ng/mL", "<"), high=4.0), Code.of(System.LOINC, "2857-1"), source=lab
    )
    story.add(7, Lab(value=None), CREATININE, Code.of(System.ANALYTE, "creatinine_mg_dl"), source=lab)
    story.add(
        7,
        Lab(value=Code.of(System.SNOMED, "266919005", "Never smoked"), category=LabCategory.SOCIAL),
        Code.of(System.LOINC, "72166-2", "Tobacco smoking status"),
    )
    story.add(7, Lab(value="trace", low=1.0), Code.of(System.LOINC, "5804-0", "Protein in urine"), source=lab)
    story.add(7, Lab(value=Quantity(1.0, "{score}")), Code.of(System.LOINC, "89247-1"), source=lab)
    story.add(7, Performance(scale=Scale.ECOG, score=1), note="a note")
    story.add(7, Performance(scale=Scale.KARNOFSKY, score=80))
    story.add(8, Symptom(severity=Severity.SEVERE), Code("http://human-phenotype-ontology.org", "HP:0002094"))
    story.add(8, Symptom(), Code("urn:example:terms", "a cough, dry"), end=20)
    scan = Imaging(
        modality="ct",
        lesions=(
            Lesion(label="T1", organ="lung", diameter_mm=31.0),
            Lesion(label="N.1/x", organ="node", diameter_mm=None, is_target=False),
        ),
        has_new_lesion=False,
    )
    story.add(9, scan, source=Source.IMAGING)
    story.add(9, Imaging(modality="ct", read=Read.NE), source=Source.IMAGING)


def _tell_care(story: Story, cancer: str) -> None:
    story.add(10, Decision(maker="board", task="therapy"), OSIMERTINIB)
    drug = DrugDose(drug=OSIMERTINIB, dose=Quantity(80.0, "mg"), route="oral", text="once daily")
    treatment = story.add(
        12,
        Treatment(
            modality=Modality.DRUG,
            drugs=(drug,),
            line=1,
            intent=Intent.PALLIATIVE,
            status=Status.STOPPED,
            dose_fraction=0.5,
            reason_ended="progression",
        ),
        Code.of(System.REGIMEN, "osimertinib"),
        because=(Because(cancer, Reason.GUIDES, recorded=12),),
        end=200,
    )
    harms = (Because(treatment, Reason.HARMS, recorded=30),)
    story.add(
        30, AdverseEvent(grade=3, is_serious=True, resolution="resolved"), DIARRHOEA, because=harms, end=44
    )
    responds = (Because(treatment, Reason.RESPONDS, recorded=60),)
    story.add(60, Outcome(type=OutcomeType.RESPONSE, read=Read.PR), because=responds)
    story.add(70, Stage(group="IVB"))
    surgery = Code.of(System.SNOMED, "35025007", "Open biopsy")
    story.add(80, Treatment(modality=Modality.SURGERY, status=Status.COMPLETED), surgery)
    radiation = Code.of(System.SNOMED, "33195004", "External beam radiation therapy")
    story.add(90, Treatment(modality=Modality.RADIATION, status=Status.HELD), radiation)
    support = DrugDose(drug=Code.of(System.DRUG, "loperamide"), text="as needed")
    story.add(95, Treatment(modality=Modality.SUPPORTIVE, drugs=(support, drug)))
    story.add(
        100, Treatment(modality=Modality.DRUG, status=Status.PLANNED), Code.of(System.DRUG, "docetaxel")
    )
    story.add(210, Outcome(type=OutcomeType.PROGRESSION, read=Read.PD))
    story.add(300, Outcome(type=OutcomeType.DEATH, cause="cancer"))
