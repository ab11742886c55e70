"""The likelihood of a course: right where the course came from, differentiable, and blind to the truth."""

from typing import TYPE_CHECKING, NamedTuple, cast

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array, Float

from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.likelihood import Told, log_likelihood, tell
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.simulation import Cohort, simulate_weeks
from oncoproof.disease.courses.traits import Latents, draw_latents
from oncoproof.disease.numbers.parameters import Parameters, assemble, prior_means
from oncoproof.disease.trials.arms import prepare_arms
from oncoproof.knowledge.trials import load_trials
from oncoproof.seeds import Seed

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = Seed(11)
ROWS = {"flaura-egfr-osimertinib", "keynote_189-nonsq-pembrolizumab_chemo", "combi_d-braf-dabrafenib"}
PLACES = {"growth": 0, "frailty": 1, "size": 2, "harm": 4, "seeding": 5}
"""Latents of the person that a course tells something of."""


class World(NamedTuple):
    """Simulated courses, and all that made them."""

    cohort: Cohort
    parameters: Parameters
    latents: Latents
    told: Told

    def shifted(self, place: Array | int, shift: Float[Array, " n"] | float) -> Float[Array, " n"]:
        """The log-likelihood of each patient with one latent moved."""
        moved = self.latents._replace(person=self.latents.person.at[place].add(shift))
        terms = log_likelihood(moved, self.cohort.patients, self.cohort.designs, self.parameters, self.told)
        return terms.total()


@pytest.fixture(scope="module")
def world() -> World:
    prepared = prepare_arms([arm for arm in load_trials() if arm.row_id in ROWS], patients=300, seed=SEED)
    parameters = assemble(prior_means())
    weeks = simulate_weeks(noise_key(SEED), prepared.cohort, parameters, weeks=150)
    latents = draw_latents(noise_key(SEED), prepared.cohort.patients.number)
    return World(prepared.cohort, parameters, latents, tell(weeks))


@pytest.fixture(scope="module")
def scores(world: World) -> dict[str, np.ndarray]:
    """Derivatives of each patient's log-likelihood by each latent, at the truth."""

    @compiled()
    def score(place: Array) -> Float[Array, " n"]:
        nothing = jnp.zeros(world.latents.person.shape[1])

        def whole(shift: Float[Array, " n"]) -> Float[Array, ""]:
            return world.shifted(place, shift).sum()

        slope = cast("Callable[[Array], Array]", jax.grad(whole))
        return slope(nothing)

    return {name: np.asarray(score(jnp.int32(place))) for name, place in PLACES.items()}


@pytest.mark.xdist_group("likelihood")
@pytest.mark.parametrize("name", PLACES)
def test_the_score_is_zero_on_average_where_the_course_came_from(
    scores: dict[str, np.ndarray], name: str
) -> None:
    # Conditional on the latents the score of a right likelihood has mean zero; its sum over 900 patients, in
    # its own spread, lies beyond 4.5 by chance once in 150,000 times.
    score = scores[name].astype(np.float64)
    assert np.isfinite(score).all()
    assert abs(score.sum() / np.sqrt(np.square(score).sum())) < 4.5


@pytest.mark.xdist_group("likelihood")
def test_the_truth_is_likelier_than_another_patient(world: World) -> None:
    shifted = compiled()(world.shifted)
    at_truth = np.asarray(shifted(0, 0.0)).sum()
    for place, shift in ((0, 0.5), (0, -0.5), (1, 1.5), (1, -1.5), (2, 0.2), (2, -0.2)):
        assert np.asarray(shifted(place, shift)).sum() < at_truth


@pytest.mark.xdist_group("likelihood")
@pytest.mark.parametrize("name", ["growth", "frailty", "seeding"])
def test_slopes_equal_differences(world: World, scores: dict[str, np.ndarray], name: str) -> None:
    step = 0.01
    shifted = compiled()(world.shifted)
    above, below = (np.asarray(shifted(PLACES[name], move), np.float64) for move in (step, -step))
    differences = (above - below) / (2 * step)
    # float32 leaves about 1e-3 of a sum of a hundred weeks; a kink (a switch of what counts) moves few.
    near = np.isclose(scores[name], differences, rtol=0.05, atol=0.3)
    assert near.mean() > 0.97


def test_an_observer_tells_nothing_of_the_truth() -> None:
    told = {name for part in Told.__annotations__.values() for name in part.__annotations__}
    assert not told & {"extent", "brain", "clones", "decline", "growth"}
