"""Where the metastases are in patients whose cancer is at stage IV at diagnosis.

Rules this module guarantees:

- A share counts patients with the site recorded up to sequencing; a patient may have several sites.
- Low and high are the Wilson 95 % interval.

    >>> load_metastatic_sites()["crc", "liver"].share.value
    0.78
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.tables import Figure, read_csv


@dataclass(frozen=True, slots=True)
class SiteFact:
    """How many patients of a disease have metastases at a site."""

    disease: str
    """Slug of the disease."""
    site: str
    """Site of metastasis."""
    n: int
    """Patients counted."""
    share: Figure
    """The share with the site."""


@cache
def load_metastatic_sites() -> Mapping[tuple[str, str], SiteFact]:
    """Every fact, by disease and site."""
    rows = read_csv("metastatic_sites.csv", "metastatic_sites", SiteFact)
    return MappingProxyType({(row.disease, row.site): row for row in rows})
