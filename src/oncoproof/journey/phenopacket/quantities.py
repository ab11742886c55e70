"""Quantities and values: numbers with UCUM units, reference ranges, terms and words.

Rules this module guarantees:

- A unit that is not UCUM stays readable as a UCUM annotation (`{Thousand Cells}`), and is a loss.
- A reference range with one bound is told with an infinite other: the schema cannot leave one out.

    >>> low_and_high({"low": -math.inf, "high": 4.5})
    (None, 4.5)
"""

import math

from oncoproof.journey.codes import Code, System
from oncoproof.journey.phenopacket.checks import Document
from oncoproof.journey.phenopacket.curies import NOT_STATED
from oncoproof.journey.phenopacket.packet import Packet, Section
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.vocabularies import EMPTY_TEXT, NOT_OBTAINED, TEXT, UNITS
from oncoproof.journey.units import Quantity


def tell_quantity(packet: Packet, value: float, unit: str) -> Section:
    """Write a number with its unit."""
    return {"unit": packet.curies.unit(unit), "value": float(value)}


def tell_range(packet: Packet, unit: str, low: float | None, high: float | None) -> Section:
    """Write a reference range; None = no bound."""
    return {
        "unit": packet.curies.unit(unit),
        "low": "-Infinity" if low is None else float(low),
        "high": "Infinity" if high is None else float(high),
    }


def low_and_high(reference: Document) -> tuple[float | None, float | None]:
    """The bounds of a reference range; None = no bound."""
    low, high = reference.get("low", 0.0), reference.get("high", 0.0)
    return (low if math.isfinite(low) else None), (high if math.isfinite(high) else None)


def read_quantity(reader: PacketReader, quantity: Document, pointer: str, comparator: str = "") -> Quantity:
    """Read a number with its unit."""
    return Quantity(
        quantity.get("value", 0.0), _unit(reader, quantity["unit"], f"{pointer}/unit"), comparator
    )


def _unit(reader: PacketReader, unit: Document, pointer: str) -> str:
    if unit["id"] == NOT_STATED["id"]:
        return ""
    code = reader.prefixes.code(unit["id"])
    if code.system == System.UCUM:
        return code.code
    known = UNITS.get(unit["id"])
    if known is None:
        reader.lose(
            pointer, f"a unit that is not UCUM: {unit['label']} ({unit['id']}); kept as an annotation"
        )
        return f"{{{unit['label'] or unit['id']}}}"
    return known


def tell_value(packet: Packet, value: Code | str | None) -> Section:
    """Write a result that is no number; None = not obtained."""
    if isinstance(value, Code):
        return packet.term(value)
    if value is None:
        return packet.say(NOT_OBTAINED)
    return packet.say({"id": TEXT, "label": value} if value else EMPTY_TEXT)


def read_value(reader: PacketReader, term: Document) -> Code | str | None:
    """Read a result that is no number."""
    if term["id"] == TEXT:
        return term["label"]
    if term["id"] == EMPTY_TEXT["id"]:
        return ""
    return None if term["id"] == NOT_OBTAINED["id"] else reader.prefixes.term(term)
