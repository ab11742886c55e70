"""How well trials are predicted that had no say: each trial in turn left out of the fit, then simulated.

Rules this module guarantees:

- A trial is left out with all its arms, populations and figures, and with every comparison against them.
- The numbers without it are the fitted ones moved by what leaving it out moves, by the straight line that was
  drawn at the fit; the trial is then simulated with these numbers, whole.

    $ oncoproof calibrate --output calibration
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from oncoproof.disease.courses.care import HORIZON_WEEKS
from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.fitting.calibration import Linearised, Problem, Progress, solve
from oncoproof.disease.numbers.parameters import assemble
from oncoproof.disease.trials.arms import run_arms, some_arms
from oncoproof.knowledge.trials import TrialArm


class LeftOut(NamedTuple):
    """A trial that was left out, as predicted."""

    trial: str
    """Its registry number, or its name where it has none."""
    courses: dict[str, tuple[Endpoints, ...]]
    """By row id what was simulated, as `SimulatedArms.courses`."""


def leave_each_out(
    problem: Problem, linear: Linearised, arms: Sequence[TrialArm], *, progress: Progress | None = None
) -> Iterator[LeftOut]:
    """Predict every trial of a table from the others.

    Args:
        problem: The table as it was fitted.
        linear: Residuals and slopes at the fit.
        arms: The table.
        progress: Told after each trial.
    """
    # One registration is one trial, under whatever names its parts were reported.
    trial_of = {arm.row_id: arm.nct or arm.trial for arm in arms}
    places: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(problem.prepared.rows):
        places[trial_of[row]].append(place)
    # What leaving out moves is the difference of two steps: what the fit has not settled does not count.
    with_all = solve(linear, damping=0.0)
    for number, (trial, mine) in enumerate(places.items()):
        kept = np.array([
            trial not in {trial_of[target.row_id], trial_of[target.against or target.row_id]}
            for target in problem.targets
        ])  # fmt: skip
        parameters = assemble(linear.at + solve(linear, damping=0.0, kept=kept) - with_all)
        part = some_arms(problem.prepared, mine)
        found = run_arms(part, parameters, seed=problem.seed, weeks=HORIZON_WEEKS)
        if progress is not None:
            progress(number + 1, len(places))
        yield LeftOut(trial, {row: (course,) for row, course in zip(part.rows, found, strict=True)})
