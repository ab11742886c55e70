"""How well trials are predicted from the others: each trial in turn left out of the fit, then simulated.

Rules this module guarantees:

- A trial is left out with all its arms, populations and figures, and with every comparison against them.
- The numbers without it are fitted anew to the others: a whole step along the slopes at the fit, so that what
  only this trial told returns to its prior, and further steps as whole simulations of the others prefer.
- The trial is then simulated with these numbers, whole.
- The steps begin at a fit that saw the trial and are few: something of its own figures may be left in the
  numbers. How much has not been measured on a whole table.

    $ oncoproof calibrate --output calibration
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool
from numpy.typing import NDArray

from oncoproof.disease.courses.care import HORIZON_WEEKS
from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.fitting.calibration import (
    Linearised,
    Problem,
    Progress,
    all_residuals,
    corrected,
    settle,
    solve,
)
from oncoproof.disease.numbers.parameters import assemble
from oncoproof.disease.trials.arms import PreparedArms, run_arms, some_arms
from oncoproof.knowledge.trials import TrialArm

_DAMPING, _STEPS = 0.25, 2
"""How strongly steps after the first are held back, and how many there are at most."""


class LeftOut(NamedTuple):
    """A trial that was left out, as predicted."""

    trial: str
    """Its registry number, or its name where it has none."""
    courses: dict[str, tuple[Endpoints, ...]]
    """By row id what was simulated, as `SimulatedArms.courses`."""


def leave_each_out(
    problem: Problem,
    linear: Linearised,
    arms: Sequence[TrialArm],
    *,
    shown: PreparedArms | None = None,
    progress: Progress | None = None,
) -> Iterator[LeftOut]:
    """Predict every trial of a table from the others.

    Args:
        problem: The table as it was fitted.
        linear: Residuals and slopes at the fit.
        arms: The table.
        shown: The same arms with as many patients as predictions are to show; None = those of the fit.
        progress: Told after each trial.
    """
    # One registration is one trial, under whatever names its parts were reported.
    shown = problem.prepared if shown is None else shown
    trial_of = {arm.row_id: arm.nct or arm.trial for arm in arms}
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(shown.rows):
        places[trial_of[row]].append(place)
    for number, (trial, mine) in enumerate(places.items()):
        kept = np.array([
            trial not in {trial_of[target.row_id], trial_of[target.against or target.row_id]}
            for target in problem.targets
        ])  # fmt: skip
        parameters = assemble(_without(problem, linear, kept))
        part = some_arms(shown, mine)
        found = run_arms(part, parameters, seed=problem.seed, weeks=HORIZON_WEEKS)
        if progress is not None:
            progress(number + 1, len(places))
        yield LeftOut(trial, {row: (course,) for row, course in zip(part.rows, found, strict=True)})


def _without(problem: Problem, linear: Linearised, kept: Bool[np.ndarray, " targets"]) -> NDArray[np.float64]:
    """The numbers that the kept figures prefer."""
    point = solve(linear, damping=0.0, kept=kept)
    there = corrected(linear, point, all_residuals(problem, point))
    return settle(problem, there, damping=_DAMPING, steps=_STEPS, kept=kept).free
