"""Interactions: what a cancer treatment and something else taken do to one another.

Rules this module guarantees:

- An interaction speaks of a drug, class or umbrella on one side, and of a drug, class, umbrella, medicine
  or group of medicines on the other; every such word is of its table.
- A cancer drug counts as a member of the groups that follow from its own table entry: one that induces
  CYP3A4 strongly is a `strong_cyp3a4_inducer` to its partners.
- What is found comes worst first.

    >>> [found.interaction.severity.value for found in interactions_with(["lorlatinib"], ["rifampicin"])]
    ['contraindicated']
    >>> [(found.drug, found.partner) for found in interactions_within(["ribociclib", "tamoxifen"])][0]
    ('ribociclib', 'tamoxifen')
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.comedications import comedication_groups, load_comedications
from oncoproof.knowledge.medicines.drugs import Drug, EnzymeRole, QtRisk, classes_of, load_drugs
from oncoproof.knowledge.tables import Basis, read_csv

_TRANSPORTER_NAMES = {"ABCB1": "p_gp", "ABCG2": "bcrp"}
_QT_GROUP = "qt_prolonging_anticancer"


class Severity(StrEnum):
    """What an interaction asks for, worst first."""

    CONTRAINDICATED = "contraindicated"
    """Never together."""
    AVOID = "avoid"
    """Choose something else unless nothing else is there."""
    ADJUST = "adjust"
    """Change dose or timing."""
    MONITOR = "monitor"
    """Watch more closely."""


_ORDER = tuple(Severity)


class Affected(StrEnum):
    """Whose effect or level changes."""

    TREATMENT = "treatment"
    """The cancer treatment's."""
    PARTNER = "partner"
    """The other's."""
    BOTH = "both"
    """Effects or harms add up."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """One row of `interactions.csv`."""

    treatment: str
    """Drug, class or umbrella."""
    partner: str
    """Drug, class, umbrella, medicine or group of medicines."""
    affected: Affected
    """Whose effect or level changes."""
    effect: str
    """What happens, in a few words."""
    severity: Severity
    """What it asks for."""
    dose_factor: float | None
    """Share of the usual dose of the treatment to give (above 1 = more); None = not a matter of its dose."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class FoundInteraction:
    """An interaction that applies to what is given."""

    drug: str
    """Slug of the cancer drug."""
    partner: str
    """Slug of the other drug or medicine, or the group as it was given."""
    interaction: Interaction
    """What is known of the two."""


@cache
def load_interactions() -> tuple[Interaction, ...]:
    """All interactions, in the order of the file."""
    return read_csv("interactions.csv", "interactions", Interaction)


def interaction_groups(drug: str) -> frozenset[str]:
    """Every word by which an interaction may speak of a cancer drug.

    >>> sorted(interaction_groups("encorafenib") - {"encorafenib", "systemic_therapy"})
    ['braf_inhibitor', 'qt_prolonging_anticancer', 'strong_cyp3a4_inducer']
    """
    found = load_drugs()[drug]
    words = {drug, *classes_of(drug), *_enzyme_groups(found)}
    if found.qt_risk is not QtRisk.NONE:
        words.add(_QT_GROUP)
    return frozenset(words)


def _enzyme_groups(drug: Drug) -> Iterator[str]:
    """`strong_cyp3a4_inhibitor` and the like; transporters have no grades."""
    for relation in drug.enzymes:
        if relation.role is EnzymeRole.SUBSTRATE:
            continue
        if relation.enzyme in _TRANSPORTER_NAMES:
            yield f"{_TRANSPORTER_NAMES[relation.enzyme]}_{relation.role.value}"
        elif relation.strength is not None:
            yield f"{relation.strength.value}_{relation.enzyme.lower()}_{relation.role.value}"


@cache
def anticancer_groups() -> frozenset[str]:
    """Groups that cancer drugs belong to by their own table entries."""
    enzymes = {group for drug in load_drugs().values() for group in _enzyme_groups(drug)}
    return frozenset({*enzymes, _QT_GROUP})


def _partner_words(partner: str) -> frozenset[str]:
    medicine = load_comedications().get(partner)
    if medicine is not None:
        return frozenset((partner, *medicine.groups))
    if partner in comedication_groups():
        return frozenset((partner,))
    if partner in load_drugs():
        return interaction_groups(partner)
    raise InputError(
        came=f"medicine {partner!r}",
        expected="a slug of comedications.csv or drugs.toml, or a group of medicines",
        remedy="look the name up with find_comedication",
    )


def interactions_with(drugs: Collection[str], comedications: Collection[str]) -> tuple[FoundInteraction, ...]:
    """What a plan and the patient's other medicines do to one another, worst first.

    Args:
        drugs: Slugs of the cancer drugs.
        comedications: Slugs of other medicines, or groups (`ppi`) where the medicine is not known.

    Raises:
        InputError: A medicine is not known.
    """
    found = (
        FoundInteraction(drug, partner, interaction)
        for drug in drugs
        for partner in comedications
        for interaction in _between(drug, _partner_words(partner))
    )
    return _worst_first(found)


def interactions_within(drugs: Collection[str]) -> tuple[FoundInteraction, ...]:
    """What the drugs of a plan do to one another, worst first; an effect on both is named once.

    Args:
        drugs: Slugs of the cancer drugs.
    """
    given = sorted(set(drugs))
    found: dict[tuple[frozenset[str], str], FoundInteraction] = {}
    for drug in given:
        for partner in given:
            if partner == drug:
                continue
            for interaction in _between(drug, interaction_groups(partner)):
                found.setdefault(
                    (frozenset((drug, partner)), interaction.effect),
                    FoundInteraction(drug, partner, interaction),
                )
    return _worst_first(found.values())


def _between(drug: str, partner_words: frozenset[str]) -> Iterator[Interaction]:
    words = {drug, *classes_of(drug)}
    for interaction in load_interactions():
        if interaction.treatment in words and interaction.partner in partner_words:
            yield interaction


def _worst_first(
    found: Iterator[FoundInteraction] | Collection[FoundInteraction],
) -> tuple[FoundInteraction, ...]:
    return tuple(
        sorted(found, key=lambda one: (_ORDER.index(one.interaction.severity), one.drug, one.partner))
    )
