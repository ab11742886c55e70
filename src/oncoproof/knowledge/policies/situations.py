"""Where treatment is decided: the situations of each disease, in the order in which they are asked.

Situations are shared by all policies, so that two policies can be compared at the same point. They
speak about the record only, never about a plan.

Rules this module guarantees:

- A subject is in the first situation of its disease that is surely so; what is not known never puts
  a subject anywhere.
- A situation reads no feature of the plan.

    >>> [situation.slug for situation in load_situations()["melanoma"]][:2]
    ['melanoma_uveal', 'melanoma_poor_performance_braf']
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import FormatError, IntegrityError
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import Expression, names
from oncoproof.knowledge.subjects.features import FeaturePart
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import build, list_files, read_toml


@dataclass(frozen=True, slots=True)
class Situation:
    """One point at which treatment is decided."""

    slug: str
    """What tables call it; unique over all diseases."""
    disease: str
    """Disease slug."""
    name: str
    """What a reader calls it."""
    when: Expression
    """What must be so of the record."""


@dataclass(frozen=True, slots=True)
class _SituationRow:
    """A situation as its file has it."""

    name: str
    when: str


@cache
def load_situations() -> Mapping[str, tuple[Situation, ...]]:
    """The situations of each disease, in the order in which they are asked."""
    read = {name: read_toml(name, "situations") for name in list_files("policies/situations", ".toml")}
    return MappingProxyType(dict(read_situations(tables, where=name) for name, tables in read.items()))


def read_situations(tables: Mapping[str, Any], *, where: str) -> tuple[str, tuple[Situation, ...]]:
    """The situations of one disease from parsed records.

    Args:
        tables: The file as plain data: `disease`, and one table for each situation.
        where: Names the file in errors.
    """
    disease = tables["disease"]
    if disease not in load_diseases():
        raise IntegrityError(
            where=where,
            came=f"disease {disease!r}",
            expected="a disease of diseases.toml",
            remedy="correct the name",
        )
    return disease, tuple(
        _situation(slug, disease, row, where) for slug, row in tables.items() if slug != "disease"
    )


def _situation(slug: str, disease: str, table: dict[str, Any], where: str) -> Situation:
    row = build(_SituationRow, table, where=f"{where} {slug}")
    when = parse_condition_of_record(row.when, where=f"{where} {slug}")
    return Situation(slug, disease, row.name, when)


def parse_condition_of_record(text: str, *, where: str) -> Expression:
    """An expression over the record; one that reads the plan is refused.

    Args:
        text: The expression.
        where: Names the line in errors.
    """
    vocabulary = load_vocabulary()
    expression = _seen().get(text) or parse_expression(text, vocabulary, where=where)
    for name in sorted(names(expression)):
        if vocabulary.feature(name).part is FeaturePart.PLAN:
            raise FormatError(
                where=where,
                came=f"feature {name!r}",
                expected="a feature of the record",
                remedy="a policy is asked before there is a plan: take the feature out",
            )
    _seen()[text] = expression
    return expression


@cache
def _seen() -> dict[str, Expression]:
    """Expressions by their text: policies repeat one another's conditions."""
    return {}
