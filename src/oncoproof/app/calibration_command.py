"""`oncoproof calibrate`: the numbers of the disease model, fitted to published trials.

Rules this module guarantees:

- A call that was interrupted goes on where it stood when it is issued again.
- What is printed at the end is the report of trials not seen: each predicted from the others.

    $ oncoproof calibrate --output calibration
"""

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from oncoproof.app.screen import follow_steps, print_note, print_words
from oncoproof.errors import InputError
from oncoproof.knowledge.trials import load_trials, read_trials
from oncoproof.seeds import Seed

app = App(
    name="calibrate",
    help="Fit the numbers of the disease model to published trials.",
    help_epilogue=(
        "Exit codes: 0 done; 2 the call itself is wrong; 3 a file cannot be read, or names what is not known."
    ),
    default_parameter=Parameter(negative=()),
)


@app.default
def calibrate(
    *,
    table: Path | None = None,
    output: Annotated[Path, Parameter(name=["--output", "-o"])] = Path("calibration"),
    patients: Annotated[int, Parameter(name=["-n", "--patients"])] = 300,
    rounds: int = 12,
    seed: int = 1,
    anew: bool = False,
) -> None:
    """Fit the numbers of the disease model to trials, and say how well unseen trials are predicted.

    Each round simulates the whole table several hundred times; the call can be interrupted and issued again.
    The folder ends with `fitted.csv`, `fitted_covariance.npz` and `fitted_origin.json`; the model reads those
    in its data folder.

    Args:
        table: A table of trials (CSV); default: the project's own.
        output: The folder that the fit is kept in.
        patients: Patients simulated in each arm.
        rounds: Rounds at most.
        seed: Where chance starts; the same table, seed and size give the same numbers.
        anew: Begin at the priors rather than at the numbers that ship.
    """
    if patients < 1 or rounds < 0:
        raise InputError(
            where="calibrate",
            came=f"-n {patients} --rounds {rounds}",
            expected="at least one patient, and no fewer than no round",
            remedy="choose other numbers",
        )
    arms = load_trials() if table is None else read_trials(table)
    # Loading the numerical library takes a second: only commands that simulate pay for it.
    from oncoproof.app.trial_screen import print_scorecard  # noqa: PLC0415  as above
    from oncoproof.disease import (  # noqa: PLC0415  as above
        Order,
        Told,
        fit_in_folder,
        judge,
        load_fit,
        prior_means,
    )

    start = prior_means() if anew else load_fit().values
    order = Order(arms, patients=patients, rounds=rounds, seed=Seed(seed), start=start)
    with follow_steps("fitting") as steps:
        told = Told(steps, lambda number, best: print_note(f"round {number}: objective {best:.1f}"))
        predicted = fit_in_folder(order, output, told)
    print_words(f"wrote {output / 'fitted.csv'}, fitted_covariance.npz and fitted_origin.json beside it")
    print_words("Each trial predicted from the others:")
    print_scorecard(judge(arms, predicted.results), predicted.refused)
