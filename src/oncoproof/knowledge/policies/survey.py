"""How a policy is asked about many subjects at once, phase by phase.

    place      in which situation is each subject?
    list       what does the policy say of each action there, on the day?
    restrict   which drugs does the record rule out?
    defer      while a test is outstanding nothing is preferred but the test
    fall back  where nothing is left: what the policy keeps for that, else no treatment

Rules this module guarantees:

- What is not known never makes an option hold, and never restricts one.
- Where an action is both listed and advised against, it is avoided.
- A subject in a situation the policy speaks of always has something preferred or acceptable.

    >>> from oncoproof.knowledge.policies.library import load_policies
    >>> from oncoproof.knowledge.subjects.subjects import Subjects
    >>> patient = {"disease": "melanoma", "setting": "advanced", "line": 1, "ecog": 0, "BRAF": "wt"}
    >>> content = load_policies()["resource_rich"].content
    >>> survey = Survey(content, Subjects.of_rows([patient]), date(2023, 1, 1))
    >>> survey.standings("resource_rich").listed(0)["nivolumab+relatlimab"].value
    'preferred'
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.policies.guidelines import Guideline
from oncoproof.knowledge.policies.options import (
    NO_TREATMENT,
    STANDINGS,
    Option,
    Standing,
    biomarker_of,
    drugs_of,
)
from oncoproof.knowledge.policies.restrictions import Restriction
from oncoproof.knowledge.policies.situations import Situation
from oncoproof.knowledge.policies.standings import Standings
from oncoproof.knowledge.subjects.subject_columns import CategoryColumn, Mask
from oncoproof.knowledge.subjects.subjects import Subjects

_AVOIDED, _ACCEPTABLE, _PREFERRED = (
    STANDINGS.index(standing) for standing in (Standing.AVOIDED, Standing.ACCEPTABLE, Standing.PREFERRED)
)


@dataclass(frozen=True, slots=True)
class PolicyContent:
    """Everything a policy says."""

    guidelines: Mapping[str, Guideline]
    """By disease."""
    restrictions: tuple[Restriction, ...]
    """What it keeps away from in every disease."""
    actions: tuple[str, ...]
    """Every action it names, sorted, and no treatment."""
    situations: tuple[Situation, ...]
    """The situations of all its diseases."""


class Survey:
    """One policy asked about one table of subjects as of a day, or of one day for each subject."""

    def __init__(
        self, content: PolicyContent, subjects: Subjects, as_of: date | NDArray[np.datetime64]
    ) -> None:
        """Prepare the survey; the work is done when its answers are asked for.

        Args:
            content: What the policy says.
            subjects: Who is asked about.
            as_of: The day of the decision, or one for each subject.
        """
        self._content = content
        self._subjects = subjects
        self._days = np.broadcast_to(np.asarray(as_of, dtype="datetime64[D]"), (subjects.rows,))
        self._evaluator = Evaluator(subjects)

    def standings(self, policy: str) -> Standings:
        """The standing of every action for every subject.

        Args:
            policy: Slug under which the answer is given.
        """
        codes = self._listed()
        self._restrict(codes)
        self._defer(codes)
        self._fall_back(codes)
        return Standings(
            policy=policy,
            actions=self._content.actions,
            situations=tuple(situation.slug for situation in self._content.situations),
            codes=codes,
            situation=self.situation,
        )

    @cached_property
    def situation(self) -> NDArray[np.int16]:
        """For each subject the number of the first situation that is surely so; −1 = none."""
        found = np.full(self._subjects.rows, -1, dtype=np.int16)
        for number, situation in enumerate(self._content.situations):
            open_rows = self._has_disease(situation.disease) & (found < 0)
            if open_rows.any():
                found[open_rows & self._evaluator.truth(situation.when).true] = number
        return found

    def holding(self) -> Iterator[tuple[Option, Mask]]:
        """Each option that holds for somebody, with the subjects for whom it does."""
        for number, situation in enumerate(self._content.situations):
            there = self.situation == number
            if not there.any():
                continue
            for option in self._content.guidelines[situation.disease].options[situation.slug]:
                rows = there & self._holds(option)
                if rows.any():
                    yield option, rows

    def restricting(self, drugs: Iterable[str]) -> Iterator[tuple[Restriction, Mask]]:
        """Each restriction that covers a combination of drugs, with the subjects for whom it holds."""
        given = tuple(drugs)
        for restriction in self._content.restrictions:
            if restriction.covers(given):
                yield restriction, self._restricted(restriction)

    def falling_back(self) -> Iterator[tuple[Option, Mask]]:
        """Each option kept for those for whom nothing is left, where its own condition holds."""
        for guideline in self._content.guidelines.values():
            rows = self._has_disease(guideline.disease) & (self.situation >= 0)
            for option in guideline.fallback:
                yield option, rows & self._holds(option)

    def _listed(self) -> NDArray[np.int8]:
        codes = np.zeros((len(self._content.actions), self._subjects.rows), dtype=np.int8)
        against = np.zeros_like(codes, dtype=np.bool_)
        for option, rows in self.holding():
            at = self._content.actions.index(option.action)
            if option.standing is Standing.AVOIDED:
                against[at] |= rows
            else:
                code = STANDINGS.index(option.standing)
                np.maximum(codes[at], np.where(rows, code, 0), out=codes[at], casting="unsafe")
        codes[against] = _AVOIDED
        return codes

    def _restrict(self, codes: NDArray[np.int8]) -> None:
        for at, action in enumerate(self._content.actions):
            for _, rows in self.restricting(drugs_of(action)):
                codes[at, rows] = _AVOIDED

    def _defer(self, codes: NDArray[np.int8]) -> None:
        tests = np.array([biomarker_of(action) is not None for action in self._content.actions])
        outstanding = (codes[tests] == _PREFERRED).any(axis=0)
        therapies = np.flatnonzero(~tests)
        part = codes[therapies]
        part[(part == _PREFERRED) & outstanding] = _ACCEPTABLE
        codes[therapies] = part

    def _fall_back(self, codes: NDArray[np.int8]) -> None:
        therapies = np.array([biomarker_of(action) is None for action in self._content.actions])
        nothing = ~(codes[therapies] >= _ACCEPTABLE).any(axis=0) & (self.situation >= 0)
        if not nothing.any():
            return
        for option, rows in self.falling_back():
            at = self._content.actions.index(option.action)
            codes[at, nothing & rows & (codes[at] != _AVOIDED)] = STANDINGS.index(option.standing)
        still = nothing & ~(codes[therapies] >= _ACCEPTABLE).any(axis=0)
        codes[self._content.actions.index(NO_TREATMENT), still] = _ACCEPTABLE

    def _holds(self, option: Option) -> Mask:
        rows = self._days >= np.datetime64(option.since)
        if option.until is not None:
            rows = rows & (self._days < np.datetime64(option.until))
        return rows if option.when is None else rows & self._evaluator.truth(option.when).true

    def _restricted(self, restriction: Restriction) -> Mask:
        since = self._days >= np.datetime64(restriction.since)
        return since & self._evaluator.truth(restriction.when).true

    def _has_disease(self, disease: str) -> Mask:
        column = self._subjects.column("disease")
        assert isinstance(column, CategoryColumn)  # noqa: S101  the vocabulary says that it is a category
        return column.codes == column.values.index(disease)
