"""What is known to help or not to help whom, derived, curated or imported, and how to cite it."""

from oncoproof.knowledge.evidence.citations import Citation, cite, cite_all, sources_of
from oncoproof.knowledge.evidence.curated_evidence import CuratedRow, curated_evidence, load_curated_evidence
from oncoproof.knowledge.evidence.evidence import (
    CivicProvenance,
    Direction,
    Effect,
    EffectSize,
    Endpoint,
    Evidence,
    Level,
    Origin,
    unique_evidence,
)
from oncoproof.knowledge.evidence.known_evidence import evidence_about, load_evidence
from oncoproof.knowledge.evidence.molecular import Clause, MolecularProfile, Variant, parse_profile
from oncoproof.knowledge.evidence.trial_evidence import evidence_from_trials

__all__ = [
    "Citation",
    "CivicProvenance",
    "Clause",
    "CuratedRow",
    "Direction",
    "Effect",
    "EffectSize",
    "Endpoint",
    "Evidence",
    "Level",
    "MolecularProfile",
    "Origin",
    "Variant",
    "cite",
    "cite_all",
    "curated_evidence",
    "evidence_about",
    "evidence_from_trials",
    "load_curated_evidence",
    "load_evidence",
    "parse_profile",
    "sources_of",
    "unique_evidence",
]
