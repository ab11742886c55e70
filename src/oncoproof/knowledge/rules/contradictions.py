"""What a record cannot say at once: contradictions of person, history and measurements.

`data/contradictions.csv` lists them in the language of the rules; those of each disease follow from
its table, and the bounds of each measurement from the vocabulary.

Rules this module guarantees:

- A contradiction counts only where everything it speaks of is known.
- A disease is contradicted by a sex in which it does not occur, an age beyond its extremes, a
  histology or setting of another disease, and a line beyond its last.

    >>> checks = {check.id: check for check in list_contradictions()}
    >>> str(checks["sex:ovarian"].breach), checks["sex:ovarian"].severity.value
    ('disease == ovarian and not sex in [female]', 'hard')
    >>> str(checks["bounds:potassium"].breach)
    'potassium < 1.2 or potassium > 9.5'
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from oncoproof.knowledge.cancers.diseases import Disease, load_diseases
from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.rules.checks import Check, CheckGroup, contradiction
from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.subjects.features import Feature, FeatureKind
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, read_csv

_TITLES = {
    "sex": "a sex in which it does not occur",
    "age_years": "an age at which it hardly occurs",
    "histology": "a histology that is not one of it",
    "setting": "a setting of treatment that it does not have",
    "line": "more lines than it plausibly has",
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A row of `contradictions.csv`."""

    id: str
    """Name, unique."""
    group: CheckGroup
    """What it is about."""
    severity: Severity
    """How much it weighs."""
    condition: str
    """What cannot be, in the language of the rules."""
    title: str
    """The same in words."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know it."""


def list_contradictions() -> Iterator[Check]:
    """Every contradiction, in the order of the tables."""
    for row in read_csv("contradictions.csv", "contradictions", Contradiction):
        yield _check(replace(row, id=f"contradiction:{row.id}"))
    for disease in load_diseases().values():
        yield from map(_check, _of_disease(disease))
    for feature in load_vocabulary().features.values():
        if feature.kind is FeatureKind.NUMBER:
            yield _check(_bounds(feature))


def _of_disease(disease: Disease) -> Iterator[Contradiction]:
    slug, codes = disease.slug, disease.code_sources[0]
    facts = (
        ("sex", _listed(sex.value for sex in disease.sexes), Severity.HARD, codes),
        ("age_years", f"{disease.age.low}..{disease.age.high}", Severity.ADJUST, disease.age.source),
        ("histology", _listed(disease.histologies), Severity.HARD, codes),
        ("setting", _listed(disease.settings), Severity.ADJUST, "project:assumptions"),
        ("line", f"0..{disease.line_last}", Severity.MONITOR, "project:assumptions"),
    )
    for feature, possible, severity, source in facts:
        yield Contradiction(
            id=f"{feature.removesuffix('_years')}:{slug}",
            group=CheckGroup.PERSON,
            severity=severity,
            condition=f"disease == {slug} and not {feature} in {possible}",
            title=f"{slug.capitalize()} cancer with {_TITLES[feature]}",
            source=source,
            basis=Basis.ASSUMED,
        )


def _listed(words: Iterable[str]) -> str:
    return f"[{', '.join(words)}]"


def _bounds(feature: Feature) -> Contradiction:
    name = feature.name
    return Contradiction(
        id=f"bounds:{name}",
        group=CheckGroup.MEASUREMENT,
        severity=Severity.HARD,
        condition=f"{name} < {feature.low} or {name} > {feature.high}",
        title=f"{feature.spoken[:1].upper()}{feature.spoken[1:]} outside what is possible",
        source=feature.source,
        basis=feature.basis,
    )


def _check(row: Contradiction) -> Check:
    return contradiction(
        row.id,
        parse_expression(row.condition, load_vocabulary(), where=f"contradictions {row.id}"),
        group=row.group,
        severity=row.severity,
        title=row.title,
        source=row.source,
        basis=row.basis,
    )
