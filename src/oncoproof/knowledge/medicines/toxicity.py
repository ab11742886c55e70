"""Toxicity: how often, how badly and when a treatment harms, by CTCAE term.

Rules this module guarantees:

- A figure speaks of a class, a drug or a regimen; the closest one counts: what is known of the regimen
  before its drugs, of the drug before its class.
- Shares lie between 0 and 1, and grade 3 or worse is never more frequent than any grade.
- The term `any_adverse_event` stands for having any event: grade 3 or worse, stopping for it, dying of it.

    >>> toxicity_of_drug("abemaciclib")["diarrhoea"].any_grade.value
    0.83
    >>> toxicity_of_drug("nivolumab")["pneumonitis"].onset_weeks.value
    12.0
    >>> load_terms()["pneumonitis"].organ_system.value
    'pulmonary'
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimens import Regimen, load_regimens
from oncoproof.knowledge.tables import Basis, Figure, read_csv

ANY_EVENT = "any_adverse_event"
"""The term that stands for having any adverse event."""


class OrganSystem(StrEnum):
    """Parts of the host that the simulation keeps apart."""

    HAEMATOLOGICAL = "haematological"
    """Blood and marrow."""
    GASTROINTESTINAL = "gastrointestinal"
    """Mouth to bowel, pancreas."""
    HEPATIC = "hepatic"
    """Liver."""
    RENAL = "renal"
    """Kidney."""
    PULMONARY = "pulmonary"
    """Lung."""
    CARDIAC = "cardiac"
    """Heart."""
    NEUROLOGICAL = "neurological"
    """Brain, nerves, hearing."""
    DERMATOLOGICAL = "dermatological"
    """Skin, hair, nails."""
    ENDOCRINE = "endocrine"
    """Glands."""
    METABOLIC = "metabolic"
    """Sugar, lipids, electrolytes, weight."""
    CONSTITUTIONAL = "constitutional"
    """The whole person: fatigue, fever, infection."""
    INFUSION = "infusion"
    """Reactions to giving it."""
    VASCULAR = "vascular"
    """Pressure, clots, bleeding."""
    MUSCULOSKELETAL = "musculoskeletal"
    """Joints, muscles, bones."""
    OCULAR = "ocular"
    """Eyes."""


@dataclass(frozen=True, slots=True)
class CtcaeTerm:
    """A term of CTCAE version 5."""

    slug: str
    """What tables call it."""
    term: str
    """What CTCAE calls it."""
    system_organ_class: str
    """MedDRA system organ class."""
    organ_system: OrganSystem
    """Part of the host it harms."""
    meddra: str
    """MedDRA code; empty = not known for sure, or an "other, specify" term."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know term and code."""


class SubjectKind(StrEnum):
    """What a figure speaks of, from the widest to the closest."""

    CLASS = "class"
    """A class of drugs."""
    DRUG = "drug"
    """A drug, given alone unless nothing else is known."""
    REGIMEN = "regimen"
    """A regimen as a whole."""


class Attribution(StrEnum):
    """Which events were counted."""

    ANY_CAUSE = "any_cause"
    """All that happened on treatment."""
    TREATMENT_RELATED = "treatment_related"
    """Those the investigator put down to the treatment."""


class Measure(StrEnum):
    """What a figure of the table measures; the name of a field of `ToxicityProfile`."""

    ANY_GRADE = "any_grade"
    """Share of treated patients with the event in any grade."""
    GRADE3 = "grade3"
    """Share of treated patients with grade 3 or worse."""
    ONSET_WEEKS = "onset_weeks"
    """Median time to the first event in weeks."""
    DISCONTINUATION = "discontinuation"
    """Share of treated patients who stop for it."""
    FATAL = "fatal"
    """Share of treated patients who die of it."""
    FATAL_ONSET_WEEKS = "fatal_onset_weeks"
    """Median time to a fatal event in weeks."""
    CASE_FATALITY = "case_fatality"
    """Share of those with the event who die of it."""


@dataclass(frozen=True, slots=True)
class ToxicityRow:
    """One figure of `toxicity.csv`."""

    subject_kind: SubjectKind
    """Whether class, drug or regimen."""
    subject: str
    """Its slug or id."""
    term: str
    """Slug of a CTCAE term, or `any_adverse_event`."""
    attribution: Attribution
    """Which events were counted."""
    measure: Measure
    """What the figure measures."""
    figure: Figure
    """The number."""


@dataclass(frozen=True, slots=True)
class ToxicityProfile:
    """What is known of one term under one treatment; None = not known."""

    subject_kind: SubjectKind
    """Whether class, drug or regimen."""
    subject: str
    """Its slug or id."""
    term: str
    """Slug of a CTCAE term, or `any_adverse_event`."""
    attribution: Attribution
    """Which events were counted."""
    any_grade: Figure | None = None
    """Share of treated patients with the event in any grade."""
    grade3: Figure | None = None
    """Share of treated patients with grade 3 or worse."""
    onset_weeks: Figure | None = None
    """Median time to the first event in weeks."""
    discontinuation: Figure | None = None
    """Share of treated patients who stop for it."""
    fatal: Figure | None = None
    """Share of treated patients who die of it."""
    fatal_onset_weeks: Figure | None = None
    """Median time to a fatal event in weeks."""
    case_fatality: Figure | None = None
    """Share of those with the event who die of it."""

    def figures(self) -> dict[str, Figure]:
        """What is known, by the name of the field."""
        found = {measure.value: getattr(self, measure.value) for measure in Measure}
        return {name: figure for name, figure in found.items() if figure is not None}


@cache
def load_terms() -> Mapping[str, CtcaeTerm]:
    """All CTCAE terms in use, by slug."""
    rows = read_csv("ctcae_terms.csv", "ctcae_terms", CtcaeTerm)
    return MappingProxyType({term.slug: term for term in rows})


@cache
def load_toxicity() -> tuple[ToxicityProfile, ...]:
    """Everything known, a profile for each subject, term and attribution, in the order of the file."""
    profiles: dict[tuple[str, ...], ToxicityProfile] = {}
    for row in read_csv("toxicity.csv", "toxicity", ToxicityRow):
        key = (row.subject_kind, row.subject, row.term, row.attribution)
        profile = profiles.get(key) or ToxicityProfile(
            row.subject_kind, row.subject, row.term, row.attribution
        )
        if getattr(profile, row.measure.value) is not None:
            raise IntegrityError(
                where=f"toxicity.csv {row.subject} {row.term}",
                came=f"{row.measure.value} twice",
                expected="each measure once",
                remedy="remove one of the rows",
            )
        profiles[key] = _with_figure(profile, row)
    return tuple(profiles.values())


def _with_figure(profile: ToxicityProfile, row: ToxicityRow) -> ToxicityProfile:
    figures = {**profile.figures(), row.measure.value: row.figure}
    return ToxicityProfile(
        profile.subject_kind, profile.subject, profile.term, profile.attribution, **figures
    )


@cache
def _by_subject() -> Mapping[tuple[SubjectKind, str], Mapping[str, ToxicityProfile]]:
    found: dict[tuple[SubjectKind, str], dict[str, ToxicityProfile]] = {}
    for profile in load_toxicity():
        known = found.setdefault((profile.subject_kind, profile.subject), {})
        known[profile.term] = _prefer(known.get(profile.term), profile)
    return MappingProxyType(found)


def _prefer(known: ToxicityProfile | None, other: ToxicityProfile) -> ToxicityProfile:
    """Of two counts of the same term the one that leaves out nothing that happened."""
    if known is None or other.attribution is Attribution.ANY_CAUSE:
        return _completed(other, known)
    return _completed(known, other)


def _completed(close: ToxicityProfile, wide: ToxicityProfile | None) -> ToxicityProfile:
    """The closer profile, with what only the wider one knows.

    Shares of one term are taken from one place: two sources for any grade and grade 3 could contradict
    one another.
    """
    if wide is None:
        return close
    known = close.figures()
    shares = {Measure.ANY_GRADE.value, Measure.GRADE3.value}
    missing = {
        name: figure
        for name, figure in wide.figures().items()
        if name not in known and not (name in shares and shares & set(known))
    }
    return replace(close, **missing)


@cache
def toxicity_of_drug(drug: str) -> Mapping[str, ToxicityProfile]:
    """What is known of a drug by term: its own figures, filled up with those of its class.

    Args:
        drug: Drug slug.
    """
    found = dict(_by_subject().get((SubjectKind.CLASS, load_drugs()[drug].drug_class), {}))
    for term, profile in _by_subject().get((SubjectKind.DRUG, drug), {}).items():
        found[term] = _completed(profile, found.get(term))
    return MappingProxyType(found)


@cache
def toxicity_of_regimen(regimen: str) -> Mapping[str, tuple[ToxicityProfile, ...]]:
    """What is known of a regimen by term: the regimen's own profile alone, else those of its drugs.

    Args:
        regimen: Regimen id.

    Returns:
        For each term one profile for the whole, or one for each drug that has the term.
    """
    return toxicity_of(load_regimens()[regimen])


def toxicity_of(regimen: Regimen) -> Mapping[str, tuple[ToxicityProfile, ...]]:
    """As `toxicity_of_regimen`, also for a regimen that is put together and not listed."""
    found: dict[str, tuple[ToxicityProfile, ...]] = {}
    for profile in _profiles_of_drugs(regimen.drugs):
        found[profile.term] = (*found.get(profile.term, ()), profile)
    for term, profile in _by_subject().get((SubjectKind.REGIMEN, regimen.id), {}).items():
        found[term] = (profile,)
    return MappingProxyType(found)


def _profiles_of_drugs(drugs: Iterable[str]) -> Iterable[ToxicityProfile]:
    for drug in drugs:
        yield from toxicity_of_drug(drug).values()
