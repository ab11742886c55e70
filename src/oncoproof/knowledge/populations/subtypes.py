"""Subtypes that biomarker values define, such as triple-negative breast cancer.

Rule this module guarantees: the subtypes of a disease exclude one another.

    >>> load_subtypes()["triple_negative"].conditions
    {'HR': 'negative', 'HER2': 'negative'}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class Subtype:
    """A class of tumours within a disease."""

    subtype: str
    """Slug, unique over all diseases."""
    disease: str
    """Slug of the disease."""
    name: str
    """What a person calls it."""
    requires: str
    """Conditions `KEY=value` that define it, `;` between them."""
    source: str
    """Id of the source of the definition."""
    basis: Basis
    """How the definition came to us."""

    @property
    def conditions(self) -> dict[str, str]:
        """The value or group each key must have."""
        pairs = (condition.partition("=") for condition in self.requires.split(";"))
        return {key: value for key, _, value in pairs}


@cache
def load_subtypes() -> Mapping[str, Subtype]:
    """Every subtype, by slug."""
    return MappingProxyType({row.subtype: row for row in read_csv("subtypes.csv", "subtypes", Subtype)})
