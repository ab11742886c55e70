"""Which adverse events each treatment brings, and how long each lasts: tables as arrays.

Rules this module guarantees:

- A regimen's frequencies are those of the knowledge base: its own where they are known, else those of its
  drugs. Drugs bring severe events independently; of milder ones the drug that brings most counts alone,
  because labels mostly count drugs as they are given, with others.
- A drug without a known severe event brings those that illness brings, and one for which no infection is on
  record a rare one: every regimen has terms, and one that can kill.
- Each term has one recovery: its own, or that of its organ system.

    >>> found = terms_of_regimen("osimertinib")
    >>> round(float(found.severe[found.term == term_numbers()["diarrhoea"]][0]), 3)
    0.022
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from jaxtyping import Float64, Int
from numpy.typing import NDArray

from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.plans.designs import regimen_of
from oncoproof.knowledge.medicines import CtcaeTerm, OrganSystem, ToxicityProfile, load_terms, toxicity_of
from oncoproof.knowledge.tables import Basis, parse_csv

_ANY_EVENT = "any_adverse_event"
_ANY_GRADE_MAX = 0.98


@dataclass(frozen=True, slots=True)
class Recovery:
    """How an adverse event goes on once it has come; one row of the table."""

    id: str
    """A term, or an organ system for the terms without a row."""
    weeks_mild: float
    """Median duration of grade 1 or 2."""
    weeks_severe: float
    """Median duration of grade 3 or more."""
    spread: float
    """Standard deviation of the log of the duration."""
    grade4_share: float
    """Share of grade 4 among grades 3 and 4."""
    grade_max: int
    """Worst grade that the term can have."""
    fatal_weight: float
    """How much likelier than its frequency it is to be the event that killed; 0 = it never is."""
    admission_share: float
    """Share of events of grade 3 or more that bring the patient to hospital."""
    admission_days: float
    """Days in hospital of those."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class IllnessTerm:
    """An adverse event that the disease brings; one row of the table."""

    disease: str
    """Disease slug; empty = every disease."""
    term: str
    """Slug of a CTCAE term."""
    weight: float
    """How often, against the others of the disease."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


class Frequencies(NamedTuple):
    """How often each term comes; one term a place."""

    term: Int[np.ndarray, " terms"]
    """Number in `terms()`."""
    severe: Float64[np.ndarray, " terms"]
    """Share of patients with grade 3 or more, or a weight where only the order counts."""
    mild: Float64[np.ndarray, " terms"]
    """Share of patients with grade 1 or 2 and no more."""
    onset_weeks: Float64[np.ndarray, " terms"]
    """Median time to the first."""


class Recoveries(NamedTuple):
    """Fields of `Recovery` for every term of `terms()`; one term a place."""

    weeks_mild: NDArray[np.float64]
    """Median duration of grade 1 or 2."""
    weeks_severe: NDArray[np.float64]
    """Median duration of grade 3 or more."""
    spread: NDArray[np.float64]
    """Standard deviation of the log of the duration."""
    grade4_share: NDArray[np.float64]
    """Share of grade 4 among grades 3 and 4."""
    grade_max: NDArray[np.float64]
    """Worst grade."""
    fatal_weight: NDArray[np.float64]
    """How much likelier than its frequency it is to kill."""
    admission_share: NDArray[np.float64]
    """Share of severe events that bring the patient to hospital."""
    admission_days: NDArray[np.float64]
    """Days in hospital of those."""


@cache
def terms() -> tuple[CtcaeTerm, ...]:
    """All terms, in the order of their numbers: by slug."""
    return tuple(sorted(load_terms().values(), key=lambda term: term.slug))


@cache
def term_numbers() -> Mapping[str, int]:
    """The number of each term."""
    return MappingProxyType({term.slug: number for number, term in enumerate(terms())})


@cache
def systems_of_terms() -> NDArray[np.int8]:
    """For each term the number of its organ system in `OrganSystem`."""
    listed = list(OrganSystem)
    return np.array([listed.index(term.organ_system) for term in terms()], np.int8)


@cache
def recoveries() -> Recoveries:
    """How each term goes on."""
    name = "event_recoveries.csv"
    rows = parse_csv(read_data(name), "event_recoveries", Recovery, where=name, family="oncoproof.disease")
    by_id = {row.id: row for row in rows}
    of_terms = [by_id.get(term.slug) or by_id[term.organ_system.value] for term in terms()]
    return Recoveries(
        *(np.array([getattr(row, field) for row in of_terms], np.float64) for field in Recoveries._fields)
    )


@cache
def terms_of_illness(disease: str) -> Frequencies:
    """The severe events that a disease brings, whatever is given."""
    name = "illness_terms.csv"
    rows = parse_csv(read_data(name), "illness_terms", IllnessTerm, where=name, family="oncoproof.disease")
    mine = [row for row in rows if row.disease in {"", disease}]
    return Frequencies(
        term=np.array([term_numbers()[row.term] for row in mine]),
        severe=np.array([row.weight for row in mine]),
        mild=np.zeros(len(mine)),
        onset_weeks=np.full(len(mine), number_of("onset_weeks")),
    )


@cache
def terms_of_regimen(regimen: str) -> Frequencies:
    """The events that a regimen brings."""
    known = {
        term: profiles for term, profiles in toxicity_of(regimen_of(regimen)).items() if term != _ANY_EVENT
    }
    found = Frequencies(
        term=np.array([term_numbers()[term] for term in known], np.intp),
        severe=np.array([_together(_severe(profiles)) for profiles in known.values()]),
        mild=np.array([_mild(profiles) for profiles in known.values()]),
        onset_weeks=np.array([_onset(profiles) for profiles in known.values()]),
    )
    if found.severe.sum() == 0:
        return _both(found, terms_of_illness(""))
    return found if "infection" in known else _both(found, _infection())


def _both(one: Frequencies, other: Frequencies) -> Frequencies:
    return Frequencies(
        term=np.concatenate([one.term, other.term]),
        severe=np.concatenate([one.severe, other.severe]),
        mild=np.concatenate([one.mild, other.mild]),
        onset_weeks=np.concatenate([one.onset_weeks, other.onset_weeks]),
    )


def _infection() -> Frequencies:
    """What few lists of events leave room for, and what every treatment may bring."""
    return Frequencies(
        term=np.array([term_numbers()["infection"]]),
        severe=np.array([number_of("unlisted_infection_share")]),
        mild=np.zeros(1),
        onset_weeks=np.array([number_of("onset_weeks")]),
    )


def _severe(profiles: Sequence[ToxicityProfile]) -> Iterable[float]:
    return (profile.grade3.value for profile in profiles if profile.grade3 is not None)


def _together(shares: Iterable[float]) -> float:
    """Share of patients with at least one of several independent events."""
    return 1.0 - float(np.prod([1.0 - share for share in shares]))


def _mild(profiles: Sequence[ToxicityProfile]) -> float:
    """Share of patients with an event of grade 1 or 2 and none that is worse."""
    severe = max(_severe(profiles), default=0.0)
    ratio = 1.0 + number_of("unreported_mild_ratio")
    any_grade = [
        profile.any_grade.value if profile.any_grade is not None else ratio * _together(_severe([profile]))
        for profile in profiles
    ]
    return max(min(max(any_grade), _ANY_GRADE_MAX) - severe, 0.0)


def _onset(profiles: Sequence[ToxicityProfile]) -> float:
    """Median time to the first: of several drugs the earliest on record."""
    known = [profile.onset_weeks.value for profile in profiles if profile.onset_weeks is not None]
    return max(min(known), 0.15) if known else number_of("onset_weeks")
