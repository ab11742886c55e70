"""The subject: sex, birth, the last encounter, whether and why the patient died.

Rules this module guarantees:

- Only what a phenopacket is meant to hold is told: no name, address or social attribute.
- Survival is counted from the first cancer diagnosis to death, or to the last day told.

    >>> SEXES[Sex.OTHER]
    'OTHER_SEX'
"""

import re
from typing import Final

from oncoproof.journey.contents import Outcome, OutcomeType, Read
from oncoproof.journey.events import Event
from oncoproof.journey.patient import Patient, Sex
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import CAUSES_OF_DEATH, HUMAN

SEXES: Final = {
    Sex.UNKNOWN: "UNKNOWN_SEX",
    Sex.FEMALE: "FEMALE",
    Sex.MALE: "MALE",
    Sex.OTHER: "OTHER_SEX",
}
"""Sex of a phenopacket by sex of a record."""
_SEXES: Final = {name: sex for sex, name in SEXES.items()}
_READS: Final = {each.value: each for each in Read}
_POINTER: Final = "/subject/vitalStatus"


def tell_subject(packet: Packet) -> Document:
    """Write the subject, once all events are told."""
    record = packet.record
    patient = record.patient
    subject: Document = {"id": patient.id}
    if patient.birth is not None:
        subject["dateOfBirth"] = f"{patient.birth.isoformat()}T00:00:00Z"
    subject["timeAtLastEncounter"] = packet.moment(record.as_of)
    subject["vitalStatus"] = packet.vital_status
    cancer = packet.first_primary()
    if cancer is not None and packet.vital_status["status"] == "ALIVE" and record.as_of > cancer.day:
        packet.vital_status["survivalTimeInDays"] = record.as_of - cancer.day
    if patient.sex is not Sex.UNKNOWN:
        subject["sex"] = SEXES[patient.sex]
    subject["taxonomy"] = packet.say(HUMAN)
    return subject


def tell_death(packet: Packet, event: Event, content: Outcome) -> None:
    """Write the patient's death."""
    status: Document = {"status": "DECEASED", "timeOfDeath": packet.moment(event.day)}
    if content.cause:
        status["causeOfDeath"] = packet.say(CAUSES_OF_DEATH.term(content.cause))
    cancer = packet.first_primary()
    if cancer is not None and event.day > cancer.day:
        status["survivalTimeInDays"] = event.day - cancer.day
    packet.vital_status = status
    packet.refer(event, _POINTER, told="day", read=content.read or "")


def read_patient(reader: PacketReader) -> Patient:
    """Read the subject."""
    subject: Document = reader.document.get("subject", {})
    taxonomy = subject.get("taxonomy")
    if taxonomy and taxonomy["id"] != HUMAN["id"]:
        reader.lose("/subject/taxonomy", f"species: {taxonomy['label']}")
    given = subject.get("id") or reader.document["id"]
    patient_id = re.sub(r"[^A-Za-z0-9.-]", "-", given)[:64]
    if patient_id != given:
        reader.lose("/subject/id", f"the id {given!r}; an id has letters, digits, hyphens and dots only")
    return Patient(
        id=patient_id,
        sex=_SEXES[subject.get("sex", "UNKNOWN_SEX")],
        birth=reader.calendar.birth,
    )


def read_death(reader: PacketReader) -> None:
    """Read the vital status; needs the diseases read before."""
    subject: Document = reader.document.get("subject", {})
    status: Document = subject.get("vitalStatus", {})
    if status.get("status") != "DECEASED":
        return
    start, end = reader.time(status.get("timeOfDeath"), f"{_POINTER}/timeOfDeath")
    read = _READS.get(reader.beside(_POINTER).get("read", ""))
    content = Outcome(type=OutcomeType.DEATH, read=read, cause=_cause(reader, status))
    reader.add(_POINTER, content, start, end)


def _cause(reader: PacketReader, status: Document) -> str:
    term = status.get("causeOfDeath")
    if term is None:
        return ""
    if CAUSES_OF_DEATH.is_own(term):
        return CAUSES_OF_DEATH.word_or_label(term)
    cancers = {code.code for draft in reader.drafts for code in draft.codes if draft.is_cancer}
    if reader.prefixes.term(term).code in cancers:
        return "cancer"
    reader.lose(f"{_POINTER}/causeOfDeath", f"cause of death: {term['label']}")
    return "other"
