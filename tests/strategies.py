"""Hypothesis strategies for the words of care: codes, quantities, findings, contents, events, journeys.

Rules this module guarantees:

- What is generated keeps every rule of the types and of succession, and covers every class of content
  and finding, every field with and without a value, truth beside what is recorded.
- Journeys are built by the public `add` and `link`, with events in any order of days.

    >>> from hypothesis import find
    >>> len(find(journeys(), lambda journey: True))
    0
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from hypothesis import strategies as st

from oncoproof.errors import JourneyError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Clone,
    CloneKind,
    Content,
    Decision,
    Diagnosis,
    DrugDose,
    Imaging,
    Intent,
    Lab,
    LabCategory,
    Lesion,
    Modality,
    Outcome,
    OutcomeType,
    Performance,
    Read,
    Role,
    Scale,
    Severity,
    Stage,
    StageBasis,
    Status,
    Symptom,
    Treatment,
)
from oncoproof.journey.events import KIND_OF, Event, Kind, Source
from oncoproof.journey.graph import Journey
from oncoproof.journey.links import Link, Reason, may_cause
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Finding,
    Fusion,
    Hrd,
    HrdClass,
    Methylation,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pdl1Score,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)
from oncoproof.journey.patient import Patient, Sex
from oncoproof.journey.units import COMPARATORS, Quantity

LAST_DAY = 400
"""Days of generated events run from -20 to this one."""

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
"""Text without lone surrogates; may be empty, may be in any script."""
names = st.sampled_from(["EGFR", "TP53", "DPYD", "BRCA2", "ERBB2"])
"""Symbols of genes."""
gene_ids = st.sampled_from(["", "HGNC:3236", "HGNC:11998"])
"""Ids of genes, or none."""
numbers = st.floats(min_value=-1e21, max_value=1e21, allow_nan=False).map(lambda value: value + 0.0)
"""Finite numbers of any size; never negative zero, which no format need keep."""
shares = st.floats(min_value=0.0, max_value=1.0).map(abs)
"""Numbers from 0 to 1."""
percentages = st.floats(min_value=0.0, max_value=100.0).map(abs)
"""Numbers from 0 to 100."""
amounts = st.floats(min_value=0.0, max_value=1e21).map(abs)
"""Finite numbers from 0 on."""
dates = st.dates(min_value=date(1900, 1, 1), max_value=date(2200, 12, 31))
"""Dates that a record may hold."""

codes = st.one_of(
    st.sampled_from(
        [
            Code.of(System.SNOMED, "254637007", "Non-small cell lung cancer"),
            Code.of(System.LOINC, "89247-1", "ECOG performance status"),
            Code.of(System.RXNORM, "1721560"),
            Code.of(System.ICD10, "C34.9"),
            Code.of(System.HGNC, "HGNC:3236", "EGFR"),
            Code.of(System.DRUG, "osimertinib"),
        ]
    ),
    st.builds(Code, st.just("urn:example:system"), words, words),
)
"""Codes of known systems and of one that is not."""

quantities = st.builds(
    Quantity, numbers, st.sampled_from(["mg/dL", "10*9/L", "1", "%", "mg"]), st.sampled_from(COMPARATORS)
)
"""Numbers with units, stated and bounded."""

_dosed = st.builds(
    Quantity, amounts, st.sampled_from(["mg", "mg/m2", "mg/kg", "1"]), st.sampled_from(COMPARATORS)
)
_maybe_number = st.none() | numbers
_maybe_amount = st.none() | amounts
_code_lists = st.lists(codes, max_size=3).map(tuple)

findings: st.SearchStrategy[Finding] = st.one_of(
    st.builds(
        SmallVariant,
        gene=names,
        gene_id=gene_ids,
        protein=st.sampled_from(["", "p.Leu858Arg"]),
        coding=st.sampled_from(["", "NM_005228.5:c.2573T>G"]),
        genomic=words,
        vaf=st.none() | shares,
    ),
    st.builds(Fusion, five_prime=words, three_prime=names, five_prime_id=gene_ids, three_prime_id=gene_ids),
    st.builds(
        CopyNumber, gene=names, gene_id=gene_ids, change=st.sampled_from(CopyChange), copies=_maybe_amount
    ),
    st.builds(Expression, gene=names, gene_id=gene_ids, level=words, percent=st.none() | percentages),
    st.builds(Pdl1, score=st.sampled_from(Pdl1Score), percent=percentages, antibody=words),
    st.builds(Msi, status=st.sampled_from(MsiClass)),
    st.builds(Tmb, per_megabase=amounts),
    st.builds(Hrd, status=st.sampled_from(HrdClass), score=_maybe_amount),
    st.builds(Methylation, gene=names, methylation_class=words),
    st.builds(Pharmacogene, gene=names, diplotype=words, activity_score=_maybe_amount, phenotype=words),
)
"""Findings of every class."""

diagnoses = st.builds(Diagnosis, role=st.sampled_from(Role), sites=_code_lists, histology=st.none() | codes)
"""Conditions of every role."""

_lesions = st.builds(Lesion, label=words, organ=words, diameter_mm=_maybe_amount, is_target=st.booleans())
_doses = st.builds(DrugDose, drug=codes, dose=st.none() | _dosed, route=words, text=words)

treatments = st.builds(
    Treatment,
    modality=st.sampled_from(Modality),
    drugs=st.lists(_doses, max_size=2).map(tuple),
    line=st.none() | st.integers(0, 6),
    intent=st.none() | st.sampled_from(Intent),
    status=st.sampled_from(Status),
    dose_fraction=shares,
    reason_ended=words,
)
"""Treatments of every modality and status."""

adverse_events = st.builds(
    AdverseEvent,
    grade=st.integers(1, 5),
    is_serious=st.booleans(),
    resolution=st.sampled_from(["", "resolved", "recovering", "not_resolved", "fatal"]),
)
"""Harm of every grade."""

outcomes = st.builds(
    Outcome, type=st.sampled_from(OutcomeType), read=st.none() | st.sampled_from(Read), cause=words
)
"""Outcomes of every type."""


def _lab(
    value: Quantity | Code | str | None, category: LabCategory, bounds: tuple[float | None, float | None]
) -> Lab:
    """A laboratory value whose reference range begins before it ends."""
    low, high = bounds
    if low is not None and high is not None:
        low, high = sorted((low, high))
    return Lab(value=value, category=category, low=low, high=high)


contents: st.SearchStrategy[Content] = st.one_of(
    diagnoses,
    st.builds(
        Stage,
        basis=st.sampled_from(StageBasis),
        t=words,
        n=words,
        m=words,
        group=words,
        method=st.none() | codes,
    ),
    st.builds(
        Biomarker,
        finding=findings,
        presence=st.sampled_from(Presence),
        origin=st.sampled_from(Origin),
        assay=words,
        specimen=words,
    ),
    st.builds(
        _lab,
        value=st.none() | quantities | codes | words,
        category=st.sampled_from(LabCategory),
        bounds=st.tuples(_maybe_number, _maybe_number),
    ),
    st.builds(
        Imaging,
        modality=words,
        lesions=st.lists(_lesions, max_size=2).map(tuple),
        has_new_lesion=st.none() | st.booleans(),
        read=st.none() | st.sampled_from(Read),
    ),
    st.builds(Symptom, severity=st.none() | st.sampled_from(Severity)),
    st.builds(Performance, scale=st.just(Scale.ECOG), score=st.integers(0, 5)),
    st.builds(
        Performance, scale=st.just(Scale.KARNOFSKY), score=st.integers(0, 10).map(lambda tens: 10 * tens)
    ),
    treatments,
    adverse_events,
    st.builds(
        Decision,
        maker=words,
        task=words,
        options=_code_lists,
        probability=st.none() | shares,
        rationale=words,
    ),
    outcomes,
    st.builds(Clone, kind=st.sampled_from(CloneKind), log10_cells=numbers),
)
"""Contents of every class."""

patients = st.builds(
    Patient,
    id=st.from_regex(r"\A[A-Za-z0-9.-]{1,12}\Z"),
    sex=st.sampled_from(Sex),
    birth_sex=st.none() | st.sampled_from(Sex),
    birth=st.none() | dates,
    race=words,
    ethnicity=words,
    family_name=words,
    given_names=st.lists(words, max_size=2).map(tuple),
    postcode=words,
    city=words,
    state=words,
    country=words,
    language=st.sampled_from(["", "en", "de-CH"]),
    insurance=words,
    income=words,
    education=words,
    disability=words,
    distance_km=st.none() | percentages,
)
"""Patients with every attribute, stated and not."""


@st.composite
def events(draw: st.DrawFn, event_id: str = "e0") -> Event:
    """An event of any kind that keeps the rules which an event alone can break."""
    content = draw(contents)
    day = draw(st.integers(-20, LAST_DAY))
    recorded = draw(st.none() | st.integers(0, 40).map(lambda delay: day + delay))
    if KIND_OF[type(content)] is Kind.CLONE:
        recorded = None
    if isinstance(content, Decision):
        recorded = day
    return Event(
        id=event_id,
        day=day,
        recorded=recorded,
        source=draw(st.sampled_from(Source)),
        content=content,
        end=draw(st.none() | st.integers(0, 60).map(lambda length: day + length)),
        codes=draw(_code_lists),
        confidence=draw(shares),
        note=draw(words),
    )


@st.composite
def journeys(draw: st.DrawFn, size: int = 8, *, with_diagnosis: bool | None = None) -> Journey:
    """A journey of up to `size` events, with truth, and links recorded and true.

    Args:
        draw: Given by Hypothesis.
        size: Most events to try; those that break a rule of succession are left out.
        with_diagnosis: Whether it opens with a primary diagnosis; None = either.
    """
    journey = Journey(draw(patients), draw(dates))
    opens = draw(st.booleans()) if with_diagnosis is None else with_diagnosis
    count = draw(st.integers(1 if opens else 0, size))
    for number in range(count):
        event = draw(events(f"e{number}"))
        if number == 0 and opens:
            event = replace(
                event, content=Diagnosis(role=Role.PRIMARY), recorded=event.day, end=None, day=event.day
            )
        try_to_add(journey, event)
    for link in draw(st.lists(link_choices(), max_size=size)):
        link.apply(journey)
    return journey


def try_to_add(journey: Journey, event: Event) -> bool:
    """Add an event unless it breaks a rule of succession; whether it was added."""
    try:
        journey.add(event)
    except JourneyError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class LinkChoice:
    """A link to try, between events chosen by number."""

    numbers: tuple[int, int]
    """Numbers of two events, modulo how many there are."""
    reason: int
    """Number of the reason, among those that fit."""
    delay: int | None
    """Days from when both events are recorded to when the link is; None = truth."""

    def apply(self, journey: Journey) -> None:
        """Add the link to a journey where its events allow one."""
        order = list(journey)
        if len(order) < 2:
            return
        first, second = sorted(number % len(order) for number in self.numbers)
        cause, effect = order[first], order[second]
        fitting = [reason for reason in Reason if may_cause(reason, cause.kind, effect.kind)]
        if first == second or not fitting:
            return
        recorded = None
        if self.delay is not None and cause.recorded is not None and effect.recorded is not None:
            recorded = max(cause.recorded, effect.recorded) + self.delay
        link = Link(cause.id, effect.id, fitting[self.reason % len(fitting)], recorded)
        try_to_link(journey, link)


def try_to_link(journey: Journey, link: Link) -> bool:
    """Add a link unless it breaks a rule; whether it was added."""
    try:
        journey.link(link.cause, link.effect, link.reason, recorded=link.recorded)
    except JourneyError:
        return False
    return True


@st.composite
def link_choices(draw: st.DrawFn) -> LinkChoice:
    """A link to try."""
    numbers = draw(st.tuples(st.integers(0, 63), st.integers(0, 63)))
    return LinkChoice(numbers, draw(st.integers(0, 12)), draw(st.none() | st.integers(0, 30)))


class View(NamedTuple):
    """A journey and a day to look at it."""

    journey: Journey
    """The journey."""
    as_of: int
    """The day."""


@st.composite
def views(draw: st.DrawFn) -> View:
    """A journey seen on any day, on a day that it names or the eve of one, or while something lasts.

    What lasts may be linked to a symptom later, or in truth. A day drawn by itself seldom falls between a
    recording and an end: then hardly a view cuts anything.
    """
    journey = draw(journeys())
    lasting = draw(st.none() | _lasting())
    if lasting is not None and try_to_add(journey, lasting):
        recorded, end = lasting.recorded or 0, lasting.end or 0
        seen = replace(lasting, id="seen", content=Symptom(), end=None)
        reason = Reason.SHOWS if isinstance(lasting.content, AdverseEvent) else Reason.HARMS
        if try_to_add(journey, seen):
            try_to_link(
                journey, Link("lasting", "seen", reason, draw(st.none() | st.integers(recorded, end)))
            )
        return View(journey, draw(st.integers(recorded - 1, end)))
    named = {day for event in journey for day in (event.day, event.recorded, event.end) if day is not None}
    named |= {link.recorded for link in journey.links() if link.recorded is not None}
    near = [st.sampled_from(sorted({each - late for each in named for late in (0, 1)}))] if named else []
    return View(journey, draw(st.one_of(*near, st.integers(-25, LAST_DAY + 70))))


@st.composite
def _lasting(draw: st.DrawFn) -> Event:
    """A treatment or adverse event that was recorded before it ended."""
    event = draw(events("lasting"))
    content = draw(treatments | adverse_events)
    recorded = event.day + draw(st.integers(0, 3))
    return replace(event, content=content, recorded=recorded, end=recorded + draw(st.integers(1, 9)))
