"""Biomarkers that are measured rather than sequenced, and biomarkers that were not found.

Rules this module guarantees:

- TMB, MSI, HRD, PD-L1, expression and methylation are measurements. The procedure names the assay, and as
  its site the specimen. A burden in another unit than mutations per megabase is a laboratory value.
- Whether the finding is inherited has no field: the line of the event says it where it is told.
- What was looked for and is not there, or could not be told, is a measurement whose value says so. It
  never stands among the interpretations or as a value of its own: another reader would take it for
  something the patient has. The finding is spelled into the id of the assay, in the journey's JSON form.

    >>> tell_marker(Tmb(per_megabase=12.0), Packet(_EMPTY))[0][1]["value"]["quantity"]["value"]
    12.0
    >>> assay_of(Tmb(per_megabase=12.0), "TMB 12/Mb")["id"]
    'ONCOPROOF:sought.Tmb.%7B%22per_megabase%22%3A12%7D'
"""

from dataclasses import replace
from datetime import date
from typing import Final, cast, get_args

import orjson

from oncoproof.errors import FormatError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Biomarker
from oncoproof.journey.events import Event
from oncoproof.journey.labels import label
from oncoproof.journey.omics import (
    Expression,
    Finding,
    Hrd,
    HrdClass,
    Methylation,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pdl1Score,
    Presence,
    Tmb,
)
from oncoproof.journey.patient import Patient
from oncoproof.journey.phenopacket.curies import GENE_SYMBOLS, NOT_STATED, Term
from oncoproof.journey.phenopacket.measured import (
    MSI,
    SOUGHT,
    TMB,
    Part,
    of_quantity,
    of_term,
    tell_measurements,
)
from oncoproof.journey.phenopacket.observations import read_lab
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader, place_of
from oncoproof.journey.phenopacket.quantities import tell_quantity
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import (
    HRD_CLASSES,
    MSI_CLASSES,
    NOT_PRESENT,
    own,
    parts_of,
    text_of,
    text_term,
)
from oncoproof.journey.records import Record
from oncoproof.journey.shapes import MisreadError, shape_of
from oncoproof.journey.units import MUTATIONS_PER_MEGABASE

_EMPTY: Final = Record(patient=Patient(id="p"), index=date(2026, 1, 1), as_of=0, events=(), links=())
_HRD_STATUS: Final = own("hrd-status", "Homologous recombination status")
_HRD_SCORE: Final = own("hrd-score", "Genomic instability score")
_SCORE_NAMES: Final = {
    Pdl1Score.TPS: "PD-L1 tumour proportion score",
    Pdl1Score.CPS: "PD-L1 combined positive score",
    Pdl1Score.IC: "PD-L1 immune cell score",
}
_TMB_UNIT: Final = "1/1000000{Base}"
_TMB_UNITS: Final = frozenset({f"UCUM:{_TMB_UNIT}", f"UCUM:{MUTATIONS_PER_MEGABASE}", "UCUM:{mut}/{Mb}"})
_ORIGINS: Final = {each.value: each for each in Origin}

_CLASSES: Final[dict[str, type[Finding]]] = {each.__name__: each for each in get_args(Finding)}

_Parts = list[tuple[Term, Document]]


def tell_measured_marker(packet: Packet, event: Event, content: Biomarker) -> None:
    """Write a measured biomarker."""
    parts = tell_marker(content.finding, packet)
    procedure = tell_assay(packet, content)
    tell_measurements(packet, event, parts, beside=origin_beside(content), procedure=procedure)


def origin_beside(content: Biomarker) -> dict[str, str]:
    """What is said beside a measurement of where the finding comes from."""
    return {"origin": "" if content.origin is Origin.UNKNOWN else content.origin}


def tell_assay(packet: Packet, content: Biomarker) -> Document | None:
    """Write assay and specimen as the procedure of a measurement; None = neither is stated."""
    if not content.assay and not content.specimen:
        return None
    procedure: Document = {"code": packet.say(text_term(content.assay))}
    if content.specimen:
        procedure["bodySite"] = packet.say(text_term(content.specimen))
    return procedure


def tell_marker(finding: Finding, packet: Packet) -> _Parts:
    """Assays and values of a finding."""
    match finding:
        case Tmb():
            return [(packet.say(TMB), of_quantity(tell_quantity(packet, finding.per_megabase, _TMB_UNIT)))]
        case Msi():
            return [(packet.say(MSI), of_term(packet.say(MSI_CLASSES.term(finding.status))))]
        case Pdl1():
            return [_tell_pdl1(finding, packet)]
        case Hrd():
            return _tell_hrd(finding, packet)
        case Expression():
            return _tell_expression(finding, packet)
        case Methylation():
            assay = own("methylation", f"Methylation class of {finding.gene or 'the tumour'}", finding.gene)
            return [(packet.say(assay), of_term(packet.say(text_term(finding.methylation_class))))]
        case _:  # pragma: no cover  # sequenced findings go elsewhere
            return []


def _tell_pdl1(finding: Pdl1, packet: Packet) -> tuple[Term, Document]:
    label = _SCORE_NAMES[finding.score]
    if finding.antibody:
        label = f"{label}, antibody {finding.antibody}"
    assay = own("pdl1", label, finding.score, finding.antibody)
    unit = "1" if finding.score is Pdl1Score.CPS else "%"
    return packet.say(assay), of_quantity(tell_quantity(packet, finding.percent, unit))


def _tell_hrd(finding: Hrd, packet: Packet) -> _Parts:
    parts: _Parts = [(packet.say(_HRD_STATUS), of_term(HRD_CLASSES.term(finding.status)))]
    if finding.score is not None:
        parts.append((_HRD_SCORE, of_quantity(tell_quantity(packet, finding.score, "{score}"))))
    return parts


def _tell_expression(finding: Expression, packet: Packet) -> _Parts:
    assay = gene_term(packet, finding.gene, finding.gene_id)
    level = own("level", finding.level or NOT_STATED["label"], finding.level)
    parts: _Parts = [(assay, of_term(packet.say(level)))]
    if finding.percent is not None:
        parts.append((assay, of_quantity(tell_quantity(packet, finding.percent, "%"))))
    return parts


def gene_term(packet: Packet, symbol: str, gene_id: str) -> Term:
    """The class of a gene: by its HGNC id, or by its symbol where no such id is known."""
    words = symbol or NOT_STATED["label"]
    if gene_id.startswith("HGNC:"):
        return packet.term(Code(System.HGNC, gene_id, words))
    return packet.term(Code(GENE_SYMBOLS, symbol, words))


def gene_of(reader: PacketReader, curie: str, words: str, pointer: str) -> tuple[str, str]:
    """Symbol and HGNC id of a gene; the id is empty where none is known, and another's is a loss."""
    symbol = "" if words == NOT_STATED["label"] else words
    prefix, _, local = curie.partition(":")
    if prefix.upper() == "HGNC":
        return symbol, f"HGNC:{local}"
    if prefix != "HGNC.SYMBOL":
        reader.lose(pointer, f"an id of a gene that is not HGNC's: {curie}")
    return symbol, ""


def read_measured_marker(reader: PacketReader, parts: list[Part]) -> None:
    """Read a measured biomarker; one that is told otherwise than expected is a laboratory value."""
    finding = _finding(reader, parts)
    if finding is None:
        read_lab(reader, parts)
    else:
        add_marker(reader, parts[0], finding, Presence.PRESENT)


def add_marker(reader: PacketReader, part: Part, finding: Finding, presence: Presence) -> None:
    """Add a biomarker that begins with a measurement."""
    measurement = part.measurement
    procedure: Document = measurement.get("procedure") or {"code": NOT_STATED}
    content = Biomarker(
        finding=finding,
        presence=presence,
        origin=_ORIGINS.get(reader.beside(part.pointer).get("origin", ""), Origin.UNKNOWN),
        assay=text_of(procedure["code"]),
        specimen=text_of(procedure.get("bodySite", NOT_STATED)),
    )
    start, end = reader.time(measurement.get("timeObserved"), f"{part.pointer}/timeObserved")
    reader.add(part.pointer, content, start, end, note=measurement.get("description", ""))


def _finding(reader: PacketReader, parts: list[Part]) -> Finding | None:
    values = {part.slot: part.measurement.get("value", {}) for part in parts}
    classes: dict[str, Term] = {
        slot: each["ontologyClass"] for slot, each in values.items() if "ontologyClass" in each
    }
    numbers: dict[str, float] = {
        slot: each["quantity"].get("value", 0.0) for slot, each in values.items() if "quantity" in each
    }
    assay: Term = parts[0].measurement["assay"]
    match parts[0].kind:
        case "tmb":
            unit = values["value"].get("quantity", {}).get("unit", {"id": ""})["id"]
            return Tmb(per_megabase=numbers["value"]) if unit in _TMB_UNITS else None
        case "msi":
            word = MSI_CLASSES.word(classes["value"]) if "value" in classes else None
            return None if word is None else Msi(status=MsiClass(word))
        case "pdl1":
            return _pdl1(assay, numbers)
        case "hrd":
            word = HRD_CLASSES.word(classes["status"]) if "status" in classes else None
            return None if word is None else Hrd(status=HrdClass(word), score=numbers.get("score"))
        case "expression":
            return _expression(reader, parts[0], classes, numbers)
        case _:
            return _methylation(assay, classes)


def _pdl1(assay: Term, numbers: dict[str, float]) -> Pdl1 | None:
    spelled = parts_of(assay["id"])
    if len(spelled) != 3 or spelled[1] not in {each.value for each in Pdl1Score} or "value" not in numbers:
        return None
    return Pdl1(score=Pdl1Score(spelled[1]), percent=numbers["value"], antibody=spelled[2])


def _expression(
    reader: PacketReader, part: Part, classes: dict[str, Term], numbers: dict[str, float]
) -> Expression | None:
    if "level" not in classes:
        return None
    assay: Term = part.measurement["assay"]
    gene, gene_id = gene_of(reader, assay["id"], assay["label"], f"{part.pointer}/assay")
    level = parts_of(classes["level"]["id"])[1]
    return Expression(gene=gene, gene_id=gene_id, level=level, percent=numbers.get("percent"))


def _methylation(assay: Term, classes: dict[str, Term]) -> Methylation | None:
    spelled = parts_of(assay["id"])
    if len(spelled) != 2 or "value" not in classes:
        return None
    return Methylation(gene=spelled[1], methylation_class=text_of(classes["value"]))


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
        add_marker(reader, part, _sought(spelled, part.pointer), Presence(word))


def _sought(spelled: list[str], pointer: str) -> Finding:
    try:
        return cast("Finding", shape_of(_CLASSES[spelled[1]]).read(orjson.loads(spelled[2])))
    except (orjson.JSONDecodeError, MisreadError):
        raise FormatError(
            where=f"{place_of(pointer)}.assay.id",
            came=repr(spelled[2]),
            expected=f"a {spelled[1]} as this project writes it",
            remedy="leave ids of ONCOPROOF as they were written",
        ) from None
