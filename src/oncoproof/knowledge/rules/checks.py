"""What the validator looks for: one question, asked of every subject, with its weight and source.

Rules this module guarantees:

- A check says of each subject whether it applies, whether it is broken, or that nobody can tell.
- A check about a plan does not apply to a subject without one.
- Every check names an entry of `sources.csv`.

    >>> from oncoproof.knowledge.rules.rules import load_rules
    >>> check = check_of_rule(load_rules()["pregnancy"])
    >>> check.id, check.group.value, check.source
    ('pregnancy', 'safety', 'label:trastuzumab')
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.expressions.expressions import Expression, Known, Name, conjunction, names
from oncoproof.knowledge.expressions.truths import Truth
from oncoproof.knowledge.rules.rules import Rule, Severity
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.tables import Basis

Finder: TypeAlias = Callable[[Subjects], Truth]
"""Answers a question that the rule language cannot put."""


class CheckGroup(StrEnum):
    """What a check is about."""

    SAFETY = "safety"
    """A safety rule."""
    MARKERS = "markers"
    """Biomarkers that cannot stand together, or not in this disease."""
    PERSON = "person"
    """Sex, age and menopause against disease and one another."""
    STAGE = "stage"
    """Stage group against T, N and M."""
    ASSAY = "assay"
    """A biomarker against the assay that is said to have measured it."""
    HISTORY = "history"
    """Drugs, lines and intervals against one another and the calendar."""
    DOSE = "dose"
    """A dose outside what is given."""
    ORGAN_FUNCTION = "organ_function"
    """A drug against organ function or counts, by its threshold table."""
    MEASUREMENT = "measurement"
    """A measurement outside what a living person can have."""
    COMBINATION = "combination"
    """Two drugs of which one is enough."""
    INTERACTION = "interaction"
    """A drug against another medicine."""
    INDICATION = "indication"
    """A drug in a disease for which it was never approved."""


@dataclass(frozen=True, slots=True)
class Check:
    """One question."""

    id: str
    """Name, unique."""
    group: CheckGroup
    """What it is about."""
    severity: Severity
    """How much a breach weighs."""
    title: str
    """The breach in a line."""
    sentence: str
    """Why it is one, in plain words."""
    action: str
    """What to do."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know it."""
    when: Expression
    """To whom it applies."""
    breach: Expression | Finder
    """True where it is broken, given that it applies."""
    unless: Expression | None = None
    """What settles a breach; None = nothing does."""

    @property
    def reads(self) -> frozenset[str]:
        """The features of its conditions."""
        parts = (self.when, self.breach, self.unless)
        return frozenset(
            name for part in parts if part is not None and not callable(part) for name in names(part)
        )

    def broken(self, evaluator: Evaluator) -> Truth:
        """Where it is broken, given that it applies."""
        if callable(self.breach):
            return self.breach(evaluator.subjects)
        truth = evaluator.truth(self.breach)
        return truth if self.unless is None else truth & ~evaluator.truth(self.unless)


def known_all(expression: Expression) -> Expression:
    """That every feature an expression reads is known."""
    return conjunction(*(Known(Name(name)) for name in sorted(names(expression))))


def contradiction(
    id_: str,
    breach: Expression,
    *,
    group: CheckGroup,
    severity: Severity,
    title: str,
    source: str,
    basis: Basis,
    sentence: str = "",
    action: str = "Check the record.",
) -> Check:
    """A check that what is known does not contradict itself; it applies where all of it is known.

    Args:
        id_: Name, unique.
        breach: What cannot be.
        group: What it is about.
        severity: How much a breach weighs.
        title: The breach in a line.
        source: Id of an entry of `sources.csv`.
        basis: How we know it.
        sentence: Why it is one; empty = the title says it.
        action: What to do.
    """
    return Check(
        id=id_,
        group=group,
        severity=severity,
        title=title,
        sentence=sentence or f"{title} is a contradiction.",
        action=action,
        source=source,
        basis=basis,
        when=known_all(breach),
        breach=breach,
    )


def check_of_rule(rule: Rule) -> Check:
    """A safety rule as a check."""
    return Check(
        id=rule.id,
        group=CheckGroup.SAFETY,
        severity=rule.severity,
        title=rule.text.title,
        sentence=rule.text.sentence,
        action=rule.text.action,
        source=rule.source,
        basis=rule.text.basis,
        when=rule.when,
        breach=rule.wrong,
        unless=rule.unless,
    )
