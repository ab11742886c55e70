"""What rules forbid and what policies advise, as statements.

Rules this module guarantees:

- A rule rules out by itself only what is sufficient on its own: each alternative of its condition that
  is a single comparison of a biomarker.
- A policy speaks through its situations; an option that no longer holds is left out.

    >>> facts = [fact for fact in rule_statements() if fact.subject == "marker:RAS=mut"]
    >>> [fact.object for fact in facts if fact.relation is Relation.RULES_OUT][:1]
    ['class:anti_egfr_mab']
"""

from collections.abc import Iterator

from oncoproof.knowledge.expressions.expressions import (
    Among,
    Atom,
    Comparison,
    Expression,
    Has,
    Operator,
    Or,
    Word,
    atoms,
)
from oncoproof.knowledge.graph.evidence_statements import action_node
from oncoproof.knowledge.graph.marker_statements import marker_node
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, node_id
from oncoproof.knowledge.graph.treatment_statements import treatment_node
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.options import NO_TREATMENT, Option, Standing, biomarker_of, drugs_of
from oncoproof.knowledge.policies.policy import Policy
from oncoproof.knowledge.rules.rules import Rule, RuleKind, Severity, load_rules
from oncoproof.knowledge.subjects.features import FeaturePart
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis

_PLAN = frozenset({"plan_drugs", "plan_classes"})


def rule_statements() -> Iterator[Statement]:
    """What each rule is about, and which markers alone rule a treatment out."""
    for rule in load_rules().values():
        yield from _of_rule(rule)


def policy_statements() -> Iterator[Statement]:
    """What each policy advises in each situation."""
    for policy in load_policies().values():
        yield from _of_policy(policy)


def option_statement(policy: Policy, disease: str, situation: str, option: Option) -> Statement:
    """What a policy holds of an action in a situation."""
    against = option.standing is Standing.AVOIDED
    condition = f", where {option.when}," if option.when else ""
    return Statement(
        node_id(NodeKind.SITUATION, situation),
        Relation.ADVISES_AGAINST if against else Relation.ADVISES,
        _action(option.action),
        f"{policy.name}: {option.action}{condition} is {option.standing.value} since {option.since.year}. "
        f"{option.reason}",
        option.sources[0],
        option.basis,
        disease,
    )


def _of_rule(rule: Rule) -> Iterator[Statement]:
    sentence = f"{rule.text.title}: {rule.text.sentence}"
    planned = [treatment_node(word) for word in _planned(rule.when)]
    for word in planned:
        yield Statement(
            node_id(NodeKind.RULE, rule.id), Relation.ADVISES_AGAINST, word, sentence, rule.source,
            rule.text.basis,
        )  # fmt: skip
    if rule.severity is Severity.HARD and rule.kind is RuleKind.FORBID:
        for marker in _sufficient(rule.wrong):
            for word in planned:
                yield Statement(marker, Relation.RULES_OUT, word, sentence, rule.source, rule.text.basis)


def _planned(when: Expression) -> Iterator[str]:
    for atom in atoms(when):
        if isinstance(atom, Has) and atom.operand.feature in _PLAN:
            yield from (word.text for word in atom.members)


def _sufficient(wrong: Expression) -> Iterator[str]:
    terms = wrong.terms if isinstance(wrong, Or) else (wrong,)
    for term in terms:
        if isinstance(term, Comparison | Among):
            yield from _markers(term)


def _markers(atom: Atom) -> Iterator[str]:
    feature = load_vocabulary().feature(atom.operand.feature)
    if feature.part is not FeaturePart.BIOMARKER:
        return
    match atom:
        case Comparison(_, Operator.EQUAL, Word(text)):
            yield marker_node(feature.name, text)
        case Among(_, values):
            yield from (marker_node(feature.name, value.text) for value in values if isinstance(value, Word))
        case _:
            return


def _of_policy(policy: Policy) -> Iterator[Statement]:
    for guideline in policy.content.guidelines.values():
        for slug, options in guideline.options.items():
            yield Statement(
                node_id(NodeKind.SITUATION, slug), Relation.PART_OF, node_id(NodeKind.POLICY, policy.slug),
                f"{policy.name} speaks of {slug.replace('_', ' ')}.",
                policy.sources[0], _basis(options), guideline.disease,
            )  # fmt: skip
            for option in options:
                if option.until is None:
                    yield option_statement(policy, guideline.disease, slug, option)


def _basis(options: tuple[Option, ...]) -> Basis:
    return options[0].basis if options else Basis.RECALLED


def _action(action: str) -> str:
    biomarker = biomarker_of(action)
    if biomarker is not None:
        return node_id(NodeKind.BIOMARKER, biomarker)
    drugs = drugs_of(action)
    if action == NO_TREATMENT or "@" in action:
        return node_id(NodeKind.REGIMEN, action)
    return action_node(drugs)
