"""The genes that biomarkers speak of, with their HGNC ids.

Rule this module guarantees: a symbol stands once, with one HGNC id.

    >>> load_genes()["ERBB2"].hgnc
    'HGNC:3430'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class Gene:
    """A gene under its approved symbol."""

    symbol: str
    """Approved HGNC symbol."""
    hgnc: str
    """HGNC id, such as `HGNC:3236`."""
    name: str
    """Approved name, with a usual alias in brackets."""
    source: str
    """Id of the source of the id."""
    basis: Basis
    """How the id came to us."""


@cache
def load_genes() -> Mapping[str, Gene]:
    """Every gene, by symbol."""
    return MappingProxyType({gene.symbol: gene for gene in read_csv("genes.csv", "genes", Gene)})
