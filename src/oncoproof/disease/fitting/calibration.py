"""Fitting the free numbers to published trials: regularised least squares around the priors.

Rules this module guarantees:

- The simulator that is fitted is the one that is used, with all its events; slopes are differences of
  whole simulations of the same patients under the same chance, so that they are smooth enough to follow.
- A number moves only as far as published figures pull it from its prior; what no figure pulls stays there.
- Where a trial is left out, no figure of it counts in any step; where the steps begin is the caller's.
- The same table, seed and size of simulation give the same numbers.

    >>> silent = Linearised(prior_means(), np.zeros(1), np.zeros((1, len(free_names()))))
    >>> bool((solve(silent, damping=0.0) == prior_means()).all())
    True
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import NDArray

from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.courses.simulation import Cohort
from oncoproof.disease.fitting.targets import Target, residuals, targets_of
from oncoproof.disease.numbers.effects import lineage, load_effects
from oncoproof.disease.numbers.fitted import FittedNumber
from oncoproof.disease.numbers.harms import harms_by, load_harms
from oncoproof.disease.numbers.parameters import assemble, free_names, prior_means, prior_sds
from oncoproof.disease.numbers.terms import concerns, line_terms, personal_terms
from oncoproof.disease.trials.arms import PreparedArms, prepare_arms, run_arms, some_arms
from oncoproof.knowledge.trials import TrialArm
from oncoproof.seeds import Seed

WEEKS = 400
"""How long each arm is followed while fitting: beyond every published median."""

_STEP = 0.35
"""Step of a difference, as a share of the prior's standard deviation."""

OUTLYING = 2.5
"""Scale of Cauchy's loss: a residual of this size weighs half, a hopeless one next to nothing."""

Progress: TypeAlias = Callable[[int, int], None]
"""Told how many steps are done, of how many."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A table of trials, ready to be fitted."""

    prepared: PreparedArms
    """The arms that can be simulated."""
    targets: tuple[Target, ...]
    """Their published figures."""
    relevant: Bool[np.ndarray, "arms free"] = field(repr=False)
    """Which free numbers can matter to which arm."""
    seed: Seed
    """Where chance starts."""


@dataclass(frozen=True, slots=True)
class Linearised:
    """The residuals at a point, and how they move."""

    at: Float[np.ndarray, " free"]
    """The point."""
    residuals: Float[np.ndarray, " targets"]
    """In scales."""
    slopes: Float[np.ndarray, "targets free"]
    """Derivatives by each free number."""


def pose(arms: Sequence[TrialArm], *, patients: int, seed: Seed) -> Problem:
    """Prepare a table of trials for fitting.

    Args:
        arms: The table.
        patients: How many to simulate in each arm.
        seed: Where chance starts.
    """
    prepared = prepare_arms(arms, patients=patients, seed=seed)
    kept = set(prepared.rows)
    usable = (
        target
        for target in targets_of(arms)
        if target.row_id in kept and (target.against or target.row_id) in kept
    )
    parts = [some_arms(prepared, [number]).cohort for number in range(len(prepared.rows))]
    return Problem(prepared, tuple(usable), np.stack([_relevant(part) for part in parts]), seed)


def _relevant(cohort: Cohort) -> Bool[np.ndarray, " free"]:
    """Free numbers that some patient's course depends on; every constant counts."""
    effects, harms = load_effects(), load_harms()
    numbers: list[int] = np.unique(cohort.designs.effects).tolist()
    used = {effects[number].id for number in numbers if number >= 0}
    kin = {name for id_ in used for name in lineage(id_)}
    names = {f"{what}:{id_}" for id_ in kin for what in ("kill", "durability")}
    harming: list[int] = np.unique(cohort.designs.harms).tolist()
    hurting = {harms[number] for number in harming if number >= 0}
    names |= {f"harm:{name}" for harm in hurting for name in (harm.id, harm.parent) if name}
    held = zip(personal_terms(), cohort.patients.terms.any(axis=0), strict=True)
    names |= {f"term:{term.id}" for term, holds in held if holds}
    holding = zip(line_terms(), cohort.designs.terms.any(axis=(0, 1)), strict=True)
    names |= {
        f"term:{term.id}"
        for term, holds in holding
        if holds
        and (any(concerns(term, id_) for id_ in used) or any(harms_by(term, harm) for harm in hurting))
    }
    return np.array([name in names or name.startswith("constant:") for name in free_names()])


def simulate_all(problem: Problem, free: NDArray[np.float64]) -> dict[str, Endpoints]:
    """Every arm at a point."""
    return _simulate(problem.prepared, problem.seed, free)


def _simulate(prepared: PreparedArms, seed: Seed, free: NDArray[np.float64]) -> dict[str, Endpoints]:
    found = run_arms(prepared, assemble(free), seed=seed, weeks=WEEKS)
    return dict(zip(prepared.rows, found, strict=True))


def all_residuals(problem: Problem, free: NDArray[np.float64]) -> Float[np.ndarray, " targets"]:
    """The residuals of every figure."""
    return residuals(problem.targets, simulate_all(problem, free))


def linearise(problem: Problem, free: NDArray[np.float64], *, progress: Progress | None = None) -> Linearised:
    """Residuals and their slopes, by differences of simulations of the arms that a number matters to."""
    base = simulate_all(problem, free)
    at = residuals(problem.targets, base)
    slopes = np.zeros((len(at), len(free)))
    rows = problem.prepared.rows
    for place in range(len(free)):
        numbers = np.flatnonzero(problem.relevant[:, place])
        if len(numbers):
            width = _STEP * prior_sds()[place]
            moved = free.copy()
            moved[place] += width
            part = some_arms(problem.prepared, numbers.tolist())
            changed = _simulate(part, problem.seed, moved)
            touched = {rows[number] for number in numbers}
            mine = [at_ for at_, each in enumerate(problem.targets) if {each.row_id, each.against} & touched]
            after = residuals([problem.targets[at_] for at_ in mine], base | changed)
            slopes[mine, place] = (after - at[mine]) / width
        if progress is not None:
            progress(place + 1, len(free))
    return Linearised(free, at, slopes)


def objective(
    found: NDArray[np.float64],
    free: NDArray[np.float64],
    *,
    outlying: float = OUTLYING,
    kept: Bool[np.ndarray, " targets"] | None = None,
) -> float:
    """What fitting makes small: robust misfit and distance from the priors.

    Args:
        found: Residuals.
        free: The point.
        outlying: Scale of Cauchy's loss.
        kept: Which targets count; None = all.
    """
    away = (free - prior_means()) / prior_sds()
    misfit = outlying**2 * np.log1p(np.square(found / outlying))
    return float((misfit if kept is None else misfit[kept]).sum() + np.square(away).sum())


def _robust(found: NDArray[np.float64], outlying: float = OUTLYING) -> NDArray[np.float64]:
    """What each figure weighs: trials that contradict one another cannot all be met."""
    return 1.0 / (1.0 + np.square(found / outlying))


def solve(
    linear: Linearised,
    *,
    damping: float,
    kept: Bool[np.ndarray, " targets"] | None = None,
    longest: float = np.inf,
    outlying: float = OUTLYING,
) -> Float[np.ndarray, " free"]:
    """The point that the linearised problem prefers.

    Args:
        linear: Residuals and slopes at a point.
        damping: How strongly the step is held back, in units of the prior's precision.
        kept: Which targets count; None = all.
        longest: How far a number may be moved, in its prior's spread.
        outlying: Scale of Cauchy's loss.
    """
    weight = _robust(linear.residuals, outlying) * (1.0 if kept is None else kept)
    sds, means = prior_sds(), prior_means()
    scaled = linear.slopes * sds
    away = (linear.at - means) / sds
    normal = scaled.T @ (weight[:, None] * scaled) + (1 + damping) * np.eye(len(sds))
    gradient = scaled.T @ (weight * linear.residuals) + away
    step = np.linalg.solve(normal, -gradient)
    return linear.at + sds * np.clip(step, -longest, longest)


def covariance_root(linear: Linearised) -> Float[np.ndarray, "free free"]:
    """A square root of the covariance of the free numbers, by the normal approximation."""
    scaled, sds = _weighted_slopes(linear), prior_sds()
    normal = scaled.T @ scaled + np.eye(len(sds))
    return sds[:, None] * np.linalg.cholesky(np.linalg.inv(normal))


def _weighted_slopes(linear: Linearised) -> Float[np.ndarray, "targets free"]:
    """Slopes in units of the priors' spread, those of outlying figures weighing less."""
    return np.sqrt(_robust(linear.residuals))[:, None] * linear.slopes * prior_sds()


_NAMED = 3
"""Published figures that are named as what identifies a number."""


def describe(problem: Problem, linear: Linearised, free: NDArray[np.float64]) -> tuple[FittedNumber, ...]:
    """Every free number as fitted: how sure, and what identifies it."""
    spread = np.sqrt(np.square(covariance_root(linear)).sum(axis=1))
    slopes = _weighted_slopes(linear)
    found: list[FittedNumber] = []
    for place, name in enumerate(free_names()):
        weights = np.square(slopes[:, place])
        most = [at for at in np.argsort(-weights)[:_NAMED] if weights[at] > _SAYS_SOMETHING]
        prior = float(prior_sds()[place])
        found.append(
            FittedNumber(
                name=name,
                prior=float(prior_means()[place]),
                prior_sd=prior,
                value=float(free[place]),
                sd=float(spread[place]),
                learned=float(1 - np.square(spread[place] / prior)),
                identified_by=tuple(
                    f"{problem.targets[at].row_id}:{problem.targets[at].figure}" for at in most
                ),
            )
        )
    return tuple(found)


_SAYS_SOMETHING = 0.05
"""Squared slope, in the prior's spread and the figure's scale, from which a figure says something."""


class Reached(NamedTuple):
    """How far fitting has come."""

    free: NDArray[np.float64]
    """The point."""
    objective: float
    """What it makes small, at the point."""
    linear: Linearised
    """Residuals and slopes there."""


def descend(
    problem: Problem,
    start: NDArray[np.float64],
    *,
    first: int = 0,
    rounds: int,
    is_distant: bool = True,
    progress: Progress | None = None,
) -> Iterator[Reached]:
    """Rounds of fitting.

    A round takes slopes once and goes several steps with them, each correcting them by what it met (Broyden).
    Early rounds let outlying figures pull: from a distant start everything lies far out.

    Args:
        problem: The table.
        start: Where fitting begins.
        first: How many rounds were done before.
        rounds: How many are to be done now.
        is_distant: Whether the start is far from the table, as the priors are.
        progress: Told of the steps within a round.
    """
    free = start
    for number in range(first, first + rounds):
        outlying = max(OUTLYING, _OUTLYING_FIRST * _OUTLYING_FALL**number) if is_distant else OUTLYING
        linear = linearise(problem, free, progress=progress)
        reached = settle(problem, linear, damping=_DAMPING, steps=_STEPS, outlying=outlying)
        free = reached.free
        yield reached._replace(objective=objective(reached.linear.residuals, free))


_OUTLYING_FIRST, _OUTLYING_FALL = 8.0, 0.75
"""Scale of Cauchy's loss in the first round, and by how much it falls in each round after."""

ROUNDS_FALLING = math.ceil(math.log(OUTLYING / _OUTLYING_FIRST) / math.log(_OUTLYING_FALL))
"""Rounds from a distant start in which it still falls: until then the objective may rise."""

_STEPS, _ENOUGH = 12, 1.0
"""Steps of a round at most, and by how much a step must lower the objective to be taken."""

_DAMPING, _DAMPING_MOST = 1.0, 30.0
"""How strongly the first step of a round is held back, and where none helps if such a step does not."""


def settle(
    problem: Problem,
    linear: Linearised,
    *,
    damping: float,
    steps: int,
    outlying: float = OUTLYING,
    kept: Bool[np.ndarray, " targets"] | None = None,
) -> Reached:
    """Steps from a point while they help, with slopes taken once.

    Args:
        problem: The table.
        linear: Residuals and slopes at the point.
        damping: How strongly the first step is held back.
        steps: How many at most.
        outlying: Scale of Cauchy's loss.
        kept: Which targets count; None = all.
    """
    best = objective(linear.residuals, linear.at, outlying=outlying, kept=kept)
    for _ in range(steps):
        tried: list[tuple[float, float, Linearised]] = []
        for held in (damping * 0.25, damping, damping * 6):
            point = solve(linear, damping=held, kept=kept, longest=1.0, outlying=outlying)
            met = all_residuals(problem, point)
            value = objective(met, point, outlying=outlying, kept=kept)
            tried.append((value, held, corrected(linear, point, met)))
        value, held, moved = min(tried, key=lambda each: each[0])
        if value < best - _ENOUGH:
            linear, best, damping = moved, value, held
        elif damping >= _DAMPING_MOST:
            break
        else:  # too bold: a step costs little against the slopes
            damping = max(damping * 30, 1.0)
    return Reached(linear.at, best, linear)


def corrected(linear: Linearised, point: NDArray[np.float64], met: NDArray[np.float64]) -> Linearised:
    """The slopes at a point, made to agree with what was met there, in units of the priors' spread."""
    sds = prior_sds()
    step = (point - linear.at) / sds
    scaled = linear.slopes * sds
    surprise = met - linear.residuals - scaled @ step
    scaled = scaled + np.outer(surprise, step) / max(float(step @ step), 1e-12)
    return Linearised(point, met, scaled / sds)
