"""Molecular profiles of CIViC as conditions on this base's keys, as far as those reach.

Rules this module guarantees:

- The operators AND, OR, NOT and lone parentheses are those of CIViC; everything between two of them is
  one alteration: a gene (or `A::B`) and a change.
- The variant of the old layout (`EML4-ALK G1202R`, `V600E and AMPLIFICATION`) gives the same result as the
  molecular profile that replaced it.
- An alteration that no rule of `civic_names.toml` covers, or whose key has no meaning in the disease, is
  kept as a `Variant`; a text that is not of the grammar is a `CellError`.

    >>> str(read_profile("EML4::ALK Fusion AND ALK G1202R", "nsclc"))
    'ALK=fusion and ALK_G1202R=positive'
    >>> str(read_profile("EGFR L858R OR EGFR Exon 19 Deletion", "nsclc"))
    'EGFR=ex19del|l858r'
    >>> str(read_profile(profile_of_old_layout("ALK", "EML4-ALK G1202R"), "nsclc"))
    'ALK=fusion and ALK_G1202R=positive'
"""

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeAlias

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.civic.treatment_names import VariantRule, variant_rules
from oncoproof.knowledge.evidence.molecular import Clause, MolecularProfile, Variant
from oncoproof.knowledge.medicines.conditions import CellError, Condition, parse_condition

_OPERATORS = frozenset({"AND", "OR", "NOT", "(", ")"})
_CLAUSES_MAX = 64
_FUSION = "Fusion"
_OLD_FUSION = re.compile(
    r"(?P<partners>[A-Z0-9]+-[A-Z0-9]+|(?P<alone>[A-Z0-9]+) FUSIONS?|FUSION|REARRANGEMENT)"
    r"(?: FUSIONS?| E\d+-E\d+)?(?:\s+(?:AND )?(?P<rest>.+))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Literal:
    """One alteration, or its absence."""

    text: str
    """Gene and change as written."""
    is_negated: bool
    """Whether the tumour must not have it."""


_Clauses: TypeAlias = tuple[frozenset[_Literal], ...]


def profile_of_old_layout(gene: str, variant: str) -> str:
    """The molecular profile that says what gene and variant of the old layout say.

    >>> profile_of_old_layout("BRAF", "V600E and AMPLIFICATION")
    'BRAF V600E AND BRAF AMPLIFICATION'
    """
    fusion = _OLD_FUSION.fullmatch(variant)
    if fusion is None or not _is_fusion(gene, fusion):
        return " AND ".join(
            f"{gene} {piece}" for piece in re.split(r"\s+and\s+", variant, flags=re.IGNORECASE)
        )
    joined = fusion["partners"].replace("-", "::") if "-" in fusion["partners"] else f"v::{gene}"
    rest = re.split(r"\s+and\s+", fusion["rest"], flags=re.IGNORECASE) if fusion["rest"] else []
    return " AND ".join((f"{joined} {_FUSION}", *(f"{gene} {piece}" for piece in rest)))


def _is_fusion(gene: str, match: re.Match[str]) -> bool:
    if match["alone"]:
        return match["alone"].upper() == gene
    return "-" not in match["partners"] or gene in match["partners"].upper().split("-")


@cache
def read_profile(text: str, disease: str | None) -> MolecularProfile:
    """What a molecular profile asks of a tumour.

    Args:
        text: The profile as CIViC writes it.
        disease: Slug of the row's disease; None = any tumour.
    """
    clauses = _Parser(text).whole()
    read = [_read_clause(clause, disease) for clause in clauses]
    return MolecularProfile(_simplify(read))


class _Parser:
    """Reads the operators by descent: OR binds weakest, then AND, then NOT."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words = _tokens(text)

    def whole(self) -> _Clauses:
        parsed = self._either()
        if self._words:
            raise CellError(self._text, expected="AND or OR between alterations")
        return parsed

    def _either(self) -> _Clauses:
        found = self._both()
        while self._take_if("OR"):
            found = _limited((*found, *self._both()), self._text)
        return found

    def _both(self) -> _Clauses:
        found = self._single()
        while self._take_if("AND"):
            found = _conjunction((found, self._single()), self._text)
        return found

    def _single(self) -> _Clauses:
        if self._take_if("NOT"):
            return _negation(self._single(), self._text)
        if self._take_if("("):
            found = self._either()
            if not self._take_if(")"):
                raise CellError(self._text, expected="each parenthesis closed")
            return found
        if not self._words or self._words[0] in _OPERATORS:
            raise CellError(self._text, expected="an alteration on both sides of an operator")
        return (frozenset({_Literal(self._words.pop(0), is_negated=False)}),)

    def _take_if(self, word: str) -> bool:
        found = self._words[:1] == [word]
        if found:
            del self._words[0]
        return found


def _tokens(text: str) -> list[str]:
    """Operators, and what stands between them as one piece."""
    groups = itertools.groupby(text.split(), key=lambda word: word if word in _OPERATORS else "")
    tokens: list[str] = []
    for operator, words in groups:
        tokens.extend(words if operator else [" ".join(words)])
    return tokens


def _limited(clauses: Iterable[frozenset[_Literal]], text: str) -> _Clauses:
    """The clauses without repetition."""
    unique = tuple(dict.fromkeys(clauses))
    if len(unique) > _CLAUSES_MAX:
        raise CellError(text, expected=f"at most {_CLAUSES_MAX} alternatives")
    return unique


def _conjunction(parts: Iterable[_Clauses], text: str) -> _Clauses:
    return _limited((frozenset[_Literal]().union(*chosen) for chosen in itertools.product(*parts)), text)


def _negation(clauses: _Clauses, text: str) -> _Clauses:
    """De Morgan: none of the clauses holds where of each clause some literal does not."""
    negated = [
        tuple(
            frozenset({_Literal(literal.text, not literal.is_negated)})
            for literal in _sorted_literals(clause)
        )
        for clause in clauses
    ]
    return _conjunction(negated, text)


def _sorted_literals(clause: frozenset[_Literal]) -> list[_Literal]:
    """The literals of a clause in an order that does not depend on hashing."""
    return sorted(clause, key=lambda literal: (literal.text, literal.is_negated))


def _read_clause(clause: frozenset[_Literal], disease: str | None) -> Clause:
    conditions: list[Condition] = []
    variants: list[Variant] = []
    for literal in _sorted_literals(clause):
        found = _read_literal(literal, disease)
        if isinstance(found, Condition) and not _contradicts(found, conditions):
            conditions.append(found)
        else:
            variants.append(_variant(literal))
    return Clause(tuple(sorted(set(conditions), key=str)), tuple(variants))


def _contradicts(condition: Condition, others: Iterable[Condition]) -> bool:
    """Whether a tumour cannot have one plain value that meets this and another condition of its key."""
    return any(
        other.key == condition.key and not other.plain_values() & condition.plain_values() for other in others
    )


def _read_literal(literal: _Literal, disease: str | None) -> Condition | None:
    variant = _variant(literal)
    for gene in variant.gene.split("::"):
        for rule in variant_rules().get(gene, ()):
            condition = _apply(rule, variant.change.upper(), disease)
            if condition is not None:
                return condition.negated(disease) if literal.is_negated else condition
    return None


def _variant(literal: _Literal) -> Variant:
    gene, space, change = literal.text.partition(" ")
    if not space:
        raise CellError(literal.text, expected="a gene and a change")
    return Variant(gene, _FUSION if "::" in gene else change, is_absent=literal.is_negated)


def _apply(rule: VariantRule, change: str, disease: str | None) -> Condition | None:
    if rule.diseases and disease not in rule.diseases:
        return None
    biomarker = load_biomarkers()[rule.means.partition("=")[0]]
    if biomarker.diseases and (disease is None or not biomarker.applies_to(disease)):
        return None
    return parse_condition(rule.means, disease=disease) if rule.change.fullmatch(change) else None


def _simplify(clauses: list[Clause]) -> tuple[Clause, ...]:
    """Clauses without repetition; alternatives that differ in values of one key become one condition."""
    unique = tuple(dict.fromkeys(clauses))
    keys = {clause.conditions[0].key for clause in unique if len(clause.conditions) == 1}
    if len(unique) == 1 or len(keys) != 1 or any(c.variants or len(c.conditions) != 1 for c in unique):
        return unique
    values = sorted({value for clause in unique for value in clause.conditions[0].plain_values()})
    return (Clause((Condition(keys.pop(), tuple(values)),)),)
