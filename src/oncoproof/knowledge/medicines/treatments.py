"""What can be said to have been given: a drug, the class it is of, or an umbrella over classes.

Rules this module guarantees:

- Every word is of `drugs.toml` or `classes.toml`, and a word is a drug or a class or an umbrella, never two.
- The members of a class or umbrella are drugs; of a drug, itself. An umbrella that only a whole regimen
  can meet (`platinum_doublet`) has no members, as no single drug meets it.

    >>> sorted(members("egfr_tki_gen1"))
    ['erlotinib', 'gefitinib']
    >>> class_of("osimertinib")
    'egfr_tki_gen3'
    >>> "egfr_tki" in treatment_words()
    True
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs

PLACEBO = "placebo"
"""What an arm gives that gives no active drug."""


@cache
def treatment_words() -> frozenset[str]:
    """Every drug, class and umbrella."""
    return frozenset((*load_drugs(), *load_classes(), *load_umbrellas()))


def class_of(drug: str) -> str:
    """The class of a drug; a word that is no drug is given back."""
    known = load_drugs().get(drug)
    return known.drug_class if known else drug


def members(treatment: str) -> frozenset[str]:
    """The drugs that a drug, class or umbrella stands for; empty for a word that stands for none."""
    return _members().get(treatment, frozenset())


@cache
def _members() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for slug, drug in load_drugs().items():
        for word in (drug.drug_class, *drug.umbrellas):
            found.setdefault(word, set()).add(slug)
        found.setdefault(slug, set()).add(slug)
    return MappingProxyType({word: frozenset(drugs) for word, drugs in found.items()})
