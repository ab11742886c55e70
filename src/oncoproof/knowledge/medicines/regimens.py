"""Regimens: drugs that are given together, with dose, days and cycles.

Rules this module guarantees:

- The id of a regimen is its drugs, sorted and joined by `+`; `@variant` marks another schedule of the
  same drugs. Every drug is one of `drugs.toml`.
- What goes on as maintenance is part of the regimen; days lie within the cycle.
- Common names (FOLFOX, carbo/pem/pembro) stand for one regimen each.

    >>> find_regimen("mFOLFOX-6").id
    'fluorouracil+leucovorin+oxaliplatin'
    >>> load_regimens()["letrozole+ribociclib"].components[0].day_numbers[-1]
    21
    >>> sorted(treatment_groups(("cisplatin", "pemetrexed")))[-2:]
    ['platinum_doublet', 'systemic_therapy']
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.medicines.drugs import Route, classes_of, load_drugs
from oncoproof.knowledge.names import find_name, index_names
from oncoproof.knowledge.tables import Basis, build, read_toml

NO_TREATMENT = "no_treatment"
"""The regimen of giving no anticancer drug: best supportive care."""
_VARIANT = "@"


@dataclass(frozen=True, slots=True)
class Component:
    """One drug as a regimen gives it."""

    drug: str
    """Drug slug."""
    dose: float | None
    """Dose of one treatment day, in `unit`; None = not a fixed amount (cells)."""
    unit: str
    """UCUM; `mg.min/mL` = target area under the curve by the Calvert formula; empty without a dose."""
    times_daily: int | None
    """How many times the day's dose is split; None = given once, not swallowed."""
    loading: float | None
    """Dose on the first `loading_count` treatment days, in `unit`; None = the same dose from the start."""
    days: str
    """Treatment days of the cycle, the first being 1: `1,8` or `1-21`."""
    first_cycle_days: str = ""
    """Treatment days of the first cycle; empty = as in the others."""
    loading_count: int = 1
    """How many treatment days have the loading dose."""
    hours: float | None = None
    """Infusion time in hours; None = short or not infused."""

    @property
    def day_numbers(self) -> tuple[int, ...]:
        """Treatment days of a later cycle."""
        return _days(self.days)

    @property
    def first_cycle_day_numbers(self) -> tuple[int, ...]:
        """Treatment days of the first cycle."""
        return _days(self.first_cycle_days or self.days)

    @property
    def route(self) -> Route:
        """How the drug is given."""
        return load_drugs()[self.drug].route


def _days(text: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for piece in text.split(","):
        first, _, last = piece.partition("-")
        numbers.extend(range(int(first), int(last or first) + 1))
    return tuple(numbers)


@dataclass(frozen=True, slots=True)
class RegimenUse:
    """Where a regimen is given."""

    disease: str
    """Disease slug."""
    setting: str
    """Setting of that disease: `advanced`, `adjuvant`, `maintenance` …"""
    line_min: int
    """Earliest line; 0 = around surgery, or maintenance straight after first treatment."""
    line_max: int
    """Latest line; 9 = no upper limit."""

    def covers(self, disease: str, setting: str, line: int) -> bool:
        """Whether a line of a disease in a setting is meant."""
        return (disease, setting) == (self.disease, self.setting) and self.line_min <= line <= self.line_max


@dataclass(frozen=True, slots=True)
class Regimen:
    """Drugs that are given together, with their schedule."""

    id: str
    """Drugs sorted and joined by `+`, with `@variant` for another schedule."""
    name: str
    """What a reader calls it."""
    synonyms: tuple[str, ...]
    """Common names, lower case."""
    components: tuple[Component, ...]
    """What is given; a drug may occur twice (bolus and infusion). Empty = nothing."""
    cycle_days: int
    """Length of a cycle in days."""
    cycles_max: int | None
    """Cycles of the whole combination; None = until progression or harm."""
    maintenance: tuple[str, ...]
    """Drugs that go on after `cycles_max`; empty = none."""
    maintenance_cycles_max: int | None
    """Cycles of maintenance; None = until progression or harm, or no maintenance."""
    supportive: tuple[str, ...]
    """What is prescribed beside it: `folate_b12`, `prednisone`, `vte_prophylaxis` …"""
    uses: tuple[RegimenUse, ...]
    """Where it is given."""
    source: str
    """Where the schedule comes from: id of an entry of `sources.csv`."""
    basis: Basis
    """How the schedule came to us."""

    @property
    def drugs(self) -> tuple[str, ...]:
        """Its drugs, each once, sorted."""
        return tuple(sorted({component.drug for component in self.components}))

    @property
    def variant(self) -> str:
        """Which schedule of these drugs it is; empty = the usual one."""
        return self.id.partition(_VARIANT)[2]

    @property
    def classes(self) -> tuple[str, ...]:
        """Classes of its drugs, each once, sorted."""
        return tuple(sorted({load_drugs()[drug].drug_class for drug in self.drugs}))

    def is_used(self, disease: str, setting: str, line: int) -> bool:
        """Whether it is given in that line of a disease in a setting."""
        return any(use.covers(disease, setting, line) for use in self.uses)


@cache
def load_regimens() -> Mapping[str, Regimen]:
    """All regimens, by id."""
    rows = read_toml("regimens.toml", "regimens")
    return MappingProxyType({id_: _regimen(id_, row) for id_, row in rows.items()})


def _regimen(id_: str, row: Mapping[str, Any]) -> Regimen:
    where = f"regimens.toml {id_}"
    found = build(Regimen, {"id": id_, **row}, where=where)
    unknown = set(found.drugs) - set(load_drugs())
    if unknown:
        raise IntegrityError(
            where=where,
            came=f"drug {min(unknown)!r}",
            expected="a drug of drugs.toml",
            remedy="add the drug or correct the name",
        )
    if id_.partition(_VARIANT)[0] != regimen_id(found.drugs):
        raise IntegrityError(
            where=where,
            came=f"components {', '.join(found.drugs)}",
            expected=f"the drugs of {id_!r}",
            remedy=f"call the regimen {regimen_id(found.drugs)!r}",
        )
    return found


def regimen_id(drugs: Collection[str]) -> str:
    """The id of the usual regimen of these drugs: each once, sorted, joined by `+`.

    >>> regimen_id(["fulvestrant", "abemaciclib"])
    'abemaciclib+fulvestrant'
    """
    return "+".join(sorted(set(drugs))) or NO_TREATMENT


@cache
def _regimen_index() -> Mapping[str, str]:
    names = (
        (found.id, (found.id, found.name, *found.synonyms, *_slashed(found)))
        for found in load_regimens().values()
    )
    return index_names(names, where="regimens.toml")


def _slashed(found: Regimen) -> tuple[str, ...]:
    """The drugs joined by slashes in the order given, for the usual schedule of two or more."""
    order = tuple(dict.fromkeys(component.drug for component in found.components))
    return () if found.variant or len(order) < 2 else ("/".join(order), "+".join(order))


def find_regimen(text: str) -> Regimen:
    """The regimen a text names, exactly but for case, spaces and hyphens.

    Args:
        text: An id, name or common name; also a drug that is given alone.

    Raises:
        InputError: No regimen is called so; the remedy names the nearest.
    """
    return load_regimens()[find_name(text, _regimen_index(), kind="regimen", table="regimens.toml")]


def variants_of(drugs: Collection[str]) -> tuple[Regimen, ...]:
    """All schedules of exactly these drugs, the usual one first."""
    usual = regimen_id(drugs)
    found = (regimen for id_, regimen in load_regimens().items() if id_.partition(_VARIANT)[0] == usual)
    return tuple(sorted(found, key=lambda regimen: regimen.variant))


def treatment_groups(drugs: Collection[str], *, thoracic_radiation: bool = False) -> frozenset[str]:
    """Every word by which eligibility criteria may speak of a treatment with these drugs.

    Args:
        drugs: What was given together.
        thoracic_radiation: Whether radical radiation of the chest was given with it.

    Returns:
        The drugs, their classes and umbrellas, and what only the whole is: `platinum_doublet` (platinum and
        one more cytotoxic drug), `chemoradiation`.
    """
    groups = {group for drug in drugs for group in (drug, *classes_of(drug))}
    cytotoxic = [drug for drug in set(drugs) if "chemotherapy" in classes_of(drug)]
    if "platinum" in groups and len(cytotoxic) == 2:
        groups.add("platinum_doublet")
    if "platinum" in groups and thoracic_radiation:
        groups.add("chemoradiation")
    return frozenset(groups)
