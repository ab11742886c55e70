"""From words to codes: what a system calls a regimen, a trial or a test, and what this side calls it.

Rules this module guarantees:

- Only names and synonyms of the knowledge base count, but for case, spaces, hyphens and marks; nothing is
  guessed. Drugs joined by `+`, `/`, `,`, `and`, `plus` or `with` are a regimen of them.

    >>> code_of_regimen("Tagrisso"), code_of_regimen("pembrolizumab plus carboplatin and pemetrexed")
    ('osimertinib', 'carboplatin+pembrolizumab+pemetrexed')
    >>> code_of_regimen("the usual") is None
    True
    >>> code_of_test("EGFR"), code_of_trial(" nct02296125 ")
    ('EGFR', 'NCT02296125')
"""

import re
from functools import lru_cache

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import load_biomarkers
from oncoproof.knowledge.medicines import find_drug, find_regimen, load_regimens, regimen_id

NO_TREATMENT_WORDS = frozenset(
    {"no treatment", "no_treatment", "none", "best supportive care", "bsc", "supportive care", "observation"}
)
"""Texts that recommend no treatment."""

_JOINED = re.compile(r"\s*(?:\+|/|,|;|&|\band\b|\bplus\b|\bwith\b)\s*", re.IGNORECASE)
_TRIAL = re.compile(r"NCT\d{8}")


@lru_cache(maxsize=20_000)
def code_of_regimen(text: str) -> str | None:
    """The id of the regimen that a text names; None = nobody knows it.

    Args:
        text: An id, a name or synonym, or drugs.
    """
    wanted = text.strip()
    if not wanted:
        return None
    if wanted in load_regimens():
        return wanted
    try:
        return find_regimen(wanted).id
    except InputError:
        pass
    try:
        return regimen_id([find_drug(part).slug for part in _JOINED.split(wanted) if part])
    except InputError:
        return None


@lru_cache(maxsize=20_000)
def code_of_test(text: str) -> str | None:
    """The key of the biomarker that a text names; None = nobody knows it."""
    wanted = text.strip().casefold()
    for key, biomarker in load_biomarkers().items():
        if wanted in {key.casefold(), biomarker.name.casefold()}:
            return key
    return None


def code_of_trial(text: str) -> str | None:
    """The registry number that a text is; None = it is none."""
    found = _TRIAL.fullmatch(text.strip().upper())
    return found[0] if found else None
