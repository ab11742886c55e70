"""Tumour mutational burden by cancer, and response to PD-(L)1 inhibitors by it.

Rules this module guarantees:

- The cohorts were all treated with a PD-(L)1 inhibitor, so they are not the disease at large: the
  colorectal cohort is rich in MSI.
- Low and high of a median are the quartiles (`iqr`), of a share its Wilson interval (`ci95`); the n
  of a response rate by burden follows from the share of patients with 10 or more.

    >>> load_mutational_burden()["melanoma", "tmb_median"].figure.value
    11.6
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Figure, read_csv


@dataclass(frozen=True, slots=True)
class BurdenFact:
    """One number about mutational burden in one cancer."""

    cancer: str
    """Slug of a disease, or of another cancer of the cohorts."""
    quantity: str
    """`tmb_median`, `share_tmb_10_or_more`, `response_rate`, or that by burden."""
    n: int
    """Patients counted."""
    interval: str | None
    """What low and high are: `iqr` or `ci95`; None = there are none."""
    figure: Figure
    """The median per megabase, or the share."""


@cache
def load_mutational_burden() -> Mapping[tuple[str, str], BurdenFact]:
    """Every fact, by cancer and quantity."""
    return MappingProxyType(
        {(row.cancer, row.quantity): row for row in read_csv("tmb.csv", "tmb", BurdenFact)}
    )
