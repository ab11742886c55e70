"""Stages: TNM groups and categories as mCODE's observations, and back.

Rules this module guarantees:

- One stage becomes a group observation and an observation for each category that is stated.
- Categories that a group refers to become part of its stage; a category alone becomes a stage of its own.

    >>> ajcc_group("IIIC"), roman_group("3C")
    ('3C', 'IIIC')
"""

import re
from typing import Any

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Stage, StageBasis
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import AJCC
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader
from oncoproof.journey.fhir.vocabulary import BASIS_PREFIX, STAGE_CODE, STAGE_PART, TNM_CODE, TNM_PROFILE
from oncoproof.journey.fhir.writer import Writer, coding_of, meta, named, words

_ARABIC = {"IV": "4", "III": "3", "II": "2", "I": "1"}
_ROMAN = {arabic: roman for roman, arabic in _ARABIC.items()}
_SPACELESS = re.compile(r"\S+")


def ajcc_group(group: str) -> str:
    """A stage group as AJCC codes it: with an Arabic number."""
    for roman, arabic in _ARABIC.items():
        if group.startswith(roman):
            return arabic + group[len(roman) :]
    return group


def roman_group(code: str) -> str:
    """A stage group as people write it: with a Roman number."""
    return _ROMAN[code[0]] + code[1:] if code[:1] in _ROMAN else code


def write_stage(writer: Writer, event: Event, content: Stage) -> None:
    """Add a stage to the bundle: its group and its categories."""
    members: list[Object] = []
    for part in ("t", "n", "m"):
        value: str = getattr(content, part)
        if value:
            identity = writer.part_id(event.id, part)
            writer.put(_category(writer, event, content, part=part, value=value, identity=identity))
            members.append({"reference": f"Observation/{identity}"})
    group: Object = {
        "resourceType": "Observation",
        "id": event.id,
        "meta": meta("mcode/mcode-tnm-stage-group"),
        "extension": writer.marks(event, *writer.end_mark(event)),
        "status": "final",
        "code": named(event.codes, (System.SNOMED.value, *STAGE_CODE[content.basis])),
        **_about(writer, event, content),
    }
    if content.group:
        group["valueCodeableConcept"] = _value(ajcc_group(content.group), content.group)
    else:
        group["dataAbsentReason"] = words("not stated")
    if members:
        group["hasMember"] = members
    if event.note:
        group["note"] = [{"text": event.note}]
    writer.put(group)


def _about(writer: Writer, event: Event, content: Stage) -> Object:
    return {
        "subject": writer.subject(),
        "focus": [writer.primary_cancer()],
        "effectiveDateTime": writer.date(event.day),
        "method": words("") if content.method is None else {"coding": [coding_of(content.method)]},
    }


def _category(
    writer: Writer, event: Event, content: Stage, *, part: str, value: str, identity: str
) -> Object:
    prefix = BASIS_PREFIX[content.basis]
    code, display = TNM_CODE[content.basis][part]
    return {
        "resourceType": "Observation",
        "id": identity,
        "meta": meta(TNM_PROFILE[part]),
        "status": "final",
        "code": {"coding": [{"system": System.SNOMED.value, "code": code, "display": display}]},
        **_about(writer, event, content),
        "valueCodeableConcept": _value(f"{prefix}{value}" if value[0] in "TNM" else value, value),
    }


def _value(code: str, text: str) -> Object:
    if _SPACELESS.fullmatch(code) is None:
        return {"text": text}
    return {"coding": [{"system": AJCC, "code": code}], "text": text}


_READ = ALWAYS | names_in(
    "status code subject focus effectiveDateTime method valueCodeableConcept dataAbsentReason hasMember note "
    "category"
)
_CATEGORY = re.compile(r"[TNM](?:[0-4X]|is)[A-Za-z0-9()+-]*")


def stage_part(resource: Object) -> tuple[str, StageBasis] | None:
    """Which part of a stage an observation states, and on what it rests; None = it states none."""
    for coding in resource["code"].get("coding", ()):
        part = STAGE_PART.get(coding.get("code", ""))
        if part is not None:
            return part
    return None


def read_stage(reader: Reader, item: Item, part: str, basis: StageBasis) -> list[Found]:
    """The stage that a group, or a category alone, states."""
    held: dict[str, Any] = {"basis": basis, part: _stated(reader, item, part)}
    codes = reader.once(item, _further_codes)
    for member in item.resource.get("hasMember", ()):
        child = reader.take(member)
        about = None if child is None else stage_part(child.resource)
        if child is None or about is None:
            reader.lose(
                item,
                ".hasMember",
                f"{member.get('reference', 'a member')}: not in the document, or no category",
            )
            continue
        reader.unpack(child)
        held[about[0]] = _stated(reader, child, about[0])
        _read_sides(reader, child, is_own=bool(item.kind))
        if child.resource.get("effectiveDateTime") != item.resource.get("effectiveDateTime"):
            reader.lose(child, ".effectiveDateTime", "a category of another time than its group")
    day, _ = reader.first_day(item, "effectiveDateTime")
    method = _read_sides(reader, item, is_own=bool(item.kind))
    end = item.marks.get("end")
    reader.take_note(item)
    return [
        Found(
            content=Stage(method=method, **held),
            day=day,
            codes=codes,
            end=None if end is None else reader.day(item, ".extension", str(end)),
        )
    ]


def _read_sides(reader: Reader, item: Item, *, is_own: bool) -> Code | None:
    """The method; every element that is not read becomes a loss."""
    method = reader.once(item, _method)
    reader.once(item, _note_category)
    if not is_own:
        for focus in item.resource.get("focus", ()):
            if reader.resolve(focus) is None:
                reader.lose(item, ".focus", str(focus.get("reference", "a focus")))
    reader.rest(item, _READ)
    return method


def _further_codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    """What the stage is called beside what says that it is one."""
    codes = reader.codes(item, ".code", item.resource["code"])
    return tuple(code for code in codes if code.code not in STAGE_PART)


def _method(reader: Reader, item: Item) -> Code | None:
    methods = reader.codes(item, ".method", item.resource.get("method"))
    return methods[0] if methods else None


def _note_category(reader: Reader, item: Item) -> None:
    for category in item.resource.get("category", ()):
        for code in reader.codes(item, ".category", category):
            reader.lose(item, ".category", f"category {code.code}")


def _answers(reader: Reader, item: Item) -> tuple[tuple[Code, ...], str]:
    return reader.codes_and_text(item, ".valueCodeableConcept", item.resource.get("valueCodeableConcept"))


def _stated(reader: Reader, item: Item, part: str) -> str:
    """The value of a group or category, as people write it."""
    codes, text = reader.once(item, _answers)
    if text or not codes:
        return text
    value = codes[0]
    for further in codes[1:]:
        reader.lose(item, ".valueCodeableConcept", f"a further code: {further.code}")
    if part == "group":
        return roman_group(value.code) if value.system == AJCC else value.display or value.code
    match = _CATEGORY.search(value.code) or _CATEGORY.search(value.display)
    return match[0] if match else value.code
