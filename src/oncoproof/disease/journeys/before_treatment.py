"""What is told of the time before the first line: the tumour, its extent, earlier treatment, biomarkers.

Rules this module guarantees:

- Everything that a decision rests on is reported before the decision.
- Days are illustrations (a diagnosis five weeks before treatment); what is found is the patient's own.

    >>> from oncoproof.seeds import Seed
    >>> from oncoproof.disease.journeys.simulated_patient import simulate_patient
    >>> patient = simulate_patient("nsclc", Seed(3), weeks=52)
    >>> chronicle = Chronicle()
    >>> tell_before_treatment(patient, chronicle)
    >>> journey = chronicle.journey(person_of(patient), patient.start)
    >>> [event.code_in(System.DISEASE) for event in journey if event.id == "e1"]
    ['nsclc']
"""

from collections.abc import Mapping
from datetime import timedelta

import numpy as np

from oncoproof.disease.journeys.biomarker_findings import biomarker_findings
from oncoproof.disease.journeys.chronicle import Chronicle
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.journey import (
    Clone,
    CloneKind,
    Code,
    Diagnosis,
    DrugDose,
    Intent,
    Modality,
    Patient,
    Reason,
    Role,
    Sex,
    Stage,
    Status,
    System,
    Treatment,
)
from oncoproof.knowledge.cancers import load_diseases, stage_group
from oncoproof.knowledge.medicines import load_drugs, regimen_id

_YEAR_DAYS = 365.25
_FOUNDED, _DIAGNOSED, _STAGED = -400, -42, -6
_EARLIER_DIAGNOSED, _EARLIER_STARTED, _EARLIER_ENDED = -560, -540, -330
_RESULT_LATEST = -3
_SITE_SYSTEM = "urn:oncoproof:site"
_MANIFEST_CELLS_LOG10 = 10.5
"""Cells of manifest disease: some 30 cm³ at 10⁹ in a cm³; a convention for telling clones, no fact."""

_NOT_DISTANT = frozenset({"lymph", "skin"})
_LOCAL = {("ovarian", "M0"): ("T3c", "N0")}
"""What is told of tumour and nodes where a disease is advanced without distant metastases."""

_CATEGORIES: Mapping[str, tuple[str, Mapping[str, str], tuple[str, ...]]] = {
    "nsclc": ("M1a", {"lung": "M1a", "pleura": "M1a"}, ("M1b", "M1c")),
    "crc": ("M1a", {"peritoneum": "M1c"}, ("M1a", "M1b")),
    "breast": ("M1", {}, ("M1",)),
    "melanoma": ("M1a", {"lung": "M1b", "brain": "M1d"}, ("M1c",)),
    "ovarian": ("M0", {"peritoneum": "M0", "pleura": "M1a"}, ("M1b",)),
    "prostate": ("M1a", {"bone": "M1b"}, ("M1c",)),
}
"""For each disease the M category of advanced disease, those of some organs, that of any other organ, and
that of several organs (AJCC 8, FIGO 2014)."""


def person_of(patient: SimulatedPatient) -> Patient:
    """Who the journey is about: nobody real."""
    age = float(str(patient.features.get("age_years", 62.0)))
    return Patient(
        id=f"simulated-{patient.disease}-{patient.seed.root}",
        sex=Sex(str(patient.features.get("sex", Sex.UNKNOWN.value))),
        birth=patient.start - timedelta(days=round(age * _YEAR_DAYS)),
        country="ZZ",
    )


def clone_cells_log10(extent: float) -> float:
    """Size of a clone in cells, from its extent as a multiple of manifest disease."""
    return round(_MANIFEST_CELLS_LOG10 + float(np.log10(max(extent, 1e-9))), 2)


def biomarker_name(key: str) -> str:
    """The name under which a biomarker is told."""
    return f"biomarker {key}"


def tell_before_treatment(patient: SimulatedPatient, chronicle: Chronicle) -> None:
    """Tell of the time before the first line."""
    disease = load_diseases()[patient.disease]
    earlier = patient.members("prior_drugs")
    founder = patient.episodes.clones[0].kind if patient.episodes.clones else CloneKind.SENSITIVE
    chronicle.tell(
        "clone 0",
        _EARLIER_DIAGNOSED - 100 if earlier else _FOUNDED,
        Clone(kind=founder, log10_cells=clone_cells_log10(float(patient.weeks.extent[0, 0]) / 100)),
    )
    histology = disease.histologies[str(patient.features["histology"])]
    chronicle.tell(
        "diagnosis",
        _EARLIER_DIAGNOSED if earlier else _DIAGNOSED,
        Diagnosis(
            role=Role.PRIMARY,
            sites=(Code.of(System.ICDO3, disease.icdo3_topography[0], disease.name),),
            histology=Code.of(System.ICDO3, histology.icdo3_morphology[0], histology.name),
        ),
        delay=5,
        codes=(
            Code.of(System.SNOMED, disease.snomed[0], disease.name),
            Code.of(System.ICD10CM, disease.icd10[0], disease.name),
            Code(System.DISEASE, disease.slug, disease.name),
        ),
        because=[("clone 0", Reason.SHOWS)],
    )
    if earlier:
        _tell_earlier(earlier, chronicle)
    _tell_extent(patient, chronicle)
    _tell_biomarkers(patient, chronicle)


def _tell_earlier(drugs: tuple[str, ...], chronicle: Chronicle) -> None:
    known = load_drugs()
    names = [Code(System.DRUG, drug, known[drug].name) for drug in drugs]
    chronicle.tell(
        "earlier treatment",
        _EARLIER_STARTED,
        Treatment(
            modality=Modality.DRUG,
            drugs=tuple(DrugDose(drug=name) for name in names),
            intent=Intent.CURATIVE,
            status=Status.COMPLETED,
        ),
        end=_EARLIER_ENDED,
        codes=[Code(System.REGIMEN, regimen_id(drugs), " + ".join(name.display for name in names))],
        because=[("diagnosis", Reason.GUIDES)],
        note="Before the disease was advanced; the order of the drugs is not told.",
    )


def _tell_extent(patient: SimulatedPatient, chronicle: Chronicle) -> None:
    for site in patient.members("metastatic_sites"):
        words = f"Metastasis: {'lymph node' if site == 'lymph' else site}"
        chronicle.tell(
            f"metastasis {site}",
            _DIAGNOSED + 4,
            Diagnosis(role=Role.SECONDARY, sites=(Code(_SITE_SYSTEM, site, site),)),
            delay=2,
            codes=[Code("urn:oncoproof:metastasis", site, words)],
            because=[("diagnosis", Reason.DRIVES), ("clone 0", Reason.SHOWS)],
        )
    chronicle.tell(
        "stage", _STAGED, _stage(patient), because=[("diagnosis", Reason.SHOWS), ("scan 0", Reason.READS)]
    )


def _stage(patient: SimulatedPatient) -> Stage:
    """Advanced disease as its stage says it, from the organs that it has reached."""
    organs = [site for site in patient.members("metastatic_sites") if site not in _NOT_DISTANT]
    m = _distant(patient.disease, organs)
    t, n = _LOCAL.get((patient.disease, m), ("", ""))
    return Stage(t=t, n=n, m=m, group=stage_group(patient.disease, t, n, m) or "")


def _distant(disease: str, organs: list[str]) -> str:
    """The M category of distant organs: the highest that one of them has, or that several have."""
    first, by_organ, several = _CATEGORIES[disease]
    found = [by_organ.get(organ, several[0]) for organ in organs]
    return max([first, *found, *(several[1:] if len(organs) > 1 else ())])


def _tell_biomarkers(patient: SimulatedPatient, chronicle: Chronicle) -> None:
    for found in biomarker_findings(patient.reported):
        days = min(found.days, 28)
        chronicle.tell(
            biomarker_name(found.key),
            _RESULT_LATEST - 1 - days,
            found.biomarker,
            delay=days,
            codes=[Code(System.BIOMARKER, found.statement)],
            because=[("diagnosis", Reason.ORDERED_FOR), ("diagnosis", Reason.SHOWS)],
            source=found.source,
        )
