"""What a line of treatment does to each patient, week by week.

Rules this module guarantees:

- It follows from traits, parameters and the line's design alone, differentiably.
- Drugs given together act independently: a cell is killed about as fast as by the best of them, so that a
  combination helps those whom one partner does not help.

    >>> rates = jnp.array([[1.0, 2.0], [3.0, 4.0]])
    >>> of_line(rates, jnp.array([0, 1])).tolist()
    [1.0, 4.0]
"""

from functools import cache
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float32, Int32

from oncoproof.disease.courses.traits import Traits
from oncoproof.disease.numbers.effects import (
    EffectKind,
    load_effects,
    sensitivity_groups,
    target_numbers,
)
from oncoproof.disease.numbers.harms import harms_by, load_harms
from oncoproof.disease.numbers.parameters import Constants, Parameters
from oncoproof.disease.numbers.terms import Quantity, concerns, line_terms
from oncoproof.disease.people.covariates import Numbers
from oncoproof.disease.plans.designs import LineDesigns

_SHARPNESS = 4.0
"""Power mean that joins kills: 1 = they add up, infinite = the best alone counts."""

_RESISTANCE_SHARPNESS = 1.5
"""The same for the decades by which resistance is held off. Were mechanisms independent of one another, the
share that resists two drugs would be the product and the decades would add up; many are shared."""


class LineEffects(NamedTuple):
    """What a line does to a patient, week by week; one patient a place."""

    given: Float32[Numbers, "lines n"]
    """1 where anything is given."""
    cytotoxic: Float32[Numbers, "lines n"]
    """Weekly kill rate of cytotoxic drugs that go on."""
    cytotoxic_limited: Float32[Numbers, "lines n"]
    """The same of those that stop after the first phase."""
    fade: Float32[Numbers, "lines n"]
    """Share of cytotoxic kill that is left after a week."""
    limited_weeks: Float32[Numbers, "lines n"]
    """Length of the first phase."""
    targeted: Float32[Numbers, "lines n"]
    """Weekly kill rate of targeted drugs on sensitive cells."""
    targeted_resistant: Float32[Numbers, "lines n"]
    """The same on cells that resist on the target."""
    immune: Float32[Numbers, "lines n"]
    """Weekly kill rate of an immune effect at its full height; 0 = no immune drug."""
    immune_brake: Float32[Numbers, "lines n"]
    """Minus the log of the share of growth that it leaves at its full height."""
    brake: Float32[Numbers, "lines n"]
    """Minus log of the share of the growth rate that cytostatic drugs leave."""
    resistant_share: Float32[Numbers, "lines clones n"]
    """Share of the cells in each resistant clone when a line first aims at its target."""
    evading_share: Float32[Numbers, "lines n"]
    """Share of the cells that evade an immune effect."""
    selects: Float32[Numbers, "lines n"]
    """1 where the clones are parted anew, because the target is new."""
    brain_access: Float32[Numbers, "lines n"]
    """Share of the effect that reaches the brain."""
    harm: Float32[Numbers, "lines n"]
    """Weekly hazard of severe harm at the start of drugs that go on."""
    harm_limited: Float32[Numbers, "lines n"]
    """The same of those that stop after the first phase."""
    stop_share: Float32[Numbers, "lines n"]
    """Share of severe events for which the line is stopped."""
    fatal_share: Float32[Numbers, "lines n"]
    """Share of severe events that kill."""
    reducible: Float32[Numbers, "lines n"]
    """1 where the dose is reduced after a severe event."""


@cache
def _tables() -> dict[str, np.ndarray]:
    """What each effect is, as arrays with one more row at the end for an empty slot."""
    effects = load_effects()
    kinds = list(EffectKind)
    groups = sensitivity_groups()
    related = np.array(
        [[concerns(term, effect.id) for term in line_terms()] for effect in effects], np.float32
    )
    for_kill = np.array([term.quantity is Quantity.KILL for term in line_terms()], np.float32)
    for_durability = np.array([term.quantity is Quantity.DURABILITY for term in line_terms()], np.float32)
    harming = np.array([[harms_by(term, harm) for term in line_terms()] for harm in load_harms()], np.float32)
    mixtures = np.array([effect.mixture or (0.3, 0.6, 0.1) for effect in effects], np.float32)
    return {
        "kind": np.array([*(kinds.index(effect.kind) for effect in effects), -1], np.int32),
        "group": np.array([*(groups.index(effect.target or effect.id) for effect in effects), 0], np.int32),
        "target": np.append(target_numbers(), 0).astype(np.int32),
        "reaches": np.array([*(effect.reaches_on_target for effect in effects), False], np.float32),
        "mixture": np.vstack([mixtures, np.zeros(3, np.float32)]),
        "kill_terms": np.vstack([related * for_kill, np.zeros(len(for_kill), np.float32)]),
        "durability_terms": np.vstack([related * for_durability, np.zeros(len(for_kill), np.float32)]),
        "harm_terms": np.vstack([harming, np.zeros(len(for_kill), np.float32)]),
        "stop": np.array([*(harm.stop_share for harm in load_harms()), 0.0], np.float32),
        "fatal": np.array([*(harm.fatal_share for harm in load_harms()), 0.0], np.float32),
        "reducible": np.array([*(harm.reducible for harm in load_harms()), False], np.float32),
    }


def line_effects(designs: LineDesigns, traits: Traits, parameters: Parameters) -> LineEffects:
    """What each planned line does to each patient."""

    def one(design: LineDesigns) -> LineEffects:
        return _one_line(design, traits, parameters)

    return jax.vmap(one)(designs)


def _one_line(design: LineDesigns, traits: Traits, parameters: Parameters) -> LineEffects:
    constants = parameters.constants
    tables = _tables()
    effect = design.effects  # [n, slots]; -1 takes the last row of each table
    kind = jnp.asarray(tables["kind"])[effect]
    holds = design.terms.astype(jnp.float32)
    adjust_kill = jnp.einsum("nst,nt->ns", jnp.asarray(tables["kill_terms"])[effect], holds * parameters.line)
    adjust_durability = jnp.einsum(
        "nst,nt->ns", jnp.asarray(tables["durability_terms"])[effect], holds * parameters.line
    )
    log_kill = jnp.append(parameters.kill, -30.0)[effect] + adjust_kill
    durability = jnp.append(parameters.durability, 0.0)[effect] + adjust_durability
    sensitivity = jnp.take_along_axis(traits.sensitivity.T, jnp.asarray(tables["group"])[effect], axis=1)
    held = jnp.take_along_axis(traits.resistance.T, jnp.asarray(tables["target"])[effect], axis=1)
    of = {each: kind == number for number, each in enumerate(EffectKind)}
    toxic = jnp.where(
        of[EffectKind.CYTOTOXIC], jnp.exp(log_kill + constants.spread_cytotoxic * sensitivity), 0.0
    )
    aimed = jnp.where(
        of[EffectKind.TARGETED], jnp.exp(log_kill + constants.spread_targeted * sensitivity), 0.0
    )
    reaches = jnp.asarray(tables["reaches"])[effect]
    decades = jnp.where(
        of[EffectKind.TARGETED],
        jax.nn.softplus(4 * (durability + constants.spread_resistance * held)) / 4,
        0.0,
    )
    share = 10.0 ** -_joined(decades, _RESISTANCE_SHARPNESS)
    mixture = _favoured(_mean_of(jnp.asarray(tables["mixture"])[effect], of[EffectKind.TARGETED]), traits)
    fade = _mean_of(durability[..., None], of[EffectKind.CYTOTOXIC])[..., 0]
    harms = _harms(design, traits, parameters)
    return LineEffects(
        given=design.given.astype(jnp.float32),
        cytotoxic=_joined(jnp.where(design.limited, 0.0, toxic)),
        cytotoxic_limited=_joined(jnp.where(design.limited, toxic, 0.0)),
        fade=jnp.exp(-jnp.exp(fade)),
        limited_weeks=design.limited_weeks,
        targeted=_joined(aimed),
        targeted_resistant=_joined(aimed * reaches),
        **_immune(of, log_kill, durability, sensitivity, constants),
        brake=jnp.sum(jnp.where(of[EffectKind.CYTOSTATIC], jnp.exp(log_kill), 0.0), axis=1),
        resistant_share=(share[:, None] * mixture).T,
        evading_share=10.0 ** -jnp.maximum(traits.evasion_decades, 0.05),
        selects=(design.new_target & (of[EffectKind.TARGETED].any(axis=1))).astype(jnp.float32),
        brain_access=design.brain_access,
        **harms,
    )


def _joined(rates: Float32[Array, "n slots"], sharpness: float = _SHARPNESS) -> Float32[Array, " n"]:
    """Effects given together: nearly the best of them alone, as independent action has it."""
    whole = jnp.sum(rates**sharpness, axis=1)
    # The root of nothing has no slope that is a number, and would leave none to what stands behind it.
    return jnp.where(whole > 0, jnp.where(whole > 0, whole, 1.0) ** (1 / sharpness), 0.0)


def _favoured(mixture: Float32[Array, "n mechanisms"], traits: Traits) -> Float32[Array, "n mechanisms"]:
    """How resistant cells part: in each patient one mechanism prevails, as often as the mixture says."""
    favour = jnp.log(jnp.maximum(mixture, 1e-6)) + traits.mechanism.T
    return jax.nn.softmax(favour / _FAVOUR, axis=1) * (mixture.sum(axis=1) > 0)[:, None]


_FAVOUR = 0.4
"""How much of a minority other mechanisms are: towards 0 there is one mechanism only in each patient."""


def _mean_of(values: Float32[Array, "n slots k"], chosen: Bool[Array, "n slots"]) -> Float32[Array, "n k"]:
    weight = chosen.astype(jnp.float32)
    return jnp.einsum("nsk,ns->nk", values, weight) / jnp.maximum(weight.sum(axis=1), 1.0)[:, None]


def _immune(
    of: dict[EffectKind, Bool[Array, "n slots"]],
    log_kill: Float32[Array, "n slots"],
    durability: Float32[Array, "n slots"],
    sensitivity: Float32[Array, "n slots"],
    constants: Constants,
) -> dict[str, Float32[Array, " n"]]:
    """What immune drugs do: they kill where they work in the patient, and slow growth where they may."""
    boost = jnp.sum(jnp.where(of[EffectKind.IMMUNE_BOOST], durability, 0.0), axis=1, keepdims=True)
    works = jax.nn.sigmoid(constants.immune_slope * (durability + boost + sensitivity))
    # More patients are slowed than shrink, but not those in whom the drug has no business.
    slows = constants.immune_brake * jax.nn.sigmoid(constants.immune_slope * (durability + boost) + 1.0)
    return {
        "immune": _joined(jnp.where(of[EffectKind.IMMUNE], jnp.exp(log_kill) * works, 0.0)),
        "immune_brake": jnp.max(jnp.where(of[EffectKind.IMMUNE], slows, 0.0), axis=1),
    }


def _harms(design: LineDesigns, traits: Traits, parameters: Parameters) -> dict[str, Float32[Array, " n"]]:
    tables = _tables()
    held = design.terms.astype(jnp.float32) * parameters.line
    adjust = jnp.einsum("nst,nt->ns", jnp.asarray(tables["harm_terms"])[design.harms], held)
    rate = jnp.exp(jnp.append(parameters.harm, -30.0)[design.harms] + adjust)
    whole = jnp.maximum(rate.sum(axis=1), 1e-12)
    weight = rate / whole[:, None]
    scaled = rate * traits.harm[:, None]
    return {
        "harm": jnp.sum(jnp.where(design.harms_limited, 0.0, scaled), axis=1),
        "harm_limited": jnp.sum(jnp.where(design.harms_limited, scaled, 0.0), axis=1),
        "stop_share": jnp.sum(weight * jnp.asarray(tables["stop"])[design.harms], axis=1),
        "fatal_share": jnp.sum(weight * jnp.asarray(tables["fatal"])[design.harms], axis=1),
        "reducible": jnp.sum(weight * jnp.asarray(tables["reducible"])[design.harms], axis=1),
    }


def current(effects: LineEffects, line: Int32[Array, " n"]) -> LineEffects:
    """The effects of each patient's present line, the first where none has begun."""
    return LineEffects(*(of_line(values, line) for values in effects))


def of_line(values: Float32[Array, "lines *rest n"], line: Int32[Array, " n"]) -> Float32[Array, "*rest n"]:
    """What holds in each patient's present line, out of what holds in each line."""
    chosen = values[0]
    for number in range(1, values.shape[0]):
        chosen = jnp.where(line == number, values[number], chosen)
    return chosen
