"""A whole calibration in a folder: rounds of fitting that can be interrupted, then what they found.

Rules this module guarantees:

- After each round the folder holds the point; the same call takes slopes anew and goes on from there. A
  folder that was begun with another table, seed, size or start is refused.
- Rounds end when one lowers the objective by less than a thousandth; from the priors, not before those are
  done in which outlying figures pull.
- The folder ends with `fitted.csv`, `fitted_covariance.npz` and `fitted_origin.json`, which the model reads.

    >>> from dataclasses import replace
    >>> first = Order((), patients=9, rounds=1, seed=Seed(1), start=np.zeros(len(free_names())))
    >>> longer, smaller = replace(first, rounds=2), replace(first, patients=8)
    >>> first.digest() == longer.digest(), first.digest() == smaller.digest()
    (True, False)
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from oncoproof.disease.fitting.calibration import (
    ROUNDS_FALLING,
    Linearised,
    Problem,
    Progress,
    covariance_root,
    descend,
    describe,
    linearise,
    objective,
    pose,
)
from oncoproof.disease.fitting.leave_out import leave_each_out
from oncoproof.disease.numbers.fitted import Origin, digest_of_priors, load_fit, write_fit
from oncoproof.disease.numbers.parameters import free_names, prior_means
from oncoproof.disease.trials.arm_results import ArmResults, summarise_arms
from oncoproof.disease.trials.arms import prepare_arms
from oncoproof.errors import InputError
from oncoproof.journey.atomic_file import make_folder
from oncoproof.knowledge.trials import TrialArm, write_trials
from oncoproof.seeds import Seed

_STATE = "rounds.npz"
_ENOUGH = 1e-3
PREDICTED_LEAST = 1000
"""Patients in each arm of a trial that is predicted: fewer would blur a ratio more than trials do."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be fitted."""

    arms: tuple[TrialArm, ...]
    """The table."""
    patients: int
    """Patients simulated in each arm."""
    rounds: int
    """Rounds at most."""
    seed: Seed
    """Where chance starts."""
    start: NDArray[np.float64]
    """Where fitting begins, unless the folder says otherwise."""

    @property
    def is_from_priors(self) -> bool:
        """Whether fitting begins at the priors."""
        return bool((self.start == prior_means()).all())

    def table_digest(self) -> str:
        """What tells tables apart."""
        return hashlib.sha256(write_trials(self.arms).encode()).hexdigest()

    def digest(self) -> str:
        """What a folder must have been begun with to go on in it."""
        said = f"{write_trials(self.arms)}|{self.patients}|{self.seed}|{free_names()}|{self.start.tolist()}"
        return hashlib.sha256(said.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class _Reached:
    """How far fitting has come."""

    rounds: int
    """Rounds done."""
    best: float
    """The objective."""
    free: NDArray[np.float64]
    """The point."""


@dataclass(frozen=True, slots=True)
class Told:
    """Who is told how far it is."""

    steps: Progress
    """Steps within a round."""
    rounds: Callable[[int, float], None]
    """After each round: its number and the objective."""


class Predicted(NamedTuple):
    """Trials as predicted from the others."""

    results: tuple[ArmResults, ...]
    """The figures of every arm that can be simulated."""
    refused: dict[str, str]
    """By row id: why an arm cannot be."""


def fit_in_folder(order: Order, folder: Path, told: Told) -> Predicted:
    """Fit, write what was found, and predict each trial from the others.

    Args:
        order: What is to be fitted.
        folder: Where it is kept.
        told: Who is told how far it is.

    Returns:
        What became of every arm as predicted without its trial.
    """
    problem = pose(order.arms, patients=order.patients, seed=order.seed)
    make_folder(folder)
    reached = _go_on(problem, order, folder, told)
    linear = linearise(problem, reached.free, progress=told.steps)
    origin = Origin(
        table=order.table_digest(),
        priors=digest_of_priors(),
        from_priors=order.is_from_priors,
        patients=order.patients,
        seed=str(order.seed),
        rounds=reached.rounds,
        objective=round(objective(linear.residuals, reached.free), 1),
    )
    write_fit(describe(problem, linear, reached.free), covariance_root(linear), origin, folder)
    return Predicted(_predict(problem, linear, order.arms, told.steps), problem.prepared.refused)


def _go_on(problem: Problem, order: Order, folder: Path, told: Told) -> _Reached:
    reached = _read(folder / _STATE, order)
    rounds = descend(
        problem,
        reached.free,
        first=reached.rounds,
        rounds=order.rounds - reached.rounds,
        is_distant=order.is_from_priors,
        progress=told.steps,
    )
    least = ROUNDS_FALLING if order.is_from_priors else 0
    for found in rounds:
        before, reached = reached.best, _Reached(reached.rounds + 1, found.objective, found.free)
        _write(folder / _STATE, reached, order)
        told.rounds(reached.rounds, found.objective)
        if reached.rounds > least and before - found.objective < _ENOUGH * found.objective:
            break
    return reached


def predict_each(
    arms: tuple[TrialArm, ...], *, patients: int, seed: Seed, progress: Progress | None = None
) -> tuple[ArmResults, ...]:
    """The figures of every arm as predicted without its trial, around the numbers that ship.

    Args:
        arms: The table that was fitted.
        patients: Patients simulated in each arm.
        seed: Where chance starts.
        progress: Told how many steps are done, of how many.
    """
    problem = pose(arms, patients=patients, seed=seed)
    return _predict(problem, linearise(problem, load_fit().values, progress=progress), arms, progress)


def _predict(
    problem: Problem, linear: Linearised, arms: tuple[TrialArm, ...], progress: Progress | None
) -> tuple[ArmResults, ...]:
    patients = max(problem.prepared.patients, PREDICTED_LEAST)
    shown = prepare_arms(arms, patients=patients, seed=problem.seed)
    courses = {
        row: course
        for left in leave_each_out(problem, linear, arms, shown=shown, progress=progress)
        for row, course in left.courses.items()
    }
    return tuple(summarise_arms(arms, courses, seed=problem.seed))


def _read(path: Path, order: Order) -> _Reached:
    if not path.is_file():
        return _Reached(0, float("inf"), order.start)
    with np.load(path) as stored:
        if str(stored["digest"]) != order.digest():
            raise InputError(
                where=str(path.parent),
                came="a calibration of another table, seed, size or set of numbers",
                expected="an empty folder, or one that this same call began",
                remedy="name another folder, or remove this one",
            )
        return _Reached(int(stored["rounds"]), float(stored["best"]), stored["free"])


def _write(path: Path, reached: _Reached, order: Order) -> None:
    partial = path.with_suffix(".partial.npz")
    np.savez(partial, digest=order.digest(), rounds=reached.rounds, best=reached.best, free=reached.free)
    partial.replace(path)
