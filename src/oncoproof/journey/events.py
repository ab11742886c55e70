"""Events: the one thing a journey is made of.

Rules this module guarantees:

- An event says when it happened (`day`), when it became known (`recorded`; None = truth that nobody
  observed), how sure it is and where it comes from. What it is about is its `content`, one typed
  class per kind; what it is called stands in `codes`.
- Days are whole and counted from the journey's index date; the order of events within a day is the
  order in which they were added.

    >>> from oncoproof.journey.units import Quantity
    >>> event = Event(id="e1", day=0, recorded=3, source=Source.LAB,
    ...               content=Lab(value=Quantity(1.2, "mg/dL")))
    >>> event.kind
    <Kind.LAB: 'lab'>
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from oncoproof.errors import JourneyError
from oncoproof.journey.codes import Code
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Clone,
    Content,
    Decision,
    Diagnosis,
    Imaging,
    Lab,
    Outcome,
    Performance,
    Stage,
    Symptom,
    Treatment,
)


class Kind(StrEnum):
    """What sort of thing happened."""

    DIAGNOSIS = "diagnosis"
    """A condition was found."""
    STAGE = "stage"
    """The extent of the cancer was stated."""
    BIOMARKER = "biomarker"
    """A molecular or protein finding."""
    LAB = "lab"
    """A measured or coded observation: laboratory, vital sign, tumour marker, social history."""
    IMAGING = "imaging"
    """A scan and its reading."""
    SYMPTOM = "symptom"
    """A complaint."""
    PERFORMANCE = "performance"
    """A performance status."""
    TREATMENT = "treatment"
    """Something was given or done against the disease, or to support."""
    ADVERSE_EVENT = "adverse_event"
    """Harm, graded after CTCAE."""
    DECISION = "decision"
    """Somebody chose what to do."""
    OUTCOME = "outcome"
    """What became of the patient: response, progression, death."""
    CLONE = "clone"
    """A subpopulation of the tumour: truth that is never recorded as such."""


class Source(StrEnum):
    """Where the knowledge of an event comes from."""

    GENOMIC = "genomic"
    """Sequencing and other molecular assays."""
    CLINICAL = "clinical"
    """What clinicians and patients said and did."""
    IMAGING = "imaging"
    """Scans."""
    LAB = "lab"
    """The laboratory."""


KIND_OF: dict[type[Content], Kind] = {
    Diagnosis: Kind.DIAGNOSIS,
    Stage: Kind.STAGE,
    Biomarker: Kind.BIOMARKER,
    Lab: Kind.LAB,
    Imaging: Kind.IMAGING,
    Symptom: Kind.SYMPTOM,
    Performance: Kind.PERFORMANCE,
    Treatment: Kind.TREATMENT,
    AdverseEvent: Kind.ADVERSE_EVENT,
    Decision: Kind.DECISION,
    Outcome: Kind.OUTCOME,
    Clone: Kind.CLONE,
}
"""Which kind an event is, by the class of its content."""

_ID = re.compile(r"[A-Za-z0-9.-]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened to a patient."""

    id: str
    """Unique within the journey: up to 64 letters, digits, hyphens, dots (as FHIR wants ids)."""
    day: int
    """When it happened or began, in days after the journey's index date."""
    recorded: int | None
    """When it became known, not before `day`; None = truth that is not in the record."""
    source: Source
    """Where the knowledge comes from."""
    content: Content
    """What it is about."""
    end: int | None = None
    """Last day of something lasting; None = a single day, or not over. A treatment or adverse event that
    is told as over without an end was over by the day it was recorded."""
    codes: tuple[Code, ...] = ()
    """What it is called, most specific first."""
    confidence: float = 1.0
    """How sure the statement is, 0 to 1."""
    note: str = ""
    """Words beside it; empty = none."""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id):
            self._refuse(f"id {self.id!r}", "1 to 64 letters, digits, hyphens or dots", "choose another id")
        if self.recorded is not None and self.recorded < self.day:
            self._refuse(
                f"recorded on day {self.recorded}, happened on day {self.day}",
                "an event is recorded on its day or later",
                "swap or correct the days",
            )
        if self.end is not None and self.end < self.day:
            self._refuse(
                f"ends on day {self.end}, begins on day {self.day}",
                "an end on the first day or later",
                "swap or correct the days",
            )
        if not 0.0 <= self.confidence <= 1.0:
            self._refuse(f"confidence {self.confidence}", "a number from 0 to 1", "correct it")

    def _refuse(self, came: str, expected: str, remedy: str) -> None:
        raise JourneyError(where=f"event {self.id!r}", came=came, expected=expected, remedy=remedy)

    @property
    def kind(self) -> Kind:
        """What sort of thing happened."""
        return KIND_OF[type(self.content)]

    def ongoing(self) -> "Event":
        """The event as it looks while it lasts: without its end and what only the end brought."""
        content = self.content
        if isinstance(content, (Treatment, AdverseEvent)):
            content = content.ongoing()
        return replace(self, content=content, end=None)

    def code_in(self, system: str) -> str | None:
        """The event's first code of a system; None = it has none."""
        return next((code.code for code in self.codes if code.system == system), None)
