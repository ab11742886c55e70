"""Causal links: why one event came of another, and which links make sense.

Rules this module guarantees:

- A link has a reason, and each reason joins certain kinds of events only (`MAY_CAUSE`).
- A link that nobody has recorded is truth: it is not in the record, even where both its events are.

    >>> may_cause(Reason.GUIDES, Kind.BIOMARKER, Kind.TREATMENT)
    True
    >>> may_cause(Reason.GUIDES, Kind.TREATMENT, Kind.BIOMARKER)
    False
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from oncoproof.journey.events import Kind


class Reason(StrEnum):
    """Why one event came of another."""

    ORDERED_FOR = "ordered_for"
    """Finding → test: the test was done because of the finding."""
    INFORMS = "informs"
    """Finding → decision: the decision rested on the finding."""
    LEADS_TO = "leads_to"
    """Decision → what was then done."""
    GUIDES = "guides"
    """Finding → treatment: the treatment was chosen for the finding."""
    RESPONDS = "responds"
    """Treatment → response, or the scan that shows it."""
    HARMS = "harms"
    """Treatment → adverse event, symptom, laboratory change, death."""
    MODIFIES = "modifies"
    """Adverse event, finding → treatment that it holds, reduces or stops."""
    SHOWS = "shows"
    """Disease or clone → finding that reveals it."""
    READS = "reads"
    """Scan or laboratory → outcome that was read from it."""
    SELECTS = "selects"
    """Treatment → clone that grows under it."""
    EVOLVES = "evolves"
    """Clone → clone that descends from it."""
    DRIVES = "drives"
    """Disease or clone → progression, symptom, metastasis, adverse event."""
    ENDS = "ends"
    """What brought a death, a remission or the end of the story about."""


_FINDINGS = frozenset(
    {
        Kind.DIAGNOSIS,
        Kind.STAGE,
        Kind.BIOMARKER,
        Kind.LAB,
        Kind.IMAGING,
        Kind.SYMPTOM,
        Kind.PERFORMANCE,
        Kind.ADVERSE_EVENT,
        Kind.OUTCOME,
    }
)
_TESTS = frozenset({Kind.BIOMARKER, Kind.LAB, Kind.IMAGING, Kind.STAGE, Kind.PERFORMANCE})

MAY_CAUSE: dict[Reason, tuple[frozenset[Kind], frozenset[Kind]]] = {
    Reason.ORDERED_FOR: (_FINDINGS | {Kind.TREATMENT}, _TESTS),
    Reason.INFORMS: (_FINDINGS | {Kind.TREATMENT}, frozenset({Kind.DECISION})),
    Reason.LEADS_TO: (frozenset({Kind.DECISION}), _TESTS | {Kind.TREATMENT, Kind.DECISION}),
    Reason.GUIDES: (_FINDINGS, frozenset({Kind.TREATMENT})),
    Reason.RESPONDS: (
        frozenset({Kind.TREATMENT}),
        frozenset({Kind.OUTCOME, Kind.IMAGING, Kind.LAB, Kind.SYMPTOM, Kind.PERFORMANCE}),
    ),
    Reason.HARMS: (
        frozenset({Kind.TREATMENT}),
        frozenset({Kind.ADVERSE_EVENT, Kind.SYMPTOM, Kind.LAB, Kind.PERFORMANCE, Kind.OUTCOME}),
    ),
    Reason.MODIFIES: (_FINDINGS, frozenset({Kind.TREATMENT, Kind.DECISION})),
    Reason.SHOWS: (
        frozenset({Kind.DIAGNOSIS, Kind.CLONE, Kind.ADVERSE_EVENT}),
        _TESTS | {Kind.DIAGNOSIS, Kind.SYMPTOM},
    ),
    Reason.READS: (_TESTS, frozenset({Kind.OUTCOME, Kind.DIAGNOSIS, Kind.STAGE})),
    Reason.SELECTS: (frozenset({Kind.TREATMENT}), frozenset({Kind.CLONE})),
    Reason.EVOLVES: (frozenset({Kind.CLONE}), frozenset({Kind.CLONE})),
    Reason.DRIVES: (
        frozenset({Kind.DIAGNOSIS, Kind.CLONE}),
        frozenset({Kind.OUTCOME, Kind.SYMPTOM, Kind.DIAGNOSIS, Kind.ADVERSE_EVENT, Kind.PERFORMANCE}),
    ),
    Reason.ENDS: (frozenset(Kind), frozenset({Kind.OUTCOME})),
}
"""For each reason, the kinds that may be the cause and the kinds that may be the effect."""


@dataclass(frozen=True, slots=True)
class Link:
    """One event came of another."""

    cause: str
    """Id of the earlier event."""
    effect: str
    """Id of the later event."""
    reason: Reason
    """Why."""
    recorded: int | None = None
    """Day on which somebody recorded the link; None = truth that is not in the record."""


class Because(NamedTuple):
    """Why an event came about, told while adding it: a link whose effect is that event."""

    cause: str
    """Id of the earlier event."""
    reason: Reason
    """Why."""
    recorded: int | None = None
    """Day on which somebody recorded the link; None = truth that is not in the record."""


def may_cause(reason: Reason, cause: Kind, effect: Kind) -> bool:
    """Whether a link of this reason makes sense between these kinds."""
    causes, effects = MAY_CAUSE[reason]
    return cause in causes and effect in effects
