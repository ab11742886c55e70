"""Checks of biomarkers: which values cannot stand together, or not in this disease, or not by this assay.

Rules this module guarantees:

- A contradiction counts only between values that are known.
- Drivers that exclude each other are improbable rather than impossible, and after targeted treatment
  they may be resistance: so such a pair asks for a look, and only before targeted treatment.

    >>> checks = {check.id: check for check in list_marker_checks()}
    >>> checks["exclusive:nsclc:EGFR=mut:ALK=fusion"].severity.value
    'adjust'
"""

from collections.abc import Iterator

from oncoproof.knowledge.cancers.assays import load_assays
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.marker_constraints import MarkerConstraint, load_marker_constraints
from oncoproof.knowledge.expressions.expressions import (
    Among,
    Comparison,
    Expression,
    Has,
    Known,
    Name,
    Not,
    Operator,
    Quantifier,
    Word,
    conjunction,
    disjunction,
)
from oncoproof.knowledge.medicines.drug_classes import Modality, load_classes
from oncoproof.knowledge.populations.comutation import Comutation, Relation, load_comutation
from oncoproof.knowledge.rules.checks import Check, CheckGroup, known_all
from oncoproof.knowledge.rules.rules import Severity
from oncoproof.knowledge.tables import Basis

_OF_THE_PERSON = frozenset({BiomarkerKind.CLINICAL, BiomarkerKind.PHARMACOGENE})
"""Kinds that may be known in any disease, whether or not they matter there."""


def list_marker_checks() -> Iterator[Check]:
    """Every check of biomarkers."""
    exclusive = (fact for fact in load_comutation() if fact.relation is Relation.EXCLUSIVE)
    yield from (_exclusive_check(fact) for fact in exclusive)
    yield from (_constraint_check(constraint) for constraint in load_marker_constraints())
    for marker in load_biomarkers().values():
        yield from _disease_checks(marker)
    yield _assay_check()


def _exclusive_check(fact: Comutation) -> Check:
    drivers = conjunction(_condition(fact.first), _condition(fact.second))
    return Check(
        id=f"exclusive:{fact.disease}:{fact.first}:{fact.second}",
        group=CheckGroup.MARKERS,
        severity=Severity.ADJUST,
        title=f"{fact.first} together with {fact.second}",
        sentence="These drivers hardly ever occur together before targeted treatment.",
        action="Check both results; a mix-up of specimens is likelier than both.",
        source=fact.strength.source,
        basis=fact.strength.basis,
        when=conjunction(_is_disease(fact.disease), known_all(drivers), _before_targeted()),
        breach=drivers,
    )


def _before_targeted() -> Expression:
    targeted = [
        slug for slug, drug_class in load_classes().items() if drug_class.modality is Modality.TARGETED
    ]
    prior = Name("prior_classes")
    given = Has(prior, Quantifier.ANY, tuple(Word(slug) for slug in targeted))
    return disjunction(Not(Known(prior)), Not(given))


def _constraint_check(constraint: MarkerConstraint) -> Check:
    holds = [_condition(part) for part in constraint.when.split(";")]
    follows = [_condition(part) for part in constraint.then.split(";")]
    broken = conjunction(*holds, *(Not(term) for term in follows))
    disease = (_is_disease(*constraint.diseases),) if constraint.diseases else ()
    return Check(
        id=f"constraint:{constraint.id}",
        group=CheckGroup.MARKERS,
        severity=Severity.HARD,
        title=f"{constraint.when} without {constraint.then.replace(';', ' or ')}",
        sentence=constraint.sentence,
        action="Check both results.",
        source=constraint.source,
        basis=constraint.basis,
        when=conjunction(*disease, known_all(broken)),
        breach=broken,
    )


def _disease_checks(marker: Biomarker) -> Iterator[Check]:
    for disease, values in marker.values_by_disease.items():
        foreign = [value for value in marker.values if value not in values]
        if foreign:
            yield _foreign_check(
                f"value:{disease}:{marker.key}",
                marker,
                severity=Severity.HARD,
                when=conjunction(_is_disease(disease), Known(Name(marker.key))),
                breach=Among(Name(marker.key), tuple(Word(value) for value in foreign)),
                sentence=f"In {disease} {marker.key} is one of {', '.join(values)}.",
            )
    others = [slug for slug in load_diseases() if not marker.applies_to(slug)]
    if others and marker.kind not in _OF_THE_PERSON:
        yield _foreign_check(
            f"disease:{marker.key}",
            marker,
            severity=Severity.MONITOR,
            when=Known(Name("disease")),
            breach=conjunction(_is_disease(*others), Known(Name(marker.key))),
            sentence=f"{marker.key} has a meaning in {', '.join(marker.diseases)} only.",
        )


def _foreign_check(
    id_: str, marker: Biomarker, *, severity: Severity, when: Expression, breach: Expression, sentence: str
) -> Check:
    return Check(
        id=id_,
        group=CheckGroup.MARKERS,
        severity=severity,
        title=f"{marker.key} where it does not belong",
        sentence=sentence,
        action="Check disease and biomarker.",
        source=marker.source,
        basis=marker.basis,
        when=when,
        breach=breach,
    )


def _assay_check() -> Check:
    blind = [
        Word(f"{key}:{slug}")
        for slug, assay in load_assays().items()
        for key in load_biomarkers()
        if not assay.measures(key)
    ]
    return Check(
        id="assay",
        group=CheckGroup.ASSAY,
        severity=Severity.HARD,
        title="A biomarker by an assay that cannot measure it",
        sentence="The assay named does not measure this biomarker.",
        action="Check which assay was done.",
        source="project:assumptions",
        basis=Basis.ASSUMED,
        when=Known(Name("assays")),
        breach=Has(Name("assays"), Quantifier.ANY, tuple(blind)),
    )


def _condition(text: str) -> Expression:
    """`KEY=value|value` as an expression."""
    key, _, words = text.partition("=")
    values = tuple(Word(word) for word in words.split("|"))
    return Comparison(Name(key), Operator.EQUAL, values[0]) if len(values) == 1 else Among(Name(key), values)


def _is_disease(*slugs: str) -> Expression:
    return Among(Name("disease"), tuple(Word(slug) for slug in slugs))
