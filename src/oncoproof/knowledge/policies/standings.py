"""What a policy says of many subjects at once: a standing for every action and every subject.

Rules this module guarantees:

- `codes[action, subject]` is a position in `STANDINGS`; an action has one standing for a subject.
- A subject in no situation of the policy has the situation −1 and nothing listed, but what is
  restricted is avoided all the same.

    >>> standings = Standings("demo", ("osimertinib", "no_treatment"), ("egfr_first",),
    ...                       np.array([[3, 0], [2, 0]], dtype=np.int8), np.array([0, -1], dtype=np.int16))
    >>> standings.of("osimertinib").tolist()
    [3, 0]
    >>> [(action, standing.value) for action, standing in standings.listed(0).items()]
    [('osimertinib', 'preferred'), ('no_treatment', 'acceptable')]
    >>> standings.covered.tolist()
    [True, False]
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from oncoproof.errors import InputError
from oncoproof.knowledge.policies.options import STANDINGS, Standing


@dataclass(frozen=True, slots=True)
class Standings:
    """The answer of a policy for a table of subjects."""

    policy: str
    """Slug of the policy."""
    actions: tuple[str, ...]
    """The actions the policy speaks of, in the order of the first axis."""
    situations: tuple[str, ...]
    """Slugs of the situations, in the order of their numbers."""
    codes: NDArray[np.int8]
    """Actions × subjects: positions in `STANDINGS`."""
    situation: NDArray[np.int16]
    """For each subject the number of its situation; −1 = none."""

    def mask(self, standing: Standing) -> NDArray[np.bool_]:
        """Actions × subjects: where an action has a standing."""
        return self.codes == STANDINGS.index(standing)

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which subjects are in a situation the policy speaks of."""
        return self.situation >= 0

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which subjects have a preferred or acceptable action."""
        return np.any(self.codes >= STANDINGS.index(Standing.ACCEPTABLE), axis=0)

    def of(self, action: str) -> NDArray[np.int8]:
        """The standing of one action for each subject, as positions in `STANDINGS`."""
        if action not in self.actions:
            raise InputError(
                where=f"policy {self.policy}",
                came=f"action {action!r}",
                expected="an action the policy speaks of",
                remedy="ask Policy.judge, which answers for any regimen",
            )
        return self.codes[self.actions.index(action)]

    def standing(self, action: str, row: int) -> Standing:
        """The standing of one action for one subject."""
        return STANDINGS[int(self.of(action)[row])]

    def listed(self, row: int) -> dict[str, Standing]:
        """Every action that is listed for one subject, the best first."""
        column = self.codes[:, row]
        order = np.argsort(-column, kind="stable")
        return {self.actions[at]: STANDINGS[column[at]] for at in order if column[at]}
