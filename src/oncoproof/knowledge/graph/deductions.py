"""What follows from the values that are known, by what the keys mean.

Rules this module guarantees:

- Marker constraints are applied forwards and backwards until nothing more follows: a KRAS mutation makes
  RAS mutated, as wild-type RAS would leave no room for it.
- Each deduction is kept as a statement, so that an answer can show it.
- Values that cannot stand together are refused, with the constraint that says so.

    >>> possible = {"KRAS": frozenset({"g12c"})}
    >>> [str(fact) for fact in deduce(possible, "crc").values()]
    ['Wild-type extended RAS leaves no room for a KRAS mutation. [project:keys, assumed]']
    >>> possible["RAS"]
    frozenset({'mut'})
"""

from collections.abc import Mapping
from typing import NamedTuple

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.marker_constraints import MarkerConstraint, load_marker_constraints
from oncoproof.knowledge.graph.facts import holds, values_left
from oncoproof.knowledge.graph.marker_statements import marker_of
from oncoproof.knowledge.graph.statements import Relation, Statement
from oncoproof.knowledge.medicines.conditions import parse_condition


class _Narrowing(NamedTuple):
    """What a constraint says of one key because of another."""

    cause: str
    """The key it follows from."""
    key: str
    """The key narrowed."""
    values: frozenset[str]
    """The plain values left."""


def deduce(possible: dict[str, frozenset[str]], disease: str) -> dict[str, Statement]:
    """Narrow the values until nothing more follows, and say how for each biomarker.

    Args:
        possible: The plain values each biomarker may still have; narrowed in place.
        disease: Disease slug.

    Raises:
        InputError: The values contradict one another.
    """
    deduced: dict[str, Statement] = {}
    rules = [rule for rule in load_marker_constraints() if rule.applies_to(disease)]
    goes_on = True
    while goes_on:
        goes_on = False
        for rule in rules:
            found = _narrow(rule, possible, disease)
            if found is not None:
                begin = marker_of(found.cause, possible[found.cause])
                possible[found.key] = found.values
                end = marker_of(found.key, found.values)
                deduced[found.key] = Statement(
                    begin, Relation.IMPLIES, end, rule.sentence, rule.source, rule.basis, disease
                )
                goes_on = True
    return deduced


def _narrow(
    rule: MarkerConstraint, possible: Mapping[str, frozenset[str]], disease: str
) -> _Narrowing | None:
    """What one constraint takes away; None = nothing."""
    whens = [parse_condition(part) for part in rule.when.split(";")]
    thens = [parse_condition(part) for part in rule.then.split(";")]
    now = {part: holds(possible, part, disease) for part in (*whens, *thens)}
    open_thens = [part for part in thens if now[part] is not False]
    open_whens = [part for part in whens if now[part] is not True]
    if not open_whens and not open_thens:
        raise _contradiction(rule, possible)
    if not open_whens and len(open_thens) == 1 and now[open_thens[0]] is None:
        target = open_thens[0]
        kept = values_left(possible, target.key, disease) & target.plain_values()
        return _Narrowing(whens[0].key, target.key, kept)
    if not open_thens and len(open_whens) == 1 and now[open_whens[0]] is None:
        target = open_whens[0]
        kept = values_left(possible, target.key, disease) - target.plain_values()
        return _Narrowing(thens[0].key, target.key, kept)
    return None


def _contradiction(rule: MarkerConstraint, possible: Mapping[str, frozenset[str]]) -> InputError:
    said = [f"{key} {'|'.join(sorted(possible[key]))}" for key in rule.keys if key in possible]
    return InputError(
        came=" with ".join(said),
        expected=f"values that can stand together: {rule.sentence}",
        remedy="correct one of them, or leave it out",
    )
