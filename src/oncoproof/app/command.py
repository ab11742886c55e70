"""The command line's start: which commands there are, and how each ends.

Rules this module guarantees:

- Starting loads no command: each is imported when it is called, so that help answers at once.
- Exit codes: 0 done; 1 done, and something was found wrong in what was examined; 2 the call itself
  is wrong; 3 the input cannot be used; 4 a part is not installed; 5 the project's own data
  contradict themselves; 70 a fault of the program; 130 interrupted.
- With `--json`, standard output holds one JSON document and an error is a JSON document on standard
  error.

    $ oncoproof knowledge show osimertinib
"""

import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from oncoproof import __version__
from oncoproof.errors import OncoproofError

EXIT_USAGE = 2
"""The call itself is wrong."""
EXIT_FAULT = 70
"""The program itself is at fault."""
EXIT_INTERRUPTED = 130
"""The person stopped it."""

_EPILOGUE = "Research software on simulated patients; not a medical device."

app = App(
    name="oncoproof",
    help="A proving ground for precision-oncology AI.",
    help_epilogue=_EPILOGUE,
    version=__version__,
)
app.command(
    "oncoproof.app.journey_commands:app",
    name="journey",
    help="Show, check and convert patient journeys (JSON, Parquet, FHIR, phenopackets).",
)
app.command(
    "oncoproof.app.knowledge_commands:app",
    name="knowledge",
    help="Look into what medicine knows here: show, search, check, cite, ask, validate, import.",
)
app.command(
    "oncoproof.app.simulation_commands:app",
    name="simulate",
    help="Simulate published trials, and single patients.",
)
app.command(
    "oncoproof.app.calibration_command:app",
    name="calibrate",
    help="Fit the numbers of the disease model to published trials.",
)
app.register_install_completion_command(  # pyright: ignore[reportUnknownMemberType]  untyped **kwargs
    help="Install completion for your shell."
)


def run(tokens: Sequence[str]) -> int:
    """Execute a command line and return its exit code; raises only what is a fault of the program."""
    try:
        result = app(list(tokens), exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _end_usage(error, tokens)
    except OncoproofError as error:
        from oncoproof.app.screen import print_error  # noqa: PLC0415  a right call loads no error screen

        print_error(error, as_json="--json" in tokens)
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output left: there is nobody to tell, and nothing to flush to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    return result if isinstance(result, int) else 0


def _end_usage(error: CycloptsError, tokens: Sequence[str]) -> int:
    from oncoproof.app.screen import print_usage_error  # noqa: PLC0415  as above

    print_usage_error(str(error), as_json="--json" in tokens)
    return EXIT_USAGE


def main() -> None:
    """The `oncoproof` program."""
    try:
        code = run(sys.argv[1:])
    except Exception as error:  # noqa: BLE001  the last resort: a fault must not pass for exit code 1
        from oncoproof.app.screen import print_fault  # noqa: PLC0415  as above

        print_fault(error, as_json="--json" in sys.argv)
        code = EXIT_FAULT
    sys.exit(code)
