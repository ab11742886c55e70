"""A patient's course, week by week: clones under drugs, harm, scans, progression, further lines, death.

Rules this module guarantees:

- `step` is pure. Given traits and line effects, which hold all that chance brings, a course is determined.
- A patient for whom a decision is due does not age: their week, tumour and hazards stand still.

    $ oncoproof simulate trials trials.csv -n 1000 --seed 1
"""

import jax.numpy as jnp
from jaxtyping import Array, Bool, Float32, Int32

from oncoproof.disease.courses.line_effects import LineEffects, current
from oncoproof.disease.courses.scans import Scan, scan
from oncoproof.disease.courses.state import (
    BETWEEN,
    CLONE_SHIFT,
    DEAD,
    HARM_DUE,
    LINE_DUE,
    LINE_SHIFT,
    NOTHING_DUE,
    ON,
    WEEKS_BETWEEN_LINES,
    WITHOUT,
    Mark,
    State,
    Week,
)
from oncoproof.disease.courses.toxicity import Harm, suffer
from oncoproof.disease.courses.traits import Traits
from oncoproof.disease.courses.tumour import Exposure, Tumour, death_rate, grow, part_clones
from oncoproof.disease.numbers.parameters import Constants


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
    begun, started = _begin_lines(state, effects, lines_known)
    if horizon_weeks is not None:
        # Where time has ended nothing begins and nothing is asked, however long others still walk.
        within = state.week < horizon_weeks
        begun = State(*(jnp.where(within, new, old) for new, old in zip(begun, state, strict=True)))
    state = begun
    now = current(effects, state.line)
    treated = (state.phase == ON) & (state.stopped <= 0)
    dose = jnp.where(treated & (state.hold <= 0), state.dose, 0.0)
    moved = _meet_new_drugs(state, now, started)
    moved = _grow(moved, traits, now, constants)
    moved, harm = suffer(moved, traits, now, constants)
    moved, seen = scan(moved, traits, constants, started, extent_before=state.clones.sum(axis=0))
    weekly = death_rate(_tumour(moved), traits, constants)
    moved, died, ill = _die(moved, traits, constants, harm, weekly)
    moved = _end_lines(moved, seen, harm, asks_for_harm=asks_for_harm)
    lives = (state.due == NOTHING_DUE) & (state.phase != DEAD)
    if horizon_weeks is not None:
        lives = lives & (state.week < horizon_weeks)
        moved = moved._replace(due=jnp.where(moved.week < horizon_weeks, moved.due, NOTHING_DUE))
    code = _code(moved, harm, seen, started=started, treated=treated, died=died, ill=ill)
    kept = State(*(jnp.where(lives, new, old) for new, old in zip(moved, state, strict=True)))
    return kept, Week(
        code=jnp.where(lives, code, 0).astype(jnp.uint32),
        read_mm=jnp.where(lives, seen.mm, 0.0),
        extent=kept.clones.sum(axis=0),
        brain=kept.brain,
        dose=jnp.where(lives, dose, 0.0),
        hazard=jnp.where(lives, weekly, 0.0),
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
        dose=fresh(state.first_dose, state.dose),
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
    """At the start of a line: part the clones where it aims at a new target, hide some from immunity."""
    treats = started & (now.immune_brake > 0)
    clones = part_clones(state.clones, now, started, hides=treats & (state.immune_kill <= 0))
    return state._replace(
        clones=clones,
        immune_kill=jnp.where(treats, jnp.maximum(now.immune, state.immune_kill), state.immune_kill),
        immune_brake=jnp.where(treats, jnp.maximum(now.immune_brake, state.immune_brake), state.immune_brake),
    )


def _grow(state: State, traits: Traits, now: LineEffects, constants: Constants) -> State:
    in_line = (state.phase == ON) & (state.stopped <= 0)
    exposure = Exposure(
        in_line=in_line,
        given=jnp.where(in_line & (state.hold <= 0), 1.0, 0.0),
        dose=state.dose,
        first_phase=state.line_week < now.limited_weeks,
        immune_kill=state.immune_kill,
        immune_brake=state.immune_brake,
    )
    return state._replace(**grow(_tumour(state), traits, now, constants, exposure)._asdict())


def _tumour(state: State) -> Tumour:
    return Tumour(*(getattr(state, name) for name in Tumour._fields))


def _die(
    state: State, traits: Traits, constants: Constants, harm: Harm, weekly: Float32[Array, " n"]
) -> tuple[State, Bool[Array, " n"], Bool[Array, " n"]]:
    """Death of the tumour, of age, or of an adverse event; before it, illness that no drug caused."""
    hazard = state.death_hazard + weekly
    died = harm.fatal | (hazard >= traits.death_threshold)
    # Who is likelier to die of the disease is likelier to have a severe event of it.
    often = jnp.exp(constants.harm_background)
    ill = (often * hazard >= traits.illness_threshold) & (
        often * state.death_hazard < traits.illness_threshold
    )
    return (
        state._replace(
            death_hazard=hazard,
            phase=jnp.where(died, DEAD, state.phase),
            week=state.week + 1,
            line_week=state.line_week + 1,
            delay=jnp.maximum(state.delay - 1, 0),
        ),
        died,
        ill,
    )


def _end_lines(state: State, seen: Scan, harm: Harm, *, asks_for_harm: bool) -> State:
    """End the line of those who progressed and live; ask what follows from harm where somebody decides."""
    ends = seen.worse & (state.phase == ON)
    asked = harm.severe & (state.phase == ON) & ~ends
    due = jnp.where(asked, HARM_DUE, state.due) if asks_for_harm else state.due
    return state._replace(
        phase=jnp.where(ends, BETWEEN, state.phase), line_week=jnp.where(ends, 0, state.line_week), due=due
    )


def _code(
    state: State,
    harm: Harm,
    seen: Scan,
    *,
    started: Bool[Array, " n"],
    treated: Bool[Array, " n"],
    died: Bool[Array, " n"],
    ill: Bool[Array, " n"],
) -> Int32[Array, " n"]:
    marks = (
        (started, Mark.STARTED), (seen.read, Mark.SCANNED), (seen.new, Mark.NEW_LESION),
        (seen.better & (state.response == 2), Mark.PARTIAL),
        (seen.better & (state.response == 3), Mark.COMPLETE),
        (seen.worse, Mark.PROGRESSED), (seen.in_brain, Mark.IN_BRAIN), (harm.severe, Mark.SEVERE),
        (harm.stops, Mark.STOPPED), (harm.reduces, Mark.REDUCED), (treated, Mark.TREATED),
        (ill, Mark.ILL), (died, Mark.DIED),
        (harm.fatal, Mark.DIED_OF_HARM), (~died, Mark.ALIVE),
    )  # fmt: skip
    code = (jnp.maximum(state.line, 0) << LINE_SHIFT) | (_prevailing(state.clones) << CLONE_SHIFT)
    for holds, mark in marks:
        code = code | jnp.where(holds, int(mark), 0)
    return code


def _prevailing(clones: Float32[Array, "clones n"]) -> Int32[Array, " n"]:
    """Number of the largest clone: by comparison, since `argmax` goes patient by patient."""
    number, largest = jnp.zeros(clones.shape[1], jnp.int32), clones[0]
    for each in range(1, clones.shape[0]):
        number = jnp.where(clones[each] > largest, each, number)
        largest = jnp.maximum(clones[each], largest)
    return number
