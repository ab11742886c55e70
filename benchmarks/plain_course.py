"""The disease model in plain Python, patient by patient and week by week: what the fast one is held against.

The same equations as `oncoproof.disease.courses` (state, tumour, toxicity, scans, course), written with
floats and `math` as one would without arrays: branches instead of masks, nothing computed for the dead,
for drugs that are not given or for scans that are not due. It takes the traits and the effects of each line
as drawn for the fast model, so that both walk the same patients.
"""

# ruff: noqa: ANN401  fields of traits, effects and constants are plain floats here, and arrays in their classes

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

ON, BETWEEN, WITHOUT, DEAD = range(4)
BETWEEN_LINES_WEEKS = 3
LEAST, LEAST_BRAIN = 1e-12, 1e-9
BRAIN_VISIBLE = 0.02
HARDENED_MOST = 2.0


class Plain(NamedTuple):
    """A patient as plain floats."""

    traits: Any
    """Fields as in `Traits`: a float, or a list of floats."""
    lines: list[Any]
    """For each line the fields of `LineEffects`."""


class Fate(NamedTuple):
    """What came of a patient."""

    progression_week: int | None
    """Week in which progression was first seen or the patient died; None = neither."""
    death_week: int | None
    """Week of death; None = alive."""
    scans: int
    """Scans read."""
    harms: int
    """Severe events of drugs."""


@dataclass
class Course:
    """Where a patient stands."""

    clones: list[float]
    brain: float
    brain_nadir: float
    phase: int = BETWEEN
    line: int = -1
    line_week: int = BETWEEN_LINES_WEEKS
    toxic: float = 0.0
    immune: float = 0.0
    hardened: float = 0.0
    vigour: float = 0.0
    immune_kill: float = 0.0
    immune_brake: float = 0.0
    dose: float = 1.0
    hold: float = 0.0
    stopped: bool = False
    front: float = 1.0
    base_mm: float = 0.0
    nadir_mm: float = 0.0
    shrunk: int = 0
    response: int = 0
    next_read: int = 0
    death_hazard: float = 0.0
    seeding_hazard: float = 0.0
    harm_hazard: float = 0.0
    harms: int = 0
    scans: int = 0
    seen: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])


def plain_patients(traits: Any, effects: Any) -> Iterator[Plain]:
    """Each patient of the fast model as plain floats."""
    traits = {name: np.asarray(column) for name, column in traits._asdict().items()}
    effects = {name: np.asarray(column) for name, column in effects._asdict().items()}
    lines, patients = effects["given"].shape
    for patient in range(patients):
        yield Plain(
            SimpleNamespace(**{name: column[..., patient].tolist() for name, column in traits.items()}),
            [
                SimpleNamespace(
                    **{name: column[line, ..., patient].tolist() for name, column in effects.items()}
                )
                for line in range(lines)
            ],
        )


def plain_constants(constants: Any) -> Any:
    """The constants as plain floats."""
    return SimpleNamespace(**{name: float(value) for name, value in constants._asdict().items()})


def walk(patient: Plain, constants: Any, weeks: int) -> Fate:
    """The whole course of a patient."""
    traits = patient.traits
    course = Course([traits.extent, 0.0, 0.0, 0.0], traits.brain, traits.brain)
    for week in range(weeks):
        _one_week(course, patient, constants, week)
        if course.phase == DEAD:
            break
    progression = next((week for week, _ in course.seen), None)
    death = next((week for week, what in course.seen if what == "death"), None)
    return Fate(progression, death, course.scans, course.harms)


def _one_week(course: Course, patient: Plain, constants: Any, week: int) -> None:
    traits = patient.traits
    started = _begin_line(course, patient.lines)
    now = patient.lines[max(course.line, 0)]
    before = sum(course.clones)
    if started:
        _meet_new_drugs(course, now)
    _grow(course, traits, now, constants)
    fatal = _suffer(course, traits, now, constants)
    worse = _scan(course, traits, constants, started=started, before=before)
    load = sum(course.clones) ** constants.hazard_power + course.brain**constants.hazard_power
    strain = (constants.hazard_floor + load) * math.exp(constants.hazard_vigour * course.vigour)
    course.death_hazard += traits.hazard * strain + traits.background
    course.line_week += 1
    if worse:
        course.seen.append((week, "progression"))
    if fatal or course.death_hazard >= traits.death_threshold:
        course.seen.append((week, "death"))
        course.phase = DEAD
    elif worse and course.phase == ON:
        course.phase, course.line_week = BETWEEN, 0


def _begin_line(course: Course, lines: Sequence[Any]) -> bool:
    if course.phase != BETWEEN or course.line_week < BETWEEN_LINES_WEEKS:
        return False
    following = course.line + 1
    if following >= len(lines) or lines[following].given <= 0:
        course.phase = WITHOUT
        return False
    course.phase, course.line, course.line_week = ON, following, 0
    course.toxic, course.dose, course.hold, course.stopped, course.front = 1.0, 1.0, 0.0, False, 1.0
    course.seeding_hazard, course.brain_nadir = 0.0, course.brain
    course.shrunk = course.response = course.next_read = 0
    return True


def _meet_new_drugs(course: Course, now: Any) -> None:
    wakes = now.immune_brake > 0
    hides = wakes and course.immune_kill <= 0
    whole = sum(course.clones)
    if now.selects > 0:
        resistant = [share * whole for share in now.resistant_share]
        course.clones = [whole - sum(resistant), *resistant]
    if hides:
        evading = max(course.clones[3], now.evading_share * whole)
        kept = (whole - evading) / max(whole - course.clones[3], LEAST)
        course.clones = [*(clone * kept for clone in course.clones[:3]), evading]
    if wakes:
        course.immune_kill = max(now.immune, course.immune_kill)
        course.immune_brake = max(now.immune_brake, course.immune_brake)


def _grow(course: Course, traits: Any, now: Any, constants: Any) -> None:
    in_line = course.phase == ON and not course.stopped
    given = in_line and course.hold <= 0
    level = course.dose if given else 0.0
    cytotoxic = now.cytotoxic + (now.cytotoxic_limited if course.line_week < now.limited_weeks else 0.0)
    toxic = cytotoxic * course.toxic * level
    aim = 1.0 if in_line and now.immune_brake > 0 else 0.0
    if not aim and course.immune_kill > 0:
        aim = constants.immune_memory
    course.immune += (aim - course.immune) / constants.immune_delay_weeks
    immune = course.immune * course.immune_kill
    aimed, aimed_resistant = now.targeted * level, now.targeted_resistant * level
    clones, whole = course.clones, sum(course.clones)
    slowed = (now.brake if given else 0.0) + course.immune_brake * course.immune
    course.vigour = constants.acceleration * course.hardened - slowed
    pace = traits.growth * math.exp(course.vigour)
    growth = pace / (1 + whole / constants.capacity)
    kills = [
        _best(toxic, aimed, immune),
        _best(toxic, aimed_resistant, immune),
        _best(toxic, 0.0, immune),
        toxic,
    ]
    turned = constants.acquisition * clones[0] if aimed > 0 else 0.0
    rates = [growth, *[growth * math.exp(constants.acceleration)] * 3]
    grown = [clone * math.exp(rate - kill) for clone, rate, kill in zip(clones, rates, kills, strict=True)]
    grown[0] -= turned
    grown[2] += turned
    mean_kill = sum(kill * clone for kill, clone in zip(kills, clones, strict=True)) / whole
    brain_growth = pace / (1 + course.brain / constants.capacity)
    course.brain = max(course.brain * math.exp(brain_growth - now.brain_access * mean_kill), LEAST_BRAIN)
    course.clones = [max(clone, LEAST) for clone in grown]
    fading = course.toxic * now.fade if given else course.toxic
    if toxic > 0:
        course.hardened = min(course.hardened + course.toxic - fading, HARDENED_MOST)
    course.toxic = fading


def _best(toxic: float, aimed: float, immune: float) -> float:
    return (toxic**4 + aimed**4 + immune**4 + 1e-20) ** 0.25


def _suffer(course: Course, traits: Any, now: Any, constants: Any) -> bool:
    """Severe events of the drugs; whether one kills."""
    if course.phase == ON and course.hold <= 0 and not course.stopped:
        rate = now.harm + (now.harm_limited if course.line_week < now.limited_weeks else 0.0)
        falling = constants.harm_lasting + (1 - constants.harm_lasting) * course.front
        course.harm_hazard += rate * course.dose**2 * falling
    course.front *= math.exp(-1 / constants.harm_fall_weeks)
    course.hold = max(course.hold - 1, 0.0)
    if course.harms >= len(traits.harm_thresholds):
        return False
    if course.harm_hazard < traits.harm_thresholds[course.harms]:
        return False
    fate = traits.harm_fates[course.harms]
    course.harms += 1
    course.hold = constants.hold_weeks
    if fate < now.fatal_share:
        return True
    if fate < now.fatal_share + now.stop_share:
        course.stopped = True
    elif now.reducible > 0:
        course.dose *= 1 - (1 - constants.dose_step) * now.reducible
    return False


def _scan(course: Course, traits: Any, constants: Any, *, started: bool, before: float) -> bool:
    """Read a scan where one is due; whether it shows progression."""
    extent = sum(course.clones)
    relative = extent ** (1 / 3)
    course.seeding_hazard += traits.seeding * relative * max(extent / before - 1, 0.0)
    course.brain_nadir = min(course.brain_nadir, course.brain)
    if course.phase != ON or course.line_week < course.next_read:
        return False
    error = traits.reads[min(course.scans, len(traits.reads) - 1)]
    read_mm = traits.size_mm * relative * math.exp(constants.reader_error * error)
    course.scans += 1
    course.next_read = course.line_week + traits.visit_weeks + (0 if course.line_week < 52 else 4)
    if started:
        course.base_mm = course.nadir_mm = read_mm
        return False
    return _judge(course, traits, read_mm)


def _judge(course: Course, traits: Any, read_mm: float) -> bool:
    """Response and progression by RECIST 1.1."""
    nadir_mm, course.nadir_mm = course.nadir_mm, min(course.nadir_mm, read_mm)
    larger = read_mm >= 1.2 * nadir_mm and read_mm - nadir_mm >= 5.0 and read_mm >= 10.0
    new = course.seeding_hazard >= traits.seeding_threshold[course.line]
    in_brain = course.brain >= BRAIN_VISIBLE and course.brain >= 1.2**3 * course.brain_nadir
    worse = larger or new or in_brain
    shows = 0
    if course.base_mm >= 10.0:
        shows = 3 if read_mm <= 5.0 else 2 if read_mm <= 0.7 * course.base_mm else 0
    confirmed, course.shrunk = min(shows, course.shrunk), shows
    if not worse:
        course.response = max(course.response, confirmed)
    return worse
