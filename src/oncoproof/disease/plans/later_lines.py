"""What is given after progression where nobody is asked: the usual next treatment, or a trial's crossover.

Rules this module guarantees:

- Which treatment follows is decided by the patient's true features, by what was given before, and by draws
  that belong to the patient and the line, so that both arms of a trial meet the same chance.
- What follows in a trial follows from its time: a drug that was not yet approved for the disease is not
  given, and the other options of the row take its share.
- A published share of crossover is a share of all patients of the arm who get that treatment next, as far as
  they live to need it; the others get what is usual, or nothing.

    >>> [row.disease for row in load_later_lines()][:1]
    ['nsclc']
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from jaxtyping import Float32, Int32

from oncoproof.disease.numbers.effects import context_of, read_data
from oncoproof.disease.plans.designs import NO_TREATMENT, with_line, with_treatment
from oncoproof.knowledge.expressions import Evaluator
from oncoproof.knowledge.medicines import load_drugs
from oncoproof.knowledge.subjects import Subjects
from oncoproof.knowledge.tables import Basis, parse_csv

LINES = 4
"""Lines that a course may have, the first included."""


@dataclass(frozen=True, slots=True)
class LaterLine:
    """One row of the table of usual next treatments; the first that fits a patient holds."""

    disease: str
    """Disease slug."""
    when: str
    """Whom it concerns, in the language of rules; empty = everybody."""
    options: tuple[str, ...]
    """`regimen:share` each."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    def choices(self) -> tuple[tuple[str, float], ...]:
        """Regimens and the share of patients who get each."""
        pairs = (option.rpartition(":") for option in self.options)
        return tuple((regimen, float(share)) for regimen, _, share in pairs)


@dataclass(frozen=True, slots=True)
class Crossover:
    """What a word of a trial table's crossover column stands for."""

    disease: str
    """Disease slug."""
    word: str
    """A drug, class or umbrella."""
    regimen: str
    """The regimen that is given."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class FurtherTreatment:
    """How many patients get another line at all."""

    disease: str
    """Disease slug."""
    line: int
    """Lines that have ended."""
    share: float
    """Share of those who progressed and live."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@cache
def load_later_lines() -> tuple[LaterLine, ...]:
    """The table of usual next treatments."""
    name = "later_lines.csv"
    return parse_csv(read_data(name), "later_lines", LaterLine, where=name, family="oncoproof.disease")


@cache
def load_crossovers() -> Mapping[tuple[str, str], str]:
    """For each disease and word the regimen that is given."""
    name = "crossovers.csv"
    rows = parse_csv(read_data(name), "crossovers", Crossover, where=name, family="oncoproof.disease")
    return MappingProxyType({(row.disease, row.word): row.regimen for row in rows})


@cache
def load_further_treatment() -> Mapping[tuple[str, int], float]:
    """For each disease and number of lines that have ended the share who get another."""
    name = "further_treatment.csv"
    rows = parse_csv(
        read_data(name), "further_treatment", FurtherTreatment, where=name, family="oncoproof.disease"
    )
    return MappingProxyType({(row.disease, row.line): row.share for row in rows})


@dataclass(frozen=True, slots=True)
class Switch:
    """A crossover that a trial reports."""

    regimen: str
    """What was given next."""
    share: float
    """Share of the arm's patients who got it."""


def plan_lines(
    subjects: Subjects,
    *,
    disease: str,
    regimens: Sequence[str],
    first: Int32[np.ndarray, " n"],
    chance: Float32[np.ndarray, "lines two n"],
    switch: Switch | None,
    year: int | None = None,
) -> tuple[tuple[str, ...], Int32[np.ndarray, "lines n"]]:
    """The lines of each patient: regimens, and for each line and patient a number among them.

    Args:
        subjects: The patients before the first line.
        disease: What they have.
        regimens: Those of the first line.
        first: For each patient the number of the first line's regimen.
        chance: Uniform draws, two for each line: whether it is given, and which option.
        switch: A crossover after the first line; None = none was reported.
        year: When the patients progress; None = today.
    """
    listed = list(regimens)
    plan = np.full((LINES, subjects.rows), NO_TREATMENT, np.int32)
    plan[0] = first
    history = with_treatment(subjects, listed, plan[0])
    for line in range(1, LINES):
        usual = _usual(with_line(history, line), disease, chance[line, 1], listed, year)
        treated = chance[line, 0] < load_further_treatment()[disease, line]
        if line == 1 and switch is not None:
            usual, treated = _switched(usual, chance[1, 0], switch, listed, disease)
        plan[line] = np.where(treated & (plan[line - 1] != NO_TREATMENT), usual, NO_TREATMENT)
        history = with_treatment(history, listed, plan[line])
    return tuple(listed), plan


def _switched(
    usual: Int32[np.ndarray, " n"],
    chance: Float32[np.ndarray, " n"],
    switch: Switch,
    listed: list[str],
    disease: str,
) -> tuple[Int32[np.ndarray, " n"], np.ndarray]:
    """Those who cross over, before those who get what is usual."""
    any_share = max(load_further_treatment()[disease, 1], min(switch.share + 0.1, 1.0))
    crosses = chance < switch.share
    return np.where(crosses, _number(switch.regimen, listed), usual).astype(np.int32), chance < any_share


def _usual(
    present: Subjects, disease: str, chance: Float32[np.ndarray, " n"], listed: list[str], year: int | None
) -> Int32[np.ndarray, " n"]:
    """What is usual for each patient now."""
    evaluator = Evaluator(present)
    chosen = np.full(present.rows, NO_TREATMENT, np.int32)
    open_ = np.ones(present.rows, np.bool_)
    for row in load_later_lines():
        choices = _available(row, year)
        if row.disease != disease or not choices:
            continue
        expression = context_of(row.when)
        fits = open_ if expression is None else open_ & evaluator.truth(expression).true
        below = 0.0
        for regimen, share in choices:
            taken = fits & (chance >= below) & (chance < below + share)
            chosen[taken] = _number(regimen, listed)
            below += share
        open_ = open_ & ~fits
    return chosen


def _available(row: LaterLine, year: int | None) -> list[tuple[str, float]]:
    """The options of a row whose drugs there were, which share what the row gives."""
    open_ = [
        (regimen, share)
        for regimen, share in row.choices()
        if year is None
        or all((load_drugs()[drug].approved_year(row.disease) or 0) <= year for drug in regimen.split("+"))
    ]
    whole = sum(share for _, share in open_)
    scale = sum(share for _, share in row.choices()) / whole if whole else 0.0
    return [(regimen, share * scale) for regimen, share in open_]


def _number(regimen: str, listed: list[str]) -> int:
    """The number of a regimen, which joins the list if it is new."""
    if regimen not in listed:
        listed.append(regimen)
    return listed.index(regimen)
