"""A chronicle: what is to be told of a patient, in any order, until it becomes a journey.

Rules this module guarantees:

- Things are told under names; a cause is named by the name that it was told under, before or after.
- A journey holds them in order of time; on one day, what can only follow comes after what it follows from.
- A link is recorded when both its events are; where one of them is hidden, so is the link.
- A cause that was told under no name is left out.

    >>> from oncoproof.journey import Diagnosis, Role
    >>> chronicle = Chronicle()
    >>> chronicle.tell("end", 9, Outcome(type=OutcomeType.DEATH), because=[("found", Reason.ENDS)])
    >>> chronicle.tell("found", 0, Diagnosis(role=Role.PRIMARY))
    >>> journey = chronicle.journey(Patient(id="p1"), date(2025, 3, 3))
    >>> [(event.id, event.day) for event in journey], [link.reason.value for link in journey.causes("e2")]
    ([('e1', 0), ('e2', 9)], ['ends'])
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from oncoproof.journey import (
    Because,
    Clone,
    Code,
    Content,
    Event,
    Journey,
    Kind,
    Outcome,
    OutcomeType,
    Patient,
    Reason,
    Source,
)

Causes = Iterable[tuple[str, Reason]]
"""Names of other things that are told, each with why it is a cause."""

_SOURCES = {Kind.LAB: Source.LAB, Kind.IMAGING: Source.IMAGING, Kind.BIOMARKER: Source.GENOMIC}
_ORDER = (
    Kind.CLONE,
    Kind.SYMPTOM,
    Kind.DIAGNOSIS,
    Kind.IMAGING,
    Kind.STAGE,
    Kind.BIOMARKER,
    Kind.ADVERSE_EVENT,
    Kind.PERFORMANCE,
    Kind.LAB,
    Kind.OUTCOME,
    Kind.DECISION,
    Kind.TREATMENT,
)
"""What comes first on one day."""

_LAST_TYPES = frozenset({OutcomeType.DEATH, OutcomeType.HORIZON, OutcomeType.REMISSION})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """Something that is told."""

    name: str
    """What causes call it."""
    event: Event
    """The thing itself; its id is not the one that it will have."""
    because: tuple[tuple[str, Reason], ...]
    """Its causes."""

    def place(self) -> tuple[int, int]:
        """Where it stands in time."""
        content = self.event.content
        is_end = isinstance(content, Outcome) and content.type in _LAST_TYPES
        return self.event.day, len(_ORDER) if is_end else _ORDER.index(self.event.kind)


class Chronicle:
    """Collects what is told of one patient."""

    def __init__(self) -> None:
        """Nothing is told yet."""
        self._told: list[_Told] = []

    def tell(
        self,
        name: str,
        day: int,
        content: Content,
        *,
        delay: int = 0,
        end: int | None = None,
        codes: Iterable[Code] = (),
        because: Causes = (),
        source: Source | None = None,
        note: str = "",
    ) -> None:
        """Tell something.

        Args:
            name: What causes call it.
            day: When it happened or began.
            content: What it is about.
            delay: Days until it was recorded; a clone is never recorded.
            end: Last day; None = a single day, or not over.
            codes: What it is called.
            because: What it came of.
            source: Where the knowledge comes from; None = the usual one of its kind.
            note: Words beside it.
        """
        event = Event(
            id="new",
            day=day,
            recorded=None if isinstance(content, Clone) else day + delay,
            source=source or Source.CLINICAL,
            content=content,
            end=end,
            codes=tuple(codes),
            note=note,
        )
        if source is None:
            event = replace(event, source=_SOURCES.get(event.kind, Source.CLINICAL))
        self._told.append(_Told(name=name, event=event, because=tuple(because)))

    def journey(self, patient: Patient, start: date) -> Journey:
        """The journey of all that was told.

        Args:
            patient: Who it is about.
            start: The date of day 0.

        Raises:
            JourneyError: What was told breaks a rule of journeys.
        """
        journey = Journey(patient, start)
        ids: dict[str, str] = {}
        count = {"e": 0, "t": 0}
        for told in sorted(self._told, key=_Told.place):
            # Hidden events are numbered apart, so that the ids of a record do not tell how many there are.
            letter = "t" if told.event.recorded is None else "e"
            count[letter] += 1
            event = replace(told.event, id=f"{letter}{count[letter]}")
            causes = ((ids[cause], reason) for cause, reason in dict.fromkeys(told.because) if cause in ids)
            journey.add(event, because=[_because(journey, event, *cause) for cause in causes])
            ids[told.name] = event.id
        return journey


def _because(journey: Journey, event: Event, cause: str, reason: Reason) -> Because:
    known = journey.event(cause).recorded
    if event.recorded is None or known is None:
        return Because(cause, reason)
    return Because(cause, reason, max(event.recorded, known))
