"""Quantities and values: numbers with UCUM units, reference ranges, terms and words.

Rules this module guarantees:

- A unit that is not UCUM is told as a class of this project's. One in another system's document stays
  readable as a UCUM annotation (`{Thousand_Cells}`), and is a loss.
- A reference range with one bound is told with an infinite other: the schema cannot leave one out.

    >>> low_and_high({"low": -math.inf, "high": 4.5})
    (None, 4.5)
"""

import math
import re
from typing import Final

from oncoproof.errors import UnitError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.phenopacket.curies import NOT_STATED, Term
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import (
    EMPTY_TEXT,
    NOT_OBTAINED,
    TEXT,
    UNITS,
    own,
    parts_of,
)
from oncoproof.journey.units import Quantity, check_unit

_UNIT: Final = "unit"
_BOUND: Final = "bound"
_BOUNDS: Final = {"<": "less than", "<=": "at most", ">": "more than", ">=": "at least"}
_NOT_IN_ANNOTATIONS: Final = re.compile(r"[^!-z|~]")


def tell_quantity(packet: Packet, value: float, unit: str) -> Document:
    """Write a number with its unit."""
    return {"unit": _tell_unit(packet, unit), "value": float(value)}


def tell_bound(packet: Packet, quantity: Document, comparator: str) -> Document:
    """Write a number that is a bound, so that nobody takes it for the value itself."""
    bound = packet.say(own(_BOUND, _BOUNDS[comparator], comparator))
    return {"complexValue": {"typedQuantities": [{"type": bound, "quantity": quantity}]}}


def read_bound(measurement: Document) -> tuple[str, Document] | None:
    """The comparator and the quantity of a number that is a bound; None = it is none."""
    typed: list[Document] = measurement.get("complexValue", {}).get("typedQuantities", [])
    spelled = parts_of(typed[0]["type"]["id"]) if len(typed) == 1 else []
    if len(spelled) == 2 and spelled[0] == _BOUND and spelled[1] in _BOUNDS:
        return spelled[1], typed[0]["quantity"]
    return None


def _tell_unit(packet: Packet, unit: str) -> Term:
    """The class of a unit: UCUM's, or a class of this project's for one that UCUM does not know."""
    if not unit:
        return packet.say(NOT_STATED)
    try:
        check_unit(unit)
    except UnitError:
        return packet.say(own(_UNIT, unit, unit))
    return packet.term(Code(System.UCUM, unit))


def tell_range(packet: Packet, unit: str, low: float | None, high: float | None) -> Document:
    """Write a reference range; None = no bound."""
    return {
        "unit": _tell_unit(packet, unit),
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


def _unit(reader: PacketReader, unit: Term, pointer: str) -> str:
    if unit["id"] == NOT_STATED["id"]:
        return ""
    spelled = parts_of(unit["id"])
    if len(spelled) == 2 and spelled[0] == _UNIT:
        return spelled[1]
    code = reader.prefixes.code(unit["id"])
    known = code.code if code.system == System.UCUM else UNITS.get(unit["id"])
    if known is None:
        reader.lose(
            pointer, f"a unit that is not UCUM: {unit['label']} ({unit['id']}); kept as an annotation"
        )
        return f"{{{_NOT_IN_ANNOTATIONS.sub('_', unit['label'])}}}"
    return known


def tell_value(packet: Packet, value: Code | str | None) -> Document:
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
