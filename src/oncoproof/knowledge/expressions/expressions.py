"""The closed language in which rules and policies are written: its sentences as frozen trees.

A sentence speaks about one subject: `RAS == mut and plan_classes has anti_egfr_mab`. It compares
features with numbers and words, asks whether a set has members or whether a feature is known, and
joins such atoms with `and`, `or`, `not` and parentheses. There is nothing else: no arithmetic, no
calls, no way to run code.

Rules this module guarantees:

- A tree is frozen and hashable; where it stood in its text does not count when trees are compared.
- `str(tree)` is text that parses to the same tree.
- `names(tree)` are exactly the features it reads.

    >>> tree = And((Has(Name("plan_drugs"), Quantifier.ONE, (Word("pemetrexed"),)),
    ...             Comparison(Name("crcl_ml_min"), Operator.BELOW, Number(45.0, "mL/min"))))
    >>> str(tree)
    "plan_drugs has pemetrexed and crcl_ml_min < 45 'mL/min'"
    >>> sorted(names(tree))
    ['crcl_ml_min', 'plan_drugs']
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

_PLAIN_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")

RESERVED = frozenset({"and", "or", "not", "in", "has", "any", "all", "known"})
"""Words of the language itself; a value of that spelling is written in quotes."""


class Operator(StrEnum):
    """How two sides are compared."""

    EQUAL = "=="
    """The same value, or a value of the group named."""
    UNEQUAL = "!="
    """Any other value."""
    BELOW = "<"
    """Less than."""
    AT_MOST = "<="
    """Less than or equal."""
    ABOVE = ">"
    """Greater than."""
    AT_LEAST = ">="
    """Greater than or equal."""


class Quantifier(StrEnum):
    """How many of the members named a set must have."""

    ONE = "one"
    """The single member named."""
    ANY = "any"
    """At least one."""
    ALL = "all"
    """Every one."""


@dataclass(frozen=True, slots=True)
class Name:
    """A feature of the subject."""

    feature: str
    """The feature's name."""
    column: int = field(default=0, compare=False)
    """Where it stands in the text, from 1; 0 = the tree was not read from text."""

    def __str__(self) -> str:
        return self.feature


@dataclass(frozen=True, slots=True)
class Lookup:
    """One number of a feature that has a number for each member: `dose(capecitabine)`."""

    feature: str
    """The feature's name."""
    member: str
    """Whose number is meant."""
    column: int = field(default=0, compare=False)
    """Where it stands in the text, from 1; 0 = the tree was not read from text."""

    def __str__(self) -> str:
        return f"{self.feature}({_spell(self.member)})"


@dataclass(frozen=True, slots=True)
class Word:
    """A value of a category, a member of a set, or, after `<` and its kin, another feature."""

    text: str
    """The word without quotes."""
    column: int = field(default=0, compare=False)
    """Where it stands in the text, from 1; 0 = the tree was not read from text."""

    def __str__(self) -> str:
        return _spell(self.text)


@dataclass(frozen=True, slots=True)
class Number:
    """A number, with its unit where the writer states one."""

    value: float
    """The number, in the unit of the feature it is compared with."""
    unit: str = ""
    """UCUM; empty = the unit of the feature, not repeated."""
    column: int = field(default=0, compare=False)
    """Where it stands in the text, from 1; 0 = the tree was not read from text."""

    def __str__(self) -> str:
        text = repr(float(self.value)).removesuffix(".0")
        return f"{text} '{self.unit}'" if self.unit else text


Operand: TypeAlias = Name | Lookup
"""What stands on the left of an atom."""


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag that is up: `pregnancy`."""

    operand: Name
    """The flag."""

    def __str__(self) -> str:
        return str(self.operand)


@dataclass(frozen=True, slots=True)
class Known:
    """A feature of which anything is known: `known(lvef_pct)`. Itself never unknown."""

    operand: Operand
    """The feature."""

    def __str__(self) -> str:
        return f"known({self.operand})"


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides compared: `crcl_ml_min < 45`, `EGFR == mut`, `line > lines_given`."""

    operand: Operand
    """The left side."""
    operator: Operator
    """How they are compared."""
    right: Number | Word
    """The right side."""

    def __str__(self) -> str:
        return f"{self.operand} {self.operator.value} {self.right}"


@dataclass(frozen=True, slots=True)
class Among:
    """One of several values: `stage_group in [iva, ivb]`."""

    operand: Operand
    """The left side."""
    values: tuple[Word | Number, ...]
    """The values; at least one, all words or all numbers."""

    def __str__(self) -> str:
        return f"{self.operand} in [{', '.join(map(str, self.values))}]"


@dataclass(frozen=True, slots=True)
class Within:
    """A closed range: `crcl_ml_min in 30..50`."""

    operand: Operand
    """The left side."""
    low: Number
    """Lower bound, included."""
    high: Number
    """Upper bound, included."""

    def __str__(self) -> str:
        return f"{self.operand} in {self.low}..{self.high}"


@dataclass(frozen=True, slots=True)
class Has:
    """Membership: `plan_classes has anti_pd1`, `conditions has any [a, b]`."""

    operand: Name
    """The set."""
    quantifier: Quantifier
    """How many of the members."""
    members: tuple[Word, ...]
    """The members; one where the quantifier is ONE."""

    def __str__(self) -> str:
        if self.quantifier is Quantifier.ONE:
            return f"{self.operand} has {self.members[0]}"
        return f"{self.operand} has {self.quantifier.value} [{', '.join(map(str, self.members))}]"


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite; of what is unknown, unknown."""

    term: "Expression"
    """What is denied."""

    def __str__(self) -> str:
        return f"not {_group(self.term)}"


@dataclass(frozen=True, slots=True)
class And:
    """All of the terms: false as soon as one is false, else unknown as soon as one is unknown."""

    terms: tuple["Expression", ...]
    """Two or more terms."""

    def __str__(self) -> str:
        return " and ".join(map(_group, self.terms))


@dataclass(frozen=True, slots=True)
class Or:
    """Any of the terms: true as soon as one is true, else unknown as soon as one is unknown."""

    terms: tuple["Expression", ...]
    """Two or more terms."""

    def __str__(self) -> str:
        return " or ".join(map(_group, self.terms))


Atom: TypeAlias = Flag | Known | Comparison | Among | Within | Has
"""A sentence without connectives."""

Expression: TypeAlias = Atom | Not | And | Or
"""Any sentence of the language."""


def conjunction(*terms: Expression) -> Expression:
    """All of the terms as one sentence; a single term stays itself."""
    return terms[0] if len(terms) == 1 else And(terms)


def disjunction(*terms: Expression) -> Expression:
    """Any of the terms as one sentence; a single term stays itself."""
    return terms[0] if len(terms) == 1 else Or(terms)


def atoms(expression: Expression) -> Iterator[Atom]:
    """The atoms, left to right."""
    match expression:
        case And(terms) | Or(terms):
            for term in terms:
                yield from atoms(term)
        case Not(term):
            yield from atoms(term)
        case _:
            yield expression


def names(expression: Expression) -> frozenset[str]:
    """The features an expression reads.

    A word on the right of an order (`line > lines_given`) is a feature; beside `==` it is a value.
    """
    return frozenset(name for atom in atoms(expression) for name in _names_of(atom))


def _names_of(atom: Atom) -> Iterator[str]:
    yield atom.operand.feature
    match atom:
        case Comparison(_, operator, Word(text)) if operator not in {Operator.EQUAL, Operator.UNEQUAL}:
            yield text
        case _:
            return


def _spell(text: str) -> str:
    plain = _PLAIN_WORD.fullmatch(text) and text not in RESERVED
    return text if plain else f"'{text}'"


def _group(term: Expression) -> str:
    return f"({term})" if isinstance(term, And | Or) else str(term)
