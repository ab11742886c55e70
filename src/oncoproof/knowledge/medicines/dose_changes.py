"""Dose changes: how many patients need less, or a break.

Rules this module guarantees:

- A figure speaks of a class, a drug or a regimen; the closest one counts, as for toxicity.

    >>> share_changed("afatinib", DoseChangeKind.REDUCTION).value
    0.28
    >>> share_changed("gemcitabine", DoseChangeKind.REDUCTION) is None
    True
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.medicines.toxicity import SubjectKind
from oncoproof.knowledge.tables import Figure, read_csv


class DoseChangeKind(StrEnum):
    """What happened to the dose."""

    REDUCTION = "reduction"
    """It was lowered for good."""
    INTERRUPTION = "interruption"
    """It was left out for a time."""


@dataclass(frozen=True, slots=True)
class DoseChange:
    """One row of `dose_changes.csv`."""

    subject_kind: SubjectKind
    """Whether class, drug or regimen."""
    subject: str
    """Its slug or id."""
    change: DoseChangeKind
    """What happened to the dose."""
    figure: Figure
    """Share of treated patients."""


@cache
def load_dose_changes() -> Mapping[tuple[SubjectKind, str, DoseChangeKind], DoseChange]:
    """All rows, by subject and kind of change."""
    rows = read_csv("dose_changes.csv", "dose_changes", DoseChange)
    return MappingProxyType({(row.subject_kind, row.subject, row.change): row for row in rows})


def share_changed(treatment: str, change: DoseChangeKind) -> Figure | None:
    """Share of treated patients whose dose changed; None = not known.

    Args:
        treatment: A drug slug or regimen id; a regimen of one drug is that drug.
        change: What happened to the dose.
    """
    regimen = load_regimens().get(treatment)
    keys = [(SubjectKind.REGIMEN, treatment, change)]
    drugs = regimen.drugs if regimen is not None else (treatment,)
    if len(drugs) == 1 and drugs[0] in load_drugs():
        keys.append((SubjectKind.DRUG, drugs[0], change))
        keys.append((SubjectKind.CLASS, load_drugs()[drugs[0]].drug_class, change))
    rows = (load_dose_changes().get(key) for key in keys)
    return next((row.figure for row in rows if row is not None), None)
