"""How a clone resists: a mechanism of the knowledge base that fits what was given and the sort of clone.

Rules this module guarantees:

- A mechanism is drawn in proportion to how often it was found under the therapy; a patient has one.
- Where nothing is on record for the therapy, there is no mechanism.

    >>> from oncoproof.seeds import Seed
    >>> fact = mechanism_of("nsclc", "osimertinib", CloneKind.BYPASS, Seed(3))
    >>> fact is not None and fact.kind.value
    'bypass'
"""

from oncoproof.disease.plans.designs import regimen_of
from oncoproof.journey import CloneKind
from oncoproof.knowledge.courses import MechanismKind, ResistanceFact, ResistanceQuantity, mechanisms_of
from oncoproof.knowledge.medicines import classes_of
from oncoproof.seeds import Seed

_KINDS = {
    CloneKind.ON_TARGET: {MechanismKind.ON_TARGET, MechanismKind.REVERSION},
    CloneKind.BYPASS: {MechanismKind.BYPASS},
    CloneKind.TRANSFORMED: {MechanismKind.TRANSFORMATION},
    CloneKind.IMMUNE_EVASIVE: {MechanismKind.IMMUNE_EVASION},
    CloneKind.SENSITIVE: set[MechanismKind](),
}
_UNKNOWN_SHARE = 0.02
"""Weight of a mechanism that occurs, and of which nobody says how often."""


def mechanism_of(disease: str, regimen: str, kind: CloneKind, seed: Seed) -> ResistanceFact | None:
    """How a clone resists a regimen; None = nothing is on record.

    Args:
        disease: Disease slug.
        regimen: Id of the regimen under which the clone came to prevail; empty = none.
        kind: What sort of clone it is.
        seed: Where chance starts.
    """
    if not regimen:
        return None
    therapies = {word for drug in regimen_of(regimen).drugs for word in (drug, *classes_of(drug))}
    facts = [
        fact
        for therapy in sorted(therapies)
        for fact in mechanisms_of(therapy, disease=disease)
        if fact.kind in _KINDS[kind] and fact.quantity is ResistanceQuantity.SHARE
    ]
    weights = [fact.share.value if fact.share is not None else _UNKNOWN_SHARE for fact in facts]
    if not sum(weights):
        return None
    point = seed.child("mechanism", regimen, kind.value).generator().random() * sum(weights)
    for fact, weight in zip(facts, weights, strict=True):
        point -= weight
        if point <= 0:
            return fact
    return facts[-1]
