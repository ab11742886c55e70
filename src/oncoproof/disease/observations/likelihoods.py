"""Closed-form log densities of everything that is observed, given what is so.

Rules this module guarantees:

- Each density is differentiable in its location and scale; none is truncated without saying so.
- A measurement that is missing counts with the probability that it is missing, and with nothing else.

    >>> round(float(normal(jnp.array(1.0), mean=jnp.array(0.0), sd=jnp.array(1.0))), 4)
    -1.4189
"""

import jax
import jax.numpy as jnp
from jax.scipy.special import gammaln, ndtr
from jax.scipy.stats import norm
from jaxtyping import Array, Bool, Float, Int

from oncoproof.disease.people.covariates import Numbers

_TINY = 1e-30


def normal(value: Numbers, *, mean: Numbers, sd: Numbers) -> Float[Array, "..."]:
    """Log density of a normal value."""
    return norm.logpdf(jnp.asarray(value), jnp.asarray(mean), jnp.asarray(sd))


def log_normal(value: Numbers, *, log_mean: Numbers, log_sd: Numbers) -> Float[Array, "..."]:
    """Log density of a value whose logarithm is normal."""
    logarithm = jnp.log(jnp.asarray(value))
    return norm.logpdf(logarithm, jnp.asarray(log_mean), jnp.asarray(log_sd)) - logarithm


def bernoulli(holds: Bool[Array, "..."] | Numbers, *, share: Numbers) -> Float[Array, "..."]:
    """Log probability of a truth."""
    probability = jnp.clip(jnp.asarray(share), _TINY, 1 - 1e-7)
    return jnp.where(jnp.asarray(holds), jnp.log(probability), jnp.log1p(-probability))


def poisson(count: Int[Array, "..."] | Numbers, *, mean: Numbers) -> Float[Array, "..."]:
    """Log probability of a count."""
    number, expected = jnp.asarray(count, jnp.float32), jnp.asarray(mean)
    return number * jnp.log(expected) - expected - gammaln(number + 1)


def rounded_normal(value: Numbers, *, mean: Numbers, sd: Numbers, low: int, high: int) -> Float[Array, "..."]:
    """Log probability of an integer that a normal value is rounded to; the ends take the tails."""
    number, centre, spread = jnp.asarray(value, jnp.float32), jnp.asarray(mean), jnp.asarray(sd)
    above = jnp.where(number >= high, jnp.inf, (number + 0.5 - centre) / spread)
    below = jnp.where(number <= low, -jnp.inf, (number - 0.5 - centre) / spread)
    # Differences of tails on the side of the mean where they are small, for the sake of precision.
    upper = below > 0
    share = jnp.where(upper, ndtr(-below) - ndtr(-above), ndtr(above) - ndtr(below))
    return jnp.log(jnp.maximum(share, _TINY))


def logit_normal(value: Numbers, *, logit_mean: Numbers, logit_sd: Numbers) -> Float[Array, "..."]:
    """Log density of a share whose log odds are normal."""
    share = jnp.asarray(value)
    logit = jnp.log(share) - jnp.log1p(-share)
    return norm.logpdf(logit, jnp.asarray(logit_mean), jnp.asarray(logit_sd)) - jnp.log(share * (1 - share))


def logistic_normal(
    parts: Float[Array, "parts ..."] | Numbers, *, log_means: Numbers, log_sd: Numbers
) -> Float[Array, "..."]:
    """Log density of parts that sum to 1: independent normal log sizes, divided by their sum.

    Args:
        parts: The parts, above 0; the last is fixed by the others. NaN = there is no such part.
        log_means: Means of the log sizes; a shift of them all changes nothing.
        log_sd: Standard deviation of each log size.
    """
    shares, means = jnp.asarray(parts), jnp.asarray(log_means)
    there = ~jnp.isnan(shares)
    count = there.sum(axis=0)
    safe = jnp.where(there, shares, 1.0)
    gap = jnp.where(there, jnp.log(safe) - means, 0.0)
    spread = jnp.where(there, jnp.square(gap - gap.sum(axis=0) / jnp.maximum(count, 1)), 0.0).sum(axis=0)
    free = count - 1
    normaliser = free * jnp.log(jnp.asarray(log_sd)) + 0.5 * free * jnp.log(2 * jnp.pi)
    jacobian = jnp.where(there, jnp.log(safe), 0.0).sum(axis=0)
    density = -0.5 * spread / jnp.square(log_sd) - normaliser - 0.5 * jnp.log(jnp.maximum(count, 1))
    return jnp.where(free > 0, density - jacobian, 0.0)


def or_missing(density: Numbers, *, missing: Bool[Array, "..."] | Numbers, share: Numbers) -> Array:
    """Log probability of a measurement that is missing in a share of cases, whatever it would have been."""
    there = jnp.log1p(-jnp.asarray(share)) + jnp.where(jnp.asarray(missing), 0.0, jnp.asarray(density))
    return jnp.where(jnp.asarray(missing), jnp.log(jnp.asarray(share)), there)


def time_to_event(
    weeks: Numbers,
    *,
    happened: Bool[Array, "..."] | Numbers,
    share: Numbers,
    log_median: Numbers,
    log_sd: Numbers,
) -> Float[Array, "..."]:
    """Log probability of an event that comes to a share of patients after a log-normal time, or has not yet.

    Args:
        weeks: When it came, or how long it was watched for; above 0.
        happened: Whether it came.
        share: Of the patients to whom it comes if they are watched for ever.
        log_median: Log of the median time of those.
        log_sd: Standard deviation of the log of that time.
    """
    time, spread = jnp.asarray(weeks), jnp.asarray(log_sd)
    by_then = jnp.asarray(share) * ndtr((jnp.log(time) - jnp.asarray(log_median)) / spread)
    density = jnp.log(jnp.asarray(share)) + log_normal(time, log_mean=log_median, log_sd=log_sd)
    return jnp.where(jnp.asarray(happened), density, jnp.log1p(-jax.lax.clamp(0.0, by_then, 1.0 - 1e-6)))
