"""The contract with a system under test: what it is asked, and what its answer is taken for."""

from oncoproof.systems.contract.answers import (
    RESPONSE_SCHEMA,
    Abstention,
    Answer,
    Evidence,
    Fault,
    FaultKind,
    Item,
    ItemKind,
    Status,
    Usage,
    Verdict,
)
from oncoproof.systems.contract.canonical import canonical_line, digest_of_plain
from oncoproof.systems.contract.naming import code_of_regimen, code_of_test, code_of_trial
from oncoproof.systems.contract.reading import BYTES_MAX, Sent, read_answer, timed
from oncoproof.systems.contract.requests import (
    REQUEST_SCHEMA,
    Candidate,
    Limits,
    PatientData,
    PatientFormat,
    Request,
    Task,
    read_request,
)

__all__ = [
    "BYTES_MAX",
    "REQUEST_SCHEMA",
    "RESPONSE_SCHEMA",
    "Abstention",
    "Answer",
    "Candidate",
    "Evidence",
    "Fault",
    "FaultKind",
    "Item",
    "ItemKind",
    "Limits",
    "PatientData",
    "PatientFormat",
    "Request",
    "Sent",
    "Status",
    "Task",
    "Usage",
    "Verdict",
    "canonical_line",
    "code_of_regimen",
    "code_of_test",
    "code_of_trial",
    "digest_of_plain",
    "read_answer",
    "read_request",
    "timed",
]
