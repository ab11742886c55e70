"""Evidence that trials of this base do not show, one row each in `data/evidence.csv`.

Resistance, negative contrasts, approvals across tumours: each with its sources. A row without a figure
still names its references and how they came to us.

Rules this module guarantees:

- Conditions, drugs and classes are those of the base; variants are what no key expresses.
- Every row names a reference; a row with an endpoint has a figure and the reverse.

    >>> next(piece for piece in load_curated_evidence() if "EGFR_C797S" in str(piece.profile)).effect.value
    'resistance'
"""

from dataclasses import dataclass
from functools import cache

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.evidence.evidence import (
    Direction,
    Effect,
    EffectSize,
    Endpoint,
    Evidence,
    Level,
    Origin,
)
from oncoproof.knowledge.evidence.molecular import parse_profile
from oncoproof.knowledge.medicines.combinations import Combination, parse_combination
from oncoproof.knowledge.medicines.conditions import CellError, parse_treatment
from oncoproof.knowledge.tables import Basis, Figure, read_csv

_FILE = "evidence.csv"
_ANY_DISEASE = "any"


@dataclass(frozen=True, slots=True)
class CuratedRow:
    """One row of the file."""

    id: str
    """Unique slug."""
    disease: str
    """Disease slug, or `any`."""
    histology: str
    """Histology or group; `any` = no condition."""
    requires: str
    """Conditions on keys, `;` between them; empty = none."""
    variants: str
    """Alterations no key expresses, `;` between them; empty = none."""
    treatment: str
    """Drugs or classes, in the grammar of combinations."""
    direction: Direction
    """Whether it speaks for the treatment."""
    effect: Effect
    """What was seen."""
    level: Level
    """How strong the ground is."""
    line_min: int | None
    """Lowest line it speaks of; None = no line is said."""
    line_max: int | None
    """Highest line; None = no line is said."""
    comparator: str
    """What it was compared with; empty = nothing."""
    endpoint: Endpoint | None
    """What the figure is; None = there is none."""
    figure: Figure | None
    """Size of the effect; None = there is none."""
    references: tuple[str, ...]
    """Source ids, the most direct first."""
    references_basis: Basis
    """How the statement came to us."""
    statement: str
    """The statement in a sentence."""


@cache
def load_curated_evidence() -> tuple[Evidence, ...]:
    """Every row of the file as evidence."""
    return tuple(map(curated_evidence, read_csv(_FILE, "evidence", CuratedRow)))


def curated_evidence(row: CuratedRow) -> Evidence:
    """A row as evidence, checked against the base."""
    where = f"{_FILE} {row.id}"
    if not row.references or not row.statement or (row.endpoint is None) != (row.figure is None):
        raise IntegrityError(
            where=where,
            came="a row without reference, statement, or half of endpoint and figure",
            expected="references and a statement; endpoint and figure both or neither",
            remedy="fill the cells in",
        )
    try:
        return _evidence(row)
    except CellError as error:
        raise IntegrityError(
            where=where, came=repr(error.came), expected=error.expected, remedy=error.remedy
        ) from error


def _evidence(row: CuratedRow) -> Evidence:
    disease = None if row.disease == _ANY_DISEASE else row.disease
    return Evidence(
        id=f"curated:{row.id}",
        origin=Origin.CURATED,
        disease=disease,
        histology=row.histology,
        profile=parse_profile(row.requires, row.variants, disease=disease),
        treatment=_treatment(row.treatment),
        comparator=_treatment(row.comparator) if row.comparator else None,
        direction=row.direction,
        effect=row.effect,
        level=row.level,
        sizes=(EffectSize(row.endpoint, row.figure),) if row.endpoint and row.figure else (),
        line_min=row.line_min,
        line_max=row.line_max,
        sources=row.references,
        basis=row.references_basis,
        statement=row.statement,
    )


def _treatment(text: str) -> Combination:
    combination = parse_combination(text)
    for word in sorted(combination.words()):
        parse_treatment(word)
    return combination
