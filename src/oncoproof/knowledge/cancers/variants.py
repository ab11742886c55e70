"""Representative variants: how a biomarker value is written in HGVS where a record needs one.

Rules this module guarantees:

- A variant belongs to a gene of its biomarker; a value has at most one representative.
- A representative stands for its value, and does not exhaust it (`ex19del` holds many deletions).

    >>> load_variants()["EGFR", "l858r"].protein
    'p.Leu858Arg'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class Variant:
    """One variant that stands for a biomarker value."""

    biomarker: str
    """Key of the biomarker."""
    value: str
    """Plain value it stands for."""
    gene: str
    """Symbol of the gene."""
    transcript: str
    """RefSeq accession without version that the numbering follows."""
    protein: str
    """HGVS protein change; empty = outside the coding sequence."""
    coding: str
    """HGVS coding-DNA change."""
    note: str
    """What a reader must know; may be empty."""
    source: str
    """Id of the source."""
    basis: Basis
    """How it came to us."""


@cache
def load_variants() -> Mapping[tuple[str, str], Variant]:
    """Every representative, by biomarker key and plain value."""
    rows = read_csv("variants.csv", "variants", Variant)
    return MappingProxyType({(row.biomarker, row.value): row for row in rows})
