"""What is known of a patient's tumour, as the values that are still possible.

Rules this module guarantees:

- What is not known may still be anything; whether a condition holds is yes, no, or not known (None).
- A histology may be known as a group; it admits what all of the group are, and refutes what none is.
- What the tumour has is kept apart from what the patient has gone through: an alteration that nobody
  looked for is missing, while a line of treatment or a state may be taken for granted.

    >>> from oncoproof.knowledge.medicines.conditions import parse_condition
    >>> facts = Facts("crc", {"RAS": frozenset({"mut"})}, {}, {})
    >>> facts.admits(parse_condition("RAS=wt")), facts.admits(parse_condition("BRAF=v600e"))
    (False, None)
    >>> is_of_tumour("BRAF"), is_of_tumour("TRANSFORMATION"), is_of_tumour("MENOPAUSE"), is_of_tumour("line")
    (True, True, False, False)
"""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from oncoproof.knowledge.cancers.biomarkers import BiomarkerKind, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.graph.marker_statements import marker_of, word_of
from oncoproof.knowledge.graph.statements import Statement
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.drugs import classes_of, load_drugs
from oncoproof.knowledge.subjects.subjects import Subjects

_HISTOLOGY = "histology"

_ROWS_MAX = 128
"""Combinations of open values that are worked out one by one; beyond it a value counts as not known."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one patient."""

    disease: str
    """Disease slug."""
    possible: Mapping[str, frozenset[str]]
    """The plain values that each biomarker may still have; a key left out may have any."""
    numbers: Mapping[str, float]
    """Biomarkers that are numbers, in their unit."""
    others: Mapping[str, object]
    """Everything else that is known, by feature."""
    deduced: Mapping[str, Statement] = field(default_factory=dict[str, Statement])
    """For each biomarker that follows from another, how."""
    histologies: frozenset[str] = frozenset()
    """The histologies that the tumour may still be of; empty = any of its disease."""

    def word(self, key: str) -> str | None:
        """The value or group that says what is known of a biomarker; None = nothing, or it has no name."""
        if key in self.numbers:
            return f"{self.numbers[key]:g}"
        return word_of(key, self.possible[key]) if key in self.possible else None

    def knows(self, key: str) -> bool:
        """Whether anything is known of a biomarker."""
        return key in self.possible or key in self.numbers

    def knows_of_tumour(self, name: str) -> bool:
        """Whether anything is known of what may be a marker of the tumour, or its histology."""
        return bool(self.histologies) if name == _HISTOLOGY else self.knows(name) and is_of_tumour(name)

    def marker(self, key: str) -> str:
        """The node of what is known of a biomarker; of alternatives without a name, all of them."""
        return marker_of(
            key, frozenset({f"{self.numbers[key]:g}"}) if key in self.numbers else self.possible[key]
        )

    def admits(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None = not known."""
        key = condition.key
        if key in self.numbers:
            return condition.admits(self.numbers[key])
        if load_biomarkers()[key].is_open:
            return self._was_given(condition)
        if condition.low is not None:
            return None
        return holds(self.possible, condition, self.disease)

    def admits_histology(self, histology: str) -> bool | None:
        """Whether the tumour is of a histology, or of a group of them; None = not known."""
        disease = load_diseases()[self.disease]
        return _is_within(self.histologies or disease.histologies, disease.histologies_of(histology))

    def is_narrowed(self, name: str) -> bool:
        """Whether several values of a feature are still possible, though not all."""
        return len(self.histologies if name == _HISTOLOGY else self.possible.get(name, ())) > 1

    def _was_given(self, condition: Condition) -> bool | None:
        if "prior_drugs" not in self.others:
            return None
        drugs = [drug for drug in _texts(self.others["prior_drugs"]) if drug in load_drugs()]
        words = {word for drug in drugs for word in (drug, *classes_of(drug))}
        return not words.isdisjoint(condition.values)

    def subjects(self, **plan: object) -> Subjects:
        """A row for each combination of the values still possible, all with the same plan.

        Args:
            **plan: Features of the plan, and what is assumed.
        """
        narrowed = {**self.possible, **({_HISTOLOGY: self.histologies} if self.histologies else {})}
        kept: list[str] = []
        rows = 1
        for key in sorted(narrowed, key=lambda key: len(narrowed[key])):
            rows *= len(narrowed[key])
            if rows > _ROWS_MAX:
                break
            kept.append(key)
        same = {"disease": self.disease, **self.numbers, **self.others, **plan}
        combinations = itertools.product(*(sorted(narrowed[key]) for key in kept))
        return Subjects.of_rows([{**same, **dict(zip(kept, values, strict=True))} for values in combinations])


def is_of_tumour(name: str) -> bool:
    """Whether a name is of the tumour's histology or markers, not of a state, history or gene of the patient.

    A clinical key with a reference value is an alteration that a tumour has or lacks: a transformation.
    """
    if name == _HISTOLOGY:
        return True
    marker = load_biomarkers().get(name)
    if marker is None or marker.kind is BiomarkerKind.PHARMACOGENE:
        return False
    return marker.kind is not BiomarkerKind.CLINICAL or marker.reference is not None


def is_absence(condition: Condition) -> bool:
    """Whether a tumour without the alteration meets it.

    >>> from oncoproof.knowledge.medicines.conditions import parse_condition
    >>> [is_absence(parse_condition(text)) for text in ("EGFR=wt", "HER2=negative", "EGFR=mut")]
    [True, True, False]
    """
    if condition.low is not None or not is_of_tumour(condition.key):
        return False
    named = {load_biomarkers()[condition.key].reference, "negative"}
    return not named.isdisjoint((*condition.values, *condition.plain_values()))


def values_left(possible: Mapping[str, frozenset[str]], key: str, disease: str) -> frozenset[str]:
    """The plain values a biomarker may still have."""
    return possible[key] if key in possible else frozenset(load_biomarkers()[key].values_in(disease))


def holds(possible: Mapping[str, frozenset[str]], condition: Condition, disease: str) -> bool | None:
    """Whether a condition on values holds of what is still possible; None = not known."""
    return _is_within(values_left(possible, condition.key, disease), condition.plain_values())


def _is_within(values: Iterable[str], wanted: Iterable[str]) -> bool | None:
    """Whether all of the values are wanted, or none; None = some are."""
    some, those = set(values), set(wanted)
    if some <= those:
        return True
    return False if some.isdisjoint(those) else None


def _texts(value: object) -> list[str]:
    return [str(item) for item in cast("Iterable[object]", value)] if isinstance(value, Iterable) else []
