"""What the validator says of a treatment when some of the patient is not known: forbidden, open, or neither.

The validator judges whole subjects; here it is asked of every combination of the values still possible.

Rules this module guarantees:

- A hard check broken in all of them forbids; one broken in some, or which nobody can assess, is open.
- A rule that asks for a test forbids nothing: where the test is missing it is open, and names what to test.
- An open check says what would settle it: features that are not known, and values still open.
- A check that asks for another dose or drug and is broken in all of them is a caution and forbids nothing.

    >>> from oncoproof.knowledge.graph.fact_reading import read_facts
    >>> from oncoproof.knowledge.graph.treatments import find_treatment
    >>> cetuximab = find_treatment("cetuximab")
    >>> ask_validator(read_facts({"RAS": "mut"}, disease="crc"), cetuximab).forbidden[0].id
    'anti_egfr_mab_ras_mutant'
    >>> unknown = ask_validator(read_facts({}, disease="crc"), cetuximab)
    >>> unknown.forbidden, [gap.missing for gap in unknown.untested]
    ((), [('RAS',), ('RAS', 'KRAS', 'NRAS')])
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.graph.facts import Facts, is_of_tumour
from oncoproof.knowledge.graph.treatments import Treatment
from oncoproof.knowledge.rules.checks import Check
from oncoproof.knowledge.rules.rules import RuleKind, Severity, load_rules
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.rules.violations import CheckResult, Gap, Report, Violation
from oncoproof.knowledge.subjects.features import FeaturePart
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary


@dataclass(frozen=True, slots=True)
class Safety:
    """What hard checks say of a plan."""

    forbidden: tuple[Violation, ...]
    """Broken whatever the open values turn out to be."""
    open: tuple[Gap, ...]
    """Neither broken nor kept for sure, each with what would settle it; required tests first."""

    @property
    def missing(self) -> tuple[str, ...]:
        """What would settle the open ones, each once."""
        return tuple(dict.fromkeys(name for gap in self.open for name in gap.missing))

    @property
    def untested(self) -> tuple[Gap, ...]:
        """The open ones that markers of the tumour alone would settle."""
        return tuple(gap for gap in self.open if all(map(is_of_tumour, gap.missing)))

    def doubting(self, granted: Collection[str]) -> tuple[Gap, ...]:
        """The open ones that markers alone would settle, or that ask for a marker taken for granted.

        Args:
            granted: Features taken for granted.
        """
        markers = set(filter(is_of_tumour, granted))
        others = (gap for gap in self.open if not markers.isdisjoint(gap.missing))
        return tuple(dict.fromkeys((*self.untested, *others)))

    @property
    def about_markers(self) -> tuple[Gap, ...]:
        """The open ones that a marker of the tumour has a part in."""
        return tuple(gap for gap in self.open if any(map(is_of_tumour, hard_plan_checks()[gap.id].reads)))


def ask_validator(facts: Facts, treatment: Treatment) -> Safety:
    """What the hard checks of a plan say of this treatment."""
    checks = tuple(hard_plan_checks().values())
    report = validate(facts.subjects(plan_drugs=list(treatment.drugs)), checks=checks)
    forbidden = {
        result.check.id
        for result in report.results
        if result.violated.all() and not _asks_for_test(result.check)
    }
    undecided = [
        result
        for result in report.results
        if result.check.id not in forbidden and (result.violated.any() or result.not_assessable.any())
    ]
    undecided.sort(key=lambda result: not _asks_for_test(result.check))
    gaps = (
        {gap.id: gap for row in range(report.subjects.rows) for gap in report.gaps(row)} if undecided else {}
    )
    return Safety(
        tuple(found for found in report.violations(0) if found.id in forbidden),
        tuple(_open(result, gaps, facts, report) for result in undecided),
    )


def find_cautions(facts: Facts, treatment: Treatment) -> Iterator[Violation]:
    """The checks that ask for another dose or drug and are broken whatever the open values turn out to be."""
    report = validate(facts.subjects(plan_drugs=list(treatment.drugs)), checks=_plan_checks(Severity.ADJUST))
    broken = {result.check.id for result in report.results if result.violated.all()}
    for found in report.violations(0):
        if found.id in broken and not _asks_for_test(report.result(found.id).check):
            yield found


@cache
def hard_plan_checks() -> Mapping[str, Check]:
    """The hard checks that speak about a plan, by id."""
    return {check.id: check for check in _plan_checks(Severity.HARD)}


@cache
def _plan_checks(severity: Severity) -> tuple[Check, ...]:
    plan = {feature.name for feature in load_vocabulary().of_part(FeaturePart.PLAN)}
    return tuple(
        check for check in load_checks() if check.severity is severity and not plan.isdisjoint(check.reads)
    )


def _asks_for_test(check: Check) -> bool:
    """Whether it is broken by what nobody knows, rather than by what is so."""
    rule = load_rules().get(check.id)
    return rule is not None and rule.kind is RuleKind.REQUIRE_TEST


def _open(result: CheckResult, gaps: Mapping[str, Gap], facts: Facts, report: Report) -> Gap:
    """The check with what would settle it."""
    check = result.check
    told = gaps[check.id].missing if check.id in gaps else ()
    reads = sorted(check.reads)
    untested = [name for name in reads if not report.subjects.column(name).known.all()]
    is_same = all(len(set(mask.tolist())) == 1 for mask in (result.violated, result.not_assessable))
    several = [] if is_same else [name for name in reads if facts.is_narrowed(name)]
    asked = untested if _asks_for_test(check) else []
    return Gap(check.id, check.severity, check.title, tuple(dict.fromkeys((*told, *asked, *several))))
