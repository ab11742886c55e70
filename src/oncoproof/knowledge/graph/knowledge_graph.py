"""The knowledge base as one graph, and the questions it answers.

Rules this module guarantees:

- Compatible? does what is known of the tumour call for the treatment; contraindicated? does a hard check
  forbid it; pathway? does a chain of facts lead from one thing to another. Each answer is yes, no or not
  known, with the chain that decides it.
- A hard check that is broken settles both questions; what is taken for granted is named.
- Imports add to the graph and are cited like everything else.

    >>> graph = KnowledgeGraph.load()
    >>> answer = graph.is_compatible("osimertinib", {"EGFR": "ex19del"}, disease="nsclc")
    >>> answer.verdict.value, answer.chain[-1].end
    ('yes', 'drug:osimertinib')
    >>> graph.is_contraindicated("cetuximab", {"RAS": "mut"}, disease="crc").verdict.value
    'yes'
    >>> unknown = graph.is_compatible("cetuximab", {}, disease="crc")
    >>> unknown.verdict.value, unknown.missing[0]
    ('unknown', 'RAS')
    >>> [str(step) for step in graph.find_pathway("EGFR", "osimertinib").chain]
    ['gene:EGFR <- targets - drug:osimertinib']
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.evidence.evidence import Evidence, unique_evidence
from oncoproof.knowledge.evidence.known_evidence import load_evidence
from oncoproof.knowledge.graph.answers import Answer, Reason, Verdict, reasons
from oncoproof.knowledge.graph.chains import Web
from oncoproof.knowledge.graph.evidence_statements import (
    evidence_statements,
    resistance_statements,
    trial_statements,
)
from oncoproof.knowledge.graph.fact_reading import find_disease, read_facts
from oncoproof.knowledge.graph.guidance_statements import policy_statements, rule_statements
from oncoproof.knowledge.graph.judgements import judge, judge_safety
from oncoproof.knowledge.graph.marker_statements import marker_statements
from oncoproof.knowledge.graph.node_search import Hit, find_node, search_nodes
from oncoproof.knowledge.graph.nodes import Node, evidence_nodes, node_of
from oncoproof.knowledge.graph.pathways import find_chain
from oncoproof.knowledge.graph.statements import NodeKind, Statement, node_id
from oncoproof.knowledge.graph.treatment_statements import harm_statements, treatment_statements
from oncoproof.knowledge.graph.treatments import find_treatment


@dataclass(frozen=True, slots=True)
class KnowledgeGraph:
    """Every fact of the base as a statement between two nodes."""

    web: Web
    """The statements, indexed by their ends."""
    evidence: tuple[Evidence, ...]
    """All evidence: of the base, and imported."""
    imported: tuple[Evidence, ...] = ()
    """The evidence that was imported."""

    @classmethod
    def load(cls, imported: Iterable[Evidence] = ()) -> "KnowledgeGraph":
        """The graph of the base, with what was imported.

        Args:
            imported: Evidence of imports, as `load_imported` reads it.
        """
        more = tuple(imported)
        if not more:
            return _own_graph()
        said = dict.fromkeys((*_own_graph().web.statements, *evidence_statements(more)))
        return cls(Web.of(said), unique_evidence((*load_evidence(), *more)), more)

    def find(self, text: str) -> Node:
        """The thing that a text names: an id, a marker (`EGFR=ex19del`), or a name that one thing has.

        Raises:
            InputError: Nothing is called so, or several things are.
        """
        if text in self.web.outgoing or text in self.web.incoming:
            return self._node(text)
        marker = node_id(NodeKind.MARKER, text)
        return (
            self._node(marker)
            if marker in self.web.outgoing
            else find_node(text, more=self._imported_nodes())
        )

    def search(self, text: str, *, kinds: Collection[NodeKind] = ()) -> tuple[Hit, ...]:
        """The nodes of which every word of a text is said, the nearest first.

        Args:
            text: Words.
            kinds: Only these; empty = all.
        """
        return search_nodes(text, kinds=kinds, more=self._imported_nodes())

    def about(self, text: str) -> tuple[Statement, ...]:
        """What is said of a thing, whichever end it is at: what it is the subject of first.

        Args:
            text: Its id or name.

        Raises:
            InputError: Nothing is called so, or several things are.
        """
        node = self.find(text).id
        steps = (*self.web.outgoing.get(node, ()), *self.web.incoming.get(node, ()))
        return tuple(dict.fromkeys(step.statement for step in steps))

    def is_compatible(
        self, treatment: str, facts: Mapping[str, object], *, disease: str | None = None
    ) -> Answer:
        """Does what is known of the tumour call for this treatment?

        Args:
            treatment: A drug, a regimen, or several joined by `+`, by any name.
            facts: Biomarkers by key, and any features of the vocabulary; None = not known.
            disease: Disease, by any name; None = `facts` names it.

        Raises:
            InputError: A name or value is not known here, or what is given contradicts itself.
        """
        return judge(read_facts(facts, disease=disease), find_treatment(treatment), self.evidence)

    def is_contraindicated(
        self, treatment: str, facts: Mapping[str, object], *, disease: str | None = None
    ) -> Answer:
        """Does a hard check forbid this treatment?

        Args:
            treatment: A drug, a regimen, or several joined by `+`, by any name.
            facts: Biomarkers by key, and any features of the vocabulary; None = not known.
            disease: Disease, by any name; None = `facts` names it.

        Raises:
            InputError: A name or value is not known here, or what is given contradicts itself.
        """
        return judge_safety(read_facts(facts, disease=disease), find_treatment(treatment))

    def find_pathway(self, start: str, end: str, *, disease: str | None = None) -> Answer:
        """Does a chain of biology or benefit lead from one thing to another?

        Args:
            start: An id or name.
            end: An id or name.
            disease: Only what is said of this disease (by any name), or of any; None = of all.

        Raises:
            InputError: Nothing is called so, or several things are; the disease is not known here.
        """
        first, last = self.find(start).id, self.find(end).id
        question = f"does a pathway lead from {first} to {last}?"
        place = None if disease is None else find_disease(disease)
        chain = find_chain(self.web, first, last, disease=place)
        return Answer(question, Verdict.NO if chain is None else Verdict.YES, chain or ())

    def why(self, answer: Answer) -> tuple[Reason, ...]:
        """The chain of an answer, each statement with its source."""
        return reasons(answer.statements, imported=self.imported)

    def _imported_nodes(self) -> tuple[Node, ...]:
        return tuple(evidence_nodes(self.imported))

    def _node(self, id_: str) -> Node:
        return next((node for node in self._imported_nodes() if node.id == id_), None) or node_of(id_)


@cache
def _own_graph() -> KnowledgeGraph:
    parts = (
        marker_statements,
        treatment_statements,
        harm_statements,
        evidence_statements,
        resistance_statements,
        trial_statements,
        rule_statements,
        policy_statements,
    )
    return KnowledgeGraph(Web.of(said for part in parts for said in part()), load_evidence())
