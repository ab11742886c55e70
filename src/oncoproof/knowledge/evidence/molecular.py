"""What must be so in a tumour for a piece of evidence to speak about it, with `and`, `or` and `not`.

A profile is a list of clauses; it holds where any clause holds. A clause holds where all its conditions
and variants do. A condition is of this base's keys; a variant is one that no key expresses, kept as gene
and change.

Rules this module guarantees:

- A clause never asks the same thing twice.
- `admits` answers None (not known) rather than guess: a key without value, or a variant of no key.

    >>> from oncoproof.knowledge.medicines.conditions import parse_condition
    >>> profile = MolecularProfile((Clause((parse_condition("EGFR=mut"),)),))
    >>> profile.admits({"EGFR": "l858r"}), profile.admits({"EGFR": "wt"}), profile.admits({})
    (True, False, None)
"""

from collections.abc import Mapping
from dataclasses import dataclass

from oncoproof.knowledge.medicines.conditions import Condition, parse_condition


@dataclass(frozen=True, slots=True)
class Variant:
    """An alteration that no key of the base expresses."""

    gene: str
    """Gene symbol; partners of a fusion joined by `::`."""
    change: str
    """What is altered, as the source writes it."""
    is_absent: bool = False
    """Whether the tumour must not have it."""

    def __str__(self) -> str:
        return f"{'not ' if self.is_absent else ''}{self.gene} {self.change}"


@dataclass(frozen=True, slots=True)
class Clause:
    """Conditions and variants that must all hold."""

    conditions: tuple[Condition, ...] = ()
    """What must be so of keys."""
    variants: tuple[Variant, ...] = ()
    """What must be so of alterations no key expresses."""

    def __str__(self) -> str:
        return " and ".join(map(str, (*self.conditions, *self.variants))) or "any tumour"

    def admits(self, patient: Mapping[str, str | float]) -> bool | None:
        """Whether a patient's plain values meet the clause; None = not known."""
        answers = [
            condition.admits(patient[condition.key]) if condition.key in patient else None
            for condition in self.conditions
        ]
        if False in answers:
            return False
        return None if self.variants or None in answers else True


@dataclass(frozen=True, slots=True)
class MolecularProfile:
    """Clauses any of which will do."""

    clauses: tuple[Clause, ...] = (Clause(),)
    """The alternatives; one empty clause = any tumour."""

    def __str__(self) -> str:
        return " or ".join(map(str, self.clauses))

    @property
    def is_mapped(self) -> bool:
        """Whether keys of the base express all of it."""
        return not any(clause.variants for clause in self.clauses)

    def admits(self, patient: Mapping[str, str | float]) -> bool | None:
        """Whether a patient's plain values meet the profile; None = not known."""
        answers = [clause.admits(patient) for clause in self.clauses]
        if True in answers:
            return True
        return None if None in answers else False


def parse_profile(conditions: str, variants: str = "", *, disease: str | None = None) -> MolecularProfile:
    """Read a profile of one clause as data files write it.

    Args:
        conditions: `KEY=VALUE` separated by `;`; empty = none.
        variants: `GENE change` separated by `;`, `not` before one that must be absent; empty = none.
        disease: Where given, a value that this disease does not have is refused.

    >>> str(parse_profile("EGFR=ex19del|l858r", "EGFR T854A"))
    'EGFR=ex19del|l858r and EGFR T854A'
    """
    return MolecularProfile(
        (
            Clause(
                tuple(parse_condition(piece, disease=disease) for piece in conditions.split(";") if piece),
                tuple(_parse_variant(piece.strip()) for piece in variants.split(";") if piece),
            ),
        )
    )


def _parse_variant(text: str) -> Variant:
    gene, _, change = text.removeprefix("not ").partition(" ")
    return Variant(gene, change, is_absent=text.startswith("not "))
