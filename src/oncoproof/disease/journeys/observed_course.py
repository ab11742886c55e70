"""What was observed of one patient, thing by thing: scans with their lesions, harm, visits, blood, the end.

Rules this module guarantees:

- A lesion keeps its name and organ through all scans; a new lesion is seen on every later scan too.
- Severe harm that changed the treatment is tied to what it changed.

    >>> from oncoproof.seeds import Seed
    >>> from oncoproof.disease.journeys.simulated_patient import simulate_patient
    >>> seen = observe_course(simulate_patient("nsclc", Seed(3), weeks=52))
    >>> [lesion.label for lesion in seen.scans[0].lesions][:1]
    ['T1']
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isnan

import numpy as np
from numpy.typing import NDArray

from oncoproof.disease.journeys.episodes import ReadScan, SevereHarm
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.disease.observations.blood_dna import BloodVariant
from oncoproof.disease.observations.event_tables import terms
from oncoproof.disease.observations.lesions import NO_LESION, sites
from oncoproof.disease.observations.outcome import End
from oncoproof.journey import Lesion
from oncoproof.knowledge.medicines import CtcaeTerm

_ORGANS = {"lymph": "node"}
_BRAIN = "brain"


@dataclass(frozen=True, slots=True)
class SeenScan:
    """A scan with what was measured on it."""

    scan: ReadScan
    """How it was read."""
    lesions: tuple[Lesion, ...]
    """Targets with their diameters, and lesions that are new since the start."""
    new: tuple[str, ...]
    """Organs of the lesions that are new on this scan."""


@dataclass(frozen=True, slots=True)
class Harm:
    """An adverse event."""

    week: int
    """Week of its onset."""
    last: int
    """Last week in which it was there."""
    term: CtcaeTerm
    """What it was."""
    grade: int
    """CTCAE grade."""
    line: int
    """Number of the line, from 0."""
    is_by_drug: bool
    """Whether the drugs caused it; otherwise the disease did."""
    hospital_days: float
    """Days in hospital for it."""
    is_over: bool
    """Whether it passed while the patient was followed."""
    severe: SevereHarm | None
    """What followed from it; None = nothing did."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A visit."""

    week: int
    """When."""
    ecog: int
    """Performance status as read."""
    values: Mapping[str, float]
    """Laboratory values by analyte; what is missing is left out."""


@dataclass(frozen=True, slots=True)
class BloodDraw:
    """Tumour DNA in a draw of blood."""

    week: int
    """When."""
    allele_fraction: float
    """Of the tumour's own mutation as reported; 0 = not found."""
    resistant: BloodVariant | None
    """The resistant clone whose variant was found; None = neither was."""


@dataclass(frozen=True, slots=True)
class ObservedCourse:
    """Everything that was observed of one patient."""

    scans: tuple[SeenScan, ...]
    """In order."""
    harms: tuple[Harm, ...]
    """In order of onset."""
    visits: tuple[Visit, ...]
    """In order."""
    draws: tuple[BloodDraw, ...]
    """In order."""
    utility: NDArray[np.float64]
    """Worth of each week that was lived."""
    end: End
    """How the course ended."""


def observe_course(patient: SimulatedPatient) -> ObservedCourse:
    """What was observed of a simulated patient."""
    return ObservedCourse(
        scans=tuple(_scans(patient)),
        harms=tuple(sorted(_harms(patient), key=lambda harm: (harm.week, -harm.grade, harm.term.slug))),
        visits=tuple(sorted(_visits(patient), key=lambda visit: visit.week)),
        draws=tuple(sorted(_draws(patient), key=lambda draw: draw.week)),
        utility=patient.record.quality.utility[: patient.episodes.weeks, 0].astype(np.float64),
        end=End(int(patient.record.outcomes.end[0])),
    )


def _organ(site: int) -> str:
    return _ORGANS.get(sites()[site], sites()[site])


def _scans(patient: SimulatedPatient) -> Iterator[SeenScan]:
    targets, readings, fresh = patient.record.targets, patient.record.lesions, patient.record.new_lesions
    column = {week: place for place, week in enumerate(readings.week.tolist())}
    in_brain = bool(patient.walked.has("metastatic_sites", _BRAIN)[0])
    known: list[tuple[str, str]] = []
    for scan in patient.episodes.scans:
        measured = readings.mm[:, column[scan.week]]
        organs = [_organ(site) for site in fresh.site[fresh.week == scan.week].tolist()]
        # A metastasis in the brain that grows is reported as one that is new is.
        organs = [organ for organ in organs if organ != _BRAIN or not in_brain]
        in_brain = in_brain or _BRAIN in organs
        known += [(f"N{len(known) + number}", organ) for number, organ in enumerate(organs, 1)]
        lesions = [
            Lesion(label=f"T{number}", organ=_organ(int(site)), diameter_mm=round(float(mm), 1))
            for number, (site, mm) in enumerate(zip(targets.site[:, 0], measured, strict=True), 1)
            if site != NO_LESION
        ]
        lesions += [
            Lesion(label=name, organ=organ, diameter_mm=None, is_target=False) for name, organ in known
        ]
        yield SeenScan(scan, tuple(lesions), tuple(organs))


def _harms(patient: SimulatedPatient) -> Iterator[Harm]:
    events, lived = patient.record.events, patient.episodes.weeks
    severe = {(harm.week, harm.is_by_drug): harm for harm in patient.episodes.harms}
    for place, week in enumerate(events.week.tolist()):
        grade, by_drug = int(events.grade[place]), bool(events.by_drug[place])
        last = min(week + int(events.duration_weeks[place]), lived) - 1
        yield Harm(
            week=week,
            last=last,
            term=terms()[int(events.term[place])],
            grade=grade,
            line=int(events.line[place]),
            is_by_drug=by_drug,
            hospital_days=float(events.hospital_days[place]),
            is_over=week + float(events.recovery_weeks[place]) < lived,
            severe=severe.get((week, by_drug)) if grade >= 3 else None,
        )


def _visits(patient: SimulatedPatient) -> Iterator[Visit]:
    visits, values = patient.record.visits, patient.record.laboratory
    for place, week in enumerate(visits.week.tolist()):
        column = values.value[:, place].tolist()
        told = {name: value for name, value in zip(values.analytes, column, strict=True) if not isnan(value)}
        yield Visit(week, int(patient.record.performance.ecog[place]), told)


def _draws(patient: SimulatedPatient) -> Iterator[BloodDraw]:
    blood = patient.record.blood
    for place, week in enumerate(blood.week.tolist()):
        found = blood.allele_fraction[:, place]
        resistant = max(BloodVariant.ON_TARGET, BloodVariant.BYPASS, key=lambda variant: found[variant])
        yield BloodDraw(week, float(found[BloodVariant.TRUNCAL]), resistant if found[resistant] > 0 else None)
