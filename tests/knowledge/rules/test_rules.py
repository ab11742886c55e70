"""The safety rules: each breaks, keeps and cannot tell as its examples say; broken files are refused."""

from collections import Counter

import pytest

from oncoproof.errors import FormatError
from oncoproof.knowledge.expressions.evaluation import evaluate
from oncoproof.knowledge.medicines.toxicity import load_terms
from oncoproof.knowledge.rules.rules import Checked, Rule, RuleKind, Severity, load_rules, parse_rules
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis

RULES = list(load_rules().values())
FACTS = 30
"""How many rules the fact sheet has."""

OTHER_TERMS = {
    "Acidosis", "Anaphylaxis", "Atrioventricular block complete", "Autoimmune disorder",
    "Bronchopulmonary hemorrhage", "Chest pain - cardiac", "Death NOS", "Dehydration",
    "Gastrointestinal fistula", "Guillain-Barre syndrome", "Hemolysis", "Hepatic failure",
    "Hepatitis B reactivation", "INR increased", "Ileus", "Immune system disorders - Other, specify",
    "Intracranial hemorrhage", "Lower gastrointestinal hemorrhage", "Myocardial infarction",
    "Nephrotic syndrome", "Retinal vascular disorder", "Reversible posterior leukoencephalopathy syndrome",
    "Rhabdomyolysis", "Sepsis", "Stevens-Johnson syndrome", "Stroke", "Tinnitus",
    "Toxic epidermal necrolysis", "Treatment related secondary malignancy", "Ventricular arrhythmia",
    "Wound dehiscence",
}  # fmt: skip
"""Terms of CTCAE version 5 for which no frequency is on record."""


def _name(rule: Rule) -> str:
    return rule.id


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_each_rule_fires_passes_and_cannot_tell(rule: Rule) -> None:
    fires = dict(rule.text.fires)
    passes = {**fires, **rule.text.passes}
    without = {name: cell for name, cell in fires.items() if name not in rule.text.unknown.split()}
    truth = evaluate(rule.breach, Subjects.of_rows([fires, passes, without]))
    assert truth.true[0], "the example does not break the rule"
    assert truth.false[1], "the changed example does not keep the rule"
    assert passes != fires
    if rule.text.unknown:
        assert len(without) < len(fires)
        assert not truth.known[2], "the rule is settled without what it needs"
    else:
        assert not rule.can_be_unknown, "say which feature the rule cannot do without"


@pytest.mark.parametrize("rule", RULES, ids=_name)
def test_each_rule_is_complete(rule: Rule) -> None:
    text = rule.text
    assert text.source in load_sources()
    assert text.title
    assert not text.title.endswith(".")
    assert text.sentence.endswith(".")
    assert text.action.endswith(".")
    assert (text.checked is Checked.NONE) is (not text.checked_against)
    if text.basis is Basis.READ:
        assert text.checked is not Checked.NONE, "what was read was checked against what was read"
    assert set(text.harms) <= {term.term for term in load_terms().values()} | OTHER_TERMS
    assert set(text.tests) <= set(load_vocabulary().feature("tests_done").values)
    assert set(text.alternatives) <= set(load_vocabulary().feature("plan_drugs").values)
    if text.dose_factor is not None:
        assert 0 < text.dose_factor <= 1
        assert "dose" in rule.reads
    if rule.kind is RuleKind.FORBID:
        assert rule.severity is Severity.HARD


def test_the_thirty_rules_of_the_fact_sheet_are_all_there() -> None:
    assert {rule.text.fact for rule in RULES} - {None} == set(range(1, FACTS + 1))


def test_titles_and_ids_are_unique() -> None:
    assert [title for title, count in Counter(rule.text.title for rule in RULES).items() if count > 1] == []
    assert len(RULES) == len(load_rules())


def test_hard_rules_are_many_and_some_are_checked_against_the_label() -> None:
    hard = [rule for rule in RULES if rule.severity is Severity.HARD]
    checked = [rule for rule in hard if rule.checked is not Checked.NONE]
    assert len(RULES) >= 90
    assert len(checked) >= len(hard) // 3


GOOD = """format = "oncoproof.knowledge.safety_rules/1"
[a_rule]
title = "A rule"
sentence = "It says why."
when = "plan_drugs has cetuximab"
forbid = "RAS == mut"
severity = "hard"
action = "Do something else."
source = "project:assumptions"
basis = "assumed"
checked = "none"
fires = { RAS = "mut" }
passes = { RAS = "wt" }
"""


def test_a_good_file_is_read() -> None:
    rule = parse_rules(GOOD, where="safety_rules/good.toml", vocabulary=load_vocabulary())[0]
    assert (rule.id, rule.topic, rule.kind) == ("a_rule", "good", RuleKind.FORBID)
    assert str(rule.breach) == "plan_drugs has cetuximab and RAS == mut"


@pytest.mark.parametrize(
    ("old", "new", "place", "came"),
    [
        ("safety_rules/1", "safety_rules/2", "", "safety_rules/2"),
        ('severity = "hard"', 'severity = "fatal"', "severity", "fatal"),
        ('severity = "hard"', "", "a_rule", "severity"),
        ('forbid = "RAS == mut"', "", "a_rule", "no condition"),
        ('forbid = "RAS == mut"', 'forbid = "RAS == mut"\nadjust = "RAS == wt"', "a_rule", "forbid, adjust"),
        ("RAS == mut", "RAS == maybe", "a_rule forbid column 8", "'maybe'"),
        ("RAS == mut", "RAS = mut", "a_rule forbid column 5", "'='"),
        ("has cetuximab", "has aspirin", "a_rule when column 16", "'aspirin'"),
        ('basis = "assumed"', 'basis = "assumed"\ncolour = "red"', "a_rule", "colour"),
        ('fires = { RAS = "mut" }', "fires = ", "", "Invalid value"),
    ],
)
def test_a_broken_file_is_refused_where_it_is_broken(old: str, new: str, place: str, came: str) -> None:
    text = GOOD.replace(old, new)
    assert text != GOOD
    with pytest.raises(FormatError) as caught:
        parse_rules(text, where="safety_rules/bad.toml", vocabulary=load_vocabulary())
    assert place in caught.value.where
    assert came in caught.value.came
