"""The linter refuses randomness that no seed repeats, and reading the clock."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _refusals(line: str) -> str:
    """What ruff says of one line, as if it stood in a module of the library."""
    words = ["ruff", "check", "--no-cache", "--output-format", "concise", "--select", "TID251,NPY002"]
    return subprocess.run(
        [*words, "--stdin-filename", "src/oncoproof/planted.py", "-"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        input=f"import datetime, os, time, uuid\nimport numpy as np\n{line}\n",
    ).stdout


@pytest.mark.parametrize(
    "line",
    [
        "import random",
        "from random import choices",
        "import secrets",
        "os.urandom(4)",
        "uuid.uuid1()",
        "uuid.uuid4()",
        "np.random.poisson(3)",
        "np.random.seed(3)",
        "np.random.default_rng()",
        "np.random.RandomState()",
        "np.random.Generator(np.random.PCG64())",
        "time.time()",
        "time.localtime()",
        "time.strftime('%Y')",
        "datetime.datetime.now(datetime.UTC)",
        "datetime.date.today()",
    ],
)
def test_is_refused(line: str) -> None:
    assert "planted.py:3:" in _refusals(line)


def test_a_named_stream_is_not() -> None:
    assert _refusals("np.random.Generator(np.random.Philox(key=3)).normal()").strip() == "All checks passed!"
