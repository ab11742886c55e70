"""How likely what was observed of a course is, given what was decided and what the patient is like.

Rules this module guarantees:

- Given latents and decisions the tumour is determined; what is observed of it is independent week by week: a
  reading is log-normal around the true size, and events (new lesions, severe harm, death) come at rates that
  the tumour and the drugs set. So the log-likelihood is a sum in closed form.
- Progression adds no term of its own: it is a function of readings and new lesions.
- It is differentiable in latents and parameters.

A new lesion is looked for at scans: it is seen at the first scan after it came. Harm is looked for while the
drug is given; what follows from it (a lower dose, the end of the drug, death) has its own probability.

    >>> seen, unseen = _of_event(jnp.array([0.1, 0.1]), jnp.array([True, False])).tolist()
    >>> round(float(jnp.exp(seen) + jnp.exp(unseen)), 6)
    1.0
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float32, Int32

from oncoproof.disease.courses.line_effects import LineEffects, current, line_effects
from oncoproof.disease.courses.simulation import Weeks
from oncoproof.disease.courses.state import LINE_MASK, LINE_SHIFT, Mark
from oncoproof.disease.courses.traits import CLONES, Latents, Traits, traits_of
from oncoproof.disease.courses.tumour import (
    Exposure,
    Tumour,
    death_rate,
    grow,
    part_clones,
    seeding_rate,
)
from oncoproof.disease.numbers.parameters import Constants, Parameters
from oncoproof.disease.people.covariates import Covariates, Numbers
from oncoproof.disease.plans.designs import LineDesigns


class Timeline(NamedTuple):
    """What was done with patients, week by week; one patient a place."""

    line: Int32[Numbers, "weeks n"]
    """Number of the line under way or ended last, from 0."""
    started: Bool[Numbers, "weeks n"]
    """Whether the line started in this week."""
    under_way: Bool[Numbers, "weeks n"]
    """Whether a line was under way, its drugs not stopped for good."""
    dose: Float32[Numbers, "weeks n"]
    """Dose given, as a share of the planned one; 0 = none."""


class Observed(NamedTuple):
    """What was seen of patients, week by week; one patient a place."""

    followed: Bool[Numbers, "weeks n"]
    """Whether the patient was alive and followed at the beginning of the week."""
    read_mm: Float32[Numbers, "weeks n"]
    """The scan's sum of diameters; 0 = no scan."""
    new_lesion: Bool[Numbers, "weeks n"]
    """Whether the scan showed a new lesion; the first scan of a line shows none."""
    severe: Bool[Numbers, "weeks n"]
    """A severe event that a drug caused."""
    stopped: Bool[Numbers, "weeks n"]
    """The drugs were stopped for it."""
    died: Bool[Numbers, "weeks n"]
    """The patient died."""
    died_of_harm: Bool[Numbers, "weeks n"]
    """They died of a severe event."""


class Told(NamedTuple):
    """A course as an observer tells it: what was done and what was seen."""

    timeline: Timeline
    """What was done."""
    observed: Observed
    """What was seen."""


def tell(weeks: Weeks) -> Told:
    """What an observer tells of simulated courses: everything but the truth."""
    code = np.asarray(weeks.code)

    def has(mark: Mark) -> Bool[np.ndarray, "weeks n"]:
        return (code & int(mark)) > 0

    timeline = Timeline(
        line=((code >> LINE_SHIFT) & LINE_MASK).astype(np.int32),
        started=has(Mark.STARTED),
        under_way=has(Mark.TREATED),
        dose=np.asarray(weeks.dose),
    )
    observed = Observed(
        followed=has(Mark.ALIVE | Mark.DIED),
        read_mm=np.asarray(weeks.read_mm),
        new_lesion=has(Mark.NEW_LESION),
        severe=has(Mark.SEVERE),
        stopped=has(Mark.STOPPED),
        died=has(Mark.DIED),
        died_of_harm=has(Mark.DIED_OF_HARM),
    )
    return Told(timeline, observed)


class Terms(NamedTuple):
    """The log-likelihood of each patient, by what was observed."""

    reading: Float32[Array, " n"]
    """Of the sums of diameters."""
    seeding: Float32[Array, " n"]
    """Of new lesions and of scans without."""
    harm: Float32[Array, " n"]
    """Of severe events, of what followed, and of weeks without."""
    death: Float32[Array, " n"]
    """Of death and of weeks survived."""

    def total(self) -> Float32[Array, " n"]:
        """Of everything."""
        return self.reading + self.seeding + self.harm + self.death


class _Walked(NamedTuple):
    """Where the latent course stands."""

    tumour: Tumour
    immune_kill: Float32[Array, " n"]
    immune_brake: Float32[Array, " n"]
    line_week: Float32[Array, " n"]
    front: Float32[Array, " n"]
    seeding: Float32[Array, " n"]
    """Hazard of a new lesion since the last scan of the line."""


def log_likelihood(
    latents: Latents,
    patients: Covariates,
    designs: LineDesigns,
    parameters: Parameters,
    told: Told,
) -> Terms:
    """The log-likelihood of what was observed.

    Args:
        latents: What the patients are like.
        patients: What is known of them.
        designs: What each line is.
        parameters: Numbers of the model.
        told: What was done, and what was seen.
    """
    traits = traits_of(latents, patients, parameters)
    effects = line_effects(designs, traits, parameters)

    def week(walked: _Walked, shown: Told) -> tuple[_Walked, Terms]:
        return _week(walked, *shown, traits=traits, effects=effects, constants=parameters.constants)

    _, terms = jax.lax.scan(week, _first(traits), told)
    return Terms(*(column.sum(axis=0) for column in terms))


def _first(traits: Traits) -> _Walked:
    zero = jnp.zeros_like(traits.growth)
    clones = jnp.zeros((CLONES, zero.shape[0]), jnp.float32).at[0].set(traits.extent)
    tumour = Tumour(clones, traits.brain + zero, zero, zero, zero, zero)
    return _Walked(tumour, zero, zero, zero, zero + 1, zero)


def _week(
    walked: _Walked,
    timeline: Timeline,
    observed: Observed,
    *,
    traits: Traits,
    effects: LineEffects,
    constants: Constants,
) -> tuple[_Walked, Terms]:
    """One week of the latent course, and how likely what was seen in it is."""
    now = current(effects, timeline.line)
    walked = _begin(walked, timeline, now)
    exposure = Exposure(
        in_line=timeline.under_way,
        given=(timeline.dose > 0).astype(jnp.float32),
        dose=timeline.dose,
        first_phase=walked.line_week < now.limited_weeks,
        immune_kill=walked.immune_kill,
        immune_brake=walked.immune_brake,
    )
    tumour = grow(walked.tumour, traits, now, constants, exposure)
    before, extent = walked.tumour.clones.sum(axis=0), tumour.clones.sum(axis=0)
    relative = jnp.cbrt(extent)
    seeding = walked.seeding + seeding_rate(before, extent, relative, traits)
    scanned = observed.read_mm > 0
    harm_rate = _harm_rate(walked, timeline, now, constants, exposure)
    terms = Terms(
        reading=jnp.where(scanned, _of_reading(observed.read_mm, traits.size_mm * relative, constants), 0.0),
        seeding=jnp.where(scanned & ~timeline.started, _of_event(seeding, observed.new_lesion), 0.0),
        harm=_of_harm(harm_rate, observed, now),
        death=_of_death(death_rate(tumour, traits, constants), observed),
    )
    moved = walked._replace(
        tumour=tumour,
        line_week=walked.line_week + 1,
        front=walked.front * jnp.exp(-1 / constants.harm_fall_weeks),
        seeding=jnp.where(scanned, 0.0, seeding),
    )
    return moved, Terms(*(jnp.where(observed.followed, term, 0.0) for term in terms))


def _begin(walked: _Walked, timeline: Timeline, now: LineEffects) -> _Walked:
    """What the start of a line resets, and what it does to the clones."""
    started = timeline.started
    wakes = started & (now.immune_brake > 0)
    clones = part_clones(walked.tumour.clones, now, started, hides=wakes & (walked.immune_kill <= 0))
    return walked._replace(
        tumour=walked.tumour._replace(clones=clones, toxic=jnp.where(started, 1.0, walked.tumour.toxic)),
        immune_kill=jnp.where(wakes, jnp.maximum(now.immune, walked.immune_kill), walked.immune_kill),
        immune_brake=jnp.where(
            wakes, jnp.maximum(now.immune_brake, walked.immune_brake), walked.immune_brake
        ),
        line_week=jnp.where(started, 0.0, walked.line_week),
        front=jnp.where(started, 1.0, walked.front),
        seeding=jnp.where(started, 0.0, walked.seeding),
    )


def _harm_rate(
    walked: _Walked, timeline: Timeline, now: LineEffects, constants: Constants, exposure: Exposure
) -> Float32[Array, " n"]:
    limited = jnp.where(exposure.first_phase, now.harm_limited, 0.0)
    falling = constants.harm_lasting + (1 - constants.harm_lasting) * walked.front
    return (now.harm + limited) * exposure.given * jnp.square(timeline.dose) * falling


def _of_reading(
    read_mm: Float32[Array, " n"], size_mm: Float32[Array, " n"], constants: Constants
) -> Float32[Array, " n"]:
    """Log-density of the log of a reading."""
    error = (jnp.log(jnp.maximum(read_mm, 1e-6)) - jnp.log(size_mm)) / constants.reader_error
    return -0.5 * jnp.square(error) - jnp.log(constants.reader_error) - 0.5 * jnp.log(2 * jnp.pi)


def _of_event(hazard: Float32[Array, " n"], happened: Bool[Array, " n"]) -> Float32[Array, " n"]:
    """Log-probability that an event came, or did not, under an accumulated hazard."""
    safe = jnp.maximum(hazard, 1e-12)
    return jnp.where(happened, jnp.log(-jnp.expm1(-safe)), -hazard)


def _of_harm(rate: Float32[Array, " n"], observed: Observed, now: LineEffects) -> Float32[Array, " n"]:
    """Of a severe event or none, and of what followed from it."""
    follows = jnp.where(
        observed.died_of_harm,
        now.fatal_share,
        jnp.where(observed.stopped, now.stop_share, 1 - now.fatal_share - now.stop_share),
    )
    return _of_event(rate, observed.severe) + jnp.where(
        observed.severe, jnp.log(jnp.maximum(follows, 1e-9)), 0.0
    )


def _of_death(weekly: Float32[Array, " n"], observed: Observed) -> Float32[Array, " n"]:
    """Of death, or of the week survived; death of a severe event has its own term."""
    return jnp.where(observed.died_of_harm, 0.0, _of_event(weekly, observed.died))
