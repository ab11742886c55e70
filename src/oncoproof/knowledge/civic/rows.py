"""Rows of CIViC as evidence of this base, or the reason why not.

Rules this module guarantees:

- Every row comes to one outcome: imported, merged with another row, or skipped with one reason of a closed
  list; the reasons are tried in the order of `SkipReason`.
- Rows are merged where they say the same of the same (disease, profile as written, treatment, direction,
  effect and citation), or where they have one evidence id. The strongest leads: by level, then rating,
  then lowest id.
- What the base has no word for is kept as written, and then `is_mapped` is false; a row none of whose
  therapies the base knows is skipped.

    >>> SkipReason("no_therapy").value
    'no_therapy'
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from oncoproof.knowledge.civic.layouts import CivicRow
from oncoproof.knowledge.civic.profiles import profile_of_old_layout, read_profile
from oncoproof.knowledge.civic.treatment_names import CivicDisease, CivicTherapy, find_disease, find_therapy
from oncoproof.knowledge.evidence.evidence import (
    CivicProvenance,
    Direction,
    Effect,
    Evidence,
    Level,
    Origin,
)
from oncoproof.knowledge.evidence.molecular import Clause, MolecularProfile
from oncoproof.knowledge.medicines.combinations import Combination, Term
from oncoproof.knowledge.medicines.conditions import CellError, Condition
from oncoproof.knowledge.tables import Basis


class SkipReason(StrEnum):
    """Why a row is not imported; the first that applies is told."""

    EVIDENCE_TYPE_NOT_USED = "evidence_type_not_used"
    """It does not speak of treatment: prognostic, diagnostic, functional …"""
    STATUS_NOT_ACCEPTED = "status_not_accepted"
    """CIViC's editors have not accepted it."""
    FLAGGED = "flagged"
    """An editor raised a doubt that is not settled."""
    DISEASE_MISSING = "disease_missing"
    """It names no disease."""
    DISEASE_OUTSIDE_SCOPE = "disease_outside_scope"
    """Its disease is none of this base's."""
    SIGNIFICANCE_UNKNOWN = "significance_unknown"
    """It does not say what was seen, or in words that are not CIViC's."""
    NO_THERAPY = "no_therapy"
    """It names no therapy."""
    THERAPY_UNKNOWN = "therapy_unknown"
    """The base knows none of its therapies."""
    NO_CITATION = "no_citation"
    """It cites nothing."""
    PROFILE_NOT_EXPRESSIBLE = "profile_not_expressible"
    """Its molecular profile is not of CIViC's grammar."""


class Outcome(StrEnum):
    """What became of a row."""

    IMPORTED = "imported"
    """It is evidence of its own, or leads rows that say the same."""
    MERGED = "merged"
    """Another row says the same and leads."""
    SKIPPED = "skipped"
    """It is left out, for a reason."""


@dataclass(frozen=True, slots=True)
class RowOutcome:
    """What became of one row."""

    line: int
    """Line of the file."""
    evidence_id: int
    """CIViC's number of the evidence."""
    outcome: Outcome
    """What became of it."""
    reason: SkipReason | None
    """Why it is skipped; None = it is not."""
    merged_with: int | None
    """Evidence id of the row that leads; None = it is not merged."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What some rows say, and what became of each."""

    evidence: tuple[Evidence, ...]
    """One piece for each row imported, by evidence id."""
    outcomes: tuple[RowOutcome, ...]
    """One for each row, in the order given."""


_EVIDENCE_TYPE = "Predictive"
_ACCEPTED = "accepted"
_NAME_SEPARATOR = ","
_VERDICTS = {
    ("Sensitivity/Response", "Supports"): (Direction.SUPPORTS, Effect.SENSITIVITY),
    ("Sensitivity/Response", "Does Not Support"): (Direction.OPPOSES, Effect.NO_BENEFIT),
    ("Resistance", "Supports"): (Direction.OPPOSES, Effect.RESISTANCE),
    ("Resistance", "Does Not Support"): (Direction.NEUTRAL, Effect.NO_DIFFERENCE),
    ("Reduced Sensitivity", "Supports"): (Direction.OPPOSES, Effect.REDUCED_SENSITIVITY),
    ("Reduced Sensitivity", "Does Not Support"): (Direction.NEUTRAL, Effect.NO_DIFFERENCE),
    ("Adverse Response", "Supports"): (Direction.OPPOSES, Effect.HARM),
    ("Adverse Response", "Does Not Support"): (Direction.NEUTRAL, Effect.NO_DIFFERENCE),
}


def interpret_rows(rows: Sequence[CivicRow]) -> Interpretation:
    """What the rows say, each row accounted for."""
    readings = [interpret_row(row) for row in rows]
    newest = _newest_by_id(rows)
    read = {number: piece for number in newest.values() if isinstance(piece := readings[number], Evidence)}
    groups: dict[tuple[Evidence, str], list[int]] = {}
    for number, piece in read.items():
        groups.setdefault(_identity(rows[number], piece), []).append(number)
    leaders: dict[int, int] = {}
    pieces: list[Evidence] = []
    for members in groups.values():
        members.sort(key=lambda number: _strength(rows[number]))
        leaders.update(dict.fromkeys(members, members[0]))
        pieces.append(_gathered(read[members[0]], [rows[number] for number in members]))
    outcomes = tuple(
        _outcome(row, reading, rows[leaders.get(number, number)], is_newest=newest[row.evidence_id] == number)
        for number, (row, reading) in enumerate(zip(rows, readings, strict=True))
    )
    return Interpretation(tuple(sorted(pieces, key=_number)), outcomes)


def _newest_by_id(rows: Sequence[CivicRow]) -> dict[int, int]:
    """For each evidence id the number of its row, the one reviewed last where there are several."""
    newest: dict[int, int] = {}
    for number, row in enumerate(rows):
        held = newest.get(row.evidence_id)
        if held is None or row.reviewed > rows[held].reviewed:
            newest[row.evidence_id] = number
    return newest


def _outcome(
    row: CivicRow, reading: Evidence | SkipReason, leader: CivicRow, *, is_newest: bool
) -> RowOutcome:
    if not is_newest:
        return RowOutcome(row.line, row.evidence_id, Outcome.MERGED, None, row.evidence_id)
    if isinstance(reading, SkipReason):
        return RowOutcome(row.line, row.evidence_id, Outcome.SKIPPED, reading, None)
    if leader is not row:
        return RowOutcome(row.line, row.evidence_id, Outcome.MERGED, None, leader.evidence_id)
    return RowOutcome(row.line, row.evidence_id, Outcome.IMPORTED, None, None)


def _gathered(reading: Evidence, rows: Sequence[CivicRow]) -> Evidence:
    """The leading row's evidence with where all rows of its group stand."""
    leader = rows[0]
    provenance = CivicProvenance(
        evidence_ids=tuple(row.evidence_id for row in rows),
        molecular_profile=profile_text(leader),
        disease=leader.disease,
        therapies=leader.therapies,
        citation=leader.citation,
        rating=leader.rating,
        reviewed=leader.reviewed,
        files=(),
        is_current=True,
    )
    others = tuple(f"civic:EID{row.evidence_id}" for row in rows[1:])
    return replace(reading, sources=(*reading.sources, *others), civic=provenance)


def _number(piece: Evidence) -> int:
    return piece.civic.evidence_ids[0] if piece.civic else 0


def interpret_row(row: CivicRow) -> Evidence | SkipReason:
    """What one row says, or why it is skipped."""
    reason = _editorial_reason(row)
    if reason is not None:
        return reason
    disease = find_disease(row.doid, row.disease)
    if disease is None:
        return SkipReason.DISEASE_OUTSIDE_SCOPE
    if (row.significance, row.direction) not in _VERDICTS:
        return SkipReason.SIGNIFICANCE_UNKNOWN
    therapies = [find_therapy(name) for name in split_names(row.therapies)]
    if not any(therapy.is_known for therapy in therapies):
        return SkipReason.THERAPY_UNKNOWN if therapies else SkipReason.NO_THERAPY
    if not row.citation_id:
        return SkipReason.NO_CITATION
    try:
        profile = _profile(row, disease)
    except CellError:
        return SkipReason.PROFILE_NOT_EXPRESSIBLE
    return _evidence(row, disease, profile, therapies)


def split_names(text: str) -> list[str]:
    """Names that commas join; a comma between two digits belongs to a chemical name.

    >>> split_names("HER2 Inhibitor CP-724,714,Gefitinib")
    ['HER2 Inhibitor CP-724,714', 'Gefitinib']
    """
    names: list[str] = []
    for piece in text.split(_NAME_SEPARATOR) if text else []:
        if names and names[-1][-1:].isdigit() and piece[:1].isdigit():
            names[-1] += _NAME_SEPARATOR + piece
        else:
            names.append(piece)
    return [name.strip() for name in names if name.strip()]


def _editorial_reason(row: CivicRow) -> SkipReason | None:
    if row.evidence_type != _EVIDENCE_TYPE:
        return SkipReason.EVIDENCE_TYPE_NOT_USED
    if row.status != _ACCEPTED:
        return SkipReason.STATUS_NOT_ACCEPTED
    if row.is_flagged:
        return SkipReason.FLAGGED
    return None if row.disease or row.doid else SkipReason.DISEASE_MISSING


def profile_text(row: CivicRow) -> str:
    """The molecular profile of a row of either layout."""
    return row.molecular_profile or profile_of_old_layout(row.gene, row.variant)


def _profile(row: CivicRow, disease: CivicDisease) -> MolecularProfile:
    read = read_profile(profile_text(row), disease.disease)
    return MolecularProfile(
        tuple(Clause(_with(clause.conditions, disease.requires), clause.variants) for clause in read.clauses)
    )


def _with(conditions: Iterable[Condition], required: Iterable[Condition]) -> tuple[Condition, ...]:
    return tuple(sorted({*conditions, *required}, key=str))


def _evidence(
    row: CivicRow, disease: CivicDisease, profile: MolecularProfile, therapies: Sequence[CivicTherapy]
) -> Evidence:
    direction, effect = _VERDICTS[row.significance, row.direction]
    return Evidence(
        id=f"civic:EID{row.evidence_id}",
        origin=Origin.CIVIC,
        disease=disease.disease,
        histology=disease.histology,
        profile=profile,
        treatment=_treatment(row.interaction, therapies),
        is_sequential=row.interaction == "Sequential",
        comparator=None,
        direction=direction,
        effect=effect,
        level=Level(row.level),
        sizes=(),
        line_min=None,
        line_max=None,
        sources=(f"civic:EID{row.evidence_id}", _citation(row)),
        basis=Basis.READ,
        statement="",
        unknown_treatments=tuple(therapy.words[0] for therapy in therapies if not therapy.is_known),
    )


def _treatment(interaction: str, therapies: Sequence[CivicTherapy]) -> Combination:
    options = tuple(sorted({therapy.words for therapy in therapies}))
    if interaction == "Substitutes":
        return Combination((Term(options),))
    words = sorted({word for therapy in therapies for word in therapy.words})
    return Combination(tuple(Term(((word,),)) for word in words))


def _citation(row: CivicRow) -> str:
    kind = {"pubmed": "pmid"}.get(row.source_type.lower(), row.source_type.lower() or "citation")
    return f"{kind}:{row.citation_id}"


def _identity(row: CivicRow, piece: Evidence) -> tuple[Evidence, str]:
    """The piece without what may differ between rows that say the same, and its profile as written."""
    return replace(piece, id="", level=Level.E, sources=(_citation(row),)), profile_text(row).casefold()


def _strength(row: CivicRow) -> tuple[str, int, int]:
    """Sorts the strongest row first."""
    return (row.level, -(row.rating or 0), row.evidence_id)
