"""Judging whether a treatment fits a patient: hard checks, then evidence, then custom.

Rules this module guarantees:

- A hard check that is broken settles it. A hard check that only a marker can settle, or that asks for a
  marker taken for granted, leaves it open: the marker is named.
- Whether or not a hard check forbids it, what asks for another dose or drug is told beside.
- Where evidence decides, the answer is the evidence's; it names what it takes for granted.
- Where evidence disagrees, it is not known. Where none counts, custom decides: what policies advise for the
  markers that are known or, unless proven evidence waits for a marker or speaks of others, for any.

    >>> from oncoproof.knowledge.evidence.known_evidence import load_evidence
    >>> from oncoproof.knowledge.graph.fact_reading import read_facts
    >>> from oncoproof.knowledge.graph.treatments import find_treatment
    >>> facts = read_facts({"BRAF": "V600E", "RAS": "wt"}, disease="crc")
    >>> judge(facts, find_treatment("encorafenib+cetuximab"), load_evidence()).verdict.value
    'yes'
"""

from collections.abc import Iterable, Sequence

from oncoproof.knowledge.evidence.evidence import Direction, Evidence
from oncoproof.knowledge.graph.answers import Answer, Verdict
from oncoproof.knowledge.graph.appraisals import Appraisal, Finding, appraise
from oncoproof.knowledge.graph.customs import Custom, find_custom
from oncoproof.knowledge.graph.evidence_sentences import sentence_of
from oncoproof.knowledge.graph.evidence_statements import statement_of, statements_of, subjects_of
from oncoproof.knowledge.graph.facts import Facts, is_of_tumour
from oncoproof.knowledge.graph.patient_chains import (
    advice_chain,
    caution,
    evidence_chain,
    forbidding_chain,
    table_chain,
)
from oncoproof.knowledge.graph.safety import Safety, ask_validator, find_cautions
from oncoproof.knowledge.graph.statements import Statement, key_of
from oncoproof.knowledge.graph.treatments import Treatment
from oncoproof.knowledge.rules.violations import Gap


def judge(facts: Facts, treatment: Treatment, evidence: Iterable[Evidence]) -> Answer:
    """Does what is known of the tumour call for this treatment?"""
    question = f"is {treatment.name} compatible with {spoken(facts)}?"
    safety = ask_validator(facts, treatment)
    if safety.forbidden:
        return _forbidden(question, facts, treatment, safety, Verdict.NO)
    appraisal = appraise(facts, treatment, evidence)
    match appraisal.direction:
        case Direction.SUPPORTS if doubts := safety.doubting(appraisal.granted):
            return _doubted(question, appraisal, doubts)
        case Direction.SUPPORTS | Direction.OPPOSES:
            return _decided(question, facts, treatment, appraisal, safety)
        case _ if appraisal.deciding:
            return _in_doubt(question, appraisal, safety.doubting(appraisal.granted))
        case _:
            return _by_custom(question, facts, treatment, appraisal, safety)


def judge_safety(facts: Facts, treatment: Treatment) -> Answer:
    """Does a hard check forbid this treatment?"""
    question = f"is {treatment.name} contraindicated in {spoken(facts)}?"
    safety = ask_validator(facts, treatment)
    if safety.forbidden:
        return _forbidden(question, facts, treatment, safety, Verdict.YES)
    others = tuple(caution(found, treatment) for found in find_cautions(facts, treatment))
    if safety.open:
        cannot = tuple(f"cannot be excluded: {gap.title}" for gap in safety.open)
        return Answer(question, Verdict.UNKNOWN, because=cannot, missing=safety.missing, others=others)
    return Answer(question, Verdict.NO, because=("every hard check was asked and is kept",), others=others)


def spoken(facts: Facts) -> str:
    """What was given of a patient, in words."""
    given = [
        key_of(facts.marker(key)).replace("=", " ") for key in facts.possible if key not in facts.deduced
    ]
    given += [f"{key} {value:g}" for key, value in facts.numbers.items()]
    given += [f"histology {' or '.join(sorted(facts.histologies))}"] if facts.histologies else []
    given += [f"{name} {value}" for name, value in facts.others.items()]
    return f"{facts.disease} with {', '.join(given)}" if given else facts.disease


def _forbidden(question: str, facts: Facts, treatment: Treatment, safety: Safety, verdict: Verdict) -> Answer:
    first, *rest = safety.forbidden
    others = (
        *(forbidding_chain(facts, found, treatment)[-1].statement for found in rest),
        *(caution(found, treatment) for found in find_cautions(facts, treatment)),
    )
    chain = forbidding_chain(facts, first, treatment)
    return Answer(question, verdict, chain, because=first.reasons or (first.title,), others=others)


def _doubted(question: str, appraisal: Appraisal, doubts: Sequence[Gap]) -> Answer:
    """Evidence speaks for it, but a marker that could forbid it is not known."""
    return Answer(
        question,
        Verdict.UNKNOWN,
        because=tuple(f"cannot be excluded: {gap.title}" for gap in doubts),
        missing=_names(*(filter(is_of_tumour, gap.missing) for gap in doubts)),
        others=_said(appraisal.deciding),
    )


def _decided(
    question: str, facts: Facts, treatment: Treatment, appraisal: Appraisal, safety: Safety
) -> Answer:
    best, *rest = appraisal.deciding
    given = () if best.is_whole else (f"given as part of {' and '.join(best.drugs)}",)
    kept = _taken_as_kept(safety) if best.is_for else ()
    return Answer(
        question,
        Verdict.YES if best.is_for else Verdict.NO,
        evidence_chain(facts, best, treatment),
        because=(sentence_of(best.piece),),
        provided=(*given, *(assumption.text for assumption in best.bearing.assumed), *kept),
        others=_said((*rest, *appraisal.others, *appraisal.open)),
    )


def _in_doubt(question: str, appraisal: Appraisal, doubts: Sequence[Gap]) -> Answer:
    """Evidence disagrees, or turns on something that nobody knows."""
    turns = (f"it turns on what is not known: {', '.join(appraisal.turns_on)}",)
    return Answer(
        question,
        Verdict.UNKNOWN,
        because=turns if appraisal.turns_on else ("evidence of the same weight disagrees",),
        missing=_names(appraisal.turns_on, *(filter(is_of_tumour, gap.missing) for gap in doubts)),
        others=_said((*appraisal.deciding, *appraisal.others, *appraisal.open)),
    )


def _by_custom(
    question: str, facts: Facts, treatment: Treatment, appraisal: Appraisal, safety: Safety
) -> Answer:
    custom = find_custom(facts, treatment)
    best = custom.advice[0] if custom.advice else None
    is_spoken_of = appraisal.is_proven_of_some
    fits = best is not None and not best.untested and (best.is_of_markers or not is_spoken_of)
    if best is not None and fits and not safety.about_markers:
        return _advised(question, treatment, custom, safety, _said(appraisal.open))
    missing = _names(
        *(gap.missing for gap in safety.untested),
        *(found.bearing.missing for found in appraisal.hopeful),
        custom.missing,
    )
    others = _others(appraisal, custom)
    if missing:
        because = ("nothing decides it before more is known",)
        return Answer(question, Verdict.UNKNOWN, because=because, missing=missing, others=others)
    if is_spoken_of or custom.elsewhere or custom.advice:
        because = ("what is known of it is known of other patients",)
        asked = _names(*(gap.missing for gap in safety.about_markers))
        return Answer(question, Verdict.UNKNOWN, because=because, missing=asked, others=others)
    return _listed(question, facts, treatment, safety)


def _advised(
    question: str, treatment: Treatment, custom: Custom, safety: Safety, others: tuple[Statement, ...]
) -> Answer:
    advice = custom.advice[0]
    more = set(advice.drugs) - set(treatment.drugs)
    given = (f"given as part of {' and '.join(advice.drugs)}",) if more else ()
    there = (f"the situation is: {advice.situation}",) if advice.missing else ()
    chain = advice_chain(advice, treatment)
    provided = (*given, *custom.assumed, *there, *_taken_as_kept(safety))
    because = (advice.statement.sentence,)
    return Answer(question, Verdict.YES, chain, because=because, provided=provided, others=others)


def _listed(question: str, facts: Facts, treatment: Treatment, safety: Safety) -> Answer:
    """Neither evidence nor a policy speaks of it: the tables of regimens and drugs may."""
    chain = table_chain(facts.disease, treatment)
    if not chain:
        because = ("nothing in the base speaks of it",)
        return Answer(question, Verdict.UNKNOWN, because=because)
    because = (chain[0].statement.sentence,)
    if safety.about_markers:
        missing = _names(*(gap.missing for gap in safety.about_markers))
        return Answer(question, Verdict.UNKNOWN, because=because, missing=missing)
    return Answer(question, Verdict.YES, chain, because=because, provided=_taken_as_kept(safety))


def _taken_as_kept(safety: Safety) -> tuple[str, ...]:
    """The hard checks with a part for markers that a yes takes to be kept."""
    return tuple(f"not so: {gap.title}" for gap in safety.about_markers)


def _names(*groups: Iterable[str]) -> tuple[str, ...]:
    """Each name once, in order."""
    return tuple(dict.fromkeys(name for group in groups for name in group))


def _others(appraisal: Appraisal, custom: Custom) -> tuple[Statement, ...]:
    elsewhere = (next(iter(statements_of(piece))) for piece in appraisal.elsewhere)
    return (*_said(appraisal.open), *elsewhere, *custom.elsewhere)


def _said(findings: Iterable[Finding]) -> tuple[Statement, ...]:
    """One statement of each piece of evidence, about what was asked."""
    pieces = {finding.piece.id: finding for finding in findings}
    return tuple(
        statement_of(finding.piece, next(subjects_of(finding.piece, finding.clause)), finding.drugs)
        for finding in pieces.values()
    )
