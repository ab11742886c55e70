"""The things the knowledge base knows, each with a name, other names and the record behind it.

Rules this module guarantees:

- Each disease, biomarker, gene, drug, class, regimen, other medicine, harm, rule, policy, situation,
  trial, piece of evidence and source is one node; marker values, profiles and groups of medicines have
  no record of their own and come with the facts that speak of them (`node_of`).
- Nothing is read before it is asked for.

    >>> load_nodes()["drug:osimertinib"].synonyms
    ('tagrisso', 'azd9291')
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.genes import load_genes
from oncoproof.knowledge.evidence.evidence import Evidence
from oncoproof.knowledge.evidence.known_evidence import load_evidence
from oncoproof.knowledge.graph.evidence_sentences import sentence_of
from oncoproof.knowledge.graph.statements import NodeKind, key_of, kind_of, node_id
from oncoproof.knowledge.medicines.comedications import load_comedications
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.medicines.toxicity import load_terms
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.situations import load_situations
from oncoproof.knowledge.rules.rules import load_rules
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.trials.arms import TrialArm
from oncoproof.knowledge.trials.trial_table import load_trials


@dataclass(frozen=True, slots=True)
class Node:
    """One thing."""

    id: str
    """`kind:key`."""
    kind: NodeKind
    """What sort of thing."""
    key: str
    """What its table calls it."""
    name: str
    """What a reader calls it."""
    synonyms: tuple[str, ...] = ()
    """Other names."""
    record: object = field(default=None, repr=False, compare=False)
    """The record of its table; None = it has none of its own."""


@cache
def load_nodes() -> Mapping[str, Node]:
    """Every node that has a record, by id."""
    return MappingProxyType({node.id: node for node in _all()})


def node_of(id_: str) -> Node:
    """The node of an id; where no table has a record for it, one that is named by its key.

    >>> node_of("marker:EGFR=ex19del").name
    'EGFR ex19del'
    """
    known = load_nodes().get(id_)
    if known is not None:
        return known
    key = key_of(id_)
    return Node(id_, kind_of(id_), key, key.replace(";", " and ").replace("=", " ").replace("_", " "))


def evidence_nodes(pieces: Iterable[Evidence]) -> Iterator[Node]:
    """A node for each piece of evidence, named by what it says."""
    for piece in pieces:
        yield _node(NodeKind.EVIDENCE, piece.id, sentence_of(piece), piece)


def _all() -> Iterator[Node]:
    for part in (_people_and_tumours, _treatments, _guidance, _literature):
        yield from part()


def _node(kind: NodeKind, key: str, name: str, record: object, synonyms: Iterable[str] = ()) -> Node:
    return Node(node_id(kind, key), kind, key, name, tuple(dict.fromkeys(synonyms)), record)


def _people_and_tumours() -> Iterator[Node]:
    for disease in load_diseases().values():
        yield _node(NodeKind.DISEASE, disease.slug, disease.name, disease, disease.synonyms)
    for marker in load_biomarkers().values():
        yield _node(NodeKind.BIOMARKER, marker.key, marker.name, marker, marker.genes)
    for gene in load_genes().values():
        yield _node(NodeKind.GENE, gene.symbol, gene.name, gene, (gene.symbol,))
    targets = (gene for drug in load_drugs().values() for gene in drug.targets)
    for symbol in dict.fromkeys(gene for gene in targets if gene not in load_genes()):
        yield _node(NodeKind.GENE, symbol, symbol, None)  # what drugs act on and no biomarker tells of


def _treatments() -> Iterator[Node]:
    for drug in load_drugs().values():
        yield _node(NodeKind.DRUG, drug.slug, drug.name, drug, drug.synonyms)
    for group in (*load_classes().values(), *load_umbrellas().values()):
        yield _node(NodeKind.CLASS, group.slug, group.name, group)
    for regimen in load_regimens().values():
        yield _node(NodeKind.REGIMEN, regimen.id, regimen.name, regimen, regimen.synonyms)
    for medicine in load_comedications().values():
        yield _node(NodeKind.MEDICINE, medicine.slug, medicine.name, medicine, medicine.synonyms)
    for term in load_terms().values():
        yield _node(NodeKind.HARM, term.slug, term.term, term)


def _guidance() -> Iterator[Node]:
    for rule in load_rules().values():
        yield _node(NodeKind.RULE, rule.id, rule.text.title, rule)
    for policy in load_policies().values():
        yield _node(NodeKind.POLICY, policy.slug, policy.name, policy)
    for situations in load_situations().values():
        for situation in situations:
            yield _node(NodeKind.SITUATION, situation.slug, situation.name, situation)


def _literature() -> Iterator[Node]:
    for trial, arms in arms_by_trial().items():
        yield _node(NodeKind.TRIAL, trial, trial, arms, {arm.nct for arm in arms if arm.nct})
    yield from evidence_nodes(load_evidence())
    for source in load_sources().values():
        yield _node(NodeKind.SOURCE, source.id, source.title, source)


@cache
def arms_by_trial() -> Mapping[str, tuple[TrialArm, ...]]:
    """The arms of each trial, by its name."""
    found: dict[str, tuple[TrialArm, ...]] = {}
    for arm in load_trials():
        found[arm.trial] = (*found.get(arm.trial, ()), arm)
    return MappingProxyType(found)
