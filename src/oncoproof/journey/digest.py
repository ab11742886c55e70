"""Digests: what a journey or record is called by its content.

Rules this module guarantees:

- Equal journeys have equal digests, wherever and by whatever program they were written: what is hashed
  is the canonical JSON of `json_file`.

    >>> from datetime import date
    >>> from oncoproof.journey.patient import Patient
    >>> digest_of(Journey(Patient(id="p1"), date(2026, 3, 1)))[:20]
    'sha256:2cd1ce159ba27'
"""

import hashlib

from oncoproof.journey.graph import Journey
from oncoproof.journey.json_file import record_to_json, to_json
from oncoproof.journey.records import Record


def digest_of(told: Journey | Record) -> str:
    """`sha256:` and the digest of the canonical bytes, in hexadecimal.

    Raises:
        FormatError: A text holds what Unicode cannot write.
    """
    data = record_to_json(told) if isinstance(told, Record) else to_json(told)
    return f"sha256:{hashlib.sha256(data).hexdigest()}"
