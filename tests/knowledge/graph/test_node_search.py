"""Finding things by what people call them."""

import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.graph import KnowledgeGraph, NodeKind
from oncoproof.knowledge.graph.nodes import load_nodes

GRAPH = KnowledgeGraph.load()


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("osimertinib", "drug:osimertinib"),
        ("Tagrisso", "drug:osimertinib"),
        ("drug:osimertinib", "drug:osimertinib"),
        ("EGFR", "gene:EGFR"),
        ("biomarker EGFR", "biomarker:EGFR"),
        ("HER2", "biomarker:HER2"),
        ("PDL1_TPS", "biomarker:PDL1_TPS"),
        ("EGFR=ex19del", "marker:EGFR=ex19del"),
        ("marker:EGFR=ex19del", "marker:EGFR=ex19del"),
        ("colon cancer", "disease:crc"),
        ("FOLFOX", "regimen:fluorouracil+leucovorin+oxaliplatin"),
        ("FLAURA", "trial:FLAURA"),
        ("anti_egfr_mab_ras_mutant", "rule:anti_egfr_mab_ras_mutant"),
    ],
)
def test_find(text: str, node: str) -> None:
    assert GRAPH.find(text).id == node


def test_exact_name_comes_first() -> None:
    hits = GRAPH.search("EGFR")
    assert [hit.node.id for hit in hits[:2]] == ["gene:EGFR", "biomarker:EGFR"]
    assert [hit.rank for hit in hits] == sorted(hit.rank for hit in hits)
    assert GRAPH.search("olaparib")[0].node.id == "drug:olaparib"


def test_every_word_must_occur() -> None:
    assert [hit.node.id for hit in GRAPH.search("right-sided primary", kinds={NodeKind.RULE})] != []
    assert GRAPH.search("osimertinib zebra") == ()
    assert GRAPH.search(" ") == ()


def test_kinds_narrow() -> None:
    assert {hit.node.kind for hit in GRAPH.search("EGFR", kinds={NodeKind.CLASS})} == {NodeKind.CLASS}


@pytest.mark.parametrize("text", ["osimertinb", "zebra", "", "drug:zebra", "RAS=green"])
def test_unknown_name_is_refused(text: str) -> None:
    with pytest.raises(InputError) as caught:
        GRAPH.find(text)
    assert caught.value.remedy


def test_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        GRAPH.find("osimertinb")
    assert "drug:osimertinib" in caught.value.remedy


def test_name_of_several_things_is_refused_with_all() -> None:
    twice: dict[tuple[NodeKind, str], list[str]] = {}
    for node in load_nodes().values():
        if node.kind is NodeKind.SOURCE:
            twice.setdefault((node.kind, node.name), []).append(node.id)
    name, ids = next((key[1], ids) for key, ids in twice.items() if len(ids) > 1)
    with pytest.raises(InputError, match="names") as caught:
        GRAPH.find(name)
    assert all(id_ in caught.value.remedy for id_ in ids[:6])


def test_every_node_is_found_by_its_id() -> None:
    assert [id_ for id_ in load_nodes() if GRAPH.find(id_).id != id_] == []


def test_about_tells_what_a_thing_is_the_subject_of_first() -> None:
    said = GRAPH.about("osimertinib")
    subjects = [fact.subject == "drug:osimertinib" for fact in said]
    assert subjects == sorted(subjects, reverse=True)
    assert any(fact.object == "drug:osimertinib" for fact in said)
    with pytest.raises(InputError):
        GRAPH.about("osimertinb")
