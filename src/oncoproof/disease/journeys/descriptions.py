"""A simulated patient and their end in words.

Rules this module guarantees:

- Words say what is true of the patient; what is usual in everybody (a wild type) is left out, except
  where the disease is told by it.

    >>> regimen_name("osimertinib")
    'osimertinib'
"""

from collections.abc import Mapping

from oncoproof.disease.journeys.biomarker_findings import biomarker_findings
from oncoproof.disease.journeys.observed_course import ObservedCourse
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.disease.observations.outcome import End
from oncoproof.knowledge.cancers import load_diseases
from oncoproof.knowledge.medicines import load_regimens

_ALWAYS: Mapping[str, tuple[str, ...]] = {
    "nsclc": ("PDL1_TPS",),
    "crc": ("RAS", "MSI"),
    "breast": ("HR", "HER2"),
    "melanoma": ("BRAF",),
    "ovarian": ("BRCA", "HRD"),
    "prostate": ("BRCA",),
}
"""Biomarkers by which a disease is told, altered or not."""

_LEAST = frozenset({"TP53", "STK11", "KEAP1", "RAS", "AKT_PATHWAY", "HRR"})
_SHOWN = 5
_SEXES = {"female": "Woman", "male": "Man"}
_ENDS = {
    End.HORIZON: "alive at the end",
    End.REMISSION: "alive in complete remission",
    End.DEATH_OF_DISEASE: "of the cancer",
    End.DEATH_OF_HARM: "of toxicity",
    End.DEATH_OF_OTHER_CAUSE: "of another cause",
}
_WEEKS_PER_MONTH = 365.25 / 12 / 7


def regimen_name(regimen: str) -> str:
    """What people call a regimen."""
    known = load_regimens().get(regimen)
    return known.name if known else regimen.replace("+", " + ").replace("_", " ")


def describe_patient(patient: SimulatedPatient) -> str:
    """Sex, age, disease and lines of treatment."""
    features = patient.features
    disease = load_diseases()[patient.disease]
    histology = disease.histologies[str(features["histology"])].name
    age = float(str(features.get("age_years", 0.0)))
    who = f"{_SEXES.get(str(features.get('sex')), 'Patient')}, {age:.0f}"
    what = (
        disease.name if histology.lower() in disease.name.lower() else f"{disease.name}, {histology.lower()}"
    )
    lines = len(patient.episodes.lines)
    return " · ".join([who, what, f"{lines} line{'' if lines == 1 else 's'} of treatment"])


def describe_tumour(patient: SimulatedPatient) -> str:
    """Biomarkers by which the tumour is told, where it has spread, and how fit the patient is."""
    site = ", ".join(patient.members("metastatic_sites")) or "no distant organ named"
    return f"{', '.join(_biomarkers(patient))} · spread: {site} · ECOG {_ecog(patient)}"


def _biomarkers(patient: SimulatedPatient) -> list[str]:
    always = _ALWAYS[patient.disease]
    found = {found.key: found for found in biomarker_findings(patient.reported)}
    keys = [key for key in always if key in found]
    keys += [key for key, each in found.items() if each.is_altered and key not in {*always, *_LEAST}]
    return [_words(key, found[key].value) for key in keys[:_SHOWN]] or ["no driver found"]


def _words(key: str, value: str | float) -> str:
    name = {"PDL1_TPS": "PD-L1 TPS", "PDL1_CPS": "PD-L1 CPS"}.get(key, key.replace("_", " "))
    if not isinstance(value, str):
        return f"{name} {value:.0f}{' %' if key == 'PDL1_TPS' else ''}"
    text = value.replace("_", " ")
    return f"{name} {text.upper() if any(letter.isdigit() for letter in text) else text}"


def describe_end(patient: SimulatedPatient, seen: ObservedCourse, *, short: bool = False) -> str:
    """How the course ended.

    Args:
        patient: Whose course it is.
        seen: What was observed of it.
        short: Only the cause of death, or that the patient lives.
    """
    words = _ENDS[seen.end]
    if short:
        return words
    months = patient.episodes.weeks / _WEEKS_PER_MONTH
    died = seen.end not in {End.HORIZON, End.REMISSION}
    return f"{'Died' if died else words.capitalize()}{f' {words}' if died else ''} after {months:.0f} months."


def _ecog(patient: SimulatedPatient) -> str:
    return f"{float(str(patient.features.get('ecog', 0.0))):.0f}"
