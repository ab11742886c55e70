"""What a drug does to a cancer, by drug or class × biomarker context × disease.

Rules this module guarantees:

- An effect never names a trial. Its context is an expression over the patient; the first row that fits a
  drug and a patient holds; a drug that no row fits does nothing.
- An effect's two numbers, how hard it kills and how long that lasts, are its own deviation added to those
  of its parent: a drug within its class within its kind.
- What `durability` means is said by the kind.

    >>> effects = load_effects()
    >>> [effect.id for effect in effects if "osimertinib" in effect.drugs]
    ['osimertinib.egfr']
    >>> lineage("osimertinib.egfr")
    ('inhibitor', 'egfr_inhibitor', 'osimertinib.egfr')
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.expressions import Expression, parse_expression
from oncoproof.knowledge.medicines import classes_of, load_drugs
from oncoproof.knowledge.subjects import load_vocabulary
from oncoproof.knowledge.tables import Basis, parse_csv

_FILE = "effects.csv"


class EffectKind(StrEnum):
    """How a drug works, as far as the model tells kinds apart."""

    CYTOTOXIC = "cytotoxic"
    """Kills every clone; durability = log of the weekly rate at which the kill fades."""
    TARGETED = "targeted"
    """Kills what depends on its target; durability = minus log10 of the resistant share at its start."""
    CYTOSTATIC = "cytostatic"
    """Slows every clone as long as it is given; exp(kill) = minus the log of the share of growth
    that is left; durability is not used."""
    IMMUNE = "immune"
    """Kills after a delay and goes on when stopped, in those it works in; durability = log odds of that."""
    IMMUNE_BOOST = "immune_boost"
    """Raises the log odds of an immune drug by its durability; its kill is not used."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One row of the table of effects."""

    id: str
    """Unique."""
    parent: str | None
    """The effect it deviates from; None = it stands alone."""
    drugs: tuple[str, ...]
    """Drugs or classes; empty = it is only a parent."""
    kind: EffectKind
    """How it works."""
    target: str
    """What the cancer depends on that the drug takes away; empty = none, it kills whatever divides."""
    when: str
    """Whom it concerns, in the language of rules; empty = everybody."""
    kill: float
    """Prior mean: log of the weekly kill rate, or its deviation from the parent's."""
    kill_sd: float
    """Prior standard deviation; 0 = not a parameter."""
    durability: float
    """Prior mean of what the kind says, or its deviation from the parent's."""
    durability_sd: float
    """Prior standard deviation; 0 = not a parameter."""
    mixture: tuple[float, ...]
    """Shares of resistance on target, by bypass, by transformation or immune evasion; empty = none."""
    reaches_on_target: bool
    """Whether it also kills the clone that resists earlier drugs of its target on the target."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_effects() -> tuple[Effect, ...]:
    """Every effect, parents before children, in the order in which they are tried."""
    text = read_data(_FILE)
    effects = parse_csv(text, "effects", Effect, where=_FILE, family="oncoproof.disease")
    seen: set[str] = set()
    for effect in effects:
        if effect.id in seen or (effect.parent and effect.parent not in seen):
            raise IntegrityError(
                where=f"{_FILE} {effect.id}",
                came=f"parent {effect.parent!r}",
                expected="each id once, and a parent above its children",
                remedy="reorder or rename the rows",
            )
        seen.add(effect.id)
    return effects


def read_data(name: str) -> str:
    """The text of a data file of the disease model."""
    return resources.files("oncoproof.disease").joinpath(f"data/{name}").read_text(encoding="utf-8")


@cache
def effects_by_id() -> Mapping[str, Effect]:
    """Every effect by its id."""
    return MappingProxyType({effect.id: effect for effect in load_effects()})


def lineage(id_: str) -> tuple[str, ...]:
    """The ids of an effect's ancestors, oldest first, and its own."""
    effect = effects_by_id()[id_]
    return (*(lineage(effect.parent) if effect.parent else ()), effect.id)


@cache
def effects_of(drug: str) -> tuple[Effect, ...]:
    """The effects that may hold for a drug, in the order in which they are tried."""
    words = {drug, *(classes_of(drug) if drug in load_drugs() else ())}
    return tuple(effect for effect in load_effects() if words & set(effect.drugs))


@cache
def context_of(when: str) -> Expression | None:
    """A context as an expression; None = everybody."""
    return parse_expression(when, load_vocabulary(), where=_FILE) if when else None


@cache
def effect_numbers() -> Mapping[str, int]:
    """The number of each effect in `load_effects`."""
    return MappingProxyType({effect.id: number for number, effect in enumerate(load_effects())})


@cache
def targets() -> tuple[str, ...]:
    """What drugs aim at, each once; the empty word comes first."""
    return ("", *sorted({effect.target for effect in load_effects()} - {""}))


@cache
def target_numbers() -> NDArray[np.int32]:
    """For each effect the number of its target."""
    return np.array([targets().index(effect.target) for effect in load_effects()], np.int32)


@cache
def sensitivity_groups() -> tuple[str, ...]:
    """Groups of effects to which a patient is alike sensitive: those of a target, or the effect alone."""
    return tuple(dict.fromkeys(effect.target or effect.id for effect in load_effects()))
