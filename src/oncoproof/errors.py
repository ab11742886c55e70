"""Every error the library raises on purpose.

    OncoproofError
    ├── InputError              what a person, a file or a system gave cannot be used
    │   ├── CodeError           a code is malformed or belongs to another system
    │   ├── UnitError           a unit is unknown or measures something else
    │   ├── JourneyError        an event or edge breaks the rules of the journey graph
    │   └── FormatError         a file or message is not of the format it claims
    ├── MissingPartError        an optional part is not installed
    └── IntegrityError          the project's own data contradict themselves

An error says where it happened, what came, what was expected and what to try. The library raises;
only the command line prints and exits, with the error's `exit_code`.

    >>> error = UnitError(came="'mg/dl'", expected="a UCUM unit", remedy="write mg/dL")
    >>> print(error)
    came: 'mg/dl'; expected: a UCUM unit; try: write mg/dL
"""

from typing import ClassVar


class OncoproofError(Exception):
    """The root: catch it to catch everything the library raises on purpose."""

    exit_code: ClassVar[int] = 70
    """What the command line exits with."""

    def __init__(self, *, came: str, expected: str, remedy: str, where: str = "") -> None:
        """Keep the parts apart, so that a screen or a JSON document can show each.

        Args:
            came: What was found, quoted where it is text from outside.
            expected: What would have been right.
            remedy: What the reader can do about it.
            where: File, row, resource or path; empty where there is only one place it can be.
        """
        self.came = came
        self.expected = expected
        self.remedy = remedy
        self.where = where
        place = f"{where}: " if where else ""
        super().__init__(f"{place}came: {came}; expected: {expected}; try: {remedy}")

    def __reduce__(self) -> tuple[object, tuple[type["OncoproofError"], dict[str, str]]]:
        """Survive the way between processes, which pickles."""
        return (_rebuild, (type(self), self.parts()))

    def parts(self) -> dict[str, str]:
        """The error as plain words by name, for JSON."""
        return {"where": self.where, "came": self.came, "expected": self.expected, "remedy": self.remedy}


def _rebuild(kind: type[OncoproofError], parts: dict[str, str]) -> OncoproofError:
    return kind(**parts)


class InputError(OncoproofError):
    """What a person, a file or a system gave cannot be used."""

    exit_code = 3


class CodeError(InputError):
    """A code is malformed or belongs to another system."""


class UnitError(InputError):
    """A unit is unknown or measures something else."""


class JourneyError(InputError):
    """An event or edge breaks the rules of the journey graph."""


class FormatError(InputError):
    """A file or message is not of the format it claims."""


class MissingPartError(OncoproofError):
    """An optional part is not installed."""

    exit_code = 4


class IntegrityError(OncoproofError):
    """The project's own data contradict themselves."""

    exit_code = 5
