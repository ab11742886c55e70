"""`./run` makes an environment once, is silent afterwards, and makes it again when it no longer fits."""

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


@pytest.mark.xdist_group("run")
def test_a_failure_removes_nothing_that_is_not_its_own(project: Path, tmp_path: Path) -> None:
    """Whatever the command is called, files beside the caller stay, and the next call need not wait."""
    (project / "requirements" / "development.txt").write_text("no-such-package==1 --hash=sha256:" + "0" * 64)
    own = tmp_path / "poetry.lock"
    own.write_text("precious", encoding="utf-8")
    assert _call(project, "poetry", cwd=tmp_path).returncode != 0
    assert own.read_text(encoding="utf-8") == "precious"
    assert not list(project.glob(".venv*.making"))


@pytest.mark.xdist_group("run")
def test_a_link_to_it_serves_the_project_it_leads_to(project: Path, tmp_path: Path) -> None:
    (tmp_path / "near").symlink_to(project / "run")
    (tmp_path / "far").symlink_to("near")
    answer = subprocess.run([str(tmp_path / "far"), "oncoproof", "a"], check=False, capture_output=True)
    assert (answer.returncode, answer.stdout) == (0, b"ran with a\n"), answer.stderr
    assert not (tmp_path / ".venv-light").exists()


@pytest.mark.xdist_group("run")
def test_a_project_that_moved_gets_an_environment_of_its_new_place(project: Path, tmp_path: Path) -> None:
    _call(project, "oncoproof")
    moved = tmp_path / f"moved from {project.name}"
    shutil.copytree(project, moved, symlinks=True)
    program = moved / "src" / "oncoproof" / "__init__.py"
    program.write_text(_PACKAGE.replace("ran with", "ran there with"), encoding="utf-8")
    answer = _call(moved, "oncoproof", "a")
    assert (answer.returncode, answer.stdout) == (0, "ran there with a\n"), answer.stderr


@pytest.mark.xdist_group("run")
def test_an_environment_whose_python_is_gone_is_made_again(project: Path) -> None:
    _call(project, "oncoproof")
    (project / ".venv-light" / "bin" / "python").unlink()
    answer = _call(project, "oncoproof", "a")
    assert (answer.returncode, answer.stdout) == (0, "ran with a\n"), answer.stderr


@pytest.mark.xdist_group("run")
def test_a_maker_that_died_is_not_waited_for(project: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    (project / ".venv-light.making").symlink_to(str(gone.pid))
    (project / ".venv-light" / "made-from.lock").unlink(missing_ok=True)
    answer = _call(project, "oncoproof", "a")
    assert (answer.returncode, answer.stdout) == (0, "ran with a\n"), answer.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator can write anywhere")
def test_a_folder_that_cannot_be_written_to_is_an_error(project: Path, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign"
    shutil.copytree(project, foreign, symlinks=True, ignore=shutil.ignore_patterns(".venv*"))
    foreign.chmod(0o555)
    answer = _call(foreign, "oncoproof")
    foreign.chmod(0o755)
    assert answer.returncode == 4
    assert "cannot write" in answer.stderr


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
