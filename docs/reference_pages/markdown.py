r"""Markdown: tables and words that cannot break out of their cells.

>>> print(cell("a|b, `x|y`, *2A"))
a\|b, `x\|y`, \*2A
"""

import re
from collections.abc import Iterable, Sequence

_SPAN = re.compile(r"(`+[^`]*`+)")
_MARK = re.compile(r"([*<>\[\]])")


def cell(words: str) -> str:
    """Words as they may stand in a cell of a table; code spans are kept."""
    one_line = " ".join(words.split())
    pieces = _SPAN.split(one_line)
    safe = [piece if number % 2 else _MARK.sub(r"\\\1", piece) for number, piece in enumerate(pieces)]
    return "".join(safe).replace("|", "\\|")


def code(word: object) -> str:
    """A word as code, as it may stand in a cell."""
    return f"`{word}`".replace("|", "\\|")


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are Markdown already."""
    lines = [headings, ["---"] * len(headings), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def first_line(words: str | None) -> str:
    """The first line of a docstring."""
    return (words or "").strip().partition("\n")[0]


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "rule"), counted(2, "rule")
    ('1 rule', '2 rules')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"
