"""What can be measured in a patient or tumour: the keys, their values, and what a value means.

Rules this module guarantees:

- A key has plain values (a patient has one of them), or a numeric range, or is open (`PRIOR`, whose
  values are the slugs of treatments); exactly one of the three.
- A group stands for plain values of its own key; no group shares a name with a plain value.
- Genes are symbols of `genes.csv`; diseases are slugs of `diseases.toml`.
- HER2 is expression in breast and colorectal cancer and mutation in NSCLC: ask `values_in(disease)`.

    >>> egfr = load_biomarkers()["EGFR"]
    >>> egfr.expand("mut")
    ('ex19del', 'l858r', 'ex20ins', 'uncommon')
    >>> load_biomarkers()["PDL1_TPS"].permits("50..100")
    True
    >>> load_biomarkers()["HER2"].values_in("nsclc")
    ('mut', 'wt')
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.errors import InputError
from oncoproof.knowledge.tables import Basis, build, read_toml

_RANGE_SEPARATOR = ".."


class BiomarkerKind(StrEnum):
    """What sort of thing a biomarker is."""

    SMALL_VARIANT = "small_variant"
    """A mutation of a gene, or of one of several genes."""
    FUSION = "fusion"
    """A gene fusion."""
    COPY_NUMBER = "copy_number"
    """An amplification or loss."""
    EXPRESSION = "expression"
    """An expression class of the tumour."""
    MSI = "msi"
    """Microsatellite instability or mismatch-repair deficiency."""
    TMB = "tmb"
    """Tumour mutational burden."""
    HRD = "hrd"
    """Homologous recombination deficiency."""
    PDL1 = "pdl1"
    """A PD-L1 score."""
    METHYLATION = "methylation"
    """A methylation state or class."""
    RECEPTOR = "receptor"
    """A receptor status by immunohistochemistry and its reflex tests."""
    PHARMACOGENE = "pharmacogene"
    """An inherited gene that changes what a drug does to the patient."""
    CLINICAL = "clinical"
    """A state of the patient rather than a measurement of the tumour."""


class Origin(StrEnum):
    """Where a variant comes from."""

    SOMATIC = "somatic"
    """Acquired by the tumour."""
    GERMLINE = "germline"
    """Inherited: in every cell."""


@dataclass(frozen=True, slots=True)
class Biomarker:
    """One key: what it means and which values it may take."""

    key: str
    """Upper-case name, as rules and cohorts write it."""
    name: str
    """What a person calls it."""
    kind: BiomarkerKind
    """What sort of thing it is."""
    source: str
    """Id of the source of the definition and range."""
    basis: Basis
    """How the definition came to us."""
    genes: tuple[str, ...] = ()
    """Symbols of `genes.csv`; empty = no single gene."""
    values: tuple[str, ...] = ()
    """Plain values over all diseases; empty = numeric or open."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Group name to the plain values it stands for."""
    values_by_disease: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Plain values where they differ between diseases; empty = the same in all."""
    reference: str | None = None
    """The value of a patient without the alteration; None = there is no such value."""
    diseases: tuple[str, ...] = ()
    """Disease slugs in which it is meaningful; empty = in all."""
    origins: tuple[Origin, ...] = ()
    """Origins a variant may have; empty = not a variant."""
    low: float | None = None
    """Lowest number, in `unit`; None = not numeric."""
    high: float | None = None
    """Highest number, in `unit`; None = not numeric."""
    unit: str | None = None
    """UCUM unit of the number; None = not numeric."""
    is_open: bool = False
    """Whether values are slugs of another file (treatments)."""
    note: str = ""
    """What a reader must know to use it rightly; may be empty."""

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers from `low` to `high`."""
        return self.low is not None

    def values_in(self, disease: str) -> tuple[str, ...]:
        """The plain values it may take in a disease."""
        return self.values_by_disease.get(disease, self.values)

    def applies_to(self, disease: str) -> bool:
        """Whether it is meaningful in a disease."""
        return not self.diseases or disease in self.diseases

    def expand(self, value: str) -> tuple[str, ...]:
        """The plain values that a plain value or group stands for.

        Raises:
            InputError: The key has no such value or group.
        """
        if value in self.values:
            return (value,)
        if value in self.groups:
            return self.groups[value]
        raise InputError(
            where=self.key,
            came=repr(value),
            expected="one of " + ", ".join((*self.values, *self.groups)),
            remedy="write the value as biomarkers.toml does",
        )

    def permits(self, text: str) -> bool:
        """Whether a text is a plain value, a group, a number in range or a closed range `lo..hi`."""
        if self.is_open:
            return bool(text)
        if self.low is None or self.high is None:
            return text in self.values or text in self.groups
        try:
            bounds = [float(part) for part in text.split(_RANGE_SEPARATOR)]
        except ValueError:
            return False
        return len(bounds) <= 2 and self.low <= bounds[0] <= bounds[-1] <= self.high


@cache
def load_biomarkers() -> Mapping[str, Biomarker]:
    """Every biomarker, by key."""
    tables = read_toml("biomarkers.toml", "biomarkers")
    return MappingProxyType(
        {
            key: build(Biomarker, {"key": key, **table}, where=f"biomarkers.toml {key}")
            for key, table in tables.items()
        }
    )
