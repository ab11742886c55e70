"""What a system is asked: one case, as it is on record on a day.

Rules this module guarantees:

- A request holds what is on record and nothing else: no truth, no seed, no number of the simulator. Ids are
  opaque. Only plain values go into it, so that what a system gets is what stands here.
- The line of a request is canonical: equal requests have equal digests, by which answers are kept.

    >>> patient = PatientData(PatientFormat.FEATURES, {"disease": "nsclc", "line": 1, "EGFR": "l858r"})
    >>> request = Request("b7f3-000123", Task.THERAPY, date(2026, 3, 1), patient)
    >>> request.plain()["patient"]
    {'format': 'features-1', 'data': {'disease': 'nsclc', 'line': 1, 'EGFR': 'l858r'}}
    >>> read_request(request.plain()) == request
    True
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from functools import cached_property
from typing import cast

from oncoproof.errors import FormatError
from oncoproof.systems.contract.canonical import canonical_line

REQUEST_SCHEMA = "oncoproof.request/1"
"""What a request says it is."""


class Task(StrEnum):
    """What is asked."""

    THERAPY = "therapy"
    """Which treatment next."""
    TRIAL_MATCH = "trial_match"
    """Which trials fit."""
    TUMOR_BOARD = "tumor_board"
    """Which treatment next, with the reasons of a board."""
    NEXT_TEST = "next_test"
    """Which test to order."""


class PatientFormat(StrEnum):
    """How the patient is written."""

    RECORD = "record-1"
    """A record of `oncoproof.record/1`."""
    FHIR = "fhir-r4-bundle"
    """A FHIR R4 bundle after mCODE STU4."""
    PHENOPACKET = "phenopacket-2"
    """A phenopacket."""
    TEXT = "text"
    """A letter."""
    FEATURES = "features-1"
    """One flat object: the features of the knowledge base that are on record."""


@dataclass(frozen=True, slots=True)
class PatientData:
    """The patient as a system gets them."""

    format: PatientFormat
    """How they are written."""
    data: Mapping[str, object] | str
    """What is written; text for a letter."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """Something that may be chosen."""

    kind: str
    """`regimen`, `trial` or `test`."""
    code: str
    """Regimen id, registry number or test key."""
    text: str = ""
    """What a reader calls it."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an answer must keep to."""

    max_items: int = 5
    """Items at most."""
    deadline_ms: int = 30_000
    """Time to answer."""


@dataclass(frozen=True)
class Request:
    """One case."""

    case_id: str
    """Opaque, unique within a run."""
    task: Task
    """What is asked."""
    as_of: date
    """The day on which it is asked: nothing later is told."""
    patient: PatientData = field(repr=False)
    """The patient."""
    question: str = ""
    """In words; may be empty."""
    candidates: tuple[Candidate, ...] = ()
    """What may be chosen; empty = anything."""
    limits: Limits = Limits()
    """What the answer must keep to."""
    repeat: int = 0
    """Number of the repetition of the same question."""
    nonce: str = ""
    """Ties an answer to this asking; may be empty."""

    def plain(self) -> dict[str, object]:
        """The request as plain values."""
        return {
            "schema": REQUEST_SCHEMA,
            "case_id": self.case_id,
            "task": self.task.value,
            "as_of": self.as_of.isoformat(),
            "patient": {"format": self.patient.format.value, "data": self.patient.data},
            "question": self.question,
            "candidates": [
                {"kind": each.kind, "code": each.code, "text": each.text} for each in self.candidates
            ],
            "limits": {"max_items": self.limits.max_items, "deadline_ms": self.limits.deadline_ms},
            "repeat": self.repeat,
            "nonce": self.nonce,
        }

    @cached_property
    def line(self) -> bytes:
        """The canonical line."""
        return canonical_line(self.plain())

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical line, in hexadecimal."""
        return hashlib.sha256(self.line).hexdigest()


def read_request(plain: Mapping[str, object]) -> Request:
    """A request from plain values, as a system that is written in Python meets it.

    Raises:
        FormatError: A field that must be there is missing, or is not what it should be.
    """
    try:
        patient = cast("Mapping[str, object]", plain["patient"])
        limits = cast("Mapping[str, int]", plain.get("limits") or {})
        offered = cast("list[Mapping[str, str]]", plain.get("candidates") or [])
        return Request(
            case_id=str(plain["case_id"]),
            task=Task(str(plain["task"])),
            as_of=date.fromisoformat(str(plain["as_of"])),
            patient=PatientData(
                PatientFormat(str(patient["format"])), cast("Mapping[str, object] | str", patient["data"])
            ),
            question=str(plain.get("question", "")),
            candidates=tuple(Candidate(each["kind"], each["code"], each.get("text", "")) for each in offered),
            limits=Limits(**limits),
            repeat=cast("int", plain.get("repeat", 0)),
            nonce=str(plain.get("nonce", "")),
        )
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise FormatError(
            where="request",
            came=f"{type(error).__name__}: {error}",
            expected=f"an object of {REQUEST_SCHEMA}",
            remedy="compare it with request-1.schema.json",
        ) from error
