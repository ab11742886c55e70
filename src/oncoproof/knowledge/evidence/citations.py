"""Citing: from source ids to lines a reader can follow, so that a run can list the literature behind it.

Rules this module guarantees:

- Every source id that the base or an import uses can be cited; an unknown one is an error that names it.
- A citation names the work by its own identifier (PubMed number, DOI, registry number), never by an address.
- A BibTeX entry is plain: its key is unique to the source and its text is escaped.

    >>> cite("pmid:29151359").line
    'FLAURA: osimertinib in NSCLC; primary report. 2017. PMID 29151359.'
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import cast

from oncoproof.errors import InputError
from oncoproof.knowledge.evidence.evidence import Evidence
from oncoproof.knowledge.sources import Source, load_sources
from oncoproof.knowledge.tables import records_within

_REGISTERS = {
    "pmid": "PMID",
    "pmc": "PubMed Central",
    "doi": "DOI",
    "nct": "ClinicalTrials.gov",
    "civic": "CIViC",
    "asco": "ASCO abstract",
    "ash": "ASH abstract",
}
_ESCAPED = str.maketrans({character: f"\\{character}" for character in "&%$#_{}"})
_SOURCE_FIELDS = ("source", "sources", "code_sources", "references")


@dataclass(frozen=True, slots=True)
class Citation:
    """How a source is cited."""

    id: str
    """Source id."""
    line: str
    """One line for people."""
    identifiers: Mapping[str, str]
    """Register and number, such as PMID and 29151359; empty for what has none."""
    bibtex: str
    """An entry for a bibliography."""


def cite(source_id: str, *, imported: Iterable[Evidence] = ()) -> Citation:
    """How a source is cited.

    Args:
        source_id: `kind:key`.
        imported: Evidence of imports, which bring sources that the base does not list.

    Raises:
        InputError: Neither the base nor the imports know the source.
    """
    known = load_sources().get(source_id) or _imported_sources(imported).get(source_id)
    if known is None:
        raise InputError(
            came=f"source {source_id!r}",
            expected="a source of sources.csv or of an import",
            remedy="correct the id, or add the source",
        )
    return _citation(known)


def cite_all(objects: Iterable[object], *, imported: Iterable[Evidence] = ()) -> tuple[Citation, ...]:
    """The literature behind the objects, each source once, by id.

    Args:
        objects: Records of the base: whatever has sources.
        imported: Evidence of imports, whose sources may be among them.
    """
    brought = _imported_sources(imported)
    known = {**brought, **load_sources()}
    return tuple(
        _citation(known[source]) if source in known else cite(source) for source in sources_of(objects)
    )


def sources_of(objects: Iterable[object]) -> tuple[str, ...]:
    """Every source id that records name, however deep, sorted.

    A record names sources in fields called source, sources, code_sources or references, in each `Figure`, and
    in properties called sources.

    >>> from oncoproof.knowledge.trials.trial_table import load_trials
    >>> sources_of(arm for arm in load_trials() if arm.trial == "EURTAC")
    ('nct:NCT00446225', 'pmid:22285168')
    """
    return tuple(
        sorted({source for item in objects for record in records_within(item) for source in _named(record)})
    )


def _named(record: object) -> Iterator[str]:
    for name in _SOURCE_FIELDS:
        value: object = getattr(record, name, ())
        for source in (value,) if isinstance(value, str) else cast("Iterable[object]", value):
            if isinstance(source, str) and ":" in source:
                yield source


def _imported_sources(imported: Iterable[Evidence]) -> Mapping[str, Source]:
    found: dict[str, Source] = {}
    for piece in imported:
        if piece.civic is None:
            continue
        year = re.search(r"\b(?:19|20)\d\d\b", piece.civic.citation)
        for source in piece.sources:
            title = "CIViC evidence item" if source.startswith("civic:") else piece.civic.citation
            found.setdefault(source, Source(source, title, int(year[0]) if year else None))
    return MappingProxyType(found)


def _citation(source: Source) -> Citation:
    kind, _, key = source.id.partition(":")
    register = _REGISTERS.get(kind)
    identifiers = {register: key} if register else {}
    year = f" {source.year}." if source.year else ""
    number = f" {register} {key}." if register else ""
    return Citation(
        id=source.id,
        line=f"{source.title}.{year}{number}",
        identifiers=MappingProxyType(identifiers),
        bibtex=_bibtex(source, identifiers),
    )


def _bibtex(source: Source, identifiers: Mapping[str, str]) -> str:
    kind = "article" if source.id.startswith(("pmid:", "pmc:", "doi:")) else "misc"
    cells = {
        "title": f"{{{source.title.translate(_ESCAPED)}}}",
        "year": str(source.year) if source.year else "",
        "doi": identifiers.get("DOI", ""),
        "note": ", ".join(f"{name} {key}" for name, key in identifiers.items() if name != "DOI"),
    }
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in cells.items() if text)
    return f"@{kind}{{{_key(source.id)},\n{lines}}}\n"


def _key(source_id: str) -> str:
    """The id in characters BibTeX allows, one to one."""
    return re.sub(r"[^A-Za-z0-9:.-]", lambda match: f"+{ord(match[0]):x}", source_id)
