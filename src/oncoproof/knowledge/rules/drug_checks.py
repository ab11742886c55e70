"""Checks of drugs against the drug tables: dose, organ function, calendar, disease, and one another.

Rules this module guarantees:

- A threshold is not asked twice: it is left out where safety rules of the drug, or of its class, are
  broken all over its range by that measurement alone.
- A drug is too early only where every approval on record is later than the year of the decision, or
  where nothing was given before and every regimen that holds it is for later lines.
- Old drugs are judged by their class: a class that has a regimen in a disease is at home there.
- Of the groups in `one_per_plan.csv` a plan holds one drug at most.

    >>> checks = {check.id: check for check in list_drug_checks()}
    >>> str(checks["approval:plan_drugs:osimertinib"].breach)
    'as_of_year < 2015'
    >>> str(checks["dose:osimertinib"].breach)
    'dose(osimertinib) < 0.1 or dose(osimertinib) > 1.2'
    >>> any(id_.startswith("threshold:docetaxel:bilirubin") for id_ in checks)
    False
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.expressions.evaluation import Evaluator
from oncoproof.knowledge.expressions.expression_types import parse_expression
from oncoproof.knowledge.expressions.expressions import Expression, Has, atoms, names
from oncoproof.knowledge.medicines.drug_classes import Modality, UmbrellaRule, load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import DoseThreshold, Drug, ThresholdAction, classes_of, load_drugs
from oncoproof.knowledge.medicines.regimens import RegimenUse, load_regimens
from oncoproof.knowledge.rules.checks import Check, CheckGroup
from oncoproof.knowledge.rules.rules import Rule, RuleKind, Severity, load_rules
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import Basis, read_csv

DOSE_SHARE_MAX = 1.2
"""Highest plausible share of the standard starting dose (an assumption of this project)."""

DOSE_SHARE_MIN = 0.1
"""Lowest plausible share of the standard starting dose: below the strongest reduction of any label."""

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
            if not _is_ruled(drug.slug, threshold)
        )
        yield from _approval_checks(drug)
        yield from _use_checks(drug)
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
        sentence="A dose is a share of the standard starting dose; far above or below it, it is an error.",
        action="Check the dose and its unit.",
        source="project:assumptions",
        basis=Basis.ASSUMED,
        when=_parsed(f"plan_drugs has {drug.slug} and known({dose})"),
        breach=_parsed(f"{dose} < {DOSE_SHARE_MIN} or {dose} > {DOSE_SHARE_MAX}"),
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


def _is_ruled(drug: str, threshold: DoseThreshold) -> bool:
    """Whether safety rules speak for a threshold: all over its range one of them is broken.

    For a threshold that forbids, rules count only where at least one of them forbids too.
    """
    rules = [rule for rule in _rules_of(drug) if threshold.feature in names(rule.wrong)]
    forbids = threshold.action is not ThresholdAction.REDUCE
    if forbids and not any(rule.severity is Severity.HARD for rule in rules):
        return False
    plan = {"plan_drugs": [drug], "dose": {drug: 1.0}, "plan_supportive": []}
    values = _values_within(threshold)
    evaluator = Evaluator(Subjects.of_rows([{**plan, threshold.feature: value} for value in values]))
    broken = np.zeros(len(values), dtype=np.bool_)
    for rule in rules:
        wrong = evaluator.truth(rule.wrong).true & ~evaluator.truth(rule.when).false
        broken |= wrong if rule.unless is None else wrong & ~evaluator.truth(rule.unless).true
    return bool(broken.all())


def _values_within(threshold: DoseThreshold) -> tuple[float, ...]:
    """A few values inside a threshold's range, none at an end."""
    low = 0.0 if threshold.low is None else threshold.low
    high = 2 * low if threshold.high is None else threshold.high
    return tuple(low + share * (high - low) for share in (0.05, 0.35, 0.65, 0.95))


@cache
def _rules_of(drug: str) -> tuple[Rule, ...]:
    """The safety rules that name a drug, or a class of it, among the plans to which they apply."""
    groups = {drug, *classes_of(drug)}
    return tuple(
        rule
        for rule in load_rules().values()
        if rule.kind is not RuleKind.REQUIRE_TEST
        and any(
            word.text in groups for atom in atoms(rule.when) if isinstance(atom, Has) for word in atom.members
        )
    )


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


def _use_checks(drug: Drug) -> Iterator[Check]:
    """A drug before its line, and an old drug far from home, by the regimens on record."""
    modality = load_classes()[drug.drug_class].modality
    if modality is Modality.SUPPORTIVE:
        return
    late = sorted(disease for disease, line in _first_lines(drug.slug).items() if line > 1)
    if late:
        yield Check(
            id=f"too_early:{drug.slug}",
            group=CheckGroup.HISTORY,
            severity=Severity.ADJUST,
            title=f"{drug.name} planned for later lines, but nothing was given before",
            sentence=f"In {', '.join(late)} every regimen on record with {drug.name} is for a later line.",
            action="Check the line and the history, or choose a drug of the first line.",
            source=drug.source,
            basis=drug.basis,
            when=_parsed(
                f"plan_drugs has {drug.slug} and disease in [{', '.join(late)}] and setting == advanced"
            ),
            breach=_parsed("line == 1 and not prior_classes has systemic_therapy"),
        )
    home = sorted(_home(drug))
    if modality not in _ON_LABEL_MODALITIES and len(home) < len(load_diseases()):
        yield Check(
            id=f"indication:{drug.slug}",
            group=CheckGroup.INDICATION,
            severity=Severity.MONITOR,
            title=f"{drug.name} in a cancer where its class has no regimen",
            sentence=f"Drugs of the class {drug.drug_class} are given in {', '.join(home)}.",
            action="Justify the use.",
            source=drug.source,
            basis=drug.basis,
            when=_parsed(f"plan_drugs has {drug.slug} and known(disease)"),
            breach=_parsed(f"not disease in [{', '.join(home)}]"),
        )


@cache
def _uses() -> tuple[tuple[str, RegimenUse], ...]:
    """Each drug with each use of each regimen that holds it."""
    return tuple(
        (component.drug, use)
        for regimen in load_regimens().values()
        for component in regimen.components
        for use in regimen.uses
    )


def _first_lines(slug: str) -> dict[str, int]:
    """For each disease with regimens for advanced disease that hold a drug, the earliest line of any."""
    first: dict[str, int] = {}
    for drug, use in _uses():
        if drug == slug and use.setting == "advanced":
            first[use.disease] = min(use.line_min, first.get(use.disease, use.line_min))
    return first


def _home(drug: Drug) -> frozenset[str]:
    """The diseases in which a drug of the same class has a regimen, or this one an approval."""
    classes = {slug: other.drug_class for slug, other in load_drugs().items()}
    used = {use.disease for slug, use in _uses() if classes[slug] == drug.drug_class}
    approved = {approval.disease for approval in drug.approvals} & set(load_diseases())
    return frozenset(used | approved)


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
