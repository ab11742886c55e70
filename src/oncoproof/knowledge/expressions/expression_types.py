"""Whether a sentence makes sense: every name, value and unit is checked before a rule is used.

Rules this module guarantees:

- A checked expression reads only features of the vocabulary, compares numbers with numbers of the
  same unit and categories with their own values, and asks sets only for their own members.
- What does not make sense is a `FormatError` with the column of the word that is wrong.

    >>> from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
    >>> from oncoproof.knowledge.expressions.parser import parse
    >>> check(parse("crcl_ml_min < 45 'mL/min'"), load_vocabulary())
    >>> check(parse("ecog < good"), load_vocabulary())
    Traceback (most recent call last):
    ...
    oncoproof.errors.FormatError: column 8: came: 'good'; expected: a number or the name of one; try: ...
"""

from oncoproof.errors import FormatError
from oncoproof.knowledge.expressions.expressions import (
    Among,
    Atom,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Operand,
    Operator,
    Within,
    Word,
    atoms,
)
from oncoproof.knowledge.expressions.expressions import Number as Literal
from oncoproof.knowledge.expressions.parser import parse
from oncoproof.knowledge.subjects.features import Feature, FeatureKind, Vocabulary

_EQUALITIES = frozenset({Operator.EQUAL, Operator.UNEQUAL})


def parse_expression(text: str, vocabulary: Vocabulary, *, where: str = "") -> Expression:
    """The tree of an expression that makes sense in a vocabulary.

    Args:
        text: What a rule says.
        vocabulary: What it may speak about.
        where: Names the rule in errors.
    """
    expression = parse(text, where=where)
    check(expression, vocabulary, where=where)
    return expression


def check(expression: Expression, vocabulary: Vocabulary, *, where: str = "") -> None:
    """Refuse an expression that does not make sense in a vocabulary."""
    for atom in atoms(expression):
        _Checker(vocabulary, where).atom(atom)


class _Checker:
    """Checks the atoms of one expression."""

    def __init__(self, vocabulary: Vocabulary, where: str) -> None:
        self._vocabulary = vocabulary
        self._where = where

    def atom(self, atom: Atom) -> None:
        feature = self._feature(atom.operand)
        match atom:
            case Known():
                pass
            case Flag():
                self._require(feature, FeatureKind.FLAG, atom.operand.column, "compare it: ==, <, in, has")
            case Has(_, _, members):
                self._require(feature, FeatureKind.SET, atom.operand.column, "use == or in for it")
                self._words(feature, members)
            case Comparison(_, operator, right):
                self._comparison(feature, operator, right, atom.operand)
            case Among(_, values):
                for value in values:
                    self._comparison(feature, Operator.EQUAL, value, atom.operand)
            case Within(_, low, high):
                self._range(feature, low, high, atom.operand)

    def _feature(self, operand: Operand) -> Feature:
        try:
            feature = self._vocabulary.feature(operand.feature)
        except FormatError as error:
            raise self._error(operand.column, error.came, error.expected, error.remedy) from error
        by_member = feature.kind is FeatureKind.NUMBERS
        if by_member is not isinstance(operand, Lookup):
            wanted = f"{feature.name}(member)" if by_member else feature.name
            raise self._error(operand.column, repr(str(operand)), wanted, "name whose number is meant")
        if isinstance(operand, Lookup) and operand.member not in feature.values:
            raise self._error(
                operand.column, repr(operand.member), f"a member of {feature.name}", "correct the name"
            )
        return feature

    def _comparison(self, feature: Feature, operator: Operator, right: Literal | Word, left: Operand) -> None:
        if feature.kind is FeatureKind.CATEGORY:
            self._category(feature, operator, right)
        elif feature.kind not in {FeatureKind.NUMBER, FeatureKind.NUMBERS}:
            expected = f"{feature.name} as a {feature.kind.value}"
            raise self._error(left.column, "a comparison", expected, "write its name alone, or has")
        elif isinstance(right, Word):
            self._other_feature(feature, operator, right)
        else:
            self._unit(feature, right)

    def _category(self, feature: Feature, operator: Operator, right: Literal | Word) -> None:
        if operator not in _EQUALITIES or not isinstance(right, Word):
            raise self._error(
                right.column,
                f"{operator.value} {right}",
                f"== or != with a value of {feature.name}",
                f"choose from {', '.join(feature.values)}",
            )
        self._words(feature, (right,))

    def _words(self, feature: Feature, words: tuple[Word, ...]) -> None:
        for word in words:
            if not feature.expand(word.text):
                known = (*feature.groups, *feature.values)
                shown = ", ".join(known[:12]) + (", …" if len(known) > 12 else "")
                raise self._error(
                    word.column, repr(word.text), f"a value of {feature.name}", f"choose from {shown}"
                )

    def _other_feature(self, feature: Feature, operator: Operator, right: Word) -> None:
        other = self._vocabulary.features.get(right.text)
        if other is None or other.kind is not FeatureKind.NUMBER or operator in _EQUALITIES:
            raise self._error(
                right.column, repr(right.text), "a number or the name of one", "write a number after it"
            )
        if other.unit != feature.unit:
            raise self._error(
                right.column,
                f"{right.text} in {other.unit!r}",
                f"the unit {feature.unit!r}",
                "compare features of one unit",
            )

    def _unit(self, feature: Feature, right: Literal) -> None:
        if right.unit and right.unit != feature.unit:
            raise self._error(
                right.column, f"unit {right.unit!r}", f"unit {feature.unit!r}", "convert the number"
            )

    def _range(self, feature: Feature, low: Literal, high: Literal, left: Operand) -> None:
        if low.value > high.value:
            raise self._error(low.column, f"{low}..{high}", "a range from low to high", "swap the bounds")
        for bound in (low, high):
            self._comparison(feature, Operator.AT_LEAST, bound, left)

    def _require(self, feature: Feature, kind: FeatureKind, column: int, remedy: str) -> None:
        if feature.kind is not kind:
            raise self._error(column, f"{feature.name}, a {feature.kind.value}", f"a {kind.value}", remedy)

    def _error(self, column: int, came: str, expected: str, remedy: str) -> FormatError:
        place = f"{self._where} column {column}".strip()
        return FormatError(where=place, came=came, expected=expected, remedy=remedy)
