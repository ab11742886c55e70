"""Which biomarker values can stand together, by what the keys mean.

Rules this module guarantees:

- A constraint says: where every `when` condition holds, at least one `then` condition holds.
- A condition is `KEY=value`, with `|` between alternatives; groups stand for their plain values.
- A constraint is broken only where the values are known: a blank value breaks nothing.

Co-mutation that biology avoids but permits is not here; see `comutation.py`.

    >>> [constraint.id for constraint in broken_constraints("crc", {"RAS": "wt", "KRAS": "g12c"})]
    ['ras-wt-kras']
    >>> broken_constraints("crc", {"RAS": "wt", "KRAS": ""})
    ()
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class MarkerConstraint:
    """An implication between biomarker values."""

    id: str
    """Short name, unique."""
    diseases: tuple[str, ...]
    """Slugs of the diseases it holds in; empty = all."""
    when: str
    """Conditions that must all hold, `;` between them."""
    then: str
    """Conditions of which one must hold, `;` between them."""
    sentence: str
    """The constraint in words."""
    source: str
    """Id of the source."""
    basis: Basis
    """How it came to us."""

    def applies_to(self, disease: str) -> bool:
        """Whether it holds in a disease."""
        return not self.diseases or disease in self.diseases

    @property
    def keys(self) -> tuple[str, ...]:
        """The biomarkers it speaks of, each once."""
        pairs = (*_conditions(self.when), *_conditions(self.then))
        return tuple(dict.fromkeys(key for key, _ in pairs))


def _conditions(text: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The key and plain values of each condition of a cell."""
    found: list[tuple[str, tuple[str, ...]]] = []
    for part in text.split(";"):
        key, _, values = part.partition("=")
        marker = load_biomarkers()[key]
        plain = tuple(value for word in values.split("|") for value in marker.expand(word))
        found.append((key, plain))
    return tuple(found)


@cache
def load_marker_constraints() -> tuple[MarkerConstraint, ...]:
    """Every constraint, in file order."""
    return read_csv("marker_constraints.csv", "marker_constraints", MarkerConstraint)


def find_breaches(
    disease: str, columns: Mapping[str, NDArray[np.str_]]
) -> Mapping[MarkerConstraint, NDArray[np.bool_]]:
    """Where each constraint is broken, patient by patient; constraints that miss a column are left out.

    Args:
        disease: Slug of the disease of all patients.
        columns: Plain values per biomarker key, one per patient; blank = not known.
    """
    return {
        constraint: _breaches(constraint, columns)
        for constraint in load_marker_constraints()
        if constraint.applies_to(disease) and set(constraint.keys) <= set(columns)
    }


def _breaches(constraint: MarkerConstraint, columns: Mapping[str, NDArray[np.str_]]) -> NDArray[np.bool_]:
    holds = [np.isin(columns[key], plain) for key, plain in _conditions(constraint.when)]
    refuted = [
        ~np.isin(columns[key], plain) & (columns[key] != "") for key, plain in _conditions(constraint.then)
    ]
    return np.logical_and.reduce([*holds, *refuted])


def broken_constraints(disease: str, values: Mapping[str, str]) -> tuple[MarkerConstraint, ...]:
    """The constraints that one patient's values break."""
    columns = {key: np.array([value], dtype=np.str_) for key, value in values.items()}
    return tuple(
        constraint for constraint, broken in find_breaches(disease, columns).items() if bool(broken[0])
    )
