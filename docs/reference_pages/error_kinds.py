"""The page of errors: every kind with its exit code."""

from oncoproof.errors import OncoproofError
from reference_pages.markdown import cell, code, first_line, table

_EXIT_CODES = {
    0: "done",
    1: "done, and something was found wrong in what was examined",
    2: "the call itself is wrong",
    3: "the input cannot be used",
    4: "a part is not installed",
    5: "the project's own data contradict themselves",
    70: "a fault of the program",
    130: "interrupted",
}


def errors_page() -> str:
    """Every kind of error with its exit code."""
    kinds = _kinds(OncoproofError)
    codes = table(("exit code", "meaning"), ((str(number), words) for number, words in _EXIT_CODES.items()))
    errors = table(
        ("error", "exit code", "raised when"),
        ((code(kind.__name__), str(kind.exit_code), cell(first_line(kind.__doc__))) for kind in kinds),
    )
    return (
        "# Errors and exit codes\n\n"
        "An error says where it is, what came, what was expected and what to try. With `--json` it is a\n"
        f"JSON document on standard error with these parts.\n\n{codes}\n{errors}"
    )


def _kinds(kind: type[OncoproofError]) -> list[type[OncoproofError]]:
    below = [found for child in kind.__subclasses__() for found in _kinds(child)]
    return [kind, *below] if kind.__module__ == "oncoproof.errors" else []
