"""The generated pages and pictures say what the code says, and every link leads somewhere."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from oncoproof.app.command import run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
RULES = ROOT / "src" / "oncoproof" / "knowledge" / "data" / "safety_rules"


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    """The script that writes the reference."""
    spec = importlib.util.spec_from_file_location("write_reference", DOCS / "write_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(writer: ModuleType) -> dict[str, str]:
    """What the script would write, by path below `docs/reference`."""
    return writer.pages()


def test_committed_pages_are_what_the_code_says(made: dict[str, str]) -> None:
    stale = [name for name, text in made.items() if _committed(name) != text]
    assert not stale, "write them anew: ./run python docs/write_reference.py"


def _committed(name: str) -> str | None:
    """A page as it stands; None = it is missing."""
    page = DOCS / "reference" / name
    return page.read_text(encoding="utf-8") if page.exists() else None


def test_no_generated_page_is_left_behind(made: dict[str, str]) -> None:
    """A door or a page that is gone leaves no file."""
    written = {
        page.name
        for page in (DOCS / "reference").glob("*.md")
        if "write_reference.py`; do not edit" in page.read_text(encoding="utf-8").partition("\n")[0]
    }
    assert written == set(made), "remove what nothing writes"


def test_every_command_is_described(made: dict[str, str]) -> None:
    for command in ("journey demo", "journey convert", "knowledge compatible", "knowledge import civic"):
        assert f" oncoproof {command}\n" in made["commands.md"]


def test_the_picture_is_what_the_command_draws(tmp_path: Path) -> None:
    words = "journey demo --disease nsclc --seed 3 --format svg -o"
    drawn = tmp_path / "journey.svg"
    assert run([*words.split(), str(drawn)]) == 0
    remedy = f"draw it anew: ./run oncoproof {words} docs/pictures/journey.svg"
    assert (DOCS / "pictures" / "journey.svg").read_bytes() == drawn.read_bytes(), remedy


def test_the_rule_shown_is_the_rule() -> None:
    """A rule in a how-to page stands in the base word for word."""
    rules = "".join(path.read_text(encoding="utf-8") for path in sorted(RULES.glob("*.toml")))
    page = (DOCS / "how-to" / "add-a-rule.md").read_text(encoding="utf-8")
    shown = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert shown
    assert all(rule in rules for rule in shown)


def test_every_decision_says_what_is_bad_about_it() -> None:
    for page in (DOCS / "decisions").glob("0*.md"):
        text = page.read_text(encoding="utf-8")
        for heading in ("## Options", "## Decision", "## What is bad about it"):
            assert heading in text, f"{page.name} lacks {heading!r}"


def test_links_between_documents_lead_somewhere() -> None:
    broken = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
        if "_build" not in page.parts
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert not broken
