"""What an arm gives: drugs joined by `+`, some of them a choice: `choice:(cisplatin|carboplatin)+pemetrexed`.

Rules this module guarantees:

- A combination has at least one term; a term has at least one option; an option holds drugs joined by `+`.
- `str()` of a combination is the text it was read from.
- The words themselves (drug or class) are checked by whoever knows the vocabulary.

    >>> given = parse_combination("choice:(cisplatin|carboplatin)+pemetrexed")
    >>> [" and ".join(option) for option in given.alternatives()]
    ['cisplatin and pemetrexed', 'carboplatin and pemetrexed']
    >>> given.regimens()
    ('cisplatin+pemetrexed', 'carboplatin+pemetrexed')
"""

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass

from oncoproof.knowledge.medicines.conditions import CellError

NOTHING = "none"
"""The option to add nothing."""

_CHOICE = "choice:("
_WORD = re.compile(r"[a-z0-9_]+")
_GRAMMAR = "words joined by +, or choice:(a|b) where each patient gets one"


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a combination: one option for everybody, or several of which each patient gets one."""

    options: tuple[tuple[str, ...], ...]
    """Each option as its words, in the order written."""

    def __str__(self) -> str:
        """The term as a cell writes it."""
        options = ["+".join(option) for option in self.options]
        return f"{_CHOICE}{'|'.join(options)})" if len(options) > 1 else options[0]

    def words(self) -> tuple[str, ...]:
        """Every word of every option."""
        return tuple(itertools.chain.from_iterable(self.options))


@dataclass(frozen=True, slots=True)
class Combination:
    """Everything given together."""

    terms: tuple[Term, ...]
    """The parts that every patient of the arm gets."""

    def __str__(self) -> str:
        """The combination as a cell writes it."""
        return "+".join(map(str, self.terms))

    def words(self) -> frozenset[str]:
        """Every word that occurs."""
        return frozenset(word for term in self.terms for word in term.words())

    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """What single patients get: each way to choose, as its words in the order written, less `none`."""
        chosen = itertools.product(*(term.options for term in self.terms))
        return tuple(
            tuple(word for option in options for word in option if word != NOTHING) for options in chosen
        )

    def regimens(self) -> tuple[str, ...]:
        """The regimen of each alternative: its words sorted and joined by `+`."""
        return tuple("+".join(sorted(words)) for words in self.alternatives())

    def replaced(self, replace: Callable[[str], str]) -> "Combination":
        """The same shape with each word replaced."""
        return Combination(
            tuple(Term(tuple(tuple(map(replace, option)) for option in term.options)) for term in self.terms)
        )


def parse_combination(text: str) -> Combination:
    """Read a combination, whatever its words are."""
    return Combination(tuple(_parse_term(piece, text) for piece in _split(text)))


def _split(text: str) -> list[str]:
    """Cut at each `+` that stands outside parentheses."""
    pieces, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "+" and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += character
    if depth:
        raise CellError(text, expected="each parenthesis closed")
    return pieces


def _parse_term(piece: str, text: str) -> Term:
    if not piece.startswith(_CHOICE):
        return Term((_parse_option(piece, text),))
    options = piece.removeprefix(_CHOICE).removesuffix(")").split("|")
    if len(options) < 2:
        raise CellError(text, expected="a choice between two options or more", remedy="name the one drug")
    return Term(
        tuple(tuple(_parse_option(word, text)[0] for word in option.split("+")) for option in options)
    )


def _parse_option(word: str, text: str) -> tuple[str, ...]:
    if not _WORD.fullmatch(word):
        raise CellError(word or text, expected=_GRAMMAR, remedy="correct the cell; a word is lower case")
    return (word,)
