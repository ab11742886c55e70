"""`oncoproof calibrate`: the numbers of the disease model, fitted to published trials.

$ oncoproof calibrate --output calibration
"""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from oncoproof.app.screen import follow_steps, print_note, print_words
from oncoproof.app.trial_screen import print_scorecard
from oncoproof.disease import judge
from oncoproof.disease.fitting import Order, Told, fit_in_folder
from oncoproof.disease.numbers import load_fit, prior_means
from oncoproof.knowledge.trials import load_trials, read_trials
from oncoproof.seeds import Seed


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
    The folder ends with `fitted.csv` and `fitted_covariance.npz`; the model reads those in its data folder.

    Args:
        table: A table of trials (CSV); default: the project's own.
        output: The folder that the fit is kept in.
        patients: Patients simulated in each arm.
        rounds: Rounds at most.
        seed: Where chance starts; the same table, seed and size give the same numbers.
        anew: Begin at the priors rather than at the numbers that ship.
    """
    arms = load_trials() if table is None else read_trials(table)
    start = prior_means() if anew else load_fit().values
    order = Order(arms, patients=patients, rounds=rounds, seed=Seed(seed), start=start)
    with follow_steps("fitting") as steps:
        told = Told(steps, lambda number, best: print_note(f"round {number}: objective {best:.1f}"))
        predicted = fit_in_folder(order, output, told)
    print_words(f"wrote {output / 'fitted.csv'} and {output / 'fitted_covariance.npz'}")
    print_words("Each trial predicted from the others:")
    print_scorecard(judge(arms, predicted), {})
