"""Every command shown in the documents runs and prints what the document shows.

In a `console` block each line that begins with `$ ./run oncoproof` is executed in a fresh folder that
the blocks of one page share; the lines below it must appear in its output in that order, where a line
`…` stands for any number of lines and `…` inside a line for any characters. A block whose command is
not of the program (`./run pytest`, `git …`) is read, not run.
"""

import re
import shlex
from pathlib import Path

import pytest

from oncoproof.app.command import run

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    if "_build" not in page.parts and "$ ./run oncoproof" in page.read_text(encoding="utf-8")
)
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def _calls(block: str) -> list[tuple[str, list[str]]]:
    """Each command of a block with the output lines shown below it."""
    calls: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            calls.append((line[2:], []))
        elif calls:
            calls[-1][1].append(line)
    return calls


def _pattern(line: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part.rstrip()) for part in line.split("…")) + r"\s*")


def _require_shown(shown: list[str], printed: str, command: str) -> None:
    lines = iter(printed.splitlines())
    for line in shown:
        if line.strip() in {"", "…"}:
            continue
        pattern = _pattern(line)
        assert any(pattern.fullmatch(candidate) for candidate in lines), f"{command}: did not print {line!r}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_console_blocks(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    if (ROOT.parent / "shared").is_dir():
        (tmp_path / "shared").symlink_to(ROOT.parent / "shared")
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for command, shown in _calls(block):
            if not command.startswith("./run oncoproof"):
                continue
            words = shlex.split(command.removeprefix("./run oncoproof"), comments=True)
            if any(word.startswith("shared/") for word in words) and not (tmp_path / "shared").is_dir():
                pytest.skip("the page uses reference data that are absent")
            code = run(words)
            printed = capfd.readouterr()
            assert code in {0, 1}, f"{command}: {printed.err}"
            _require_shown(shown, printed.out + printed.err, command)
