"""Measurements of the patient: laboratory values, performance status, outcomes.

Rules this module guarantees:

- A bound (`< 0.1`) is told as a quantity whose type says so: the schema has no comparator, and the number
  alone would be taken for the value.
- A measurement of several quantities becomes several laboratory events.

    >>> CATEGORIES["vital-signs"]
    <LabCategory.VITAL: 'vital-signs'>
"""

from typing import Final

from oncoproof.journey.contents import Lab, LabCategory, Outcome, OutcomeType, Performance, Read, Scale
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.measured import (
    ECOG,
    KARNOFSKY,
    Part,
    is_special,
    of_quantity,
    of_term,
    tell_measurements,
)
from oncoproof.journey.phenopacket.packet import Packet, named_by
from oncoproof.journey.phenopacket.packet_reader import PacketReader, number_of
from oncoproof.journey.phenopacket.quantities import (
    low_and_high,
    read_bound,
    read_quantity,
    read_value,
    tell_bound,
    tell_quantity,
    tell_range,
    tell_value,
)
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import OUTCOMES, PRESENT, RECIST
from oncoproof.journey.units import Quantity

CATEGORIES: Final = {each.value: each for each in LabCategory}
"""Sorts of observations by name."""
_OUTCOME_TYPES: Final = {each.value: each for each in OutcomeType}


def tell_lab(packet: Packet, event: Event, content: Lab) -> None:
    """Write a laboratory value, vital sign or other observation."""
    value = content.value
    beside: dict[str, str] = {}
    if isinstance(value, Quantity):
        quantity = tell_quantity(packet, value.value, value.unit)
        if content.low is not None or content.high is not None:
            quantity["referenceRange"] = tell_range(packet, value.unit, content.low, content.high)
        told = tell_bound(packet, quantity, value.comparator) if value.comparator else of_quantity(quantity)
    else:
        told = of_term(tell_value(packet, value))
        beside["low"] = "" if content.low is None else repr(content.low)
        beside["high"] = "" if content.high is None else repr(content.high)
    if content.category is not LabCategory.LABORATORY:
        beside["category"] = content.category.value
    if is_special(named_by(event)):
        beside["kind"] = "lab"
    tell_measurements(packet, event, [(packet.name(event), told)], beside=beside, told="day end note name")


def read_lab(reader: PacketReader, parts: list[Part]) -> None:
    """Read laboratory values."""
    for part in parts:
        if "complexValue" in part.measurement and read_bound(part.measurement) is None:
            _read_many(reader, part)
        else:
            _read_one(reader, part)


def _read_one(reader: PacketReader, part: Part) -> None:
    measurement, pointer = part.measurement, part.pointer
    _lose_procedure(reader, measurement, pointer)
    beside = reader.beside(pointer)
    category = CATEGORIES.get(beside.get("category", ""), LabCategory.LABORATORY)
    bound = read_bound(measurement)
    value: Document = measurement.get("value", {})
    if bound is not None:
        content = _quantity(reader, bound[1], pointer, category, bound[0])
    elif "quantity" in value:
        content = _quantity(reader, value["quantity"], pointer, category, "")
    else:
        content = Lab(
            value=read_value(reader, value["ontologyClass"]),
            category=category,
            low=number_of(beside["low"], pointer) if "low" in beside else None,
            high=number_of(beside["high"], pointer) if "high" in beside else None,
        )
    start, end = reader.time(measurement.get("timeObserved"), f"{pointer}/timeObserved")
    codes = reader.codes(measurement["assay"])
    reader.add(pointer, content, start, end, codes=codes, note=measurement.get("description", ""))


def _quantity(
    reader: PacketReader, quantity: Document, pointer: str, category: LabCategory, comparator: str
) -> Lab:
    reference = quantity.get("referenceRange")
    low, high = (None, None) if reference is None else low_and_high(reference)
    if reference is not None and reference["unit"]["id"] != quantity["unit"]["id"]:
        reader.lose(f"{pointer}/value/quantity/referenceRange", "a reference range in another unit")
        low = high = None
    value = read_quantity(reader, quantity, f"{pointer}/value/quantity", comparator)
    return Lab(value=value, category=category, low=low, high=high)


def _read_many(reader: PacketReader, part: Part) -> None:
    measurement = part.measurement
    _lose_procedure(reader, measurement, part.pointer)
    start, end = reader.time(measurement.get("timeObserved"), f"{part.pointer}/timeObserved")
    note = measurement.get("description") or measurement["assay"]["label"]
    for number, each in enumerate(measurement["complexValue"].get("typedQuantities", [])):
        pointer = f"{part.pointer}/complexValue/typedQuantities/{number}"
        content = _quantity(reader, each["quantity"], pointer, LabCategory.LABORATORY, "")
        reader.add(pointer, content, start, end, codes=reader.codes(each["type"]), note=note)


def _lose_procedure(reader: PacketReader, measurement: Document, pointer: str) -> None:
    procedure = measurement.get("procedure")
    if procedure:
        reader.lose(f"{pointer}/procedure", f"how it was measured: {procedure['code']['label']}")


def tell_performance(packet: Packet, event: Event, content: Performance) -> None:
    """Write a performance status."""
    assay = packet.say(ECOG if content.scale is Scale.ECOG else KARNOFSKY)
    tell_measurements(packet, event, [(assay, of_quantity(tell_quantity(packet, content.score, "{score}")))])


def read_performance(reader: PacketReader, parts: list[Part]) -> None:
    """Read a performance status; one that is told otherwise than by a whole number is a laboratory value."""
    part = parts[0]
    quantity: Document = part.measurement.get("value", {}).get("quantity", {})
    score = quantity.get("value", 0.0)
    if not quantity or score != int(score):
        read_lab(reader, parts)
        return
    content = Performance(scale=Scale(part.slot), score=int(score))
    _add(reader, part, content)


def tell_outcome(packet: Packet, event: Event, content: Outcome) -> None:
    """Write an outcome that is no death."""
    value = PRESENT.term("present") if content.read is None else RECIST.term(content.read)
    parts = [(packet.say(OUTCOMES.term(content.type)), of_term(packet.say(value)))]
    tell_measurements(packet, event, parts, beside={"cause": content.cause})


def read_outcome(reader: PacketReader, parts: list[Part]) -> None:
    """Read an outcome that is no death."""
    part = parts[0]
    outcome = _OUTCOME_TYPES.get(OUTCOMES.word(part.measurement["assay"]) or "")
    value: Document = part.measurement.get("value", {})
    if outcome is None or "ontologyClass" not in value:
        read_lab(reader, parts)
        return
    word = RECIST.word(value["ontologyClass"])
    beside = reader.beside(part.pointer)
    read = None if word is None else Read(word)
    _add(reader, part, Outcome(type=outcome, read=read, cause=beside.get("cause", "")))


def _add(reader: PacketReader, part: Part, content: Performance | Outcome) -> None:
    measurement, pointer = part.measurement, part.pointer
    _lose_procedure(reader, measurement, pointer)
    start, end = reader.time(measurement.get("timeObserved"), f"{pointer}/timeObserved")
    reader.add(pointer, content, start, end, note=measurement.get("description", ""))
