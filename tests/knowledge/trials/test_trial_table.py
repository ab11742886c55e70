"""Trial tables: the project's own, any other of the format, and what is said of a broken one."""

import csv
import io
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.combinations import parse_combination
from oncoproof.knowledge.problems import ProblemsError
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.trials.arms import ArmRole, Region
from oncoproof.knowledge.trials.cells import READERS
from oncoproof.knowledge.trials.publications import parse_publications
from oncoproof.knowledge.trials.trial_table import load_trials, read_trials, write_trials

Rows = list[dict[str, str]]

FLAURA = "flaura-egfr-osimertinib"
FLAURA_CONTROL = "flaura-egfr-gefitinib_or_erlotinib"


def _rows() -> Rows:
    text = write_trials(arm for arm in load_trials() if arm.trial == "FLAURA")
    return list(csv.DictReader(io.StringIO(text.partition("\n")[2])))


def _text(rows: Rows) -> str:
    written = io.StringIO()
    writer = csv.DictWriter(written, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return written.getvalue()


def _problems(text: str) -> list[str]:
    with pytest.raises(ProblemsError) as caught:
        read_trials(text, where="mine.csv")
    return list(map(str, caught.value.problems))


def test_own_table_holds_every_arm() -> None:
    arms = load_trials()
    assert len(arms) == 173
    assert len({arm.trial for arm in arms}) == 73
    assert sum(arm.arm is ArmRole.SINGLE for arm in arms) == 12


def test_every_source_of_the_table_is_in_the_bibliography() -> None:
    cited = {source for arm in load_trials() for source in arm.sources}
    assert cited <= load_sources().keys()
    assert len(cited) > 150


def test_writing_and_reading_gives_equal_arms() -> None:
    assert read_trials(write_trials(load_trials())) == load_trials()


@pytest.mark.shared
def test_reference_table_is_the_same_facts(shared_data: Path) -> None:
    assert read_trials(shared_data / "trials.csv") == load_trials()


@pytest.mark.shared
def test_writing_the_reference_table_keeps_every_cell(shared_data: Path) -> None:
    original = list(csv.DictReader(io.StringIO((shared_data / "trials.csv").read_text(encoding="utf-8"))))
    written = list(csv.DictReader(io.StringIO(write_trials(load_trials()).partition("\n")[2])))
    assert [row["requires"] for row in written] == [row["requires"] for row in original]
    for before, after in zip(original, written, strict=True):
        for column, cell in before.items():
            same_number = cell and cell.replace(".", "").isdigit() and float(cell) == float(after[column])
            assert same_number or cell == after[column], (before["row_id"], column)


def test_cells_become_typed_values() -> None:
    osimertinib, control = (arm for arm in load_trials() if arm.trial == "FLAURA")
    assert str(osimertinib.requires[0]) == "EGFR=ex19del|l858r"
    assert osimertinib.requires[0].admits("l858r")
    assert not osimertinib.requires[0].admits("wt")
    assert osimertinib.region_mix == (Region.GLOBAL,)
    assert osimertinib.pfs_hazard.excludes(1.0)
    assert control.drugs.regimens() == ("gefitinib", "erlotinib")
    assert control.drug_classes.words() == {"egfr_tki_gen1"}
    assert osimertinib.comparator_row_id == control.row_id
    assert osimertinib.sources == ("pmid:29151359", "pmid:31751012", "nct:NCT02296125")


def test_nothing_added_is_an_option() -> None:
    control = next(arm for arm in load_trials() if arm.row_id == "keynote_177-msi-chemo")
    assert "fluorouracil+irinotecan+leucovorin" in control.drugs.regimens()
    assert len(control.drugs.regimens()) == 6


HARMLESS: dict[str, Callable[[str], str]] = {
    "format line": lambda text: "# oncoproof.knowledge.trials/1\n" + text,
    "byte order mark": lambda text: "\ufeff" + text,
    "carriage returns": lambda text: text.replace("\n", "\r\n"),
    "empty lines": lambda text: text + "\n\n",
}


@pytest.mark.parametrize("kind", HARMLESS)
def test_harmless_differences_are_accepted(kind: str) -> None:
    assert len(read_trials(HARMLESS[kind](_text(_rows())))) == 2


def test_order_of_columns_makes_no_difference() -> None:
    rows = [dict(sorted(row.items())) for row in _rows()]
    assert read_trials(_text(rows)) == tuple(arm for arm in load_trials() if arm.trial == "FLAURA")


BROKEN = [
    ("drugs", "osimertinb", "drug of the knowledge base"),
    ("drugs", "osimertinib+placebo", "placebo only alone"),
    ("drugs", "choice:(osimertinib", "parenthesis"),
    ("drugs", "choice:(osimertinib)", "two options"),
    ("drugs", "osimertinib+", "joined by +"),
    ("drug_classes", "egfr_tki_gen9", "class of the knowledge base"),
    ("drug_classes", "egfr_tki_gen1", "egfr_tki_gen3"),
    ("requires", "EGFRX=mut", "a key"),
    ("requires", "EGFR=l858x", "a value of EGFR"),
    ("requires", "HER2=positive", "a value of HER2"),
    ("requires", "EGFR", "KEY=VALUE"),
    ("requires", "PRIOR=egfr_tki", "fact about the patient"),
    ("requires", "PDL1_TPS=50", "closed range"),
    ("requires", "PDL1_TPS=90..10", "lower end first"),
    ("requires", "PDL1_TPS=50..101", "from 0 to 100"),
    ("excludes", "PRIOR=egfr_tkis", "umbrella"),
    ("prior", "egfr_tkis", "umbrella"),
    ("crossover_to", "osimertinib|nothing", "umbrella"),
    ("disease", "lung", "one of nsclc"),
    ("histology", "hgsoc", "one of any"),
    ("setting", "early", "one of advanced"),
    ("region_mix", "mars", "one of global"),
    ("arm", "experimental3", "one of control"),
    ("brain_mets_allowed", "maybe", "one of yes"),
    ("confidence", "low", "one of high"),
    ("line_min", "first", "a number"),
    ("line_min", "1.5", "whole number"),
    ("line_min", "2", "at most line_max, 1"),
    ("ecog_max", "7", "from 0 to 4"),
    ("n", "", "a number"),
    ("n", "0", "from 1 to"),
    ("orr_pct", "180", "from 0 to 100"),
    ("orr_pct", "nan", "a number"),
    ("orr_pct", "inf", "a number"),
    ("orr_pct", "1_0", "a number"),
    ("orr_pct", "8O", "a number"),
    ("cr_pct", "99", "at most orr_pct"),
    ("median_age", "-4", "from 0 to 120"),
    ("pfs_hr", "0.99", "low <= estimate <= high"),
    ("pfs_ci_low", "30", "low <= estimate <= high"),
    ("pfs_hr", "", "an estimate beside its bounds"),
    ("pfs_not_reached", "2", "1 (not reached)"),
    ("os_not_reached", "1", "blank, as os_not_reached is 1"),
    ("nct", "NCT123", "eight digits"),
    ("pmid_or_doi", "PMID 2915x", "PMID and its number"),
    ("pmid_or_doi", "PMID 29151359;", "both sides of ;"),
    ("row_id", "flaura", "trial-population-arm"),
    ("trial", "", "a value"),
    ("comparator_row_id", "flaura-egfr-nobody", "a row of this table"),
    ("comparator_row_id", "", "blank where there is no comparator"),
    ("comparator_row_id", FLAURA, "a control row"),
]


@pytest.mark.parametrize(("column", "cell", "expected"), BROKEN, ids=[f"{c}={v}" for c, v, _ in BROKEN])
def test_broken_cell_is_named(column: str, cell: str, expected: str) -> None:
    rows = _rows()
    rows[0][column] = cell
    problems = _problems(_text(rows))
    place = f"line 2 ({rows[0]['row_id']}), "
    told = [problem for problem in problems if problem.startswith(place) and expected in problem]
    assert told, problems


def test_every_problem_is_told_at_once() -> None:
    rows = _rows()
    rows[0]["orr_pct"] = "many"
    rows[0]["drugs"] = "gefitinibb"
    rows[1]["disease"] = "flu"
    problems = _problems(_text(rows))
    assert [problem.partition(":")[0] for problem in problems] == [
        f"line 2 ({FLAURA}), drugs",
        f"line 2 ({FLAURA}), orr_pct",
        f"line 3 ({FLAURA_CONTROL}), disease",
    ]
    with pytest.raises(ProblemsError, match=r"mine.csv: came: 3 problems") as caught:
        read_trials(_text(rows), where="mine.csv")
    copy = pickle.loads(pickle.dumps(caught.value))  # noqa: S301  our own bytes
    assert str(copy) == str(caught.value)
    assert copy.problems == caught.value.problems


def test_row_id_used_twice_is_told_of_the_second() -> None:
    rows = _rows()
    (problem,) = _problems(_text([*rows, rows[1]]))
    assert problem.startswith(f"line 4 ({FLAURA_CONTROL}), row_id: came: '{FLAURA_CONTROL}'")
    assert "each row id once" in problem


def test_comparator_of_another_population_is_told() -> None:
    rows = _rows()
    rows[1]["row_id"] = rows[0]["comparator_row_id"] = "flaura-other-gefitinib"
    assert "a row of the same trial and population" in _problems(_text(rows))[0]


def test_comparator_on_a_control_row_is_told() -> None:
    rows = _rows()
    rows[1]["comparator_row_id"] = FLAURA_CONTROL
    assert any("blank on a control row" in problem for problem in _problems(_text(rows)))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "missing"),
        ("row_id,trial\n", "missing"),
        ("# oncoproof.knowledge.drugs/1\nrow_id\n", "check that the file is of this format"),
        ("<html><body>Not found</body></html>", "missing"),
    ],
    ids=["empty", "two columns", "another format", "a web page"],
)
def test_another_file_is_refused(text: str, expected: str) -> None:
    assert expected in " ".join(_problems(text))


def test_table_of_no_rows_is_refused() -> None:
    assert "no row" in _problems(_text(_rows()).partition("\n")[0] + "\n")[0]


def test_unknown_and_doubled_columns_are_told() -> None:
    header, _, body = _text(_rows()).partition("\n")
    problems = _problems(f"{header},colour,n\n{body}")
    assert ["'colour' unknown" in problems[0], "'n' there twice" in problems[1]] == [True, True]


def test_short_row_and_open_quote_are_told_with_their_line() -> None:
    text = _text(_rows())
    assert _problems(text + "a-b-c,FLAURA\n")[0].startswith("line 4 (a-b-c): came: 2 cells")
    assert _problems(text + '"a-b-c,FLAURA\n')[0].startswith("line 4")


def test_line_numbers_count_the_format_line_and_quoted_line_ends() -> None:
    rows = _rows()
    rows[0]["note"] = "two\nlines"
    rows[1]["n"] = "?"
    assert _problems("# oncoproof.knowledge.trials/1\n" + _text(rows))[0].startswith("line 5 (")


def test_file_that_is_not_utf8_or_not_there(tmp_path: Path) -> None:
    path = tmp_path / "trials.csv"
    path.write_bytes(_text(_rows()).encode() + b"a-b-c,\xff\n")
    with pytest.raises(ProblemsError, match=r"trials.csv line 4: came: byte 0xff"):
        read_trials(path)
    with pytest.raises(InputError, match=r"none.csv: came: No such file"):
        read_trials(tmp_path / "none.csv")


@given(st.lists(st.sampled_from(load_trials()), unique=True, min_size=1, max_size=8))
def test_any_arms_survive_writing_and_reading(chosen: list[object]) -> None:
    arms = tuple(
        replace(arm, comparator_row_id=None, pfs_hr=None, pfs_hr_low=None, pfs_hr_high=None,
                os_hr=None, os_hr_low=None, os_hr_high=None)
        for arm in load_trials() if arm in chosen
    )  # fmt: skip
    assert read_trials(write_trials(arms)) == arms


_WORDS = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
_OPTIONS = st.lists(_WORDS, min_size=1, max_size=3, unique=True).map("+".join)
_TERMS = st.one_of(
    _WORDS, st.lists(_OPTIONS, min_size=2, max_size=3).map(lambda options: f"choice:({'|'.join(options)})")
)


@given(st.lists(_TERMS, min_size=1, max_size=4).map("+".join))
def test_combination_is_written_as_it_was_read(text: str) -> None:
    combination = parse_combination(text)
    assert str(combination) == text
    sizes = [len(term.options) for term in combination.terms]
    product = 1
    for size in sizes:
        product *= size
    assert len(combination.alternatives()) == product


def test_publications_that_name_no_number_are_kept() -> None:
    first, second = parse_publications(
        "PMID 37142372 (10.1016/S1470-2045(23)00150-X); final 2025-26 Nat Commun"
    )
    assert first.sources == ("pmid:37142372", "doi:10.1016/S1470-2045(23)00150-X")
    assert second.sources == ()
    assert str(second) == "final 2025-26 Nat Commun"


def test_columns_are_those_of_the_format() -> None:
    assert len(READERS) == 53
    assert list(READERS)[:3] == ["row_id", "trial", "nct"]
