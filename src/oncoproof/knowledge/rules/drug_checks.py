"""Checks of drugs against the drug tables: dose, organ function, calendar, disease, and one another.

Rules this module guarantees:

- A threshold for which a safety rule already speaks (same drug, same measurement) is not asked twice.
- A drug is too early only where every approval on record is later than the year of the decision.
- Of the groups in `one_per_plan.csv` a plan holds one drug at most.

    >>> checks = {check.id: check for check in list_drug_checks()}
    >>> str(checks["approval:plan_drugs:osimertinib"].breach)
    'as_of_year < 2015'
    >>> str(checks["dose:osimertinib"].breach)
    'dose(osimertinib) < 0 or dose(osimertinib) > 1.2'
    >>> any(id_.startswith("threshold:docetaxel:bilirubin") for id_ in checks)
    False
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import Expression, Has, atoms, names
from oncoproof.knowledge.medicines.drug_classes import Modality, UmbrellaRule, load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import DoseThreshold, Drug, ThresholdAction, classes_of, load_drugs
from oncoproof.knowledge.rules.checks import Check, CheckGroup
from oncoproof.knowledge.rules.rules import Severity, load_rules
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, read_csv

DOSE_SHARE_MAX = 1.2
"""Highest plausible share of the standard starting dose (an assumption of this project)."""

_ON_LABEL_MODALITIES = frozenset(
    {Modality.TARGETED, Modality.ANTIBODY, Modality.ADC, Modality.IMMUNOTHERAPY, Modality.PARP}
)


@dataclass(frozen=True, slots=True)
class OnePerPlan:
    """A row of `one_per_plan.csv`: a class or umbrella of which one drug is enough."""

    group: str
    """Slug of a class or umbrella."""
    severity: Severity
    """How much two of them weigh."""
    sentence: str
    """Why one is enough."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know it."""


def list_drug_checks() -> Iterator[Check]:
    """Every check of drugs, drug by drug, then group by group."""
    for drug in load_drugs().values():
        yield _dose_check(drug)
        yield from (
            _threshold_check(drug, threshold, number)
            for number, threshold in enumerate(drug.thresholds, start=1)
            if threshold.feature not in _features_ruled(drug.slug)
        )
        yield from _approval_checks(drug)
    yield from (_one_check(row) for row in read_csv("one_per_plan.csv", "one_per_plan", OnePerPlan))
    yield from _class_checks()


def _parsed(text: str) -> Expression:
    return parse_expression(text, load_vocabulary())


def _dose_check(drug: Drug) -> Check:
    dose = f"dose({drug.slug})"
    return Check(
        id=f"dose:{drug.slug}",
        group=CheckGroup.DOSE,
        severity=Severity.HARD,
        title=f"A dose of {drug.name} that nobody gives",
        sentence="A dose is a share of the standard starting dose; far above it, it is an error.",
        action="Check the dose and its unit.",
        source="project:assumptions",
        basis=Basis.ASSUMED,
        when=_parsed(f"plan_drugs has {drug.slug} and known({dose})"),
        breach=_parsed(f"{dose} < 0 or {dose} > {DOSE_SHARE_MAX}"),
        unless=_parsed("known(comedication_groups) and comedication_groups has strong_cyp3a4_inducer"),
    )


def _threshold_check(drug: Drug, threshold: DoseThreshold, number: int) -> Check:
    reduces = threshold.action is ThresholdAction.REDUCE
    factor = threshold.dose_factor
    settled = f"dose({drug.slug}) <= {factor + 0.01:.3f}" if factor is not None else ""
    done = {ThresholdAction.AVOID: "do not give it", ThresholdAction.HOLD: "wait until it has recovered"}
    share = "less" if factor is None else f"{factor:.0%} of the dose"
    spoken = load_vocabulary().feature(threshold.feature).spoken
    return Check(
        id=f"threshold:{drug.slug}:{threshold.feature}:{number}",
        group=CheckGroup.ORGAN_FUNCTION,
        severity=Severity.ADJUST if reduces else Severity.HARD,
        title=f"{drug.name}: {spoken} {_range(threshold)}",
        sentence=f"In this range of {spoken} the label of {drug.name} asks for another dose or none.",
        action=f"Give {share}." if reduces else f"{done[threshold.action].capitalize()}.",
        source=threshold.source,
        basis=threshold.basis,
        when=_parsed(f"plan_drugs has {drug.slug}"),
        breach=_parsed(_in_range(threshold)),
        unless=_parsed(settled) if reduces and settled else None,
    )


def _in_range(threshold: DoseThreshold) -> str:
    parts: list[str] = []
    if threshold.low is not None:
        parts.append(f"{threshold.feature} >= {threshold.low} '{threshold.unit}'")
    if threshold.high is not None:
        parts.append(f"{threshold.feature} < {threshold.high} '{threshold.unit}'")
    return " and ".join(parts)


def _range(threshold: DoseThreshold) -> str:
    if threshold.low is None:
        return f"below {threshold.high:g}"
    return f"from {threshold.low:g}" + ("" if threshold.high is None else f" to below {threshold.high:g}")


@cache
def _features_ruled(drug: str) -> frozenset[str]:
    """The measurements for which a safety rule of this drug, or of its class, already speaks."""
    groups = {drug, *classes_of(drug)}
    ruled: set[str] = set()
    for rule in load_rules().values():
        named = {word.text for atom in atoms(rule.when) if isinstance(atom, Has) for word in atom.members}
        if drug in named or (named & groups and rule.severity is Severity.HARD):
            ruled |= names(rule.wrong)
    return frozenset(ruled)


def _approval_checks(drug: Drug) -> Iterator[Check]:
    if not drug.approvals:
        return
    first = min(drug.approvals, key=lambda approval: approval.year)
    for feature, spoken in (("plan_drugs", "planned"), ("prior_drugs", "given")):
        yield Check(
            id=f"approval:{feature}:{drug.slug}",
            group=CheckGroup.HISTORY,
            severity=Severity.ADJUST,
            title=f"{drug.name} {spoken} before its first approval in {first.year}",
            sentence="Before its first approval a drug can be had in a trial only.",
            action="Check the year, or name the trial.",
            source=first.source,
            basis=first.basis,
            when=_parsed(f"{feature} has {drug.slug} and known(as_of_year)"),
            breach=_parsed(f"as_of_year < {first.year}"),
        )
    if load_classes()[drug.drug_class].modality in _ON_LABEL_MODALITIES:
        yield _indication_check(drug)


def _indication_check(drug: Drug) -> Check:
    known = load_vocabulary().feature("disease").values
    approved = [approval.disease for approval in drug.approvals if approval.disease in known]
    listed = ", ".join(approved)
    return Check(
        id=f"indication:{drug.slug}",
        group=CheckGroup.INDICATION,
        severity=Severity.MONITOR,
        title=f"{drug.name} in a cancer for which it was never approved",
        sentence=f"{drug.name.capitalize()} is approved for {listed or 'none of these cancers'}.",
        action="Justify the use off label.",
        source=drug.source,
        basis=drug.basis,
        when=_parsed(f"plan_drugs has {drug.slug} and known(disease)"),
        breach=_parsed(f"not disease in [{listed}]" if listed else "known(disease)"),
    )


def _one_check(row: OnePerPlan) -> Check:
    drugs = _drugs_of(row.group)
    pairs = [f"plan_drugs has all [{first}, {second}]" for first, second in combinations(drugs, 2)]
    return Check(
        id=f"one_per_plan:{row.group}",
        group=CheckGroup.COMBINATION,
        severity=row.severity,
        title=f"Two drugs of the group {row.group}",
        sentence=row.sentence,
        action="Choose one of them.",
        source=row.source,
        basis=row.basis,
        when=_parsed(f"plan_classes has {row.group}"),
        breach=_parsed(" or ".join(pairs) or f"not plan_classes has {row.group}"),
    )


def _drugs_of(group: str) -> tuple[str, ...]:
    return tuple(slug for slug in load_drugs() if group in classes_of(slug))


def _class_checks() -> Iterator[Check]:
    """A class or umbrella given before, without any of its drugs among those given."""
    whole = {
        slug for slug, umbrella in load_umbrellas().items() if umbrella.rule is UmbrellaRule.WHOLE_REGIMEN
    }
    for group in (*load_classes(), *load_umbrellas()):
        drugs = _drugs_of(group)
        if group in whole or not drugs:
            continue
        yield Check(
            id=f"prior_class:{group}",
            group=CheckGroup.HISTORY,
            severity=Severity.ADJUST,
            title=f"{group} given before, but none of its drugs",
            sentence="A class was given where one of its drugs was.",
            action="Name the drug, or leave the list of earlier drugs open.",
            source="project:assumptions",
            basis=Basis.ASSUMED,
            when=_parsed(f"known(prior_drugs) and prior_classes has {group}"),
            breach=_parsed(f"not prior_drugs has any [{', '.join(drugs)}]"),
        )
