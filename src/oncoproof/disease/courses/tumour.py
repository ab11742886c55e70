"""How a tumour grows and shrinks: clones under drugs, in body and brain, and what that does to life.

Rules this module guarantees:

- Nothing here knows of chance or of scans: given traits and what is given, the tumour is determined, so that
  the likelihood of what was observed walks the same tumour as the simulation.
- Everything is differentiable in parameters and traits.

    >>> traits = Traits(**dict.fromkeys(Traits._fields, jnp.ones(1)))
    >>> before, after, relative = jnp.array([[1.0], [1.5], [1.0]])
    >>> seeding_rate(before, after, relative, traits).tolist()
    [0.5]
    >>> seeding_rate(after, before, relative, traits).tolist()
    [0.0]
"""

from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float32

from oncoproof.disease.courses.line_effects import LineEffects
from oncoproof.disease.courses.traits import CLONES, Traits
from oncoproof.disease.numbers.parameters import Constants
from oncoproof.disease.people.covariates import Numbers

_LEAST = 1e-12
"""Extent that no clone falls below: its square is still a number."""

_HARDENED_MOST = 2.0
"""Beyond two treatments outlived, growth is as fast as it gets."""


class Tumour(NamedTuple):
    """The part of the state that `grow` moves."""

    clones: Float32[Numbers, "clones n"]
    """Extent of each clone."""
    brain: Float32[Numbers, " n"]
    """Extent in the brain."""
    toxic: Float32[Numbers, " n"]
    """Share of the cytotoxic kill that has not faded."""
    immune: Float32[Numbers, " n"]
    """How far immunity is awake."""
    hardened: Float32[Numbers, " n"]
    """How often cells have outlived cytotoxic drugs, up to twice: those that do grow faster."""
    vigour: Float32[Numbers, " n"]
    """Log of the pace at which sensitive cells strive to grow, against that of the same cells untreated."""


class Exposure(NamedTuple):
    """What of a line reaches the patient in a week."""

    in_line: Bool[Numbers, " n"]
    """Whether a line is under way and not stopped."""
    given: Float32[Numbers, " n"]
    """1 where the drug is given this week."""
    dose: Float32[Numbers, " n"]
    """As a share of the planned one."""
    first_phase: Bool[Numbers, " n"]
    """Whether the drugs of the first phase are still given."""
    immune_kill: Float32[Numbers, " n"]
    """Weekly kill by immunity that is fully awake."""
    immune_brake: Float32[Numbers, " n"]
    """Minus the log of the share of growth that it leaves."""


def part_clones(
    clones: Float32[Array, "clones n"],
    now: LineEffects,
    started: Bool[Array, " n"],
    *,
    hides: Bool[Array, " n"],
) -> Float32[Array, "clones n"]:
    """The clones as a line that starts finds them."""
    whole = clones.sum(axis=0)
    resistant = now.resistant_share * whole
    parted = jnp.concatenate([(whole - resistant.sum(axis=0))[None], resistant])
    clones = jnp.where(started & (now.selects > 0), parted, clones)
    evading = jnp.maximum(clones[3], now.evading_share * whole)
    kept = (whole - evading) / jnp.maximum(whole - clones[3], _LEAST)
    hidden = jnp.concatenate([clones[:3] * kept, evading[None]])
    return jnp.where(hides, hidden, clones)


def grow(
    tumour: Tumour, traits: Traits, now: LineEffects, constants: Constants, exposure: Exposure
) -> Tumour:
    """A week of growth and kill of every clone, in the body and in the brain."""
    level = exposure.dose * exposure.given
    toxic = (
        (now.cytotoxic + jnp.where(exposure.first_phase, now.cytotoxic_limited, 0.0)) * tumour.toxic * level
    )
    woken = exposure.in_line & (now.immune_brake > 0)
    aim = jnp.where(woken, 1.0, jnp.where(exposure.immune_kill > 0, constants.immune_memory, 0.0))
    awake = tumour.immune + (aim - tumour.immune) / constants.immune_delay_weeks
    immune = awake * exposure.immune_kill
    aimed, aimed_resistant = now.targeted * level, now.targeted_resistant * level
    whole = tumour.clones.sum(axis=0)
    # Cytostatic drugs take their share of the growth, not a fixed amount: slow tumours stay slow.
    slowed = now.brake * exposure.given + exposure.immune_brake * awake
    vigour = constants.acceleration * tumour.hardened - slowed
    pace = traits.growth * jnp.exp(vigour)
    resisting = jnp.exp(constants.acceleration)
    growth = pace / (1 + whole / constants.capacity)
    kills = jnp.stack([
        _best(toxic, aimed, immune), _best(toxic, aimed_resistant, immune), _best(toxic, 0.0, immune), toxic
    ])  # fmt: skip
    turned = constants.acquisition * (aimed > 0) * tumour.clones[0]
    faster = jnp.stack([growth, *[resisting * growth] * (CLONES - 1)])
    grown = tumour.clones * jnp.exp(faster - kills)
    clones = jnp.stack([grown[0] - turned, grown[1], grown[2] + turned, grown[3]])
    mean_kill = jnp.sum(kills * tumour.clones, axis=0) / whole
    brain_growth = pace / (1 + tumour.brain / constants.capacity)
    brain = tumour.brain * jnp.exp(brain_growth - now.brain_access * mean_kill)
    clones, brain = jnp.maximum(clones, _LEAST), jnp.maximum(brain, 1e-9)
    fading = jnp.where(exposure.given > 0, tumour.toxic * now.fade, tumour.toxic)
    outlived = jnp.where(toxic > 0, tumour.toxic - fading, 0.0)
    return Tumour(
        clones=clones,
        brain=brain,
        toxic=fading,
        immune=awake,
        hardened=jnp.minimum(tumour.hardened + outlived, _HARDENED_MOST),
        vigour=vigour,
    )


def _best(toxic: Array, aimed: Array | float, immune: Array) -> Array:
    """Nearly the best of three kills: independent action, smooth where two are alike."""
    return jnp.sqrt(jnp.sqrt(_fourth(toxic) + _fourth(aimed) + _fourth(immune) + 1e-20))


def _fourth(value: Array | float) -> Array:
    return jnp.square(jnp.square(value))


def seeding_rate(
    before: Float32[Array, " n"], after: Float32[Array, " n"], relative: Float32[Array, " n"], traits: Traits
) -> Float32[Array, " n"]:
    """Weekly hazard of a new lesion: what was too small to see appears as fast as the tumour grows."""
    return traits.seeding * relative * jnp.maximum(after / before - 1, 0.0)


def death_rate(tumour: Tumour, traits: Traits, constants: Constants) -> Float32[Array, " n"]:
    """Weekly hazard of death: of the tumour in body and brain and of its pace, and of age."""
    extent = tumour.clones.sum(axis=0)
    load = _power(extent, constants.hazard_power) + _power(tumour.brain, constants.hazard_power)
    strain = (constants.hazard_floor + load) * jnp.exp(constants.hazard_vigour * tumour.vigour)
    return traits.hazard * strain + traits.background


def _power(base: Float32[Array, " n"], exponent: Array) -> Float32[Array, " n"]:
    """A power of what is above 0, by way of the logarithm: that is computed for many patients at once."""
    return jnp.exp(exponent * jnp.log(base))
