"""Where a trial was reported: `PMID 29151359; OS PMID 31751012` as source ids.

Rules this module guarantees:

- A PubMed number becomes `pmid:…`, a digital object identifier `doi:…`; text that names neither is
  kept as it stands, with no source.
- `str()` of a publication is the text it was read from.

    >>> first, later = parse_publications("PMID 29151359; OS PMID 31751012")
    >>> first.sources, later.sources, later.mentions("OS")
    (('pmid:29151359',), ('pmid:31751012',), True)
"""

import re
from dataclasses import dataclass

from oncoproof.knowledge.medicines.conditions import CellError

_PMID = re.compile(r"\bPMID[ :]*(\S*)")
_PMID_NUMBER = re.compile(r"[1-9]\d{0,7}")
_DOI = re.compile(r"\b10\.\d{4,9}/\S+")


@dataclass(frozen=True, slots=True)
class Publication:
    """One report of a trial."""

    text: str
    """The reference as the table writes it."""
    sources: tuple[str, ...]
    """Source ids in the text, the PubMed number first; empty where it names none."""

    def __str__(self) -> str:
        return self.text

    def mentions(self, word: str) -> bool:
        """Whether the reference names this word, such as `OS` or `PFS`."""
        return word in self.text.split()


def parse_publications(text: str) -> tuple[Publication, ...]:
    """All references of a cell, which `;` separates."""
    return tuple(_parse_publication(piece.strip()) for piece in text.split(";")) if text else ()


def _parse_publication(text: str) -> Publication:
    if not text:
        raise CellError(";", expected="a reference on both sides of ;")
    sources: list[str] = []
    for number in _PMID.findall(text):
        if not _PMID_NUMBER.fullmatch(number):
            raise CellError(text, expected="PMID and its number of up to eight digits")
        sources.append(f"pmid:{number}")
    sources += [f"doi:{_trim(doi)}" for doi in _DOI.findall(text)]
    return Publication(text, tuple(sources))


def _trim(doi: str) -> str:
    """Take off punctuation that belongs to the sentence, such as a closing parenthesis."""
    trimmed = doi.rstrip(".,;")
    while trimmed.endswith(")") and trimmed.count(")") > trimmed.count("("):
        trimmed = trimmed[:-1]
    return trimmed
