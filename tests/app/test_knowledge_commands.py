"""`oncoproof knowledge`, used as a person would."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from oncoproof.app.command import main, run
from oncoproof.app.knowledge_commands import FOLDER_VARIABLE
from oncoproof.app.record_text import as_json, describe
from oncoproof.knowledge.graph import KnowledgeGraph, NodeKind
from oncoproof.knowledge.inventory import HOLDINGS

CIVIC = Path(__file__).parents[1] / "knowledge" / "civic" / "data"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of imports, so that no test sees what a user imported."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "imports"))
    return tmp_path / "imports"


def _json(words: list[str], capsys: pytest.CaptureFixture[str], *, code: int = 0) -> Any:
    assert run([*words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_check_counts_every_topic_and_finds_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "check"]) == 0
    told = capsys.readouterr().out
    for words in ("drugs", "safety rules", "recalled", "Bibliography", "Nothing is wrong"):
        assert words in told
    document = _json(["knowledge", "check"], capsys)
    assert document["problems"] == []
    assert all(topic["records"] > 0 for topic in document["topics"])
    given = [topic["bases"] for topic in document["topics"] if not topic["derived"]]
    assert document["bases"]["read"] == sum(bases.get("read", 0) for bases in given)


@pytest.mark.parametrize("name", ["osimertinib", "Tagrisso", "drug:osimertinib"])
def test_show_finds_a_drug_by_any_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "show", name]) == 0
    told = capsys.readouterr().out
    assert "osimertinib" in told
    assert "label:osimertinib" in told


def test_show_tells_all_in_json_and_says_how_to_see_more(capsys: pytest.CaptureFixture[str]) -> None:
    document = _json(["knowledge", "show", "EGFR"], capsys)
    assert {"id", "kind", "name", "record", "statements"} <= document.keys()
    run(["knowledge", "show", "EGFR", "--most", "2"])
    assert f"--most {len(document['statements'])}" in capsys.readouterr().out


def test_every_kind_of_thing_can_be_shown() -> None:
    """One of each kind, all its words and its JSON; a kind without a record shows what is said of it."""
    graph = KnowledgeGraph.load()
    for kind in NodeKind:
        ids = (end for said in graph.web.statements for end in (said.subject, said.object))
        id_ = next((id_ for id_ in ids if id_.startswith(f"{kind.value}:")), None)
        if id_ is not None:
            assert run(["knowledge", "show", id_]) == 0


def test_every_record_has_words_and_json() -> None:
    for holding in HOLDINGS:
        for record in holding.records[:200]:
            assert all(words for _, words in describe(record))
            json.dumps(as_json(record))


def test_search_needs_every_word_and_narrows_by_kind(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(["knowledge", "search", "egfr", "antibody"], capsys)
    assert found[0]["id"] == "class:anti_egfr_mab"
    kinds = {hit["kind"] for hit in _json(["knowledge", "search", "egfr", "--kind", "drug"], capsys)}
    assert kinds <= {"drug"}
    assert run(["knowledge", "search", "zzzz"]) == 0
    assert "Nothing is called so" in capsys.readouterr().out


def test_an_unknown_name_suggests_near_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "show", "osimertinb"]) == 3
    assert "osimertinib\n" in capsys.readouterr().err


def test_cite_by_source_and_by_thing(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "cite", "pmid:29151359"]) == 0
    assert "PMID 29151359" in capsys.readouterr().out
    by_thing = {each["id"] for each in _json(["knowledge", "cite", "osimertinib"], capsys)}
    assert {"pmid:29151359", "label:osimertinib"} <= by_thing
    run(["knowledge", "cite", "pmid:29151359", "--bibtex"])
    assert capsys.readouterr().out.startswith("@article{pmid:29151359,")


def test_questions_are_answered_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["knowledge", "contraindicated", "cetuximab", "--disease", "crc", "--given", "KRAS=G12D"]
    answer = _json(words, capsys)
    assert answer["verdict"] == "yes"
    assert answer["why"][-1]["citation"]
    assert answer["chain"][-1]["object"] == "drug:cetuximab"
    assert run(words) == 0
    told = capsys.readouterr().out
    assert "RAS" in told
    assert "The chain" in told
    answer = _json(["knowledge", "compatible", "cetuximab", "--disease", "crc"], capsys)
    assert (answer["verdict"], "RAS" in answer["missing"]) == ("unknown", True)
    answer = _json(["knowledge", "pathway", "gene:EGFR", "osimertinib"], capsys)
    assert answer["verdict"] == "yes"


@pytest.mark.parametrize("given", ["EGFR", "=x", "EGFR=", "EGFR=banana", "BANANA=1"])
def test_a_fact_that_is_none_is_refused(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["knowledge", "compatible", "osimertinib", "--disease", "nsclc", "--given", given]) == 3
    assert "try:" in capsys.readouterr().err


@pytest.mark.parametrize("file", sorted(CIVIC.glob("*.tsv")), ids=lambda file: file.stem)
def test_import_accounts_for_every_row_and_is_seen_by_the_other_commands(
    file: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = len(KnowledgeGraph.load().web.statements)
    account = _json(["knowledge", "import", "civic", str(file)], capsys)
    counted = account["imported"] + account["merged"] + sum(account["skipped"].values())
    assert counted == account["file"]["row_count"] == len(account["rows"])
    assert account["folder"] == str(folder)
    assert run(["knowledge", "import", "civic", str(file)]) == 0
    assert "0 added" in capsys.readouterr().out
    imported = [row["evidence_id"] for row in account["rows"] if row["outcome"] == "imported"]
    assert run(["knowledge", "cite", f"civic:EID{imported[0]}"]) == 0
    assert "CIViC" in capsys.readouterr().out
    assert before > 0


def test_an_import_that_lacks_rows_of_its_layout_says_so(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = CIVIC / "civic_molecular_profile.tsv"
    cut = tmp_path / "cut.tsv"
    cut.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:-3]))
    assert run(["knowledge", "import", "civic", str(whole)]) == 0
    assert "Look at this file" not in capsys.readouterr().out
    assert run(["knowledge", "import", "civic", str(cut)]) == 0
    assert "Look at this file: it lacks 3 of the rows" in capsys.readouterr().out
    assert folder.exists()


def test_a_garbled_import_changes_nothing(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "garbled.tsv"
    file.write_bytes(b"\x00\x01 not a table")
    assert run(["knowledge", "import", "civic", str(file)]) == 3
    assert not folder.exists()


def test_validate_judges_features_and_plans(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "patients.json"
    patients = [{"disease": "crc", "RAS": "mut"}, {"disease": "crc", "RAS": "wt", "BRAF": "wt"}]
    file.write_text(json.dumps(patients), encoding="utf-8")
    first, second = _json(["knowledge", "validate", str(file), "--plan", "cetuximab"], capsys, code=1)
    assert "anti_egfr_mab_ras_mutant" in {found["id"] for found in first["violations"]}
    assert "anti_egfr_mab_ras_mutant" not in {found["id"] for found in second["violations"]}
    assert run(["knowledge", "validate", str(file), "--plan", "cetuximab"]) == 1
    assert "subject 0" in capsys.readouterr().out


def test_validate_reads_journeys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "demo.json"
    run(["journey", "demo", "--format", "fhir", "-o", str(file)])
    assert run(["knowledge", "validate", str(file)]) in {0, 1}
    assert "subject 0" in capsys.readouterr().out


def test_validate_takes_a_day_as_a_number_or_a_date(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "demo.json"
    run(["journey", "demo", "--seed", "3", "--format", "json", "-o", str(file)])  # day 0 is 2024-05-25
    told: list[str] = []
    for day in ("40", "2024-07-04"):
        assert run(["knowledge", "validate", str(file), "--as-of", day]) in {0, 1}
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]


def test_a_fault_of_the_program_is_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(tokens: object) -> int:
        raise RuntimeError(tokens)

    monkeypatch.setattr("oncoproof.app.command.run", broken)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 70


def test_validate_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = b'{"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]}'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
    assert run(["knowledge", "validate", "-"]) == 1
    assert "RAS" in capsys.readouterr().out
