"""Images: scans as diagnostic reports, lesions as mCODE tumours and tumour sizes, and back.

Rules this module guarantees:

- A lesion is one tumour (a body structure) through all scans; each scan states its size, or that it
  was seen and not measured.
- What kind of scan it was stands in the words of the report's code; the reading in its conclusion code.

    >>> longest(None)["dataAbsentReason"]["text"]
    'not measured'
"""

from typing import NamedTuple

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Imaging, Lesion, Read
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import (
    FINDING,
    LESION_ID,
    RECIST,
    REPORT_SECTION,
    RESOURCE_TYPES,
    TUMOUR_RELATED,
)
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader
from oncoproof.journey.fhir.vocabulary import ORGANS
from oncoproof.journey.fhir.writer import Writer, coding, concept, meta, named, quantity, unknown, words

_LOINC = System.LOINC.value
_LONGEST = "33728-7"
_MALIGNANT = ("1240414004", "Malignant neoplasm")


def write_imaging(writer: Writer, event: Event, content: Imaging) -> None:
    """Add a scan to the bundle: a report, its lesions and their sizes."""
    more: list[Object] = [*writer.end_mark(event)]
    if event.note:
        more.append({"url": "note", "valueString": event.note})
    if content.has_new_lesion is not None:
        more.append({"url": "newLesion", "valueBoolean": content.has_new_lesion})
    report: Object = {
        "resourceType": "DiagnosticReport",
        "id": event.id,
        "extension": writer.marks(event, *more),
        "status": "final",
        "category": [concept(REPORT_SECTION, "RAD")],
        "code": named(event.codes, (_LOINC, "18748-4", "Diagnostic imaging study"), text=content.modality),
        "subject": writer.subject(),
        "effectiveDateTime": writer.date(event.day),
    }
    if content.lesions:
        report["result"] = [
            {"reference": _size(writer, event, lesion, number)}
            for number, lesion in enumerate(content.lesions, start=1)
        ]
    if content.read is not None:
        report["conclusionCode"] = [concept(RECIST, content.read.value)]
    writer.put(report)


def longest(diameter_mm: float | None) -> Object:
    """The component that states the longest diameter, or that it was not measured."""
    component: Object = {"code": concept(_LOINC, _LONGEST, "Size.maximum dimension in Tumor")}
    if diameter_mm is None:
        component["dataAbsentReason"] = words("not measured")
    else:
        component["valueQuantity"] = quantity(diameter_mm, "mm")
    return component


def _size(writer: Writer, event: Event, lesion: Lesion, number: int) -> str:
    """Add the size of a lesion; gives its address."""
    identity = writer.part_id(event.id, f"lesion{number}")
    components = [longest(lesion.diameter_mm)]
    if not lesion.is_target:
        components.append({"code": concept(FINDING, "target"), "valueBoolean": False})
    body = _tumour(writer, event, lesion, number)
    writer.put(
        {
            "resourceType": "Observation",
            "id": identity,
            "meta": meta("mcode/mcode-tumor-size"),
            "status": "final",
            "code": concept(_LOINC, "21889-1", "Size Tumor"),
            "subject": writer.subject(),
            "focus": [{"reference": body}],
            "effectiveDateTime": writer.date(event.day),
            "component": components,
        }
    )
    return f"Observation/{identity}"


def _tumour(writer: Writer, event: Event, lesion: Lesion, number: int) -> str:
    """The address of the tumour that a lesion is; written when it is first met."""
    address = writer.bodies.get((lesion.label, lesion.organ))
    if address is not None:
        return address
    identity = writer.part_id(event.id, f"tumour{number}")
    address = writer.bodies[lesion.label, lesion.organ] = f"BodyStructure/{identity}"
    label: Object = {"use": "usual", "type": concept(RESOURCE_TYPES, "BodyStructure"), "system": LESION_ID}
    label |= {"value": lesion.label} if lesion.label else {"_value": {"extension": [unknown()]}}
    location = words(lesion.organ)
    if lesion.organ in ORGANS:
        location["coding"] = [coding(System.SNOMED.value, ORGANS[lesion.organ])]
    tumour: Object = {
        "resourceType": "BodyStructure",
        "id": identity,
        "meta": meta("mcode/mcode-tumor"),
        "identifier": [label],
        "morphology": concept(System.SNOMED.value, *_MALIGNANT),
        "location": location,
        "patient": writer.subject(),
    }
    if writer.primary is not None:
        tumour["extension"] = [{"url": TUMOUR_RELATED, "valueReference": writer.primary_cancer()}]
    writer.put(tumour)
    return address


_READ = ALWAYS | names_in(
    "status category code subject effectiveDateTime effectivePeriod result conclusionCode issued"
)
_SIZE_READ = names_in("resourceType id meta status code subject focus effectiveDateTime component extension")
_BODY_READ = names_in("resourceType id meta identifier morphology location patient extension")


def is_imaging(resource: Object) -> bool:
    """Whether a foreign report is read as a scan."""
    sections = [coding for each in resource.get("category", ()) for coding in each.get("coding", ())]
    return any(coding.get("code") in {"RAD", "LP29684-5", "CT", "NMR", "NMS", "RUS"} for coding in sections)


class _Heading(NamedTuple):
    """What many reports say alike."""

    codes: tuple[Code, ...]
    """What the scan is called."""
    modality: str
    """What kind of scan it was."""
    read: Read | None
    """The reading; None = not stated."""


def _read_heading(reader: Reader, item: Item) -> _Heading:
    codes, modality = reader.codes_and_text(item, ".code", item.resource["code"])
    reads = [
        code
        for concluded in item.resource.get("conclusionCode", ())
        for code in reader.codes(item, ".conclusionCode", concluded)
    ]
    known = [Read(code.code) for code in reads if code.system == RECIST and code.code in set(Read)]
    for code in reads:
        if code.system != RECIST:
            reader.lose(item, ".conclusionCode", f"conclusion {code.code}")
    return _Heading(codes, modality, known[0] if known else None)


def read_imaging(reader: Reader, item: Item) -> list[Found]:
    """The scan that a report tells of."""
    codes, modality, read = reader.once(item, _read_heading)
    lesions: list[Lesion] = []
    for number, result in enumerate(item.resource.get("result", ())):
        lesion = _lesion(reader, item, result, number)
        if lesion is not None:
            lesions.append(lesion)
    day, end = reader.first_day(item, "effectiveDateTime", "effectivePeriod")
    marked, new = item.marks.get("end"), item.marks.get("newLesion")
    if item.mark("note"):
        item.note += (item.mark("note"),)
    reader.rest(item, _READ)
    content = Imaging(
        modality=modality,
        lesions=tuple(lesions),
        has_new_lesion=new if isinstance(new, bool) else None,
        read=read,
    )
    end = end if marked is None else reader.day(item, ".extension", str(marked))
    return [Found(content=content, day=day, codes=codes, end=end)]


def _lesion(reader: Reader, item: Item, result: Object, number: int) -> Lesion | None:
    """The lesion whose size a result states; None = it is something else, read by itself."""
    child = reader.take(result, _is_size)
    if child is None:
        if reader.resolve(result) is None:
            reader.lose(item, f".result[{number}]", str(result.get("reference", "a result")))
        return None
    label, organ = _tumour_of(reader, child)
    diameter, is_target = None, True
    for place, component in enumerate(child.resource.get("component", ())):
        names = [coding.get("code") for coding in component["code"].get("coding", ())]
        if _LONGEST in names:
            if "valueQuantity" in component:
                path = f".component[{place}].valueQuantity"
                diameter = reader.amount(child, path, component["valueQuantity"], "mm")
        elif "target" in names:
            is_target = component.get("valueBoolean", True)
        else:
            reader.lose(child, ".component", f"component {', '.join(sorted(map(str, names)))}")
    reader.sides(child, "", child.resource, _SIZE_READ, "")
    return Lesion(label=label, organ=organ, diameter_mm=diameter, is_target=is_target)


def _is_size(_: Reader, item: Item) -> bool:
    resource = item.resource
    if resource["resourceType"] != "Observation":
        return False
    return any(coding.get("code") == "21889-1" for coding in resource["code"].get("coding", ()))


def _tumour_of(reader: Reader, item: Item) -> tuple[str, str]:
    """Label and organ of the tumour that a size is about; each tumour is read once."""
    for focus in item.resource.get("focus", ()):
        address = str(focus.get("reference", ""))
        known = reader.tumours.get(address)
        if known is not None:
            return known
        tumour = reader.take(focus)
        if tumour is not None and tumour.resource["resourceType"] == "BodyStructure":
            reader.tumours[address] = _read_tumour(reader, tumour)
            return reader.tumours[address]
        reader.lose(item, ".focus", address or "a focus")
    return "", ""


def _read_tumour(reader: Reader, item: Item) -> tuple[str, str]:
    resource = item.resource
    reader.sides(item, "", resource, _BODY_READ, "")
    codes, organ = reader.codes_and_text(item, ".location", resource.get("location"))
    labels = [each.get("value", "") for each in resource.get("identifier", ())]
    for label in labels[1:]:
        reader.lose(item, ".identifier", f"a further identifier {label}")
    return labels[0] if labels else "", organ or (codes[0].display or codes[0].code if codes else "")
