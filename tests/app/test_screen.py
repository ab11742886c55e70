"""What commands print: bars for who looks, whole lines for a pipe, errors for people and machines."""

import contextlib
import json
import os
import pty
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from oncoproof.app.command import main, run
from oncoproof.app.screen import print_fault

PATIENT = {"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]}


def _with_a_screen_for_errors(*words: str) -> tuple[bytes, str]:
    """Standard output into a pipe, and what a terminal on standard error was sent."""
    ours, theirs = pty.openpty()
    program = [sys.executable, "-m", "oncoproof", *words]
    environment = {**os.environ, "TERM": "xterm"}
    with (
        ThreadPoolExecutor() as readers,
        subprocess.Popen(program, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process,
    ):
        os.close(theirs)
        assert process.stdout is not None
        seen = readers.submit(_drain, ours)
        output = process.stdout.read()
        return output, seen.result().decode()


def _drain(screen: int) -> bytes:
    """All that comes until the other end is closed, which Linux reports as an error."""
    seen = b""
    with contextlib.suppress(OSError):
        while some := os.read(screen, 65536):
            seen += some
    os.close(screen)
    return seen


def test_a_long_command_shows_that_it_works_and_keeps_its_result_clean(tmp_path: Path) -> None:
    file = tmp_path / "patients.json"
    file.write_text(json.dumps([PATIENT] * 3), encoding="utf-8")
    output, seen = _with_a_screen_for_errors("knowledge", "validate", str(file), "--json")
    assert len(json.loads(output)) == 3
    assert "checking" in seen
    assert "explaining" in seen


def test_a_question_shows_that_it_is_being_asked() -> None:
    output, seen = _with_a_screen_for_errors("knowledge", "show", "osimertinib", "--json")
    assert json.loads(output)["id"] == "drug:osimertinib"
    assert "asking the base" in seen


def test_an_error_in_a_pipe_is_not_folded(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / ("a long name " * 12)
    assert run(["journey", "show", str(missing)]) == 3
    assert str(missing) in capfd.readouterr().err


def test_a_fault_says_whose_it_is(capfd: pytest.CaptureFixture[str]) -> None:
    print_fault(ValueError("odd"), as_json=False)
    error = capfd.readouterr().err
    assert "ValueError: odd" in error
    assert "the program is at fault" in error


def test_a_fault_as_json_ends_with_70(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fail(_words: object) -> int:
        message = "odd"
        raise ValueError(message)

    monkeypatch.setattr("oncoproof.app.command.run", fail)
    monkeypatch.setattr(sys, "argv", ["oncoproof", "knowledge", "check", "--json"])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 70
    assert json.loads(capfd.readouterr().err)["came"] == "ValueError: odd"
