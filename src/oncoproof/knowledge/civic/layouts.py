"""Files of CIViC evidence as rows, whichever of its two layouts they have.

The layout is told by the header, not by the name: since 2022 a row has a molecular profile, therapies and a
significance; before, a gene, a variant, drugs and a clinical significance.

Rules this module guarantees:

- A row is given only if it is whole: the columns of the header, each coded cell of its grammar, and an
  address that ends in its own ids. The first cell that is not ends the reading with one `FormatError` that
  names line and column.
- Bytes that are no UTF-8, text that was decoded wrongly, a page of HTML, a table with other columns and an
  unclosed quote are told as such.
- A byte order mark and either kind of line end are accepted. Free text may hold anything but tabs.

    >>> detect_layout(["gene", "variant", "drugs"], where="evidence.tsv")
    Traceback (most recent call last):
    oncoproof.errors.FormatError: evidence.tsv line 1: came: no column 'disease'; expected: the columns of \
CIViC's evidence file; try: download the evidence file again
"""

import csv
import hashlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NoReturn

from oncoproof.errors import FormatError

_AGAIN = "download the evidence file again"
_HIGH_BYTES = bytes(range(0x80, 0xC0)).decode("cp1252", errors="ignore")
_CONTINUATION = f"[\u0080-\u00bf{_HIGH_BYTES}]"
_WRONGLY_DECODED = re.compile(f"[\u00c2-\u00df]{_CONTINUATION}|[\u00e0-\u00ef]{_CONTINUATION}{{2}}")
_UNREADABLE = "\ufffd"


class Layout(StrEnum):
    """How the columns of a file are named and cut."""

    PROFILES = "molecular_profile"
    """Since 2022."""
    VARIANTS = "gene_variant"
    """Before."""


_NAMES = {
    Layout.PROFILES: {
        "therapies": "therapies",
        "interaction": "therapy_interaction_type",
        "significance": "significance",
    },
    Layout.VARIANTS: {
        "therapies": "drugs",
        "interaction": "drug_interaction_type",
        "significance": "clinical_significance",
    },
}
_OWN_COLUMNS = {
    Layout.PROFILES: ("molecular_profile", "molecular_profile_id", "molecular_profile_civic_url"),
    Layout.VARIANTS: ("gene", "variant", "gene_id", "gene_civic_url"),
}
_SHARED_COLUMNS = (
    "disease", "doid", "evidence_type", "evidence_direction", "evidence_level", "evidence_statement",
    "citation_id", "source_type", "asco_abstract_id", "citation", "nct_ids", "rating", "evidence_status",
    "evidence_id", "variant_origin", "last_review_date", "evidence_civic_url",
)  # fmt: skip
_GRAMMAR = {
    "evidence_id": (re.compile(r"[1-9]\d*"), "a whole number"),
    "doid": (re.compile(r"\d*"), "digits or nothing"),
    "evidence_type": (re.compile(r"[A-Z][A-Za-z ]+"), "a word such as Predictive"),
    "evidence_direction": (
        re.compile(r"Supports|Does Not Support|N/A|"),
        "Supports, Does Not Support or N/A",
    ),
    "evidence_level": (re.compile(r"[A-E]"), "a letter from A to E"),
    "evidence_status": (re.compile(r"[a-z_ ]+"), "a word such as accepted"),
    "citation_id": (re.compile(r"[\w.:/()-]*"), "an id without spaces"),
    "rating": (re.compile(r"[1-5]?"), "a number from 1 to 5, or nothing"),
    "last_review_date": (
        re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|"),
        "a time such as 2021-02-03 23:41:03 UTC",
    ),
    "is_flagged": (re.compile(r"true|false"), "true or false"),
}
_ADDRESSES = (
    ("evidence_civic_url", "evidence_id"),
    ("molecular_profile_civic_url", "molecular_profile_id"),
    ("gene_civic_url", "gene_id"),
)
_NAME_COLUMNS = ("molecular_profile", "gene", "variant", "disease", "therapies", "drugs", "citation")


@dataclass(frozen=True, slots=True)
class CivicRow:
    """One row, its columns under one name for both layouts."""

    line: int
    """Line of the file it begins at, the header being 1."""
    digest: str
    """SHA-256 of its cells, joined by tabs."""
    evidence_id: int
    """CIViC's number of the evidence."""
    gene: str
    """Gene of the old layout; empty in the new."""
    variant: str
    """Variant of the old layout; empty in the new."""
    molecular_profile: str
    """Profile of the new layout; empty in the old."""
    disease: str
    """Name of the disease."""
    doid: str
    """Disease Ontology number; empty = none."""
    therapies: str
    """Names joined by commas."""
    interaction: str
    """How several therapies go together; empty = one."""
    evidence_type: str
    """Predictive, Prognostic …"""
    direction: str
    """Supports, Does Not Support or N/A."""
    level: str
    """A to E."""
    significance: str
    """Sensitivity/Response, Resistance …"""
    citation_id: str
    """PubMed number, or the number in the register of abstracts."""
    source_type: str
    """PubMed, ASCO, ASH."""
    abstract_id: str
    """Number of a congress abstract; empty = none."""
    citation: str
    """Authors and year."""
    rating: int | None
    """Stars; None = not rated."""
    status: str
    """Editorial status."""
    is_flagged: bool
    """Whether an editor raised a doubt; the old layout does not say and counts as no."""
    reviewed: str
    """When it was last reviewed, UTC, in a form that sorts; empty = not said."""


@dataclass(frozen=True, slots=True)
class CivicFile:
    """A file read whole."""

    name: str
    """The file's name, without its folder."""
    sha256: str
    """Digest of its bytes."""
    layout: Layout
    """How its columns are cut."""
    rows: tuple[CivicRow, ...]
    """Every data row, in order."""

    @property
    def newest_review(self) -> str:
        """The latest review in it, which dates the file."""
        return max((row.reviewed for row in self.rows), default="")


def read_civic(content: bytes, *, name: str) -> CivicFile:
    """Read a file of evidence.

    Args:
        content: The bytes of the file.
        name: What errors and provenance call it.

    Raises:
        FormatError: It is not a whole file of either layout.
    """
    text = _decode(content, name)
    table = _table(text, name)
    line, header = next(table, (1, list[str]()))
    layout = detect_layout(header, where=name)
    reader = _RowReader(header, layout, name)
    rows = tuple(reader.read(line, cells) for line, cells in table)
    if not rows:
        _refuse(f"{name} line {line}", "a header and no rows", "rows of evidence", _AGAIN)
    return CivicFile(name, hashlib.sha256(content).hexdigest(), layout, rows)


def detect_layout(header: Sequence[str], *, where: str) -> Layout:
    """Which layout a header is of; its columns are checked.

    Args:
        header: The names of the columns.
        where: What errors call the file.
    """
    layout = Layout.PROFILES if "molecular_profile" in header else Layout.VARIANTS
    needed = (*_SHARED_COLUMNS, *_OWN_COLUMNS[layout], *_NAMES[layout].values())
    missing = next((column for column in needed if column not in header), None)
    if missing is not None:
        _refuse(f"{where} line 1", f"no column {missing!r}", "the columns of CIViC's evidence file", _AGAIN)
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        _refuse(f"{where} line 1", f"column {twice!r} twice", "each column once", _AGAIN)
    return layout


def _refuse(where: str, came: str, expected: str, remedy: str) -> NoReturn:
    raise FormatError(where=where, came=came, expected=expected, remedy=remedy)


def _decode(content: bytes, name: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = _column_at(content[: error.start].decode("utf-8-sig", errors="replace"))
        _refuse(
            f"{name} line {line} column {column}", f"byte 0x{content[error.start]:02x}", "UTF-8 text", _AGAIN
        )
    if text.lstrip().startswith("<"):
        _refuse(f"{name} line 1", "a page of HTML or XML", "a table of tab-separated columns", _AGAIN)
    found = _WRONGLY_DECODED.search(text)
    if found or "\0" in text:
        place = found.start() if found else text.index("\0")
        line, column = text.count("\n", 0, place) + 1, _column_at(text[:place])
        _refuse(
            f"{name} line {line} column {column}",
            repr(text[place : place + 3]),
            "text that was decoded as UTF-8",
            f"{_AGAIN}, without opening it in a spreadsheet in between",
        )
    return text


def _column_at(before: str) -> str:
    """The column a place of the text stands in, by name where the header has it."""
    header = before.partition("\n")[0].rstrip("\r").split("\t")
    number = before.rpartition("\n")[2].count("\t")
    return repr(header[number]) if "\n" in before and number < len(header) else str(number + 1)


def _table(text: str, name: str) -> Iterator[tuple[int, list[str]]]:
    """Each row with the line it begins at; an empty line is a row of no cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t", strict=True)
    line = 0
    try:
        for cells in reader:
            first, line = line + 1, reader.line_num
            yield first, cells
    except csv.Error as error:
        _refuse(
            f"{name} line {line + 1}", f"{error} (by line {reader.line_num})", "each quote closed", _AGAIN
        )


class _RowReader:
    """Cells to rows, by the columns of one header."""

    def __init__(self, header: Sequence[str], layout: Layout, name: str) -> None:
        self._header = header
        self._name = name
        self._at = {column: number for number, column in enumerate(header)}
        self._columns = _NAMES[layout]
        self._checks = [
            (self._at[column], column, pattern, expected)
            for column, (pattern, expected) in _GRAMMAR.items()
            if column in self._at
        ]
        self._addresses = [
            (self._at[address], address, self._at[number])
            for address, number in _ADDRESSES
            if address in self._at and number in self._at
        ]
        self._names = [(self._at[column], column) for column in _NAME_COLUMNS if column in self._at]

    def read(self, line: int, cells: list[str]) -> CivicRow:
        where = f"{self._name} line {line}"
        if len(cells) != len(self._header):
            last = self._header[min(len(cells), len(self._header)) - 1]
            _refuse(
                f"{where} column {last!r}",
                f"a row that ends after {len(cells)} cells",
                f"{len(self._header)} cells",
                f"{_AGAIN}: it looks cut off or garbled",
            )
        self._check(cells, where)
        return self._row(line, cells)

    def _check(self, cells: list[str], where: str) -> None:
        for at, column, pattern, expected in self._checks:
            if not pattern.fullmatch(cells[at]):
                _refuse(f"{where} column {column!r}", repr(cells[at][:80]), expected, _AGAIN)
        for at, column, number in self._addresses:
            if cells[at].rpartition("/")[2] != cells[number]:
                _refuse(
                    f"{where} column {column!r}",
                    repr(cells[at][:80]),
                    f"an address that ends in /{cells[number]}",
                    f"{_AGAIN}: it looks cut off or garbled",
                )
        for at, column in self._names:
            if _UNREADABLE in cells[at] or "\n" in cells[at]:
                _refuse(f"{where} column {column!r}", repr(cells[at][:80]), "readable text", _AGAIN)

    def _row(self, line: int, cells: list[str]) -> CivicRow:
        def cell(column: str) -> str:
            at = self._at.get(self._columns.get(column, column))
            return "" if at is None else cells[at].strip()

        rating = cell("rating")
        return CivicRow(
            line=line,
            digest=hashlib.sha256("\t".join(cells).encode()).hexdigest(),
            evidence_id=int(cell("evidence_id")),
            gene=cell("gene"),
            variant=cell("variant"),
            molecular_profile=cell("molecular_profile"),
            disease=cell("disease"),
            doid=cell("doid"),
            therapies=cell("therapies"),
            interaction=cell("interaction"),
            evidence_type=cell("evidence_type"),
            direction=cell("evidence_direction"),
            level=cell("evidence_level"),
            significance=cell("significance"),
            citation_id=cell("citation_id"),
            source_type=cell("source_type"),
            abstract_id=cell("asco_abstract_id"),
            citation=cell("citation"),
            rating=int(rating) if rating else None,
            status=cell("evidence_status"),
            is_flagged=cell("is_flagged") == "true",
            reviewed=cell("last_review_date").removesuffix(" UTC"),
        )
