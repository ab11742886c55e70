"""`oncoproof journey`, used as a person would."""

import io
import json
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from oncoproof.app.command import run
from oncoproof.journey import from_json

DISEASES = ["nsclc", "crc", "breast", "melanoma", "ovarian", "prostate"]


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    """A demonstration in the project's own format."""
    file = tmp_path / "demo.json"
    assert run(["journey", "demo", "--seed", "3", "--format", "json", "-o", str(file)]) == 0
    return file


@pytest.mark.parametrize("disease", DISEASES)
def test_demo_tells_a_story(disease: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journey", "demo", "--disease", disease, "--seed", "1"]) == 0
    told = capsys.readouterr().out
    for kind in ("diagnosis", "biomarker", "treatment", "imaging", "decision", "truth"):
        assert kind in told


def test_the_same_seed_tells_the_same_story_and_another_seed_another(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    told: list[bytes] = []
    for seed in ("5", "5", "6"):
        run(["journey", "demo", "--seed", seed, "--format", "json"])
        told.append(capfdbinary.readouterr().out)
    assert told[0] == told[1] != told[2]


@pytest.mark.parametrize("to", ["fhir", "phenopacket", "parquet", "json"])
def test_convert_and_check(demo: Path, tmp_path: Path, to: str) -> None:
    file = tmp_path / f"out.{to}"
    assert run(["journey", "convert", str(demo), "--to", to, "-o", str(file)]) == 0
    assert run(["journey", "check", str(file)]) in {0, 1}
    assert not list(tmp_path.glob("*.partial"))


def test_own_formats_keep_everything(demo: Path, tmp_path: Path) -> None:
    parquet, back = tmp_path / "x.parquet", tmp_path / "back.json"
    run(["journey", "convert", str(demo), "--to", "parquet", "-o", str(parquet)])
    run(["journey", "convert", str(parquet), "--to", "json", "-o", str(back)])
    assert back.read_bytes() == demo.read_bytes()


@pytest.mark.parametrize("told_as", ["fhir", "phenopacket"])
def test_public_formats_tell_no_truth(
    demo: Path, told_as: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    journey = from_json(demo.read_bytes())
    hidden = [event.id for event in journey if event.recorded is None]
    assert hidden
    run(["journey", "convert", str(demo), "--to", told_as])
    written = capfdbinary.readouterr().out.decode()
    assert not [event_id for event_id in hidden if f'"{event_id}"' in written]


def test_as_of_cuts_what_is_told(demo: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    run(["journey", "show", str(demo), "--as-of", "30", "--json"])
    told = from_json(capfdbinary.readouterr().out)
    assert 0 < len(told) < len(from_json(demo.read_bytes()))
    assert all(event.recorded is not None and event.recorded <= 30 for event in told)


def test_check_as_json_counts(demo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journey", "check", str(demo), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["format"] == "json"
    assert report["events"] == len(from_json(demo.read_bytes()))
    assert report["not_understood"] == []


def test_picture_is_a_wellformed_svg_that_shows_every_event(demo: Path, tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    assert run(["journey", "show", str(demo), "--plot", str(picture)]) == 0
    root = ET.parse(picture).getroot()  # noqa: S314  written by the program itself
    marks = root.findall(".//{http://www.w3.org/2000/svg}circle")
    assert len(marks) == len(from_json(demo.read_bytes()))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00\xff",
        b"{}",
        b"[1]",
        b"<html></html>",
        b'{"resourceType": "Patient"',
        b"PAR1junk",
        b'{"format": "oncoproof.journey/9"}',
    ],
)
def test_a_useless_file_is_an_input_error(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x"
    file.write_bytes(content)
    assert run(["journey", "show", str(file)]) == 3
    assert "try:" in capsys.readouterr().err


def test_output_that_cannot_be_written_is_an_input_error(tmp_path: Path) -> None:
    assert run(["journey", "demo", "--format", "json", "-o", str(tmp_path / "no" / "such" / "folder")]) == 3


@pytest.mark.parametrize(
    "words", [["show", "-"], ["check", "-"], ["convert", "-", "--to", "json"], ["show", "--json", "-"]]
)
def test_a_hyphen_reads_standard_input(
    words: list[str], demo: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(demo.read_bytes())))
    assert run(["journey", *words]) == 0
    assert capfdbinary.readouterr().out


def test_an_unknown_option_is_not_taken_for_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journey", "show", "--bogus"]) == 2
    assert "--bogus" in capsys.readouterr().err


def test_a_table_does_not_pretend_to_be_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "demo.txt"
    assert run(["journey", "demo", "--output", str(file)]) == 3
    captured = capsys.readouterr()
    assert "--format" in captured.err
    assert captured.out == ""
    assert not file.exists()
