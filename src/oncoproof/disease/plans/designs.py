"""From patients and the treatments planned for them to what the model computes with.

Rules this module guarantees:

- A design holds no number that is fitted: it is made once and used with any parameters.
- Whether a term or an effect holds is decided by the patient's true features and by what was given before;
  what is not known of a patient does not hold.
- A drug has one effect in a patient, the first whose context fits; a drug without one does nothing.

    >>> from oncoproof.disease.numbers.effects import load_effects
    >>> patients = Subjects.of_rows([{"disease": "nsclc", "EGFR": "ex19del", "line": 1}])
    >>> design = design_lines(patients, ("carboplatin+pemetrexed",), np.zeros((1, 1), np.int32))
    >>> [load_effects()[number].id for number in design.effects[0, 0] if number >= 0]
    ['platinum.nsclc', 'antifolate.nsclc']
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from jaxtyping import Bool, Float32, Int32
from numpy.typing import NDArray

from oncoproof.disease.numbers.effects import (
    effect_numbers,
    effects_of,
    target_numbers,
    targets,
)
from oncoproof.disease.numbers.harms import harm_numbers
from oncoproof.disease.numbers.terms import line_terms
from oncoproof.disease.people.covariates import Numbers, holds
from oncoproof.errors import InputError
from oncoproof.knowledge.expressions import Evaluator
from oncoproof.knowledge.medicines import CnsPenetration, Regimen, compose_regimen, load_drugs, load_regimens
from oncoproof.knowledge.subjects import NumberColumn, SetColumn, Subjects

SLOTS = 6
"""Effects that a regimen may have at once."""

UNLIMITED_WEEKS = 1e6
"""How long a drug is given that is given until progression."""

NO_TREATMENT = -1
"""Number of the regimen of a line that is not given."""


class LineDesigns(NamedTuple):
    """What is planned for each patient, line by line."""

    given: Bool[Numbers, "lines n"]
    """Whether anything is given in this line."""
    effects: Int32[Numbers, "lines n slots"]
    """Number of each effect in `load_effects`; -1 = none."""
    limited: Bool[Numbers, "lines n slots"]
    """Whether the drug stops after the first phase of the regimen."""
    limited_weeks: Float32[Numbers, "lines n"]
    """Length of the first phase."""
    terms: Bool[Numbers, "lines n lineterms"]
    """Which terms of kill or durability hold."""
    harms: Int32[Numbers, "lines n slots"]
    """Number of the harm of each drug in `load_harms`; -1 = none."""
    harms_limited: Bool[Numbers, "lines n slots"]
    """Whether that drug stops after the first phase."""
    brain_access: Float32[Numbers, "lines n"]
    """Share of the effect that reaches the brain."""
    new_target: Bool[Numbers, "lines n"]
    """Whether no earlier line aimed at this target, so that no clone has been selected against it."""


def design_lines(
    subjects: Subjects, regimens: Sequence[str], plan: Int32[np.ndarray, "lines n"]
) -> LineDesigns:
    """What each patient is given, line after line.

    Args:
        subjects: The patients as they are before the first of these lines; a plan among their features is
            ignored.
        regimens: Ids of the regimens that are given.
        plan: For each line and patient the regimen's number in `regimens`, or `NO_TREATMENT`.

    Raises:
        InputError: A regimen holds an unknown drug.
    """
    lines, rows = plan.shape
    designs = no_designs(lines, rows)
    history = subjects
    for line in range(lines):
        design_line(designs, line, with_line(history, line), regimens, plan[line])
        history = with_treatment(history, regimens, plan[line])
    return designs


def design_line(
    designs: LineDesigns,
    line: int,
    present: Subjects,
    regimens: Sequence[str],
    given: Int32[np.ndarray, " n"],
) -> None:
    """Write down what is given in a line, in place; who gets nothing keeps what stands there.

    Args:
        designs: Of all lines.
        line: Number of the line, from 0.
        present: The patients as they are before it.
        regimens: Ids of the regimens that are given.
        given: For each patient the regimen's number in `regimens`, or `NO_TREATMENT`.
    """
    for number in np.unique(given):
        if number != NO_TREATMENT:
            chosen = np.flatnonzero(given == number)
            _fill(designs, line, chosen, present.choose(chosen), regimen_of(regimens[int(number)]))
    designs.new_target[line] = _new_targets(designs.effects)[line]


def no_designs(lines: int, rows: int) -> LineDesigns:
    """Lines in which nothing is given."""
    return LineDesigns(
        given=np.zeros((lines, rows), np.bool_),
        effects=np.full((lines, rows, SLOTS), -1, np.int32),
        limited=np.zeros((lines, rows, SLOTS), np.bool_),
        limited_weeks=np.full((lines, rows), UNLIMITED_WEEKS, np.float32),
        terms=np.zeros((lines, rows, len(line_terms())), np.bool_),
        harms=np.full((lines, rows, SLOTS), -1, np.int32),
        harms_limited=np.zeros((lines, rows, SLOTS), np.bool_),
        brain_access=np.zeros((lines, rows), np.float32),
        new_target=np.ones((lines, rows), np.bool_),
    )


def regimen_of(id_: str) -> Regimen:
    """A regimen by its id, put together from its drugs where no table lists it.

    Raises:
        InputError: A drug is not known, or there are more of them than the model joins.
    """
    found = load_regimens().get(id_) or compose_regimen(tuple(id_.split("+")))
    if len(found.drugs) > SLOTS:
        raise InputError(
            where=f"regimen {id_}",
            came=f"{len(found.drugs)} drugs",
            expected=f"at most {SLOTS} drugs given together",
            remedy="leave some of them out",
        )
    return found


def with_line(subjects: Subjects, later: int) -> Subjects:
    """The same patients some lines later."""
    line = subjects.column("line")
    assert isinstance(line, NumberColumn)  # noqa: S101  the vocabulary says so
    columns = {
        **subjects.columns,
        "line": NumberColumn(np.maximum(line.values, 1) + later if later else line.values),
    }
    return Subjects(subjects.rows, columns, subjects.vocabulary)


def with_treatment(subjects: Subjects, regimens: Sequence[str], given: NDArray[np.int32]) -> Subjects:
    """The same patients after a line of treatment."""
    prior = subjects.column("prior_drugs")
    assert isinstance(prior, SetColumn)  # noqa: S101  the vocabulary says so
    members = {name: mask.copy() for name, mask in prior.members.items()}
    for number in np.unique(given):
        if number != NO_TREATMENT:
            for drug in regimen_of(regimens[int(number)]).drugs:
                members[drug] = members.get(drug, np.zeros(subjects.rows, np.bool_)) | (given == number)
    columns = {**subjects.columns, "prior_drugs": SetColumn(members, np.ones(subjects.rows, np.bool_))}
    return Subjects.of_columns(columns, rows=subjects.rows, vocabulary=subjects.vocabulary)


def with_plan(subjects: Subjects, regimen: Regimen) -> Subjects:
    """The same patients with a plan to give them a regimen."""
    everybody = np.ones(subjects.rows, np.bool_)
    kept = {name: column for name, column in subjects.columns.items() if not name.startswith("plan_")}
    plan = SetColumn(dict.fromkeys(regimen.drugs, everybody), everybody)
    return Subjects.of_columns({**kept, "plan_drugs": plan}, rows=subjects.rows)


def _fill(
    designs: LineDesigns, line: int, chosen: NDArray[np.intp], present: Subjects, regimen: Regimen
) -> None:
    """Write down what those get who get a regimen in a line, in place."""
    evaluator = Evaluator(with_plan(present, regimen))
    designs.given[line, chosen] = True
    if regimen.cycles_max is not None:
        designs.limited_weeks[line, chosen] = regimen.cycles_max * regimen.cycle_days / 7
    for place, term in enumerate(line_terms()):
        designs.terms[line, chosen, place] = holds(evaluator, term.when)
    next_slot = np.zeros(len(chosen), np.intp)
    for drug in regimen.drugs:
        stops = regimen.cycles_max is not None and drug not in regimen.maintenance
        open_ = np.ones(len(chosen), np.bool_)
        for effect in effects_of(drug):
            rows = np.flatnonzero(open_ & holds(evaluator, effect.when))
            designs.effects[line, chosen[rows], next_slot[rows]] = effect_numbers()[effect.id]
            designs.limited[line, chosen[rows], next_slot[rows]] = stops
            next_slot[rows] += 1
            open_[rows] = False
    _fill_harms(designs, line, chosen, regimen)
    designs.brain_access[line, chosen] = max((_brain_access(drug) for drug in regimen.drugs), default=0.0)


def _fill_harms(designs: LineDesigns, line: int, chosen: NDArray[np.intp], regimen: Regimen) -> None:
    slot = 0
    for drug in regimen.drugs:
        number = harm_numbers().get(drug)
        if number is not None:
            designs.harms[line, chosen, slot] = number
            designs.harms_limited[line, chosen, slot] = (
                regimen.cycles_max is not None and drug not in regimen.maintenance
            )
            slot += 1


_BRAIN_ACCESS = {
    CnsPenetration.HIGH: 0.9,
    CnsPenetration.MODERATE: 0.5,
    CnsPenetration.LOW: 0.2,
    CnsPenetration.NONE: 0.05,
}
"""Share of a drug's effect that reaches the brain, by what is known of it."""


def _brain_access(drug: str) -> float:
    return _BRAIN_ACCESS[load_drugs()[drug].brain.level]


def _new_targets(effects: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Whether a line aims at something that no earlier of these lines aimed at."""
    aimed = np.zeros((*effects.shape[:2], len(targets())), np.bool_)
    numbers = np.where(effects >= 0, target_numbers()[effects], 0)
    for slot in range(effects.shape[2]):
        np.put_along_axis(aimed, numbers[:, :, slot, None], values=True, axis=2)
    aimed[:, :, 0] = False
    earlier = np.zeros_like(aimed)
    earlier[1:] = np.maximum.accumulate(aimed, axis=0)[:-1]
    return np.asarray((aimed & ~earlier).any(axis=2), np.bool_)
