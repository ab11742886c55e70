"""The six cancers: their names, codes, histologies, and who can have them.

Rules this module guarantees:

- Each histology has its own codes; a histology group stands for histologies of its own disease, and
  `any` stands for all of them.
- `Disease.histologies_of` reads a histology as trials write it: a plain one or a group.
- ICD-10-CM codes are categories: a longer code below one of them belongs to the disease.

    >>> nsclc = load_diseases()["nsclc"]
    >>> nsclc.histologies_of("squamous")
    ('squamous',)
    >>> "squamous" in nsclc.histologies_of("non_squamous")
    False
    >>> load_diseases()["ovarian"].sexes
    (<Sex.FEMALE: 'female'>,)
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.errors import InputError
from oncoproof.knowledge.tables import Basis, Figure, build, read_toml


class Sex(StrEnum):
    """Sex as it decides whether a disease is possible."""

    FEMALE = "female"
    """Has or had ovaries."""
    MALE = "male"
    """Has or had a prostate."""


@dataclass(frozen=True, slots=True)
class Histology:
    """A microscopic type within a disease."""

    name: str
    """What a pathologist calls it."""
    oncotree: str
    """OncoTree code, the nearest one."""
    icdo3_morphology: tuple[str, ...]
    """ICD-O-3 morphology codes with behaviour, such as `8140/3`; the commonest first."""


@dataclass(frozen=True, slots=True)
class Disease:
    """A cancer: its codes, types, and the patients in whom it occurs."""

    slug: str
    """Short name used everywhere in the project."""
    name: str
    """Full name."""
    synonyms: tuple[str, ...]
    """Other names found in records."""
    oncotree: str
    """OncoTree code."""
    snomed: tuple[str, ...]
    """SNOMED CT concept ids of the disorder, the most usual first."""
    icd10: tuple[str, ...]
    """ICD-10-CM categories, the most usual first."""
    icdo3_topography: tuple[str, ...]
    """ICD-O-3 topography codes of the primary."""
    sexes: tuple[Sex, ...]
    """Sexes in which it occurs."""
    age: Figure
    """Median age at diagnosis; low and high are the plausible extremes."""
    metastatic_sites: tuple[str, ...]
    """Usual sites of metastasis, roughly by frequency."""
    settings: tuple[str, ...]
    """Settings in which systemic treatment is given."""
    sides: tuple[str, ...]
    """Places of the primary that change treatment; empty = none does."""
    line_last: int
    """The last line of treatment a record plausibly counts."""
    line_counting: str
    """How lines are counted, in a sentence."""
    code_sources: tuple[str, ...]
    """Source ids of the codes."""
    code_basis: Basis
    """How the codes came to us."""
    histologies: Mapping[str, Histology]
    """Histology slug to histology."""
    histology_groups: Mapping[str, tuple[str, ...]]
    """Group name to the histologies it stands for."""

    def histologies_of(self, histology: str) -> tuple[str, ...]:
        """The histologies that a plain histology or a group stands for.

        Raises:
            InputError: The disease has no such histology or group.
        """
        if histology in self.histologies:
            return (histology,)
        if histology in self.histology_groups:
            return self.histology_groups[histology]
        raise InputError(
            where=self.slug,
            came=repr(histology),
            expected="one of " + ", ".join((*self.histologies, *self.histology_groups)),
            remedy="write the histology as diseases.toml does",
        )

    def covers_icd10(self, code: str) -> bool:
        """Whether an ICD-10-CM code, with or without its dot, lies in one of the categories."""
        return code.upper()[:3] in self.icd10


@cache
def load_diseases() -> Mapping[str, Disease]:
    """Every disease, by slug."""
    tables = read_toml("diseases.toml", "diseases")
    return MappingProxyType(
        {
            slug: build(Disease, {"slug": slug, **table}, where=f"diseases.toml {slug}")
            for slug, table in tables.items()
        }
    )
