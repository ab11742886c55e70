"""How common each biomarker value is, in whom.

Rules this module guarantees:

- A fact says in whom it was counted: disease, the stratum (blank = not restricted), what else was
  given of the tumour, and the cohort. `msk_chord` is a referral cohort enriched for drivers: use its
  contrasts between strata, and scale its levels to the literature.
- Low and high are the Wilson 95 % interval where the share is computed and its n is on record; for
  recalled and read ranges they are the stated range, and the value its middle.
- Facts that share a `partition` are exhaustive: their shares sum to 1 within rounding.

    >>> [fact.share.value for fact in prevalence_of("nsclc", "EGFR", "mut", ancestry="asian", sex="female",
    ...     smoking="never", histology="adenocarcinoma", cohort="msk_chord")]
    [0.717]
    >>> [fact.share.value for fact in prevalence_of("crc", "MSI", "high", stage="IV")]
    [0.032]
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypedDict, Unpack

from oncoproof.knowledge.tables import Figure, read_csv


class Stratum(TypedDict, total=False):
    """In whom prevalence is asked; what is left out is not known of the patient."""

    cohort: str
    """`msk_chord` or `literature`."""
    histology: str
    """Histology or group."""
    sex: str
    """`female` or `male`."""
    ancestry: str
    """Ancestry, as the facts write it."""
    smoking: str
    """`never` or `ever`."""
    age_years: float
    """Age at diagnosis."""
    stage: str
    """Stage at diagnosis, `I` to `IV`."""
    side: str
    """Place of the primary."""
    subtype: str
    """Subtype of `subtypes.csv`."""
    setting: str
    """When or why the tumour was tested."""
    region: str
    """Part of the world."""
    given: Mapping[str, str]
    """Known biomarker values, by key."""


@dataclass(frozen=True, slots=True)
class PrevalenceFact:
    """The share of some patients who have a biomarker value."""

    disease: str
    """Slug of the disease."""
    biomarker: str
    """Key of the biomarker."""
    value: str
    """Plain value, group or range `lo..hi`; `|` between alternatives."""
    cohort: str
    """`msk_chord` (a referral cohort) or `literature`."""
    histology: str | None
    """Histology or group; None = any."""
    sex: str | None
    """`female` or `male`; None = both."""
    ancestry: str | None
    """Ancestry; None = any."""
    smoking: str | None
    """`never` or `ever`; None = any."""
    age_min: int | None
    """Youngest age in years; None = no limit."""
    age_max: int | None
    """Oldest age in years; None = no limit."""
    stage: tuple[str, ...]
    """Stages at diagnosis; empty = any."""
    side: str | None
    """Place of the primary; None = any."""
    subtype: str | None
    """Subtype of `subtypes.csv`; None = any."""
    setting: str | None
    """When or why the tumour was tested; None = not restricted."""
    region: str | None
    """Part of the world; None = not restricted."""
    given: str
    """Conditions `KEY=value` of the tumours counted, `;` between them; empty = none."""
    n: int | None
    """Patients counted; None = not on record."""
    partition: str | None
    """Name shared by facts that together are exhaustive; None = stands alone."""
    note: str
    """What a reader must know; may be empty."""
    share: Figure
    """The share of these patients with the value."""

    @property
    def specificity(self) -> int:
        """How many restrictions the fact carries."""
        restrictions = (
            self.histology,
            self.sex,
            self.ancestry,
            self.smoking,
            self.side,
            self.subtype,
            self.setting,
            self.region,
        )
        ages = self.age_min is not None or self.age_max is not None
        conditions = len(self.given.split(";")) if self.given else 0
        return sum(item is not None for item in restrictions) + ages + bool(self.stage) + conditions

    def applies_to(self, stratum: Stratum) -> bool:
        """Whether every restriction is known to hold in a stratum."""
        plain = (
            (self.histology, stratum.get("histology")),
            (self.sex, stratum.get("sex")),
            (self.ancestry, stratum.get("ancestry")),
            (self.smoking, stratum.get("smoking")),
            (self.side, stratum.get("side")),
            (self.subtype, stratum.get("subtype")),
            (self.setting, stratum.get("setting")),
            (self.region, stratum.get("region")),
        )
        return (
            all(wanted is None or wanted == found for wanted, found in plain)
            and stratum.get("cohort", self.cohort) == self.cohort
            and (not self.stage or stratum.get("stage") in self.stage)
            and self._age_fits(stratum.get("age_years"))
            and self._given_fits(stratum.get("given", {}))
        )

    def _age_fits(self, age_years: float | None) -> bool:
        if self.age_min is None and self.age_max is None:
            return True
        if age_years is None:
            return False
        oldest = self.age_max + 1 if self.age_max is not None else age_years + 1
        return (self.age_min or 0) <= age_years < oldest

    def _given_fits(self, given: Mapping[str, str]) -> bool:
        if not self.given:
            return True
        conditions = (condition.partition("=") for condition in self.given.split(";"))
        return all(given.get(key) in {values, *values.split("|")} for key, _, values in conditions)


@cache
def load_prevalence() -> tuple[PrevalenceFact, ...]:
    """Every fact, in file order."""
    return read_csv("prevalence.csv", "prevalence", PrevalenceFact)


@cache
def _by_value() -> Mapping[tuple[str, str, str], tuple[PrevalenceFact, ...]]:
    grouped: dict[tuple[str, str, str], list[PrevalenceFact]] = {}
    for fact in load_prevalence():
        grouped.setdefault((fact.disease, fact.biomarker, fact.value), []).append(fact)
    return {key: tuple(facts) for key, facts in grouped.items()}


def prevalence_of(
    disease: str, biomarker: str, value: str, **stratum: Unpack[Stratum]
) -> tuple[PrevalenceFact, ...]:
    """The most specific facts whose every restriction the stratum is known to meet.

    Args:
        disease: Slug of the disease.
        biomarker: Key of the biomarker.
        value: The value or group, as the facts write it.
        **stratum: What is known of the patients.

    Returns:
        The facts that tie for most restrictions, in file order; empty where none applies.
    """
    fitting = [fact for fact in _by_value().get((disease, biomarker, value), ()) if fact.applies_to(stratum)]
    closest = max((_closeness(fact) for fact in fitting), default=None)
    return tuple(fact for fact in fitting if _closeness(fact) == closest)


def _closeness(fact: PrevalenceFact) -> tuple[int, int]:
    """More restrictions are closer; among as many, fewer stages are."""
    return fact.specificity, -len(fact.stage)
