"""Care in closed loop: patients whose every decision somebody else takes, all of them at once.

Rules this module guarantees:

- `advance` walks every patient to the day on which a decision is due (a line to choose, a severe event to
  answer), to death or to the horizon; no patient's time goes on while theirs is due.
- A patient meets the same chance under any decisions: what differs between two cares of a patient follows
  from the decisions alone.
- What a decision may be is checked before anything is simulated.

    >>> def treats_once(care: Care, patients: NDArray[np.intp]) -> list[Action]:
    ...     return [NoTreatment() if care.lines_known[each] else Treat("osimertinib") for each in patients]
    >>> policy: Policy = treats_once  # treat_by(begin(subjects, seed=Seed(3)), policy) is whole courses
    >>> [kind.__name__ for kind in _ALLOWED[LINE_DUE]], [kind.__name__ for kind in _ALLOWED[HARM_DUE]]
    (['Treat', 'NoTreatment', 'Wait'], ['GoOn', 'Stop', 'Switch'])
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.chunks import Rows, in_chunks
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.course import step
from oncoproof.disease.courses.line_effects import line_effects
from oncoproof.disease.courses.noise import NoiseKey, noise_key
from oncoproof.disease.courses.simulation import Cohort, Weeks, chosen
from oncoproof.disease.courses.state import (
    BETWEEN,
    DEAD,
    HARM_DUE,
    LINE_DUE,
    NOTHING_DUE,
    WITHOUT,
    State,
    init,
)
from oncoproof.disease.courses.traits import draw_traits
from oncoproof.disease.numbers.fitted import load_fit
from oncoproof.disease.numbers.parameters import Parameters, assemble
from oncoproof.disease.people.covariates import Numbers, check_subjects, covariates_of
from oncoproof.disease.plans.designs import (
    NO_TREATMENT,
    LineDesigns,
    design_line,
    no_designs,
    regimen_of,
    with_line,
    with_treatment,
)
from oncoproof.errors import InputError
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

LINES = 6
"""Lines of treatment that a course may have."""

HORIZON_WEEKS = 520
"""Ten years."""


@dataclass(frozen=True, slots=True)
class Treat:
    """Begin a regimen as the next line."""

    regimen: str
    """Its id: drugs joined by `+`, with a variant where there is one."""
    dose: float = 1.0
    """Dose as a share of the planned one; above 0, at most 1."""


@dataclass(frozen=True, slots=True)
class NoTreatment:
    """Give no further drugs against the cancer."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Decide later, because a test is under way."""

    weeks: int
    """Until the decision is due again; at least 1."""


@dataclass(frozen=True, slots=True)
class GoOn:
    """After a severe event: go on with the line."""

    dose: float = 1.0
    """Dose from now on, as a share of the planned one; above 0, at most 1."""
    hold_weeks: int = 0
    """Weeks without the drugs before that."""


@dataclass(frozen=True, slots=True)
class Stop:
    """After a severe event: stop the drugs of the line for good; the next line is chosen at progression."""


@dataclass(frozen=True, slots=True)
class Switch:
    """After a severe event: end the line; what comes next is due at once."""


Action: TypeAlias = Treat | NoTreatment | Wait | GoOn | Stop | Switch
"""What may be decided."""

_LINE, _HARM = (Treat, NoTreatment, Wait), (GoOn, Stop, Switch)
_ALLOWED: Mapping[int, tuple[type, ...]] = {NOTHING_DUE: (NoneType,), LINE_DUE: _LINE, HARM_DUE: _HARM}


@dataclass(frozen=True, slots=True)
class Care:
    """Patients under somebody's care."""

    first: Subjects
    """The patients in truth before the first line."""
    subjects: Subjects
    """The same with what was given so far."""
    cohort: Cohort
    """What the model is told of them, and their lines so far."""
    state: State
    """Where they stand."""
    lines_known: Int32[np.ndarray, " n"]
    """How many lines have been decided."""
    regimens: tuple[str, ...]
    """Ids of the regimens that were given."""
    plan: Int32[np.ndarray, "lines n"]
    """For each line and patient a number among them, or `NO_TREATMENT`."""
    weeks: Weeks
    """What every week showed so far."""
    parameters: Parameters = field(repr=False)
    """Numbers of the model."""
    key: NoiseKey = field(repr=False)
    """Of the seed."""
    asks_for_harm: bool = False
    """Whether severe events are to be decided too."""

    @property
    def due(self) -> Int32[np.ndarray, " n"]:
        """What is to be decided of each patient: nothing, a line, what follows from harm."""
        return np.asarray(self.state.due)

    @property
    def horizon_weeks(self) -> int:
        """When everybody's time stands still."""
        return self.weeks.code.shape[0]


Policy: TypeAlias = Callable[[Care, NDArray[np.intp]], Sequence[Action]]
"""Told the care and the numbers of the patients of whom something is due; an action for each of them."""


def begin(
    subjects: Subjects,
    *,
    seed: Seed,
    parameters: Parameters | None = None,
    weeks: int = HORIZON_WEEKS,
    asks_for_harm: bool = False,
) -> Care:
    """Patients on the day before their first decision.

    Args:
        subjects: What is true of them; what a plan says is ignored.
        seed: Where chance starts.
        parameters: Numbers of the model; None = those that ship.
        weeks: How long they are followed.
        asks_for_harm: Whether severe events are to be decided too; otherwise what is usual follows.

    Raises:
        InputError: A patient lacks what the model needs, or has what cannot be.
    """
    numbers = assemble(load_fit().values) if parameters is None else parameters
    check_subjects(subjects)
    patients = covariates_of(subjects, np.arange(subjects.rows, dtype=np.int32))
    cohort = Cohort(patients, no_designs(LINES, subjects.rows))
    key = noise_key(seed)

    def one(rows: Rows) -> State:
        return _first_state(key, chosen(cohort, rows), numbers, weeks=weeks)

    return Care(
        first=subjects,
        subjects=subjects,
        cohort=cohort,
        state=State(*in_chunks(one, subjects.rows)),
        lines_known=np.zeros(subjects.rows, np.int32),
        regimens=(),
        plan=np.full((LINES, subjects.rows), NO_TREATMENT, np.int32),
        weeks=_no_weeks(weeks, subjects.rows),
        parameters=numbers,
        key=key,
        asks_for_harm=asks_for_harm,
    )


def _no_weeks(weeks: int, patients: int) -> Weeks:
    shape = (weeks, patients)
    return Weeks(np.zeros(shape, np.uint32), *(np.zeros(shape, np.float32) for _ in Weeks._fields[1:]))


@compiled("weeks")
def _first_state(key: NoiseKey, cohort: Cohort, parameters: Parameters, *, weeks: int) -> State:
    return init(draw_traits(key, cohort.patients, parameters, lines=LINES, weeks=weeks))


def advance(care: Care) -> Care:
    """Walk every patient to the next decision, to death or to the horizon."""

    def one(rows: Rows) -> tuple[Array, ...]:
        walked = _Walked(
            State(*(np.asarray(column)[..., rows] for column in care.state)),
            Weeks(*(column[:, rows] for column in care.weeks)),
        )
        told = _Told(care.key, chosen(care.cohort, rows), care.parameters, care.lines_known[rows])
        reached = _advance(told, walked, asks_for_harm=care.asks_for_harm)
        return (*reached.state, *reached.weeks)

    columns = in_chunks(one, care.subjects.rows)
    parts = len(State._fields)
    return replace(care, state=State(*columns[:parts]), weeks=Weeks(*columns[parts:]))


class _Told(NamedTuple):
    """What stays as it is while patients walk."""

    key: NoiseKey
    cohort: Cohort
    parameters: Parameters
    lines_known: Int32[Numbers, " n"]


class _Walked(NamedTuple):
    """How far patients have come, and what every week showed."""

    state: State
    weeks: Weeks


@compiled("asks_for_harm")
def _advance(told: _Told, walked: _Walked, *, asks_for_harm: bool) -> _Walked:
    horizon = walked.weeks.code.shape[0]
    traits = draw_traits(told.key, told.cohort.patients, told.parameters, lines=LINES, weeks=horizon)
    effects = line_effects(told.cohort.designs, traits, told.parameters)
    places = jnp.arange(walked.state.week.shape[0])

    def goes_on(walked: _Walked) -> Bool[Array, ""]:
        state = walked.state
        return ((state.due == NOTHING_DUE) & (state.phase != DEAD) & (state.week < horizon)).any()

    def one_week(walked: _Walked) -> _Walked:
        before = walked.state
        moved, week = step(
            before, traits, effects, told.parameters.constants,
            lines_known=told.lines_known, asks_for_harm=asks_for_harm, horizon_weeks=horizon,
        )  # fmt: skip
        # Where time stood still, the place lies outside and nothing is written.
        place = jnp.where(moved.week > before.week, before.week, horizon)
        columns = zip(walked.weeks, week, strict=True)
        return _Walked(moved, Weeks(*(old.at[place, places].set(new, mode="drop") for old, new in columns)))

    return jax.lax.while_loop(goes_on, one_week, walked)


def decide(care: Care, actions: Sequence[Action | None]) -> Care:
    """The same patients with what is due decided.

    Args:
        care: Patients of whom something is due.
        actions: One for each patient; None where nothing is due.

    Raises:
        InputError: An action is missing, is none where nothing is due, or cannot be an answer to what is due;
            a regimen is not known; a dose is not above 0 and at most 1. Nothing is decided then.
    """
    _check(care, actions)
    new = (each.regimen for each in actions if isinstance(each, Treat))
    regimens = tuple(dict.fromkeys([*care.regimens, *new]))
    numbers = {regimen: number for number, regimen in enumerate(regimens)}
    given = np.array(
        [numbers[each.regimen] if isinstance(each, Treat) else NO_TREATMENT for each in actions], np.int32
    )
    designs = _with_lines(care, regimens, given)
    state = _answered(care.state, actions)
    plan, begins = care.plan.copy(), np.flatnonzero(given != NO_TREATMENT)
    plan[care.lines_known[begins], begins] = given[begins]
    known = care.lines_known + np.array([isinstance(each, Treat) for each in actions])
    return replace(
        care,
        subjects=with_treatment(care.subjects, regimens, given),
        cohort=care.cohort._replace(designs=designs),
        state=state,
        lines_known=known.astype(np.int32),
        regimens=regimens,
        plan=plan,
    )


def _with_lines(care: Care, regimens: Sequence[str], given: Int32[np.ndarray, " n"]) -> LineDesigns:
    """The designs of all lines with those that are decided now."""
    designs = LineDesigns(*(np.array(column) for column in care.cohort.designs))
    for line in np.unique(care.lines_known[given != NO_TREATMENT]):
        mine = np.where(care.lines_known == line, given, NO_TREATMENT).astype(np.int32)
        design_line(designs, int(line), with_line(care.subjects, int(line)), regimens, mine)
    return designs


def _answered(state: State, actions: Sequence[Action | None]) -> State:
    """The state after the answers: nothing is due any more."""
    of = {kind: np.array([isinstance(each, kind) for each in actions]) for kind in (*_LINE, *_HARM)}
    dose = np.array([each.dose if isinstance(each, Treat | GoOn) else 1.0 for each in actions], np.float32)
    hold = np.array([each.hold_weeks if isinstance(each, GoOn) else 0 for each in actions], np.float32)
    wait = np.array([each.weeks if isinstance(each, Wait) else 0 for each in actions], np.int32)
    phase = np.where(of[NoTreatment], WITHOUT, np.where(of[Switch], BETWEEN, state.phase))
    return state._replace(
        due=np.zeros_like(state.due),
        phase=phase.astype(np.int32),
        delay=np.where(of[Wait], wait, state.delay).astype(np.int32),
        first_dose=np.where(of[Treat], dose, state.first_dose).astype(np.float32),
        dose=np.where(of[GoOn], dose, state.dose).astype(np.float32),
        hold=np.where(of[GoOn], hold, state.hold).astype(np.float32),
        stopped=np.where(of[Stop], 1.0, np.where(of[GoOn], 0.0, state.stopped)).astype(np.float32),
        line_week=np.where(of[Switch], 0, state.line_week).astype(np.int32),
    )


def _check(care: Care, actions: Sequence[Action | None]) -> None:
    if len(actions) != care.subjects.rows:
        raise InputError(
            where="decide",
            came=f"{len(actions)} actions",
            expected=f"{care.subjects.rows}, one for each patient",
            remedy="give None where nothing is due",
        )
    for patient, (due, action) in enumerate(zip(care.due.tolist(), actions, strict=True)):
        if not isinstance(action, _ALLOWED[due]):
            raise InputError(
                where=f"patient {patient}",
                came=repr(action),
                expected=" or ".join(kind.__name__ for kind in _ALLOWED[due]),
                remedy="answer what is due of each patient",
            )
    for patient, action in enumerate(actions):
        _check_numbers(patient, action)
    for regimen in {each.regimen for each in actions if isinstance(each, Treat)}:
        if not regimen_of(regimen).drugs:
            raise InputError(
                where="decide",
                came=f"Treat({regimen!r}), which gives no drug",
                expected="a regimen with drugs",
                remedy="without drugs is NoTreatment",
            )


def _check_numbers(patient: int, action: Action | None) -> None:
    """Refuse doses and times that cannot be."""
    dose = action.dose if isinstance(action, Treat | GoOn) else 1.0
    weeks = action.weeks if isinstance(action, Wait) else 1
    hold = action.hold_weeks if isinstance(action, GoOn) else 0
    if not 0.0 < dose <= 1.0 or weeks < 1 or hold < 0:
        raise InputError(
            where=f"patient {patient}",
            came=repr(action),
            expected="a dose above 0 and at most 1, at least a week to wait, no less than no hold",
            remedy="correct the number; without drugs is NoTreatment or Stop",
        )


def treat_by(care: Care, policy: Policy) -> Care:
    """Whole courses: walk and decide until nothing is due any more.

    Args:
        care: Patients at any point.
        policy: Told the care and the patients of whom something is due; says what is decided of each of them.

    Raises:
        InputError: The policy answers for more or fewer patients, or as `decide` says.
    """
    care = advance(care)
    while (due := np.flatnonzero(care.due)).size:
        answers = policy(care, due)
        if len(answers) != due.size:
            raise InputError(
                where="policy",
                came=f"{len(answers)} actions",
                expected=f"{due.size}, one for each patient of whom something is due",
                remedy="answer in the order of the patients' numbers",
            )
        actions: list[Action | None] = [None] * care.subjects.rows
        for patient, action in zip(due.tolist(), answers, strict=True):
            actions[patient] = action
        care = advance(decide(care, actions))
    return care
