"""Why an expression holds of a subject, and what is missing where nobody can tell: in words.

Rules this module guarantees:

- An explanation names exactly the atoms that decide the sentence: all that an `and` needs, and of an
  `or` those that hold.
- What is missing are the features of those atoms alone that leave the sentence open.

    >>> from oncoproof.knowledge.expressions.parser import parse
    >>> subjects = Subjects.of_rows([{"crcl_ml_min": 38, "plan_drugs": ["pemetrexed"]}])
    >>> explain(parse("plan_drugs has pemetrexed and (crcl_ml_min < 45 or anc < 1.5)"), subjects)
    ('the plan includes pemetrexed', 'creatinine clearance: 38 mL/min, below 45')
    >>> missing_features(parse("crcl_ml_min < 30 or anc < 1.5"), subjects)
    ('anc',)
"""

from collections.abc import Iterator
from typing import cast

from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.expressions.expressions import (
    Among,
    And,
    Atom,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Not,
    Operator,
    Or,
    Within,
)
from oncoproof.knowledge.subjects.features import Feature
from oncoproof.knowledge.subjects.subjects import Subjects

_SPOKEN = {
    Operator.BELOW: "below",
    Operator.AT_MOST: "at most",
    Operator.ABOVE: "above",
    Operator.AT_LEAST: "at least",
    Operator.UNEQUAL: "other than",
}


def explain(expression: Expression, subjects: Subjects, *, row: int = 0) -> tuple[str, ...]:
    """The atoms that make an expression true of a subject, or false where it is false; empty = unknown."""
    teller = _Teller(subjects.take(row))
    return tuple(dict.fromkeys(teller.reasons(expression)))


def missing_features(expression: Expression, subjects: Subjects, *, row: int = 0) -> tuple[str, ...]:
    """The features that would have to be known to settle an expression; empty = it is settled."""
    teller = _Teller(subjects.take(row))
    return tuple(dict.fromkeys(teller.gaps(expression)))


class _Teller:
    """Puts one subject into words."""

    def __init__(self, subject: Subjects) -> None:
        self._subject = subject
        self._evaluator = Evaluator(subject)
        self._row = subject.row(0)

    def reasons(self, expression: Expression) -> Iterator[str]:
        truth = self._evaluator.truth(expression)
        if not truth.known[0]:
            return
        match expression:
            case Not(term):
                yield from self.reasons(term)
            case And(terms) | Or(terms):
                for term in terms:
                    inner = self._evaluator.truth(term)
                    if inner.known[0] and inner.true[0] == truth.true[0]:
                        yield from self.reasons(term)
            case _:
                yield self._say(expression, holds=bool(truth.true[0]))

    def gaps(self, expression: Expression) -> Iterator[str]:
        if self._evaluator.truth(expression).known[0]:
            return
        match expression:
            case Not(term):
                yield from self.gaps(term)
            case And(terms) | Or(terms):
                for term in terms:
                    yield from self.gaps(term)
            case _:
                yield str(expression.operand)

    def _say(self, atom: Atom, *, holds: bool) -> str:
        feature = self._subject.vocabulary.feature(atom.operand.feature)
        match atom:
            case Has(_, _, members):
                return self._say_members(feature, [word.text for word in members], holds=holds)
            case Known():
                return f"{feature.spoken} is {'known' if holds else 'not known'}"
            case Flag():
                return feature.spoken if holds else f"no {feature.spoken}"
            case Comparison() | Among() | Within():
                return self._say_value(feature, atom, holds=holds)

    def _say_members(self, feature: Feature, members: list[str], *, holds: bool) -> str:
        cell = self._row.get(feature.name)
        present = [name for name in members if isinstance(cell, tuple) and name in cell]
        if holds:
            return f"{feature.spoken} includes {', '.join(present)}"
        return (
            f"{feature.spoken} does not include {', '.join(name for name in members if name not in present)}"
        )

    def _say_value(self, feature: Feature, atom: Comparison | Among | Within, *, holds: bool) -> str:
        cell = self._row.get(feature.name)
        if isinstance(atom.operand, Lookup) and isinstance(cell, dict):
            cell = cast("dict[str, float]", cell).get(atom.operand.member)
        if not isinstance(cell, float):
            return f"{feature.spoken} is {cell}"
        name = (
            f"{feature.spoken} of {atom.operand.member}"
            if isinstance(atom.operand, Lookup)
            else feature.spoken
        )
        said = f"{name}: {cell:g}{_unit(feature)}"
        if isinstance(atom, Comparison) and holds and atom.operator is not Operator.EQUAL:
            limit = getattr(atom.right, "value", None)
            other = str(atom.right) if limit is None else f"{limit:g}"
            return f"{said}, {_SPOKEN[atom.operator]} {other}"
        return said


def _unit(feature: Feature) -> str:
    return "" if feature.unit in {"", "1"} or feature.unit.startswith("{") else f" {feature.unit}"
