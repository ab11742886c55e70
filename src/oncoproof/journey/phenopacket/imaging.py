"""Scans: lesion diameters, new lesions and the overall reading, as measurements.

Rules this module guarantees:

- The procedure of the measurement is the modality of the scan. Diameters are quantities in mm whose
  type names the lesion; a lesion that was seen and not measured counts as one in the unit `{lesion}`.

    >>> lesion_term(Lesion(label="T1", organ="lung", diameter_mm=21.0))
    {'id': 'ONCOPROOF:lesion.T1.lung.target', 'label': 'T1, lung'}
"""

from typing import Final

from oncoproof.journey.contents import Imaging, Lesion, Read
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.curies import NOT_STATED, Term
from oncoproof.journey.phenopacket.measured import Part, of_term, tell_measurements
from oncoproof.journey.phenopacket.observations import read_lab
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.quantities import tell_quantity
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import PRESENT, RECIST, own, parts_of, text_of, text_term

_DIAMETERS: Final = own("lesion-diameters", "Diameters of lesions")
_RECIST: Final = own("recist", "Reading by RECIST 1.1")
_NEW_LESION: Final = own("new-lesion", "New lesion")
_DONE: Final = own("imaging", "Imaging")
_SEEN: Final = "{lesion}"


def lesion_term(lesion: Lesion) -> Term:
    """The class that names a lesion."""
    role = "target" if lesion.is_target else "other"
    return own("lesion", f"{lesion.label}, {lesion.organ}", lesion.label, lesion.organ, role)


def tell_imaging(packet: Packet, event: Event, content: Imaging) -> None:
    """Write a scan."""
    parts: list[tuple[Term, Document]] = []
    if content.lesions:
        quantities = [_tell_lesion(packet, lesion) for lesion in content.lesions]
        parts.append((_DIAMETERS, {"complexValue": {"typedQuantities": quantities}}))
    if content.read is not None:
        parts.append((_RECIST, of_term(packet.say(RECIST.term(content.read)))))
    if content.has_new_lesion is not None:
        word = "present" if content.has_new_lesion else "absent"
        parts.append((_NEW_LESION, of_term(PRESENT.term(word))))
    if not parts:
        parts.append((_DONE, of_term(PRESENT.term("present"))))
    packet.say(_DONE)
    procedure: Document = {"code": text_term(content.modality), "performed": packet.moment(event.day)}
    tell_measurements(packet, event, parts, procedure=procedure)


def _tell_lesion(packet: Packet, lesion: Lesion) -> Document:
    if lesion.diameter_mm is None:
        quantity = tell_quantity(packet, 1.0, _SEEN)
    else:
        quantity = tell_quantity(packet, lesion.diameter_mm, "mm")
    return {"type": lesion_term(lesion), "quantity": quantity}


def read_imaging(reader: PacketReader, parts: list[Part]) -> None:
    """Read a scan."""
    first = parts[0]
    lesions: tuple[Lesion, ...] = ()
    read: Read | None = None
    has_new: bool | None = None
    for part in parts:
        if part.slot == "lesions" and "complexValue" in part.measurement:
            lesions = _read_lesions(reader, part)
        elif "value" in part.measurement and "ontologyClass" in part.measurement["value"]:
            term: Term = part.measurement["value"]["ontologyClass"]
            if part.slot == "read":
                word = RECIST.word(term)
                read = None if word is None else Read(word)
            elif part.slot == "new":
                has_new = PRESENT.word(term) == "present"
        else:
            read_lab(reader, [part])
    measurement = first.measurement
    procedure: Document = measurement.get("procedure") or {"code": NOT_STATED}
    start, end = reader.time(measurement.get("timeObserved"), f"{first.pointer}/timeObserved")
    content = Imaging(modality=text_of(procedure["code"]), lesions=lesions, has_new_lesion=has_new, read=read)
    reader.add(first.pointer, content, start, end, note=measurement.get("description", ""))


def _read_lesions(reader: PacketReader, part: Part) -> tuple[Lesion, ...]:
    lesions: list[Lesion] = []
    for number, each in enumerate(part.measurement["complexValue"].get("typedQuantities", [])):
        spelled = parts_of(each["type"]["id"])
        quantity: Document = each["quantity"]
        if len(spelled) != 4 or spelled[0] != "lesion":
            reader.lose(f"{part.pointer}/complexValue/typedQuantities/{number}", each["type"]["label"])
            continue
        is_measured = quantity["unit"]["id"] == "UCUM:mm"
        lesions.append(
            Lesion(
                label=spelled[1],
                organ=spelled[2],
                diameter_mm=quantity.get("value", 0.0) if is_measured else None,
                is_target=spelled[3] == "target",
            )
        )
    return tuple(lesions)
