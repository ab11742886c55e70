"""What is told of decisions and treatments: lines with their doses, and what became of each.

Rules this module guarantees:

- Each dose of a line is a treatment of its own; it came of the decision for the line, or of the harm that
  changed the dose.
- A treatment states why it ended: progression, toxicity, death, or as planned where its cycles were over.

    >>> treatment_name(0, 1)
    'treatment 0.1'
"""

from collections.abc import Iterator
from dataclasses import dataclass

from oncoproof.disease.journeys.before_treatment import biomarker_name
from oncoproof.disease.journeys.biomarker_findings import biomarker_findings
from oncoproof.disease.journeys.chronicle import Causes, Chronicle
from oncoproof.disease.journeys.episodes import GivenLine, LineEnd, SevereHarm
from oncoproof.disease.journeys.observed_course import ObservedCourse
from oncoproof.disease.journeys.simulated_patient import Choice, SimulatedPatient
from oncoproof.disease.plans.designs import regimen_of
from oncoproof.journey import (
    Code,
    Decision,
    DrugDose,
    Intent,
    Modality,
    Quantity,
    Reason,
    Status,
    System,
    Treatment,
)
from oncoproof.knowledge.expressions import names
from oncoproof.knowledge.medicines import Component, Regimen, load_drugs, load_regimens
from oncoproof.knowledge.policies import load_policies, load_situations

WEEK_DAYS = 7
_DECIDED = -2
"""A line is decided two days before the week in which it may start."""


@dataclass(frozen=True, slots=True)
class TreatmentPart:
    """One dose of a line, as it is told."""

    name: str
    """What causes call it."""
    first: int
    """First day."""
    last: int
    """Last day."""
    dose: float
    """As a share of the planned dose."""
    is_maintenance: bool
    """Whether only the drugs of maintenance were given."""


def treatment_name(line: int, number: int) -> str:
    """The name under which a dose of a line is told.

    Args:
        line: Number of the line, from 0.
        number: Number of the dose within it, from 0.
    """
    return f"treatment {line}.{number}"


def parts_of(line: GivenLine) -> tuple[TreatmentPart, ...]:
    """The doses of a line; while the drugs are held, or their cycles over, there is none."""
    return tuple(
        TreatmentPart(treatment_name(line.number, number), *days)
        for number, days in enumerate(_days_given(line))
    )


def _days_given(line: GivenLine) -> Iterator[tuple[int, int, float, bool]]:
    """First and last day, dose, and whether it is maintenance, of each dose of a line."""
    regimen = regimen_of(line.regimen)
    planned = None
    if regimen.cycles_max is not None:
        planned = WEEK_DAYS * line.first + regimen.cycles_max * regimen.cycle_days
    for stretch in line.stretches:
        first, last = WEEK_DAYS * stretch.first, WEEK_DAYS * (stretch.last + 1) - 1
        if stretch.dose <= 0:
            continue
        if planned is None or last < planned:
            yield first, last, stretch.dose, False
            continue
        if first < planned:
            yield first, planned - 1, stretch.dose, False
        if regimen.maintenance:
            yield max(first, planned), last, stretch.dose, True


def part_before(patient: SimulatedPatient, day: int) -> str:
    """Name of the treatment that was last given before a day; empty = none was."""
    begun = [part for line in patient.episodes.lines for part in parts_of(line) if part.first < day]
    return begun[-1].name if begun else ""


def tell_decisions(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell what was decided of each line, and on what it rested."""
    advised_by = load_policies()[patient.guideline].name
    for number, choice in enumerate(patient.choices):
        chronicle.tell(
            f"decision {number}",
            WEEK_DAYS * choice.week + _DECIDED,
            Decision(
                maker=advised_by,
                task="therapy",
                options=tuple(regimen_code(option) for option in choice.options),
                rationale=" ".join(choice.judgement.reasons),
            ),
            codes=[regimen_code(choice.action)],
            because=[(name, Reason.INFORMS) for name in _grounds(patient, seen, choice, number)],
        )


def _grounds(patient: SimulatedPatient, seen: ObservedCourse, choice: Choice, number: int) -> Iterator[str]:
    """Names of what a decision rested on."""
    yield from ("diagnosis", "stage") if number == 0 else ()
    read = _keys_read(patient, choice)
    for found in biomarker_findings(patient.reported):
        if found.key in read:
            yield biomarker_name(found.key)
    before = [scan.scan.week for scan in seen.scans if scan.scan.week < max(choice.week, 1)]
    if before:
        yield f"scan {before[-1]}"
        yield f"progression {before[-1]}"
    visits = [visit.week for visit in seen.visits if visit.week < max(choice.week, 1)]
    if visits:
        yield f"performance {visits[-1]}"


def _keys_read(patient: SimulatedPatient, choice: Choice) -> frozenset[str]:
    """The features that put the patient into the guideline's situation."""
    situations = {each.slug: each for each in load_situations()[patient.disease]}
    situation = situations.get(choice.judgement.situation or "")
    return frozenset() if situation is None else frozenset(names(situation.when))


def regimen_code(regimen: str) -> Code:
    """A regimen as a code with the name that people use."""
    known = load_regimens().get(regimen)
    return Code(System.REGIMEN, regimen, known.name if known else regimen.replace("_", " "))


def tell_lines(patient: SimulatedPatient, chronicle: Chronicle) -> None:
    """Tell every line that was given."""
    lines = patient.episodes.lines
    for place, line in enumerate(lines):
        parts = parts_of(line)
        harms = [harm for harm in patient.episodes.harms if harm.is_by_drug and harm.line == line.number]
        for number, part in enumerate(parts):
            after = parts[number + 1] if number + 1 < len(parts) else None
            status, reason = _ended(line, part, after)
            changed = _harm_before(harms, part) if number else None
            chronicle.tell(
                part.name,
                part.first,
                _treatment(line, place, part, status, reason),
                end=None if status is Status.ACTIVE else part.last,
                codes=[regimen_code(line.regimen)],
                because=_causes(patient, place, changed),
            )
        _tell_dose_decisions(line, harms, chronicle)


def _ended(line: GivenLine, part: TreatmentPart, after: TreatmentPart | None) -> tuple[Status, str]:
    """How a dose of a line ended, and why."""
    if after is not None:
        is_planned = after.is_maintenance and not part.is_maintenance and after.first == part.last + 1
        return (Status.COMPLETED, "") if is_planned else (Status.HELD, "toxicity")
    if part.last < WEEK_DAYS * (line.last + 1) - 1:
        # The last week of the line was without drugs: they were over, or held and not begun again.
        held = line.stretches[-1].dose <= 0
        return (Status.STOPPED, "toxicity") if held else (Status.COMPLETED, "")
    if line.end is LineEnd.NOT_ENDED:
        return Status.ACTIVE, ""
    return Status.STOPPED, line.end.value


def _treatment(line: GivenLine, place: int, part: TreatmentPart, status: Status, reason: str) -> Treatment:
    regimen = regimen_of(line.regimen)
    given = [
        component
        for component in regimen.components
        if not part.is_maintenance or component.drug in regimen.maintenance
    ]
    return Treatment(
        modality=Modality.DRUG,
        drugs=tuple(_dose(regimen, component) for component in given),
        line=place + 1,
        intent=Intent.PALLIATIVE,
        status=status,
        dose_fraction=round(part.dose, 2),
        reason_ended=reason,
    )


def _dose(regimen: Regimen, component: Component) -> DrugDose:
    drug = load_drugs()[component.drug]
    dose = None if component.dose is None else Quantity(component.dose, component.unit)
    days = f"days {component.days} of {regimen.cycle_days}"
    return DrugDose(
        drug=Code(System.DRUG, drug.slug, drug.name),
        dose=dose,
        route=component.route.value,
        text=days,
    )


def _causes(patient: SimulatedPatient, place: int, changed: SevereHarm | None) -> Causes:
    if changed is not None:
        yield f"dose decision {changed.week}", Reason.LEADS_TO
        yield f"harm {changed.week} drug", Reason.MODIFIES
        return
    yield f"decision {place}", Reason.LEADS_TO
    if place < len(patient.choices):
        read = _keys_read(patient, patient.choices[place])
        for found in biomarker_findings(patient.reported):
            if found.key in read and (found.is_altered or isinstance(found.value, float)):
                yield biomarker_name(found.key), Reason.GUIDES


def _harm_before(harms: list[SevereHarm], part: TreatmentPart) -> SevereHarm | None:
    earlier = [harm for harm in harms if WEEK_DAYS * harm.week < part.first]
    return earlier[-1] if earlier else None


def _tell_dose_decisions(line: GivenLine, harms: list[SevereHarm], chronicle: Chronicle) -> None:
    """Tell what followed from severe harm: a hold, a lower dose, the end of the drugs."""
    for harm in harms:
        if harm.is_fatal:
            continue
        followed = "stop" if harm.stops else "hold and reduce the dose" if harm.reduces else "hold"
        chronicle.tell(
            f"dose decision {harm.week}",
            WEEK_DAYS * harm.week + 4,
            Decision(maker="usual care", task="dose", rationale=f"Severe harm: {followed}."),
            codes=[regimen_code(line.regimen)],
            because=[(f"harm {harm.week} drug", Reason.INFORMS)],
        )
