"""Checks of a plan against the interaction table: other medicines, and the drugs of the plan itself.

Rules this module guarantees:

- A row for which a safety rule already speaks (all its drugs, the same partner) is not asked twice.
- Contraindicated weighs hard, avoid and adjust weigh adjust, monitor weighs monitor; a lower dose that
  the row names settles it.

    >>> checks = {check.id: check for check in list_interaction_checks()}
    >>> str(checks["interaction:brigatinib:strong_cyp3a4_inhibitor"].when)
    'plan_drugs has brigatinib'
    >>> str(checks["interaction:brigatinib:strong_cyp3a4_inhibitor"].unless)
    'dose(brigatinib) <= 0.51'
    >>> "interaction:ribociclib:strong_cyp3a4_inhibitor" in checks  # a safety rule asks it
    False
"""

from collections.abc import Iterator
from functools import cache

from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import Expression, Has, atoms
from oncoproof.knowledge.medicines.comedications import comedication_groups, load_comedications
from oncoproof.knowledge.medicines.drugs import classes_of, load_drugs
from oncoproof.knowledge.medicines.interactions import Interaction, interaction_groups, load_interactions
from oncoproof.knowledge.medicines.interactions import Severity as Weight
from oncoproof.knowledge.rules.checks import Check, CheckGroup
from oncoproof.knowledge.rules.rules import Severity, load_rules
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

_SEVERITIES = {
    Weight.CONTRAINDICATED: Severity.HARD,
    Weight.AVOID: Severity.ADJUST,
    Weight.ADJUST: Severity.ADJUST,
    Weight.MONITOR: Severity.MONITOR,
}

_ACTIONS = {
    Weight.CONTRAINDICATED: "Never together: change one of them.",
    Weight.AVOID: "Choose something else unless nothing else is there.",
    Weight.ADJUST: "Change dose or timing.",
    Weight.MONITOR: "Watch more closely.",
}


def list_interaction_checks() -> Iterator[Check]:
    """A check for each row of the table, in its order."""
    seen: dict[str, int] = {}
    for row in load_interactions():
        if _is_ruled(row):
            continue
        base = f"interaction:{row.treatment}:{row.partner}"
        seen[base] = seen.get(base, 0) + 1
        yield _check(row, base if seen[base] == 1 else f"{base}:{seen[base]}")


def _check(row: Interaction, id_: str) -> Check:
    treatment, partner = _words(row.treatment), _words(row.partner)
    return Check(
        id=id_,
        group=CheckGroup.INTERACTION,
        severity=_SEVERITIES[row.severity],
        title=f"{treatment} with {partner}",
        sentence=f"{treatment} with {partner}: {row.effect}.",
        action=_ACTIONS[row.severity],
        source=row.source,
        basis=row.basis,
        when=_given(row.treatment),
        breach=_partner(row),
        unless=_settled(row),
    )


def _words(slug: str) -> str:
    return slug.replace("_", " ")


def _parsed(text: str) -> Expression:
    return parse_expression(text, load_vocabulary(), where="interactions.csv")


def _given(treatment: str) -> Expression:
    feature = "plan_drugs" if treatment in load_drugs() else "plan_classes"
    return _parsed(f"{feature} has {treatment}")


def _partner(row: Interaction) -> Expression:
    """The partner among other medicines, or among the other drugs of the plan."""
    parts: list[str] = []
    if row.partner in load_comedications():
        parts.append(f"comedications has {row.partner}")
    if row.partner in comedication_groups():
        parts.append(f"comedication_groups has {row.partner}")
    drugs = [drug for drug in load_drugs() if row.partner in interaction_groups(drug)]
    pairs = [
        f"plan_drugs has all [{own}, {drug}]"
        for drug in drugs
        for own in _drugs_of(row.treatment)
        if own != drug
    ]
    if not _drugs_of(row.treatment) & set(drugs) and drugs:
        pairs = [f"plan_drugs has any [{', '.join(drugs)}]"]
    return _parsed(" or ".join((*parts, *pairs)))


def _settled(row: Interaction) -> Expression | None:
    if row.dose_factor is None or row.treatment not in load_drugs():
        return None
    if row.dose_factor > 1:
        return _parsed(f"dose({row.treatment}) >= {row.dose_factor}")
    return _parsed(f"dose({row.treatment}) <= {row.dose_factor + 0.01:.3f}")


@cache
def _drugs_of(word: str) -> frozenset[str]:
    """The drugs a drug, class or umbrella stands for."""
    return frozenset(drug for drug in load_drugs() if word == drug or word in classes_of(drug))


def _is_ruled(row: Interaction) -> bool:
    return any(
        _drugs_of(row.treatment) <= treatments and row.partner in partners
        for treatments, partners in _ruled_pairs()
    )


@cache
def _ruled_pairs() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    """For each safety rule: the drugs it speaks of, and what it does not want with them."""
    pairs: list[tuple[frozenset[str], frozenset[str]]] = []
    for rule in load_rules().values():
        treatments = _members(rule.when, {"plan_drugs", "plan_classes"})
        partners = _members(
            rule.wrong, {"plan_drugs", "plan_classes", "comedications", "comedication_groups"}
        )
        drugs = frozenset(drug for word in treatments for drug in _drugs_of(word))
        pairs.append((drugs, partners))
    return tuple(pairs)


def _members(expression: Expression, features: set[str]) -> frozenset[str]:
    return frozenset(
        word.text
        for atom in atoms(expression)
        if isinstance(atom, Has) and atom.operand.feature in features
        for word in atom.members
    )
