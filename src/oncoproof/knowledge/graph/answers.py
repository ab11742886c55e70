"""What the graph answers: yes, no or not known, with the chain that decides it and what it hangs on.

Rules this module guarantees:

- Not known is never no: it comes with what would settle it, or with the sources that disagree.
- The chain of an answer is connected; an answer that nothing in the base decides has none.
- `why` names the source and the basis of every statement, and can cite each.

    >>> nothing = Answer("compatible: osimertinib in nsclc", Verdict.UNKNOWN, missing=("EGFR",))
    >>> nothing.verdict.value, nothing.missing, why(nothing)
    ('unknown', ('EGFR',), ())
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from oncoproof.knowledge.evidence.citations import cite
from oncoproof.knowledge.graph.chains import Chain
from oncoproof.knowledge.graph.statements import Statement
from oncoproof.knowledge.tables import Basis


class Verdict(StrEnum):
    """What an answer says."""

    YES = "yes"
    """It is so."""
    NO = "no"
    """It is not so."""
    UNKNOWN = "unknown"
    """Nobody can tell from what is known."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer."""

    question: str
    """What was asked, in words."""
    verdict: Verdict
    """What is so."""
    chain: Chain = ()
    """The steps that decide it; empty = nothing in the base does."""
    because: tuple[str, ...] = ()
    """What of the patient decides it, in words."""
    missing: tuple[str, ...] = ()
    """Biomarkers and features that would settle it; empty unless it is not known."""
    provided: tuple[str, ...] = ()
    """What a yes takes for granted, because it is not known."""
    others: tuple[Statement, ...] = ()
    """What else the base says for or against it, the weightiest first."""

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the chain, in its order."""
        return tuple(step.statement for step in self.chain)


@dataclass(frozen=True, slots=True)
class Reason:
    """One statement of a chain, with where it comes from."""

    sentence: str
    """The statement in words."""
    source: str
    """Id of an entry of `sources.csv`."""
    citation: str
    """The source in a line."""
    basis: Basis
    """How we know."""


def why(answer: Answer) -> tuple[Reason, ...]:
    """The chain of an answer, each statement with its source."""
    return reasons(answer.statements)


def reasons(statements: Iterable[Statement]) -> tuple[Reason, ...]:
    """Statements with their sources."""
    return tuple(
        Reason(said.sentence, said.source, cite(said.source).line, said.basis) for said in statements
    )
