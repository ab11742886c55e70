"""From text to tree: the only way a written rule becomes something that can be evaluated.

    expression := conjunction ("or" conjunction)*
    conjunction := negation ("and" negation)*
    negation := "not" negation | "(" expression ")" | atom
    atom := "known" "(" operand ")" | operand [ operator value | "in" list | "in" range | "has" members ]
    operand := NAME | NAME "(" word ")"        value := number | word
    list := "[" value ("," value)* "]"         range := number ".." number
    members := word | ("any" | "all") list     number := NUMBER ["'unit'"]
    word := NAME | "'text'"

Rules this module guarantees:

- Nothing is executed: text is cut into tokens and matched against the grammar above.
- What does not fit is a `FormatError` that names the column where it stops fitting.

    >>> parse("not (EGFR == mut or ALK == fusion) and PDL1_TPS in 50..100")  # doctest: +ELLIPSIS
    And(terms=(Not(term=Or(terms=(Comparison(operand=Name(feature='EGFR', column=6), ...
    >>> parse("EGFR = mut")
    Traceback (most recent call last):
    ...
    oncoproof.errors.FormatError: column 6: came: '='; expected: a token of the rule language; try: ...
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from oncoproof.errors import FormatError
from oncoproof.knowledge.expressions.expressions import (
    RESERVED,
    Among,
    Atom,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Name,
    Not,
    Number,
    Operand,
    Operator,
    Quantifier,
    Within,
    Word,
    conjunction,
    disjunction,
)

Item = TypeVar("Item")

_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<quoted>'[^']*')"
    r"|(?P<mark>==|!=|<=|>=|<|>|\.\.|[()\[\],]))"
)

_OPERATORS = frozenset(operator.value for operator in Operator)


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    """number, name, quoted, mark or end."""
    text: str
    """As written."""
    column: int
    """Where it starts, from 1."""

    @property
    def is_word(self) -> bool:
        """Whether it can be a value or member."""
        return self.kind == "quoted" or (self.kind == "name" and self.text not in RESERVED)


def parse(text: str, *, where: str = "") -> Expression:
    """The tree of an expression.

    Args:
        text: What a rule says.
        where: Names the rule in errors.
    """
    return _Parser(_tokens(text, where), where).whole()


def _tokens(text: str, where: str) -> tuple[_Token, ...]:
    found: list[_Token] = []
    position = 0
    end = len(text.rstrip())
    while position < end:
        match = _TOKEN.match(text, position)
        if match is None:
            start = position + len(text[position:]) - len(text[position:].lstrip())
            raise _refusal(
                where,
                start + 1,
                text[start],
                expected="a token of the rule language",
                remedy="write ==, !=, <, <=, >, >=, in, has, known(…), and, or, not; quote other values",
            )
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[kind], match.start(kind) + 1))
        position = match.end()
    found.append(_Token("end", "end of text", end + 1))
    return tuple(found)


def _refusal(where: str, column: int, came: str, *, expected: str, remedy: str) -> FormatError:
    place = f"{where} column {column}".strip()
    return FormatError(where=place, came=repr(came), expected=expected, remedy=remedy)


class _Parser:
    """One pass over the tokens of one text."""

    def __init__(self, tokens: tuple[_Token, ...], where: str) -> None:
        self._tokens = tokens
        self._next = 0
        self._where = where

    def whole(self) -> Expression:
        expression = self._joined("or", self._conjunction, disjunction)
        self._expect("end", "end of text")
        return expression

    def _conjunction(self) -> Expression:
        return self._joined("and", self._negation, conjunction)

    def _joined(
        self, word: str, part: Callable[[], Expression], join: Callable[..., Expression]
    ) -> Expression:
        terms = [part()]
        while self._accept("name", word):
            terms.append(part())
        return join(*terms)

    def _negation(self) -> Expression:
        if self._accept("name", "not"):
            return Not(self._negation())
        if self._accept("mark", "("):
            inner = self._joined("or", self._conjunction, disjunction)
            self._expect("mark", ")")
            return inner
        return self._atom()

    def _atom(self) -> Atom:
        if self._accept("name", "known"):
            self._expect("mark", "(")
            operand = self._operand()
            self._expect("mark", ")")
            return Known(operand)
        operand = self._operand()
        if self._peek().text in _OPERATORS:
            operator = Operator(self._take().text)
            return Comparison(operand, operator, self._value())
        if self._accept("name", "in"):
            return self._membership(operand)
        if isinstance(operand, Lookup):
            raise self._unexpected("a comparison", "compare the number: < , <=, in 0..1, …")
        return self._members(operand) if self._accept("name", "has") else Flag(operand)

    def _operand(self) -> Operand:
        token = self._peek()
        if token.kind != "name" or token.text in RESERVED:
            raise self._unexpected("the name of a feature", "begin each condition with a feature")
        self._take()
        if not self._accept("mark", "("):
            return Name(token.text, token.column)
        member = self._word()
        self._expect("mark", ")")
        return Lookup(token.text, member.text, token.column)

    def _membership(self, operand: Operand) -> Atom:
        if self._peek().text == "[":
            return Among(operand, self._list(self._value))
        low = self._number()
        self._expect("mark", "..")
        return Within(operand, low, self._number())

    def _members(self, operand: Name) -> Atom:
        for quantifier in (Quantifier.ANY, Quantifier.ALL):
            if self._accept("name", quantifier.value):
                return Has(operand, quantifier, self._list(self._word))
        return Has(operand, Quantifier.ONE, (self._word(),))

    def _list(self, item: Callable[[], Item]) -> tuple[Item, ...]:
        self._expect("mark", "[")
        items = [item()]
        while self._accept("mark", ","):
            items.append(item())
        self._expect("mark", "]")
        return tuple(items)

    def _value(self) -> Number | Word:
        return self._number() if self._peek().kind == "number" else self._word()

    def _number(self) -> Number:
        token = self._expect("number")
        unit = self._take().text.strip("'") if self._peek().kind == "quoted" else ""
        return Number(float(token.text), unit, token.column)

    def _word(self) -> Word:
        if not self._peek().is_word:
            raise self._unexpected("a value", "write a word, or quote it")
        token = self._take()
        return Word(token.text.strip("'"), token.column)

    def _peek(self) -> _Token:
        return self._tokens[self._next]

    def _take(self) -> _Token:
        token = self._tokens[self._next]
        self._next = min(self._next + 1, len(self._tokens) - 1)
        return token

    def _accept(self, kind: str, text: str) -> bool:
        token = self._peek()
        if (token.kind, token.text) != (kind, text):
            return False
        self._take()
        return True

    def _expect(self, kind: str, text: str = "") -> _Token:
        token = self._peek()
        if token.kind != kind or (text and token.text != text):
            raise self._unexpected(repr(text) if text else f"a {kind}", "check the words before it")
        return self._take()

    def _unexpected(self, expected: str, remedy: str) -> FormatError:
        token = self._peek()
        return _refusal(self._where, token.column, token.text, expected=expected, remedy=remedy)
