"""Canonical JSON of plain values: what is hashed is the same bytes wherever it is written.

Rules this module guarantees:

- The bytes are those of RFC 8785: keys in the order of their UTF-16 units, numbers as ECMAScript writes them,
  nothing between tokens. A value that JSON does not know is refused.

    >>> canonical_line({"b": 1.0, "a": [True, None, 1e-7]})
    b'{"a":[true,null,1e-7],"b":1}'
    >>> digest_of_plain({"a": 1}) == digest_of_plain({"a": 1.0})
    True
"""

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import cast

import orjson

from oncoproof.errors import FormatError
from oncoproof.journey.shapes import plain_number


def canonical_line(value: object) -> bytes:
    """The canonical bytes of a plain value, without a line end.

    Args:
        value: Mappings with text as keys, sequences, text, numbers, true, false and None.

    Raises:
        FormatError: It holds something else, or a number that is not finite.
    """
    try:
        return orjson.dumps(_plain(value))
    except (TypeError, ValueError) as error:
        raise _refused(str(error)) from error


def digest_of_plain(value: object) -> str:
    """SHA-256 of the canonical bytes, in hexadecimal."""
    return hashlib.sha256(canonical_line(value)).hexdigest()


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float):
        if isinstance(value, float) and not math.isfinite(value):
            raise _refused(repr(value))
        return plain_number(float(value)) if isinstance(value, float) else value
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        if not all(isinstance(key, str) for key, _ in pairs):
            raise _refused("a key that is no text")
        named = cast("list[tuple[str, object]]", list(pairs))
        return {key: _plain(each) for key, each in sorted(named, key=_utf16)}
    if isinstance(value, Sequence):
        return [_plain(each) for each in cast("Sequence[object]", value)]
    raise _refused(type(value).__name__)


def _utf16(pair: tuple[str, object]) -> bytes:
    return pair[0].encode("utf-16-be", "surrogatepass")


def _refused(came: str) -> FormatError:
    return FormatError(
        where="JSON",
        came=came,
        expected="text, finite numbers, true, false, null, lists and objects of them",
        remedy="leave out what is not known, and write anything else as text",
    )
