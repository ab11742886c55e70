"""Patients of the disease model made by hand, and the assertion that statistics go through."""

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from jaxtyping import Float

from oncoproof.disease.courses.line_effects import LineEffects
from oncoproof.disease.courses.state import ON, State
from oncoproof.disease.courses.traits import CLONES, HARMS_MAX, Traits
from oncoproof.disease.numbers.parameters import Constants, load_constants

Values: TypeAlias = Float[np.ndarray, "..."] | float
"""Numbers of patients, or one for all."""

SIGMAS = 5.0
"""Statistical assertions fail by chance once in 1.7 million: two-sided, normal."""


def require_mean(mean: float, truth: float, *, sd: float, n: float) -> None:
    """The mean of n draws of this spread lies within 5 standard errors of the truth."""
    assert abs(mean - truth) <= SIGMAS * sd / math.sqrt(n), (mean, truth, sd / math.sqrt(n))


def require_share(share: float, truth: float, *, n: float) -> None:
    """A share among n lies within 5 standard errors of the truth."""
    require_mean(share, truth, sd=math.sqrt(max(truth * (1 - truth), 1 / n)), n=n)


def require_same_share(one: float, other: float, *, n_one: float, n_other: float) -> None:
    """Two observed shares lie within 5 standard errors of one another."""
    share = (one * n_one + other * n_other) / (n_one + n_other)
    require_share(one - other + share, share, n=1 / (1 / n_one + 1 / n_other))


def constants(**changed: float) -> Constants:
    """The constants that ship; no error of a reader, limit to growth or acceleration unless asked for."""
    shipped = {row.id: row.prior for row in load_constants()}
    return Constants(
        **{
            name: np.float32(value)
            for name, value in (
                shipped | {"reader_error": 0.0, "capacity": 1e30, "acceleration": 0.0} | changed
            ).items()
        }
    )


def traits(n: int = 1, **changed: Values) -> Traits:
    """Patients who are alike: growth 5 % a week, 100 mm at manifest disease, and chance spares them."""
    never = 1e30
    plain = Traits(
        growth=np.full(n, 0.05, np.float32),
        hazard=np.full(n, 0.01, np.float32),
        background=np.zeros(n, np.float32),
        seeding=np.ones(n, np.float32),
        extent=np.ones(n, np.float32),
        size_mm=np.full(n, 100.0, np.float32),
        brain=np.full(n, 1e-6, np.float32),
        harm=np.ones(n, np.float32),
        sensitivity=np.zeros((1, n), np.float32),
        mechanism=np.zeros((3, n), np.float32),
        resistance=np.zeros((1, n), np.float32),
        evasion_decades=np.full(n, 3.0, np.float32),
        visit_weeks=np.full(n, 6, np.int32),
        death_threshold=np.full(n, never, np.float32),
        seeding_threshold=np.full((2, n), never, np.float32),
        harm_thresholds=np.full((HARMS_MAX, n), never, np.float32),
        harm_fates=np.full((HARMS_MAX, n), 0.5, np.float32),
        illness_threshold=np.full(n, never, np.float32),
        reads=np.zeros((40, n), np.float32),
    )
    columns = {
        name: np.broadcast_to(value, getattr(plain, name).shape).astype(getattr(plain, name).dtype)
        for name, value in changed.items()
    }
    return plain._replace(**columns)


def line(n: int = 1, **changed: Values) -> LineEffects:
    """What a line does that does nothing, except for what is changed."""
    zero = np.zeros(n, np.float32)
    plain = LineEffects(**dict.fromkeys(LineEffects._fields, zero))._replace(
        given=zero + np.float32(1),
        fade=zero + np.float32(1),
        limited_weeks=zero + np.float32(1e6),
        resistant_share=np.zeros((3, n), np.float32),
    )
    columns = {
        name: np.broadcast_to(value, getattr(plain, name).shape) + np.float32(0.0)
        for name, value in changed.items()
    }
    return plain._replace(**columns)


def lines(*each: LineEffects) -> LineEffects:
    """Lines one after the other."""
    return LineEffects(*(np.stack(columns) for columns in zip(*each, strict=True)))


def _first(of: Traits) -> State:
    """As `init`, with nothing to compile."""
    zero = np.zeros(len(of.growth), np.float32)
    none, one = zero.astype(np.int32), zero + np.float32(1)
    whole = {
        "line",
        "phase",
        "week",
        "due",
        "line_week",
        "delay",
        "shrunk",
        "response",
        "reads",
        "next_read",
        "harms",
    }
    plain = State(**{name: none if name in whole else zero for name in State._fields})
    clones = np.zeros((CLONES, len(zero)), np.float32)
    clones[0] = of.extent
    return plain._replace(
        clones=clones,
        brain=np.asarray(of.brain),
        brain_nadir=np.asarray(of.brain),
        dose=one,
        first_dose=one,
        front=one,
    )


def on_treatment(of: Traits, **changed: Values) -> State:
    """Patients in the midst of their first line."""
    plain = _first(of)
    plain = plain._replace(phase=np.full_like(plain.phase, ON), line=np.zeros_like(plain.line))
    columns = {
        name: np.broadcast_to(value, getattr(plain, name).shape).astype(getattr(plain, name).dtype)
        for name, value in changed.items()
    }
    return plain._replace(**columns)


def same(one: Sequence[object], other: Sequence[object]) -> bool:
    """Whether two structures of arrays are equal to the last bit; what is not a number equals itself."""
    pairs = ((np.asarray(a), np.asarray(b)) for a, b in zip(one, other, strict=True))
    return all(np.array_equal(a, b, equal_nan=np.issubdtype(a.dtype, np.floating)) for a, b in pairs)
