"""Variations: what GA4GH VRS 1.2 asks of the variations in a phenopacket, beyond types and choices.

Rules this module guarantees:

- Sequences are letters of residues, sequence ids are CURIEs, ranges and intervals do not run backwards.

    >>> VARIATION_CHECKS["SimpleInterval"]({"start": 5, "end": 3}, (None, "simpleInterval"))
    Traceback (most recent call last):
    oncoproof.errors.FormatError: simpleInterval.end: came: 3; expected: an end at 5 or later; \
try: swap or correct them
"""

import re
from collections.abc import Callable
from typing import Final

from oncoproof.journey.phenopacket.scalars import Path, refuse
from oncoproof.journey.phenopacket.schema import Document

CURIE: Final = re.compile(r"[A-Za-z][\w.-]*:\S+")
"""A CURIE: prefix, colon, local part."""

_SEQUENCE: Final = re.compile(r"[A-Z*-]*")
_COMPARATORS: Final = ("<=", ">=")


def _check_sequence(message: Document, path: Path) -> None:
    sequence = message.get("sequence", "")
    if _SEQUENCE.fullmatch(sequence) is None:
        refuse((path, "sequence"), sequence, "residues as capital letters", "write it as in ACGT")


def _check_sequence_id(message: Document, path: Path) -> None:
    identifier = message["sequenceId"]
    if CURIE.fullmatch(identifier) is None:
        expected = "a CURIE such as refseq:NC_000007.14"
        refuse((path, "sequenceId"), identifier, expected, "put the prefix and a colon first")


def _check_simple_interval(message: Document, path: Path) -> None:
    _require_order(message, path, "start", "end")


def _check_range(message: Document, path: Path) -> None:
    _require_order(message, path, "min", "max")


def _require_order(message: Document, path: Path, first: str, last: str) -> None:
    low, high = message.get(first, 0), message.get(last, 0)
    if high < low:
        refuse((path, last), high, f"an {last} at {low} or later", "swap or correct them")


def _check_interval(message: Document, path: Path) -> None:
    if "startNumber" in message and "endNumber" in message:
        start, end = (message[name].get("value", 0) for name in ("startNumber", "endNumber"))
        if end < start:
            refuse((path, "endNumber"), end, f"an end at {start} or later", "swap or correct them")


def _check_comparator(message: Document, path: Path) -> None:
    if message["comparator"] not in _COMPARATORS:
        refuse((path, "comparator"), message["comparator"], "<= or >=", "write one of them")


VARIATION_CHECKS: Final[dict[str, Callable[[Document, Path], None]]] = {
    "SequenceState": _check_sequence,
    "LiteralSequenceExpression": _check_sequence,
    "SequenceLocation": _check_sequence_id,
    "SequenceInterval": _check_interval,
    "SimpleInterval": _check_simple_interval,
    "IndefiniteRange": _check_comparator,
    "DefiniteRange": _check_range,
}
"""What is asked of a message, by its name."""
