"""Who gets a cancer, as tables: the order in which features are drawn, their shares, and earlier treatment.

Rules this module guarantees:

- A draw takes one feature of a block; of the rows of a feature the first whose context fits a patient holds.
  Where a disease has rows for a feature, the rows for every disease do not count in it.
- A share written `base` is a prevalence or a site of the knowledge base, in the stratum that the row names.
- A group that is given a share is parted among its plain values as the knowledge base says.

    >>> draws = draws_of("nsclc", Phase.TUMOUR)
    >>> next(draw for draw in draws if draw.feature == "RET" and not draw.when).shares()
    (('fusion', 0.015),)
    >>> [value for value, share in next(draw for draw in draws if draw.feature == "EGFR").shares()]
    ['ex19del', 'l858r', 'ex20ins', 'uncommon']
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import cast

from oncoproof.disease.numbers.effects import read_data
from oncoproof.errors import IntegrityError
from oncoproof.knowledge.cancers import load_biomarkers
from oncoproof.knowledge.populations import Stratum, load_metastatic_sites, prevalence_of
from oncoproof.knowledge.tables import Basis, parse_csv

_BASE = "base"
_RANGE = ".."


class Phase(StrEnum):
    """When a feature comes to be."""

    TUMOUR = "tumour"
    """With the cancer, or by the course before."""
    ACQUIRED = "acquired"
    """Under earlier treatment."""
    BODY = "body"
    """What the patient is like besides the cancer."""


@dataclass(frozen=True, slots=True)
class Draw:
    """One row of the table of populations."""

    disease: str
    """Disease slug; empty = every disease."""
    phase: Phase
    """When the feature comes to be."""
    block: str
    """Features of one block exclude one another."""
    feature: str
    """What is drawn."""
    when: str
    """Whom it concerns, in the language of rules; empty = everybody."""
    stratum: str
    """`name=value` each, `;` between them: whose prevalence `base` means."""
    options: tuple[str, ...]
    """`value:share` each; a value may be a range `lo..hi`."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    def shares(self) -> tuple[tuple[str, float], ...]:
        """Plain values with their shares."""
        return _shares(self)


@dataclass(frozen=True, slots=True)
class History:
    """One row of the table of earlier treatment."""

    disease: str
    """Disease slug."""
    when: str
    """Whom it concerns, in the language of rules; empty = everybody."""
    options: tuple[str, ...]
    """`regimen:share` each; what they leave of 1 is no such treatment."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    def choices(self) -> tuple[tuple[tuple[str, ...], float], ...]:
        """The drugs of each option and its share."""
        pairs = (option.rpartition(":") for option in self.options)
        return tuple((tuple(regimen.split("+")), float(share)) for regimen, _, share in pairs)


@dataclass(frozen=True, slots=True)
class RegionMix:
    """Ancestries of the patients that a region brings into trials."""

    region: str
    """Region of a trial table."""
    options: tuple[str, ...]
    """`ancestry:share` each."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_draws() -> tuple[Draw, ...]:
    """The table of populations."""
    name = "populations.csv"
    return parse_csv(read_data(name), "populations", Draw, where=name, family="oncoproof.disease")


@cache
def load_histories() -> tuple[History, ...]:
    """The table of earlier treatment, in the order in which it was given."""
    name = "histories.csv"
    return parse_csv(read_data(name), "histories", History, where=name, family="oncoproof.disease")


@cache
def load_regions() -> Mapping[str, tuple[tuple[str, float], ...]]:
    """For each region ancestries and their shares."""
    name = "regions.csv"
    rows = parse_csv(read_data(name), "regions", RegionMix, where=name, family="oncoproof.disease")
    return MappingProxyType({row.region: _plain_options(row.options) for row in rows})


@cache
def draws_of(disease: str, phase: Phase) -> tuple[Draw, ...]:
    """The draws of a phase in a disease, in order: its own, then those for every disease that it lacks."""
    listed = [draw for draw in load_draws() if draw.phase is phase]
    own = [draw for draw in listed if draw.disease == disease]
    features = {draw.feature for draw in own}
    return (*own, *(draw for draw in listed if not draw.disease and draw.feature not in features))


@cache
def _shares(draw: Draw) -> tuple[tuple[str, float], ...]:
    found: list[tuple[str, float]] = []
    for value, share in _raw_options(draw.options):
        number = _base_share(draw, value) if share == _BASE else float(share)
        found.extend((plain, number * part) for plain, part in _parts(draw, value))
    return tuple(found)


def _raw_options(options: tuple[str, ...]) -> list[tuple[str, str]]:
    pairs = (option.rpartition(":") for option in options)
    return [(value, share) for value, _, share in pairs]


def _plain_options(options: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    return tuple((value, float(share)) for value, share in _raw_options(options))


def _base_share(draw: Draw, value: str) -> float:
    """The share that the knowledge base knows."""
    if draw.feature == "metastatic_sites":
        return float(load_metastatic_sites()[draw.disease, value].share.value)
    facts = prevalence_of(draw.disease, draw.feature, value, **_stratum(draw.stratum))
    if not facts:
        raise IntegrityError(
            where=f"populations.csv {draw.disease} {draw.feature}",
            came=f"{value}:{_BASE}, {draw.stratum or 'no stratum'}",
            expected="a prevalence in the knowledge base",
            remedy="name a stratum of prevalence.csv, or write a share",
        )
    # Facts that tie come from different cohorts; none is preferred.
    return sum(fact.share.value for fact in facts) / len(facts)


def _stratum(text: str) -> Stratum:
    pairs = [part.partition("=") for part in text.split(";") if part]
    return cast("Stratum", {name: value for name, _, value in pairs})


def _parts(draw: Draw, value: str) -> tuple[tuple[str, float], ...]:
    """A value as plain values with the part that each has of it."""
    biomarker = load_biomarkers().get(draw.feature)
    if biomarker is None or _RANGE in value or value not in biomarker.groups:
        return ((value, 1.0),)
    return _split(draw.disease, draw.feature, value)


@cache
def _split(disease: str, feature: str, group: str) -> tuple[tuple[str, float], ...]:
    biomarker = load_biomarkers()[feature]
    plain = [value for value in biomarker.groups[group] if value in biomarker.values_in(disease)]
    parts = [_part(disease, feature, value, group) for value in plain]
    known = sum(part for part in parts if part is not None)
    unknown = parts.count(None)
    left = max(1.0 - known, 0.0) / unknown if unknown else 0.0
    whole = known + left * unknown
    return tuple(
        (value, (left if part is None else part) / whole) for value, part in zip(plain, parts, strict=True)
    )


def _part(disease: str, feature: str, value: str, group: str) -> float | None:
    facts = prevalence_of(disease, feature, value, given={feature: group}, cohort="literature")
    wanted = f"{feature}={group}"
    return next((fact.share.value for fact in facts if fact.given == wanted), None)
