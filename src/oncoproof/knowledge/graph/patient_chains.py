"""How what is known of a patient leads to an answer: over markers, evidence and rules to the drugs asked for.

Rules this module guarantees:

- A chain begins at something the question gave (or, where no marker decides, at the rule, the disease or
  what is taken for granted) and ends at the treatment asked about.
- Where one marker counts as another (a value of a group, a number in a range) a step says so; where a
  class or a larger regimen was spoken of, the last step says what the treatment is to it.
- A chain to a forbidden treatment leads over a marker that breaks the rule, not one it merely reads.

    >>> from oncoproof.knowledge.graph.fact_reading import read_facts
    >>> facts = read_facts({"KRAS": "other"}, disease="crc")
    >>> [str(step) for step in marker_chain(facts, "RAS", "marker:RAS=mut")]
    ['marker:KRAS=other - implies -> marker:RAS=mut']
"""

from collections.abc import Sequence
from dataclasses import replace

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.graph.appraisals import Finding
from oncoproof.knowledge.graph.chains import Chain, Step
from oncoproof.knowledge.graph.customs import Advice
from oncoproof.knowledge.graph.evidence_statements import (
    markers_of,
    part_statement,
    profile_node,
    statement_of,
    subjects_of,
)
from oncoproof.knowledge.graph.facts import Facts, is_absence, is_of_tumour
from oncoproof.knowledge.graph.safety import hard_plan_checks
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, key_of, node_id
from oncoproof.knowledge.graph.treatment_statements import approval_statements, regimen_statements
from oncoproof.knowledge.graph.treatments import Treatment
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimens import variants_of
from oncoproof.knowledge.medicines.treatments import PLACEBO
from oncoproof.knowledge.rules.rules import load_rules
from oncoproof.knowledge.rules.validator import validate
from oncoproof.knowledge.rules.violations import Violation

_UNSELECTED = frozenset({"chemotherapy", "endocrine"})
"""Umbrellas over drugs that are given whatever alterations the tumour has."""


def marker_chain(facts: Facts, key: str, marker: str) -> Chain:
    """From what was given to a marker that the facts meet; empty = the marker is what was given.

    Args:
        facts: What is known of the patient.
        key: The biomarker.
        marker: Node of the value, group or range that a statement speaks of.
    """
    steps: list[Step] = []
    seen: set[str] = set()
    end = marker
    while key not in seen:
        seen.add(key)
        known = facts.deduced.get(key)
        begin = facts.marker(key) if known is None else known.object
        if begin != end:
            steps.append(Step(_counts_as(key, begin, end)))
        if known is None:
            break
        steps.append(Step(known))
        end, key = known.subject, key_of(known.subject).partition("=")[0]
    return tuple(reversed(steps))


def forbidding_chain(facts: Facts, violation: Violation, treatment: Treatment) -> Chain:
    """From what is known of the patient, or from the rule where no marker decides, to the treatment."""
    key = _breaking_key(facts, violation, treatment)
    start = _check_node(violation) if key is None else facts.marker(key)
    said = f"{violation.title}: {violation.sentence}"
    ends = Statement(start, Relation.RULES_OUT, treatment.node, said, violation.source, violation.basis)
    return (*(marker_chain(facts, key, start) if key else ()), Step(ends))


def caution(violation: Violation, treatment: Treatment) -> Statement:
    """That a check asks for another dose or drug."""
    said = f"{violation.title}: {violation.sentence} {violation.action}"
    return Statement(
        _check_node(violation), Relation.ADVISES_AGAINST, treatment.node, said, violation.source,
        violation.basis,
    )  # fmt: skip


def _check_node(violation: Violation) -> str:
    kind = NodeKind.RULE if violation.id in load_rules() else NodeKind.CHECK
    return node_id(kind, violation.id)


def evidence_chain(facts: Facts, finding: Finding, treatment: Treatment) -> Chain:
    """From what is known of the patient over a piece of evidence to the treatment."""
    opening, subject = _to_subject(facts, finding)
    said = statement_of(finding.piece, subject, finding.drugs)
    return (*opening, Step(said), *_closing(said, finding.drugs, treatment))


def advice_chain(advice: Advice, treatment: Treatment) -> Chain:
    """From the situation in which a policy advises a treatment to the treatment."""
    said = advice.statement
    return (Step(said), *_closing(said, advice.drugs, treatment))


def table_chain(disease: str, treatment: Treatment) -> Chain:
    """From the disease over the tables of regimens and approvals to the treatment; empty = they are silent.

    An approval counts for drugs given whatever the markers: in whom a drug was approved no table says.

    >>> from oncoproof.knowledge.graph.treatments import find_treatment
    >>> [str(step) for step in table_chain("prostate", find_treatment("goserelin"))]
    ['disease:prostate <- approved_for - drug:goserelin']
    >>> table_chain("melanoma", find_treatment("atezolizumab"))
    ()
    """
    if PLACEBO in treatment.drugs:
        return ()
    regimens = [said for one in variants_of(treatment.drugs) for said in regimen_statements(one)]
    first = load_drugs()[treatment.drugs[0]]
    is_unselected = len(treatment.drugs) == 1 and not _UNSELECTED.isdisjoint(first.umbrellas)
    tabled = (*regimens, *(approval_statements(first) if is_unselected else ()))
    said = next((said for said in tabled if said.object == node_id(NodeKind.DISEASE, disease)), None)
    if said is None:
        return ()
    back = replace(said, object=said.subject)
    return (Step(said, is_reversed=True), *_closing(back, treatment.drugs, treatment))


def _closing(said: Statement, words: Sequence[str], treatment: Treatment) -> Chain:
    """From what a statement is about to the treatment, where that is not the same."""
    if said.object == treatment.node:
        return ()
    name = f"{treatment.name[:1].upper()}{treatment.name[1:]}"
    group = " and ".join(map(_spoken, words))
    if sorted(words) == list(treatment.drugs):
        schedule = replace(
            said, subject=said.object, relation=Relation.IS_A, object=treatment.node,
            sentence=f"{key_of(said.object)} is a schedule of {treatment.name}.",
        )  # fmt: skip
        return (Step(schedule),)
    is_class = len(words) == len(treatment.drugs)
    drug = load_drugs()[treatment.drugs[0]]
    closing = Statement(
        treatment.node,
        Relation.IS_A if is_class else Relation.PART_OF,
        said.object,
        f"{name} {'counts as' if is_class else 'is part of'} {group}.",
        drug.source if is_class else said.source,
        drug.basis if is_class else said.basis,
    )
    return (Step(closing, is_reversed=True),)


def _spoken(word: str) -> str:
    named = load_drugs().get(word) or load_classes().get(word) or load_umbrellas().get(word)
    return named.name if named else word.replace("_", " ")


def _breaking_key(facts: Facts, violation: Violation, treatment: Treatment) -> str | None:
    """A marker that breaks the rule by itself, else one it would not be broken without; None = none.

    What was deduced comes first: its chain begins at what was given.
    """
    known = sorted(filter(facts.knows, hard_plan_checks()[violation.id].reads))
    known.sort(key=lambda key: key not in facts.deduced)
    alone = (key for key in known if _breaks(_with_markers(facts, {key}), violation, treatment))
    needed = (
        key for key in known if not _breaks(_with_markers(facts, {*known} - {key}), violation, treatment)
    )
    return next(alone, None) or next(needed, None)


def _with_markers(facts: Facts, keys: set[str]) -> Facts:
    possible = {key: values for key, values in facts.possible.items() if key in keys}
    return replace(facts, possible=possible, numbers={k: v for k, v in facts.numbers.items() if k in keys})


def _breaks(facts: Facts, violation: Violation, treatment: Treatment) -> bool:
    checks = (hard_plan_checks()[violation.id],)
    report = validate(facts.subjects(plan_drugs=list(treatment.drugs)), checks=checks)
    return bool(report.results[0].violated.all())


def _to_subject(facts: Facts, finding: Finding) -> tuple[Chain, str]:
    """The way to what the evidence is said of, and that node."""
    clause = finding.clause
    known = [part for part in clause.conditions if facts.knows(part.key)]
    known.sort(key=lambda part: (not is_of_tumour(part.key), is_absence(part), part.key in facts.deduced))
    if not known:
        return (), next(subjects_of(finding.piece, clause))
    marker = _met(facts, known[0])
    way = marker_chain(facts, known[0].key, marker)
    if len(clause.conditions) + len(clause.variants) == 1:
        return way, marker
    return (*way, Step(part_statement(marker, known[0], clause))), profile_node(clause)


def _met(facts: Facts, condition: Condition) -> str:
    """The marker of a condition that the patient has; the patient's own where no single one covers it."""
    if condition.low is not None:
        return next(iter(markers_of(condition)))
    possible = facts.possible[condition.key]
    expand = load_biomarkers()[condition.key].expand
    covering = (
        marker
        for value, marker in zip(condition.values, markers_of(condition), strict=True)
        if possible <= set(expand(value))
    )
    return next(covering, facts.marker(condition.key))


def _counts_as(key: str, begin: str, end: str) -> Statement:
    """That one marker of a biomarker is among those another one names."""
    biomarker = load_biomarkers()[key]
    sentence = f"{_words_of(begin)} counts as {_words_of(end)}."
    return Statement(begin, Relation.IS_A, end, sentence, biomarker.source, biomarker.basis)


def _words_of(marker: str) -> str:
    return key_of(marker).replace("=", " ").replace("|", " or ")
