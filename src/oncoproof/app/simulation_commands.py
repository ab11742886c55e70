"""`oncoproof simulate`: trials of a table, simulated and compared with what was published; single patients.

Rules this module guarantees:

- Every row of a table is accounted for: simulated, or listed with the reason why not.
- The JSON document holds the figures that a person sees, with their 90 % intervals; what is not defined is
  null.

    $ oncoproof simulate trials trials.csv -n 1000 --seed 1 --json results.json
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from oncoproof.app.course_commands import journey
from oncoproof.app.screen import follow_steps, print_note, write_output
from oncoproof.errors import InputError
from oncoproof.knowledge.trials import TrialArm, load_trials, read_trials
from oncoproof.seeds import Seed

app = App(
    name="simulate",
    help="Simulate published trials, and single patients.",
    help_epilogue=(
        "Exit codes: 0 done; 2 the call itself is wrong; 3 a file cannot be read, or names what is not known."
    ),
    default_parameter=Parameter(negative=()),
)

app.command(journey)

_PATIENTS = 1000
_DRAWS = 8


@app.command
def trials(
    file: Path | None = None,
    *,
    patients: Annotated[int, Parameter(name=["-n", "--patients"])] = _PATIENTS,
    seed: int = 1,
    draws: int = _DRAWS,
    json: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    plot: Path | None = None,
) -> None:
    """Simulate every arm of a table of trials and set it beside what was published.

    Each arm is simulated as what it is: its population, its schedule, its follow-up. Nothing that the table
    says of the outcome is looked at.

    Args:
        file: A table with the columns of the project's own (CSV); default: the project's own.
        patients: Patients simulated in each arm.
        seed: Where chance starts; the same seed gives the same figures.
        draws: Draws of the parameters' uncertainty that the intervals hold.
        json: Write one JSON document with every figure into this file; `-` is standard output.
        plot: Write pictures of each trial (survival curves, waterfalls) into this folder.
    """
    if patients < 1 or draws < 0:
        raise InputError(
            where="simulate trials",
            came=f"-n {patients} --draws {draws}",
            expected="at least one patient, and no fewer than no draw",
            remedy="choose other numbers",
        )
    arms = load_trials() if file is None else read_trials(file)
    _simulate(arms, patients=patients, seed=Seed(seed), draws=draws, json=json, plot=plot)


def _simulate(
    arms: Sequence[TrialArm], *, patients: int, seed: Seed, draws: int, json: Path | None, plot: Path | None
) -> None:
    # Loading the numerical library takes a second: only commands that simulate pay for it.
    from oncoproof.app.trial_screen import print_arms, print_scorecard, results_json  # noqa: PLC0415  as above
    from oncoproof.disease import judge, simulate_arms, summarise_arms  # noqa: PLC0415  as above

    with follow_steps("simulating") as told:
        simulated = simulate_arms(arms, patients=patients, seed=seed, draws=draws, progress=told)
    results = tuple(summarise_arms(arms, simulated.courses, seed=seed))
    card = judge(arms, results)
    if json is None or str(json) != "-":
        print_arms(arms, results)
        print_scorecard(card, simulated.refused)
    if json is not None:
        document = results_json(results, simulated.refused, card, seed=seed, patients=patients)
        write_output(document, None if str(json) == "-" else json)
    if plot is not None:
        from oncoproof.app.trial_pictures import write_pictures  # noqa: PLC0415  needed only for pictures

        written = write_pictures(arms, simulated, plot)
        print_note(f"wrote {written} pictures into {plot}")
