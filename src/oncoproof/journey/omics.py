"""What a biomarker event found: variants, fusions, copy numbers, classes and scores.

A finding names its gene by HGNC symbol and id, its change by HGVS where there is one, and its
magnitude with a unit. Whether it is present and whether it is inherited stands on the event's
`Biomarker`, because an assay can also report that a finding is absent.

    >>> SmallVariant(gene="EGFR", protein="p.Leu858Arg", vaf=0.31).gene
    'EGFR'
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from oncoproof.journey.bounds import require_amount, require_percentage, require_share


class Origin(StrEnum):
    """Where a finding comes from."""

    GERMLINE = "germline"
    """Inherited."""
    SOMATIC = "somatic"
    """Of the tumour."""
    UNKNOWN = "unknown"
    """Not told apart."""


class Presence(StrEnum):
    """What an assay says of a finding."""

    PRESENT = "present"
    """It is there."""
    ABSENT = "absent"
    """It was looked for and not found."""
    INDETERMINATE = "indeterminate"
    """The assay could not tell."""
    NO_CALL = "no_call"
    """The assay failed."""


class CopyChange(StrEnum):
    """A class of copy number."""

    AMPLIFICATION = "amplification"
    """Many copies."""
    GAIN = "gain"
    """A few more than two."""
    NEUTRAL = "neutral"
    """Two."""
    LOSS = "loss"
    """One."""
    DEEP_DELETION = "deep_deletion"
    """None."""


class MsiClass(StrEnum):
    """Microsatellite status."""

    HIGH = "high"
    """Unstable, or mismatch-repair deficient."""
    LOW = "low"
    """Instability at few loci."""
    STABLE = "stable"
    """Stable, or mismatch-repair proficient."""


class HrdClass(StrEnum):
    """Homologous recombination status."""

    POSITIVE = "positive"
    """Deficient."""
    NEGATIVE = "negative"
    """Proficient."""


class Pdl1Score(StrEnum):
    """How PD-L1 staining is counted."""

    TPS = "tps"
    """Share of tumour cells stained."""
    CPS = "cps"
    """Stained tumour and immune cells per 100 tumour cells."""
    IC = "ic"
    """Share of tumour area with stained immune cells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallVariant:
    """A substitution, insertion or deletion of a few bases."""

    gene: str
    """HGNC symbol."""
    gene_id: str = ""
    """HGNC id, for instance `HGNC:3236`; empty = not stated."""
    protein: str = ""
    """HGVS protein change, for instance `p.Leu858Arg`; empty = not stated."""
    coding: str = ""
    """HGVS coding DNA change, with transcript where known; empty = not stated."""
    genomic: str = ""
    """HGVS genomic change with reference sequence; empty = not stated."""
    vaf: float | None = None
    """Variant allele fraction, 0 to 1; None = not stated."""

    def __post_init__(self) -> None:
        require_share("variant allele fraction", self.vaf)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """Two genes joined."""

    five_prime: str
    """HGNC symbol of the gene before the breakpoint; empty = partner not known."""
    three_prime: str
    """HGNC symbol of the gene after the breakpoint, for instance the kinase."""
    five_prime_id: str = ""
    """HGNC id of the first gene; empty = not stated."""
    three_prime_id: str = ""
    """HGNC id of the second gene; empty = not stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyNumber:
    """The number of copies of a gene."""

    gene: str
    """HGNC symbol."""
    gene_id: str = ""
    """HGNC id; empty = not stated."""
    change: CopyChange
    """The class of the number."""
    copies: float | None = None
    """Copies per cell, 0 or more; None = only the class was stated."""

    def __post_init__(self) -> None:
        require_amount("copies per cell", self.copies)


@dataclass(frozen=True, slots=True, kw_only=True)
class Expression:
    """A protein or transcript by immunohistochemistry or counting, as a class."""

    gene: str
    """HGNC symbol, for instance `ESR1`, `ERBB2`."""
    gene_id: str = ""
    """HGNC id; empty = not stated."""
    level: str
    """The class, for instance `positive`, `negative`, `low`, `ultralow`, `zero`, `3+`."""
    percent: float | None = None
    """Share of cells stained, 0 to 100; None = not stated."""

    def __post_init__(self) -> None:
        require_percentage("cells stained in per cent", self.percent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pdl1:
    """PD-L1 staining."""

    score: Pdl1Score
    """How it is counted."""
    percent: float
    """The score, 0 to 100."""
    antibody: str = ""
    """Clone of the antibody, for instance `22C3`; empty = not stated."""

    def __post_init__(self) -> None:
        require_percentage("PD-L1 score", self.percent)


@dataclass(frozen=True, slots=True, kw_only=True)
class Msi:
    """Microsatellite instability or mismatch-repair deficiency."""

    status: MsiClass
    """The class."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tmb:
    """Tumour mutational burden."""

    per_megabase: float
    """Mutations per megabase, 0 or more."""

    def __post_init__(self) -> None:
        require_amount("mutations per megabase", self.per_megabase)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hrd:
    """Homologous recombination deficiency."""

    status: HrdClass
    """The class."""
    score: float | None = None
    """Genomic instability score, 0 or more; None = not stated."""

    def __post_init__(self) -> None:
        require_amount("genomic instability score", self.score)


@dataclass(frozen=True, slots=True, kw_only=True)
class Methylation:
    """A methylation class of a gene's promoter or of the tumour."""

    gene: str = ""
    """HGNC symbol; empty = a class of the whole tumour."""
    methylation_class: str
    """The class, for instance `methylated`, `unmethylated`, `CIMP-high`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pharmacogene:
    """An inherited variant that changes how a medicine is handled."""

    gene: str
    """HGNC symbol, for instance `DPYD`, `UGT1A1`."""
    diplotype: str = ""
    """Star alleles, for instance `*1/*2A`; empty = not stated."""
    activity_score: float | None = None
    """Activity score where the gene has one, 0 or more; None = not stated."""
    phenotype: str = ""
    """For instance `poor_metaboliser`; empty = not stated."""

    def __post_init__(self) -> None:
        require_amount("activity score", self.activity_score)


Finding: TypeAlias = (
    SmallVariant | Fusion | CopyNumber | Expression | Pdl1 | Msi | Tmb | Hrd | Methylation | Pharmacogene
)
