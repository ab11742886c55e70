"""What goes with longer or shorter survival, and milestones that a simulation should reproduce.

Rules this module guarantees:

- A link is a hazard ratio of a contrast named in words; above 1 the first side does worse. All
  covariates of one `model` were adjusted for one another where the model is multivariable.
- The MSK-CHORD models are of stage IV at diagnosis, from diagnosis, left-truncated at sequencing; they
  lack ECOG and LDH, and immortal-time and referral bias remain.
- Low and high are 95 % intervals where computed or read, and the stated range where recalled.

    >>> [link.hazard_ratio.value for link in links_of("crc", "MSI")]
    [0.45]
"""

from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.tables import Figure, read_csv


@dataclass(frozen=True, slots=True)
class SurvivalLink:
    """One hazard ratio."""

    disease: str
    """Slug of the disease; `any` = all."""
    covariate: str
    """Biomarker key, site of metastasis, or a clinical quantity."""
    contrast: str
    """What is compared, in words: `this v that` or `per so much`."""
    endpoint: str
    """`os`, `pfs`, or `pps` (survival after progression)."""
    model: str
    """The analysis it comes from."""
    n: int | None
    """Patients of the analysis; None = not on record."""
    hazard_ratio: Figure
    """Hazard of the first side over the second."""
    note: str
    """What a reader must know; may be empty."""


@dataclass(frozen=True, slots=True)
class SurvivalMilestone:
    """A number that a simulated course should come near."""

    disease: str
    """Slug of the disease; `any` = all."""
    quantity: str
    """`os_median`, `pfs_median`, `post_progression_survival_median`, `crossover_share`, …"""
    subject: str
    """The patients or the trial it speaks of."""
    n: int | None
    """Patients counted; None = not on record."""
    figure: Figure
    """The number in its unit."""
    note: str
    """What a reader must know; may be empty."""


@cache
def load_survival_links() -> tuple[SurvivalLink, ...]:
    """Every hazard ratio, in file order."""
    return read_csv("survival_links.csv", "survival_links", SurvivalLink)


@cache
def load_survival_milestones() -> tuple[SurvivalMilestone, ...]:
    """Every milestone, in file order."""
    return read_csv("survival_milestones.csv", "survival_milestones", SurvivalMilestone)


def links_of(disease: str, covariate: str) -> tuple[SurvivalLink, ...]:
    """The hazard ratios of a covariate that hold in a disease."""
    return tuple(
        link
        for link in load_survival_links()
        if link.covariate == covariate and link.disease in {disease, "any"}
    )
