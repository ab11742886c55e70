"""Many subjects as columns: what rules, policies and the validator read.

A subject is a patient at a decision, with the plan that is considered. One subject is a table of one
row and goes through the same code as a hundred thousand.

Rules this module guarantees:

- Every column belongs to a feature of the vocabulary and has one cell for each subject; a feature
  that was not given is not known.
- Groups follow from their members (`complete_groups`): a plan with cetuximab has `anti_egfr_mab` among
  its classes, with every umbrella above it; warfarin brings `vitamin_k_antagonist`.
- Reading refuses what is not of the vocabulary. It keeps implausible numbers, which the validator
  reports, unless `refuse_implausible` is asked for.

    >>> subjects = Subjects.of_rows([
    ...     {"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]},
    ...     {"disease": "nsclc"},
    ... ])
    >>> subjects.rows, subjects.row(0)["RAS"], subjects.row(1).get("RAS")
    (2, 'mut', None)
    >>> "anti_egfr_mab" in subjects.row(0)["plan_classes"]
    True
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

import numpy as np
from numpy.typing import NDArray

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.comedications import load_comedications
from oncoproof.knowledge.medicines.drugs import classes_of, load_drugs
from oncoproof.knowledge.subjects.features import Feature, Vocabulary
from oncoproof.knowledge.subjects.subject_columns import (
    Column,
    Mask,
    NumberColumn,
    SetColumn,
    chosen_rows,
    read_column,
    unknown_column,
)
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

_DERIVED_FROM = {
    "plan_classes": "plan_drugs",
    "prior_classes": "prior_drugs",
    "comedication_groups": "comedications",
}


@dataclass(frozen=True, slots=True)
class Subjects:
    """A table of subjects."""

    rows: int
    """How many subjects there are."""
    columns: Mapping[str, Column]
    """What is given, by feature; a feature without a column is known for nobody."""
    vocabulary: Vocabulary = field(repr=False)
    """What the columns mean."""

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, object],
        *,
        rows: int,
        vocabulary: Vocabulary | None = None,
        refuse_implausible: bool = False,
    ) -> "Subjects":
        """Subjects from an array, or a sequence of cells, for each feature.

        Args:
            columns: By feature; `subject_columns.read_column` says what each kind may be.
            rows: How many subjects there are.
            vocabulary: What the columns mean; None = the project's.
            refuse_implausible: Raise on a number outside its feature's bounds.
        """
        known_words = vocabulary or load_vocabulary()
        read = {
            name: read_column(_feature(known_words, name), raw, rows=rows) for name, raw in columns.items()
        }
        if refuse_implausible:
            for name, column in read.items():
                _require_plausible(known_words.feature(name), column)
        return cls(rows, complete_groups(read), known_words)

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[Mapping[str, object]],
        *,
        vocabulary: Vocabulary | None = None,
        refuse_implausible: bool = False,
    ) -> "Subjects":
        """Subjects from one mapping for each; a feature left out, or None, is not known.

        Args:
            rows: What is known of each subject.
            vocabulary: What the names mean; None = the project's.
            refuse_implausible: Raise on a number outside its feature's bounds.
        """
        given = dict.fromkeys(name for row in rows for name in row)
        columns = {name: [row.get(name) for row in rows] for name in given}
        return cls.of_columns(
            {name: _as_objects(cells) for name, cells in columns.items()},
            rows=len(rows),
            vocabulary=vocabulary,
            refuse_implausible=refuse_implausible,
        )

    def column(self, name: str) -> Column:
        """The column of a feature; where none was given, one in which nothing is known."""
        found = self.columns.get(name)
        return unknown_column(self.vocabulary.feature(name), self.rows) if found is None else found

    def take(self, number: int) -> "Subjects":
        """One subject as a table of its own."""
        cells = {name: column.cell(number) for name, column in self.columns.items()}
        given = {name: _as_objects([cell]) for name, cell in cells.items() if cell is not None}
        return Subjects.of_columns(given, rows=1, vocabulary=self.vocabulary)

    def choose(self, rows: NDArray[np.intp]) -> "Subjects":
        """Some subjects as a table of their own, in the order of their numbers."""
        columns = {name: chosen_rows(column, rows) for name, column in self.columns.items()}
        return Subjects(len(rows), columns, self.vocabulary)

    def row(self, number: int) -> dict[str, object]:
        """What is known of one subject, by feature."""
        cells = {name: column.cell(number) for name, column in self.columns.items()}
        return {name: cell for name, cell in cells.items() if cell is not None}


def implausible(feature: Feature, column: Column) -> Mask:
    """The rows in which a known number lies outside its feature's bounds."""
    if not isinstance(column, NumberColumn) or feature.low is None or feature.high is None:
        return np.zeros(len(column.known), dtype=np.bool_)
    return (column.values < feature.low) | (column.values > feature.high)


def complete_groups(columns: Mapping[str, Column]) -> dict[str, Column]:
    """The columns, with the groups that follow from drugs and other medicines added."""
    completed = dict(columns)
    for groups, members in _DERIVED_FROM.items():
        given = columns.get(members)
        if isinstance(given, SetColumn):
            completed[groups] = _joined(columns.get(groups), _groups_of(given))
    return completed


def _groups_of(given: SetColumn) -> SetColumn:
    members: dict[str, Mask] = {}
    for member, mask in given.members.items():
        for name in _groups_by_member()[member]:
            members[name] = members[name] | mask if name in members else mask
    return SetColumn(members, given.known)


def _joined(stated: Column | None, derived: SetColumn) -> SetColumn:
    if not isinstance(stated, SetColumn):
        return derived
    members = dict(derived.members)
    for name, mask in stated.members.items():
        members[name] = members[name] | mask if name in members else mask
    return SetColumn(members, stated.known | derived.known)


@cache
def _groups_by_member() -> Mapping[str, tuple[str, ...]]:
    """Classes and umbrellas of each drug, and groups of each other medicine."""
    medicines = {slug: medicine.groups for slug, medicine in load_comedications().items()}
    return {**medicines, **{drug: classes_of(drug) for drug in load_drugs()}}


def _feature(vocabulary: Vocabulary, name: str) -> Feature:
    found = vocabulary.features.get(name)
    if found is None:
        raise InputError(
            where="subjects",
            came=f"feature {name!r}",
            expected="a feature of the vocabulary",
            remedy="see data/features.toml; biomarkers are written in capitals",
        )
    return found


def _require_plausible(feature: Feature, column: Column) -> None:
    bad = np.flatnonzero(implausible(feature, column))
    if bad.size:
        raise InputError(
            where=f"feature {feature.name}",
            came=f"{column.cell(int(bad[0]))} in row {bad[0]}",
            expected=f"{feature.low} to {feature.high} {feature.unit}",
            remedy="check value and unit",
        )


def _as_objects(cells: list[object]) -> NDArray[np.object_]:
    column = np.empty(len(cells), dtype=object)
    column[:] = cells
    return column
