"""The command line's start: help, exit codes, errors for people and machines."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from oncoproof import __version__
from oncoproof.app.command import run


def test_help_names_every_group(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--help"]) == 0
    text = capsys.readouterr().out
    assert "journey" in text
    assert "knowledge" in text
    assert "not a medical device" in text


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == __version__


@pytest.mark.parametrize(
    "words",
    [["knowledg"], ["knowledge", "show"], ["journey", "demo", "--seed", "x"], ["journey", "demo", "--nope"]],
)
def test_a_wrong_call_ends_with_2_and_says_what_to_try(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "--help" in captured.err


def test_an_input_error_shows_its_parts(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journey", "show", "no-such-file.json"]) == 3
    error = capsys.readouterr().err
    for words in ("no-such-file.json", "came:", "expected:", "try:"):
        assert words in error


def test_an_input_error_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["journey", "show", "no-such-file.json", "--json"]) == 3
    captured = capsys.readouterr()
    document = json.loads(captured.err)
    assert document["error"] == "InputError"
    assert document["where"] == "no-such-file.json"
    assert captured.out == ""


def test_no_traceback_when_the_reader_leaves() -> None:
    program = [sys.executable, "-m", "oncoproof", "knowledge", "search", "a"]
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 0


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("FORCE_COLOR", "1")
    done = subprocess.run(
        [sys.executable, "-m", "oncoproof", "journey", "show", "none.json"], check=False, capture_output=True
    )
    assert b"\x1b[3" not in done.stderr


def test_completion_script_completes_a_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert run(["--install-completion", "--shell", "bash"]) == 0
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert any("knowledge" in path.read_text(encoding="utf-8") for path in written)
