"""Chains: connected, shortest, best founded, and pathways that go on in one sense."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.graph import KnowledgeGraph, Relation, Statement, Step, Verdict, Web
from oncoproof.knowledge.graph.chains import weakness
from oncoproof.knowledge.tables import Basis

GRAPH = KnowledgeGraph.load()
NODES = sorted({*GRAPH.web.outgoing, *GRAPH.web.incoming})


def _fact(
    subject: str,
    object_: str,
    *,
    basis: Basis = Basis.READ,
    disease: str | None = None,
    relation: Relation = Relation.IS_A,
) -> Statement:
    return Statement(subject, relation, object_, "So it is.", "project:keys", basis, disease)


def _ends(chain: tuple[Step, ...] | None) -> list[str]:
    return [step.end for step in chain or ()]


def test_chain_is_shortest() -> None:
    web = Web.of([_fact("gene:A", "gene:B"), _fact("gene:B", "gene:C"), _fact("gene:A", "gene:C")])
    assert _ends(web.chain("gene:A", "gene:C")) == ["gene:C"]


def test_among_shortest_the_best_founded_is_taken() -> None:
    weak = [_fact("gene:A", "gene:B", basis=Basis.ASSUMED), _fact("gene:B", "gene:D")]
    strong = [_fact("gene:A", "gene:C", basis=Basis.RECALLED), _fact("gene:C", "gene:D")]
    chain = Web.of([*weak, *strong]).chain("gene:A", "gene:D")
    assert _ends(chain) == ["gene:C", "gene:D"]
    assert weakness(chain or ()) == 1


def test_chain_is_read_backwards_only_if_asked() -> None:
    web = Web.of([_fact("gene:A", "gene:B")])
    assert web.chain("gene:B", "gene:A") is None
    assert _ends(web.chain("gene:B", "gene:A", either_way=True)) == ["gene:A"]


def test_chain_stays_in_its_disease() -> None:
    web = Web.of([_fact("gene:A", "gene:B", disease="crc")])
    assert web.chain("gene:A", "gene:B", disease="crc") is not None
    assert web.chain("gene:A", "gene:B", disease="nsclc") is None
    assert web.chain("gene:A", "gene:B") is not None


def test_chain_leads_over_nothing_that_keeps_apart() -> None:
    web = Web.of([_fact("gene:A", "gene:B", relation=Relation.RULES_OUT)])
    assert web.chain("gene:A", "gene:B") is None
    assert web.chain("gene:A", "gene:B", relations=[Relation.RULES_OUT]) is not None


def test_chain_from_a_thing_to_itself_is_empty() -> None:
    assert Web.of([]).chain("gene:A", "gene:A") == ()


@given(start=st.sampled_from(NODES), end=st.sampled_from(NODES))
def test_every_chain_is_connected(start: str, end: str) -> None:
    chain = GRAPH.web.chain(start, end, either_way=True)
    if chain:
        assert [start, *_ends(chain)] == [*(step.start for step in chain), end]
        assert not any(step.statement.relation.is_against for step in chain)


@given(start=st.sampled_from(NODES), end=st.sampled_from(NODES))
def test_pathway_is_the_same_from_either_end(start: str, end: str) -> None:
    there, back = GRAPH.find_pathway(start, end), GRAPH.find_pathway(end, start)
    assert there.verdict is back.verdict
    if there.chain:
        assert there.chain[0].start == start
        assert there.chain[-1].end == end
        assert [step.end for step in there.chain[:-1]] == [step.start for step in there.chain[1:]]


@pytest.mark.parametrize(
    ("start", "end", "ends"),
    [
        ("EGFR", "osimertinib", ["drug:osimertinib"]),
        ("HER2", "Herceptin", ["gene:ERBB2", "drug:trastuzumab"]),
        ("KRAS=g12c", "adagrasib", ["drug:adagrasib"]),
        ("MSI", "pembrolizumab", ["marker:MSI=high", "drug:pembrolizumab"]),
        ("parp_inhibitor", "olaparib", ["drug:olaparib"]),
        ("marker:BRAF=v600e", "trametinib", ["regimen:dabrafenib+trametinib", "drug:trametinib"]),
    ],
)
def test_pathway_leads_from_biology_to_treatment(start: str, end: str, ends: list[str]) -> None:
    assert _ends(GRAPH.find_pathway(start, end).chain) == ends


def test_pathway_tells_how_tumours_escape() -> None:
    chain = GRAPH.find_pathway("osimertinib", "MET").chain
    assert chain[0].statement.relation is Relation.ESCAPES_BY
    assert chain[-1].end == "gene:MET"


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("RET", "cetuximab"),  # both escape by MET
        ("olaparib", "cisplatin"),  # both are drugs
        ("lapatinib", "osimertinib"),  # both act on EGFR
        ("encorafenib", "cetuximab"),  # both are of one regimen
        ("KRAS=wt", "sotorasib"),  # another value of the key is helped
        ("KRAS=g12c", "KRAS=wt"),
        ("TP53", "letrozole"),
    ],
)
def test_what_two_things_share_is_no_pathway(start: str, end: str) -> None:
    answer = GRAPH.find_pathway(start, end)
    assert answer.verdict is Verdict.NO
    assert answer.chain == ()


def test_pathway_of_a_disease() -> None:
    assert GRAPH.find_pathway("BRAF=v600e", "encorafenib", disease="colorectal cancer").verdict is Verdict.YES
    assert (
        GRAPH.find_pathway("ALK", "alectinib", disease="crc").chain[0].statement.relation is Relation.TARGETS
    )
    with pytest.raises(InputError):
        GRAPH.find_pathway("ALK", "alectinib", disease="glioma")
