"""Phenotypic features: symptoms and adverse events.

Rules this module guarantees:

- The severity class tells the two apart: a CTCAE grade makes a feature an adverse event.
- A feature that was looked for and not found (`excluded`) is a loss: a journey tells what happened.

    >>> GRADES.term("3")["label"]
    'Severe Adverse Event'
"""

from oncoproof.journey.contents import AdverseEvent, Severity, Symptom
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import GRADES, RESOLUTIONS, SERIOUS, SYMPTOM_SEVERITIES

SECTION = "phenotypicFeatures"
"""Name of the section."""


def tell_symptom(packet: Packet, event: Event, content: Symptom) -> None:
    """Write a symptom."""
    feature = _feature(packet, event)
    if content.severity is not None:
        feature["severity"] = packet.say(SYMPTOM_SEVERITIES.term(content.severity))
    _append(packet, event, feature)


def tell_adverse_event(packet: Packet, event: Event, content: AdverseEvent) -> None:
    """Write an adverse event."""
    feature = _feature(packet, event)
    feature["severity"] = packet.say(GRADES.term(str(content.grade)))
    modifiers = [packet.say(SERIOUS)] if content.is_serious else []
    if content.resolution:
        modifiers.append(packet.say(RESOLUTIONS.term(content.resolution)))
    if modifiers:
        feature["modifiers"] = modifiers
    _append(packet, event, feature)


def _feature(packet: Packet, event: Event) -> Document:
    feature: Document = {"type": packet.name(event), "onset": packet.moment(event.day)}
    if event.note:
        feature["description"] = event.note
    if event.end is not None:
        feature["resolution"] = packet.moment(event.end)
    return feature


def _append(packet: Packet, event: Event, feature: Document) -> None:
    packet.features.append(feature)
    packet.refer(event, f"/{SECTION}/{len(packet.features) - 1}", told="day end note name")


def read_features(reader: PacketReader) -> None:
    """Read the section."""
    for number, feature in enumerate(reader.document.get(SECTION, [])):
        pointer = f"/{SECTION}/{number}"
        if feature.get("excluded"):
            reader.lose(pointer, f"looked for and not found: {feature['type']['label']}")
        else:
            _read_feature(reader, feature, pointer)


def _read_feature(reader: PacketReader, feature: Document, pointer: str) -> None:
    severity = feature.get("severity")
    is_graded = severity is not None and severity in GRADES
    content = _adverse_event(reader, feature, pointer) if is_graded else _symptom(reader, feature, pointer)
    start, uncertain = reader.time(feature.get("onset"), f"{pointer}/onset")
    if uncertain is not None:
        reader.lose(f"{pointer}/onset", f"an onset between {start} and {uncertain}; the first day is kept")
    end, _ = reader.time(feature.get("resolution"), f"{pointer}/resolution")
    reader.add(
        pointer,
        content,
        start,
        end,
        codes=reader.codes(feature["type"]),
        note=feature.get("description", ""),
    )


def _symptom(reader: PacketReader, feature: Document, pointer: str) -> Symptom:
    severity = feature.get("severity")
    word = None if severity is None else SYMPTOM_SEVERITIES.word(severity)
    if severity is not None and word is None:
        reader.lose(f"{pointer}/severity", f"severity: {severity['label']}")
    for number, modifier in enumerate(feature.get("modifiers", [])):
        reader.lose(f"{pointer}/modifiers/{number}", f"modifier: {modifier['label']}")
    return Symptom(severity=None if word is None else Severity(word))


def _adverse_event(reader: PacketReader, feature: Document, pointer: str) -> AdverseEvent:
    resolution = ""
    is_serious = False
    for number, modifier in enumerate(feature.get("modifiers", [])):
        if modifier["id"] == SERIOUS["id"]:
            is_serious = True
        elif not resolution and RESOLUTIONS.is_own(modifier):
            resolution = RESOLUTIONS.word_or_label(modifier)
        else:
            reader.lose(f"{pointer}/modifiers/{number}", f"modifier: {modifier['label']}")
    return AdverseEvent(
        grade=int(GRADES.word(feature["severity"]) or 0), is_serious=is_serious, resolution=resolution
    )
