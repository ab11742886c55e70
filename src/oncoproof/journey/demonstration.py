"""The demonstration: one made-up patient's course for each disease, to show what a journey is.

Rules this module guarantees:

- The numbers are a story, not facts: they are drawn to look plausible and rest on no source. Nothing may
  be learnt, calibrated or examined with them.
- The same seed and disease tell the same story. Every kind of event occurs, with truth that no record
  holds (clones, what really drove the progression) beside what was recorded.

    >>> journey = demonstrate(Seed(3), "nsclc")
    >>> len(journey), len(journey.record().events), len(journey.visible(0).events)
    (44, 41, 1)
"""

from oncoproof.errors import InputError
from oncoproof.journey.codes import Code
from oncoproof.journey.contents import (
    AdverseEvent,
    Clone,
    CloneKind,
    Diagnosis,
    Outcome,
    OutcomeType,
    Read,
    Role,
    Severity,
    Status,
    Symptom,
)
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Reason
from oncoproof.journey.stories import STORIES, Course
from oncoproof.journey.telling import Teller
from oncoproof.seeds import Seed

_LONG_BEFORE = -200
_SIZE_AFTER_RESPONSE = 0.55
_COMPLAINTS = "urn:oncoproof:complaint"


def demonstrate(seed: Seed, disease: str) -> Journey:
    """A made-up but plausible course: its numbers are a story, not facts.

    Args:
        seed: The same seed tells the same story.
        disease: `nsclc`, `crc`, `breast`, `melanoma`, `ovarian` or `prostate`.

    Raises:
        InputError: There is no story of the disease.
    """
    story = STORIES.get(disease)
    if story is None:
        raise InputError(
            where="demonstration",
            came=repr(disease),
            expected=f"one of {', '.join(STORIES)}",
            remedy="choose one of these",
        )
    teller = Teller(story, seed.child("demonstration", disease), disease)
    lives = bool(teller.pick(0, 1))
    _find(teller)
    start = _decide_first(teller, _work_up(teller))
    resumed = _reduce_dose(teller, start)
    progressed = _respond(teller, start, resumed)
    known = _progress(teller, progressed)
    _end(teller, _change_treatment(teller, known, lives=lives), lives=lives)
    return teller.journey


def _find(teller: Teller) -> None:
    """A tumour grows, is felt and found."""
    story = teller.story
    teller.tell("clone", _LONG_BEFORE, Clone(kind=CloneKind.SENSITIVE, log10_cells=9.4), delay=None)
    teller.tell(
        "complaint",
        -teller.pick(10, 40),
        Symptom(severity=Severity.MODERATE),
        delay=2,
        codes=[Code(_COMPLAINTS, story.complaint.replace(" ", "_"), story.complaint)],
        because=[("clone", Reason.DRIVES)],
    )
    teller.tell(
        "diagnosis",
        0,
        Diagnosis(role=Role.PRIMARY, sites=(story.site,), histology=story.histology),
        delay=teller.pick(2, 6),
        codes=story.condition,
        because=[("clone", Reason.SHOWS)],
    )


def _work_up(teller: Teller) -> int:
    """Extent, fitness, blood and biomarkers; returns the day on which all is known."""
    story = teller.story
    day = teller.pick(3, 7)
    teller.scan("baseline", day, 1.0, because=[("diagnosis", Reason.ORDERED_FOR)])
    teller.tell("stage", day + 2, story.stage, because=[("baseline", Reason.READS)])
    teller.fitness(day, 1)
    teller.bloods("before", day, 1.0)
    known = day
    for number, finding in enumerate((story.driver, *story.others)):
        delay = teller.pick(6, 14)
        known = max(known, day + delay)
        teller.biomarker(f"marker.{number}", day, delay, finding, because=[("diagnosis", Reason.ORDERED_FOR)])
    return known


def _decide_first(teller: Teller, day: int) -> int:
    """The decision that the driver guides, after an earlier treatment where the story has one."""
    story = teller.story
    if story.earlier is not None:
        day = _treat_earlier(teller, story.earlier, day + teller.pick(5, 9))
    day += teller.pick(2, 6)
    causes = ("diagnosis", "stage", "marker.0", "ecog")
    teller.decide(
        "decision", day, "therapy", story.first, because=[(each, Reason.INFORMS) for each in causes]
    )
    return day + teller.pick(4, 9)


def _treat_earlier(teller: Teller, course: Course, day: int) -> int:
    """A whole course before the story's own."""
    end = day + 126
    line = max(teller.story.line - 1, 1)
    status = Status.STOPPED if teller.story.line > 1 else Status.COMPLETED
    teller.treat(
        "earlier", day, end, course, line=line, status=status, because=[("diagnosis", Reason.GUIDES)]
    )
    read, size = (Read.PD, 1.35) if teller.story.line > 1 else (Read.PR, _SIZE_AFTER_RESPONSE)
    teller.scan("earlier.scan", end + 3, size, read=read, because=[("earlier", Reason.RESPONDS)])
    return end + 6


def _reduce_dose(teller: Teller, start: int) -> int:
    """Treatment, harm, a pause; returns the day on which treatment goes on."""
    story = teller.story
    harmed = start + teller.pick(18, 35)
    healed = harmed + teller.pick(7, 14)
    because = [("decision", Reason.LEADS_TO), ("marker.0", Reason.GUIDES)]
    teller.treat(
        "full",
        start,
        harmed,
        story.first,
        line=story.line,
        status=Status.STOPPED,
        why="toxicity",
        because=because,
    )
    harm = AdverseEvent(grade=3, resolution="resolved")
    teller.tell("harm", harmed, harm, end=healed, codes=[story.harm], because=[("full", Reason.HARMS)])
    teller.decide("dose", healed, "dose", story.first, because=[("harm", Reason.INFORMS)])
    return healed


def _respond(teller: Teller, start: int, resumed: int) -> int:
    """A lower dose, a response, and a hidden clone that grows; returns the day on which it shows."""
    teller.tell(
        "resistant",
        start + teller.pick(10, 20),
        Clone(kind=teller.story.resistance.kind, log10_cells=4.0),
        delay=None,
        codes=[teller.story.resistance.mechanism],
        because=[("clone", Reason.EVOLVES), ("full", Reason.SELECTS)],
    )
    read = start + teller.pick(63, 77)
    lasts = read + teller.pick(90, 200)
    teller.treat(
        "reduced",
        resumed,
        lasts + 9,
        teller.story.first,
        line=teller.story.line,
        status=Status.STOPPED,
        why="progression",
        fraction=teller.story.reduced,
        because=[("dose", Reason.LEADS_TO), ("harm", Reason.MODIFIES)],
    )
    # A maintenance begins where the treatment before it left the tumour.
    size = _SIZE_AFTER_RESPONSE * (_SIZE_AFTER_RESPONSE if teller.story.line == 0 else 1.0)
    teller.scan("shrunk", read, size, read=Read.PR, because=[("reduced", Reason.RESPONDS)])
    teller.bloods("better", read, 0.3)
    response = Outcome(type=OutcomeType.RESPONSE, read=Read.PR)
    teller.tell(
        "response",
        read,
        response,
        delay=3,
        because=[("shrunk", Reason.READS), ("reduced", Reason.RESPONDS)],
    )
    return lasts


def _progress(teller: Teller, day: int) -> int:
    """The resistant clone shows: a scan, blood, a plasma test; returns the day on which all is known."""
    resistance = teller.story.resistance
    grown = Clone(kind=resistance.kind, log10_cells=9.1)
    teller.tell(
        "grown",
        day - 20,
        grown,
        delay=None,
        codes=[resistance.mechanism],
        because=[("resistant", Reason.EVOLVES)],
    )
    teller.scan("bigger", day, 0.9, read=Read.PD, has_new=True, because=[("response", Reason.ORDERED_FOR)])
    teller.bloods("worse", day, 1.6)
    progression = Outcome(type=OutcomeType.PROGRESSION, read=Read.PD)
    because = [("bigger", Reason.READS), ("grown", Reason.DRIVES)]
    teller.tell("progression", day, progression, delay=2, because=because)
    delay = teller.pick(6, 10)
    because = [("progression", Reason.ORDERED_FOR), ("grown", Reason.SHOWS)]
    teller.biomarker("plasma", day + 3, delay, resistance.finding, plasma=True, because=because)
    teller.fitness(day + 4, 2)
    return day + 3 + delay


def _change_treatment(teller: Teller, day: int, *, lives: bool) -> int:
    """The second decision and its treatment; returns the day of the last scan."""
    story = teller.story
    causes = [(each, Reason.INFORMS) for each in ("progression", "plasma", "ecog")]
    teller.decide("decision.2", day + 1, "therapy", story.second, because=causes)
    start, last = day + 6, day + teller.pick(130, 220)
    because = [("decision.2", Reason.LEADS_TO), ("progression", Reason.GUIDES)]
    teller.treat(
        "second",
        start,
        None if lives else last - 20,
        story.second,
        line=max(story.line, 1) + 1,
        status=Status.ACTIVE if lives else Status.STOPPED,
        why="" if lives else "progression",
        because=because,
    )
    teller.scan("second.scan", start + 60, 0.95, read=Read.SD, because=[("second", Reason.RESPONDS)])
    teller.bloods("second", start + 60, 1.2)
    return last


def _end(teller: Teller, day: int, *, lives: bool) -> None:
    """The story stops with the patient under treatment, or dead."""
    if lives:
        teller.tell("end", day, Outcome(type=OutcomeType.HORIZON))
        return
    because = [("second", Reason.RESPONDS)]
    teller.scan("last.scan", day - 25, 1.4, read=Read.PD, has_new=True, because=because)
    teller.fitness(day - 10, 4)
    because = [("last.scan", Reason.ENDS), ("grown", Reason.ENDS)]
    teller.tell("end", day, Outcome(type=OutcomeType.DEATH, cause="cancer"), delay=2, because=because)
