"""Every command and every line of Python shown in the documents runs and prints what the document shows.

In a `console` block each line that begins with `$ ./run oncoproof` is executed in a fresh folder that
the blocks of one page share; the lines below it must appear in its output in that order, where a line
`…` stands for any number of lines and `…` inside a line for any characters. A block whose command is
not of the program (`./run pytest`, `git …`) is read, not run. A block below the words "Save as `NAME`:"
is saved in that folder under that name before the page begins.

The `python` blocks of a page run as one session.
"""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from oncoproof.app.command import run

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
SAVED = re.compile(r"[Ss]ave as\s`([^`]+)`:\n\n```\w+\n(.*?)```", re.DOTALL)
SESSION = re.compile(r"```python\n(.*?)```", re.DOTALL)


def _pages_with(words: str) -> list[Path]:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return sorted(
        page for page in pages if "_build" not in page.parts and words in page.read_text(encoding="utf-8")
    )


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


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


@pytest.mark.parametrize("page", _pages_with("```python\n>>> "), ids=_name)
def test_python_blocks(page: Path) -> None:
    text = "\n".join(SESSION.findall(page.read_text(encoding="utf-8")))
    session = doctest.DocTestParser().get_doctest(text, {}, _name(page), str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", _pages_with("$ ./run oncoproof"), ids=_name)
def test_console_blocks(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    if (ROOT.parent / "shared").is_dir():
        (tmp_path / "shared").symlink_to(ROOT.parent / "shared")
    text = page.read_text(encoding="utf-8")
    for name, saved in SAVED.findall(text):
        (tmp_path / name).write_text(saved, encoding="utf-8")
    for block in BLOCK.findall(text):
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
