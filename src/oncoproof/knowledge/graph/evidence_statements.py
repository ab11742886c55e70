"""Whom what helps, and how tumours escape: evidence, resistance and trials as statements.

Rules this module guarantees:

- A profile of one condition is the marker itself; one of several is a node of its own, to which each
  marker belongs, so that no marker is credited with what only several together do.
- Evidence about any tumour of a disease is said of the disease; evidence that asks for an alteration
  no key expresses is said of a profile that names it.
- Evidence that left the question open says so, and speaks neither for nor against.

    >>> resistant = "profile:EGFR=mut;EGFR_T790M=positive"
    >>> [fact.object for fact in evidence_statements() if fact.subject == resistant]
    ['drug:gefitinib', 'drug:erlotinib', 'drug:afatinib', 'drug:dacomitinib']
"""

from collections.abc import Iterable, Iterator, Sequence

from oncoproof.knowledge.courses.resistance import ResistanceFact, ResistanceQuantity, load_resistance
from oncoproof.knowledge.evidence.evidence import Direction, Evidence
from oncoproof.knowledge.evidence.known_evidence import load_evidence
from oncoproof.knowledge.evidence.molecular import Clause
from oncoproof.knowledge.graph.evidence_sentences import sentence_of
from oncoproof.knowledge.graph.marker_statements import marker_node
from oncoproof.knowledge.graph.nodes import arms_by_trial
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, node_id
from oncoproof.knowledge.graph.treatment_statements import ASSUMPTIONS, treatment_node
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.regimens import regimen_id
from oncoproof.knowledge.tables import Basis, Figure

_RELATIONS = {
    Direction.SUPPORTS: Relation.HELPED_BY,
    Direction.OPPOSES: Relation.NOT_HELPED_BY,
    Direction.NEUTRAL: Relation.LEFT_OPEN,
}


def evidence_statements(pieces: Iterable[Evidence] | None = None) -> Iterator[Statement]:
    """What helps whom and what does not.

    Args:
        pieces: Evidence; None = the base's own.
    """
    seen: set[str] = set()
    for piece in load_evidence() if pieces is None else pieces:
        yield from statements_of(piece)
        yield from _of_piece(piece)
        for clause in piece.profile.clauses:
            yield from _of_profile(clause, seen)


def statements_of(piece: Evidence) -> Iterator[Statement]:
    """A piece of evidence as statements, one for each of its subjects and treatments."""
    for clause in piece.profile.clauses:
        for subject in subjects_of(piece, clause):
            for drugs in piece.treatment.alternatives():
                if drugs:
                    yield statement_of(piece, subject, drugs)


def statement_of(piece: Evidence, subject: str, drugs: Sequence[str]) -> Statement:
    """A piece of evidence as said of one subject and one of its treatments."""
    return Statement(
        subject, _RELATIONS[piece.direction], action_node(drugs), sentence_of(piece), piece.sources[0],
        piece.basis, piece.disease,
    )  # fmt: skip


def resistance_statements() -> Iterator[Statement]:
    """How tumours escape."""
    for fact in load_resistance():
        if fact.biomarker is None or fact.value is None or fact.share is None:
            continue
        if fact.quantity is ResistanceQuantity.SHARE:
            yield from _of_resistance(fact, fact.share, marker_node(fact.biomarker, fact.value))


def trial_statements() -> Iterator[Statement]:
    """What each trial tested."""
    for trial, arms in arms_by_trial().items():
        tested = {regimen: arm for arm in arms for regimen in arm.drugs.regimens() if regimen}
        for regimen, arm in tested.items():
            population = arm.biomarker_population or arm.disease
            yield Statement(
                node_id(NodeKind.TRIAL, trial), Relation.TESTED, action_node(regimen.split("+")),
                f"{trial} tested {regimen} in {population}.",
                f"nct:{arm.nct}" if arm.nct else next(iter(arm.sources), ASSUMPTIONS),
                Basis.READ, arm.disease,
            )  # fmt: skip


def action_node(drugs: Sequence[str]) -> str:
    """The node of what is given: the drug where it is one, else the regimen."""
    return treatment_node(drugs[0]) if len(drugs) == 1 else node_id(NodeKind.REGIMEN, regimen_id(drugs))


def profile_node(clause: Clause) -> str:
    """The node of several conditions that must hold together."""
    parts = map(str, (*clause.conditions, *clause.variants))
    return node_id(NodeKind.PROFILE, ";".join(parts))


def subjects_of(piece: Evidence, clause: Clause) -> Iterator[str]:
    """What a piece of evidence is said of: the disease, each marker that will do, or a profile."""
    if len(clause.conditions) + len(clause.variants) > 1 or clause.variants:
        yield profile_node(clause)
    elif clause.conditions:
        yield from markers_of(clause.conditions[0])
    else:
        yield node_id(NodeKind.DISEASE, piece.disease or "any")


def markers_of(condition: Condition) -> Iterator[str]:
    """The marker of each value that will do, as written; of a range, the one marker."""
    if condition.low is not None:
        yield node_id(NodeKind.MARKER, str(condition))
    for value in condition.values:
        yield marker_node(condition.key, value)


def part_statement(marker: str, condition: Condition, clause: Clause) -> Statement:
    """That a marker meets one of the conditions of a profile."""
    return Statement(
        marker, Relation.PART_OF, profile_node(clause),
        f"{condition} is one of the conditions {clause}.", ASSUMPTIONS, Basis.ASSUMED,
    )  # fmt: skip


def _treatments(piece: Evidence) -> Iterator[str]:
    for drugs in piece.treatment.alternatives():
        if drugs:
            yield action_node(drugs)


def _of_piece(piece: Evidence) -> Iterator[Statement]:
    for node in dict.fromkeys(_treatments(piece)):
        yield Statement(
            node_id(NodeKind.EVIDENCE, piece.id), Relation.SPEAKS_OF, node, sentence_of(piece),
            piece.sources[0], piece.basis, piece.disease,
        )  # fmt: skip


def _of_profile(clause: Clause, seen: set[str]) -> Iterator[Statement]:
    profile = profile_node(clause)
    if len(clause.conditions) + len(clause.variants) < 2 or profile in seen:
        return
    seen.add(profile)
    for condition in clause.conditions:
        for marker in markers_of(condition):
            yield part_statement(marker, condition, clause)


def _of_resistance(fact: ResistanceFact, share: Figure, marker: str) -> Iterator[Statement]:
    for therapy in fact.therapy:
        if therapy == "any":
            continue
        drugs, way = therapy.replace("_", " "), fact.mechanism.replace("_", " ")
        yield Statement(
            action_node(therapy.split("+")), Relation.ESCAPES_BY, marker,
            f"Under {drugs} tumours escape by {way} in {100 * share.value:.3g} %.",
            share.source, share.basis, None if fact.disease == "any" else fact.disease,
        )  # fmt: skip
