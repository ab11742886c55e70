"""Typical patients of the situations in which treatment is decided.

Rules this module guarantees:

- A row belongs to a situation of the knowledge base and says whom a population of it admits.

    >>> admission = typical_patients()["nsclc_egfr_first"]
    >>> admission.disease, [str(each) for each in admission.requires]
    ('nsclc', ['EGFR=ex19del|l858r'])
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.people.populations import Admission
from oncoproof.knowledge.medicines import parse_condition
from oncoproof.knowledge.tables import Basis, parse_csv

_FILE = "typical_patients.csv"


@dataclass(frozen=True, slots=True)
class TypicalPatients:
    """One row of the table."""

    id: str
    """Unique."""
    situation: str
    """Slug of the situation they are in."""
    disease: str
    """Disease slug."""
    histology: str
    """Histology or group of them; `any` = no condition."""
    setting: str
    """Setting of that disease."""
    line: int
    """Line now given; 0 = straight after first treatment."""
    requires: str
    """Conditions that must all hold, as a trial table writes them: `;` between them."""
    prior: str
    """Earlier treatments that must all have been given, `;` between them."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_typical_patients() -> tuple[TypicalPatients, ...]:
    """Every row."""
    return parse_csv(
        read_data(_FILE), "typical_patients", TypicalPatients, where=_FILE, family="oncoproof.disease"
    )


@cache
def typical_patients() -> Mapping[str, Admission]:
    """Whom each population admits, by the row's id."""
    return MappingProxyType({row.id: _admission(row) for row in load_typical_patients()})


def _admission(row: TypicalPatients) -> Admission:
    return Admission(
        disease=row.disease,
        histology=row.histology,
        setting=row.setting,
        line_min=row.line,
        line_max=row.line,
        requires=tuple(parse_condition(text, disease=row.disease) for text in _parts(row.requires)),
        prior=_parts(row.prior),
    )


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split(";") if part)
