"""What is told of visits: performance status, laboratory values, tumour DNA in blood.

Rules this module guarantees:

- Values are told where a scan was read, a line began or severe harm came; performance status besides wherever
  it changed.
- A value is told in the unit of its code; multiples of an upper limit become values with that limit.
- Blood in which the tumour's own mutation was not found says nothing of the tumour's genes.

    >>> told = laboratory_value("ast_x_uln", 0.5)[0].value
    >>> isinstance(told, Quantity) and (told.value, told.unit)
    (20.0, 'U/L')
"""

from collections.abc import Mapping
from dataclasses import replace

from oncoproof.disease.journeys.biomarker_findings import FoundBiomarker, biomarker_findings, finding_of
from oncoproof.disease.journeys.chronicle import Chronicle
from oncoproof.disease.journeys.course_findings import (
    clone_on,
    regimen_before,
    scan_day,
)
from oncoproof.disease.journeys.observed_course import BloodDraw, ObservedCourse, Visit
from oncoproof.disease.journeys.resistance_mechanisms import mechanism_of
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.disease.journeys.under_treatment import WEEK_DAYS
from oncoproof.disease.observations.blood_dna import BloodVariant
from oncoproof.disease.observations.laboratory import load_analytes as load_measured
from oncoproof.journey import (
    Biomarker,
    CloneKind,
    Code,
    Lab,
    Origin,
    Performance,
    Presence,
    Quantity,
    Reason,
    Scale,
    SmallVariant,
    System,
)
from oncoproof.knowledge.cancers import load_biomarkers
from oncoproof.knowledge.courses import ResistanceFact
from oncoproof.knowledge.subjects import load_analytes

_FIRST_DAY = -3
_PANEL = "ctdna_panel"
_PANEL_DAYS = 9
_ECOG = Code.of(System.LOINC, "89247-1", "ECOG performance status")
_UPPER_LIMITS: Mapping[str, tuple[float, str]] = {
    "ast_x_uln": (40.0, "U/L"),
    "alt_x_uln": (40.0, "U/L"),
    "ldh_x_uln": (250.0, "U/L"),
    "bilirubin_x_uln": (1.2, "mg/dL"),
}
"""Upper limits of normal that laboratories commonly state: a convention for telling a multiple as a value."""

_MARKERS: Mapping[str, tuple[str, str]] = {
    "cea": ("2039-6", "CEA"),
    "ca_15_3": ("6875-9", "CA 15-3"),
    "ca_125": ("10334-1", "CA 125"),
    "psa": ("2857-1", "PSA"),
}
"""LOINC codes of tumour markers, and what people call them."""

_CLONES = {BloodVariant.ON_TARGET: CloneKind.ON_TARGET, BloodVariant.BYPASS: CloneKind.BYPASS}


def tell_visits(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell performance status and laboratory values."""
    harms = {harm.week: harm for harm in seen.harms if harm.severe is not None}
    measured = {scan.scan.week for scan in seen.scans} | set(harms) | {0}
    status = -1
    for visit in seen.visits:
        day = WEEK_DAYS * visit.week if visit.week else _FIRST_DAY
        if visit.ecog != status or visit.week in measured:
            status = visit.ecog
            chronicle.tell(
                f"performance {visit.week}",
                day,
                Performance(scale=Scale.ECOG, score=status),
                codes=[_ECOG],
                because=[(clone_on(patient, visit.week), Reason.DRIVES)] if status > 1 else [],
            )
        if visit.week in measured:
            _tell_values(visit, day, chronicle)


def _tell_values(visit: Visit, day: int, chronicle: Chronicle) -> None:
    for analyte, value in visit.values.items():
        content, codes = laboratory_value(analyte, value)
        chronicle.tell(
            f"value {visit.week} {analyte}",
            day,
            content,
            delay=1,
            codes=codes,
            because=[("diagnosis", Reason.SHOWS)] if analyte in _MARKERS else [],
        )


def laboratory_value(analyte: str, value: float) -> tuple[Lab, list[Code]]:
    """A value as a laboratory reports it, and its codes.

    Args:
        analyte: Its id in the table of what is measured.
        value: In the unit of that table.
    """
    unit = next(row.unit for row in load_measured() if row.id == analyte)
    high = None
    if analyte in _UPPER_LIMITS:
        high, unit = _UPPER_LIMITS[analyte]
        value *= high
    known = load_analytes().get(analyte)
    loinc, words = _MARKERS.get(analyte, ("", analyte.removesuffix("_x_uln").replace("_", " ")))
    if known is not None and known.loinc:
        loinc = known.loinc[0]
    codes = [Code.of(System.LOINC, loinc, words)] if loinc else []
    codes.append(Code(System.ANALYTE, analyte, words))
    return Lab(value=Quantity(float(f"{value:.3g}"), unit), high=high), codes


def tell_blood(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell what panels found in blood: the tumour's own mutation, and how it came to resist."""
    own = _own_mutation(patient)
    firsts = {scan.scan.week for scan in seen.scans if scan.scan.read is None}
    told: set[str] = set()
    for draw in seen.draws:
        day = scan_day(draw.week, is_first=draw.week in firsts)
        if own is not None:
            _tell_own(patient, own, draw, day, chronicle)
        fact = _resistance(patient, draw)
        if fact is None or fact.biomarker is None or fact.value is None or fact.mechanism in told:
            continue
        told.add(fact.mechanism)
        marker = load_biomarkers()[fact.biomarker]
        # A panel names the variant; where the mechanism says only `mut`, it is the last and least special.
        value = marker.expand(fact.value)[-1] if marker.values else fact.value
        chronicle.tell(
            f"resistance {draw.week}",
            day,
            Biomarker(
                finding=finding_of(marker, value),
                origin=Origin.SOMATIC,
                assay=_PANEL,
                specimen="plasma",
            ),
            delay=_PANEL_DAYS,
            codes=[Code(System.BIOMARKER, f"{fact.biomarker}={value}")],
            because=[
                (f"progression {draw.week}", Reason.ORDERED_FOR),
                (clone_on(patient, draw.week), Reason.SHOWS),
            ],
        )


def _own_mutation(patient: SimulatedPatient) -> FoundBiomarker | None:
    """A mutation that every cell of the tumour has, by which a panel can follow it."""
    return next(
        (
            found
            for found in biomarker_findings(patient.features)
            if found.is_altered
            and isinstance(found.biomarker.finding, SmallVariant)
            and found.biomarker.origin is Origin.SOMATIC
            and found.biomarker.finding.protein
        ),
        None,
    )


def _tell_own(
    patient: SimulatedPatient, own: FoundBiomarker, draw: BloodDraw, day: int, chronicle: Chronicle
) -> None:
    finding = own.biomarker.finding
    assert isinstance(finding, SmallVariant)  # noqa: S101  that is how it was chosen
    is_there = draw.allele_fraction > 0
    chronicle.tell(
        f"blood {draw.week}",
        day,
        Biomarker(
            finding=replace(finding, vaf=draw.allele_fraction if is_there else None),
            presence=Presence.PRESENT if is_there else Presence.INDETERMINATE,
            origin=Origin.SOMATIC,
            assay=_PANEL,
            specimen="plasma",
        ),
        delay=_PANEL_DAYS,
        codes=[Code(System.BIOMARKER, own.statement)] if is_there else [],
        because=[
            ("diagnosis", Reason.ORDERED_FOR),
            (clone_on(patient, draw.week), Reason.SHOWS),
        ],
    )


def _resistance(patient: SimulatedPatient, draw: BloodDraw) -> ResistanceFact | None:
    """How the tumour came to resist, where a draw shows it and it is no more than was known."""
    if draw.resistant is None or draw.week == 0:
        return None
    regimen = regimen_before(patient, draw.week)
    fact = mechanism_of(patient.disease, regimen, _CLONES[draw.resistant], patient.seed)
    if fact is None or fact.biomarker is None or fact.biomarker not in load_biomarkers():
        return None
    marker = load_biomarkers()[fact.biomarker]
    known = patient.features.get(fact.biomarker, marker.reference)
    return fact if known == marker.reference and marker.applies_to(patient.disease) else None
