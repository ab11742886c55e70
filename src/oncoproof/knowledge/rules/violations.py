"""What the validator found: which checks each subject breaks, and where nobody can tell.

Rules this module guarantees:

- Checks stand in a fixed order: by severity, hard first, then as they are listed.
- A violation names its check, its weight, why it is one, what to do, and its source.
- "Not assessable" is kept apart from "kept": it is neither a breach nor a pass.

    >>> from oncoproof.knowledge.rules.validator import validate
    >>> from oncoproof.knowledge.subjects.subjects import Subjects
    >>> report = validate(Subjects.of_rows([{"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]}]))
    >>> found = report.violations(0)[0]
    >>> found.id, found.severity.value, found.reasons
    ('anti_egfr_mab_ras_mutant', 'hard', ('disease is crc', 'the plan includes anti_egfr_mab', 'RAS is mut'))
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from oncoproof.knowledge.expressions.bits import Bits
from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.expressions.explanations import explain, missing_features
from oncoproof.knowledge.rules.checks import Check, CheckGroup
from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.subjects.subject_columns import Mask
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.tables import Basis


class Outcome(StrEnum):
    """What a check says of a subject."""

    VIOLATED = "violated"
    """Broken."""
    SATISFIED = "satisfied"
    """It applies and is kept."""
    NOT_ASSESSABLE = "not_assessable"
    """Something that decides it is not known."""
    NOT_APPLICABLE = "not_applicable"
    """It does not concern this subject."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One check that one subject breaks."""

    id: str
    """The check's name."""
    group: CheckGroup
    """What it is about."""
    severity: Severity
    """How much it weighs."""
    title: str
    """The breach in a line."""
    sentence: str
    """Why it is one."""
    action: str
    """What to do."""
    reasons: tuple[str, ...]
    """What of the subject makes it so, in words; may be empty where a table decides."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know it."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One check that cannot be assessed of one subject."""

    id: str
    """The check's name."""
    severity: Severity
    """How much a breach would weigh."""
    title: str
    """The breach that cannot be excluded."""
    missing: tuple[str, ...]
    """The features that would settle it."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check says of every subject."""

    check: Check
    """The check."""
    concerned: Bits
    """Whom it concerns."""
    broken: Bits
    """Who breaks it."""
    undecided: Bits
    """Of whom nobody can tell."""

    @property
    def violated(self) -> Mask:
        """Where it is broken, one truth for each subject."""
        return self.broken.mask()

    @property
    def not_assessable(self) -> Mask:
        """Where nobody can tell, one truth for each subject."""
        return self.undecided.mask()

    def outcome(self, row: int) -> Outcome:
        """What it says of one subject."""
        if self.broken.at(row):
            return Outcome.VIOLATED
        if self.undecided.at(row):
            return Outcome.NOT_ASSESSABLE
        return Outcome.SATISFIED if self.concerned.at(row) else Outcome.NOT_APPLICABLE


@dataclass(frozen=True, slots=True)
class Report:
    """What all checks say of all subjects."""

    subjects: Subjects = field(repr=False)
    """The subjects asked about."""
    results: tuple[CheckResult, ...] = field(repr=False)
    """One for each check, in order."""

    def violated(self, severity: Severity | None = None) -> Mask:
        """The subjects that break any check.

        Args:
            severity: Of this weight; None = of any.
        """
        union = Bits.none(self.subjects.rows).packed
        for result in self.results:
            if severity is None or result.check.severity is severity:
                union |= result.broken.packed
        return Bits(union, self.subjects.rows).mask()

    def result(self, id_: str) -> CheckResult:
        """What one check says."""
        return next(result for result in self.results if result.check.id == id_)

    def counts(self) -> dict[str, int]:
        """How many subjects break each check that is broken at all, in order."""
        counted = {result.check.id: result.broken.count() for result in self.results}
        return {id_: count for id_, count in counted.items() if count}

    def violations(self, row: int) -> tuple[Violation, ...]:
        """What one subject breaks, hard first."""
        return tuple(self._violations(row))

    def gaps(self, row: int) -> tuple[Gap, ...]:
        """What cannot be assessed of one subject, hard first."""
        return tuple(
            Gap(result.check.id, result.check.severity, result.check.title, self._missing(result.check, row))
            for result in self.results
            if result.undecided.at(row)
        )

    def _violations(self, row: int) -> Iterator[Violation]:
        for result in self.results:
            if result.broken.at(row):
                check = result.check
                yield Violation(
                    id=check.id,
                    group=check.group,
                    severity=check.severity,
                    title=check.title,
                    sentence=check.sentence,
                    action=check.action,
                    reasons=self._reasons(check, row),
                    source=check.source,
                    basis=check.basis,
                )

    def _reasons(self, check: Check, row: int) -> tuple[str, ...]:
        parts = (check.when, check.breach)
        said = (explain(part, self.subjects, row=row) for part in parts if not callable(part))
        return tuple(dict.fromkeys(reason for reasons in said for reason in reasons))

    def _missing(self, check: Check, row: int) -> tuple[str, ...]:
        parts = (check.when, check.breach, check.unless)
        open_parts = (part for part in parts if part is not None and not callable(part))
        said = (missing_features(part, self.subjects, row=row) for part in open_parts)
        return tuple(dict.fromkeys(name for names in said for name in names))


def settle(check: Check, evaluator: Evaluator, *, has_plan: Mask, about_plan: bool) -> CheckResult:
    """What one check says of every subject.

    Args:
        check: The check.
        evaluator: Holds the subjects and what was worked out about them.
        has_plan: Who has a plan.
        about_plan: Whether the check reads the plan; then it does not concern subjects without one.
    """
    applies = evaluator.truth(check.when)
    if applies.false.all():
        nobody = Bits.none(len(has_plan))
        return CheckResult(check, nobody, nobody, nobody)
    breach = applies & check.broken(evaluator)
    open_rows = ~breach.known
    if about_plan:
        open_rows &= has_plan
    return CheckResult(check, Bits.of(applies.true), Bits.of(breach.true), Bits.of(open_rows))
