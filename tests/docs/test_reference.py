"""The generated reference says what the code says, and every page is reachable."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@pytest.fixture(scope="module")
def writer() -> ModuleType:
    """The script that writes the reference."""
    spec = importlib.util.spec_from_file_location("write_reference", DOCS / "write_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_committed_pages_are_what_the_code_says(writer: ModuleType) -> None:
    pages: dict[str, str] = writer.pages()
    stale = [
        name
        for name, text in pages.items()
        if (DOCS / "reference" / name).read_text(encoding="utf-8") != text
    ]
    assert not stale, "write them anew: ./run python docs/write_reference.py"


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
