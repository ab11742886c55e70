"""`./run` makes an environment once, is silent afterwards, and makes it again when the lock changes."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

_PROJECT = """
[build-system]
requires = ["flit_core"]
build-backend = "flit_core.buildapi"
[project]
name = "oncoproof"
version = "0"
description = "a stand-in"
[project.scripts]
oncoproof = "oncoproof:main"
"""

_PACKAGE = '''
"""A stand-in."""
import sys
def main():
    print("ran with", *sys.argv[1:])
    sys.exit(7 if "fail" in sys.argv else 0)
'''


def _pin_of(name: str) -> str:
    """The lines of one package in the light lock."""
    lock = (ROOT / "requirements" / "light.txt").read_text(encoding="utf-8")
    found = re.search(rf"^{name}==[^\n]*\n(?: +--hash[^\n]*\n)+", lock, re.MULTILINE)
    assert found is not None
    return found[0]


@pytest.fixture(scope="module", params=["pip", "uv"])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a space in its name and the smallest lock there can be; with uv and without."""
    root = tmp_path_factory.mktemp(f"a project by {request.param}")
    shutil.copy(ROOT / "run", root / "run")
    (root / "requirements").mkdir()
    (root / "requirements" / "light.txt").write_text(_pin_of("flit-core"), encoding="utf-8")
    (root / "pyproject.toml").write_text(_PROJECT, encoding="utf-8")
    (root / "src" / "oncoproof").mkdir(parents=True)
    (root / "src" / "oncoproof" / "__init__.py").write_text(_PACKAGE, encoding="utf-8")
    return root


def _call(
    project: Path, *words: str, cwd: Path | None = None, uses_uv: bool | None = None
) -> subprocess.CompletedProcess[str]:
    """Call the project's run script; `uses_uv` None = as the project was first made."""
    environment = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    environment["PYTHON"] = sys.executable
    if uses_uv is False or (uses_uv is None and "by pip" in str(project)):
        folders = environment["PATH"].split(os.pathsep)
        environment["PATH"] = os.pathsep.join(name for name in folders if not (Path(name) / "uv").exists())
    return subprocess.run(
        [str(project / "run"), *words],
        cwd=cwd or project,
        env=environment,
        check=False,
        capture_output=True,
        text=True,
    )


@pytest.mark.xdist_group("run")
def test_first_call_makes_the_environment_and_later_calls_are_silent(project: Path, tmp_path: Path) -> None:
    first = _call(project, "oncoproof", "a", "b c")
    assert (first.returncode, first.stdout) == (0, "ran with a b c\n"), first.stderr
    assert "making .venv-light" in first.stderr
    later = _call(project, "oncoproof", cwd=tmp_path)
    assert (later.returncode, later.stdout, later.stderr) == (0, "ran with\n", "")
    assert _call(project, "oncoproof", "fail").returncode == 7


@pytest.mark.xdist_group("run")
def test_a_changed_lock_remakes_the_environment(project: Path) -> None:
    _call(project, "oncoproof")
    leftover = project / ".venv-light" / "leftover"
    leftover.touch()
    lock = project / "requirements" / "light.txt"
    lock.write_text(lock.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
    again = _call(project, "oncoproof")
    assert again.returncode == 0, again.stderr
    assert "making .venv-light" in again.stderr
    assert not leftover.exists()


@pytest.mark.xdist_group("run")
def test_a_changed_project_is_installed_again_whatever_made_the_environment(project: Path) -> None:
    """An environment made with uv serves a shell that has none, and the other way round."""
    _call(project, "oncoproof")
    settings = project / "pyproject.toml"
    for uses_uv in (False, True):
        settings.write_text(settings.read_text(encoding="utf-8") + "# changed\n", encoding="utf-8")
        again = _call(project, "oncoproof", uses_uv=uses_uv)
        assert (again.returncode, again.stdout) == (0, "ran with\n"), again.stderr


@pytest.mark.xdist_group("run")
def test_a_tampered_package_is_refused_and_leaves_no_environment_in_use(project: Path) -> None:
    lock = project / "requirements" / "light.txt"
    right = lock.read_text(encoding="utf-8")
    lock.write_text(re.sub(r"sha256:[0-9a-f]{64}", "sha256:" + "0" * 64, right), encoding="utf-8")
    refused = _call(project, "oncoproof")
    assert refused.returncode != 0
    assert "hash" in refused.stderr.lower()
    assert refused.stdout == ""
    lock.write_text(right, encoding="utf-8")
    assert _call(project, "oncoproof").returncode == 0


def test_no_command_is_an_error_that_says_what_to_try() -> None:
    answer = _call(ROOT)
    assert answer.returncode == 4
    assert "./run oncoproof --help" in answer.stderr


def test_locks_hold_hashes_and_no_addresses() -> None:
    for name in ("light", "development"):
        lock = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
        assert "://" not in lock
        pins = re.findall(r"^[a-z0-9]", lock, re.MULTILINE)
        assert len(pins) == len(re.findall(r"^\S+==\S+.*\\\n +--hash=sha256:", lock, re.MULTILINE))


def test_locks_hold_what_is_declared() -> None:
    """What pyproject.toml promises to need is what the light install locks."""
    declared = re.findall(
        r'^    "([a-z]\w*) >=', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE
    )
    asked = re.findall(
        r"^(\w+)", (ROOT / "requirements" / "light.in").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert sorted(declared) == sorted(set(asked) - {"flit_core"})
