"""Whom what helps, and how tumours escape: evidence, resistance and trials as statements.

Rules this module guarantees:

- A profile of one condition is the marker itself; one of several is a node of its own, to which each
  marker belongs, so that no marker is credited with what only several together do.
- Evidence about any tumour of a disease is said of the disease.

    >>> facts = [fact for fact in evidence_statements() if fact.subject == "profile:EGFR=mut;EGFR_T790M=positive"]
    >>> sorted({fact.relation.value for fact in facts})
    ['helped_by', 'not_helped_by']
"""

from collections.abc import Iterator

from oncoproof.knowledge.courses.resistance import ResistanceFact, load_resistance
from oncoproof.knowledge.evidence.evidence import Direction, Evidence
from oncoproof.knowledge.evidence.known_evidence import load_evidence
from oncoproof.knowledge.evidence.molecular import Clause
from oncoproof.knowledge.graph.nodes import arms_by_trial
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, node_id
from oncoproof.knowledge.graph.treatment_statements import ASSUMPTIONS, marker_node, treatment_node
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.regimens import regimen_id
from oncoproof.knowledge.tables import Basis
from oncoproof.knowledge.trials.publications import Publication


def evidence_statements() -> Iterator[Statement]:
    """What helps whom and what does not."""
    seen: set[str] = set()
    for piece in load_evidence():
        for clause in piece.profile.clauses:
            yield from _of_clause(piece, clause)
            yield from _of_profile(clause, seen)


def evidence_statement(piece: Evidence) -> Statement:
    """A piece of evidence as one statement, about the first of its profiles and treatments."""
    return next(_of_clause(piece, piece.profile.clauses[0]))


def resistance_statements() -> Iterator[Statement]:
    """How tumours escape."""
    for fact in load_resistance():
        if fact.biomarker is None or fact.value is None or fact.share is None:
            continue
        yield from _of_resistance(fact, marker_node(fact.biomarker, fact.value))


def trial_statements() -> Iterator[Statement]:
    """What each trial tested."""
    for trial, arms in arms_by_trial().items():
        tested = {regimen: arm for arm in arms for regimen in arm.drugs.regimens() if regimen}
        for regimen, arm in tested.items():
            yield Statement(
                node_id(NodeKind.TRIAL, trial), Relation.TESTED, action_node(regimen.split("+")),
                f"{trial} tested {regimen} in {arm.biomarker_population or arm.disease}.",
                f"nct:{arm.nct}" if arm.nct else _publication(arm.publications), Basis.READ,
            )  # fmt: skip


def action_node(drugs: list[str] | tuple[str, ...]) -> str:
    """The node of what is given: the drug where it is one, else the regimen."""
    return treatment_node(drugs[0]) if len(drugs) == 1 else node_id(NodeKind.REGIMEN, regimen_id(drugs))


def _publication(publications: tuple[Publication, ...]) -> str:
    return next((source for paper in publications for source in paper.sources), ASSUMPTIONS)


def _of_clause(piece: Evidence, clause: Clause) -> Iterator[Statement]:
    relation = Relation.HELPED_BY if piece.direction is Direction.SUPPORTS else Relation.NOT_HELPED_BY
    for subject in _subjects(piece, clause):
        for drugs in piece.treatment.alternatives():
            if drugs:
                yield Statement(
                    subject, relation, action_node(drugs), piece.statement, piece.sources[0], piece.basis
                )


def _subjects(piece: Evidence, clause: Clause) -> Iterator[str]:
    if not clause.conditions:
        yield node_id(NodeKind.DISEASE, piece.disease or "any")
    elif len(clause.conditions) == 1:
        yield from _markers(clause.conditions[0])
    else:
        yield _profile_node(clause)


def _of_profile(clause: Clause, seen: set[str]) -> Iterator[Statement]:
    if len(clause.conditions) < 2 or _profile_node(clause) in seen:
        return
    seen.add(_profile_node(clause))
    for condition in clause.conditions:
        for marker in _markers(condition):
            yield Statement(
                marker, Relation.PART_OF, _profile_node(clause),
                f"{condition} is one of the conditions {clause}.", ASSUMPTIONS, Basis.ASSUMED,
            )  # fmt: skip


def _profile_node(clause: Clause) -> str:
    return node_id(NodeKind.PROFILE, ";".join(map(str, clause.conditions)))


def _markers(condition: Condition) -> Iterator[str]:
    if condition.low is not None:
        yield node_id(NodeKind.MARKER, str(condition))
    for value in condition.values:
        yield marker_node(condition.key, value)


def _of_resistance(fact: ResistanceFact, marker: str) -> Iterator[Statement]:
    assert fact.share is not None  # noqa: S101  the caller has looked
    share = f"in {100 * fact.share.value:.3g} %"
    for therapy in fact.therapy:
        if therapy == "any":
            continue
        yield Statement(
            action_node(therapy.split("+")), Relation.ESCAPES_BY, marker,
            f"Under {therapy.replace('_', ' ')} tumours escape by {fact.mechanism.replace('_', ' ')} {share}.",
            fact.share.source, fact.share.basis,
        )  # fmt: skip
