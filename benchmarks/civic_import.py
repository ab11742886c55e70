"""How long an import of CIViC takes against merely reading the file.

Run it with `./run python benchmarks/civic_import.py`.

The peer is Python's `csv.DictReader` going once over the same file and keeping nothing, in the same run. The
import checks every cell, accounts for every row, maps it to the base and writes the folder durably. Needs
the reference data beside the project, and says so where they are absent.
"""

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from oncoproof.knowledge.civic.imports import import_civic

FOLDER = Path(__file__).parents[2] / "shared" / "data" / "civic"
REPEATS = 5


def _read(path: Path) -> int:
    with path.open(encoding="utf-8", newline="") as file:
        return sum(1 for _ in csv.DictReader(file, delimiter="\t"))


def _import(path: Path) -> int:
    with tempfile.TemporaryDirectory() as target:
        return import_civic(path, target=Path(target)).row_count


def _best_seconds(action: Callable[[Path], int], path: Path) -> float:
    """The shortest of several runs: what the work takes where nothing else disturbs it."""
    durations: list[float] = []
    for _ in range(REPEATS):
        start = perf_counter()
        action(path)
        durations.append(perf_counter() - start)
    return min(durations)


def main() -> None:
    """Print a line per file."""
    paths = sorted(FOLDER.glob("*.tsv"))
    if not paths:
        print("skipped: the reference data beside the project are absent")
        return
    _import(paths[0])  # loads the base, which a run does once
    print(f"{'file':<34} {'rows':>5} {'read (s)':>9} {'import (s)':>11} {'ratio':>6}")
    for path in paths:
        reading, importing = _best_seconds(_read, path), _best_seconds(_import, path)
        ratio = importing / reading
        print(f"{path.name:<34} {_import(path):>5} {reading:>9.3f} {importing:>11.3f} {ratio:>6.1f}")
    print("ratio: time of the whole import over csv.DictReader reading the same file and keeping nothing")


if __name__ == "__main__":
    main()
