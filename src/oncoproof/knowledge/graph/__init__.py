"""The knowledge base as one graph: facts as sentences with sources, questions answered by chains of them."""

from oncoproof.knowledge.graph.answers import Answer, Reason, Verdict
from oncoproof.knowledge.graph.chains import Chain, Step, Web
from oncoproof.knowledge.graph.knowledge_graph import KnowledgeGraph
from oncoproof.knowledge.graph.node_search import Hit
from oncoproof.knowledge.graph.nodes import Node
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement

__all__ = [
    "Answer",
    "Chain",
    "Hit",
    "KnowledgeGraph",
    "Node",
    "NodeKind",
    "Reason",
    "Relation",
    "Statement",
    "Step",
    "Verdict",
    "Web",
]
