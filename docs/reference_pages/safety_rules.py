"""The page of safety rules: each with its reason, its weight, its source and what it was held against."""

from collections import Counter
from itertools import groupby

from oncoproof.knowledge.rules import Checked, Rule, Severity, load_rules
from reference_pages.markdown import cell, code, counted, table
from reference_pages.records import words_of_fields

_INTRODUCTION = """# Safety rules

What the clinical validator will not let pass. How a rule is written: [rules, policies and the
validator](../concepts/rules.md); how to add one: [add a rule](../how-to/add-a-rule.md). The files are
`src/oncoproof/knowledge/data/safety_rules/*.toml`.
"""


def safety_rules_page() -> str:
    """Every safety rule, by topic."""
    rules = list(load_rules().values())
    topics = (
        _section(topic, list(members)) for topic, members in groupby(rules, key=lambda rule: rule.topic)
    )
    return "\n".join([_INTRODUCTION, _counts(rules), *topics])


def _counts(rules: list[Rule]) -> str:
    count = Counter((rule.severity, rule.checked) for rule in rules)
    rows = [
        (
            code(severity.value),
            cell(words_of_fields(Severity)[severity.name]),
            *(str(count[severity, checked]) for checked in Checked),
            str(sum(count[severity, checked] for checked in Checked)),
        )
        for severity in Severity
    ]
    headings = ("severity", "meaning", *(f"held against: {checked.value}" for checked in Checked), "all")
    return table(headings, rows)


def _section(topic: str, rules: list[Rule]) -> str:
    heading = topic.replace("_", " ").capitalize()
    return f"## {heading}\n\n{counted(len(rules), 'rule')}, in `{topic}.toml`.\n\n" + table(
        ("rule", "severity", "why, and what to do", "source"), map(_row, rules)
    )


def _row(rule: Rule) -> tuple[str, ...]:
    text = rule.text
    return (
        f"{cell(text.title)}<br>{code(rule.id)}",
        code(rule.severity.value),
        f"{cell(text.sentence)}<br>{cell(text.action)}",
        f"{code(rule.source)}<br>{_held_against(rule)}",
    )


def _held_against(rule: Rule) -> str:
    if rule.checked is Checked.NONE:
        return f"{rule.text.basis.value}, held against nothing yet"
    return f"held against the {rule.checked.value}: {cell(rule.text.checked_against)}"
