"""What one policy says of one disease, as its file has it.

A file holds, for each situation of the disease, the options in a table row each; the tests that must
be at hand before a choice, each with the situations in which it is asked for; and what is left when
everything listed is ruled out.

Rules this module guarantees:

- Options stand in situations of the disease; an action is a regimen whose drugs are known,
  `no_treatment`, or a test of a known biomarker.
- A test is asked for only where its result is not known.
- Dates are in order, and every option names a source.

    >>> from oncoproof.knowledge.policies.situations import load_situations
    >>> table = {"disease": "melanoma", "situation": {"melanoma_uveal": {"options": [
    ...     {"action": "no_treatment", "standing": "acceptable", "weight": "weak", "since": "2011-01-01",
    ...      "reason": "Little helps.", "sources": ["guideline:esmo-melanoma"]}]}}}
    >>> guideline = read_guideline(table, load_situations(), where="example")
    >>> guideline.options["melanoma_uveal"][0].standing.value
    'acceptable'
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.expressions.expressions import Expression, Known, Name, Not, conjunction
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.policies.options import (
    TEST_PREFIX,
    Option,
    Standing,
    Weight,
    biomarker_of,
    drugs_of,
)
from oncoproof.knowledge.policies.situations import Situation, parse_condition_of_record
from oncoproof.knowledge.tables import Basis, build


@dataclass(frozen=True, slots=True)
class Guideline:
    """What one policy says of one disease."""

    disease: str
    """Disease slug."""
    situations: tuple[Situation, ...]
    """The situations of the disease, in the order in which they are asked."""
    options: Mapping[str, tuple[Option, ...]]
    """By situation slug; a situation without options is one of which the policy does not speak."""
    fallback: tuple[Option, ...]
    """What becomes acceptable where nothing listed is left."""

    def actions(self) -> tuple[str, ...]:
        """Every action it names, sorted."""
        lines = [*self.fallback, *(option for options in self.options.values() for option in options)]
        return tuple(sorted({option.action for option in lines}))


@dataclass(frozen=True, slots=True)
class _OptionRow:
    """An option as its file has it."""

    action: str
    standing: Standing
    weight: Weight
    since: date
    reason: str
    sources: tuple[str, ...]
    until: date | None = None
    when: str = ""
    basis: Basis = Basis.RECALLED


@dataclass(frozen=True, slots=True)
class _TestRow:
    """The tests that a policy asks for in some situations."""

    biomarkers: tuple[str, ...]
    at: tuple[str, ...]
    since: date
    reason: str
    sources: tuple[str, ...]
    until: date | None = None
    when: str = ""
    basis: Basis = Basis.RECALLED


def read_guideline(
    tables: Mapping[str, Any], situations: Mapping[str, tuple[Situation, ...]], *, where: str
) -> Guideline:
    """What a policy says of a disease, from parsed records.

    Args:
        tables: The file as plain data: `disease`, `situation`, and where there are any `test`, `fallback`.
        situations: The situations of every disease.
        where: Names the file in errors.
    """
    own = situations[tables["disease"]]
    options: dict[str, list[Option]] = {situation.slug: [] for situation in own}
    tests: Iterable[tuple[str, Option]] = (
        line for row in tables.get("test", ()) for line in _tests(row, where=f"{where} test")
    )
    for slug, option in (*tests, *_listed(tables["situation"], where)):
        if slug not in options:
            raise IntegrityError(
                where=where,
                came=f"situation {slug!r}",
                expected="a situation of the same disease",
                remedy="correct the name, or add it to policies/situations",
            )
        options[slug].append(option)
    return Guideline(
        disease=tables["disease"],
        situations=own,
        options=MappingProxyType({slug: tuple(lines) for slug, lines in options.items()}),
        fallback=_options(tables.get("fallback", ()), f"{where} fallback"),
    )


def _listed(tables: Mapping[str, Any], where: str) -> Iterable[tuple[str, Option]]:
    for slug, table in tables.items():
        for option in _options(table["options"], f"{where} {slug}"):
            yield slug, option


def _options(rows: Sequence[Mapping[str, object]], where: str) -> tuple[Option, ...]:
    return tuple(_option(build(_OptionRow, row, where=where), where) for row in rows)


def _option(row: _OptionRow, where: str) -> Option:
    place = f"{where} {row.action}"
    _require_action(row.action, place)
    _require_order(row.since, row.until, row.sources, place)
    return Option(
        action=row.action,
        standing=row.standing,
        weight=row.weight,
        since=row.since,
        until=row.until,
        when=parse_condition_of_record(row.when, where=place) if row.when else None,
        reason=row.reason,
        sources=row.sources,
        basis=row.basis,
    )


def _tests(cells: Mapping[str, object], *, where: str) -> Iterable[tuple[str, Option]]:
    row = build(_TestRow, cells, where=where)
    _require_order(row.since, row.until, row.sources, where)
    extra = (parse_condition_of_record(row.when, where=where),) if row.when else ()
    for biomarker in row.biomarkers:
        action = TEST_PREFIX + biomarker
        _require_action(action, where)
        missing: Expression = Not(Known(Name(biomarker)))
        for slug in row.at:
            yield (
                slug,
                Option(
                    action=action,
                    standing=Standing.PREFERRED,
                    weight=Weight.STRONG,
                    since=row.since,
                    until=row.until,
                    when=conjunction(missing, *extra),
                    reason=row.reason,
                    sources=row.sources,
                    basis=row.basis,
                ),
            )


def _require_action(action: str, where: str) -> None:
    biomarker = biomarker_of(action)
    if biomarker is not None and biomarker not in load_biomarkers():
        raise IntegrityError(
            where=where,
            came=f"biomarker {biomarker!r}",
            expected="a key of biomarkers.toml",
            remedy="correct the key",
        )
    for drug in drugs_of(action):
        if drug not in load_drugs():
            raise IntegrityError(
                where=where, came=f"drug {drug!r}", expected="a drug of drugs.toml", remedy="correct the name"
            )


def _require_order(since: date, until: date | None, sources: Sequence[str], where: str) -> None:
    if until is not None and until <= since:
        raise IntegrityError(
            where=where,
            came=f"from {since} until {until}",
            expected="a beginning before the end",
            remedy="correct the dates",
        )
    if not sources:
        raise IntegrityError(
            where=where, came="no source", expected="one source or more", remedy="name a guideline or trial"
        )
