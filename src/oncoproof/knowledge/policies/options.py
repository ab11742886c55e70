"""What a policy says of one action: its standing, when it holds, since when, why and by which source.

An *action* is what a system may choose: a regimen by its id, `no_treatment`, or a test by the key of
its biomarker (`test:EGFR`).

Rules this module guarantees:

- A standing is one of four; in arrays it is its position in `STANDINGS`, the better the higher.
- An option holds from `since` on and, where `until` is set, no longer on that day.

    >>> drugs_of("carboplatin+pemetrexed@maintenance")
    ('carboplatin', 'pemetrexed')
    >>> drugs_of("no_treatment"), drugs_of("test:EGFR"), biomarker_of("test:EGFR")
    ((), (), 'EGFR')
    >>> STANDINGS.index(Standing.PREFERRED)
    3
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from oncoproof.knowledge.expressions.expressions import Expression
from oncoproof.knowledge.tables import Basis

NO_TREATMENT = "no_treatment"
"""The action to give no anticancer drug: symptom control, or observation."""

TEST_PREFIX = "test:"
"""What the name of a test begins with; the biomarker's key follows."""


class Standing(StrEnum):
    """What a policy holds of an action for one subject."""

    NOT_LISTED = "not_listed"
    """The policy does not speak of it."""
    AVOIDED = "avoided"
    """The policy advises against it."""
    ACCEPTABLE = "acceptable"
    """One may choose it."""
    PREFERRED = "preferred"
    """One should choose it, or another that is preferred."""

    @property
    def is_advised(self) -> bool:
        """Whether one may choose it."""
        return self in {Standing.ACCEPTABLE, Standing.PREFERRED}


STANDINGS = tuple(Standing)
"""The standings in the order of their codes in arrays: not listed 0, avoided 1, acceptable 2, preferred 3."""


class Weight(StrEnum):
    """How strongly a policy holds what it says."""

    STRONG = "strong"
    """Randomised evidence, or harm that is certain."""
    MODERATE = "moderate"
    """Smaller or indirect evidence."""
    WEAK = "weak"
    """Consensus, or a choice forced by what can be had."""


@dataclass(frozen=True, slots=True)
class Option:
    """One line of a policy: an action, in one situation."""

    action: str
    """Regimen id, `no_treatment` or `test:KEY`."""
    standing: Standing
    """What the policy holds of it."""
    weight: Weight
    """How strongly."""
    since: date
    """First day on which this holds; the month is meant, where the day is the first."""
    until: date | None
    """First day on which it no longer holds; None = it still does."""
    when: Expression | None
    """What must be so beside the situation; None = nothing more."""
    reason: str
    """One sentence that says why."""
    sources: tuple[str, ...]
    """Ids of entries of `sources.csv`; at least one."""
    basis: Basis
    """How we know."""


def drugs_of(action: str) -> tuple[str, ...]:
    """The drugs of an action; none for a test or no treatment."""
    if action == NO_TREATMENT or action.startswith(TEST_PREFIX):
        return ()
    return tuple(action.partition("@")[0].split("+"))


def biomarker_of(action: str) -> str | None:
    """The biomarker a test asks for; None = the action is no test."""
    return action.removeprefix(TEST_PREFIX) if action.startswith(TEST_PREFIX) else None
