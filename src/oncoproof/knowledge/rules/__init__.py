"""The clinical validator: safety rules, contradictions and computed checks, and the violations they find."""

from oncoproof.knowledge.rules.checks import CheckGroup, check_of_rule
from oncoproof.knowledge.rules.rules import Checked, Rule, RuleKind, Severity, load_rules, parse_rules
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.rules.violations import Outcome

__all__ = [
    "CheckGroup",
    "Checked",
    "Outcome",
    "Rule",
    "RuleKind",
    "Severity",
    "check_of_rule",
    "load_checks",
    "load_rules",
    "parse_rules",
    "validate",
]
