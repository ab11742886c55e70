"""Imports of CIViC in the graph: they add to it, are found, decide, and are cited."""

from pathlib import Path

import pytest

from oncoproof.knowledge.civic.imports import import_civic, load_imported
from oncoproof.knowledge.evidence.citations import cite
from oncoproof.knowledge.evidence.evidence import Evidence
from oncoproof.knowledge.graph import KnowledgeGraph, Relation, Verdict

DATA = Path(__file__).parents[1] / "civic" / "data" / "civic_molecular_profile.tsv"


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Evidence, ...]:
    folder = tmp_path_factory.mktemp("imported")
    import_civic(DATA, target=folder)
    return load_imported(folder)


@pytest.fixture(scope="module")
def graph(imported: tuple[Evidence, ...]) -> KnowledgeGraph:
    return KnowledgeGraph.load(imported)


def test_base_is_kept_and_extended(graph: KnowledgeGraph) -> None:
    own = KnowledgeGraph.load()
    assert set(own.web.statements) < set(graph.web.statements)
    assert len(graph.evidence) == len(own.evidence) + len(graph.imported)
    assert KnowledgeGraph.load(()) is own


def test_every_piece_is_said_and_found(graph: KnowledgeGraph, imported: tuple[Evidence, ...]) -> None:
    for piece in imported:
        node = graph.find(f"evidence:{piece.id}")
        assert node.record is piece
        assert [fact for fact in graph.about(node.id) if fact.relation is Relation.SPEAKS_OF]
    hits = graph.search("ramucirumab erlotinib")
    assert "evidence:civic:EID11240" in {hit.node.id for hit in hits}


def test_every_imported_sentence_ends_and_its_source_can_be_cited(graph: KnowledgeGraph) -> None:
    new = set(graph.web.statements) - set(KnowledgeGraph.load().web.statements)
    assert new
    assert not [fact for fact in new if not fact.sentence.endswith(".")]
    assert all(cite(fact.source, imported=graph.imported).line for fact in new)


def test_imported_evidence_decides_and_is_cited(graph: KnowledgeGraph) -> None:
    """The base knows of no trial of erlotinib with ramucirumab; CIViC does."""
    facts = {"EGFR": "ex19del"}
    before = KnowledgeGraph.load().is_compatible("erlotinib+ramucirumab", facts, disease="nsclc")
    answer = graph.is_compatible("erlotinib+ramucirumab", facts, disease="nsclc")
    assert answer.verdict is Verdict.YES
    assert answer.chain[-1].end == "regimen:erlotinib+ramucirumab"
    reason = graph.why(answer)[-1]
    assert reason.source == "civic:EID11240"
    assert "CIViC" in reason.citation
    assert before.statements != answer.statements


def test_imported_evidence_does_not_overrule_a_hard_check(graph: KnowledgeGraph) -> None:
    """CIViC holds that single KRAS mutants respond to cetuximab; the label forbids it."""
    answer = graph.is_compatible("cetuximab", {"KRAS": "G13D"}, disease="crc")
    assert answer.verdict is Verdict.NO


@pytest.mark.shared
def test_all_of_civic_turns_no_settled_answer(shared_data: Path, tmp_path: Path) -> None:
    import_civic(shared_data / "civic" / "evidence_2026-05.tsv", target=tmp_path)
    full, own = KnowledgeGraph.load(load_imported(tmp_path)), KnowledgeGraph.load()
    for disease, treatment, facts in (
        ("nsclc", "osimertinib", {"EGFR": "ex19del"}),
        ("nsclc", "sotorasib", {"KRAS": "g12c"}),
        ("crc", "encorafenib+cetuximab", {"BRAF": "v600e", "RAS": "wt"}),
        ("crc", "FOLFOX", {}),
        ("melanoma", "dabrafenib+trametinib", {"BRAF": "v600e"}),
        ("breast", "trastuzumab", {"HER2": "positive"}),
    ):
        answer = full.is_compatible(treatment, facts, disease=disease)
        assert answer.verdict is own.is_compatible(treatment, facts, disease=disease).verdict is Verdict.YES
        assert len(full.why(answer)) == len(answer.chain)
