"""What a piece of evidence says, in a sentence.

Rule this module guarantees: evidence without a sentence of its own, as imports bring it, is told from its
fields: what is given, whether it helps, in which disease and which tumours.

    >>> from dataclasses import replace
    >>> from oncoproof.knowledge.evidence.known_evidence import load_evidence
    >>> piece = next(piece for piece in load_evidence() if piece.id == "curated:ret_selpercatinib_agnostic")
    >>> sentence_of(replace(piece, statement=""))
    'Selpercatinib helps in any tumour with RET=fusion.'
"""

from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.evidence.evidence import Direction, Evidence

_VERBS = {
    Direction.SUPPORTS: "helps",
    Direction.OPPOSES: "does not help",
    Direction.NEUTRAL: "neither helps nor fails for sure",
}


def sentence_of(piece: Evidence) -> str:
    """A piece of evidence in words: its own, or else what its fields say."""
    if piece.statement:
        return piece.statement
    options = [" with ".join(words) for words in piece.treatment.alternatives() if words]
    given = " or ".join(dict.fromkeys(options)).replace("_", " ")
    disease = load_diseases()[piece.disease].name if piece.disease else "any tumour"
    return f"{given[:1].upper()}{given[1:]} {_VERBS[piece.direction]} in {disease} with {piece.profile}."
