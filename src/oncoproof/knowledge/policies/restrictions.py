"""What every policy keeps away from: drugs that an illness, an organ or a gene rules out.

A restriction turns every regimen that holds one of its drugs or classes to `avoided`, whatever the
situation says, unless the regimen also holds a class that makes it safe again (`spares`).

Rules this module guarantees:

- A restriction speaks about the record only; drugs and classes are those of their tables.
- What the table of a drug says of organ function and blood counts restricts it too: where the drug is to
  be avoided or held, no policy advises it.

    >>> restriction = load_restrictions()["pemetrexed_kidney"]
    >>> restriction.covers(("carboplatin", "pemetrexed")), restriction.covers(("carboplatin", "paclitaxel"))
    (True, False)
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.expressions.expressions import (
    Comparison,
    Expression,
    Name,
    Number,
    Operator,
    conjunction,
)
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import DoseThreshold, Drug, ThresholdAction, classes_of, load_drugs
from oncoproof.knowledge.policies.situations import parse_condition_of_record
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, build, read_toml

_ALWAYS = date(1990, 1, 1)


@dataclass(frozen=True, slots=True)
class Restriction:
    """One reason to keep away from some drugs."""

    slug: str
    """What tables call it."""
    when: Expression
    """What must be so of the record."""
    drugs: frozenset[str]
    """Drugs and classes to keep away from."""
    spares: frozenset[str]
    """Drugs and classes whose presence in the regimen lifts the restriction."""
    since: date
    """First day on which it holds."""
    reason: str
    """One sentence that says why."""
    sources: tuple[str, ...]
    """Ids of entries of `sources.csv`; at least one."""
    basis: Basis
    """How we know."""

    def covers(self, drugs: Iterable[str]) -> bool:
        """Whether a combination of drugs falls under it."""
        words = {word for drug in drugs for word in (drug, *classes_of(drug))}
        return bool(words & self.drugs) and not words & self.spares


@dataclass(frozen=True, slots=True)
class _RestrictionRow:
    """A restriction as its file has it."""

    when: str
    reason: str
    sources: tuple[str, ...]
    since: date
    drugs: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    basis: Basis = Basis.RECALLED


@cache
def load_restrictions() -> Mapping[str, Restriction]:
    """All restrictions, by slug: those of the file, then those of the drugs' thresholds."""
    stated = read_restrictions(read_toml("policies/restrictions.toml", "restrictions"))
    derived = {found.slug: found for drug in load_drugs().values() for found in _of_thresholds(drug)}
    return MappingProxyType({**stated, **derived})


def read_restrictions(tables: Mapping[str, Any]) -> Mapping[str, Restriction]:
    """All restrictions from parsed records, by slug."""
    return MappingProxyType({slug: _restriction(slug, table) for slug, table in tables.items()})


def _restriction(slug: str, table: dict[str, Any]) -> Restriction:
    where = f"policies/restrictions.toml {slug}"
    row = build(_RestrictionRow, table, where=where)
    _require_known(row.drugs, load_drugs(), where)
    classes = {**load_classes(), **load_umbrellas()}
    _require_known(row.classes, classes, where)
    _require_known(row.spares, {**classes, **load_drugs()}, where)
    return Restriction(
        slug=slug,
        when=parse_condition_of_record(row.when, where=where),
        drugs=frozenset((*row.drugs, *row.classes)),
        spares=frozenset(row.spares),
        since=row.since,
        reason=row.reason,
        sources=row.sources,
        basis=row.basis,
    )


def _require_known(words: Iterable[str], known: Mapping[str, object], where: str) -> None:
    for word in words:
        if word not in known:
            raise IntegrityError(
                where=where,
                came=repr(word),
                expected="a drug or class of its table",
                remedy="correct the name",
            )


def _of_thresholds(drug: Drug) -> Iterator[Restriction]:
    for number, threshold in enumerate(drug.thresholds, start=1):
        if threshold.action is ThresholdAction.REDUCE:
            continue
        yield Restriction(
            slug=f"threshold:{drug.slug}:{threshold.feature}:{number}",
            when=_within(threshold),
            drugs=frozenset({drug.slug}),
            spares=frozenset(),
            since=_ALWAYS,
            reason=f"{drug.name.capitalize()} is not given with {_range(threshold)}.",
            sources=(threshold.source,),
            basis=threshold.basis,
        )


def _within(threshold: DoseThreshold) -> Expression:
    name = Name(threshold.feature)
    bounds = ((Operator.AT_LEAST, threshold.low), (Operator.BELOW, threshold.high))
    return conjunction(
        *(Comparison(name, operator, Number(bound)) for operator, bound in bounds if bound is not None)
    )


def _range(threshold: DoseThreshold) -> str:
    spoken = load_vocabulary().feature(threshold.feature).spoken
    unit = "" if threshold.unit == "1" else f" {threshold.unit}"
    if threshold.low is None:
        return f"{spoken} below {threshold.high:g}{unit}"
    if threshold.high is None:
        return f"{spoken} of {threshold.low:g}{unit} or more"
    return f"{spoken} from {threshold.low:g} to {threshold.high:g}{unit}"
