"""Slopes of the latent course by every free number: finite, and those of finite differences.

The model computes in float32: differences of 5 % of a prior's spread on either side are exact to about
2e-4 of the functional's own scale, and to a hundredth by their curvature.
"""

from typing import TYPE_CHECKING, cast

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jaxtyping import Array, Float

from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.line_effects import current, line_effects
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.traits import CLONES, draw_traits
from oncoproof.disease.courses.tumour import Exposure, Tumour, grow, part_clones
from oncoproof.disease.numbers.parameters import assemble, free_names, prior_means, prior_sds
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.disease.plans.designs import design_lines
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

if TYPE_CHECKING:
    from collections.abc import Callable

WEEKS = 20
PEOPLE = Subjects.of_rows(
    [
        {"disease": "nsclc", "EGFR": "l858r", "line": 1, "age_years": 60, "sex": "female"},
        {"disease": "nsclc", "EGFR": "wt", "PDL1_TPS": 60.0, "line": 1, "age_years": 66, "sex": "male"},
        {"disease": "breast", "HR": "positive", "HER2": "zero", "line": 2, "sex": "female"},
        {"disease": "crc", "RAS": "wt", "line": 1, "sex": "male"},
    ]
)
REGIMENS = (
    "osimertinib",
    "carboplatin+pembrolizumab+pemetrexed",
    "letrozole+palbociclib",
    "bevacizumab+fluorouracil+irinotecan+leucovorin",
)


def _latent_course(free: Float[Array, " free"]) -> Float[Array, ""]:
    """The mean log of the tumour, in body and brain, and of what it did, after 20 weeks of treatment."""
    parameters = assemble(free)
    n = PEOPLE.rows
    designs = design_lines(PEOPLE, REGIMENS, np.arange(n, dtype=np.int32)[None])
    people = covariates_of(PEOPLE, np.arange(n, dtype=np.int32))
    who = draw_traits(noise_key(Seed(5)), people, parameters, lines=1, weeks=WEEKS)
    effects = line_effects(designs, who, parameters)
    now = current(effects, jnp.zeros(n, jnp.int32))
    yes, one = jnp.ones(n, jnp.bool_), jnp.ones(n)
    exposure = Exposure(yes, one, one, yes, now.immune, now.immune_brake)
    clones = jnp.zeros((CLONES, n)).at[0].set(who.extent)
    clones = part_clones(clones, now, yes, hides=now.immune_brake > 0)

    def week(tumour: Tumour, _: None) -> tuple[Tumour, None]:
        return grow(tumour, who, now, parameters.constants, exposure), None

    end, _ = jax.lax.scan(week, Tumour(clones, who.brain, one, 0 * one, 0 * one, 0 * one), length=WEEKS)
    return jnp.mean(jnp.log(end.clones.sum(axis=0)) + 0.1 * jnp.log(end.brain) + 0.1 * end.vigour)


@pytest.fixture(scope="module")
def slopes() -> tuple[np.ndarray, np.ndarray]:
    """Derivatives by JAX and by central differences, each for a prior's spread."""
    free, sds = prior_means(), prior_sds()
    slope = compiled()(cast("Callable[[Array], Array]", jax.grad(_latent_course)))
    exact = np.asarray(slope(jnp.asarray(free, jnp.float32)), np.float64) * sds
    step = 0.05
    moved = np.concatenate([free + step * np.diag(sds), free - step * np.diag(sds)])
    values = compiled()(jax.vmap(_latent_course))(jnp.asarray(moved, jnp.float32))
    above, below = np.split(np.asarray(values, np.float64), 2)
    return exact, (above - below) / (2 * step)


@pytest.mark.xdist_group("gradients")
def test_every_slope_is_a_number(slopes: tuple[np.ndarray, np.ndarray]) -> None:
    exact, _ = slopes
    assert not [name for name, slope in zip(free_names(), exact, strict=True) if not np.isfinite(slope)]


@pytest.mark.xdist_group("gradients")
def test_slopes_are_those_of_finite_differences(slopes: tuple[np.ndarray, np.ndarray]) -> None:
    exact, differences = slopes
    assert exact == pytest.approx(differences, rel=0.02, abs=5e-4)


@pytest.mark.xdist_group("gradients")
def test_what_can_matter_does_and_what_cannot_does_not(slopes: tuple[np.ndarray, np.ndarray]) -> None:
    exact = dict(zip(free_names(), slopes[0], strict=True))
    assert exact["kill:osimertinib.egfr"] < -1e-3
    assert exact["term:growth.nsclc"] > 1e-3
    assert exact["term:growth.melanoma"] == 0.0
