"""What is told of the course under treatment: scans, responses, harm, visits, blood, clones, the end.

Rules this module guarantees:

- What was seen is put down to what caused it: scans and responses to the treatment, harm to the drugs or the
  disease, growth to the clone that prevails (truth).
- Nothing is told after the end; a death states its cause.

    >>> harm_name(6, is_by_drug=True)
    'harm 6 drug'
"""

from collections.abc import Iterator

from oncoproof.disease.journeys.before_treatment import clone_cells_log10
from oncoproof.disease.journeys.chronicle import Chronicle
from oncoproof.disease.journeys.observed_course import Harm, ObservedCourse, SeenScan
from oncoproof.disease.journeys.resistance_mechanisms import mechanism_of
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.disease.journeys.under_treatment import WEEK_DAYS, part_before
from oncoproof.disease.observations.outcome import End
from oncoproof.journey import (
    AdverseEvent,
    Clone,
    Code,
    Imaging,
    Outcome,
    OutcomeType,
    Read,
    Reason,
    System,
)

_BASELINE_DAY = -10
"""The first scan comes before the first decision."""

_HARM_OFFSET = 2
_SERIOUS_GRADE = 4
_DEATHS = {End.DEATH_OF_DISEASE: "cancer", End.DEATH_OF_HARM: "toxicity", End.DEATH_OF_OTHER_CAUSE: "other"}


def last_day(patient: SimulatedPatient) -> int:
    """The last day that is told of."""
    return WEEK_DAYS * patient.episodes.weeks - 1


def scan_day(week: int, *, is_first: bool) -> int:
    """The day of a scan; the first scan of a line comes before its drugs."""
    if week == 0:
        return _BASELINE_DAY
    return WEEK_DAYS * week - (1 if is_first else 0)


def harm_name(week: int, *, is_by_drug: bool) -> str:
    """The name under which the severe harm of a week is told."""
    return f"harm {week} {'drug' if is_by_drug else 'illness'}"


def regimen_before(patient: SimulatedPatient, week: int) -> str:
    """The regimen that was given last before a week; empty = none was."""
    given = [line.regimen for line in patient.episodes.lines if line.first <= week]
    return given[-1] if given else ""


def tell_clones(patient: SimulatedPatient, chronicle: Chronicle) -> None:
    """Tell, as truth, which clone prevails."""
    for number, clone in enumerate(patient.episodes.clones[1:], 1):
        day = WEEK_DAYS * clone.week
        regimen = regimen_before(patient, clone.week)
        fact = mechanism_of(patient.disease, regimen, clone.kind, patient.seed)
        codes = []
        if fact is not None:
            codes = [Code(System.MECHANISM, fact.mechanism, fact.mechanism.replace("_", " "))]
        chronicle.tell(
            f"clone {number}",
            day,
            Clone(kind=clone.kind, log10_cells=clone_cells_log10(float(patient.weeks.extent[clone.week, 0]))),
            codes=codes,
            because=[
                (f"clone {number - 1}", Reason.EVOLVES),
                (part_before(patient, day), Reason.SELECTS),
            ],
        )


def clone_on(patient: SimulatedPatient, week: int) -> str:
    """Name of the clone that prevails in a week."""
    return f"clone {max(sum(clone.week <= week for clone in patient.episodes.clones) - 1, 0)}"


def tell_scans(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell the scans, and the responses and progressions that were read from them."""
    for place, each in enumerate(seen.scans):
        week, is_first = each.scan.week, each.scan.read is None
        day, name = scan_day(week, is_first=is_first), f"scan {week}"
        because = [("diagnosis", Reason.ORDERED_FOR)]
        if not is_first:
            because = [(part_before(patient, day), Reason.RESPONDS)]
        elif place:
            because = [(f"decision {each.scan.line}", Reason.LEADS_TO)]
        chronicle.tell(
            name,
            day,
            Imaging(
                modality="ct",
                lesions=each.lesions,
                has_new_lesion=None if is_first else bool(each.new),
                read=each.scan.read,
            ),
            delay=1,
            because=because,
        )
        _tell_reading(patient, each, day, chronicle)


def _tell_reading(patient: SimulatedPatient, each: SeenScan, day: int, chronicle: Chronicle) -> None:
    week, name = each.scan.week, f"scan {each.scan.week}"
    if each.scan.confirmed is not None:
        chronicle.tell(
            f"response {week}",
            day,
            Outcome(type=OutcomeType.RESPONSE, read=each.scan.confirmed),
            delay=2,
            because=[(name, Reason.READS), (part_before(patient, day), Reason.RESPONDS)],
        )
    if each.scan.read is Read.PD:
        chronicle.tell(
            f"progression {week}",
            day,
            Outcome(type=OutcomeType.PROGRESSION, read=Read.PD),
            delay=2,
            because=[(name, Reason.READS), (clone_on(patient, week), Reason.DRIVES)],
        )


def tell_harm(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell the adverse events."""
    for number, harm in enumerate(seen.harms):
        is_severe = harm.severe is not None
        day = WEEK_DAYS * harm.week + _HARM_OFFSET
        cause = (part_before(patient, day), Reason.HARMS) if harm.is_by_drug else ("diagnosis", Reason.DRIVES)
        end, resolution = _resolved(patient, harm)
        chronicle.tell(
            harm_name(harm.week, is_by_drug=harm.is_by_drug) if is_severe else f"mild harm {number}",
            day,
            AdverseEvent(
                grade=harm.grade,
                is_serious=harm.hospital_days > 0 or harm.grade >= _SERIOUS_GRADE,
                resolution=resolution,
            ),
            end=end,
            codes=list(_term_codes(harm)),
            because=[cause],
        )


def _resolved(patient: SimulatedPatient, harm: Harm) -> tuple[int | None, str]:
    """Last day of an adverse event and what became of it; None = it goes on."""
    if harm.severe is not None and harm.severe.is_fatal:
        return last_day(patient), "fatal"
    if harm.is_over:
        return WEEK_DAYS * (harm.last + 1) - 1, "resolved"
    died = patient.episodes.death.value != "none"
    return (last_day(patient), "not_resolved") if died else (None, "")


def _term_codes(harm: Harm) -> Iterator[Code]:
    yield Code(System.ADVERSE_EVENT, harm.term.slug, harm.term.term)
    if harm.term.meddra:
        yield Code(System.MEDDRA, harm.term.meddra, harm.term.term)


def tell_end(patient: SimulatedPatient, seen: ObservedCourse, chronicle: Chronicle) -> None:
    """Tell how the course ended."""
    last = patient.episodes.weeks - 1
    day = last_day(patient)
    scans = [scan.scan.week for scan in seen.scans]
    shown = [(f"scan {scans[-1]}", Reason.READS)] if scans else []
    cause = _DEATHS.get(seen.end)
    if cause is None:
        is_remission = seen.end is End.REMISSION
        content = Outcome(
            type=OutcomeType.REMISSION if is_remission else OutcomeType.HORIZON,
            read=Read.CR if is_remission else None,
        )
        chronicle.tell("end", day, content, because=shown if is_remission else [])
        return
    because = {
        "cancer": [(clone_on(patient, last), Reason.ENDS), ("diagnosis", Reason.ENDS)],
        "toxicity": [
            (harm_name(last, is_by_drug=True), Reason.ENDS),
            (part_before(patient, day), Reason.HARMS),
        ],
        "other": [],
    }[cause]
    if cause == "cancer":
        grown = [f"progression {scan.week}" for scan in patient.episodes.progressions]
        because += [(grown[-1], Reason.ENDS)] if grown else []
    chronicle.tell("end", day, Outcome(type=OutcomeType.DEATH, cause=cause), delay=2, because=because)
