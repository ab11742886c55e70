"""What it costs to emit, check and read a FHIR bundle, against the field's library validating the same one.

    ./run python benchmarks/fhir_bundle.py

Processor time of this process alone, best and median of many runs. Two bundles of 200 resources: blood counts
and scans for a year, and three demonstrations in one life (dense with links, scans and doses). What is found
good is remembered, so each is measured twice: the same bundle again and again, and bundles met for the first
time that differ in patient, ids, dates and numbers, as those of a cohort do.

The peer is `fhir.resources` (R4B), which validates elements and types: no references, codes, units, closed
lists or profiles. Emitting writes JSON; checking parses JSON and tells every fault; reading does the same and
makes the journey. Whether each side refuses a planted `status="banana"` is asked of both.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import orjson
from fhir.resources.R4B import get_fhir_model_class
from pydantic import ValidationError

from oncoproof.errors import InputError
from oncoproof.journey import (
    AdverseEvent,
    Because,
    Code,
    Content,
    Diagnosis,
    Event,
    Imaging,
    Journey,
    Lab,
    Lesion,
    Link,
    Modality,
    Outcome,
    OutcomeType,
    Patient,
    Performance,
    Quantity,
    Read,
    Reason,
    Record,
    Role,
    Scale,
    Sex,
    Source,
    System,
    Treatment,
    demonstrate,
)
from oncoproof.journey.fhir import check, from_fhir, to_fhir, to_fhir_bytes
from oncoproof.seeds import Seed

EXAMPLES = Path(__file__).parents[2] / "shared" / "data" / "mcode"
RUNS = 200
PEER_RUNS = 20
COHORT = 60
TARGET_MS = 3.0
"""Processor time that emitting, and reading with all checks, may take for 200 resources."""


class Cost(NamedTuple):
    """Processor time in milliseconds."""

    best: float
    """Of all runs."""
    median: float
    """Of all runs."""


def cost(actions: Sequence[Callable[[], object]]) -> Cost:
    """What one of these actions takes; each is done once."""
    spent: list[float] = []
    for action in actions:
        start = process_time()
        action()
        spent.append((process_time() - start) * 1e3)
    return Cost(min(spent), median(spent))


def three_courses(seed: int = 3) -> Record:
    """Three demonstrations, one after the other, as the life of one patient; only the last may end it."""
    courses = [demonstrate(Seed(seed), disease).record() for disease in ("nsclc", "melanoma", "breast")]
    events: list[Event] = []
    links: list[Link] = []
    start = 0
    for number, course in enumerate(courses):
        told = [each for each in course.events if number == len(courses) - 1 or not _is_end(each)]
        names = {each.id: f"c{number}.{each.id}" for each in told}
        events += [_moved(each, names[each.id], start) for each in told]
        links += [
            Link(names[each.cause], names[each.effect], each.reason, (each.recorded or 0) + start)
            for each in course.links
            if each.cause in names and each.effect in names
        ]
        start = _last_day(events) + 30
    first = courses[0]
    return Record(
        patient=first.patient,
        index=first.index,
        as_of=_last_day(events),
        events=tuple(events),
        links=tuple(links),
    )


def _is_end(event: Event) -> bool:
    return isinstance(event.content, Outcome) and event.content.type in {
        OutcomeType.DEATH,
        OutcomeType.LOST,
        OutcomeType.HORIZON,
    }


def _moved(event: Event, name: str, days: int) -> Event:
    end = None if event.end is None else event.end + days
    return replace(event, id=name, day=event.day + days, recorded=(event.recorded or 0) + days, end=end)


def _last_day(events: Sequence[Event]) -> int:
    return max(max(each.day, each.recorded or 0, each.end or 0) for each in events)


_BLOODS = (
    ("718-7", "Hemoglobin", "g/dL", 12.1),
    ("777-3", "Platelets", "10*3/uL", 210.0),
    ("751-8", "Neutrophils", "10*3/uL", 4.1),
    ("2160-0", "Creatinine", "mg/dL", 0.9),
    ("1975-2", "Bilirubin", "mg/dL", 0.6),
    ("1742-6", "ALT", "U/L", 24.0),
)


def a_year() -> Record:
    """One treatment for a year, with blood counts at each visit and a scan at every second one."""
    patient = Patient(id="p1", sex=Sex.FEMALE, birth=date(1961, 7, 4), family_name="Anyperson")
    journey = Journey(patient, date(2026, 3, 1))

    def tell(
        day: int, content: Content, *codes: Code, source: Source = Source.CLINICAL, harms: str = ""
    ) -> str:
        name = f"e{len(journey)}"
        because = (Because(harms, Reason.HARMS, day),) if harms else ()
        event = Event(id=name, day=day, recorded=day, source=source, content=content, codes=codes)
        journey.add(event, because=because)
        return name

    tell(0, Diagnosis(role=Role.PRIMARY), Code.of(System.SNOMED, "254637007"))
    therapy = tell(9, Treatment(modality=Modality.DRUG, line=1), Code.of(System.REGIMEN, "osimertinib"))
    tell(9, Performance(scale=Scale.ECOG, score=1))
    for visit in range(19):
        day = 20 + 21 * visit
        for loinc, name, unit, value in _BLOODS:
            amount = Quantity(value + visit / 8, unit)
            tell(
                day,
                Lab(value=amount, low=0.5, high=450.0),
                Code.of(System.LOINC, loinc, name),
                source=Source.LAB,
            )
        tell(day, Performance(scale=Scale.ECOG, score=1))
        if visit % 2 == 0:
            sizes = (("L1", "lung", 31.0), ("L2", "liver", 12.0), ("L3", "node", 17.5))
            lesions = tuple(Lesion(label=each, organ=organ, diameter_mm=mm) for each, organ, mm in sizes)
            tell(day, Imaging(modality="ct", lesions=lesions, read=Read.SD), source=Source.IMAGING)
            tell(day, Outcome(type=OutcomeType.RESPONSE, read=Read.SD))
            tell(day, AdverseEvent(grade=2), Code.of(System.ADVERSE_EVENT, "rash"), harms=therapy)
    return journey.record()


def cohort(record: Record, first: int) -> list[Record]:
    """Records of the same make that differ in patient, ids, dates and numbers."""
    return [_other(record, number) for number in range(first, first + COHORT)]


def _other(record: Record, number: int) -> Record:
    names = {event.id: f"n{number:03}.{event.id}" for event in record.events}
    return replace(
        record,
        patient=replace(
            record.patient, id=f"patient-{number}", birth=date(1940, 1, 1) + timedelta(17 * number)
        ),
        index=record.index + timedelta(41 * number),
        events=tuple(_with_other_number(replace(each, id=names[each.id]), number) for each in record.events),
        links=tuple(
            replace(each, cause=names[each.cause], effect=names[each.effect]) for each in record.links
        ),
    )


def _with_other_number(event: Event, number: int) -> Event:
    content = event.content
    if isinstance(content, Lab) and isinstance(content.value, Quantity):
        amount = replace(content.value, value=content.value.value + number / 64)
        return replace(event, content=replace(content, value=amount))
    if isinstance(content, Imaging):
        lesions = tuple(
            replace(each, diameter_mm=(each.diameter_mm or 9.0) + number / 64) for each in content.lesions
        )
        return replace(event, content=replace(content, lesions=lesions))
    return event


def peer_validate(data: bytes, kind: str = "Bundle") -> None:
    """Validate with the peer; what it says is raised as it raises it."""
    get_fhir_model_class(kind).model_validate_json(data)


def rows_of(record: Record, data: bytes) -> dict[str, list[Callable[[], object]]]:
    """What is measured, by name."""
    checked, read = ([to_fhir_bytes(each) for each in cohort(record, first)] for first in (100, 200))
    return {
        "emit": [lambda: to_fhir_bytes(record)] * RUNS,
        "parse and check": [lambda: check(data)] * RUNS,
        "parse, check and read": [lambda: from_fhir(data)] * RUNS,
        "emit, new records": [lambda each=each: to_fhir_bytes(each) for each in cohort(record, 300)],
        "parse and check, new bundles": [lambda each=each: check(each) for each in checked],
        "parse, check and read, new bundles": [lambda each=each: from_fhir(each) for each in read],
    }


def print_bundle(title: str, record: Record) -> None:
    """The table of one bundle."""
    data = to_fhir_bytes(record)
    count = len(to_fhir(record)["entry"])
    for text in (data, to_fhir_bytes(_other(record, 99))):
        if check(text) or from_fhir(text).losses:
            raise SystemExit(f"{title}: the bundle has problems, or loses something")
    peer_validate(data)
    peer = cost([lambda: peer_validate(data)] * PEER_RUNS)
    print(f"\n{title}: {count} resources of {len(record.events)} events, {len(data):,} bytes")
    print(f"{'milliseconds of processor time':<34} {'best':>7} {'median':>7} {'peer/ours':>10}")
    print(f"{'fhir.resources validates':<34} {peer.best:>7.2f} {peer.median:>7.2f}")
    for name, actions in rows_of(record, data).items():
        ours = cost(actions)
        verdict = "" if ours.median <= TARGET_MS else f"   above {TARGET_MS:g}"
        print(f"{name:<34} {ours.best:>7.2f} {ours.median:>7.2f} {peer.median / ours.median:>10.1f}{verdict}")


def print_planted(record: Record) -> None:
    """Who refuses a status that is none."""
    bundle = to_fhir(record)
    lab = next(each["resource"] for each in bundle["entry"] if "valueQuantity" in each["resource"])
    lab["status"] = "banana"
    data = orjson.dumps(bundle)
    try:
        from_fhir(data)
        ours = "let it pass"
    except InputError as error:
        ours = f"refused: {error.where}: came {error.came}"
    try:
        peer_validate(data)
        peer = "let it pass"
    except ValidationError as error:
        peer = f"refused: {error.errors()[0]['msg']}"
    print(f'\na planted status="banana"\n  OncoProof       {ours}\n  fhir.resources  {peer}')


def print_examples() -> None:
    """The official mCODE examples, each by itself."""
    files = sorted(EXAMPLES.glob("*.json")) if EXAMPLES.is_dir() else []
    print(f"\nofficial mCODE examples: {len(files) or 'none here, skipped'}")
    if files:
        print(f"{'microseconds, median':<66} {'check':>7} {'read':>7} {'peer':>7} {'peer/read':>10}")
    ratios: list[float] = []
    for path in files:
        data = path.read_bytes()
        kind = str(orjson.loads(data)["resourceType"])
        checked = cost([lambda data=data: check(data)] * RUNS).median * 1e3
        read = cost([lambda data=data: from_fhir(data)] * RUNS).median * 1e3
        peer = cost([lambda data=data, kind=kind: peer_validate(data, kind)] * RUNS).median * 1e3
        ratios.append(peer / read)
        print(f"{path.stem:<66} {checked:>7.0f} {read:>7.0f} {peer:>7.0f} {peer / read:>10.1f}")
    if ratios:
        print(f"{'median of the ratios':<66} {median(ratios):>34.1f}")


def main() -> None:
    """Print all tables."""
    print_bundle("a year of visits", a_year())
    print_bundle("three courses in one life", three_courses())
    print_planted(three_courses())
    print_examples()


if __name__ == "__main__":
    main()
