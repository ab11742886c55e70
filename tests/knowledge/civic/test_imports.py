"""CIViC: both layouts, every row accounted for, broken files refused, folders that keep their word."""

import hashlib
import itertools
import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import FormatError, InputError
from oncoproof.knowledge.civic.imports import import_civic, load_imported
from oncoproof.knowledge.civic.layouts import Layout, read_civic
from oncoproof.knowledge.civic.profiles import profile_of_old_layout, read_profile
from oncoproof.knowledge.civic.rows import Outcome, SkipReason, interpret_rows
from oncoproof.knowledge.evidence.citations import cite_all
from oncoproof.knowledge.evidence.evidence import Direction, Effect, Evidence, Level
from oncoproof.knowledge.evidence.trial_evidence import evidence_from_trials
from oncoproof.knowledge.medicines.conditions import CellError

DATA = Path(__file__).parent / "data"
NEW = DATA / "civic_molecular_profile.tsv"
OLD = DATA / "civic_gene_variant.tsv"
LAYOUTS = {Layout.PROFILES: NEW, Layout.VARIANTS: OLD}


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}


def _imported(folder: Path, evidence_id: int) -> Evidence:
    return next(
        piece for piece in load_imported(folder) if piece.civic and evidence_id in piece.civic.evidence_ids
    )


def _edited(path: Path, evidence_id: int, **cells: str) -> bytes:
    """The file with cells of one row replaced."""
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    columns = header.split("\t")
    at = columns.index("evidence_id")
    rows = [line.split("\t") for line in lines]
    for row in rows:
        if row[at] == str(evidence_id):
            for column, cell in cells.items():
                row[columns.index(column)] = cell
    return "\n".join([header, *("\t".join(row) for row in rows), ""]).encode()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layout_is_told_by_the_header(layout: Layout) -> None:
    file = read_civic(LAYOUTS[layout].read_bytes(), name="anything.txt")
    assert file.layout is layout
    assert file.sha256 == hashlib.sha256(LAYOUTS[layout].read_bytes()).hexdigest()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_row_is_accounted_for(layout: Layout, tmp_path: Path) -> None:
    account = import_civic(LAYOUTS[layout], target=tmp_path)
    lines = LAYOUTS[layout].read_text(encoding="utf-8").count("\n") - 1
    assert account.row_count == account.file.row_count == lines
    assert [row.line for row in account.rows] == list(range(2, lines + 2))
    told = Counter(row.outcome for row in account.rows)
    assert (told[Outcome.IMPORTED], told[Outcome.MERGED]) == (account.imported, account.merged)
    assert Counter(row.reason for row in account.rows if row.reason) == account.skipped
    assert len(load_imported(tmp_path)) == account.imported


def test_rows_are_skipped_for_their_reason() -> None:
    outcomes = interpret_rows(read_civic(NEW.read_bytes(), name="x").rows).outcomes
    reasons = {row.evidence_id: row.reason for row in outcomes if row.reason}
    assert reasons == {
        1: SkipReason.EVIDENCE_TYPE_NOT_USED,
        12: SkipReason.THERAPY_UNKNOWN,
        15: SkipReason.DISEASE_OUTSIDE_SCOPE,
        296: SkipReason.DISEASE_OUTSIDE_SCOPE,
        7107: SkipReason.EVIDENCE_TYPE_NOT_USED,
        7538: SkipReason.FLAGGED,
        12505: SkipReason.SIGNIFICANCE_UNKNOWN,
    }


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"evidence_status": "submitted"}, SkipReason.STATUS_NOT_ACCEPTED),
        ({"disease": "", "doid": ""}, SkipReason.DISEASE_MISSING),
        ({"therapies": ""}, SkipReason.NO_THERAPY),
        ({"citation_id": ""}, SkipReason.NO_CITATION),
        ({"significance": "Wonderful"}, SkipReason.SIGNIFICANCE_UNKNOWN),
        ({"molecular_profile": "EGFR C797S AND"}, SkipReason.PROFILE_NOT_EXPRESSIBLE),
        ({"molecular_profile": "( EGFR C797S"}, SkipReason.PROFILE_NOT_EXPRESSIBLE),
        ({"molecular_profile": "EGFR"}, SkipReason.PROFILE_NOT_EXPRESSIBLE),
    ],
)
def test_other_reasons(cells: dict[str, str], reason: SkipReason) -> None:
    rows = read_civic(_edited(NEW, 964, **cells), name="x").rows
    outcome = next(row for row in interpret_rows(rows).outcomes if row.evidence_id == 964)
    assert (outcome.outcome, outcome.reason) == (Outcome.SKIPPED, reason)


def test_rows_that_say_the_same_are_merged_with_the_strongest() -> None:
    read = interpret_rows(read_civic(NEW.read_bytes(), name="x").rows)
    assert {row.evidence_id: row.merged_with for row in read.outcomes if row.merged_with} == {
        145: 306,
        1531: 1529,
    }
    piece = next(piece for piece in read.evidence if piece.id == "civic:EID306")
    assert piece.civic is not None
    assert piece.civic.evidence_ids == (306, 145)
    assert piece.sources == ("civic:EID306", "pmid:20978259", "civic:EID145")


def test_an_evidence_id_told_twice_counts_once_and_the_later_review_counts() -> None:
    text = NEW.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if "\t964\t" in line)
    later = line.replace("\tResistance\t", "\tReduced Sensitivity\t").replace("2023-", "2025-")
    assert later != line
    read = interpret_rows(read_civic(f"{text}{later}\n{line}\n".encode(), name="x").rows)
    told = [(row.outcome, row.merged_with) for row in read.outcomes if row.evidence_id == 964]
    assert told == [(Outcome.MERGED, 964), (Outcome.IMPORTED, None), (Outcome.MERGED, 964)]
    piece = next(piece for piece in read.evidence if piece.id == "civic:EID964")
    assert piece.effect is Effect.REDUCED_SENSITIVITY


def test_what_a_row_says_becomes_words_of_the_base(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    piece = _imported(tmp_path, 964)
    assert (piece.disease, str(piece.profile), str(piece.treatment)) == (
        "nsclc",
        "EGFR_C797S=positive",
        "osimertinib",
    )
    assert (piece.direction, piece.effect, piece.level) == (Direction.OPPOSES, Effect.RESISTANCE, Level.B)
    assert piece.civic is not None
    assert piece.civic.citation == "Thress et al., 2015"
    assert piece.civic.rating == 3
    assert piece.civic.reviewed.startswith("2023-01-09")
    assert piece.civic.files == (hashlib.sha256(NEW.read_bytes()).hexdigest(),)


@pytest.mark.parametrize(
    ("evidence_id", "profile", "treatment"),
    [
        (441, "ALK=fusion and ALK_G1202R=positive", "crizotinib"),
        (11240, "EGFR=ex19del|l858r", "erlotinib+ramucirumab"),
        (258, "PIK3CA=mut", "choice:(cetuximab|panitumumab)"),
        (1971, "KRAS=wt and MET_AMPLIFICATION=amplified", "choice:(cetuximab+irinotecan|panitumumab)"),
        (1684, "BRCA=mut and HER2=negative and HR=negative", "choice:(carboplatin|cisplatin)"),
        (1799, "EGFR=ex20ins", "erlotinib"),
        (2948, "NTRK=fusion", "entrectinib"),
        (725, "PAPSS1::BRAF Fusion", "vemurafenib"),
    ],
)
def test_profiles_and_therapies(evidence_id: int, profile: str, treatment: str, tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    piece = _imported(tmp_path, evidence_id)
    assert (str(piece.profile), str(piece.treatment)) == (profile, treatment)
    assert piece.is_mapped is ("::" not in profile)


def test_evidence_across_tumours_has_no_disease(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    assert _imported(tmp_path, 2948).disease is None


def test_a_congress_abstract_keeps_its_register_and_can_be_cited(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    piece = _imported(tmp_path, 7066)
    assert "asco:161573" in piece.sources
    cited = {citation.id: citation.line for citation in cite_all([piece], imported=[piece])}
    assert cited["asco:161573"].endswith("ASCO abstract 161573.")
    assert cited["civic:EID7066"].endswith("CIViC EID7066.")


@pytest.mark.parametrize(
    ("gene", "variant", "profile"),
    [
        ("ALK", "EML4-ALK", "EML4::ALK Fusion"),
        ("ALK", "ALK FUSIONS", "v::ALK Fusion"),
        ("ALK", "EML4-ALK e6-e20", "EML4::ALK Fusion"),
        ("ALK", "EML4-ALK  V1180L", "EML4::ALK Fusion AND ALK V1180L"),
        ("ALK", "EML4-ALK and AMPLIFICATION", "EML4::ALK Fusion AND ALK AMPLIFICATION"),
        ("ROS1", "REARRANGEMENT", "v::ROS1 Fusion"),
        (
            "NTRK1",
            "LMNA-NTRK1 G595R and G667C",
            "LMNA::NTRK1 Fusion AND NTRK1 G595R AND NTRK1 G667C",
        ),
        ("BRAF", "V600E", "BRAF V600E"),
        ("BRAF", "V600E and V600M", "BRAF V600E AND BRAF V600M"),
        ("BRCA1", "LOSS-OF-FUNCTION", "BRCA1 LOSS-OF-FUNCTION"),
    ],
)
def test_variants_of_the_old_layout_are_said_in_the_new(gene: str, variant: str, profile: str) -> None:
    assert profile_of_old_layout(gene, variant) == profile


@pytest.mark.parametrize(
    ("profile", "disease", "expected"),
    [
        ("EGFR L858R", "nsclc", "EGFR=l858r"),
        ("EGFR E746_A750del", "nsclc", "EGFR=ex19del"),
        ("EGFR H773_V774insNPH", "nsclc", "EGFR=ex20ins"),
        ("EGFR T790M AND EGFR Exon 19 Deletion", "nsclc", "EGFR=ex19del and EGFR_T790M=positive"),
        ("EGFR T790M", "crc", "EGFR T790M"),
        ("KRAS G12", "crc", "KRAS=mut"),
        ("KRAS G12D", "crc", "KRAS=other"),
        ("KRAS A146T", "crc", "RAS=mut"),
        ("KRAS A146T", "nsclc", "KRAS A146T"),
        ("BRAF V600", "melanoma", "BRAF=v600"),
        ("BRAF V600E AND BRAF V600M", "melanoma", "BRAF=v600e and BRAF V600M"),
        ("ERBB2 Amplification", "breast", "HER2=positive"),
        ("ERBB2 Amplification", "nsclc", "HER2_AMPLIFICATION=amplified"),
        ("ERBB2 Y772_A775dup", "nsclc", "HER2=mut"),
        ("NOT KRAS Mutation", "crc", "KRAS=wt"),
        ("NOT KRAS G12C", "crc", "KRAS=wt|other"),
        ("NOT ( BRAF V600E OR KRAS Mutation )", "crc", "BRAF=wt|v600k|other and KRAS=wt"),
        ("NOT ( BRAF V600E AND KRAS Mutation )", "crc", "BRAF=wt|v600k|other or KRAS=wt"),
        ("NOT AR V7", "prostate", "not AR V7"),
        ("BRCA1 Mutation OR BRCA2 Mutation", "ovarian", "BRCA=mut"),
        ("v::ALK Fusion OR v::ROS1 Fusion", "nsclc", "ALK=fusion or ROS1=fusion"),
        ("MET Splice Site (c.3028G>A)", "nsclc", "MET Splice Site (c.3028G>A)"),
    ],
)
def test_profiles_become_conditions(profile: str, disease: str, expected: str) -> None:
    assert str(read_profile(profile, disease)) == expected


def test_a_profile_of_endless_alternatives_is_refused() -> None:
    pairs = " AND ".join(f"( A{n} X OR B{n} X )" for n in range(12))
    with pytest.raises(CellError, match="at most 64"):
        read_profile(pairs, "nsclc")


_NAMES = st.sampled_from(["EGFR L858R", "KRAS G12C", "AR V7", "BRAF V600E", "v::ALK Fusion"])
_PROFILES = st.recursive(
    _NAMES,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["AND", "OR"]), inner).map(lambda parts: f"( {' '.join(parts)} )"),
        inner.map(lambda text: f"NOT {text}"),
    ),
    max_leaves=4,
)
_PATIENTS = st.fixed_dictionaries(
    {
        "EGFR": st.sampled_from(["wt", "l858r", "ex19del"]),
        "KRAS": st.sampled_from(["wt", "g12c", "other"]),
        "BRAF": st.sampled_from(["wt", "v600e"]),
        "ALK": st.sampled_from(["fusion", "negative"]),
    }
)


def _meaning(words: list[str], patient: dict[str, str]) -> bool:
    """What a fully parenthesised profile means, by reading it once more in another way."""
    word = words.pop(0)
    if word == "NOT":
        return not _meaning(words, patient)
    if word == "(":
        left = _meaning(words, patient)
        operator = words.pop(0)
        right = _meaning(words, patient)
        words.pop(0)
        return (left and right) if operator == "AND" else (left or right)
    words.pop(0)
    gene, value = {
        "EGFR": ("EGFR", "l858r"),
        "KRAS": ("KRAS", "g12c"),
        "BRAF": ("BRAF", "v600e"),
        "v::ALK": ("ALK", "fusion"),
    }[word]
    return patient[gene] == value


@given(_PROFILES.filter(lambda text: "AR V7" not in text), _PATIENTS)
def test_a_profile_admits_exactly_whom_it_means(profile: str, patient: dict[str, str]) -> None:
    read = read_profile(profile, "nsclc")
    if read.is_mapped:
        assert read.admits(patient) is _meaning(profile.split(), patient)


Damage = Callable[[bytes], bytes]


def _without_column(content: bytes) -> bytes:
    return content.replace(b"\tevidence_level\t", b"\tlevel\t", 1)


DAMAGE: dict[str, tuple[Damage, str]] = {
    "empty": (lambda _: b"", "line 1: came: no column 'disease'"),
    "header only": (lambda content: content.partition(b"\n")[0] + b"\n", "no rows"),
    "cut within a row": (lambda content: content[:-200], "line .* column .* ends after"),
    "cut within the last cell": (
        lambda content: content.rstrip()[:-1],
        "column '(is_flagged|gene_civic_url)'",
    ),
    "cut within the header": (lambda content: content[:100], "no column"),
    "bad bytes": (lambda content: content[:2000] + b"\xff\xfe" + content[2000:], "column .*byte 0xff"),
    "UTF-16": (lambda content: content.decode().encode("utf-16"), "line 1 column .*byte 0xff"),
    "decoded wrongly": (
        lambda content: content.replace(b"et al.", "\u00c3\u00a9t al.".encode(), 1),
        "column 'citation'.*decoded as UTF-8",
    ),
    "decoded wrongly by a spreadsheet": (
        lambda content: content.replace(b"Shortened", "\u00e2\u20ac\u201c".encode(), 1),
        "column 'evidence_statement'.*decoded as UTF-8",
    ),
    "replaced characters": (
        lambda content: content.replace(b"Colorectal", "Color\ufffdctal".encode(), 1),
        "column 'disease'.*readable",
    ),
    "zero bytes": (lambda content: content.replace(b"accepted", b"acc\0pted", 1), "column 'evidence_status'"),
    "a column gone": (_without_column, "no column 'evidence_level'"),
    "a column twice": (
        lambda content: content.replace(b"\tphenotypes\t", b"\tdisease\t", 1),
        "'disease' twice",
    ),
    "a tab too many": (lambda content: content.replace(b"Shortened", b"Shor\ttened", 1), "line 2 column"),
    "a tab lost": (lambda content: content.replace(b"\taccepted", b"accepted", 1), "line 2 column"),
    "a web page": (lambda _: b"<!DOCTYPE html>\n<html></html>\n", "HTML"),
    "comma-separated": (lambda content: content.replace(b"\t", b","), "no column 'disease'"),
    "an open quote": (
        lambda content: content.replace(b"\tShortened", b'\t"Shortened', 1),
        "line 2: .*",
    ),
    "cells moved": (lambda content: content.replace(b"\tB\t", b"\tB2\t", 1), "column 'evidence_level'"),
    "an address of another row": (
        lambda content: content.replace(b"/evidence_items/1\t", b"/evidence_items/2\t", 1),
        "line 2 column 'evidence_civic_url'",
    ),
    "a date garbled": (lambda content: content.replace(b" UTC\t", b"\t", 1), "column 'last_review_date'"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_damaged_file_is_one_clear_error_and_changes_nothing(
    kind: str, layout: Layout, tmp_path: Path
) -> None:
    damage, expected = DAMAGE[kind]
    folder = tmp_path / "knowledge"
    import_civic(LAYOUTS[layout], target=folder)
    before = _files(folder)
    damaged = tmp_path / "evidence.tsv"
    damaged.write_bytes(damage(LAYOUTS[layout].read_bytes()))
    with pytest.raises(FormatError, match=rf"^evidence.tsv .*{expected}"):
        import_civic(damaged, target=folder)
    assert _files(folder) == before
    fresh = tmp_path / "fresh"
    with pytest.raises(FormatError):
        import_civic(damaged, target=fresh)
    assert not fresh.exists()


@pytest.mark.parametrize("layout", LAYOUTS)
@given(st.data())
def test_a_file_cut_anywhere_is_refused_or_whole(layout: Layout, data: st.DataObject) -> None:
    content = LAYOUTS[layout].read_bytes()
    cut = content[: data.draw(st.integers(0, len(content) - 1))]
    try:
        rows = read_civic(cut, name="x").rows
    except FormatError:
        return
    # What is accepted ends with a row, of which at most the line end is gone.
    assert content[len(cut) :][:1] == b"\n" or cut.endswith(b"\n")
    assert rows == read_civic(content, name="x").rows[: len(rows)]


HARMLESS: dict[str, Damage] = {
    "carriage returns": lambda content: content.replace(b"\n", b"\r\n"),
    "byte order mark": lambda content: b"\xef\xbb\xbf" + content,
    "no last line end": lambda content: content.rstrip(b"\n"),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", HARMLESS)
def test_harmless_differences_are_accepted(kind: str, layout: Layout) -> None:
    content = LAYOUTS[layout].read_bytes()
    assert read_civic(HARMLESS[kind](content), name="x").rows == read_civic(content, name="x").rows


def test_quotes_in_free_text_are_text(tmp_path: Path) -> None:
    assert '""pan-negative""' in NEW.read_text(encoding="utf-8")
    assert ' "pan-negative"' in OLD.read_text(encoding="utf-8")
    for path in (NEW, OLD):
        assert _imported_after(path, tmp_path).id == "civic:EID725"


def _imported_after(path: Path, folder: Path) -> Evidence:
    import_civic(path, target=folder)
    return _imported(folder, 725)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_importing_again_changes_no_byte(layout: Layout, tmp_path: Path) -> None:
    first = import_civic(LAYOUTS[layout], target=tmp_path)
    before = _files(tmp_path)
    second = import_civic(LAYOUTS[layout], target=tmp_path)
    assert _files(tmp_path) == before
    assert first.changes.added == second.changes.confirmed == first.row_count
    assert (second.changes.added, second.changes.superseded, second.changes.kept) == (0, 0, 0)
    assert first.rows == second.rows


def test_the_order_of_imports_makes_no_difference(tmp_path: Path) -> None:
    third = tmp_path / "third.tsv"
    third.write_bytes(_edited(NEW, 964, rating="5", last_review_date="2026-06-01 00:00:00 UTC"))
    results: list[bytes] = []
    for number, order in enumerate(itertools.permutations([NEW, OLD, third])):
        folder = tmp_path / str(number)
        for path in order:
            import_civic(path, target=folder)
        results.append((folder / "civic.jsonl").read_bytes())
    assert len(set(results)) == 1


def test_a_later_file_supersedes_and_both_are_kept_in_provenance(tmp_path: Path) -> None:
    import_civic(OLD, target=tmp_path)
    account = import_civic(NEW, target=tmp_path)
    assert account.changes.superseded > 0
    assert account.changes.kept == 0
    piece = _imported(tmp_path, 441)
    assert piece.civic is not None
    assert piece.civic.molecular_profile == "EML4::ALK Fusion AND ALK G1202R"
    assert set(piece.civic.files) == {hashlib.sha256(path.read_bytes()).hexdigest() for path in (NEW, OLD)}


def test_an_older_file_does_not_supersede(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    before = load_imported(tmp_path)
    account = import_civic(OLD, target=tmp_path)
    assert account.changes.superseded == 0
    assert account.changes.kept > 0
    now = {piece.id: piece for piece in load_imported(tmp_path)}
    assert all(now[piece.id].profile == piece.profile for piece in before)


def test_evidence_the_newest_file_no_longer_tells_is_marked(tmp_path: Path) -> None:
    import_civic(OLD, target=tmp_path)
    account = import_civic(NEW, target=tmp_path)
    assert account.changes.absent == 1
    piece = _imported(tmp_path, 123)
    assert piece.civic is not None
    assert not piece.civic.is_current
    assert sum(not piece.civic.is_current for piece in load_imported(tmp_path) if piece.civic) == 1


def test_a_file_cut_between_two_rows_lacks_those_after_the_cut(tmp_path: Path) -> None:
    cut = tmp_path / "cut.tsv"
    cut.write_bytes(b"".join(NEW.read_bytes().splitlines(keepends=True)[:-3]))
    folder = tmp_path / "folder"
    assert import_civic(OLD, target=folder).changes.lacking == 0
    whole = import_civic(NEW, target=folder).changes
    assert (whole.absent, whole.lacking) == (1, 0)
    assert import_civic(cut, target=folder).changes.lacking == 3


def test_evidence_that_is_flagged_later_is_gone(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    later = tmp_path / "later.tsv"
    later.write_bytes(_edited(NEW, 964, is_flagged="true", last_review_date="2026-06-01 00:00:00 UTC"))
    import_civic(later, target=tmp_path)
    assert "civic:EID964" not in {piece.id for piece in load_imported(tmp_path)}


def test_the_account_is_written_beside_the_rows(tmp_path: Path) -> None:
    account = import_civic(NEW, target=tmp_path)
    (path,) = tmp_path.glob("civic-account-*.json")
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written == json.loads(json.dumps(account.as_json()))
    assert written["imported"] + written["merged"] + sum(written["skipped"].values()) == len(written["rows"])
    assert written["file"]["sha256"].startswith(path.stem.removeprefix("civic-account-"))


def test_a_crash_while_writing_leaves_the_rows_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_civic(OLD, target=tmp_path)
    before = (tmp_path / "civic.jsonl").read_bytes()

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="No space left"):
        import_civic(NEW, target=tmp_path)
    assert (tmp_path / "civic.jsonl").read_bytes() == before
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]


FOLDER_DAMAGE: dict[str, Damage] = {
    "cut": lambda content: content[:-50],
    "empty": lambda _: b"",
    "no header": lambda _: b"{}\n",
    "a row too many": lambda content: content + b"[]\n",
}


@pytest.mark.parametrize("kind", FOLDER_DAMAGE)
def test_a_damaged_folder_is_an_error(kind: str, tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    path = tmp_path / "civic.jsonl"
    path.write_bytes(FOLDER_DAMAGE[kind](path.read_bytes()))
    with pytest.raises(FormatError, match="remove the file and import again"):
        load_imported(tmp_path)
    with pytest.raises(FormatError):
        import_civic(OLD, target=tmp_path)


def test_a_file_that_is_not_there_and_a_folder_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        import_civic(tmp_path / "none.tsv", target=tmp_path)
    (tmp_path / "taken").write_text("x", encoding="utf-8")
    with pytest.raises(InputError):
        import_civic(NEW, target=tmp_path / "taken")


def test_imported_evidence_stands_beside_the_own_without_clash(tmp_path: Path) -> None:
    import_civic(NEW, target=tmp_path)
    ids = [piece.id for piece in (*evidence_from_trials(), *load_imported(tmp_path))]
    assert len(ids) == len(set(ids))


SHARED = {
    "evidence_2026-05.tsv": (Layout.PROFILES, 4854),
    "evidence_2021-02_old_layout.tsv": (Layout.VARIANTS, 3706),
}


@pytest.mark.shared
@pytest.mark.parametrize("name", SHARED)
def test_real_files_import_with_a_full_account(name: str, shared_data: Path, tmp_path: Path) -> None:
    layout, rows = SHARED[name]
    account = import_civic(shared_data / "civic" / name, target=tmp_path)
    assert account.file.layout is layout
    assert account.row_count == account.file.row_count == rows
    assert account.imported > 900
    assert account.mapped > account.imported / 2
    assert SkipReason.PROFILE_NOT_EXPRESSIBLE not in account.skipped
    assert SkipReason.NO_CITATION not in account.skipped
    assert all(piece.sources for piece in load_imported(tmp_path))


@pytest.mark.shared
def test_real_files_agree_where_both_tell(shared_data: Path, tmp_path: Path) -> None:
    """The variant of 2021 and the profile of 2026 of one evidence id mean the same, almost always."""
    found: list[dict[int, Evidence]] = []
    for name in SHARED:
        import_civic(shared_data / "civic" / name, target=tmp_path / name)
        found.append(
            {piece.civic.evidence_ids[0]: piece for piece in load_imported(tmp_path / name) if piece.civic}
        )
    both = found[0].keys() & found[1].keys()
    mapped = [number for number in both if all(held[number].profile.is_mapped for held in found)]
    same = [number for number in mapped if found[0][number].profile == found[1][number].profile]
    assert len(both) > 800
    assert len(same) / len(mapped) > 0.95
