"""From a record to the features of a subject: what rules, policies and the validator may know.

Rules this module guarantees:

- Only the record speaks: a feature about which it says nothing is left out, and so not known.
- The latest statement of a feature counts. Treatments count as earlier once they have begun.
- The plan is not part of the record: give it as features beside (`plan_drugs`, `dose`, …).

    >>> from datetime import date
    >>> from oncoproof.journey import Patient, Record, Sex
    >>> patient = Patient(id="p1", sex=Sex.FEMALE, birth=date(1960, 5, 1))
    >>> record = Record(patient=patient, index=date(2026, 3, 1), as_of=0, events=(), links=())
    >>> features_of(record)
    {'sex': 'female', 'age_years': 65, 'as_of_year': 2026}
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cache

from oncoproof.errors import InputError
from oncoproof.journey import (
    AdverseEvent,
    Biomarker,
    Code,
    Diagnosis,
    Event,
    Lab,
    Modality,
    Performance,
    Record,
    Role,
    Scale,
    Sex,
    Stage,
    System,
    Treatment,
)
from oncoproof.knowledge.cancers.diseases import Disease, load_diseases
from oncoproof.knowledge.medicines.drugs import find_drug, load_drugs
from oncoproof.knowledge.subjects.analytes import read_lab
from oncoproof.knowledge.subjects.findings import statements
from oncoproof.knowledge.subjects.subjects import Subjects

Features = dict[str, object]

_PD1 = {"anti_pd1", "anti_pdl1"}
_GRADED = {"neuropathy": "neuropathy_grade", "pneumonitis": "ild_grade", "diarrhoea": "diarrhoea_grade"}


def subjects_of(records: Iterable[Record], *, plans: Iterable[Mapping[str, object]] = ()) -> Subjects:
    """One subject for each record, with its plan where plans are given.

    Args:
        records: What is known of each patient.
        plans: Features of the plan for each record, in the same order; empty = no plans.
    """
    rows = [features_of(record) for record in records]
    for row, plan in zip(rows, plans, strict=False):
        row.update(plan)
    return Subjects.of_rows(rows)


def features_of(record: Record) -> Features:
    """What a record says of its patient on its last day, by feature."""
    disease = _disease(record)
    features: Features = dict(_person(record))
    if disease is not None:
        features["disease"] = disease.slug
    for event in record.events:
        features.update(_said_by(event, disease))
    features.update(_collected(record, disease))
    features.update(_history(record))
    return features


def _person(record: Record) -> Iterator[tuple[str, object]]:
    today = record.day_to_date(record.as_of)
    if record.patient.sex in {Sex.FEMALE, Sex.MALE}:
        yield "sex", record.patient.sex.value
    if record.patient.birth is not None:
        yield "age_years", _years_between(record.patient.birth, today)
    yield "as_of_year", today.year


def _years_between(birth: date, today: date) -> int:
    return today.year - birth.year - ((today.month, today.day) < (birth.month, birth.day))


def _disease(record: Record) -> Disease | None:
    """The disease of the last primary diagnosis that names one we know."""
    known = load_diseases()
    slugs = [_slug(event.codes) for event in record.events if _role(event) is Role.PRIMARY]
    return next((known[slug] for slug in reversed(slugs) if slug is not None), None)


def _role(event: Event) -> Role | None:
    return event.content.role if isinstance(event.content, Diagnosis) else None


def _slug(codes: tuple[Code, ...]) -> str | None:
    by_code = _disease_codes()
    for code in codes:
        if (code.system, code.code) in by_code:
            return by_code[code.system, code.code]
        category = code.code.partition(".")[0]
        if code.system in {System.ICD10, System.ICD10CM} and (System.ICD10CM, category) in by_code:
            return by_code[System.ICD10CM, category]
    return None


@cache
def _disease_codes() -> Mapping[tuple[str, str], str]:
    return {
        (system.value, code): disease.slug
        for disease in load_diseases().values()
        for system, codes in (
            (System.DISEASE, (disease.slug,)),
            (System.SNOMED, disease.snomed),
            (System.ICD10CM, disease.icd10),
            (System.ONCOTREE, (disease.oncotree,)),
        )
        for code in codes
    }


def _said_by(event: Event, disease: Disease | None) -> Features:
    """What one event says; later events overwrite earlier ones."""
    match event.content:
        case Stage() as stage:
            parts = {"stage_t": stage.t, "stage_n": stage.n, "stage_m": stage.m, "stage_group": stage.group}
            return {name: value for name, value in parts.items() if value}
        case Biomarker():
            return dict(statements(event, disease.slug if disease else ""))
        case Performance(scale=Scale.ECOG) as performance:
            return {"ecog": min(performance.score, 4)}
        case Lab():
            read = read_lab(event)
            return {} if read is None else {read[0]: read[1]}
        case Diagnosis(role=Role.PRIMARY) as diagnosis if disease is not None:
            return _histology(diagnosis, disease)
        case AdverseEvent() as harm if event.end is None:
            return {_GRADED[term]: harm.grade for term in _terms(event) if term in _GRADED}
        case _:
            return {}


def _terms(event: Event) -> set[str]:
    return {code.code for code in event.codes if code.system == System.ADVERSE_EVENT}


def _histology(diagnosis: Diagnosis, disease: Disease) -> Features:
    code = diagnosis.histology.code if diagnosis.histology is not None else ""
    names = [
        name
        for name, histology in disease.histologies.items()
        if code in histology.icdo3_morphology or code == name
    ]
    return {"histology": names[0]} if names else {}


def _collected(record: Record, disease: Disease | None) -> Features:
    """What several events say together: places, other illnesses, tests."""
    collected: dict[str, set[str]] = {}
    for event in record.events:
        role = _role(event)
        if role is Role.SECONDARY and isinstance(event.content, Diagnosis):
            collected.setdefault("metastatic_sites", set()).update(site.code for site in event.content.sites)
        if role is Role.COMORBIDITY:
            collected.setdefault("conditions", set()).update(_codes_in(event, System.CONDITION))
        if isinstance(event.content, Biomarker):
            told = statements(event, disease.slug if disease else "")
            collected.setdefault("tests_done", set()).update(told)
    return dict(collected)


def _codes_in(event: Event, system: System) -> set[str]:
    return {code.code for code in event.codes if code.system == system}


def _history(record: Record) -> Features:
    """What was given so far."""
    given = [(event, event.content) for event in record.events if isinstance(event.content, Treatment)]
    anticancer = [(event, content) for event, content in given if content.modality is Modality.DRUG]
    features: Features = {
        "prior_drugs": {slug for _, content in anticancer for slug in _drugs(content)},
        "comedications": {
            code
            for event, content in given
            if content.modality is Modality.SUPPORTIVE
            for code in _codes_in(event, System.COMEDICATION)
        },
    }
    features.update(_days_since(record, anticancer))
    lines = [content.line for _, content in anticancer if content.line is not None]
    if lines:
        features["lines_given"] = max(lines)
    return {name: value for name, value in features.items() if value or not isinstance(value, set)}


def _days_since(record: Record, given: list[tuple[Event, Treatment]]) -> Iterator[tuple[str, int]]:
    classes = load_drugs()
    for name, wanted in (("days_since_pd1", _PD1), ("days_since_platinum", {"platinum"})):
        ends = [
            record.as_of if event.end is None else event.end
            for event, content in given
            if any(classes[slug].drug_class in wanted for slug in _drugs(content))
        ]
        if ends:
            yield name, record.as_of - max(ends)


def _drugs(content: Treatment) -> set[str]:
    """Slugs of the drugs of a treatment, by code or by name; unknown ones are left out."""
    known = load_drugs()
    slugs: set[str] = set()
    for dose in content.drugs:
        if dose.drug.system == System.DRUG and dose.drug.code in known:
            slugs.add(dose.drug.code)
        elif (slug := _drug_named(dose.drug.display)) is not None:
            slugs.add(slug)
    return slugs


def _drug_named(text: str) -> str | None:
    """The slug of the drug a text names; None = no drug we know."""
    try:
        return find_drug(text).slug
    except InputError:
        return None
