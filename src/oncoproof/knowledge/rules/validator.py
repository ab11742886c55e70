"""The clinical validator: is this patient, and this plan, possible, consistent and safe?

It asks every safety rule, and whatever the tables of biomarkers, diseases, stages, assays and drugs
say cannot be, of all subjects at once.

Rules this module guarantees:

- Checks are asked in one order, so that two runs report the same in the same order.
- A condition that several checks share is worked out once.
- What is not known is reported as not assessable, never as safe.

    >>> from oncoproof.knowledge.subjects.subjects import Subjects
    >>> report = validate(Subjects.of_rows([
    ...     {"disease": "prostate", "sex": "female", "age_years": 70},
    ...     {"disease": "nsclc", "plan_drugs": ["pemetrexed"], "crcl_ml_min": 30},
    ... ]))
    >>> [violation.id for violation in report.violations(0)]
    ['sex:prostate']
    >>> "pemetrexed_crcl_below_45" in report.counts()
    True
    >>> "histology" in {name for gap in report.gaps(1) for name in gap.missing}
    True
"""

from collections.abc import Sequence
from functools import cache

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.rules.checks import Check, check_of_rule
from oncoproof.knowledge.rules.contradictions import list_contradictions
from oncoproof.knowledge.rules.drug_checks import list_drug_checks
from oncoproof.knowledge.rules.interaction_checks import list_interaction_checks
from oncoproof.knowledge.rules.marker_checks import list_marker_checks
from oncoproof.knowledge.rules.rules import Severity, load_rules
from oncoproof.knowledge.rules.stage_checks import list_stage_checks
from oncoproof.knowledge.rules.violations import Report, settle
from oncoproof.knowledge.subjects.features import FeaturePart
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

_ORDER = tuple(Severity)


@cache
def load_checks() -> tuple[Check, ...]:
    """Every check, hard ones first, otherwise in the order of the tables."""
    checks = (
        *(check_of_rule(rule) for rule in load_rules().values()),
        *list_contradictions(),
        *list_stage_checks(),
        *list_marker_checks(),
        *list_drug_checks(),
        *list_interaction_checks(),
    )
    seen: set[str] = set()
    for check in checks:
        if check.id in seen:
            raise IntegrityError(
                where="checks",
                came=f"{check.id!r} twice",
                expected="each id once",
                remedy="rename one of the checks",
            )
        seen.add(check.id)
    return tuple(sorted(checks, key=lambda check: _ORDER.index(check.severity)))


def validate(subjects: Subjects, *, checks: Sequence[Check] | None = None) -> Report:
    """What is wrong with each subject.

    Args:
        subjects: Patients, with their plans where there are any.
        checks: What to look for; None = everything.
    """
    evaluator = Evaluator(subjects)
    has_plan = subjects.column("plan_drugs").known | subjects.column("plan_classes").known
    plan = {feature.name for feature in load_vocabulary().of_part(FeaturePart.PLAN)}
    results = (
        settle(check, evaluator, has_plan=has_plan, about_plan=not plan.isdisjoint(check.reads))
        for check in (load_checks() if checks is None else checks)
    )
    return Report(subjects, tuple(results))
