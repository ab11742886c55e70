"""Which laboratory and vital features a record's observations are, and in which unit.

Rules this module guarantees:

- An observation is known by the project's own code (`urn:oncoproof:analyte`) or by LOINC.
- A value is given in the unit of the feature; mass becomes amount of substance only with a molar
  mass. A feature that counts multiples of the upper limit of normal needs the reference range.

    >>> load_analytes()["2601-3"].feature
    'magnesium'
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.journey import Event, Lab, Quantity, System, convert
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, read_csv


@dataclass(frozen=True, slots=True)
class Analyte:
    """How a feature is called where it was measured."""

    feature: str
    """Feature of the vocabulary."""
    loinc: tuple[str, ...]
    """LOINC codes; empty = none that says exactly this."""
    is_multiple_of_upper_limit: bool
    """Whether the feature is the value divided by the upper limit of normal."""
    molar_mass_g_per_mol: float | None
    """Grams per mole, to read mass as amount of substance; None = mass is not read so."""
    note: str
    """What a reader must know; may be empty."""
    source: str
    """Id of the source."""
    basis: Basis
    """How it came to us."""


@cache
def load_analytes() -> Mapping[str, Analyte]:
    """Every analyte, by feature and by each of its LOINC codes."""
    found: dict[str, Analyte] = {}
    for row in read_csv("analytes.csv", "analytes", Analyte):
        found |= dict.fromkeys((row.feature, *row.loinc), row)
    return MappingProxyType(found)


def read_lab(event: Event) -> tuple[str, float] | None:
    """The feature an observation is and its value in that feature's unit; None = no such feature.

    Raises:
        UnitError: The unit does not measure the feature.
    """
    content = event.content
    analyte = _analyte(event)
    if analyte is None or not isinstance(content, Lab) or not isinstance(content.value, Quantity):
        return None
    if analyte.is_multiple_of_upper_limit:
        return (analyte.feature, content.value.value / content.high) if content.high else None
    unit = load_vocabulary().feature(analyte.feature).unit or "1"
    value = convert(content.value, unit, molar_mass_g_per_mol=analyte.molar_mass_g_per_mol)
    return analyte.feature, value.value


def _analyte(event: Event) -> Analyte | None:
    known = load_analytes()
    systems = {System.ANALYTE, System.LOINC}
    return next(
        (known[code.code] for code in event.codes if code.system in systems and code.code in known), None
    )
