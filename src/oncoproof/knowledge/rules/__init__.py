"""The clinical validator: safety rules, contradictions and computed checks, and the violations they find."""

from oncoproof.knowledge.rules.checks import Check, CheckGroup, check_of_rule
from oncoproof.knowledge.rules.contradictions import Contradiction
from oncoproof.knowledge.rules.drug_checks import OnePerPlan
from oncoproof.knowledge.rules.rules import (
    Checked,
    Rule,
    RuleKind,
    RuleText,
    Severity,
    load_rules,
    parse_rules,
)
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.rules.violations import CheckResult, Gap, Outcome, Report, Violation

__all__ = [
    "Check",
    "CheckGroup",
    "CheckResult",
    "Checked",
    "Contradiction",
    "Gap",
    "OnePerPlan",
    "Outcome",
    "Report",
    "Rule",
    "RuleKind",
    "RuleText",
    "Severity",
    "Violation",
    "check_of_rule",
    "load_checks",
    "load_rules",
    "parse_rules",
    "validate",
]
