"""Densities against sampling, against scipy, and their gradients against finite differences."""

from collections.abc import Callable
from typing import Any, cast

import jax
import numpy as np
import pytest
from scipy import stats

from oncoproof.disease.observations.likelihoods import (
    bernoulli,
    log_normal,
    logistic_normal,
    logit_normal,
    normal,
    or_missing,
    poisson,
    rounded_normal,
    time_to_event,
)
from oncoproof.seeds import Seed

TRUE, FALSE = np.True_, np.False_
STATS, JAX = cast("Any", stats), cast("Any", jax)  # neither tells a checker what it takes
GENERATOR = Seed(20260301).child("likelihoods").generator()


def test_densities_are_those_of_scipy() -> None:
    value = GENERATOR.normal(size=50)
    np.testing.assert_allclose(normal(value, mean=0.3, sd=1.7), STATS.norm.logpdf(value, 0.3, 1.7), rtol=1e-4)
    positive = np.exp(value)
    expected = STATS.lognorm.logpdf(positive, 0.6, scale=np.exp(0.2))
    np.testing.assert_allclose(log_normal(positive, log_mean=0.2, log_sd=0.6), expected, rtol=1e-3, atol=1e-4)
    counts = GENERATOR.poisson(7.5, 50)
    np.testing.assert_allclose(poisson(counts, mean=7.5), STATS.poisson.logpmf(counts, 7.5), rtol=1e-4)


def test_a_truth_and_its_opposite_have_probability_one() -> None:
    both = np.exp(bernoulli(np.array([True, False]), share=0.23))
    np.testing.assert_allclose(both, [0.23, 0.77], rtol=1e-5)


@pytest.mark.parametrize("mean", [0.0, 0.4, 1.7, 3.9])
def test_rounded_values_have_probabilities_that_sum_to_one(mean: float) -> None:
    steps = np.arange(5)
    shares = np.exp(rounded_normal(steps, mean=mean, sd=0.4, low=0, high=4))
    assert float(shares.sum()) == pytest.approx(1.0, abs=1e-5)
    drawn = np.clip(np.floor(GENERATOR.normal(mean, 0.4, 40_000) + 0.5), 0, 4)
    # Four standard errors of a share among 40,000: at most 0.01.
    np.testing.assert_allclose(shares, [(drawn == step).mean() for step in steps], atol=0.01)


def test_density_of_a_share_integrates_to_one() -> None:
    grid = np.linspace(0.0005, 0.9995, 4000)
    density = np.exp(logit_normal(grid, logit_mean=0.5, logit_sd=0.6))
    assert float(np.trapezoid(density, grid)) == pytest.approx(1.0, abs=1e-3)


def test_parts_of_two_are_a_share_with_normal_log_odds() -> None:
    share = np.linspace(0.05, 0.95, 19)
    got = logistic_normal(np.stack([share, 1 - share]), log_means=np.array([[0.4], [-0.2]]), log_sd=0.3)
    expected = logit_normal(share, logit_mean=0.6, logit_sd=0.3 * np.sqrt(2.0))
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


def test_a_part_that_is_not_there_changes_nothing() -> None:
    parts, means = np.array([[0.2], [0.8]]), np.array([[0.1], [0.9]])
    nothing = np.full((1, 1), np.nan)
    alone = logistic_normal(parts, log_means=means, log_sd=0.3)
    beside = logistic_normal(np.vstack([parts, nothing]), log_means=np.vstack([means, nothing]), log_sd=0.3)
    np.testing.assert_allclose(alone, beside, rtol=1e-6)
    assert float(logistic_normal(np.ones((1, 1)), log_means=np.zeros((1, 1)), log_sd=0.3)[0]) == 0.0


def test_what_is_missing_counts_with_its_own_probability() -> None:
    got = or_missing(np.array([-1.0, np.nan]), missing=np.array([False, True]), share=0.1)
    np.testing.assert_allclose(got, [np.log(0.9) - 1.0, np.log(0.1)], rtol=1e-5)


def test_events_and_their_absence_have_probability_one() -> None:
    watched = 20.0
    grid = np.linspace(0.01, watched, 4000)
    law = {"share": 0.6, "log_median": np.log(6.0), "log_sd": 0.8}
    came = float(np.trapezoid(np.exp(time_to_event(grid, happened=np.ones(4000, np.bool_), **law)), grid))
    not_yet = float(np.exp(time_to_event(np.array(watched), happened=FALSE, **law)))
    assert came + not_yet == pytest.approx(1.0, abs=2e-3)


DENSITIES: dict[str, Callable[[Any], Any]] = {
    "normal": lambda x: normal(0.7, mean=x, sd=0.8),
    "log_normal": lambda x: log_normal(2.3, log_mean=x, log_sd=0.5),
    "poisson": lambda x: poisson(4, mean=JAX.numpy.exp(x)),
    "bernoulli": lambda x: bernoulli(FALSE, share=JAX.nn.sigmoid(x)),
    "rounded": lambda x: rounded_normal(2, mean=x, sd=0.5, low=0, high=4),
    "rounded at the end": lambda x: rounded_normal(4, mean=x, sd=0.5, low=0, high=4),
    "logit": lambda x: logit_normal(0.4, logit_mean=x, logit_sd=0.6),
    "parts": lambda x: logistic_normal(
        np.array([0.2, 0.3, 0.5]), log_means=x * np.array([0.0, -0.4, 0.2]), log_sd=0.3
    ),
    "missing": lambda x: or_missing(normal(0.0, mean=x, sd=1.0), missing=TRUE, share=0.2),
    "time": lambda x: time_to_event(5.0, happened=FALSE, share=0.5, log_median=x, log_sd=0.8),
}


@pytest.mark.parametrize("name", DENSITIES)
@pytest.mark.parametrize("at", [0.35, 1.2])
def test_gradients_are_finite_differences(name: str, at: float) -> None:
    density, step = DENSITIES[name], 1e-2
    slope = float(JAX.grad(density)(at))
    difference = float(density(at + step) - density(at - step)) / (2 * step)
    assert np.isfinite(slope)
    assert slope == pytest.approx(difference, rel=5e-3, abs=2e-3)
