"""The compiler is set up before anything is compiled, and what it made is kept where the user wants it."""

import subprocess
import sys
from pathlib import Path

import pytest

from oncoproof.disease.compiler import cache_folder

SIMULATE = """
import jax
from oncoproof.disease.numbers.parameters import assemble, prior_means
print(jax.config.jax_compilation_cache_dir, float(assemble(prior_means()).constants.capacity))
"""


def _simulate(home: Path, *more: tuple[str, str]) -> subprocess.Popen[str]:
    environment = {"HOME": str(home), **dict(more)}
    source = Path(__file__).parents[2] / "src"
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", SIMULATE],
        env={**environment, "PYTHONPATH": str(source)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _said(process: subprocess.Popen[str]) -> str:
    said, complained = process.communicate(timeout=300)
    assert process.returncode == 0, complained
    return said.strip()


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"ONCOPROOF_CACHE": "/kept", "XDG_CACHE_HOME": "/caches", "HOME": "/home/one"}, Path("/kept")),
        ({"ONCOPROOF_CACHE": "", "XDG_CACHE_HOME": "/caches", "HOME": "/home/one"}, None),
        ({"XDG_CACHE_HOME": "/caches", "HOME": "/home/one"}, Path("/caches/oncoproof")),
        ({"XDG_CACHE_HOME": "caches", "HOME": "/home/one"}, Path("/home/one/.cache/oncoproof")),
        ({"XDG_CACHE_HOME": "", "HOME": "/home/one"}, Path("/home/one/.cache/oncoproof")),
        ({}, None),
    ],
)
def test_cache_stands_where_the_user_wants_it(environment: dict[str, str], folder: Path | None) -> None:
    assert cache_folder(environment) == folder


def test_processes_share_what_was_compiled(tmp_path: Path) -> None:
    both = [_simulate(tmp_path), _simulate(tmp_path)]
    folder = tmp_path / ".cache" / "oncoproof" / "compiled"
    assert [_said(each) for each in both] == [f"{folder} 30.0"] * 2
    kept = sorted(path.name for path in folder.iterdir())
    assert kept
    assert _said(_simulate(tmp_path)) == f"{folder} 30.0"
    assert sorted(path.name for path in folder.iterdir()) == kept


def test_folder_that_cannot_be_made_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    inside = ("ONCOPROOF_CACHE", str(tmp_path / "file" / "cache"))
    assert _said(_simulate(tmp_path, inside)) == "None 30.0"


def test_cache_chosen_for_jax_stays(tmp_path: Path) -> None:
    chosen = str(tmp_path / "chosen")
    assert _said(_simulate(tmp_path, ("JAX_COMPILATION_CACHE_DIR", chosen))) == f"{chosen} 30.0"
