"""Stories: what the made-up courses of the demonstration are about, one for each disease.

Rules this module guarantees:

- A story is an illustration. Its stages, doses and findings are plausible and chosen by hand; they are
  no facts, and nothing but the demonstration may read them. What medicine knows is in the knowledge base.

    >>> sorted(STORIES)
    ['breast', 'crc', 'melanoma', 'nsclc', 'ovarian', 'prostate']
"""

from dataclasses import dataclass

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Biomarker, CloneKind, DrugDose, Stage, StageBasis
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Hrd,
    HrdClass,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pdl1Score,
    Presence,
    SmallVariant,
)
from oncoproof.journey.patient import Sex
from oncoproof.journey.units import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A biomarker and what the knowledge base calls it."""

    statement: str
    """`KEY=value`; empty = the knowledge base has no such key."""
    biomarker: Biomarker
    """What was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """A treatment that the story tells of."""

    regimen: str
    """Id of the regimen."""
    words: str
    """What people call it."""
    drugs: tuple[DrugDose, ...]
    """Its drugs at full dose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """A laboratory value that follows the tumour."""

    code: Code
    """What it is called."""
    unit: str
    """Its UCUM unit."""
    start: float
    """Its value before treatment, in `unit`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resistance:
    """How the tumour escapes."""

    kind: CloneKind
    """What sort of clone grows."""
    mechanism: Code
    """Which mechanism of the knowledge base it is."""
    finding: Finding
    """What a later test shows of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """What differs between the demonstrations of the diseases."""

    condition: tuple[Code, ...]
    """What the disease is called."""
    site: Code
    """Where it began."""
    histology: Code
    """Morphology."""
    organs: tuple[str, ...]
    """Where the target lesions lie."""
    stage: Stage
    """Extent at diagnosis."""
    sexes: tuple[Sex, ...]
    """Sexes to choose from."""
    ages: tuple[int, int]
    """Youngest and oldest age at diagnosis, in years."""
    complaint: str
    """The first symptom."""
    driver: Finding
    """The finding that guides the first treatment."""
    others: tuple[Finding, ...]
    """What else was found before treatment."""
    marker: Marker
    """The laboratory value that follows the tumour."""
    first: Course
    """The treatment that the driver guides."""
    line: int = 1
    """Line of that treatment; 0 = maintenance."""
    earlier: Course | None = None
    """A treatment before it; None = it is the first."""
    harm: Code
    """Adverse event that makes a lower dose necessary."""
    reduced: float
    """Dose fraction after it."""
    resistance: Resistance
    """How the tumour escapes the first treatment."""
    second: Course
    """Second treatment."""


def _condition(disease: str, snomed: str, words: str, icd10: str) -> tuple[Code, ...]:
    return (
        Code.of(System.SNOMED, snomed, words),
        Code.of(System.ICD10CM, icd10, words),
        Code(System.DISEASE, disease, words),
    )


def _dose(drug: str, value: float, unit: str, route: str = "intravenous", text: str = "") -> DrugDose:
    code = Code(System.DRUG, drug, drug.replace("_", " "))
    return DrugDose(drug=code, dose=Quantity(value, unit), route=route, text=text)


def _course(*drugs: DrugDose, words: str = "") -> Course:
    """A course by its drugs; its words are theirs where it has no other name."""
    return Course(
        regimen="+".join(sorted(each.drug.code for each in drugs)),
        words=words or " + ".join(each.drug.display for each in drugs),
        drugs=drugs,
    )


def _variant(statement: str, gene: str, gene_id: str, protein: str, *, vaf: float) -> Finding:
    finding = SmallVariant(gene=gene, gene_id=gene_id, protein=protein, vaf=vaf)
    return Finding(statement=statement, biomarker=Biomarker(finding=finding, origin=Origin.SOMATIC))


def _inherited(statement: str, gene: str, gene_id: str, protein: str) -> Finding:
    finding = SmallVariant(gene=gene, gene_id=gene_id, protein=protein, vaf=0.49)
    biomarker = Biomarker(finding=finding, origin=Origin.GERMLINE, assay="germline_panel", specimen="blood")
    return Finding(statement=statement, biomarker=biomarker)


def _amplified(statement: str, gene: str, gene_id: str, copies: float) -> Finding:
    finding = CopyNumber(gene=gene, gene_id=gene_id, change=CopyChange.AMPLIFICATION, copies=copies)
    return Finding(statement=statement, biomarker=Biomarker(finding=finding, origin=Origin.SOMATIC))


def _stained(statement: str, gene: str, gene_id: str, level: str, assay: str) -> Finding:
    finding = Expression(gene=gene, gene_id=gene_id, level=level)
    return Finding(statement=statement, biomarker=Biomarker(finding=finding, assay=assay, specimen="tissue"))


def _absent(statement: str, gene: str, gene_id: str) -> Finding:
    finding = SmallVariant(gene=gene, gene_id=gene_id)
    biomarker = Biomarker(finding=finding, presence=Presence.ABSENT, origin=Origin.SOMATIC)
    return Finding(statement=statement, biomarker=biomarker)


_OLAPARIB = _dose("olaparib", 600.0, "mg", "oral", "300 mg twice daily")
_STABLE = Finding(
    statement="MSI=stable", biomarker=Biomarker(finding=Msi(status=MsiClass.STABLE), origin=Origin.SOMATIC)
)

STORIES: dict[str, Story] = {
    "nsclc": Story(
        condition=_condition("nsclc", "254637007", "Non-small cell lung cancer", "C34.11"),
        site=Code.of(System.SNOMED, "39607008", "Lung structure"),
        histology=Code.of(System.ICDO3, "8140/3", "Adenocarcinoma"),
        organs=("lung", "node", "liver"),
        stage=Stage(basis=StageBasis.CLINICAL, t="T2a", n="N2", m="M1c", group="IVB"),
        sexes=(Sex.FEMALE, Sex.MALE),
        ages=(48, 79),
        complaint="cough",
        driver=_variant("EGFR=l858r", "EGFR", "HGNC:3236", "p.Leu858Arg", vaf=0.31),
        others=(
            Finding(
                statement="PDL1_TPS=10",
                biomarker=Biomarker(
                    finding=Pdl1(score=Pdl1Score.TPS, percent=10.0, antibody="22C3"),
                    assay="ihc_pdl1_22c3",
                ),
            ),
            _STABLE,
        ),
        marker=Marker(code=Code.of(System.LOINC, "2039-6", "CEA"), unit="ng/mL", start=38.0),
        first=_course(_dose("osimertinib", 80.0, "mg", "oral", "once daily")),
        harm=Code(System.ADVERSE_EVENT, "diarrhoea", "Diarrhea"),
        reduced=0.5,
        resistance=Resistance(
            kind=CloneKind.BYPASS,
            mechanism=Code(System.MECHANISM, "met_amplification", "MET amplification"),
            finding=_amplified("", "MET", "HGNC:7029", 11.0),
        ),
        second=_course(
            _dose("carboplatin", 5.0, "mg.min/mL", text="day 1 of 21"),
            _dose("pemetrexed", 500.0, "mg/m2", text="day 1 of 21"),
        ),
    ),
    "crc": Story(
        condition=_condition("crc", "363406005", "Malignant tumor of colon", "C18.7"),
        site=Code.of(System.SNOMED, "71854001", "Colon structure"),
        histology=Code.of(System.ICDO3, "8140/3", "Adenocarcinoma"),
        organs=("liver", "liver", "lung"),
        stage=Stage(basis=StageBasis.CLINICAL, t="T3", n="N1", m="M1b", group="IVB"),
        sexes=(Sex.FEMALE, Sex.MALE),
        ages=(45, 80),
        complaint="change of bowel habit",
        driver=_absent("RAS=wt", "KRAS", "HGNC:6407"),
        others=(_STABLE, _absent("BRAF=wt", "BRAF", "HGNC:1097")),
        marker=Marker(code=Code.of(System.LOINC, "2039-6", "CEA"), unit="ng/mL", start=120.0),
        first=_course(
            _dose("fluorouracil", 2800.0, "mg/m2", text="400 by bolus and 2400 over 46 h, day 1 of 14"),
            _dose("leucovorin", 400.0, "mg/m2", text="day 1 of 14"),
            _dose("oxaliplatin", 85.0, "mg/m2", text="day 1 of 14"),
            _dose("panitumumab", 6.0, "mg/kg", text="day 1 of 14"),
            words="FOLFOX + panitumumab",
        ),
        harm=Code(System.ADVERSE_EVENT, "rash_acneiform", "Rash acneiform"),
        reduced=0.8,
        resistance=Resistance(
            kind=CloneKind.BYPASS,
            mechanism=Code(System.MECHANISM, "ras_mutation", "RAS mutation"),
            finding=_variant("RAS=mut", "KRAS", "HGNC:6407", "p.Gly12Asp", vaf=0.04),
        ),
        second=_course(
            _dose("bevacizumab", 5.0, "mg/kg", text="day 1 of 14"),
            _dose("fluorouracil", 2800.0, "mg/m2", text="400 by bolus and 2400 over 46 h, day 1 of 14"),
            _dose("irinotecan", 180.0, "mg/m2", text="day 1 of 14"),
            _dose("leucovorin", 400.0, "mg/m2", text="day 1 of 14"),
            words="FOLFIRI + bevacizumab",
        ),
    ),
    "breast": Story(
        condition=_condition("breast", "254837009", "Malignant neoplasm of breast", "C50.912"),
        site=Code.of(System.SNOMED, "76752008", "Breast structure"),
        histology=Code.of(System.ICDO3, "8500/3", "Invasive carcinoma of no special type"),
        organs=("liver", "node", "lung"),
        stage=Stage(basis=StageBasis.CLINICAL, t="T2", n="N1", m="M1", group="IV"),
        sexes=(Sex.FEMALE,),
        ages=(56, 78),
        complaint="breast lump",
        driver=_stained("HR=positive", "ESR1", "HGNC:3467", "positive", "ihc_hr"),
        others=(_stained("HER2=low", "ERBB2", "HGNC:3430", "low", "ihc_her2"),),
        marker=Marker(code=Code.of(System.LOINC, "6875-9", "CA 15-3"), unit="[arb'U]/mL", start=88.0),
        first=_course(
            _dose("letrozole", 2.5, "mg", "oral", "once daily"),
            _dose("ribociclib", 600.0, "mg", "oral", "days 1 to 21 of 28"),
        ),
        harm=Code(System.ADVERSE_EVENT, "neutrophil_count_decreased", "Neutrophil count decreased"),
        reduced=0.67,
        resistance=Resistance(
            kind=CloneKind.ON_TARGET,
            mechanism=Code(System.MECHANISM, "esr1_mutation", "ESR1 mutation"),
            finding=_variant("ESR1=mut", "ESR1", "HGNC:3467", "p.Asp538Gly", vaf=0.06),
        ),
        second=_course(_dose("elacestrant", 345.0, "mg", "oral", "once daily")),
    ),
    "melanoma": Story(
        condition=_condition("melanoma", "372244006", "Malignant melanoma", "C43.59"),
        site=Code.of(System.SNOMED, "39937001", "Skin structure"),
        histology=Code.of(System.ICDO3, "8720/3", "Malignant melanoma"),
        organs=("lung", "node", "liver"),
        stage=Stage(basis=StageBasis.CLINICAL, t="T3b", n="N1a", m="M1b", group="IV"),
        sexes=(Sex.FEMALE, Sex.MALE),
        ages=(34, 76),
        complaint="changing mole",
        driver=_variant("BRAF=v600e", "BRAF", "HGNC:1097", "p.Val600Glu", vaf=0.38),
        others=(),
        marker=Marker(code=Code.of(System.LOINC, "2532-0", "LDH"), unit="U/L", start=410.0),
        first=_course(
            _dose("dabrafenib", 300.0, "mg", "oral", "150 mg twice daily"),
            _dose("trametinib", 2.0, "mg", "oral", "once daily"),
        ),
        harm=Code(System.ADVERSE_EVENT, "fever", "Fever"),
        reduced=0.67,
        resistance=Resistance(
            kind=CloneKind.BYPASS,
            mechanism=Code(System.MECHANISM, "nras_mutation", "NRAS mutation"),
            finding=_variant("", "NRAS", "HGNC:7989", "p.Gln61Lys", vaf=0.09),
        ),
        second=_course(
            _dose("ipilimumab", 3.0, "mg/kg", text="day 1 of 21"),
            _dose("nivolumab", 1.0, "mg/kg", text="day 1 of 21"),
        ),
    ),
    "ovarian": Story(
        condition=_condition("ovarian", "363443007", "Malignant tumor of ovary", "C56.1"),
        site=Code.of(System.SNOMED, "15497006", "Ovarian structure"),
        histology=Code.of(System.ICDO3, "8461/3", "High-grade serous carcinoma"),
        organs=("peritoneum", "node", "liver"),
        stage=Stage(basis=StageBasis.PATHOLOGICAL, t="T3c", n="N1", m="M0", group="IIIC"),
        sexes=(Sex.FEMALE,),
        ages=(44, 74),
        complaint="abdominal swelling",
        driver=_inherited("BRCA=germline", "BRCA1", "HGNC:1100", "p.Gln1756ProfsTer74"),
        others=(
            Finding(
                statement="HRD=positive",
                biomarker=Biomarker(
                    finding=Hrd(status=HrdClass.POSITIVE), origin=Origin.SOMATIC, assay="hrd_test"
                ),
            ),
        ),
        marker=Marker(code=Code.of(System.LOINC, "10334-1", "CA 125"), unit="[arb'U]/mL", start=640.0),
        earlier=_course(
            _dose("carboplatin", 5.0, "mg.min/mL", text="day 1 of 21"),
            _dose("paclitaxel", 175.0, "mg/m2", text="day 1 of 21"),
        ),
        first=_course(_OLAPARIB),
        line=0,
        harm=Code(System.ADVERSE_EVENT, "anaemia", "Anemia"),
        reduced=0.83,
        resistance=Resistance(
            kind=CloneKind.ON_TARGET,
            mechanism=Code(System.MECHANISM, "brca_reversion", "BRCA reversion"),
            finding=_variant("", "BRCA1", "HGNC:1100", "p.Gln1756del", vaf=0.03),
        ),
        second=_course(
            _dose("carboplatin", 5.0, "mg.min/mL", text="day 1 of 28"),
            _dose("pegylated_liposomal_doxorubicin", 30.0, "mg/m2", text="day 1 of 28"),
            words="carboplatin + liposomal doxorubicin",
        ),
    ),
    "prostate": Story(
        condition=_condition("prostate", "399068003", "Malignant tumor of prostate", "C61"),
        site=Code.of(System.SNOMED, "41216001", "Prostatic structure"),
        histology=Code.of(System.ICDO3, "8140/3", "Adenocarcinoma"),
        organs=("node", "bone", "node"),
        stage=Stage(basis=StageBasis.CLINICAL, t="T3a", n="N1", m="M1b", group="IVB"),
        sexes=(Sex.MALE,),
        ages=(58, 82),
        complaint="bone pain",
        driver=_variant("BRCA=somatic", "BRCA2", "HGNC:1101", "p.Gln1782Ter", vaf=0.27),
        others=(_STABLE,),
        marker=Marker(code=Code.of(System.LOINC, "2857-1", "PSA"), unit="ng/mL", start=64.0),
        earlier=_course(_dose("enzalutamide", 160.0, "mg", "oral", "once daily")),
        first=_course(_OLAPARIB),
        line=2,
        harm=Code(System.ADVERSE_EVENT, "anaemia", "Anemia"),
        reduced=0.83,
        resistance=Resistance(
            kind=CloneKind.ON_TARGET,
            mechanism=Code(System.MECHANISM, "brca_reversion", "BRCA reversion"),
            finding=_variant("", "BRCA2", "HGNC:1101", "p.Gln1782Leu", vaf=0.05),
        ),
        second=_course(_dose("docetaxel", 75.0, "mg/m2", text="day 1 of 21")),
    ),
}
"""A story for each disease."""
