"""The safety rules: what a careful oncology pharmacist would not let pass.

The rules stand in `data/safety_rules/`, one file per topic, in words a clinician can read; their
conditions are written in the closed language of `expressions`.

Rules this module guarantees:

- Every condition is parsed and checked against the vocabulary when the rules are loaded.
- A rule says to which plans it applies (`when`) and what is wrong with them; what is wrong may be
  settled (`unless`) by a lower dose, a preventive drug or a test.
- A rule carries three examples: a subject that breaks it, a change that keeps it, and the features
  without which nobody can tell. A rule that only asks whether something is known may lack the third.
- It names its source, how we know it, and what it was checked against, if anything.

    >>> rule = load_rules()["pemetrexed_crcl_below_45"]
    >>> rule.severity.value, str(rule.wrong)
    ('hard', "crcl_ml_min < 45 'mL/min'")
    >>> rule.checked.value, rule.source
    ('label', 'label:pemetrexed')
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import FormatError, IntegrityError
from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import Expression, Known, Not, atoms, conjunction, names
from oncoproof.knowledge.subjects.features import Vocabulary
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, build, list_files, parse_toml, read_text

_FOLDER = "safety_rules"

_ALWAYS_STATED = frozenset({"plan_drugs", "plan_classes"})
"""What every plan states, so that it is never the missing part."""


class Severity(StrEnum):
    """How much a breach weighs."""

    HARD = "hard"
    """Contraindicated, futile, or impossible: it must not stand."""
    ADJUST = "adjust"
    """To be changed, or to be justified."""
    MONITOR = "monitor"
    """To be watched or looked into."""


class RuleKind(StrEnum):
    """What a rule asks for."""

    FORBID = "forbid"
    """Not to be done while the condition holds."""
    ADJUST = "adjust"
    """To be done otherwise while the condition holds."""
    MONITOR = "monitor"
    """To be watched while the condition holds."""
    REQUIRE_TEST = "require_test"
    """Not to be done before the condition holds."""


class Checked(StrEnum):
    """Against what the rule was held."""

    LABEL = "label"
    """Prescribing information that was read, or a copy of it."""
    PAPER = "paper"
    """A publication, or a careful summary of one, that was read."""
    NONE = "none"
    """Nothing yet: it stands as recalled."""


@dataclass(frozen=True, slots=True)
class RuleText:
    """One rule as its file writes it."""

    title: str
    """The rule in a line."""
    sentence: str
    """Why, in plain words."""
    when: str
    """To which plans it applies."""
    severity: Severity
    """How much a breach weighs."""
    action: str
    """What to do instead, in words."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know it."""
    checked: Checked
    """Against what it was held."""
    fires: Mapping[str, Any]
    """A subject that breaks it."""
    passes: Mapping[str, Any]
    """What to change in that subject so that it keeps the rule."""
    unknown: str = ""
    """Features, by spaces, without which that subject cannot be assessed; empty = none can be missing."""
    forbid: str = ""
    """What must not be so; one of the four kinds is given."""
    adjust: str = ""
    """What asks for another dose or drug."""
    monitor: str = ""
    """What asks for watching."""
    require_test: str = ""
    """What must be known or done first."""
    unless: str = ""
    """What settles it; empty = nothing does."""
    checked_against: str = ""
    """What was read, in words; empty = nothing."""
    dose_factor: float | None = None
    """Highest share of the standard starting dose; None = the rule is not about dose."""
    alternatives: tuple[str, ...] = ()
    """Drugs that are usual instead."""
    tests: tuple[str, ...] = ()
    """Tests to do first or to follow."""
    harms: tuple[str, ...] = ()
    """What may happen, as CTCAE version 5 terms."""
    fact: int | None = None
    """Number of the rule in the fact sheet this base grew from; None = added here."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, its conditions parsed."""

    id: str
    """Name, unique over all files."""
    topic: str
    """File it stands in."""
    kind: RuleKind
    """What it asks for."""
    when: Expression
    """To which plans it applies."""
    wrong: Expression
    """What is wrong with them (for a required test: that it is missing)."""
    unless: Expression | None
    """What settles it; None = nothing does."""
    text: RuleText = field(repr=False)
    """The rule as its file writes it."""

    @property
    def severity(self) -> Severity:
        """How much a breach weighs."""
        return self.text.severity

    @property
    def source(self) -> str:
        """Id of an entry of `sources.csv`."""
        return self.text.source

    @property
    def checked(self) -> Checked:
        """Against what the rule was held."""
        return self.text.checked

    @property
    def breach(self) -> Expression:
        """The whole condition: true where the rule is broken."""
        parts = (self.when, self.wrong)
        return conjunction(*parts) if self.unless is None else conjunction(*parts, Not(self.unless))

    @property
    def reads(self) -> frozenset[str]:
        """The features it reads."""
        return names(self.breach)

    @property
    def can_be_unknown(self) -> bool:
        """Whether anything but the plan itself and `known(…)` decides it."""
        return any(
            not isinstance(atom, Known) and atom.operand.feature not in _ALWAYS_STATED
            for atom in atoms(self.wrong)
        )


@cache
def load_rules() -> Mapping[str, Rule]:
    """Every safety rule, by id, in the order of the files."""
    rules: dict[str, Rule] = {}
    for name in list_files(_FOLDER, ".toml"):
        for rule in parse_rules(read_text(name), where=name, vocabulary=load_vocabulary()):
            if rule.id in rules:
                raise IntegrityError(
                    where=name,
                    came=f"{rule.id!r}, which {rules[rule.id].topic} has too",
                    expected="each id once",
                    remedy="rename one of the rules",
                )
            rules[rule.id] = rule
    return MappingProxyType(rules)


def parse_rules(text: str, *, where: str, vocabulary: Vocabulary) -> tuple[Rule, ...]:
    """The rules of one file.

    Args:
        text: The file.
        where: Its name, for errors.
        vocabulary: What the rules may speak about.
    """
    topic = where.rpartition("/")[2].removesuffix(".toml")
    tables = parse_toml(text, _FOLDER, where=where)
    return tuple(
        _parse_rule(id_, topic, build(RuleText, table, where=f"{where} {id_}"), vocabulary)
        for id_, table in tables.items()
    )


def _parse_rule(id_: str, topic: str, text: RuleText, vocabulary: Vocabulary) -> Rule:
    where = f"{topic} {id_}"
    given = [kind for kind in RuleKind if getattr(text, kind.value)]
    if len(given) != 1:
        raise FormatError(
            where=where,
            came=", ".join(given) or "no condition",
            expected=f"exactly one of {', '.join(RuleKind)}",
            remedy="write one condition",
        )
    kind = given[0]
    condition = parse_expression(getattr(text, kind.value), vocabulary, where=f"{where} {kind.value}")
    settled = parse_expression(text.unless, vocabulary, where=f"{where} unless") if text.unless else None
    return Rule(
        id=id_,
        topic=topic,
        kind=kind,
        when=parse_expression(text.when, vocabulary, where=f"{where} when"),
        wrong=Not(condition) if kind is RuleKind.REQUIRE_TEST else condition,
        unless=settled,
        text=text,
    )
