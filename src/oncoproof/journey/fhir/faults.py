"""Faults: what is wrong at a place of a FHIR document, and the typed error made of it.

Rules this module guarantees:

- A problem names the resource by type and id, the element by its FHIR path, what stood there and what
  was expected. Its error carries the same, and nothing else leaves the package.

    >>> Problem("Observation/x", "Observation.status", "'banana'", "a code of the list", "correct it").where
    'Observation/x: Observation.status'
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from oncoproof.errors import FormatError


class Fault(NamedTuple):
    """What is wrong, with a path relative to where it was found."""

    path: str
    """Path below the checked value, beginning with `.` or `[`; empty = the value itself."""
    came: str
    """What stood there."""
    expected: str
    """What would have been right."""
    remedy: str
    """What to try."""


Faults: TypeAlias = list[Fault] | None
"""The faults of a value; None = it has none, which costs nothing to say."""

Seen: TypeAlias = list[tuple[str, frozenset[str]]]
"""References met on the way: each address, and the types it may point at (none = any)."""

Json: TypeAlias = Any
"""A value as JSON brought it: anything, until it has been checked."""

Object: TypeAlias = dict[str, Any]
"""A JSON object; what its values are is what the checks are for."""

Rule: TypeAlias = Callable[[Json, Seen], Faults]
"""A check of a value; it notes the references that it meets."""


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return type(value) is dict


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON list."""
    return type(value) is list


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a document."""

    resource: str
    """Type and id of the resource, for instance `Observation/x`; its type alone where it has no id."""
    path: str
    """FHIR path of the element, for instance `Observation.component[2].valueQuantity.code`."""
    came: str
    """What stood there."""
    expected: str
    """What would have been right."""
    remedy: str
    """What to try."""

    @property
    def where(self) -> str:
        """Resource and path in one line."""
        return f"{self.resource}: {self.path}"

    def error(self) -> FormatError:
        """The problem as an error to raise."""
        return FormatError(where=self.where, came=self.came, expected=self.expected, remedy=self.remedy)


def fault(came: object, expected: str, remedy: str = "correct the element", path: str = "") -> list[Fault]:
    """A list of one fault; what came is quoted and cut to a readable length."""
    words = repr(came)
    return [Fault(path, words if len(words) <= 60 else f"{words[:57]}…", expected, remedy)]


def below(step: str, faults: list[Fault]) -> list[Fault]:
    """The same faults seen from one step further up."""
    return [each._replace(path=step + each.path) for each in faults]


def refusal(came: str, expected: str, remedy: str, where: str = "FHIR document") -> FormatError:
    """An error about a document as a whole."""
    return FormatError(where=where, came=came, expected=expected, remedy=remedy)
