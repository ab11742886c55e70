"""Biomarkers that were looked for and not found, or that the assay could not tell.

Rules this module guarantees:

- What is not there is a measurement whose value says so. It never stands among the interpretations or as
  a value of its own: another reader would take it for something the patient has.
- The finding is spelled into the id of the assay, as the journey's own JSON form writes it.

    >>> assay_of(Tmb(per_megabase=12.0), "TMB 12/Mb")["id"]
    'ONCOPROOF:sought.Tmb.%7B%22per_megabase%22%3A12%7D'
"""

from dataclasses import replace
from typing import Final, cast

import orjson

from oncoproof.errors import FormatError
from oncoproof.journey.contents import Biomarker
from oncoproof.journey.events import Event
from oncoproof.journey.labels import label
from oncoproof.journey.omics import (
    CopyNumber,
    Expression,
    Finding,
    Fusion,
    Hrd,
    Methylation,
    Msi,
    Pdl1,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)
from oncoproof.journey.phenopacket.curies import Term
from oncoproof.journey.phenopacket.markers import add_marker, origin_beside, tell_assay
from oncoproof.journey.phenopacket.measured import SOUGHT, Part, of_term, tell_measurements
from oncoproof.journey.phenopacket.observations import read_lab
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader, place_of
from oncoproof.journey.phenopacket.vocabularies import NOT_PRESENT, own, parts_of
from oncoproof.journey.shapes import MisreadError, shape_of

_CLASSES: Final[dict[str, type[Finding]]] = {
    each.__name__: each
    for each in (
        SmallVariant,
        Fusion,
        CopyNumber,
        Expression,
        Pdl1,
        Msi,
        Tmb,
        Hrd,
        Methylation,
        Pharmacogene,
    )
}


def assay_of(finding: Finding, words: str) -> Term:
    """The class of an assay that looks for a finding."""
    plain = orjson.dumps(shape_of(type(finding)).write(finding), option=orjson.OPT_SORT_KEYS)
    return own(SOUGHT, f"Test for {words}", type(finding).__name__, plain.decode())


def tell_absence(packet: Packet, event: Event, content: Biomarker) -> None:
    """Write a biomarker that is not there, or not known to be."""
    words = label(replace(event, content=replace(content, presence=Presence.PRESENT)))
    assay = packet.say(assay_of(content.finding, words))
    value = of_term(packet.say(NOT_PRESENT.term(content.presence)))
    tell_measurements(
        packet,
        event,
        [(assay, value)],
        beside=origin_beside(content),
        procedure=tell_assay(packet, content),
    )


def read_absence(reader: PacketReader, parts: list[Part]) -> None:
    """Read a biomarker that is not there; one that is told otherwise than expected is a laboratory value."""
    part = parts[0]
    word = NOT_PRESENT.word(part.measurement.get("value", {}).get("ontologyClass", {"id": ""}))
    spelled = parts_of(part.measurement["assay"]["id"])
    if word is None or len(spelled) != 3 or spelled[1] not in _CLASSES:
        read_lab(reader, parts)
    else:
        add_marker(reader, part, _finding(spelled, part.pointer), Presence(word))


def _finding(spelled: list[str], pointer: str) -> Finding:
    try:
        return cast("Finding", shape_of(_CLASSES[spelled[1]]).read(orjson.loads(spelled[2])))
    except (orjson.JSONDecodeError, MisreadError):
        raise FormatError(
            where=f"{place_of(pointer)}.assay.id",
            came=repr(spelled[2]),
            expected=f"a {spelled[1]} as this project writes it",
            remedy="leave ids of ONCOPROOF as they were written",
        ) from None
