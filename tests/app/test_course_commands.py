"""`oncoproof simulate journey`, used as a person would."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from oncoproof.app.command import run
from oncoproof.journey import from_json, phenopacket

CALL = ["simulate", "journey", "--seed", "3"]
SHORT = [*CALL, "--weeks", "60"]


def test_it_tells_the_course_and_draws_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "out.svg"
    assert run([*SHORT, "--plot", str(picture)]) == 0
    told = capsys.readouterr().out
    for word in ("cell lung cancer", "diagnosis", "decision", "treatment", "truth"):
        assert word in told
    assert ET.parse(picture).getroot().tag.endswith("svg")  # noqa: S314  our own file


def test_every_format_holds_the_same_patient(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    file = tmp_path / "journey.json"
    assert run([*SHORT, "--format", "json", "-o", str(file)]) == 0
    journey = from_json(file.read_bytes())
    assert journey.patient.id == "simulated-nsclc-3"
    assert run([*SHORT, "--format", "fhir"]) == 0
    assert json.loads(capfdbinary.readouterr().out)["resourceType"] == "Bundle"
    assert run([*SHORT, "--format", "phenopacket"]) == 0
    phenopacket.check(capfdbinary.readouterr().out)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--output", "table.txt"], "a file for a table"),
        (["--guideline", "astrology"], "astrology"),
        (["--weeks", "0"], "0 weeks"),
        (["--disease", "gout"], "gout"),
    ],
)
def test_what_cannot_be_is_refused(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*CALL, *words]) != 0
    assert complaint in capsys.readouterr().err
