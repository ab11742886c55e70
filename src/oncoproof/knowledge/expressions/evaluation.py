"""What an expression says of many subjects at once.

Rules this module guarantees:

- Three-valued (Kleene): a condition on something that is not known is itself not known, unless the
  rest of the sentence settles it. A member that is present counts even if the set is not complete.
- A comparison of a group stands for all its values: `EGFR == mut` is any value but `wt`.
- An `Evaluator` works each distinct atom out once, however many rules share it.

    >>> from oncoproof.knowledge.expressions.parser import parse
    >>> from oncoproof.knowledge.subjects.subjects import Subjects
    >>> subjects = Subjects.of_rows([{"EGFR": "l858r"}, {"EGFR": "wt"}, {"ecog": 1}])
    >>> truth = evaluate(parse("EGFR == mut"), subjects)
    >>> truth.true.tolist(), truth.known.tolist()
    ([True, False, False], [True, True, False])
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

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
    Number,
    Operand,
    Operator,
    Or,
    Quantifier,
    Within,
    Word,
)
from oncoproof.knowledge.expressions.truths import Truth
from oncoproof.knowledge.subjects.subject_columns import (
    CategoryColumn,
    FlagColumn,
    Mask,
    NumberColumn,
    NumbersColumn,
    SetColumn,
)
from oncoproof.knowledge.subjects.subjects import Subjects

_ORDERS = {
    Operator.EQUAL: np.equal,
    Operator.UNEQUAL: np.not_equal,
    Operator.BELOW: np.less,
    Operator.AT_MOST: np.less_equal,
    Operator.ABOVE: np.greater,
    Operator.AT_LEAST: np.greater_equal,
}


def evaluate(expression: Expression, subjects: Subjects) -> Truth:
    """What an expression says of each subject."""
    return Evaluator(subjects).truth(expression)


class Evaluator:
    """Evaluates many expressions over the same subjects."""

    def __init__(self, subjects: Subjects) -> None:
        self.subjects = subjects
        """The subjects asked about."""
        self._found: dict[Atom, Truth] = {}

    def truth(self, expression: Expression) -> Truth:
        """What the expression says of each subject."""
        match expression:
            case And(terms):
                return self._all(terms)
            case Or(terms):
                return self._any(self.truth(term) for term in terms)
            case Not(term):
                return ~self.truth(term)
            case _:
                found = self._found.get(expression)
                if found is None:
                    found = self._found[expression] = self._work_out(expression)
                return found

    def _work_out(self, atom: Atom) -> Truth:
        match atom:
            case Has():
                return self._membership(atom)
            case Known(operand):
                return Truth.of(self._known(operand))
            case Flag(operand):
                return self._flag(operand)
            case Comparison(operand, operator, right):
                return self._comparison(operand, operator, right)
            case Among(operand, values):
                return self._any(self._comparison(operand, Operator.EQUAL, value) for value in values)
            case Within(operand, low, high):
                values = self._numbers(operand)
                return Truth.of((values >= low.value) & (values <= high.value), ~np.isnan(values))

    def _all(self, terms: Iterable[Expression]) -> Truth:
        result: Truth | None = None
        for term in terms:
            truth = self.truth(term)
            result = truth if result is None else result & truth
            if result.false.all():
                break
        assert result is not None  # noqa: S101  the parser makes no empty conjunction
        return result

    @staticmethod
    def _any(truths: Iterable[Truth]) -> Truth:
        first, *others = truths
        for other in others:
            first = first | other
        return first

    def _membership(self, expression: Has) -> Truth:
        column = self.subjects.column(expression.operand.feature)
        assert isinstance(column, SetColumn)  # noqa: S101  expressions are checked when they are read
        truths = [self._member(column, word.text) for word in expression.members]
        if expression.quantifier is Quantifier.ALL:
            return ~self._any(~truth for truth in truths)
        return self._any(truths)

    @staticmethod
    def _member(column: SetColumn, name: str) -> Truth:
        present = column.members.get(name)
        if present is None:
            return Truth(np.zeros(len(column.known), dtype=np.bool_), column.known)
        return Truth(present, ~present & column.known)

    def _flag(self, operand: Operand) -> Truth:
        column = self.subjects.column(operand.feature)
        assert isinstance(column, FlagColumn)  # noqa: S101  expressions are checked when they are read
        return Truth.of(column.raised, column.known)

    def _known(self, operand: Operand) -> Mask:
        if isinstance(operand, Lookup):
            return ~np.isnan(self._numbers(operand))
        return self.subjects.column(operand.feature).known

    def _comparison(self, operand: Operand, operator: Operator, right: Number | Word) -> Truth:
        column = self.subjects.column(operand.feature)
        if isinstance(column, CategoryColumn):
            return self._category(column, operand.feature, operator, str(getattr(right, "text", "")))
        left = self._numbers(operand)
        other = right.value if isinstance(right, Number) else self._other(right)
        return Truth.of(_ORDERS[operator](left, other), ~(np.isnan(left) | np.isnan(other)))

    def _category(self, column: CategoryColumn, feature: str, operator: Operator, word: str) -> Truth:
        values = self.subjects.vocabulary.feature(feature).expand(word)
        codes = [column.values.index(value) for value in values]
        equal = column.codes == codes[0]
        for code in codes[1:]:
            equal |= column.codes == code
        truth = Truth(equal, ~equal & column.known)
        return truth if operator is Operator.EQUAL else ~truth

    def _other(self, right: Word) -> NDArray[np.float64]:
        column = self.subjects.column(right.text)
        assert isinstance(column, NumberColumn)  # noqa: S101  expressions are checked when they are read
        return column.values

    def _numbers(self, operand: Operand) -> NDArray[np.float64]:
        column = self.subjects.column(operand.feature)
        if isinstance(column, NumberColumn):
            return column.values
        assert isinstance(column, NumbersColumn)  # noqa: S101  expressions are checked when they are read
        assert isinstance(operand, Lookup)  # noqa: S101  expressions are checked when they are read
        return column.by_member.get(operand.member, np.full(self.subjects.rows, np.nan))
