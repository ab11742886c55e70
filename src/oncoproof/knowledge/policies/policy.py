"""A policy: what one body of guidance advises, asked about many subjects or about one.

Rules this module guarantees:

- A policy sees the record only: columns of a plan change nothing.
- `judge` answers for any regimen, listed or not, with the reasons and sources of the answer; where
  another schedule of the same drugs is listed, that schedule's standing counts.
- A policy that stopped learning (`frozen`) answers later questions as of that day.

    >>> from oncoproof.knowledge.policies.library import load_policies
    >>> policy = load_policies()["resource_rich"]
    >>> patient = {"disease": "nsclc", "setting": "advanced", "line": 1, "ecog": 1, "EGFR": "ex19del"}
    >>> judgement = policy.judge("osimertinib", Subjects.of_rows([patient]), as_of=date(2019, 1, 1))
    >>> judgement.standing.value, judgement.situation, judgement.sources
    ('preferred', 'nsclc_egfr_first', ('nct:NCT02296125',))
    >>> policy.judge("pembrolizumab", Subjects.of_rows([patient]), as_of=date(2019, 1, 1)).standing.value
    'avoided'
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from oncoproof.errors import InputError
from oncoproof.knowledge.policies.options import NO_TREATMENT, Standing, drugs_of
from oncoproof.knowledge.policies.standings import Standings
from oncoproof.knowledge.policies.survey import PolicyContent, Survey
from oncoproof.knowledge.subjects.subjects import Subjects


@dataclass(frozen=True, slots=True)
class Ground:
    """One reason for a standing."""

    standing: Standing
    """What the reason speaks for."""
    reason: str
    """One sentence."""
    sources: tuple[str, ...]
    """Ids of entries of `sources.csv`; empty = it follows from the other grounds."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a policy holds of one action for one subject, and why."""

    action: str
    """The action asked about."""
    standing: Standing
    """What the policy holds of it."""
    situation: str | None
    """Slug of the subject's situation; None = the policy does not speak of such a subject."""
    grounds: tuple[Ground, ...]
    """Why; empty where it is not listed."""

    @property
    def reasons(self) -> tuple[str, ...]:
        """The sentences."""
        return tuple(ground.reason for ground in self.grounds)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources behind the grounds, each once, in their order."""
        return tuple(dict.fromkeys(source for ground in self.grounds for source in ground.sources))


@dataclass(frozen=True, slots=True)
class Policy:
    """One body of guidance."""

    slug: str
    """What tables call it: the name of its folder."""
    name: str
    """What a reader calls it."""
    about: str
    """Whose practice it describes, in a sentence or two."""
    complete_from: date
    """First day from which it speaks of every situation; asked earlier, it may say nothing."""
    frozen: date | None
    """Day on which it stopped learning; None = it is kept up."""
    sources: tuple[str, ...]
    """Ids of the guidelines it follows."""
    content: PolicyContent
    """Everything it says."""

    def options(self, subjects: Subjects, as_of: date | NDArray[np.datetime64]) -> Standings:
        """The standing of every action for every subject.

        Args:
            subjects: Who is asked about.
            as_of: The day of the decision, or one for each subject.
        """
        return self._survey(subjects, as_of).standings(self.slug)

    def judge(self, action: str, subjects: Subjects, *, as_of: date, row: int = 0) -> Judgement:
        """What the policy holds of one action for one subject, and why.

        Args:
            action: A regimen id, `no_treatment` or `test:KEY`.
            subjects: A table that holds the subject.
            as_of: The day of the decision.
            row: Where the subject stands in the table.
        """
        if not 0 <= row < subjects.rows:
            raise InputError(
                came=f"row {row}",
                expected=f"a row from 0 to {subjects.rows - 1}",
                remedy="name a subject of the table",
            )
        survey = self._survey(subjects, as_of)
        standings = survey.standings(self.slug)
        number = int(standings.situation[row])
        listed = _listed_as(standings, action, row)
        grounds = tuple(_grounds(survey, standings, listed, row))
        standing = _standing(standings, listed, row, grounds)
        return Judgement(
            action=action,
            standing=standing,
            situation=standings.situations[number] if number >= 0 else None,
            grounds=grounds,
        )

    def _survey(self, subjects: Subjects, as_of: date | NDArray[np.datetime64]) -> Survey:
        days = np.asarray(as_of, dtype="datetime64[D]")
        if self.frozen is not None:
            days = np.minimum(days, np.datetime64(self.frozen))
        return Survey(self.content, subjects, days)


def _listed_as(standings: Standings, action: str, row: int) -> str:
    """The action itself, or the schedule of the same drugs under which the policy lists it here."""
    drugs = drugs_of(action)
    same = [other for other in standings.actions if drugs and drugs_of(other) == drugs]
    if action in standings.actions:
        same.insert(0, action)
    return next((other for other in same if standings.of(other)[row]), action)


def _standing(standings: Standings, action: str, row: int, grounds: tuple[Ground, ...]) -> Standing:
    if action in standings.actions:
        return standings.standing(action, row)
    return Standing.AVOIDED if grounds else Standing.NOT_LISTED


def _grounds(survey: Survey, standings: Standings, action: str, row: int) -> Iterator[Ground]:
    listed = [option for option, rows in survey.holding() if rows[row] and option.action == action]
    for option in listed:
        yield Ground(option.standing, option.reason, option.sources)
    for restriction, rows in survey.restricting(drugs_of(action)):
        if rows[row]:
            yield Ground(Standing.AVOIDED, restriction.reason, restriction.sources)
    if action not in standings.actions:
        return
    given = standings.standing(action, row)
    if given is Standing.ACCEPTABLE and any(option.standing is Standing.PREFERRED for option in listed):
        yield Ground(given, "A test that may change the choice is outstanding.", ())
    if given is not Standing.NOT_LISTED and given is not Standing.AVOIDED and not listed:
        yield from _last_resorts(survey, action, row, given)


def _last_resorts(survey: Survey, action: str, row: int, given: Standing) -> Iterator[Ground]:
    kept = [option for option, rows in survey.falling_back() if rows[row] and option.action == action]
    for option in kept:
        yield Ground(given, option.reason, option.sources)
    if not kept and action == NO_TREATMENT:
        yield Ground(given, "Everything else the policy lists is ruled out.", ())
