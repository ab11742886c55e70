"""Inherited genes that change what a drug does: alleles, activity, and how common they are.

Rules this module guarantees:

- The DPYD activity score is the sum of the activities of the two alleles.
- A frequency says what it counts: carriers of an allele, copies of it, or patients with a diplotype
  or state; and in whom (ancestry, sex; blank = not told apart).
- Low and high of a recalled frequency are the stated range, and the value its middle.

    >>> dpyd_activity_score("*1", "HapB3")
    1.5
    >>> [row.share.value for row in frequencies_of("UGT1A1", "*28/*28", ancestry="european")]
    [0.1]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.errors import InputError
from oncoproof.knowledge.tables import Basis, Figure, read_csv


class Counted(StrEnum):
    """What a frequency counts."""

    CARRIER = "carrier"
    """Patients with at least one copy of the allele."""
    ALLELE = "allele"
    """Copies of the allele among all copies of the gene."""
    STATE = "state"
    """Patients with the diplotype, score range or activity."""


@dataclass(frozen=True, slots=True)
class PharmacogeneFrequency:
    """How common an allele or state is in a population."""

    biomarker: str
    """Key of the pharmacogene."""
    name: str
    """Allele, diplotype, score range `lo..hi` or activity."""
    counted: Counted
    """What the share counts."""
    ancestry: str | None
    """Population; None = not told apart."""
    sex: str | None
    """`female` or `male`; None = both."""
    share: Figure
    """The share."""


@dataclass(frozen=True, slots=True)
class DpydAllele:
    """An allele of DPYD and what is left of the enzyme."""

    allele: str
    """Star name, or the variant where it has none."""
    coding: str
    """HGVS coding-DNA change; empty = the reference allele."""
    protein: str
    """HGVS protein change; empty = none, or not coding."""
    activity: float
    """Contribution to the activity score: 0, 0.5 or 1."""
    source: str
    """Id of the source."""
    basis: Basis
    """How it came to us."""


@cache
def load_dpyd_alleles() -> Mapping[str, DpydAllele]:
    """Every DPYD allele, by name."""
    rows = read_csv("dpyd_alleles.csv", "dpyd_alleles", DpydAllele)
    return MappingProxyType({row.allele: row for row in rows})


def dpyd_activity_score(first: str, second: str, /) -> float:
    """The activity score of a patient with these two alleles, 0 to 2.

    Raises:
        InputError: An allele is not in the table.
    """
    alleles = load_dpyd_alleles()
    for name in (first, second):
        if name not in alleles:
            raise InputError(
                where="DPYD",
                came=repr(name),
                expected="one of " + ", ".join(alleles),
                remedy="give a tested allele, or *1 where none was found",
            )
    return alleles[first].activity + alleles[second].activity


@cache
def load_pharmacogene_frequencies() -> tuple[PharmacogeneFrequency, ...]:
    """Every frequency, in file order."""
    return read_csv("pharmacogene_frequencies.csv", "pharmacogene_frequencies", PharmacogeneFrequency)


def frequencies_of(
    biomarker: str, name: str, *, ancestry: str | None = None
) -> tuple[PharmacogeneFrequency, ...]:
    """The frequencies of one allele or state, in one population or in all."""
    return tuple(
        row
        for row in load_pharmacogene_frequencies()
        if row.biomarker == biomarker and row.name == name and ancestry in {None, row.ancestry}
    )
