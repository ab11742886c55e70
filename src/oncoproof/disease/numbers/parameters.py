"""The numbers of the model: their names, priors, fitted values, and the form in which it computes with them.

Rules this module guarantees:

- Every number has a name (`kill:osimertinib.egfr`, `term:growth.nsclc`, `constant:spread_growth`), a prior
  with a source, and no trial in its name.
- A vector of the free numbers, in the order of `free_names()`, is all that calibration moves; `assemble`
  makes of it what the model computes with, differentiably.

    >>> names = free_names()
    >>> "kill:osimertinib.egfr" in names, "constant:capacity" in names
    (True, False)
    >>> parameters = assemble(prior_means())
    >>> float(parameters.constants.capacity)
    30.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float32
from numpy.typing import NDArray

from oncoproof.disease.numbers.effects import load_effects, read_data
from oncoproof.disease.numbers.harms import load_harms
from oncoproof.disease.numbers.terms import line_terms, personal_terms
from oncoproof.knowledge.tables import Basis, parse_csv


class Constants(NamedTuple):
    """Numbers that hold for everybody, on the device or beside it; `constants.csv` names their sources."""

    spread_growth: Float[Any, ""]
    """Standard deviation between patients of the log of the growth rate."""
    spread_frailty: Float[Any, ""]
    """Standard deviation between patients of the log of the hazard of death."""
    spread_size: Float[Any, ""]
    """Standard deviation between patients of the log of the sum of diameters at the start."""
    size_mm: Float[Any, ""]
    """Median sum of target diameters at the start."""
    spread_cytotoxic: Float[Any, ""]
    """Standard deviation between patients of the log of cytotoxic kill."""
    spread_targeted: Float[Any, ""]
    """Standard deviation between patients of the log of targeted kill."""
    shared_sensitivity: Float[Any, ""]
    """Correlation of a patient's sensitivity to drugs of different kinds."""
    spread_resistance: Float[Any, ""]
    """Standard deviation between patients of the strength with which resistance is held off (decades of
    the resistant share)."""
    acquisition: Float[Any, ""]
    """Weekly share of sensitive cells that turn resistant under a targeted drug."""
    immune_slope: Float[Any, ""]
    """How sharply patients part into those in whom an immune drug works and the others."""
    immune_delay_weeks: Float[Any, ""]
    """Weeks in which an immune drug builds up its effect."""
    immune_memory: Float[Any, ""]
    """Part of awakened immunity that stays when the drug is stopped."""
    immune_brake: Float[Any, ""]
    """Minus log of the share of growth that awakened immunity leaves where it works in everybody."""
    evasion_decades: Float[Any, ""]
    """Mean of minus log10 of the share of cells that evade an immune drug."""
    spread_evasion: Float[Any, ""]
    """Standard deviation between patients of those decades."""
    hazard_floor: Float[Any, ""]
    """Hazard of death of a patient without tumour as a share of that at manifest disease."""
    hazard_power: Float[Any, ""]
    """Power of the extent with which what the tumour does to the patient grows."""
    acceleration: Float[Any, ""]
    """Log of the growth rate of cells that outlived a drug against that of cells that met none."""
    hazard_vigour: Float[Any, ""]
    """Power of the tumour's pace, against its pace untreated, with which the hazard of death grows."""
    hazard_growth: Float[Any, ""]
    """Correlation of frailty with the growth rate."""
    capacity: Float[Any, ""]
    """Extent at which a tumour grows at half the rate of a small one, as a multiple of manifest disease."""
    reader_error: Float[Any, ""]
    """Standard deviation of the log of a reading of the sum of diameters."""
    harm_fall_weeks: Float[Any, ""]
    """Weeks in which the rate of severe harm falls by two thirds towards its lasting level."""
    harm_lasting: Float[Any, ""]
    """Rate of severe harm of a long treatment as a share of that at its start."""
    harm_background: Float[Any, ""]
    """Log of the severe events that no drug causes to be expected for each death to be expected."""
    spread_harm: Float[Any, ""]
    """Standard deviation between patients of the log of the rate of severe harm."""
    dose_step: Float[Any, ""]
    """Dose after one reduction as a share of the dose before."""
    hold_weeks: Float[Any, ""]
    """Weeks without the drug after a severe event."""


class Parameters(NamedTuple):
    """All numbers, as the model computes with them."""

    kill: Float[Array, " effects"]
    """Log of the weekly kill rate of each effect, with its ancestors' added."""
    durability: Float[Array, " effects"]
    """What the kind of each effect calls durability."""
    harm: Float[Array, " harms"]
    """Log of the weekly hazard of severe harm of each drug at the start."""
    personal: Float[Array, " personal"]
    """Each term of the patient's disease, in the order of `personal_terms`."""
    line: Float[Array, " lineterms"]
    """Each term of what a drug does, in the order of `line_terms`."""
    constants: Constants
    """Numbers that hold for every patient."""


@dataclass(frozen=True, slots=True)
class Prior:
    """What is thought of a number before calibration."""

    name: str
    """`kill:ID`, `durability:ID`, `harm:ID`, `term:ID` or `constant:ID`."""
    mean: float
    """Prior mean."""
    sd: float
    """Prior standard deviation; 0 = it is not moved."""


@dataclass(frozen=True, slots=True)
class Constant:
    """One row of the table of constants."""

    id: str
    """Name of a field of `Constants`."""
    prior: float
    """Prior mean."""
    prior_sd: float
    """Prior standard deviation; 0 = not a parameter."""
    low: float
    """Smallest value with which the model computes."""
    high: float
    """Largest value."""
    meaning: str
    """What it is, in a sentence."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_constants() -> tuple[Constant, ...]:
    """Every constant, in the order of `Constants`."""
    name = "constants.csv"
    rows = parse_csv(read_data(name), "constants", Constant, where=name, family="oncoproof.disease")
    by_id = {row.id: row for row in rows}
    return tuple(by_id[field] for field in Constants._fields)


@cache
def load_priors() -> tuple[Prior, ...]:
    """The prior of every number: kills, durabilities, harms, terms, constants."""
    terms = (*personal_terms(), *line_terms())
    return (
        *(Prior(f"kill:{row.id}", row.kill, row.kill_sd) for row in load_effects()),
        *(Prior(f"durability:{row.id}", row.durability, row.durability_sd) for row in load_effects()),
        *(Prior(f"harm:{row.id}", row.rate, row.rate_sd) for row in load_harms()),
        *(Prior(f"term:{row.id}", row.prior, row.prior_sd) for row in terms),
        *(Prior(f"constant:{row.id}", row.prior, row.prior_sd) for row in load_constants()),
    )


@cache
def free_names() -> tuple[str, ...]:
    """The numbers that calibration moves."""
    return tuple(prior.name for prior in load_priors() if prior.sd > 0)


def prior_means() -> NDArray[np.float64]:
    """The free numbers at their prior means."""
    return np.array([prior.mean for prior in load_priors() if prior.sd > 0])


def prior_sds() -> NDArray[np.float64]:
    """The prior standard deviations of the free numbers."""
    return np.array([prior.sd for prior in load_priors() if prior.sd > 0])


def assemble(free: Float[Array, " free"] | NDArray[np.float64]) -> Parameters:
    """What the model computes with, from the free numbers."""
    fixed, positions = _frame()
    whole = jnp.asarray(fixed).at[jnp.asarray(positions)].set(jnp.asarray(free, jnp.float32))
    sizes = (
        len(load_effects()),
        len(load_effects()),
        len(load_harms()),
        len(personal_terms()),
        len(line_terms()),
    )
    kill, durability, harm, personal, line, constants = jnp.split(whole, np.cumsum(sizes))
    lines_of_effects = jnp.asarray(_effect_ancestry())
    lows, highs = _bounds()
    return Parameters(
        kill=lines_of_effects @ kill,
        durability=lines_of_effects @ durability,
        harm=jnp.asarray(_harm_ancestry()) @ harm,
        personal=personal,
        line=line,
        constants=Constants(*jnp.clip(constants, lows, highs)),
    )


@cache
def _bounds() -> tuple[Float32[np.ndarray, " constants"], Float32[np.ndarray, " constants"]]:
    """The least and the largest of each constant: a draw of their uncertainty may lie beyond what can be."""
    rows = load_constants()
    return np.array([row.low for row in rows], np.float32), np.array([row.high for row in rows], np.float32)


@cache
def _frame() -> tuple[NDArray[np.float32], NDArray[np.int32]]:
    """All numbers at their prior means, and where the free ones stand among them."""
    priors = load_priors()
    means = np.array([prior.mean for prior in priors], np.float32)
    return means, np.array([at for at, prior in enumerate(priors) if prior.sd > 0], np.int32)


class _Child(Protocol):
    @property
    def id(self) -> str: ...
    @property
    def parent(self) -> str | None: ...


@cache
def _effect_ancestry() -> Float32[np.ndarray, "effects effects"]:
    return _ancestry(load_effects())


@cache
def _harm_ancestry() -> Float32[np.ndarray, "harms harms"]:
    return _ancestry(load_harms())


def _ancestry(rows: Iterable[_Child]) -> Float32[np.ndarray, "rows rows"]:
    """For each row a one for itself and each of its ancestors; parents stand above their children."""
    listed = list(rows)
    at = {row.id: number for number, row in enumerate(listed)}
    matrix = np.eye(len(listed), dtype=np.float32)
    for number, row in enumerate(listed):
        if row.parent:
            matrix[number] += matrix[at[row.parent]]
    return matrix
