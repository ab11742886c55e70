"""Observations: laboratory values, vital signs, habits, performance and outcomes, and back.

Rules this module guarantees:

- A value keeps its type: quantity, code, words, or the reason why there is none.
- How the cancer is doing is a SNOMED CT trend, beside it the RECIST reading and the type of outcome as
  codings of this project; other outcomes are plain observations.

    >>> lab_profile(LabCategory.LABORATORY, "2857-1")
    'mcode/mcode-tumor-marker-test'
"""

from typing import NamedTuple

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    Content,
    Lab,
    LabCategory,
    Outcome,
    OutcomeType,
    Performance,
    Read,
    Scale,
)
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import DATA_ABSENT, OBSERVATION_CATEGORY, OUTCOME, RECIST
from oncoproof.journey.fhir.dimensions import judge_of, require_unit
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader, member, refused
from oncoproof.journey.fhir.vocabulary import (
    OUTCOME_BY_TREND,
    SCALE_BY_CODE,
    SCALES,
    SCORE_ANSWERS,
    TREND_OF_READ,
    TRENDS,
    TUMOUR_MARKERS,
)
from oncoproof.journey.fhir.writer import Writer, coding, coding_of, concept, meta, named, quantity_of
from oncoproof.journey.units import Quantity

_DISEASE_STATUS = "mcode/mcode-cancer-disease-status"
_SMOKING = "72166-2"


def lab_profile(category: LabCategory, loinc: str | None) -> str:
    """The profile of an observation; empty = none fits."""
    if category is LabCategory.LABORATORY:
        return (
            "mcode/mcode-tumor-marker-test" if loinc in TUMOUR_MARKERS else "us-core/us-core-observation-lab"
        )
    if category is LabCategory.VITAL:
        return "us-core/us-core-vital-signs"
    return "us-core/us-core-smokingstatus" if loinc == _SMOKING and category is LabCategory.SOCIAL else ""


def write_lab(writer: Writer, event: Event, content: Lab) -> None:
    """Add a measured or coded observation to the bundle."""
    profile = lab_profile(content.category, event.code_in(System.LOINC))
    resource: Object = {"resourceType": "Observation", "id": event.id}
    if profile:
        resource["meta"] = meta(profile)
    resource["extension"] = writer.marks(event, *writer.end_mark(event))
    resource["status"] = "final"
    resource["category"] = [concept(OBSERVATION_CATEGORY, content.category.value)]
    resource["code"] = named(event.codes)
    resource["subject"] = writer.subject()
    resource["effectiveDateTime"] = writer.date(event.day)
    value = content.value
    if isinstance(value, Quantity):
        resource["valueQuantity"] = quantity_of(value)
        require_unit(resource["valueQuantity"], judge_of(resource["code"]), event.id, "a value")
    elif isinstance(value, Code):
        resource["valueCodeableConcept"] = {"coding": [coding_of(value)]}
    elif value:
        resource["valueString"] = value
    else:
        resource["dataAbsentReason"] = concept(DATA_ABSENT, "unknown")
    if content.low is not None or content.high is not None:
        resource["referenceRange"] = [_reference_range(content)]
    if event.note:
        resource["note"] = [{"text": event.note}]
    writer.put(resource)


def _reference_range(content: Lab) -> Object:
    unit = content.value.unit if isinstance(content.value, Quantity) else ""
    bounds = {"low": content.low, "high": content.high}
    return {name: quantity_of(Quantity(bound, unit)) for name, bound in bounds.items() if bound is not None}


def write_performance(writer: Writer, event: Event, content: Performance) -> None:
    """Add a performance status to the bundle."""
    profile, code, display = SCALES[content.scale]
    resource: Object = {
        "resourceType": "Observation",
        "id": event.id,
        "meta": meta(profile),
        "extension": writer.marks(event, *writer.end_mark(event)),
        "status": "final",
        "category": [concept(OBSERVATION_CATEGORY, "survey")],
        "code": named(event.codes, (System.LOINC.value, code, display)),
        "subject": writer.subject(),
        "effectiveDateTime": writer.date(event.day),
        "valueInteger": content.score,
        "interpretation": [concept(System.LOINC.value, SCORE_ANSWERS[content.scale][content.score])],
    }
    if event.note:
        resource["note"] = [{"text": event.note}]
    writer.put(resource)


_TREND_TYPES = frozenset({OutcomeType.RESPONSE, OutcomeType.PROGRESSION, OutcomeType.REMISSION})


def write_outcome(writer: Writer, event: Event, content: Outcome) -> None:
    """Add what became of the patient to the bundle."""
    codings = [coding(OUTCOME, content.type.value)]
    if content.read is not None:
        codings.append(coding(RECIST, content.read.value))
    if content.type in _TREND_TYPES:
        codings.insert(0, coding(System.SNOMED.value, *TRENDS[_trend(content)]))
    is_trend = content.type in _TREND_TYPES
    code, display = ("97509-4", "Cancer disease progression") if is_trend else ("69453-9", "Cause of death")
    needs_code = is_trend or content.type is OutcomeType.DEATH
    value: Object = {"coding": codings}
    if content.cause:
        value["text"] = content.cause
    resource: Object = {"resourceType": "Observation", "id": event.id}
    if is_trend:
        resource["meta"] = meta(_DISEASE_STATUS)
    resource["extension"] = writer.marks(event, *writer.end_mark(event))
    resource["status"] = "final"
    fixed = [(System.LOINC.value, code, display)] if needs_code else []
    resource["code"] = named(event.codes, *fixed)
    resource["subject"] = writer.subject()
    if is_trend:
        resource["focus"] = [writer.primary_cancer()]
    resource["effectiveDateTime"] = writer.date(event.day)
    resource["valueCodeableConcept"] = value
    if event.note:
        resource["note"] = [{"text": event.note}]
    writer.put(resource)


def _trend(content: Outcome) -> str:
    if content.read is not None:
        return TREND_OF_READ[content.read]
    return "worsened" if content.type is OutcomeType.PROGRESSION else "improved"


_READ = ALWAYS | names_in(
    "status category code subject effectiveDateTime effectivePeriod effectiveInstant issued note "
    "interpretation focus dataAbsentReason referenceRange"
)
_OUTCOME_READ = _READ | {"valueCodeableConcept"}
_PERFORMANCE_READ = _READ | {"valueInteger"}


def read_outcome(reader: Reader, item: Item) -> list[Found]:
    """What an observation says of the course of the disease."""
    codes = reader.once(item, _codes)
    answers, text = reader.once(item, _answers)
    own = {answer.system: answer.code for answer in answers}
    if item.kind and OUTCOME in own:
        read = member(Read, own[RECIST], item, ".valueCodeableConcept") if RECIST in own else None
        kind = member(OutcomeType, own[OUTCOME], item, ".valueCodeableConcept")
        content = Outcome(type=kind, read=read, cause=text)
    else:
        known = [answer for answer in answers if answer.code in OUTCOME_BY_TREND]
        if not known:
            raise refused(item, ".valueCodeableConcept", "no known answer", "a trend of the cancer")
        kind, read = OUTCOME_BY_TREND[known[0].code]
        content = Outcome(type=kind, read=read)
        codes += answers
        if text:
            item.note += (text,)
    return _found(reader, item, content, codes, _OUTCOME_READ)


def _codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    return reader.codes(item, ".code", item.resource["code"])


def _answers(reader: Reader, item: Item) -> tuple[tuple[Code, ...], str]:
    return reader.codes_and_text(item, ".valueCodeableConcept", item.resource.get("valueCodeableConcept"))


def is_outcome(resource: Object) -> bool:
    """Whether a foreign observation is read as an outcome."""
    codes = {coding.get("code") for coding in resource["code"].get("coding", ())}
    answers = resource.get("valueCodeableConcept", {}).get("coding", ())
    return bool(codes & {"97509-4", "88040-1"}) and any(
        each.get("code") in OUTCOME_BY_TREND for each in answers
    )


def performance_scale(resource: Object) -> Scale | None:
    """The scale of a performance status; None = it is none, or has no score."""
    if "valueInteger" not in resource:
        return None
    for each in resource["code"].get("coding", ()):
        if each.get("code") in SCALE_BY_CODE:
            return SCALE_BY_CODE[each["code"]]
    return None


def read_performance(reader: Reader, item: Item, scale: Scale) -> list[Found]:
    """A performance status."""
    codes = reader.once(item, _codes)
    if not item.kind:
        codes = tuple(code for code in codes if code.code not in SCALE_BY_CODE)
    content = Performance(scale=scale, score=item.resource["valueInteger"])
    for code in reader.once(item, _meanings):
        if code.code != SCORE_ANSWERS[scale].get(content.score):
            reader.lose(item, ".interpretation", f"interpretation {code.code}")
    return _found(reader, item, content, codes, _PERFORMANCE_READ)


def _meanings(reader: Reader, item: Item) -> tuple[Code, ...]:
    """The codes of all interpretations; their words repeat them."""
    meanings = item.resource.get("interpretation", ())
    return tuple(
        code for each in meanings for code in reader.codes_and_text(item, ".interpretation", each)[0]
    )


def _found(
    reader: Reader,
    item: Item,
    content: Content,
    codes: tuple[Code, ...],
    read: frozenset[str],
) -> list[Found]:
    day, end = reader.first_day(item, "effectiveDateTime", "effectivePeriod", "effectiveInstant")
    issued = item.resource.get("issued")
    recorded = None if issued is None else reader.day(item, ".issued", issued)
    marked = item.marks.get("end")
    if marked is not None:
        end = reader.day(item, ".extension", str(marked))
    if "note" in item.resource:
        reader.take_note(item)
    if not item.kind:
        _note_sides(reader, item)
    reader.rest(item, read)
    return [
        Found(content=content, day=recorded if day is None else day, codes=codes, end=end, recorded=recorded)
    ]


def _note_sides(reader: Reader, item: Item) -> None:
    """Note what stands beside a foreign value."""
    if item.resource["status"] != "final":
        reader.lose(item, ".status", f"status {item.resource['status']}")
    for focus in item.resource.get("focus", ()):
        if reader.resolve(focus) is None:
            reader.lose(item, ".focus", str(focus.get("reference", "a focus")))


_VALUES = names_in(
    "valueQuantity valueCodeableConcept valueString valueBoolean valueInteger valueDateTime valueTime"
)
_LAB_READ = _READ | _VALUES | {"component"}
_COMPONENT_READ = _VALUES | {"code", "referenceRange", "dataAbsentReason", "id"}
_BOUNDS = frozenset({"low", "high"})
_NOTHING = frozenset[str]()
_CATEGORIES = {category.value: category for category in LabCategory}


def read_lab(reader: Reader, item: Item) -> list[Found]:
    """The values of any other observation: its own, and one for each component."""
    resource = item.resource
    codes, category, low, high = reader.once(item, _read_heading)
    value = _value(reader, item, resource, "")
    components = resource.get("component", ())
    if not resource["code"].keys() & {"coding", "text"} and not item.kind:
        reader.lose(item, ".code", "an observation that is not named")
    found = _found(reader, item, Lab(value=value, category=category, low=low, high=high), codes, _LAB_READ)
    whole = found[0]
    if not components:
        return found
    parts = [_component(reader, item, whole, part, number) for number, part in enumerate(components, start=1)]
    return ([] if parts and value is None else found) + parts


class _Heading(NamedTuple):
    """What many observations say alike."""

    codes: tuple[Code, ...]
    """What was observed."""
    category: LabCategory
    """What sort of observation it is."""
    low: float | None
    """Lower bound of the reference range; None = not stated."""
    high: float | None
    """Upper bound of the reference range; None = not stated."""


def _read_heading(reader: Reader, item: Item) -> _Heading:
    resource = item.resource
    codes = reader.codes(item, ".code", resource["code"])
    category = _category(reader, item)
    low, high = _bounds(reader, item, resource)
    for meaning in resource.get("interpretation", ()):
        for code in reader.codes(item, ".interpretation", meaning):
            reader.lose(item, ".interpretation", f"interpretation {code.code}")
    return _Heading(codes, category, low, high)


def _component(reader: Reader, item: Item, whole: Found, part: Object, number: int) -> Found:
    path = f".component[{number - 1}]"
    low, high = _bounds(reader, item, part)
    reader.sides(item, path, part, _COMPONENT_READ, "")
    category = whole.content.category if isinstance(whole.content, Lab) else LabCategory.LABORATORY
    return Found(
        content=Lab(value=_value(reader, item, part, path), category=category, low=low, high=high),
        day=whole.day,
        codes=reader.codes(item, f"{path}.code", part["code"]),
        recorded=whole.recorded,
        part=str(number),
    )


def _category(reader: Reader, item: Item) -> LabCategory:
    found = LabCategory.LABORATORY if "category" in item.resource else LabCategory.EXAM
    for category in item.resource.get("category", ()):
        for code in reader.codes(item, ".category", category):
            if code.code in _CATEGORIES:
                found = _CATEGORIES[code.code]
            else:
                reader.lose(item, ".category", f"category {code.code}")
    return found


def _value(reader: Reader, item: Item, held: Object, path: str) -> Quantity | Code | str | None:
    if "valueQuantity" in held:
        return reader.quantity(item, path, held["valueQuantity"])
    if "valueCodeableConcept" in held:
        codes, text = reader.codes_and_text(
            item, f"{path}.valueCodeableConcept", held["valueCodeableConcept"]
        )
        for further in codes[1:]:
            reader.lose(item, f"{path}.valueCodeableConcept", f"a further code of the value: {further.code}")
        if codes and text and text != codes[0].display:
            reader.lose(item, f"{path}.valueCodeableConcept.text", f"words beside the code: {text}")
        return codes[0] if codes else text or None
    if "valueInteger" in held:
        return Quantity(float(held["valueInteger"]), "1")
    if "valueBoolean" in held:
        return "true" if held["valueBoolean"] else "false"
    plain = next((held[key] for key in ("valueString", "valueDateTime", "valueTime") if key in held), None)
    reason = held.get("dataAbsentReason")
    if plain is None and reason is not None:
        for code in reader.codes(item, f"{path}.dataAbsentReason", reason):
            if code.code != "unknown":
                reader.lose(item, f"{path}.dataAbsentReason", f"why there is no value: {code.code}")
    return plain


def _bounds(reader: Reader, item: Item, held: Object) -> tuple[float | None, float | None]:
    if "referenceRange" not in held:
        return None, None
    ranges = held["referenceRange"]
    for number, each in enumerate(ranges):
        read = _NOTHING if number else _BOUNDS
        reader.sides(item, f".referenceRange[{number}]", each, read, "a reference range")
    first: Object = ranges[0] if ranges else {}
    low, high = (first.get(name, {}).get("value") for name in ("low", "high"))
    return None if low is None else float(low), None if high is None else float(high)
