"""Runs every benchmark and writes the figures into the documentation: `./run python benchmarks/measure.py`.

Each benchmark is a script beside this one that prints a table of ratios; the page holds exactly what
they printed, with date, machine class and command. Names on the command line choose some of them.
"""

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "reference" / "benchmarks.md"
NO_BENCHMARKS = {Path(__file__).stem, "plain_course", "trial_scorecard"}
"""Scripts beside the benchmarks that are none themselves."""

INTRODUCTION = """# Benchmarks

Timings are ratios to a named peer or to a named naive algorithm, measured in the same run. Absolute
times belong to the machine class named with them. Written by `./run python benchmarks/measure.py`.
"""


def machine_class() -> str:
    """What figures were measured on."""
    return (
        f"{os.cpu_count()} cores of {platform.machine()}, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def _measure(script: Path) -> str:
    command = f"./run python benchmarks/{script.name}"
    print(f"== {command}", flush=True)
    done = subprocess.run(
        [sys.executable, str(script)], cwd=HERE.parent, check=True, capture_output=True, text=True
    )
    print(done.stdout, flush=True)
    today = datetime.now(UTC).date().isoformat()  # noqa: TID251  a measurement carries its date
    title = script.stem.replace("_", " ")
    head = f"\n## {title}\n\n`{command}`, {today}, {machine_class()}:\n\n"
    return f"{head}```text\n{done.stdout.rstrip()}\n```\n"


def main() -> None:
    """Measure what was asked for, or everything, and write the page."""
    scripts = sorted(path for path in HERE.glob("*.py") if path.stem not in NO_BENCHMARKS)
    chosen = [path for path in scripts if not sys.argv[1:] or path.stem in sys.argv[1:]]
    sections = [_measure(script) for script in chosen]
    if len(chosen) == len(scripts):
        PAGE.write_text(INTRODUCTION + "".join(sections), encoding="utf-8")


if __name__ == "__main__":
    main()
