"""Where patients stand, and what a week showed of them.

Rules this module guarantees:

- What happened in a week is one code, its bits named in `Mark`; the line and the clone that prevails stand
  in bits of their own.

    >>> code = (1 << LINE_SHIFT) | Mark.SCANNED | Mark.PROGRESSED
    >>> Mark.PROGRESSED in Mark(code), (code >> LINE_SHIFT) & LINE_MASK
    (True, 1)
"""

from enum import IntFlag
from typing import NamedTuple

import jax.numpy as jnp
from jaxtyping import Float32, Int32, UInt32

from oncoproof.disease.courses.traits import CLONES, Traits
from oncoproof.disease.people.covariates import Numbers

ON, BETWEEN, WITHOUT, DEAD = range(4)
"""Phases: in a line; between lines; no further line; dead."""

NOTHING_DUE = 0
"""A patient's time goes on."""

LINE_DUE = 1
"""Before a patient's time goes on, the next line is to be decided."""

HARM_DUE = 2
"""Before a patient's time goes on, it is to be decided what follows from a severe event."""

WEEKS_BETWEEN_LINES = 3
"""From seeing progression to the first dose of the next line."""


class Mark(IntFlag):
    """What a week's code says; the line's number stands in the bits from `LINE_SHIFT`."""

    STARTED = 1
    """A line of treatment started."""
    SCANNED = 2
    """A scan was read."""
    PARTIAL = 4
    """A partial response was confirmed by this scan."""
    COMPLETE = 8
    """A complete response was confirmed by this scan."""
    PROGRESSED = 16
    """The scan showed progression."""
    SEVERE = 32
    """A drug caused an adverse event of grade 3 or more."""
    STOPPED = 64
    """The treatment was stopped for it."""
    DIED = 128
    """The patient died."""
    DIED_OF_HARM = 256
    """They died of an adverse event."""
    ALIVE = 512
    """The patient lived at the end of the week."""
    TREATED = 1024
    """A line was under way, its drugs not stopped for good."""
    NEW_LESION = 2048
    """The scan showed a lesion that was not there before."""
    IN_BRAIN = 4096
    """The scan showed a lesion in the brain that is new or has grown."""
    REDUCED = 8192
    """The dose was reduced."""
    ILL = 16384
    """The disease caused an adverse event of grade 3 or more."""


LINE_SHIFT = 16
"""Bits of a code below the number of the line."""

LINE_MASK = 15
"""The bits of a line's number, when it has been shifted."""

CLONE_SHIFT = 20
"""Bits of a code below the number of the clone that prevails."""


class State(NamedTuple):
    """Where each patient stands; one patient a place."""

    week: Int32[Numbers, " n"]
    """Weeks since the start."""
    line: Int32[Numbers, " n"]
    """Number of the line, from 0; -1 = before the first."""
    phase: Int32[Numbers, " n"]
    """One of the phases above."""
    due: Int32[Numbers, " n"]
    """What is to be decided now."""
    line_week: Int32[Numbers, " n"]
    """Weeks in this line, or since it ended."""
    delay: Int32[Numbers, " n"]
    """Weeks until a decision on the next line is asked for, while a test is under way."""
    clones: Float32[Numbers, "clones n"]
    """Extent of each clone as a multiple of manifest disease."""
    brain: Float32[Numbers, " n"]
    """Extent in the brain."""
    brain_nadir: Float32[Numbers, " n"]
    """Smallest extent in the brain in this line."""
    hardened: Float32[Numbers, " n"]
    """How often cells have outlived cytotoxic drugs."""
    vigour: Float32[Numbers, " n"]
    """Log of the pace of the tumour against that of the same tumour untreated."""
    toxic: Float32[Numbers, " n"]
    """Share of the cytotoxic kill that has not faded."""
    immune: Float32[Numbers, " n"]
    """How far immunity is awake: 0 = as before any drug, 1 = fully."""
    immune_kill: Float32[Numbers, " n"]
    """Weekly kill by immunity that is fully awake."""
    immune_brake: Float32[Numbers, " n"]
    """Minus the log of the share of growth that immunity leaves when it is fully awake."""
    first_dose: Float32[Numbers, " n"]
    """Dose at which the next line begins, as a share of the planned one."""
    dose: Float32[Numbers, " n"]
    """Dose as a share of the planned one."""
    hold: Float32[Numbers, " n"]
    """Weeks still to go without the drug."""
    stopped: Float32[Numbers, " n"]
    """1 where the line's drugs were stopped for harm."""
    front: Float32[Numbers, " n"]
    """How much of the early harm is still to come, 1 at the start of a line."""
    base_mm: Float32[Numbers, " n"]
    """First reading of the line."""
    nadir_mm: Float32[Numbers, " n"]
    """Smallest reading of the line."""
    shrunk: Int32[Numbers, " n"]
    """Response that the last scan showed: 0 none, 2 partial, 3 complete."""
    response: Int32[Numbers, " n"]
    """Best confirmed response of the line."""
    reads: Int32[Numbers, " n"]
    """Scans so far."""
    next_read: Int32[Numbers, " n"]
    """Week of the line in which the next scan is due."""
    death_hazard: Float32[Numbers, " n"]
    """Accumulated hazard of death."""
    seeding_hazard: Float32[Numbers, " n"]
    """Accumulated hazard of a new lesion in this line."""
    harm_hazard: Float32[Numbers, " n"]
    """Accumulated hazard of severe harm."""
    harms: Int32[Numbers, " n"]
    """Severe events so far."""


class Week(NamedTuple):
    """What a week showed, and what was so."""

    code: UInt32[Numbers, " n"]
    """Bits of `Mark`, the line and the clone that prevails."""
    read_mm: Float32[Numbers, " n"]
    """The scan's sum of diameters; 0 = no scan."""
    extent: Float32[Numbers, " n"]
    """Truth: the tumour as a multiple of manifest disease."""
    brain: Float32[Numbers, " n"]
    """Truth: the tumour in the brain."""
    dose: Float32[Numbers, " n"]
    """Dose given, as a share of the planned one; 0 = none."""
    hazard: Float32[Numbers, " n"]
    """Truth: weekly hazard of death."""


def init(traits: Traits) -> State:
    """Patients on the day before their first line; the first step starts it, or asks what it shall be."""
    patients = traits.growth.shape[0]
    zero, none = jnp.zeros(patients, jnp.float32), jnp.zeros(patients, jnp.int32)
    clones = jnp.zeros((CLONES, patients), jnp.float32).at[0].set(traits.extent)
    return State(
        week=none, line=none - 1, phase=none + BETWEEN, due=none, line_week=none + WEEKS_BETWEEN_LINES,
        delay=none, clones=clones, brain=traits.brain + zero, brain_nadir=traits.brain + zero,
        hardened=zero, vigour=zero, toxic=zero, immune=zero, immune_kill=zero, immune_brake=zero,
        first_dose=zero + 1, dose=zero + 1, hold=zero, stopped=zero, front=zero + 1, base_mm=zero,
        nadir_mm=zero, shrunk=none, response=none, reads=none, next_read=none, death_hazard=zero,
        seeding_hazard=zero, harm_hazard=zero, harms=none,
    )  # fmt: skip
