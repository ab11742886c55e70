"""One fact as an edge of the graph: subject, relation, object, in a sentence, with its source.

Rules this module guarantees:

- A node's id is `kind:key`; the kinds are those of `NodeKind`.
- A statement names a source and how we know; it reads as a sentence.

    >>> fact = Statement("drug:osimertinib", Relation.IS_A, "class:egfr_tki_gen3",
    ...                  "Osimertinib inhibits EGFR.", "label:osimertinib", Basis.RECALLED)
    >>> kind_of(fact.object).value, str(fact)
    ('class', 'Osimertinib inhibits EGFR. [label:osimertinib, recalled]')
"""

from dataclasses import dataclass
from enum import StrEnum

from oncoproof.knowledge.tables import Basis


class NodeKind(StrEnum):
    """What sort of thing a node is; where a name fits several kinds, the first here is meant."""

    DISEASE = "disease"
    """A cancer."""
    GENE = "gene"
    """A gene."""
    BIOMARKER = "biomarker"
    """A key that can be measured."""
    MARKER = "marker"
    """One value, group or range of a biomarker."""
    PROFILE = "profile"
    """Several marker values that must hold together."""
    DRUG = "drug"
    """A drug."""
    CLASS = "class"
    """A class of drugs, or an umbrella over classes."""
    REGIMEN = "regimen"
    """Drugs given together; also no treatment."""
    MEDICINE = "medicine"
    """Another medicine, or a group of them."""
    HARM = "harm"
    """A CTCAE term."""
    RULE = "rule"
    """A safety rule."""
    POLICY = "policy"
    """A guideline policy."""
    SITUATION = "situation"
    """A point at which policies decide."""
    TRIAL = "trial"
    """A published trial."""
    EVIDENCE = "evidence"
    """A piece of evidence."""
    CHECK = "check"
    """A question that the validator puts from a table."""
    SOURCE = "source"
    """An entry of the bibliography."""


class Relation(StrEnum):
    """What joins two nodes; read from the subject to the object."""

    IS_A = "is_a"
    """The subject is one of the object's kind."""
    VALUE_OF = "value_of"
    """The subject is a value of the object."""
    PART_OF = "part_of"
    """The subject is one of the things the object consists of."""
    IMPLIES = "implies"
    """Who has the subject has the object."""
    MEASURED_IN = "measured_in"
    """The subject is meaningful in the object."""
    APPROVED_FOR = "approved_for"
    """The subject may be given on label for the object."""
    GIVEN_IN = "given_in"
    """The subject is in use for the object."""
    TARGETS = "targets"
    """The subject acts on the object."""
    HELPED_BY = "helped_by"
    """Whoever has the subject benefits from the object."""
    NOT_HELPED_BY = "not_helped_by"
    """Whoever has the subject does not benefit from the object, or is harmed."""
    LEFT_OPEN = "left_open"
    """Whether whoever has the subject benefits from the object was asked and not settled."""
    ESCAPES_BY = "escapes_by"
    """A tumour under the subject comes to resist through the object."""
    RULES_OUT = "rules_out"
    """The subject forbids the object."""
    CAUSES = "causes"
    """The subject may bring about the object."""
    INTERACTS_WITH = "interacts_with"
    """The subject and the object change one another."""
    ADVISES = "advises"
    """The subject holds the object to be preferred or acceptable."""
    ADVISES_AGAINST = "advises_against"
    """The subject holds that the object is to be avoided."""
    TESTED = "tested"
    """The subject, a trial, tested the object."""
    SPEAKS_OF = "speaks_of"
    """The subject, a piece of evidence, is about the object."""

    @property
    def is_against(self) -> bool:
        """Whether it keeps the two apart: no pathway leads over it unless it is asked for."""
        return self in _AGAINST


_AGAINST = frozenset(
    {
        Relation.NOT_HELPED_BY,
        Relation.LEFT_OPEN,
        Relation.RULES_OUT,
        Relation.INTERACTS_WITH,
        Relation.ADVISES_AGAINST,
    }
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One fact."""

    subject: str
    """Node id."""
    relation: Relation
    """What joins the two."""
    object: str
    """Node id."""
    sentence: str
    """The fact in words."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""
    disease: str | None = None
    """Slug of the disease it is said of; None = it holds in any."""

    def __str__(self) -> str:
        return f"{self.sentence} [{self.source}, {self.basis.value}]"

    def other(self, node: str) -> str:
        """The end that is not the node given."""
        return self.object if node == self.subject else self.subject


def node_id(kind: NodeKind, key: str) -> str:
    """The id of a node."""
    return f"{kind.value}:{key}"


def kind_of(node: str) -> NodeKind:
    """What sort of thing a node is, which its id says."""
    return NodeKind(node.partition(":")[0])


def key_of(node: str) -> str:
    """The key of a node within its kind."""
    return node.partition(":")[2]
