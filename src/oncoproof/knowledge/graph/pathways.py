"""Which chains are pathways: from what a tumour has to what helps, and from a drug to how tumours escape.

Rules this module guarantees:

- Each step goes on in one sense: from gene to biomarker to value to profile to what helps, from a class to
  its drugs, from a regimen to its parts; or from a drug to its class to the alteration that resists it.
- So no pathway joins two things only because they are of one class, in one regimen, on one target or in
  one disease, and none leads from one value of a biomarker to another.
- A pathway may be asked for from either end; benefit is looked for before escape.

    >>> from oncoproof.knowledge.graph.marker_statements import marker_statements
    >>> web = Web.of(marker_statements())
    >>> [str(step) for step in find_chain(web, "gene:KRAS", "marker:RAS=mut") or ()][1:]
    ['biomarker:RAS <- value_of - marker:RAS=mut']
    >>> find_chain(web, "marker:KRAS=wt", "marker:KRAS=g12c") is None
    True
"""

from typing import TypeAlias

from oncoproof.knowledge.graph.chains import Chain, Step, Web
from oncoproof.knowledge.graph.statements import NodeKind, Relation, kind_of

_Move: TypeAlias = tuple[NodeKind, Relation, NodeKind]
"""From which kind of node, over which relation read whichever way, to which kind."""

_TREATMENTS = (NodeKind.DRUG, NodeKind.CLASS, NodeKind.REGIMEN)
_SIGNS = (NodeKind.MARKER, NodeKind.PROFILE, NodeKind.DISEASE)

_BENEFIT: frozenset[_Move] = frozenset(
    {
        (NodeKind.GENE, Relation.PART_OF, NodeKind.BIOMARKER),
        (NodeKind.GENE, Relation.TARGETS, NodeKind.DRUG),
        (NodeKind.BIOMARKER, Relation.PART_OF, NodeKind.GENE),
        (NodeKind.BIOMARKER, Relation.VALUE_OF, NodeKind.MARKER),
        (NodeKind.MARKER, Relation.IS_A, NodeKind.MARKER),
        (NodeKind.MARKER, Relation.IMPLIES, NodeKind.MARKER),
        (NodeKind.MARKER, Relation.PART_OF, NodeKind.PROFILE),
        (NodeKind.DISEASE, Relation.APPROVED_FOR, NodeKind.DRUG),
        (NodeKind.DISEASE, Relation.GIVEN_IN, NodeKind.REGIMEN),
        (NodeKind.CLASS, Relation.IS_A, NodeKind.CLASS),
        (NodeKind.CLASS, Relation.IS_A, NodeKind.DRUG),
        (NodeKind.REGIMEN, Relation.PART_OF, NodeKind.DRUG),
        *((sign, Relation.HELPED_BY, treatment) for sign in _SIGNS for treatment in _TREATMENTS),
    }
)
_ESCAPE: frozenset[_Move] = frozenset(
    {
        (NodeKind.DRUG, Relation.IS_A, NodeKind.CLASS),
        (NodeKind.CLASS, Relation.IS_A, NodeKind.CLASS),
        *((treatment, Relation.ESCAPES_BY, NodeKind.MARKER) for treatment in _TREATMENTS),
        (NodeKind.MARKER, Relation.VALUE_OF, NodeKind.BIOMARKER),
        (NodeKind.BIOMARKER, Relation.PART_OF, NodeKind.GENE),
    }
)
_DOWNWARDS = (NodeKind.CLASS, Relation.IS_A)
"""In benefit a class leads to what is of it; everywhere else `is a` is read as it is said."""


def find_chain(web: Web, start: str, end: str, *, disease: str | None = None) -> Chain | None:
    """The shortest pathway between two nodes; None = there is none.

    Args:
        web: The statements.
        start: Node id.
        end: Node id.
        disease: Only statements of this disease or of any; None = of all.
    """
    for admits in (_benefits, _escapes):
        for first, last in ((start, end), (end, start)):
            chain = web.chain(first, last, disease=disease, either_way=True, admits=admits)
            if chain is not None:
                return chain if first == start else _turned(chain)
    return None


def _benefits(step: Step) -> bool:
    relation = step.statement.relation
    if relation in {Relation.IS_A, Relation.IMPLIES}:
        is_down = (kind_of(step.start), relation) == _DOWNWARDS
        return step.is_reversed is is_down and _move(step) in _BENEFIT
    return _move(step) in _BENEFIT


def _escapes(step: Step) -> bool:
    return not step.is_reversed and _move(step) in _ESCAPE


def _move(step: Step) -> _Move:
    return kind_of(step.start), step.statement.relation, kind_of(step.end)


def _turned(chain: Chain) -> Chain:
    """The same chain, read from its other end."""
    return tuple(Step(step.statement, is_reversed=not step.is_reversed) for step in reversed(chain))
