"""Bundles: a record as a FHIR bundle of mCODE resources.

Rules this module guarantees:

- What goes in is a record, so what comes out holds no truth that nobody observed.
- Every entry has a full address, every reference leads to an entry, and the bundle passes `check`.
- Events keep their order; parts of an event stand before it.

    >>> from datetime import date
    >>> from oncoproof.journey.patient import Patient
    >>> record = Record(patient=Patient(id="p1"), index=date(2026, 3, 1), as_of=0, events=(), links=())
    >>> [entry["resource"]["resourceType"] for entry in to_fhir(record)["entry"]]
    ['Patient']
"""

from collections.abc import Callable
from typing import Any

import orjson

from oncoproof.errors import JourneyError
from oncoproof.journey.contents import (
    AdverseEvent,
    Biomarker,
    Decision,
    Diagnosis,
    Imaging,
    Lab,
    Outcome,
    Performance,
    Stage,
    Symptom,
    Treatment,
)
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import BASE
from oncoproof.journey.fhir.checks import check
from oncoproof.journey.fhir.conditions import write_diagnosis, write_symptom
from oncoproof.journey.fhir.decisions import write_decision
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.findings import write_biomarker, write_reports
from oncoproof.journey.fhir.harms import write_adverse_event
from oncoproof.journey.fhir.images import write_imaging
from oncoproof.journey.fhir.observations import write_lab, write_outcome, write_performance
from oncoproof.journey.fhir.patients import write_patient
from oncoproof.journey.fhir.stages import write_stage
from oncoproof.journey.fhir.texts import is_suspect, sayable
from oncoproof.journey.fhir.treatments import write_treatment
from oncoproof.journey.fhir.writer import Writer
from oncoproof.journey.records import Record

_WRITERS: dict[type, Callable[[Writer, Event, Any], None]] = {
    Diagnosis: write_diagnosis,
    Stage: write_stage,
    Biomarker: write_biomarker,
    Lab: write_lab,
    Imaging: write_imaging,
    Symptom: write_symptom,
    Performance: write_performance,
    Treatment: write_treatment,
    AdverseEvent: write_adverse_event,
    Decision: write_decision,
    Outcome: write_outcome,
}


def to_fhir(record: Record, *, transaction: bool = False) -> Object:
    """A record as a FHIR R4 bundle that conforms to mCODE STU4 and Genomics Reporting.

    Args:
        record: What is known of a patient.
        transaction: Whether each entry asks a server to store it; else the bundle is a collection.

    Raises:
        JourneyError: The record holds a clone, a link from nowhere, or the patient's id is no FHIR id;
            a text of it is no Unicode text, a number is not finite, or an analyte or dose that is known is
            told in a unit that measures something else.
    """
    return _told(record, transaction=transaction)[0]


def to_fhir_bytes(record: Record, *, transaction: bool = False) -> bytes:
    """The same as JSON text.

    Raises:
        JourneyError: As `to_fhir`.
    """
    return _told(record, transaction=transaction)[1]


def _told(record: Record, *, transaction: bool) -> tuple[Object, bytes]:
    """The bundle, and its JSON text."""
    _require_causes(record)
    bundle = _bundle(record, transaction=transaction)
    data = _dump(bundle)
    if is_suspect(data):
        bundle = _bundle(sayable(record), transaction=transaction)
        data = _dump(bundle)
        _require_numbers(data)
    return bundle, data


def _bundle(record: Record, *, transaction: bool) -> Object:
    writer = Writer(record)
    write_patient(writer)
    for event in record.events:
        _WRITERS[type(event.content)](writer, event, event.content)
    write_reports(writer)
    entries = [_entry(resource) for resource in writer.resources]
    if transaction:
        for entry in entries:
            url = entry["fullUrl"].removeprefix(BASE)
            entry["request"] = {"method": "PUT", "url": url}
    return {
        "resourceType": "Bundle",
        "type": "transaction" if transaction else "collection",
        "entry": entries,
    }


def _dump(bundle: Object) -> bytes:
    try:
        return orjson.dumps(bundle)
    except orjson.JSONEncodeError as error:
        raise JourneyError(
            where="record", came=str(error), expected="texts that are Unicode", remedy="correct the text"
        ) from None


def _require_numbers(data: bytes) -> None:
    """Refuse a record with a number that is not finite, which JSON writes as null."""
    for problem in check(data) if b":null" in data else ():
        raise JourneyError(
            where=problem.where, came=problem.came, expected=problem.expected, remedy="correct the number"
        )


def _entry(resource: Object) -> Object:
    return {"fullUrl": f"{BASE}{resource['resourceType']}/{resource['id']}", "resource": resource}


def _require_causes(record: Record) -> None:
    known = {event.id for event in record.events}
    for link in record.links:
        if link.cause not in known or link.effect not in known:
            raise JourneyError(
                where="record",
                came=f"a link from {link.cause!r} to {link.effect!r}",
                expected="links between events of the record",
                remedy="add the event or leave the link out",
            )
