"""`oncoproof simulate trials` on a small table: every row accounted for, and what is wrong named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from oncoproof.app.command import run
from oncoproof.knowledge.trials import load_trials, write_trials

ROWS = (
    "flaura-egfr-osimertinib",
    "flaura-egfr-gefitinib_or_erlotinib",
    "profile_1001-ros1-crizotinib",
    "destiny_crc01-her2_pos-tdxd_6_4",
)
FIGURES = (
    "orr_pct", "cr_pct", "dor_median_mo", "pfs_median_mo", "pfs_12mo_pct", "os_median_mo",
    "grade3plus_ae_pct", "pfs_hr", "os_hr",
)  # fmt: skip


@pytest.fixture(scope="module")
def excerpt() -> str:
    """Four rows of the project's own table."""
    arms = {arm.row_id: arm for arm in load_trials()}
    written = write_trials([arms[row] for row in ROWS if row in arms])
    return written.decode("utf-8") if isinstance(written, bytes) else written


def test_every_row_is_simulated_or_listed_and_every_figure_is_there(excerpt: str, tmp_path: Path) -> None:
    table, output = tmp_path / "trials.csv", tmp_path / "out.json"
    table.write_text(excerpt, encoding="utf-8")
    words = ["simulate", "trials", str(table), "-n", "20", "--draws", "1", "--json", str(output)]
    assert run(words) == 0
    document = json.loads(output.read_text(encoding="utf-8"))
    rows, refused = document["rows"], document["not_simulated"]
    assert [row["row_id"] for row in rows] + [row["row_id"] for row in refused] == list(ROWS)
    for row in rows:
        assert tuple(row) == ("row_id", "n", *FIGURES)
        assert row["n"] == 20
        for name in FIGURES:
            figure = row[name]
            assert figure is None or set(figure) == {"value", "lo", "hi"}
            if figure is not None and None not in figure.values():
                assert figure["lo"] <= figure["value"] <= figure["hi"]
    by_id = {row["row_id"]: row for row in rows}
    assert by_id["flaura-egfr-osimertinib"]["pfs_hr"] is not None
    assert by_id["profile_1001-ros1-crizotinib"]["pfs_hr"] is None


def _drug(text: str) -> str:
    return text.replace(",osimertinib,", ",osimertinob,", 1)


def _key(text: str) -> str:
    return text.replace("EGFR=", "EGFX=", 1)


def _value(text: str) -> str:
    return text.replace("EGFR=", "EGFR=nonsense|", 1)


@pytest.mark.parametrize(
    "wrong",
    [(_drug, "drugs", "osimertinob"), (_key, "requires", "EGFX"), (_value, "requires", "nonsense")],
    ids=["drug", "key", "value"],
)
def test_what_is_not_known_ends_with_3_and_names_row_and_cell(
    wrong: tuple[Callable[[str], str], str, str], excerpt: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    spoil, cell, came = wrong
    table = tmp_path / "trials.csv"
    spoiled = spoil(excerpt)
    assert spoiled != excerpt
    table.write_text(spoiled, encoding="utf-8")
    assert run(["simulate", "trials", str(table), "-n", "2", "--json", "-"]) == 3
    error = json.loads(capsys.readouterr().err)
    assert came in error["came"]
    assert cell in error["where"]
    assert ROWS[0] in error["where"] or "row 2" in error["where"] or "line 2" in error["where"]


@pytest.mark.parametrize("words", [["-n", "0"], ["--draws", "-1"]])
def test_numbers_that_cannot_be_are_refused(words: list[str]) -> None:
    assert run(["simulate", "trials", *words]) == 3


@pytest.mark.parametrize("words", [["-n", "0"], ["--rounds", "-1"]])
def test_calibrate_refuses_numbers_that_cannot_be(words: list[str], tmp_path: Path) -> None:
    assert run(["calibrate", "--output", str(tmp_path / "fit"), *words]) == 3
    assert not (tmp_path / "fit").exists()


def test_a_table_that_is_not_there_is_an_input_error(tmp_path: Path) -> None:
    assert run(["simulate", "trials", str(tmp_path / "none.csv")]) == 3
    assert run(["calibrate", "--table", str(tmp_path / "none.csv")]) == 3
