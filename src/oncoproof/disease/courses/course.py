"""A patient's course, week by week: clones under drugs, harm, scans, progression, further lines, death.

Rules this module guarantees:

- `step` is pure. Given traits and line effects, which hold all that chance brings, a course is determined.
- A patient for whom a decision is due does not age: their week, tumour and hazards stand still.
- What happened in a week is one code, its bits named in `Mark`; the line and the clone that prevails stand
  in bits of their own.
- `grow` alone moves the tumour; it knows nothing of chance, so that the likelihood of what was observed
  walks the same tumour.
"""

from enum import IntFlag
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float32, Int32, UInt32

from oncoproof.disease.courses.line_effects import LineEffects
from oncoproof.disease.courses.traits import CLONES, HARMS_MAX, Traits
from oncoproof.disease.numbers.parameters import Constants

ON, BETWEEN, WITHOUT, DEAD = range(4)
"""Phases: in a line; between lines; no further line; dead."""

NOTHING_DUE, LINE_DUE, HARM_DUE = range(3)
"""What is to be decided before a patient's time goes on: nothing; what to give next; what follows from harm."""

WEEKS_BETWEEN_LINES = 3
"""From seeing progression to the first dose of the next line."""

BRAIN_VISIBLE = 0.02
"""Extent at which a metastasis in the brain is seen."""

_PARTIAL, _PROGRESSION, _PROGRESSION_MM, _COMPLETE_MM, _MEASURABLE_MM = 0.7, 1.2, 5.0, 5.0, 10.0
"""RECIST 1.1: shares of the sum of diameters and lengths that decide a reading."""

_YEAR_WEEKS = 52
_LATER_VISIT_WEEKS = 4
"""How much longer the time between scans is after a year."""


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
    """A line went on, and its drug was given."""
    NEW_LESION = 2048
    """The scan showed a lesion that was not there before."""
    IN_BRAIN = 4096
    """The scan showed a lesion in the brain that is new or has grown."""
    REDUCED = 8192
    """The dose was reduced."""


LINE_SHIFT, CLONE_SHIFT = 16, 20
LINE_MASK = 15


class State(NamedTuple):
    """Where each patient stands; one patient a place."""

    week: Int32[Array, " n"]
    """Weeks since the start."""
    line: Int32[Array, " n"]
    """Number of the line, from 0; -1 = before the first."""
    phase: Int32[Array, " n"]
    """One of the phases above."""
    due: Int32[Array, " n"]
    """What is to be decided now."""
    line_week: Int32[Array, " n"]
    """Weeks in this line, or since it ended."""
    delay: Int32[Array, " n"]
    """Weeks until a decision on the next line is asked for, while a test is under way."""
    clones: Float32[Array, "clones n"]
    """Extent of each clone as a multiple of manifest disease."""
    brain: Float32[Array, " n"]
    """Extent in the brain."""
    brain_nadir: Float32[Array, " n"]
    """Smallest extent in the brain in this line."""
    toxic: Float32[Array, " n"]
    """Share of the cytotoxic kill that has not faded."""
    immune: Float32[Array, " n"]
    """Weekly kill by immunity now."""
    immune_aim: Float32[Array, " n"]
    """What it builds up to, or sinks to."""
    dose: Float32[Array, " n"]
    """Dose as a share of the planned one."""
    hold: Float32[Array, " n"]
    """Weeks still to go without the drug."""
    stopped: Float32[Array, " n"]
    """1 where the line's drugs were stopped for harm."""
    front: Float32[Array, " n"]
    """How much of the early harm is still to come, 1 at the start of a line."""
    base_mm: Float32[Array, " n"]
    """First reading of the line."""
    nadir_mm: Float32[Array, " n"]
    """Smallest reading of the line."""
    shrunk: Int32[Array, " n"]
    """Response that the last scan showed: 0 none, 2 partial, 3 complete."""
    response: Int32[Array, " n"]
    """Best confirmed response of the line."""
    reads: Int32[Array, " n"]
    """Scans so far."""
    next_read: Int32[Array, " n"]
    """Week of the line in which the next scan is due."""
    death_hazard: Float32[Array, " n"]
    """Accumulated hazard of death."""
    seeding_hazard: Float32[Array, " n"]
    """Accumulated hazard of a new lesion in this line."""
    harm_hazard: Float32[Array, " n"]
    """Accumulated hazard of severe harm."""
    harms: Int32[Array, " n"]
    """Severe events so far."""


class Week(NamedTuple):
    """What a week showed, and what was so."""

    code: UInt32[Array, " n"]
    """Bits of `Mark`, the line and the clone that prevails."""
    read_mm: Float32[Array, " n"]
    """The scan's sum of diameters; 0 = no scan."""
    extent: Float32[Array, " n"]
    """Truth: the tumour as a multiple of manifest disease."""
    brain: Float32[Array, " n"]
    """Truth: the tumour in the brain."""


class Tumour(NamedTuple):
    """The part of the state that `grow` moves."""

    clones: Float32[Array, "clones n"]
    """Extent of each clone."""
    brain: Float32[Array, " n"]
    """Extent in the brain."""
    toxic: Float32[Array, " n"]
    """Share of the cytotoxic kill that has not faded."""
    immune: Float32[Array, " n"]
    """Weekly kill by immunity now."""


class Exposure(NamedTuple):
    """What of a line reaches the patient in a week."""

    in_line: Bool[Array, " n"]
    """Whether a line is under way and not stopped."""
    given: Float32[Array, " n"]
    """1 where the drug is given this week."""
    dose: Float32[Array, " n"]
    """As a share of the planned one."""
    first_phase: Bool[Array, " n"]
    """Whether the drugs of the first phase are still given."""
    immune_aim: Float32[Array, " n"]
    """What immunity sinks to when the drug is not given."""


class Harm(NamedTuple):
    """What drugs did to patients in a week."""

    severe: Bool[Array, " n"]
    """An event of grade 3 or more."""
    stops: Bool[Array, " n"]
    """The treatment is stopped for it."""
    fatal: Bool[Array, " n"]
    """It kills."""
    reduces: Bool[Array, " n"]
    """The dose is reduced for it."""


class Scan(NamedTuple):
    """What a scan showed."""

    read: Bool[Array, " n"]
    """Whether there was one."""
    mm: Float32[Array, " n"]
    """The sum of diameters as read; 0 = no scan."""
    worse: Bool[Array, " n"]
    """Progression."""
    better: Bool[Array, " n"]
    """A response that is better than any before, confirmed."""
    new: Bool[Array, " n"]
    """A new lesion."""
    in_brain: Bool[Array, " n"]
    """A new or growing lesion in the brain."""


def init(traits: Traits) -> State:
    """Patients on the day before their first line; the first step starts it, or asks what it shall be."""
    patients = traits.growth.shape[0]
    zero, none = jnp.zeros(patients, jnp.float32), jnp.zeros(patients, jnp.int32)
    clones = jnp.zeros((CLONES, patients), jnp.float32).at[0].set(traits.extent)
    return State(
        week=none, line=none - 1, phase=none + BETWEEN, due=none, line_week=none + WEEKS_BETWEEN_LINES,
        delay=none, clones=clones, brain=traits.brain + zero, brain_nadir=traits.brain + zero, toxic=zero,
        immune=zero, immune_aim=zero, dose=zero + 1, hold=zero, stopped=zero, front=zero + 1, base_mm=zero,
        nadir_mm=zero, shrunk=none, response=none, reads=none, next_read=none, death_hazard=zero,
        seeding_hazard=zero, harm_hazard=zero, harms=none,
    )  # fmt: skip


def current(effects: LineEffects, line: Int32[Array, " n"]) -> LineEffects:
    """The effects of each patient's present line, the first where none has begun."""
    return LineEffects(*(_of_line(values, line) for values in effects))


def _of_line(values: Float32[Array, "lines *rest n"], line: Int32[Array, " n"]) -> Float32[Array, "*rest n"]:
    chosen = values[0]
    for number in range(1, values.shape[0]):
        chosen = jnp.where(line == number, values[number], chosen)
    return chosen


def step(
    state: State,
    traits: Traits,
    effects: LineEffects,
    constants: Constants,
    *,
    lines_known: Int32[Array, " n"],
    asks_for_harm: bool = False,
    horizon_weeks: int | None = None,
) -> tuple[State, Week]:
    """One week of every patient.

    Args:
        state: Where patients stand.
        traits: What they are.
        effects: What each of their lines does.
        constants: Numbers that hold for everybody.
        lines_known: How many lines have been decided; a decision is due for who needs the next one.
        asks_for_harm: Whether a decision is due after a severe event too; otherwise the usual follows.
        horizon_weeks: When everybody's time stands still; None = never.
    """
    state, started = _begin_lines(state, effects, lines_known)
    now = current(effects, state.line)
    moved = _meet_new_drugs(state, now, started)
    moved = _grow(moved, traits, now, constants)
    moved, harm = _harm(moved, traits, now, constants)
    moved, scan = _scan(moved, traits, constants, started, extent_before=state.clones.sum(axis=0))
    moved, died = _die(moved, traits, constants, harm)
    moved = _end_lines(moved, scan, harm, asks_for_harm=asks_for_harm)
    lives = (state.due == NOTHING_DUE) & (state.phase != DEAD)
    if horizon_weeks is not None:
        lives = lives & (state.week < horizon_weeks)
    code = _code(moved, started, harm, scan, died)
    kept = jax.tree.map(lambda new, old: jnp.where(lives, new, old), moved, state)
    extent = kept.clones.sum(axis=0)
    return kept, Week(
        jnp.where(lives, code, 0).astype(jnp.uint32), jnp.where(lives, scan.mm, 0.0), extent, kept.brain
    )


def _begin_lines(
    state: State, effects: LineEffects, lines_known: Int32[Array, " n"]
) -> tuple[State, Bool[Array, " n"]]:
    """Start the next line of those whose wait is over; ask what it shall be where nobody knows."""
    following, lines = state.line + 1, effects.given.shape[0]
    between = (state.phase == BETWEEN) & (state.delay <= 0)
    none_left = following >= lines
    asks = between & ~none_left & (following >= lines_known)
    ready = between & ~asks & (state.line_week >= WEEKS_BETWEEN_LINES)
    started = ready & ~none_left & (current(effects, following).given > 0)
    phase = jnp.where(ready, jnp.where(started, ON, WITHOUT), state.phase)
    harm_due = jnp.where(state.due == HARM_DUE, HARM_DUE, NOTHING_DUE)

    def fresh(value: Array | float, old: Array) -> Array:
        return jnp.where(started, value, old).astype(old.dtype)

    return state._replace(
        phase=phase.astype(jnp.int32),
        due=jnp.where(asks, LINE_DUE, harm_due).astype(jnp.int32),
        line=fresh(following, state.line),
        line_week=fresh(0, state.line_week),
        toxic=fresh(1.0, state.toxic),
        dose=fresh(1.0, state.dose),
        hold=fresh(0.0, state.hold),
        stopped=fresh(0.0, state.stopped),
        front=fresh(1.0, state.front),
        seeding_hazard=fresh(0.0, state.seeding_hazard),
        brain_nadir=fresh(state.brain, state.brain_nadir),
        shrunk=fresh(0, state.shrunk),
        response=fresh(0, state.response),
        next_read=fresh(0, state.next_read),
    ), started


def _meet_new_drugs(state: State, now: LineEffects, started: Bool[Array, " n"]) -> State:
    """At the start of a line: part the clones where it aims at a new target, mark those hidden from immunity."""
    clones = part_clones(state.clones, now, started, immune_before=state.immune_aim > 0)
    aim = jnp.where(started, jnp.maximum(now.immune, 0.0), state.immune_aim)
    return state._replace(clones=clones, immune_aim=aim)


def part_clones(
    clones: Float32[Array, "clones n"],
    now: LineEffects,
    started: Bool[Array, " n"],
    *,
    immune_before: Bool[Array, " n"],
) -> Float32[Array, "clones n"]:
    """The clones as a line that starts finds them."""
    whole = clones.sum(axis=0)
    resistant = now.resistant_share * whole
    parted = jnp.concatenate([(whole - resistant.sum(axis=0))[None], resistant])
    clones = jnp.where(started & (now.selects > 0), parted, clones)
    evading = jnp.maximum(clones[3], now.evading_share * whole)
    kept = (whole - evading) / jnp.maximum(whole - clones[3], 1e-20)
    hidden = jnp.concatenate([clones[:3] * kept, evading[None]])
    return jnp.where(started & (now.immune > 0) & ~immune_before, hidden, clones)


def _grow(state: State, traits: Traits, now: LineEffects, constants: Constants) -> State:
    in_line = (state.phase == ON) & (state.stopped <= 0)
    exposure = Exposure(
        in_line=in_line,
        given=jnp.where(in_line & (state.hold <= 0), 1.0, 0.0),
        dose=state.dose,
        first_phase=state.line_week < now.limited_weeks,
        immune_aim=state.immune_aim,
    )
    tumour = Tumour(state.clones, state.brain, state.toxic, state.immune)
    return state._replace(**grow(tumour, traits, now, constants, exposure)._asdict())


def grow(
    tumour: Tumour, traits: Traits, now: LineEffects, constants: Constants, exposure: Exposure
) -> Tumour:
    """A week of growth and kill of every clone, in the body and in the brain."""
    level = exposure.dose * exposure.given
    toxic = (
        (now.cytotoxic + jnp.where(exposure.first_phase, now.cytotoxic_limited, 0.0)) * tumour.toxic * level
    )
    aim = jnp.where(exposure.in_line, now.immune, constants.immune_memory * exposure.immune_aim)
    immune = tumour.immune + (aim - tumour.immune) / constants.immune_delay_weeks
    aimed, aimed_resistant = now.targeted * level, now.targeted_resistant * level
    whole = tumour.clones.sum(axis=0)
    # Cytostatic drugs take their share of the growth, not a fixed amount: slow tumours stay slow.
    pace = traits.growth * jnp.exp(-now.brake * exposure.given)
    growth = pace / (1 + whole / constants.capacity)
    kills = jnp.stack([
        _best(toxic, aimed, immune), _best(toxic, aimed_resistant, immune), _best(toxic, 0.0, immune), toxic
    ])  # fmt: skip
    turned = constants.acquisition * (aimed > 0) * tumour.clones[0]
    grown = tumour.clones * jnp.exp(growth - kills)
    clones = jnp.stack([grown[0] - turned, grown[1], grown[2] + turned, grown[3]])
    mean_kill = jnp.sum(kills * tumour.clones, axis=0) / jnp.maximum(whole, 1e-20)
    brain_growth = pace / (1 + tumour.brain / constants.capacity)
    brain = tumour.brain * jnp.exp(brain_growth - now.brain_access * mean_kill)
    return Tumour(
        clones=jnp.maximum(clones, 1e-12),
        brain=jnp.maximum(brain, 1e-9),
        toxic=jnp.where(exposure.given > 0, tumour.toxic * now.fade, tumour.toxic),
        immune=immune,
    )


def _best(toxic: Array, aimed: Array | float, immune: Array) -> Array:
    """Nearly the best of three kills: independent action, smooth where two are alike."""
    return jnp.sqrt(jnp.sqrt(_fourth(toxic) + _fourth(aimed) + _fourth(immune) + 1e-20))


def _fourth(value: Array | float) -> Array:
    return jnp.square(jnp.square(value))


def _harm(state: State, traits: Traits, now: LineEffects, constants: Constants) -> tuple[State, Harm]:
    """Severe events of the drugs, and what usually follows: a hold, a lower dose, the end of the drugs, death."""
    on = jnp.where((state.phase == ON) & (state.hold <= 0), 1.0 - state.stopped, 0.0)
    limited = jnp.where(state.line_week < now.limited_weeks, now.harm_limited, 0.0)
    rate = (now.harm + limited) * on * jnp.square(state.dose)
    hazard = state.harm_hazard + rate * (constants.harm_lasting + (1 - constants.harm_lasting) * state.front)
    place = jnp.minimum(state.harms, HARMS_MAX - 1)[None]
    threshold = jnp.take_along_axis(traits.harm_thresholds, place, axis=0)[0]
    fate = jnp.take_along_axis(traits.harm_fates, place, axis=0)[0]
    severe = (hazard >= threshold) & (state.harms < HARMS_MAX)
    fatal = severe & (fate < now.fatal_share)
    stops = severe & ~fatal & (fate < now.fatal_share + now.stop_share)
    reduces = severe & ~fatal & ~stops & (now.reducible > 0)
    lower = 1 - (1 - constants.dose_step) * now.reducible
    return state._replace(
        harm_hazard=hazard,
        harms=state.harms + severe,
        hold=jnp.where(severe, constants.hold_weeks, jnp.maximum(state.hold - 1, 0.0)),
        dose=jnp.where(reduces, state.dose * lower, state.dose),
        stopped=jnp.where(stops, 1.0, state.stopped),
        front=state.front * jnp.exp(-1 / constants.harm_fall_weeks),
    ), Harm(severe, stops, fatal, reduces)


def _scan(
    state: State,
    traits: Traits,
    constants: Constants,
    started: Bool[Array, " n"],
    *,
    extent_before: Float32[Array, " n"],
) -> tuple[State, Scan]:
    """Read a scan where one is due: the first of a line sets the base, later ones judge."""
    due = (state.phase == ON) & (state.line_week >= state.next_read)
    extent = state.clones.sum(axis=0)
    relative = jnp.cbrt(extent)
    seeding = state.seeding_hazard + seeding_rate(extent_before, extent, relative, traits)
    brain_nadir = jnp.minimum(state.brain_nadir, state.brain)
    place = jnp.minimum(state.reads, traits.reads.shape[0] - 1)[None]
    error = jnp.take_along_axis(traits.reads, place, axis=0)[0]
    read_mm = traits.size_mm * relative * jnp.exp(constants.reader_error * error)
    judged = due & ~started
    grew = read_mm - state.nadir_mm
    larger = (
        (read_mm >= _PROGRESSION * state.nadir_mm) & (grew >= _PROGRESSION_MM) & (read_mm >= _MEASURABLE_MM)
    )
    new = judged & (seeding >= _of_line(traits.seeding_threshold, state.line))
    in_brain = judged & (state.brain >= BRAIN_VISIBLE) & (state.brain >= _PROGRESSION**3 * brain_nadir)
    worse = (judged & larger) | new | in_brain
    shows = jnp.where(read_mm <= _COMPLETE_MM, 3, jnp.where(read_mm <= _PARTIAL * state.base_mm, 2, 0))
    shows = jnp.where(state.base_mm >= _MEASURABLE_MM, shows, 0)
    confirmed = jnp.minimum(shows, state.shrunk)
    better = judged & ~worse & (confirmed > state.response)
    wait = traits.visit_weeks + jnp.where(state.line_week < _YEAR_WEEKS, 0, _LATER_VISIT_WEEKS)
    nadir = jnp.where(started, read_mm, jnp.minimum(state.nadir_mm, read_mm))
    return state._replace(
        seeding_hazard=seeding,
        brain_nadir=brain_nadir,
        base_mm=jnp.where(due & started, read_mm, state.base_mm),
        nadir_mm=jnp.where(due, nadir, state.nadir_mm),
        shrunk=jnp.where(judged, shows, state.shrunk),
        response=jnp.where(better, confirmed, state.response),
        reads=state.reads + due,
        next_read=jnp.where(due, state.line_week + wait, state.next_read),
    ), Scan(due, jnp.where(due, read_mm, 0.0), worse, better, new, in_brain)


def seeding_rate(
    before: Float32[Array, " n"], after: Float32[Array, " n"], relative: Float32[Array, " n"], traits: Traits
) -> Float32[Array, " n"]:
    """Weekly hazard of a new lesion: what was too small to see becomes visible as fast as the tumour grows."""
    return traits.seeding * relative * jnp.maximum(after / before - 1, 0.0)


def _die(state: State, traits: Traits, constants: Constants, harm: Harm) -> tuple[State, Bool[Array, " n"]]:
    """Death of the tumour, of age, or of an adverse event."""
    weekly = death_rate(state.clones.sum(axis=0), state.brain, traits, constants)
    hazard = state.death_hazard + weekly
    died = harm.fatal | (hazard >= traits.death_threshold)
    return state._replace(
        death_hazard=hazard,
        phase=jnp.where(died, DEAD, state.phase),
        week=state.week + 1,
        line_week=state.line_week + 1,
        delay=jnp.maximum(state.delay - 1, 0),
    ), died


def death_rate(
    extent: Float32[Array, " n"], brain: Float32[Array, " n"], traits: Traits, constants: Constants
) -> Float32[Array, " n"]:
    """Weekly hazard of death: of the tumour, in the body and the brain, and of age."""
    load = jnp.square(jnp.cbrt(extent)) + jnp.square(jnp.cbrt(brain))
    return traits.hazard * (constants.hazard_floor + load) + traits.background


def _end_lines(state: State, scan: Scan, harm: Harm, *, asks_for_harm: bool) -> State:
    """End the line of those who progressed and live; ask what follows from harm where somebody decides."""
    ends = scan.worse & (state.phase == ON)
    asked = harm.severe & (state.phase == ON) & ~ends
    due = jnp.where(asked, HARM_DUE, state.due) if asks_for_harm else state.due
    return state._replace(
        phase=jnp.where(ends, BETWEEN, state.phase), line_week=jnp.where(ends, 0, state.line_week), due=due
    )


def _code(
    state: State, started: Bool[Array, " n"], harm: Harm, scan: Scan, died: Bool[Array, " n"]
) -> Int32[Array, " n"]:
    treated = (state.phase == ON) & (state.stopped <= 0) & (state.hold <= 0)
    marks = (
        (started, Mark.STARTED), (scan.read, Mark.SCANNED), (scan.new, Mark.NEW_LESION),
        (scan.better & (state.response == 2), Mark.PARTIAL), (scan.better & (state.response == 3), Mark.COMPLETE),
        (scan.worse, Mark.PROGRESSED), (scan.in_brain, Mark.IN_BRAIN), (harm.severe, Mark.SEVERE),
        (harm.stops, Mark.STOPPED), (harm.reduces, Mark.REDUCED), (treated, Mark.TREATED), (died, Mark.DIED),
        (harm.fatal, Mark.DIED_OF_HARM), (~died, Mark.ALIVE),
    )  # fmt: skip
    prevailing = jnp.argmax(state.clones, axis=0).astype(jnp.int32)
    code = (jnp.maximum(state.line, 0) << LINE_SHIFT) | (prevailing << CLONE_SHIFT)
    for holds, mark in marks:
        code = code | jnp.where(holds, int(mark), 0)
    return code
