"""Rules of succession: what may follow and cause what in one patient's life, a sentence each.

Rules this module guarantees:

- A rule looks at what is new and at a few facts kept of what came before (`Facts`): never at all
  earlier events. So checking costs the same in a long journey as in a short one.
- A rule gives what is wrong in words, or nothing. The journey graph turns words into a JourneyError.
- Whatever was accepted stays acceptable: facts change only in ways that old events agree with.

    >>> [rule.name for rule in EVENT_RULES][:2]
    ['clones_are_hidden', 'decisions_are_recorded']
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Diagnosis,
    Modality,
    Outcome,
    OutcomeType,
    Role,
    Status,
    Treatment,
)
from oncoproof.journey.events import KIND_OF, Event, Kind
from oncoproof.journey.links import Link, Reason, may_cause
from oncoproof.journey.omics import Finding, Origin, Pharmacogene, Presence, SmallVariant

_OVER = frozenset({Status.COMPLETED, Status.STOPPED})
_RESOLUTIONS_OVER = frozenset({"resolved", "fatal"})
_NEED_DIAGNOSIS = frozenset({OutcomeType.RESPONSE, OutcomeType.PROGRESSION, OutcomeType.REMISSION})
_NEED_GIVING = frozenset({Reason.RESPONDS, Reason.HARMS, Reason.SELECTS})


@dataclass(slots=True)
class Facts:
    """What the rules need to know of the events so far."""

    death: int | None = None
    """Day of death; None = alive as far as told."""
    primary: int | None = None
    """Day of the earliest primary diagnosis; None = there is none."""
    last: int | None = None
    """Last day on which something happened or ended; None = nothing happened yet."""
    germline: dict[str, str] = field(default_factory=dict[str, str])
    """What was said for sure of each inherited finding, by finding."""

    def take(self, event: Event) -> None:
        """Remember an accepted event."""
        day = event.day if event.end is None else event.end
        if self.last is None or day > self.last:
            self.last = day
        content = event.content
        if isinstance(content, Outcome) and content.type is OutcomeType.DEATH:
            self.death = event.day
        elif isinstance(content, Diagnosis) and content.role is Role.PRIMARY:
            self.primary = event.day if self.primary is None else min(self.primary, event.day)
        elif isinstance(content, Biomarker):
            finding, statement = _inherited(event, content)
            if statement:
                self.germline.setdefault(finding, statement)


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRule:
    """A rule that an event must keep."""

    name: str
    """Name, for error messages and docs."""
    sentence: str
    """The rule in a sentence."""
    kinds: frozenset[Kind]
    """Kinds of events it is about."""
    breach: Callable[[Event, Facts], str]
    """What is wrong with an event after these facts; empty = nothing."""
    needs_whole: bool = False
    """Whether it asks for an earlier event, which a journey made from a record may not hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRule:
    """A rule that a causal link must keep."""

    name: str
    """Name, for error messages and docs."""
    sentence: str
    """The rule in a sentence."""
    breach: Callable[[Link, Event, Event], str]
    """What is wrong with a link between this cause and this effect; empty = nothing."""


def _clone_recorded(event: Event, _: Facts) -> str:
    return "" if event.recorded is None else f"a clone recorded on day {event.recorded}"


def _decision_recorded_otherwise(event: Event, _: Facts) -> str:
    if event.recorded == event.day:
        return ""
    when = "never recorded" if event.recorded is None else f"recorded on day {event.recorded}"
    return f"a decision of day {event.day}, {when}"


def _dies_again(event: Event, facts: Facts) -> str:
    if facts.death is None or not _is_death(event):
        return ""
    return f"a death on day {event.day} beside one on day {facts.death}"


def _outlives(event: Event, facts: Facts) -> str:
    last = event.day if event.end is None else event.end
    if facts.death is not None and last > facts.death:
        return f"something on day {last} after the death on day {facts.death}"
    if facts.last is not None and facts.last > event.day and _is_death(event):
        return f"a death on day {event.day} before something on day {facts.last}"
    return ""


def _undiagnosed_treatment(event: Event, facts: Facts) -> str:
    content = event.content
    if isinstance(content, Treatment) and content.modality is Modality.SUPPORTIVE:
        return ""
    return _undiagnosed(event, facts)


def _undiagnosed_outcome(event: Event, facts: Facts) -> str:
    content = event.content
    if isinstance(content, Outcome) and content.type in _NEED_DIAGNOSIS:
        return _undiagnosed(event, facts)
    return ""


def _undiagnosed(event: Event, facts: Facts) -> str:
    if facts.primary is None:
        return f"{event.kind} on day {event.day} without a primary diagnosis"
    if facts.primary > event.day:
        return f"{event.kind} on day {event.day} before the primary diagnosis on day {facts.primary}"
    return ""


def _inheritance_changed(event: Event, facts: Facts) -> str:
    if not isinstance(event.content, Biomarker):
        return ""
    finding, statement = _inherited(event, event.content)
    known = facts.germline.get(finding, statement)
    return "" if known == statement or not statement else f"germline {finding} {statement} after {known}"


def _over_without_end(event: Event, _: Facts) -> str:
    if event.end is not None or event.recorded != event.day:
        return ""
    content = event.content
    if isinstance(content, Treatment):
        if content.status in _OVER and content.modality is not Modality.SURGERY:
            return f"a treatment {content.status} on the day it began, without an end"
    elif isinstance(content, AdverseEvent) and content.resolution in _RESOLUTIONS_OVER:
        return f"an adverse event {content.resolution} on the day it began, without an end"
    return ""


def _is_death(event: Event) -> bool:
    content = event.content
    return isinstance(content, Outcome) and content.type is OutcomeType.DEATH


def _inherited(event: Event, content: Biomarker) -> tuple[str, str]:
    """Which inherited finding this is and what is said of it for sure; the latter empty = nothing."""
    if content.origin is not Origin.GERMLINE or event.confidence < 1.0:
        return "", ""
    if content.presence not in {Presence.PRESENT, Presence.ABSENT}:
        return "", ""
    finding = content.finding
    if isinstance(finding, Pharmacogene) and content.presence is Presence.PRESENT:
        return f"{finding.gene} diplotype", finding.diplotype
    return _change_name(finding), str(content.presence)


def _change_name(finding: Finding) -> str:
    """A change by what identifies it: the share of reads that show it may differ between assays."""
    if isinstance(finding, SmallVariant):
        return f"{finding.gene} {finding.protein} {finding.coding} {finding.genomic}".strip()
    return repr(finding)


_ALL = frozenset(Kind)

EVENT_RULES: tuple[EventRule, ...] = (
    EventRule(
        name="clones_are_hidden",
        sentence="A clone is truth: no record ever holds one.",
        kinds=frozenset({Kind.CLONE}),
        breach=_clone_recorded,
    ),
    EventRule(
        name="decisions_are_recorded",
        sentence="A decision is recorded on the day it is made.",
        kinds=frozenset({Kind.DECISION}),
        breach=_decision_recorded_otherwise,
    ),
    EventRule(
        name="one_death",
        sentence="A patient dies once.",
        kinds=frozenset({Kind.OUTCOME}),
        breach=_dies_again,
    ),
    EventRule(
        name="death_is_last",
        sentence="Nothing happens or goes on after death; what happened before may be recorded later.",
        kinds=_ALL,
        breach=_outlives,
    ),
    EventRule(
        name="treatment_needs_diagnosis",
        sentence="A treatment against the cancer needs a primary diagnosis on its day or before.",
        kinds=frozenset({Kind.TREATMENT}),
        breach=_undiagnosed_treatment,
        needs_whole=True,
    ),
    EventRule(
        name="outcome_needs_diagnosis",
        sentence="A response, progression or remission needs a primary diagnosis on its day or before.",
        kinds=frozenset({Kind.OUTCOME}),
        breach=_undiagnosed_outcome,
        needs_whole=True,
    ),
    EventRule(
        name="germline_is_for_life",
        sentence="What is stated of an inherited finding with confidence 1 never changes.",
        kinds=frozenset({Kind.BIOMARKER}),
        breach=_inheritance_changed,
    ),
    EventRule(
        name="over_means_ended",
        sentence=(
            "What is told as over on the day it began states its end (operations excepted); without an end "
            "it was over by the day it was recorded, which is a later one."
        ),
        kinds=frozenset({Kind.TREATMENT, Kind.ADVERSE_EVENT}),
        breach=_over_without_end,
    ),
)
"""The rules for events, in the order in which they are checked."""


def _kinds_do_not_fit(link: Link, cause: Event, effect: Event) -> str:
    if may_cause(link.reason, KIND_OF[type(cause.content)], KIND_OF[type(effect.content)]):
        return ""
    return f"{cause.kind} {link.reason} {effect.kind}"


def _recorded_too_early(link: Link, cause: Event, effect: Event) -> str:
    if link.recorded is None:
        return ""
    if cause.recorded is None or effect.recorded is None:
        return f"a link recorded on day {link.recorded} to an event that is not in the record"
    if cause.recorded <= link.recorded >= effect.recorded:
        return ""
    known = max(cause.recorded, effect.recorded)
    return f"a link recorded on day {link.recorded}, events on day {known}"


def _planned_only(link: Link, cause: Event, _: Event) -> str:
    content = cause.content
    if isinstance(content, Treatment) and content.status is Status.PLANNED and link.reason in _NEED_GIVING:
        return f"a planned treatment that {link.reason}"
    return ""


LINK_RULES: tuple[LinkRule, ...] = (
    LinkRule(
        name="kinds_fit_reason",
        sentence="A reason joins the kinds of events that it makes sense for.",
        breach=_kinds_do_not_fit,
    ),
    LinkRule(
        name="links_follow_events",
        sentence="A link is recorded when both its events are, or later.",
        breach=_recorded_too_early,
    ),
    LinkRule(
        name="plans_do_nothing",
        sentence="A treatment that was only planned neither helps nor harms.",
        breach=_planned_only,
    ),
)
"""The rules for causal links; that a link goes forward in time is the graph's own."""

RULES_BY_KIND: dict[Kind, tuple[EventRule, ...]] = {
    kind: tuple(rule for rule in EVENT_RULES if kind in rule.kinds) for kind in Kind
}
"""The rules for events by the kind they are about."""

RULES_OF_PARTS: dict[Kind, tuple[EventRule, ...]] = {
    kind: tuple(rule for rule in rules if not rule.needs_whole) for kind, rules in RULES_BY_KIND.items()
}
"""Those of them that hold in a journey made from a record, which may lack what an event rests on."""
