"""Telling: how the demonstration adds events, with codes, sources and causes, to one journey.

Rules this module guarantees:

- A cause is named by the name that its event was told under. A link is recorded when both its events
  are; where one of them is hidden, so is the link.
- All chance comes from the seed.

    >>> from oncoproof.journey.stories import STORIES
    >>> teller = Teller(STORIES["nsclc"], Seed(1), "nsclc")
    >>> teller.fitness(0, 1)
    >>> [event.id for event in teller.journey]
    ['e1']
"""

from collections.abc import Iterable
from datetime import date, timedelta

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    Biomarker,
    Content,
    Decision,
    Imaging,
    Intent,
    Lab,
    Lesion,
    Modality,
    Performance,
    Read,
    Scale,
    Status,
    Treatment,
)
from oncoproof.journey.events import KIND_OF, Event, Kind, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Because, Reason
from oncoproof.journey.patient import Patient
from oncoproof.journey.stories import Course, Finding, Story
from oncoproof.journey.units import Quantity
from oncoproof.seeds import Seed

Causes = Iterable[tuple[str, Reason]]
"""Names of earlier events, each with why it is a cause."""

_SOURCES = {Kind.LAB: Source.LAB, Kind.IMAGING: Source.IMAGING, Kind.BIOMARKER: Source.GENOMIC}
_CHEMISTRY = (
    (Code.of(System.LOINC, "718-7", "Hemoglobin"), "g/dL", 12.4),
    (Code.of(System.LOINC, "751-8", "Neutrophils"), "10*9/L", 4.6),
    (Code.of(System.LOINC, "2160-0", "Creatinine"), "mg/dL", 0.9),
)
_ECOG = Code.of(System.LOINC, "89247-1", "ECOG performance status")
_BOARD = "tumour board"
_READER_ERROR = 0.03


class Teller:
    """Adds events to one journey under names, so that later ones can say what caused them."""

    def __init__(self, story: Story, seed: Seed, disease: str) -> None:
        """An empty journey of a patient whom the story could be about."""
        self.story = story
        self.random = seed.generator()
        self.ids: dict[str, str] = {}
        self.count = {"e": 0, "t": 0}
        index = date(2024, 1, 1) + timedelta(days=self.pick(0, 700))
        age_days = self.pick(*story.ages) * 365 + self.pick(0, 364)
        patient = Patient(
            id=f"demo-{disease}-{seed.root}",
            sex=story.sexes[self.pick(0, len(story.sexes) - 1)],
            birth=index - timedelta(days=age_days),
            country="ZZ",
        )
        self.journey = Journey(patient, index)

    def pick(self, low: int, high: int) -> int:
        """A whole number from `low` to `high`, both included."""
        return int(self.random.integers(low, high, endpoint=True))

    def near(self, value: float, *, share: float = 0.1) -> float:
        """A value within a share of another, with three digits."""
        return float(f"{value * self.random.uniform(1 - share, 1 + share):.3g}")

    def tell(
        self,
        name: str,
        day: int,
        content: Content,
        *,
        delay: int | None = 0,
        end: int | None = None,
        codes: Iterable[Code] = (),
        because: Causes = (),
    ) -> None:
        """Add an event under a name; its causes are named, and recorded with it unless one is hidden."""
        kind = KIND_OF[type(content)]
        recorded = None if delay is None else day + delay
        # Hidden events are numbered apart, so that the ids of a record do not tell how many there are.
        letter = "t" if recorded is None else "e"
        self.count[letter] += 1
        event = Event(
            id=f"{letter}{self.count[letter]}",
            day=day,
            recorded=recorded,
            source=_SOURCES.get(kind, Source.CLINICAL),
            content=content,
            end=end,
            codes=tuple(codes),
        )
        links = [self.because(cause, reason, recorded) for cause, reason in because]
        self.journey.add(event, because=links)
        self.ids[name] = event.id

    def because(self, name: str, reason: Reason, recorded: int | None) -> Because:
        """A cause that was recorded with its effect, or after it where the cause was known later."""
        cause = self.journey.event(self.ids[name])
        if recorded is None or cause.recorded is None:
            return Because(cause.id, reason)
        return Because(cause.id, reason, max(recorded, cause.recorded))

    def scan(
        self,
        name: str,
        day: int,
        size: float,
        *,
        read: Read | None = None,
        has_new: bool = False,
        because: Causes,
    ) -> None:
        """A scan on which the lesions have a share of their first size, with a reader's error."""
        lesions = tuple(
            Lesion(
                label=f"T{number + 1}",
                organ=organ,
                diameter_mm=float(round(size * self.near(36 - 5 * number, share=_READER_ERROR))),
            )
            for number, organ in enumerate(self.story.organs)
        )
        told = None if read is None else has_new
        content = Imaging(modality="ct", lesions=lesions, has_new_lesion=told, read=read)
        self.tell(name, day, content, delay=1, because=because)

    def bloods(self, name: str, day: int, size: float) -> None:
        """Blood values, the tumour marker with them."""
        marker = self.story.marker
        for code, unit, value in (*_CHEMISTRY, (marker.code, marker.unit, marker.start * size)):
            content = Lab(value=Quantity(self.near(value), unit))
            self.tell(f"{name}.{code.code}", day, content, delay=1, codes=[code])

    def fitness(self, day: int, score: int) -> None:
        """A performance status."""
        self.tell("ecog", day, Performance(scale=Scale.ECOG, score=score), codes=[_ECOG])

    def biomarker(
        self,
        name: str,
        day: int,
        delay: int,
        finding: Finding,
        *,
        plasma: bool = False,
        because: Causes,
    ) -> None:
        """A test of tissue or plasma whose result takes its time."""
        found = finding.biomarker
        content = Biomarker(
            finding=found.finding,
            presence=found.presence,
            origin=found.origin,
            assay="ctdna_panel" if plasma else found.assay or "tissue_ngs_panel",
            specimen="plasma" if plasma else found.specimen or "tissue",
        )
        codes = [Code(System.BIOMARKER, finding.statement)] if finding.statement else []
        self.tell(name, day, content, delay=delay, codes=codes, because=because)

    def decide(self, name: str, day: int, task: str, course: Course, *, because: Causes) -> None:
        """A decision for a course."""
        choice = Code(System.REGIMEN, course.regimen, course.words)
        content = Decision(maker=_BOARD, task=task, options=(choice,))
        self.tell(name, day, content, codes=[choice], because=because)

    def treat(
        self,
        name: str,
        day: int,
        end: int | None,
        course: Course,
        *,
        line: int,
        status: Status,
        why: str = "",
        fraction: float = 1.0,
        because: Causes,
    ) -> None:
        """A course of a treatment from one day to another."""
        content = Treatment(
            modality=Modality.DRUG,
            drugs=course.drugs,
            line=line,
            intent=Intent.PALLIATIVE,
            status=status,
            dose_fraction=fraction,
            reason_ended=why,
        )
        codes = [Code(System.REGIMEN, course.regimen, course.words)]
        self.tell(name, day, content, end=end, codes=codes, because=because)
