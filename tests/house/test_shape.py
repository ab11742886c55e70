"""Rules of the house that no linter knows: sizes, names, docstrings, dead files."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "oncoproof"
FILES = sorted(SOURCE.rglob("*.py"))

FILE_LINES_MAX = 500
FUNCTION_LINES_MAX = 60
FUNCTION_LINES_MEDIAN_MAX = 9
VAGUE_NAMES = {"utils", "util", "helpers", "helper", "misc", "common", "base", "core", "manager", "tools"}

STARTED_BY_PEOPLE = {"oncoproof.journey.json_schema"}
"""Modules that nothing need import: ARCHITECTURE.md says `python -m NAME`."""

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def _name(path: Path) -> str:
    return str(path.relative_to(SOURCE))


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _functions(path: Path) -> Iterator[FunctionNode]:
    for node in ast.walk(_tree(path)):
        if isinstance(node, FunctionNode):
            yield node


def _length(function: FunctionNode) -> int:
    """Lines of a function without its docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_file_is_short(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= FILE_LINES_MAX, f"{_name(path)} has {lines} lines: split it by noun"


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_functions_are_short(path: Path) -> None:
    long = {node.name: _length(node) for node in _functions(path) if _length(node) > FUNCTION_LINES_MAX}
    assert not long, f"split these: {long}"


def test_median_function_is_short() -> None:
    lengths = [_length(node) for path in FILES for node in _functions(path)]
    assert statistics.median(lengths) <= FUNCTION_LINES_MEDIAN_MAX


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_name_says_something(path: Path) -> None:
    parts = {part.removesuffix(".py") for part in path.relative_to(SOURCE).parts}
    assert not parts & VAGUE_NAMES


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_module_states_its_rules(path: Path) -> None:
    words = ast.get_docstring(_tree(path)) or ""
    assert words, "a module begins with the rules it guarantees"
    if path.name not in {"__init__.py", "__main__.py"}:
        assert ">>>" in words or "$ " in words, "a module docstring carries one worked example"


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_fields_are_documented(path: Path) -> None:
    """Each public field of a public data class or enum has a line of its own, right below it."""
    missing: list[str] = []
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and _has_fields(node):
            missing += [f"{node.name}.{field}" for field in _undocumented_fields(node)]
    assert not missing


def _has_fields(node: ast.ClassDef) -> bool:
    words = " ".join(ast.unparse(part) for part in [*node.decorator_list, *node.bases])
    return bool(re.search(r"\bdataclass\b|Enum\b|NamedTuple\b|Flag\b", words))


def _undocumented_fields(node: ast.ClassDef) -> Iterator[str]:
    followers = [*node.body[1:], None]
    for statement, follower in zip(node.body, followers, strict=True):
        target = None
        if isinstance(statement, ast.AnnAssign):
            target = statement.target
        elif isinstance(statement, ast.Assign):
            target = statement.targets[0]
        if isinstance(target, ast.Name) and not target.id.startswith("_") and not _is_words(follower):
            yield target.id


def _is_words(statement: ast.stmt | None) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def test_no_file_is_dead() -> None:
    """Each module is imported by another one, is a door, or is started from outside."""
    names = {
        path: ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for path in FILES
        if path.name not in {"__init__.py", "__main__.py"}
    }
    used = set(re.findall(r"oncoproof[\w.]*", (ROOT / "pyproject.toml").read_text(encoding="utf-8")))
    for path in FILES:
        used |= _imports(path) - {names.get(path)}
    dead = sorted(set(names.values()) - used - STARTED_BY_PEOPLE)
    assert not dead


def _imports(path: Path) -> set[str]:
    """Whatever a file imports, or hands to the command line to import later, as dotted names."""
    found: set[str] = set()
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(node.value.partition(":")[0])
    return found


def test_every_door_states_what_it_opens() -> None:
    """A package's `__init__` lists its public names in `__all__` (ruff sorts them); each of them exists."""
    for path in SOURCE.glob("*/**/__init__.py"):
        package = ".".join(path.parent.relative_to(SOURCE.parent).parts)
        if package == "oncoproof.app":
            continue
        module = __import__(package, fromlist=["__all__"])
        names = list(module.__all__)
        assert names, package
        assert not [name for name in names if not hasattr(module, name)], package


def test_public_names_are_documented() -> None:
    undocumented: list[str] = []
    for path in FILES:
        for node in _tree(path).body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            if not node.name.startswith("_") and ast.get_docstring(node) is None:
                undocumented.append(f"{_name(path)}: {node.name}")
    assert not undocumented


def _tracked_text_files() -> list[Path]:
    listing = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],  # noqa: S607  git from the PATH
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = [ROOT / name for name in listing.split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in {".png", ".parquet", ".gz"}]


def test_no_download_address_and_no_path_of_a_machine() -> None:
    """Names and versions only: nothing committed points at a registry or at somebody's disk."""
    address = re.compile(r"https?://[^ \n]*(/simple/|/packages/.*\.(whl|gz)|\.whl|/-/[^ \n]*\.tgz)")
    own_disk = re.compile(r"(^|[^A-Za-z0-9.])" + re.escape(str(ROOT.parent)) + "/")
    found = [
        str(path.relative_to(ROOT))
        for path in _tracked_text_files()
        for text in [path.read_text(encoding="utf-8", errors="replace")]
        if address.search(text) or (len(ROOT.parent.parts) > 1 and own_disk.search(text))
    ]
    assert not found


def test_every_lint_ignore_has_a_reason() -> None:
    bare: list[str] = []
    marker = re.compile(
        r"#\s*(noqa(:\s*[A-Z]+[0-9]+(,\s*[A-Z]+[0-9]+)*)?|pyright: ignore(\[[\w, ]+\])?|type: ignore\S*)\s*$"
    )
    for folder in ("src", "tests", "benchmarks", "docs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                if marker.search(line):
                    bare.append(f"{path.relative_to(ROOT)}:{number}")
    assert not bare, "say why, two spaces after the rule's name"
