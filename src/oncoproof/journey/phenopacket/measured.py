"""Measurements that together tell one event, and how to recognise them.

Rules this module guarantees:

- What a measurement tells is seen from its assay. Parts of one event follow one another, are of the
  same time and procedure, and no two of them say the same thing; a part that has a line of its own in
  `externalReferences` begins a new event.

    >>> assay_kind("http://loinc.org", "89247-1")
    ('performance', 'ecog')
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from oncoproof.journey.codes import Code, System
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.curies import GENE_SYMBOLS, OWN_SYSTEM, Term
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import parts_of

SECTION: Final = "measurements"
"""Name of the section."""

ECOG: Final[Term] = {"id": "LOINC:89247-1", "label": "ECOG Performance Status score"}
"""Assay of an ECOG score."""
KARNOFSKY: Final[Term] = {"id": "LOINC:89243-0", "label": "Karnofsky Performance Status score"}
"""Assay of a Karnofsky score."""
TMB: Final[Term] = {"id": "LOINC:94076-7", "label": "Mutations/Megabase [# Ratio] in Tumor"}
"""Assay of the tumour mutational burden."""
MSI: Final[Term] = {
    "id": "LOINC:81695-9",
    "label": "Microsatellite instability in Cancer specimen",
}
"""Assay of microsatellite status."""

STAGE_ASSAYS: Final[dict[str, dict[str, Term]]] = {
    "clinical": {
        "t": {"id": "LOINC:21905-5", "label": "Primary tumor.clinical [Class] Cancer"},
        "n": {"id": "LOINC:21906-3", "label": "Regional lymph nodes.clinical [Class] Cancer"},
        "m": {"id": "LOINC:21907-1", "label": "Distant metastases.clinical [Class] Cancer"},
        "group": {"id": "LOINC:21908-9", "label": "Stage group.clinical Cancer"},
    },
    "pathological": {
        "t": {"id": "LOINC:21899-0", "label": "Primary tumor.pathology Cancer"},
        "n": {"id": "LOINC:21900-6", "label": "Regional lymph nodes.pathology [Class] Cancer"},
        "m": {"id": "LOINC:21901-4", "label": "Distant metastases.pathology [Class] Cancer"},
        "group": {"id": "LOINC:21902-2", "label": "Stage group.pathology Cancer"},
    },
}
"""Assays of stages, by basis and category."""

SOUGHT: Final = "sought"
"""Name of the own assays that look for a finding and did not find it."""

_LOINC: Final = {
    ECOG["id"]: ("performance", "ecog"),
    KARNOFSKY["id"]: ("performance", "karnofsky"),
    TMB["id"]: ("tmb", "value"),
    MSI["id"]: ("msi", "value"),
    **{
        term["id"]: (f"stage {basis}", category)
        for basis, categories in STAGE_ASSAYS.items()
        for category, term in categories.items()
    },
}
_ASSAYS: Final = {(str(System.LOINC), curie.partition(":")[2]): kind for curie, kind in _LOINC.items()}
_OWN_ASSAYS: Final = {
    "lesion-diameters": ("imaging", "lesions"),
    "recist": ("imaging", "read"),
    "new-lesion": ("imaging", "new"),
    "imaging": ("imaging", "done"),
    "outcome": ("outcome", "value"),
    "pdl1": ("pdl1", "value"),
    "hrd-status": ("hrd", "status"),
    "hrd-score": ("hrd", "score"),
    "methylation": ("methylation", "value"),
    SOUGHT: (SOUGHT, "value"),
}
_GENES: Final = frozenset({str(System.HGNC), GENE_SYMBOLS})

NO_KIND: Final = ("lab", "value")
"""What a measurement tells whose assay says nothing special."""


def assay_kind(system: str, code: str) -> tuple[str, str]:
    """What an assay tells, and which part of it; of a gene, its value says the part."""
    if system == OWN_SYSTEM:
        return _OWN_ASSAYS.get(code.partition(".")[0], NO_KIND)
    if system in _GENES:
        return ("expression", "")
    return _ASSAYS.get((system, code), NO_KIND)


def is_special(code: Code | None) -> bool:
    """Whether a laboratory value with this code would be taken for something else."""
    return code is not None and assay_kind(code.system, code.code) != NO_KIND


@dataclass(slots=True, kw_only=True)
class Part:
    """One measurement of an event."""

    pointer: str
    """Where it stands."""
    measurement: Document
    """The measurement."""
    kind: str
    """What it tells."""
    slot: str
    """Which part of it."""

    def follows(self, first: "Part") -> bool:
        """Whether this can be a further part of the event that the first part begins."""
        mine, other = self.measurement, first.measurement
        return (
            self.kind == first.kind
            and mine.get("timeObserved") == other.get("timeObserved")
            and mine.get("procedure") == other.get("procedure")
            and (self.kind != "expression" or mine["assay"] == other["assay"])
        )


def groups(reader: PacketReader) -> Iterator[list[Part]]:
    """The measurements of a document, those of one event together."""
    group: list[Part] = []
    for number, measurement in enumerate(reader.document.get(SECTION, [])):
        part = _part(reader, measurement, f"/{SECTION}/{number}")
        is_new = (
            not group
            or part.kind == "lab"
            or part.pointer in reader.references
            or not part.follows(group[0])
            or any(other.slot == part.slot for other in group)
        )
        if is_new:
            if group:
                yield group
            group = [part]
        else:
            group.append(part)
    if group:
        yield group


def _part(reader: PacketReader, measurement: Document, pointer: str) -> Part:
    code = reader.prefixes.code(measurement["assay"]["id"])
    kind, slot = assay_kind(code.system, code.code)
    if kind == "expression":
        value: Document = measurement.get("value", {})
        is_level = parts_of(value.get("ontologyClass", {"id": ":"})["id"])[:1] == ["level"]
        is_percent = value.get("quantity", {}).get("unit", {}).get("id") == "UCUM:%"
        slot = "level" if is_level else "percent"
        kind = kind if is_level or is_percent else "lab"
    if kind != "lab" and reader.beside(pointer).get("kind") == "lab":
        kind = "lab"
    return Part(pointer=pointer, measurement=measurement, kind=kind, slot=slot)


def tell_measurements(
    packet: Packet,
    event: Event,
    parts: list[tuple[Term, Document]],
    *,
    beside: dict[str, str] | None = None,
    procedure: Document | None = None,
    told: str = "day end note",
) -> None:
    """Write the measurements of one event.

    Args:
        packet: The phenopacket.
        event: The event.
        parts: Assay and value of each measurement; the value is `value` or `complexValue` with content.
        beside: What has to be said beside them; None = nothing.
        procedure: How it was measured; None = not stated.
        told: What of the event stands in the measurements.
    """
    first = len(packet.measurements)
    time = packet.span(event)
    for assay, value in parts:
        measurement: Document = {"assay": assay, **value, "timeObserved": time}
        if procedure is not None:
            measurement["procedure"] = procedure
        packet.measurements.append(measurement)
    if event.note:
        packet.measurements[first]["description"] = event.note
    packet.refer(event, f"/{SECTION}/{first}", told, **(beside or {}))


def of_term(term: Term) -> Document:
    """A value that is a class."""
    return {"value": {"ontologyClass": term}}


def of_quantity(quantity: Document) -> Document:
    """A value that is a number."""
    return {"value": {"quantity": quantity}}
