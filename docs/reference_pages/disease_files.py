"""The page of the disease model's data files: each with its columns, from the record that reads it.

Rules this module guarantees:

- Files and their records are found in the code, by the calls that parse them.
- A file of the data folder that no call reads is an error.
"""

import ast
import importlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from oncoproof.errors import IntegrityError
from reference_pages.markdown import cell, first_line
from reference_pages.records import CSV, field_table

_SOURCE = Path(str(files("oncoproof.disease")))

_INTRODUCTION = """# Data files of the disease model

Every file with its columns. All paths are below `src/oncoproof/disease/data/`. The first line names the
format and version, `oncoproof.disease.TOPIC/1`. *None* and *empty* mean a blank cell. What the numbers are:
[numbers of the disease model](disease-numbers.md). `fitted.csv` is written by `oncoproof calibrate`, with
`fitted_covariance.npz` beside it; the other files are written by people.
"""


class _File(NamedTuple):
    name: str
    """Below the data folder."""
    module: str
    """The module that reads it, below `oncoproof.disease`."""
    record: str
    """Name of the data class, in that module."""


def disease_files_page() -> str:
    """Every data file of the disease model."""
    found = sorted(_files())
    _require_all(found)
    return "\n".join([_INTRODUCTION, *map(_section, found)])


def _files() -> Iterator[_File]:
    """The files, by the calls of `parse_csv(text, TOPIC, RECORD, …)` in the code."""
    for path in sorted(_SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(_SOURCE).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "parse_csv":
                _, topic, record = node.args
                yield _File(f"{ast.literal_eval(topic)}.csv", module, ast.unparse(record))


def _require_all(found: list[_File]) -> None:
    told = {file.name for file in found}
    for path in sorted((_SOURCE / "data").glob("*.csv")):
        if path.name not in told:
            raise IntegrityError(
                where="docs/reference_pages/disease_files.py",
                came=path.name,
                expected="a file that parse_csv reads under the name of its topic",
                remedy="name the file as the topic in its first line",
            )


def _section(file: _File) -> str:
    module = importlib.import_module(f"oncoproof.disease.{file.module}")
    record: type[object] = getattr(module, file.record)
    path = f"disease/{file.module.replace('.', '/')}.py"
    about = f"{cell(first_line(record.__doc__))} Read by `{path}`."
    return f"## {file.name}\n\n{about}\n\n" + field_table(record, CSV, heading="column")
