"""What genes, biomarkers and their values are to one another and to diseases.

Rules this module guarantees:

- Every statement restates a row of a table and takes its source and basis.
- What a marker constraint says is also said from its other end: KRAS mutated implies RAS mutated, as
  wild-type RAS leaves no room for a KRAS mutation.

    >>> sorted(fact.object for fact in marker_statements() if fact.subject == "marker:KRAS=other")
    ['biomarker:KRAS', 'marker:KRAS=mut', 'marker:RAS=mut']
"""

from collections.abc import Iterator

from oncoproof.knowledge.cancers.biomarkers import Biomarker, load_biomarkers
from oncoproof.knowledge.cancers.marker_constraints import MarkerConstraint, load_marker_constraints
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, node_id


def marker_statements() -> Iterator[Statement]:
    """Biomarkers of genes, their values and groups, what follows from them, and where they count."""
    for marker in load_biomarkers().values():
        yield from _of_biomarker(marker)
        yield from _of_values(marker)
    for constraint in load_marker_constraints():
        yield from _of_constraint(constraint)


def marker_node(key: str, value: str) -> str:
    """The node of one value, group or range of a biomarker."""
    return node_id(NodeKind.MARKER, f"{key}={value}")


def marker_of(key: str, values: frozenset[str]) -> str:
    """The node of what is known of a biomarker; of alternatives without a name, all of them."""
    return marker_node(key, word_of(key, values) or "|".join(sorted(values)))


def value_statement(key: str, value: str) -> Statement:
    """That a value, group or range is one of its biomarker."""
    marker = load_biomarkers()[key]
    return Statement(
        marker_node(key, value), Relation.VALUE_OF, node_id(NodeKind.BIOMARKER, key),
        f"{key} can be {value}.", marker.source, marker.basis,
    )  # fmt: skip


def word_of(key: str, values: frozenset[str]) -> str | None:
    """The value or group that stands for exactly these plain values; None = there is none.

    >>> word_of("KRAS", frozenset({"g12c", "other"}))
    'mut'
    """
    if len(values) == 1:
        return next(iter(values))
    groups = load_biomarkers()[key].groups.items()
    return next((name for name, members in groups if frozenset(members) == values), None)


def _of_biomarker(marker: Biomarker) -> Iterator[Statement]:
    subject = node_id(NodeKind.BIOMARKER, marker.key)
    for gene in marker.genes:
        yield Statement(
            subject, Relation.PART_OF, node_id(NodeKind.GENE, gene),
            f"{marker.name} is a finding of {gene}.", marker.source, marker.basis,
        )  # fmt: skip
    for disease in marker.diseases:
        yield Statement(
            subject, Relation.MEASURED_IN, node_id(NodeKind.DISEASE, disease),
            f"{marker.name} is looked for in {disease}.", marker.source, marker.basis, disease,
        )  # fmt: skip


def _of_values(marker: Biomarker) -> Iterator[Statement]:
    for value in (*marker.values, *marker.groups):
        yield value_statement(marker.key, value)
    for group, values in marker.groups.items():
        for value in values:
            yield Statement(
                marker_node(marker.key, value), Relation.IS_A, marker_node(marker.key, group),
                f"{marker.key} {value} counts as {group}.", marker.source, marker.basis,
            )  # fmt: skip


def _of_constraint(constraint: MarkerConstraint) -> Iterator[Statement]:
    if any(sign in constraint.when + constraint.then for sign in ";|"):
        return  # only one value on either side makes an edge
    for disease in constraint.diseases or (None,):
        yield from _implications(constraint, disease)


def _implications(constraint: MarkerConstraint, disease: str | None) -> Iterator[Statement]:
    """The constraint read forwards, and backwards where what is left has a name."""
    when, then = constraint.when, constraint.then
    pairs = [(when, then)]
    key, other = when.partition("=")[0], then.partition("=")[0]
    rest = word_of(key, _opposite(when))
    if rest is not None:
        pairs += [(f"{other}={value}", f"{key}={rest}") for value in sorted(_opposite(then))]
    for subject, object_ in pairs:
        yield Statement(
            node_id(NodeKind.MARKER, subject), Relation.IMPLIES, node_id(NodeKind.MARKER, object_),
            constraint.sentence, constraint.source, constraint.basis, disease,
        )  # fmt: skip


def _opposite(condition: str) -> frozenset[str]:
    """The plain values that do not meet a condition."""
    key, _, words = condition.partition("=")
    marker = load_biomarkers()[key]
    return frozenset(marker.values) - frozenset(marker.expand(words))
