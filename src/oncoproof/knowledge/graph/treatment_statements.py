"""What drugs, classes, regimens and harms are to one another.

Rule this module guarantees: every statement restates a row of a table and takes its source and basis.

    >>> [str(fact) for fact in treatment_statements() if fact.subject == "drug:osimertinib"][0]
    'Osimertinib is a third-generation EGFR tyrosine kinase inhibitor. [label:osimertinib, recalled]'
"""

from collections.abc import Iterator

from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.graph.statements import NodeKind, Relation, Statement, node_id
from oncoproof.knowledge.medicines.comedications import load_comedications
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import Drug, load_drugs
from oncoproof.knowledge.medicines.interactions import load_interactions
from oncoproof.knowledge.medicines.regimens import Regimen, load_regimens
from oncoproof.knowledge.medicines.toxicity import SubjectKind, ToxicityProfile, load_terms, load_toxicity
from oncoproof.knowledge.tables import Basis, Figure

ASSUMPTIONS = "project:assumptions"
"""The source of how this project groups drugs and keys."""

_ANY_EVENT = "any_adverse_event"


def treatment_statements() -> Iterator[Statement]:
    """Drugs in classes, on targets, in regimens; other medicines in groups."""
    for drug in load_drugs().values():
        yield from _of_drug(drug)
        yield from approval_statements(drug)
    for group in load_classes().values():
        for umbrella in group.umbrellas:
            name = load_umbrellas()[umbrella].name
            yield Statement(
                node_id(NodeKind.CLASS, group.slug), Relation.IS_A, node_id(NodeKind.CLASS, umbrella),
                f"{_sentence(group.name)} counts as {name}.", ASSUMPTIONS, Basis.ASSUMED,
            )  # fmt: skip
    for regimen in load_regimens().values():
        yield from regimen_statements(regimen)
    for medicine in load_comedications().values():
        for word in medicine.groups:
            if word == medicine.slug:
                continue  # smoking is a group of its own
            yield Statement(
                node_id(NodeKind.MEDICINE, medicine.slug), Relation.IS_A, node_id(NodeKind.MEDICINE, word),
                f"{_sentence(medicine.name)} counts as {word.replace('_', ' ')}.",
                medicine.source, medicine.basis,
            )  # fmt: skip


def harm_statements() -> Iterator[Statement]:
    """What treatments may bring about, and what they and other medicines do to one another."""
    for profile in load_toxicity():
        if profile.term != _ANY_EVENT:
            yield from _of_profile(profile)
    for found in load_interactions():
        yield Statement(
            treatment_node(found.treatment), Relation.INTERACTS_WITH, treatment_node(found.partner),
            f"{_sentence(_spoken(found.treatment))} with {_spoken(found.partner)}: {found.effect}.",
            found.source, found.basis,
        )  # fmt: skip


def treatment_node(word: str) -> str:
    """The node of a drug, class, umbrella or other medicine."""
    if word in load_drugs():
        return node_id(NodeKind.DRUG, word)
    if word in load_classes() or word in load_umbrellas():
        return node_id(NodeKind.CLASS, word)
    return node_id(NodeKind.MEDICINE, word)


def approval_statements(drug: Drug) -> Iterator[Statement]:
    """For which diseases a drug was first approved when."""
    for approval in drug.approvals:
        if approval.disease in load_diseases():
            yield Statement(
                node_id(NodeKind.DRUG, drug.slug), Relation.APPROVED_FOR,
                node_id(NodeKind.DISEASE, approval.disease),
                f"{_sentence(drug.name)} was first approved for {approval.disease} in {approval.year}.",
                approval.source, approval.basis, approval.disease,
            )  # fmt: skip


def regimen_statements(regimen: Regimen) -> Iterator[Statement]:
    """Which drugs a regimen consists of, and where it is given."""
    subject = node_id(NodeKind.REGIMEN, regimen.id)
    for drug in regimen.drugs:
        yield Statement(
            node_id(NodeKind.DRUG, drug), Relation.PART_OF, subject,
            f"{_sentence(load_drugs()[drug].name)} is part of {regimen.name}.",
            regimen.source, regimen.basis,
        )  # fmt: skip
    for disease in dict.fromkeys(use.disease for use in regimen.uses):
        settings = dict.fromkeys(use.setting for use in regimen.uses if use.disease == disease)
        yield Statement(
            subject, Relation.GIVEN_IN, node_id(NodeKind.DISEASE, disease),
            f"{_sentence(regimen.name)} is given in {disease}: {', '.join(settings)}.",
            regimen.source, regimen.basis, disease,
        )  # fmt: skip


def _of_drug(drug: Drug) -> Iterator[Statement]:
    subject = node_id(NodeKind.DRUG, drug.slug)
    group = load_classes()[drug.drug_class]
    article = "an" if group.name[0] in "aeio" else "a"
    yield Statement(
        subject, Relation.IS_A, node_id(NodeKind.CLASS, group.slug),
        f"{_sentence(drug.name)} is {article} {group.name}.", drug.source, drug.basis,
    )  # fmt: skip
    for gene in drug.targets:
        yield Statement(
            subject, Relation.TARGETS, node_id(NodeKind.GENE, gene),
            f"{_sentence(drug.name)} acts on {gene}.", drug.source, drug.basis,
        )  # fmt: skip


def _of_profile(profile: ToxicityProfile) -> Iterator[Statement]:
    shares = {"any grade": profile.any_grade, "grade 3 or worse": profile.grade3, "fatal": profile.fatal}
    known = {words: figure for words, figure in shares.items() if figure is not None}
    if not known:
        return
    term = load_terms()[profile.term]
    spoken = ", ".join(f"{words} in {_percent(figure)}" for words, figure in known.items())
    first = next(iter(known.values()))
    yield Statement(
        _toxicity_subject(profile), Relation.CAUSES, node_id(NodeKind.HARM, profile.term),
        f"{_sentence(_spoken(profile.subject))} causes {term.term.lower()}: {spoken}.",
        first.source, first.basis,
    )  # fmt: skip


def _toxicity_subject(profile: ToxicityProfile) -> str:
    if profile.subject_kind is SubjectKind.REGIMEN:
        return node_id(NodeKind.REGIMEN, profile.subject)
    return treatment_node(profile.subject)


def _percent(figure: Figure) -> str:
    return f"{100 * figure.value:.3g} %"


def _spoken(word: str) -> str:
    if word in load_drugs():
        return load_drugs()[word].name
    known = load_classes().get(word) or load_umbrellas().get(word)
    return known.name if known else word.replace("_", " ")


def _sentence(text: str) -> str:
    """The text with its first letter as a sentence begins."""
    return text[:1].upper() + text[1:]
