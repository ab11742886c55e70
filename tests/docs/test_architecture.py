"""ARCHITECTURE.md is true to the tree: every module is named where it belongs, every path exists."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "oncoproof"
DATA = SOURCE / "knowledge" / "data"
TEXT = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

FOLDERS = sorted(path.parent for path in SOURCE.rglob("__init__.py"))
HEADING = re.compile(r"^#{2,3} (.*)$", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
TREE = re.compile(r"^```\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _sections() -> dict[str, str]:
    """What stands below each heading; the words before the first are named by the empty text."""
    parts = HEADING.split(TEXT)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _section_of(folder: Path) -> str:
    """The part of the page that tells of a package."""
    name = f"{folder.relative_to(SOURCE)}/"
    if folder == SOURCE:
        return _sections()[""]
    return next((text for heading, text in _sections().items() if heading.startswith(f"{name}:")), "")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SOURCE.parent)))
def test_every_module_is_named_where_its_package_is(folder: Path) -> None:
    section = _section_of(folder)
    assert section, "a package has a heading of its own, `## NAME/: what it holds`"
    missing = [
        path.name
        for path in sorted(folder.glob("*.py"))
        if path.name != "__init__.py" and not re.search(rf"(?<![\w/]){re.escape(path.name)}", section)
    ]
    assert not missing, "say what it holds"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(SOURCE.parent)))
def test_every_module_named_in_a_table_exists(folder: Path) -> None:
    cells = re.findall(r"^\| (`\w+\.py`(?:, `\w+\.py`)*) \|", _section_of(folder), re.MULTILINE)
    named = [name for cell in cells for name in SPAN.findall(cell)]
    assert not [name for name in named if not (folder / name).exists()]


def _paths() -> Iterator[str]:
    """Whatever the page writes as code and that reads as a path of a file or folder."""
    for span in SPAN.findall(TREE.sub("", TEXT)):
        if re.fullmatch(r"[\w./-]+/|[\w./-]+\.(py|toml|csv|json|md|txt)", span):
            yield span
    for line in "".join(TREE.findall(TEXT)).splitlines():
        yield line.split()[0]


def test_every_path_exists() -> None:
    places = [ROOT, SOURCE, DATA, *FOLDERS]
    assert not [path for path in _paths() if not any((place / path).exists() for place in places)]


def test_no_placeholder_remains() -> None:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "*.md"],  # noqa: S607  git from the PATH
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    pages = [ROOT / name for name in listing.split("\0") if name]
    assert not [page.name for page in pages if page.exists() and "@@" in page.read_text(encoding="utf-8")]
