"""A record as a phenopacket.

Rules this module guarantees:

- What goes in is a `Record`: truth and the future are not in it, so they cannot leak.
- The same record gives the same bytes: the time of creation is the record's last day.
- Sections without content are left out; every prefix used is explained.

    >>> from datetime import date
    >>> from oncoproof.journey.patient import Patient
    >>> record = Record(patient=Patient(id="p1"), index=date(2026, 3, 1), as_of=0, events=(), links=())
    >>> to_phenopacket(record)["metaData"]["created"]
    '2026-03-01T00:00:00Z'
"""

from collections.abc import Callable
from typing import Any, Final

import orjson

from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Content,
    Diagnosis,
    Imaging,
    Lab,
    Outcome,
    OutcomeType,
    Performance,
    Stage,
    Symptom,
    Treatment,
)
from oncoproof.journey.events import Event
from oncoproof.journey.omics import CopyNumber, Fusion, Pharmacogene, Presence, SmallVariant
from oncoproof.journey.phenopacket.actions import tell_treatment
from oncoproof.journey.phenopacket.diseases import tell_diagnosis
from oncoproof.journey.phenopacket.features import tell_adverse_event, tell_symptom
from oncoproof.journey.phenopacket.imaging import tell_imaging
from oncoproof.journey.phenopacket.interpretations import interpretations, tell_variant
from oncoproof.journey.phenopacket.markers import tell_absence, tell_measured_marker
from oncoproof.journey.phenopacket.observations import tell_lab, tell_outcome, tell_performance
from oncoproof.journey.phenopacket.packet import AUTHOR, Packet
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.stages import tell_stage
from oncoproof.journey.phenopacket.subjects import tell_death, tell_subject
from oncoproof.journey.records import Record

SCHEMA_VERSION: Final = "2.0"
"""Version of the schema that is written."""

_SEQUENCED: Final = (SmallVariant, Fusion, CopyNumber, Pharmacogene)


def _tell_biomarker(packet: Packet, event: Event, content: Biomarker) -> None:
    if content.presence is not Presence.PRESENT:
        tell_absence(packet, event, content)
    elif isinstance(content.finding, _SEQUENCED):
        tell_variant(packet, event, content)
    else:
        tell_measured_marker(packet, event, content)


def _tell_outcome(packet: Packet, event: Event, content: Outcome) -> None:
    if content.type is OutcomeType.DEATH and packet.vital_status["status"] != "DECEASED":
        tell_death(packet, event, content)
    else:
        tell_outcome(packet, event, content)


_TELLERS: Final[dict[type[Content], Callable[[Packet, Event, Any], None]]] = {
    Diagnosis: tell_diagnosis,
    Stage: tell_stage,
    Biomarker: _tell_biomarker,
    Lab: tell_lab,
    Imaging: tell_imaging,
    Symptom: tell_symptom,
    Performance: tell_performance,
    Treatment: tell_treatment,
    AdverseEvent: tell_adverse_event,
    Outcome: _tell_outcome,
}
"""How each content is told; decisions and clones are not."""


def to_phenopacket(record: Record) -> Document:
    """A record as a phenopacket, in the JSON form of schema 2.0."""
    packet = Packet(record)
    for event in record.events:
        tell = _TELLERS.get(type(event.content))
        if tell is not None:
            tell(packet, event, event.content)
    document: Document = {
        "id": f"{record.patient.id}:{packet.date(record.as_of)}",
        "subject": tell_subject(packet),
        "phenotypicFeatures": packet.features,
        "measurements": packet.measurements,
        "biosamples": packet.samples,
        "interpretations": interpretations(packet),
        "diseases": packet.diseases,
        "medicalActions": packet.actions,
    }
    told = {name: section for name, section in document.items() if section}
    return told | {"metaData": _meta_data(packet)}


def to_phenopacket_bytes(record: Record) -> bytes:
    """A record as a phenopacket, as UTF-8 JSON."""
    return orjson.dumps(to_phenopacket(record))


def _meta_data(packet: Packet) -> Document:
    meta: Document = {
        "created": packet.timestamp(packet.record.as_of),
        "createdBy": AUTHOR,
        "resources": packet.curies.resources(),
        "phenopacketSchemaVersion": SCHEMA_VERSION,
    }
    return meta | {"externalReferences": packet.references} if packet.references else meta
