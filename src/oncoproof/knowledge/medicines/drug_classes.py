"""Classes of anticancer drugs and the umbrellas over them.

Rules this module guarantees:

- Every class is of one modality, and the umbrellas it names exist.
- An umbrella whose rule is `any_drug` belongs to a patient as soon as one drug below it was given;
  one whose rule is `whole_regimen` (a platinum doublet) can only be said of a combination.
- Whatever is not supportive is systemic therapy.

    >>> load_classes()["egfr_tki_gen3"].umbrellas
    ('egfr_tki', 'systemic_therapy')
    >>> load_umbrellas()["platinum_doublet"].rule.value
    'whole_regimen'
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.tables import build, read_toml

SYSTEMIC_THERAPY = "systemic_therapy"
"""The umbrella over every drug that is not merely supportive."""


class Modality(StrEnum):
    """What sort of treatment a class is."""

    CYTOTOXIC = "cytotoxic"
    """Chemotherapy."""
    TARGETED = "targeted"
    """A small molecule against a driver or pathway."""
    ANTIBODY = "antibody"
    """An antibody or fusion protein that carries no poison."""
    ADC = "adc"
    """An antibody that carries a poison."""
    IMMUNOTHERAPY = "immunotherapy"
    """A checkpoint antibody, cells or a vaccine."""
    ENDOCRINE = "endocrine"
    """A hormone, or what takes one away."""
    PARP = "parp"
    """A PARP inhibitor."""
    RADIOLIGAND = "radioligand"
    """A radiopharmaceutical."""
    SUPPORTIVE = "supportive"
    """A partner without effect of its own on the tumour, or placebo."""


class UmbrellaRule(StrEnum):
    """What must be given for an umbrella to apply."""

    ANY_DRUG = "any_drug"
    """One drug of a class below it."""
    WHOLE_REGIMEN = "whole_regimen"
    """A certain combination."""


@dataclass(frozen=True, slots=True)
class Umbrella:
    """A name that eligibility criteria use for several classes."""

    slug: str
    """What tables call it."""
    name: str
    """What a reader calls it."""
    rule: UmbrellaRule
    """What must be given for it to apply."""


@dataclass(frozen=True, slots=True)
class DrugClass:
    """Drugs that do the same thing in the same way."""

    slug: str
    """What tables call it."""
    name: str
    """What a reader calls it."""
    mechanism: str
    """What it does, in a line."""
    modality: Modality
    """What sort of treatment it is."""
    targets: tuple[str, ...]
    """HGNC symbols of what it acts on; empty = no gene product in particular."""
    umbrellas: tuple[str, ...]
    """Umbrellas it stands under, sorted."""


@cache
def load_umbrellas() -> Mapping[str, Umbrella]:
    """All umbrellas, by slug."""
    return MappingProxyType({slug: _umbrella(slug, row) for slug, row in _read("umbrella").items()})


@cache
def load_classes() -> Mapping[str, DrugClass]:
    """All classes, by slug."""
    return MappingProxyType({slug: _drug_class(slug, row) for slug, row in _read("class").items()})


def _read(part: str) -> dict[str, dict[str, Any]]:
    return read_toml("classes.toml", "classes")[part]


def _umbrella(slug: str, row: dict[str, Any]) -> Umbrella:
    return build(Umbrella, {"slug": slug, **row}, where=f"classes.toml umbrella.{slug}")


def _drug_class(slug: str, row: dict[str, Any]) -> DrugClass:
    found = build(DrugClass, {"slug": slug, **row}, where=f"classes.toml class.{slug}")
    for umbrella in found.umbrellas:
        if umbrella not in load_umbrellas():
            raise IntegrityError(
                where=f"classes.toml class.{slug}",
                came=f"umbrella {umbrella!r}",
                expected="an umbrella of the same file",
                remedy="add the umbrella or correct the name",
            )
    if found.modality is Modality.SUPPORTIVE:
        return found
    return replace(found, umbrellas=tuple(sorted({*found.umbrellas, SYSTEMIC_THERAPY})))
