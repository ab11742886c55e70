"""What each laboratory test can see, how well, how fast, and how often it fails.

Rules this module guarantees:

- An assay measures the biomarkers it has accuracy figures for, and no others.
- Sensitivity and specificity are of a test that gave a result; `failure` is the share that gives none.
- The 14 % of local MSI-high results that a central laboratory did not confirm is a share of positives
  (`unconfirmed_positive_share`), not a specificity.
- `turnaround` is the median in days, low and high its usual range.

    >>> msi = load_assays()["ihc_mmr"].accuracy["MSI"]
    >>> msi.unconfirmed_positive_share.value
    0.14
    >>> [assay.assay for assay in assays_for("DPYD")]
    ['germline_panel', 'dpyd_genotyping']
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Figure, read_csv


class Specimen(StrEnum):
    """What an assay is done on."""

    TISSUE = "tissue"
    """Tumour tissue from biopsy or surgery."""
    PLASMA = "plasma"
    """Blood plasma, for the tumour's DNA in it."""
    BLOOD = "blood"
    """Blood, for what is inherited."""
    IMAGING = "imaging"
    """None: the patient is imaged."""


class AccuracyQuantity(StrEnum):
    """What an accuracy figure counts."""

    SENSITIVITY = "sensitivity"
    """Positives found among those who have the marker."""
    SPECIFICITY = "specificity"
    """Negatives among those who do not have it."""
    UNCONFIRMED_POSITIVE_SHARE = "unconfirmed_positive_share"
    """Positives that a reference laboratory did not confirm."""


@dataclass(frozen=True, slots=True)
class AssayRow:
    """A row of `assays.csv`: an assay without its accuracy."""

    assay: str
    """Slug of the assay."""
    name: str
    """What a laboratory calls it."""
    specimen: Specimen
    """What it is done on."""
    turnaround: Figure
    """Days from specimen to report."""
    failure: Figure
    """Share of specimens that give no result."""
    note: str
    """What a reader must know; may be empty."""


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """A row of `assay_accuracy.csv`."""

    assay: str
    """Slug of the assay."""
    biomarker: str
    """Key of the biomarker."""
    quantity: AccuracyQuantity
    """What the figure counts."""
    figure: Figure
    """The share."""
    note: str
    """What a reader must know; may be empty."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """How well an assay sees one biomarker."""

    sensitivity: Figure
    """Positives found among those who have the marker."""
    specificity: Figure
    """Negatives among those who do not have it."""
    unconfirmed_positive_share: Figure | None
    """Positives that a reference laboratory did not confirm; None = not on record."""
    note: str
    """What a reader must know; may be empty."""


@dataclass(frozen=True, slots=True)
class Assay:
    """A laboratory test and what it can do."""

    assay: str
    """Slug, unique."""
    name: str
    """What a laboratory calls it."""
    specimen: Specimen
    """What it is done on."""
    turnaround: Figure
    """Days from specimen to report: median, and the usual range."""
    failure: Figure
    """Share of specimens that give no result."""
    note: str
    """What a reader must know; may be empty."""
    accuracy: Mapping[str, Accuracy]
    """How well it sees each biomarker it measures, by key."""

    def measures(self, biomarker: str) -> bool:
        """Whether a result of this assay can speak of a biomarker."""
        return biomarker in self.accuracy


@cache
def load_assays() -> Mapping[str, Assay]:
    """Every assay, by slug."""
    accuracy = read_csv("assay_accuracy.csv", "assay_accuracy", AccuracyRow)
    return MappingProxyType(
        {
            row.assay: Assay(
                row.assay,
                row.name,
                row.specimen,
                row.turnaround,
                row.failure,
                row.note,
                _gather([one for one in accuracy if one.assay == row.assay]),
            )
            for row in read_csv("assays.csv", "assays", AssayRow)
        }
    )


def _gather(rows: list[AccuracyRow]) -> Mapping[str, Accuracy]:
    figures = {(row.biomarker, row.quantity): row for row in rows}
    gathered: dict[str, Accuracy] = {}
    for biomarker in dict.fromkeys(row.biomarker for row in rows):
        sensitivity = figures[biomarker, AccuracyQuantity.SENSITIVITY]
        unconfirmed = figures.get((biomarker, AccuracyQuantity.UNCONFIRMED_POSITIVE_SHARE))
        gathered[biomarker] = Accuracy(
            sensitivity.figure,
            figures[biomarker, AccuracyQuantity.SPECIFICITY].figure,
            unconfirmed.figure if unconfirmed else None,
            (unconfirmed or sensitivity).note,
        )
    return MappingProxyType(gathered)


def assays_for(biomarker: str) -> tuple[Assay, ...]:
    """The assays that can measure a biomarker, in file order."""
    return tuple(assay for assay in load_assays().values() if assay.measures(biomarker))
