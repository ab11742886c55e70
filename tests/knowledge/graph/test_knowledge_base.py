"""What must hold of every statement and every question that the base can be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import load_biomarkers, load_diseases
from oncoproof.knowledge.evidence import cite
from oncoproof.knowledge.graph import KnowledgeGraph, NodeKind, Verdict
from oncoproof.knowledge.graph.nodes import load_nodes
from oncoproof.knowledge.graph.statements import kind_of
from oncoproof.knowledge.medicines import load_drugs
from oncoproof.knowledge.sources import load_sources

DISEASES = sorted(load_diseases())
MARKERS = sorted(
    (key, value) for key, marker in load_biomarkers().items() for value in (*marker.values, *marker.groups)
)
WITHOUT_RECORD = {NodeKind.MARKER, NodeKind.PROFILE, NodeKind.MEDICINE, NodeKind.REGIMEN}


@pytest.fixture(scope="module")
def graph() -> KnowledgeGraph:
    return KnowledgeGraph.load()


def test_every_source_resolves(graph: KnowledgeGraph) -> None:
    used = {said.source for said in graph.web.statements}
    assert used <= set(load_sources())
    assert all(cite(source).line for source in used)


def test_every_node_is_of_a_kind_and_known(graph: KnowledgeGraph) -> None:
    nodes = set(graph.web.outgoing) | set(graph.web.incoming)
    assert not {node for node in nodes if not node.partition(":")[2]}
    assert not {node for node in nodes - set(load_nodes()) if kind_of(node) not in WITHOUT_RECORD}


def test_every_sentence_begins_and_ends_as_one(graph: KnowledgeGraph) -> None:
    wrong = [
        said for said in graph.web.statements if said.sentence != said.sentence.strip() or not said.sentence
    ]
    assert not wrong
    assert not [said for said in graph.web.statements if said.sentence[-1] not in ".?!"]
    assert not [
        said for said in graph.web.statements if said.sentence[0].islower() and " " not in said.sentence
    ]


def test_every_disease_is_known(graph: KnowledgeGraph) -> None:
    assert {said.disease for said in graph.web.statements} <= {None, *DISEASES}


def test_no_statement_is_of_a_thing_and_itself(graph: KnowledgeGraph) -> None:
    assert not [said for said in graph.web.statements if said.subject == said.object]


@pytest.mark.parametrize("disease", DISEASES)
def test_every_drug_can_be_asked_about(graph: KnowledgeGraph, disease: str) -> None:
    """Nothing is known of the patient: no answer fails, and none says both yes and forbidden."""
    for drug in load_drugs():
        fits = graph.is_compatible(drug, {}, disease=disease)
        forbidden = graph.is_contraindicated(drug, {}, disease=disease)
        assert (fits.verdict, forbidden.verdict) != (Verdict.YES, Verdict.YES), drug
        assert bool(fits.chain) is (fits.verdict is not Verdict.UNKNOWN), drug
        if fits.chain:
            assert fits.chain[-1].end == f"drug:{drug}"
            assert len(graph.why(fits)) == len(fits.chain)
        if fits.verdict is Verdict.UNKNOWN:
            assert fits.because, drug
        if forbidden.verdict is Verdict.UNKNOWN:
            assert forbidden.missing, drug


@given(
    drug=st.sampled_from(sorted(load_drugs())),
    disease=st.sampled_from(DISEASES),
    markers=st.lists(st.sampled_from(MARKERS), max_size=3, unique_by=lambda pair: pair[0]),
    line=st.none() | st.integers(0, 5),
)
def test_answers_agree_with_one_another(
    drug: str, disease: str, markers: list[tuple[str, str]], line: int | None
) -> None:
    """Whatever is known: what is forbidden does not fit, and every settled answer has a chain that holds."""
    graph = KnowledgeGraph.load()
    facts = {**dict(markers), "line": line}
    try:
        fits = graph.is_compatible(drug, facts, disease=disease)
    except InputError:
        return  # values of another disease, or that cannot stand together
    forbidden = graph.is_contraindicated(drug, facts, disease=disease)
    assert (forbidden.verdict is Verdict.YES) <= (fits.verdict is Verdict.NO)
    for answer in (fits, forbidden):
        assert [step.end for step in answer.chain[:-1]] == [step.start for step in answer.chain[1:]]
        assert not answer.chain or answer.chain[-1].end == f"drug:{drug}"
        assert (answer.verdict is Verdict.UNKNOWN) >= bool(answer.missing)
        assert all(reason.citation for reason in graph.why(answer))
