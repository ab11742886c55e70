"""The light install works without anything from the development install, and starts without heavy parts."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

HEAVY = [
    "jax",
    "pandas",
    "polars",
    "fastapi",
    "pyarrow",
    "numpy",
    "networkx",
    "matplotlib",
    "sphinx",
    "pytest",
]
DEVELOPMENT_ONLY = ["pytest", "hypothesis", "fhir", "phenopackets", "sphinx", "pydantic"]


def _light(*words: str) -> subprocess.CompletedProcess[str]:
    """A command of the light install, made first where this is the first time."""
    done = subprocess.run(
        [str(ROOT / "run"), *words], cwd=ROOT, check=False, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def light_python() -> Path:
    """The interpreter of the light install."""
    _light("oncoproof", "--version")
    return ROOT / ".venv-light" / "bin" / "python"


def _run_python(python: Path, program: str) -> str:
    return subprocess.run(
        [str(python), "-c", program], check=True, capture_output=True, text=True, timeout=120
    ).stdout


@pytest.mark.xdist_group("light")
def test_development_parts_are_absent(light_python: Path) -> None:
    program = f"import importlib.util as u; print([n for n in {DEVELOPMENT_ONLY} if u.find_spec(n)])"
    assert _run_python(light_python, program).strip() == "[]"


@pytest.mark.xdist_group("light")
def test_help_imports_nothing_heavy(light_python: Path) -> None:
    program = (
        "import sys, io, contextlib\n"
        "from oncoproof.app.command import run\n"
        "with contextlib.redirect_stdout(io.StringIO()):\n"
        "    code = run(['--help'])\n"
        f"print(code, [n for n in {HEAVY} if n in sys.modules])"
    )
    assert _run_python(light_python, program).strip() == "0 []"


@pytest.mark.xdist_group("light")
def test_every_module_imports(light_python: Path) -> None:
    program = (
        "import importlib, pkgutil, oncoproof\n"
        "names = [m.name for m in pkgutil.walk_packages(oncoproof.__path__, 'oncoproof.')]\n"
        "[importlib.import_module(n) for n in names if not n.endswith('__main__')]\n"
        "print(len(names) > 40)"
    )
    assert _run_python(light_python, program).strip() == "True"


@pytest.mark.xdist_group("light")
def test_main_paths_of_the_program() -> None:
    report = json.loads(_light("oncoproof", "knowledge", "check", "--json").stdout)
    assert report["problems"] == []
    bundle = json.loads(_light("oncoproof", "journey", "demo", "--format", "fhir").stdout)
    assert bundle["resourceType"] == "Bundle"
