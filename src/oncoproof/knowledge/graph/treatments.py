"""A treatment that is asked about: a drug, or drugs given together, under any of their names.

Rule this module guarantees: a text names one treatment or is refused with the nearest names.

    >>> find_treatment("FOLFOX").drugs
    ('fluorouracil', 'leucovorin', 'oxaliplatin')
    >>> find_treatment("Tagrisso"), find_treatment("olaparib+bevacizumab").node
    (Treatment(name='osimertinib', drugs=('osimertinib',)), 'regimen:bevacizumab+olaparib')
    >>> find_treatment("FOLFIRI + Erbitux").name
    'FOLFIRI and cetuximab'
"""

from collections.abc import Sequence
from dataclasses import dataclass

from oncoproof.errors import InputError
from oncoproof.knowledge.graph.evidence_statements import action_node
from oncoproof.knowledge.medicines.drugs import find_drug, load_drugs
from oncoproof.knowledge.medicines.regimens import find_regimen


@dataclass(frozen=True, slots=True)
class Treatment:
    """Drugs given together."""

    name: str
    """What a reader calls it."""
    drugs: tuple[str, ...]
    """Drug slugs, sorted."""

    @property
    def node(self) -> str:
        """Its node: of a single drug the drug, else the regimen."""
        return action_node(self.drugs)


def find_treatment(text: str) -> Treatment:
    """The treatment a text names.

    Args:
        text: A drug, a regimen, or several of them joined by `+`, by any name.

    Raises:
        InputError: No drug and no regimen is called so.
    """
    try:
        return _joined([_part(word.strip()) for word in text.split("+")])
    except InputError as error:
        return _regimen(text, error)  # a regimen may have a + in its name


def _joined(parts: Sequence[Treatment]) -> Treatment:
    names = dict.fromkeys(part.name for part in parts)
    return Treatment(" and ".join(names), tuple(sorted({drug for part in parts for drug in part.drugs})))


def _part(word: str) -> Treatment:
    try:
        drug = find_drug(word).slug
    except InputError as error:
        return _regimen(word, error)
    return Treatment(load_drugs()[drug].name, (drug,))


def _regimen(text: str, error: InputError) -> Treatment:
    """The regimen of that name; the error about drugs is told where there is none."""
    try:
        regimen = find_regimen(text)
    except InputError:
        raise InputError(
            came=f"treatment {text!r}",
            expected="a drug of drugs.toml, a regimen of regimens.toml, or several joined by +",
            remedy=error.remedy,
        ) from error
    return Treatment(regimen.name, tuple(sorted(regimen.drugs)))
