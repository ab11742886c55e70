"""Exogenous noise: what a draw depends on, and how draws are spread."""

import jax.numpy as jnp
import numpy as np
import pytest

from disease_patients import require_mean
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.noise import Channel, noise_key
from oncoproof.disease.courses.noise import normals as eager_normals
from oncoproof.disease.courses.noise import uniforms as eager_uniforms
from oncoproof.seeds import Seed

uniforms, normals = (compiled("channel", "places")(each) for each in (eager_uniforms, eager_normals))
KEY = noise_key(Seed(11))
PEOPLE = np.arange(200, dtype=np.int32)
N, PLACES = 20_000, 4


def test_a_draw_is_the_same_whoever_else_is_drawn_and_however_many_places() -> None:
    whole = np.asarray(uniforms(KEY, PEOPLE, Channel.FATE, places=9))
    some = np.asarray(uniforms(KEY, PEOPLE[::-7], Channel.FATE, places=3))
    assert np.array_equal(some, whole[:3, ::-7])


def test_a_draw_is_the_same_from_whichever_place_one_begins() -> None:
    whole = np.asarray(uniforms(KEY, PEOPLE, Channel.HARM, places=12))
    later = np.asarray(uniforms(KEY, PEOPLE, Channel.HARM, places=5, first=6))
    assert np.array_equal(later, whole[6:11])
    starts = jnp.where(PEOPLE % 2 == 0, 0, 4)
    own = np.asarray(uniforms(KEY, PEOPLE, Channel.HARM, places=2, first=starts))
    assert np.array_equal(own, np.where(PEOPLE % 2 == 0, whole[:2], whole[4:6]))


@pytest.mark.parametrize("other", ["seed", "number", "channel", "place"])
def test_another_seed_number_channel_or_place_is_another_draw(other: str) -> None:
    """Of 200 draws of 23 bits one agrees by chance once in 40,000."""
    first = np.asarray(uniforms(KEY, PEOPLE, Channel.LATENT, places=2))[0]
    second = {
        "seed": lambda: uniforms(noise_key(Seed(12)), PEOPLE, Channel.LATENT, places=2)[0],
        "number": lambda: uniforms(KEY, PEOPLE + 1_000_000, Channel.LATENT, places=2)[0],
        "channel": lambda: uniforms(KEY, PEOPLE, Channel.FATE, places=2)[0],
        "place": lambda: uniforms(KEY, PEOPLE, Channel.LATENT, places=2)[1],
    }[other]()
    assert not (first == np.asarray(second)).any()


def test_uniform_draws_are_uniform() -> None:
    drawn = np.asarray(uniforms(KEY, np.arange(N, dtype=np.int32), Channel.READER, places=PLACES), np.float64)
    assert 0 < drawn.min() < drawn.max() < 1
    require_mean(float(drawn.mean()), 1 / 2, sd=np.sqrt(1 / 12), n=drawn.size)
    require_mean(float(np.square(drawn).mean()), 1 / 3, sd=np.sqrt(1 / 5 - 1 / 9), n=drawn.size)
    for place in range(1, PLACES):
        product = float((drawn[0] * drawn[place]).mean())
        require_mean(product, 1 / 4, sd=np.sqrt(1 / 9 - 1 / 16), n=N)


def test_normal_draws_are_normal() -> None:
    drawn = np.asarray(normals(KEY, np.arange(N, dtype=np.int32), Channel.LATENT, places=PLACES), np.float64)
    for power, moment, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15), (4, 3, 96)):
        require_mean(float((drawn**power).mean()), moment, sd=np.sqrt(variance), n=drawn.size)
