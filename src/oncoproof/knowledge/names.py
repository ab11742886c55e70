"""Names: from what people write to the one entry they mean.

Rules this module guarantees:

- Case, spaces, hyphens, underscores and marks make no difference; nothing else is forgiven.
- A name that would stand for two entries is refused when the index is made.
- A name that stands for none is an error that lists the nearest entries.

    >>> index = index_names([("folfox", ("FOLFOX", "mFOLFOX-6"))], where="regimens.toml")
    >>> find_name("m folfox6", index, kind="regimen", table="regimens.toml")
    'folfox'
"""

import difflib
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from oncoproof.errors import InputError, IntegrityError


def normalise_name(text: str) -> str:
    """A name without the differences that do not matter: case, spaces, hyphens, underscores, marks.

    >>> normalise_name("T-DM1 ®")
    'tdm1'
    """
    return re.sub(r"[^a-z0-9/+.@]+", "", text.lower())


def index_names(names: Iterable[tuple[str, Iterable[str]]], *, where: str) -> Mapping[str, str]:
    """From every normalised name to what it stands for, refusing a name that stands for two."""
    index: dict[str, str] = {}
    for slug, words in names:
        for word in words:
            key = normalise_name(word)
            if index.setdefault(key, slug) != slug:
                raise IntegrityError(
                    where=where,
                    came=f"{word!r} for both {index[key]} and {slug}",
                    expected="each name for one entry",
                    remedy="remove it from one of them",
                )
    return MappingProxyType(index)


def find_name(text: str, index: Mapping[str, str], *, kind: str, table: str) -> str:
    """What a name stands for, or an error with the nearest names."""
    found = index.get(normalise_name(text))
    if found is None:
        raise InputError(
            came=f"{kind} {text!r}",
            expected=f"a {kind} of {table}",
            remedy=_nearest(text, index),
        )
    return found


def _nearest(text: str, index: Mapping[str, str]) -> str:
    close = difflib.get_close_matches(normalise_name(text), index, n=3, cutoff=0.85)
    return " or ".join(sorted({index[key] for key in close})) or "another spelling or the international name"
