"""Everything that is wrong with a file, in one error: a reader mends a file once, not cell by cell.

Rules this module guarantees:

- A `ProblemsError` is a `FormatError` like any other; it also keeps each problem apart.
- It is raised with one problem or more, never with none.

    >>> one = Problem(where="line 3, n", came="'many'", expected="a whole number", remedy="write digits")
    >>> print(ProblemsError([one], where="trials.csv"))
    trials.csv line 3, n: came: 'many'; expected: a whole number; try: write digits
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from oncoproof.errors import FormatError

_SHOWN_AT_MOST = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file."""

    where: str
    """Line and column, without the file's name."""
    came: str
    """What was found, quoted where it is text from outside."""
    expected: str
    """What would have been right."""
    remedy: str
    """What the reader can do about it."""

    def __str__(self) -> str:
        return f"{self.where}: came: {self.came}; expected: {self.expected}; try: {self.remedy}"


class ProblemsError(FormatError):
    """A file has one problem or several; `problems` lists them all, in the order of the file."""

    def __init__(self, problems: Sequence[Problem], *, where: str) -> None:
        """Tell of one problem as any error does, of several as a list.

        Args:
            problems: All that is wrong; at least one.
            where: The file's name.
        """
        self.problems = tuple(problems)
        self._file = where
        first, *rest = self.problems
        if not rest:
            super().__init__(
                where=f"{where} {first.where}",
                came=first.came,
                expected=first.expected,
                remedy=first.remedy,
            )
            return
        super().__init__(
            where=where,
            came=f"{len(self.problems)} problems{_listing(self.problems)}",
            expected="a file without any",
            remedy="mend each cell named",
        )

    def __reduce_ex__(self, protocol: SupportsIndex, /) -> tuple[object, ...]:
        """Survive the way between processes with every problem."""
        return (_rebuild, (self.problems, self._file))


def _listing(problems: Sequence[Problem]) -> str:
    shown = "".join(f"\n  {problem}" for problem in problems[:_SHOWN_AT_MOST])
    hidden = len(problems) - _SHOWN_AT_MOST
    return f"{shown}\n  and {hidden} more\n" if hidden > 0 else f"{shown}\n"


def _rebuild(problems: tuple[Problem, ...], where: str) -> ProblemsError:
    return ProblemsError(problems, where=where)
