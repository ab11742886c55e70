"""Writes the generated pages of the reference (`./run python docs/write_reference.py`).

A test compares what this would write with what is committed, so the pages cannot drift from the code.
"""

import importlib
import inspect
import re
from pathlib import Path

from oncoproof.app.command import app
from oncoproof.errors import OncoproofError

HERE = Path(__file__).parent
NOTE = "<!-- Written by `./run python docs/write_reference.py`; do not edit. -->\n\n"
DOORS = ("errors", "seeds", "journey", "knowledge")


def pages() -> dict[str, str]:
    """Each generated page, by its path below `docs/reference`."""
    return {"commands.md": commands_page(), "errors.md": errors_page(), **api_pages()}


def commands_page() -> str:
    """Every command with every option."""
    text = app.generate_docs(output_format="markdown", heading_level=1)
    text = re.sub(r"## Table of Contents\n.*?(?=\n\*\*Commands\*\*)", "", text, count=1, flags=re.DOTALL)
    return NOTE + text.strip().replace("# oncoproof\n", "# Commands\n", 1) + "\n"


def errors_page() -> str:
    """Every kind of error with its exit code."""
    rows = ["# Errors and exit codes", "", "| exit code | meaning |", "|--:|---|"]
    rows += [
        "| 0 | done |",
        "| 1 | done, and something was found wrong in what was examined |",
        "| 2 | the call itself is wrong |",
        "| 3 | the input cannot be used |",
        "| 4 | a part is not installed |",
        "| 5 | the project's own data contradict themselves |",
        "| 70 | a fault of the program |",
        "| 130 | interrupted |",
        "",
        "| error | exit code | raised when |",
        "|---|--:|---|",
    ]
    rows += [
        f"| `{kind.__name__}` | {kind.exit_code} | {_first_line(kind)} |" for kind in _kinds(OncoproofError)
    ]
    return NOTE + "\n".join(rows) + "\n"


def _kinds(kind: type[OncoproofError]) -> list[type[OncoproofError]]:
    below = [found for child in kind.__subclasses__() for found in _kinds(child)]
    return [kind, *below] if kind.__module__ == "oncoproof.errors" else []


def _first_line(thing: object) -> str:
    return (inspect.getdoc(thing) or "").splitlines()[0]


def api_pages() -> dict[str, str]:
    """One page for each package's public names, rendered by autodoc."""
    rendered: dict[str, str] = {}
    for door in DOORS:
        module = importlib.import_module(f"oncoproof.{door}")
        names = getattr(module, "__all__", None)
        if names is None:
            directive = f"```{{eval-rst}}\n.. automodule:: oncoproof.{door}\n   :members:\n```\n"
        else:
            directive = "".join(_directive(door, name, getattr(module, name)) for name in names)
        rendered[f"api-{door}.md"] = f"{NOTE}# oncoproof.{door}\n\n{_first_line(module)}\n\n{directive}"
    return rendered


def _directive(door: str, name: str, thing: object) -> str:
    kind = "autoclass" if inspect.isclass(thing) else "autofunction" if callable(thing) else "autodata"
    members = "\n   :members:" if inspect.isclass(thing) else ""
    return f"```{{eval-rst}}\n.. {kind}:: oncoproof.{door}.{name}{members}\n```\n\n"


def main() -> None:
    """Write every page."""
    for name, text in pages().items():
        (HERE / "reference" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
