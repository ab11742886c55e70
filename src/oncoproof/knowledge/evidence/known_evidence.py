"""Everything this base knows to help or not to help, without imports.

Rule this module guarantees: no two pieces share an id.

    >>> len({piece.id for piece in load_evidence()}) == len(load_evidence())
    True
    >>> [piece.id for piece in evidence_about("crc", "sotorasib") if piece.direction.value == "supports"][0]
    'trial:codebreak_300-kras_g12c-sotorasib_960_panitumumab'
"""

from functools import cache

from oncoproof.knowledge.evidence.curated_evidence import load_curated_evidence
from oncoproof.knowledge.evidence.evidence import Evidence, unique_evidence
from oncoproof.knowledge.evidence.trial_evidence import evidence_from_trials


@cache
def load_evidence() -> tuple[Evidence, ...]:
    """All of it: derived from trials, then curated."""
    return unique_evidence((*evidence_from_trials(), *load_curated_evidence()))


def evidence_about(disease: str, drug: str) -> tuple[Evidence, ...]:
    """What is known of a drug in a disease, evidence across tumours included, strongest level first."""
    found = [piece for piece in load_evidence() if piece.disease in {None, disease} and piece.speaks_of(drug)]
    return tuple(sorted(found, key=lambda piece: piece.level))
