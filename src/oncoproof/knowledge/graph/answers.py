"""What the graph answers: yes, no or not known, with the chain that decides it and what it hangs on.

Rules this module guarantees:

- Not known is never no: it comes with what would settle it, or with what is said and does not decide.
- The chain of an answer is connected; an answer that nothing in the base decides has none.
- The reasons name the source and the basis of every statement, and cite each.

    >>> nothing = Answer("compatible: osimertinib in nsclc", Verdict.UNKNOWN, missing=("EGFR",))
    >>> nothing.verdict.value, nothing.missing, reasons(nothing.statements)
    ('unknown', ('EGFR',), ())
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum

from oncoproof.knowledge.evidence.citations import cite
from oncoproof.knowledge.evidence.evidence import Evidence
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
    """What the answer takes for granted, because it is not known."""
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


def reasons(statements: Iterable[Statement], *, imported: Collection[Evidence] = ()) -> tuple[Reason, ...]:
    """Statements with their sources.

    Args:
        statements: What was said.
        imported: Evidence of imports, which bring sources that the base does not list.
    """
    return tuple(
        Reason(said.sentence, said.source, cite(said.source, imported=imported).line, said.basis)
        for said in statements
    )
