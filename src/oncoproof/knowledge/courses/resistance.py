"""How tumours come to resist each therapy, and how often.

Rules this module guarantees:

- A fact belongs to one or more therapies (a drug, class or umbrella; `+` joins what is given together,
  `any` is the default for all) in a setting.
- `share` counts patients at progression; shares of one therapy may overlap and need not sum to 1.
- A mechanism without a figure is known to occur, and how often is not on record.
- Low and high of recalled and read ranges are the stated range, and the value its middle.

    >>> [fact.mechanism for fact in mechanisms_of("osimertinib", setting="first_line")][:2]
    ['met_amplification', 'egfr_c797s']
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from oncoproof.knowledge.tables import Figure, read_csv


class MechanismKind(StrEnum):
    """How a mechanism defeats a therapy."""

    ON_TARGET = "on_target"
    """The target changes so that the drug no longer blocks it, or is reactivated in itself."""
    BYPASS = "bypass"
    """Another pathway takes over."""
    TRANSFORMATION = "transformation"
    """The tumour becomes another histology."""
    IMMUNE_EVASION = "immune_evasion"
    """The tumour escapes the immune response."""
    REVERSION = "reversion"
    """A second mutation restores the gene whose loss made the drug work."""
    TARGET_LOSS = "target_loss"
    """The target is gone or rarer."""
    UNKNOWN = "unknown"
    """No mechanism was found, or several kinds are counted together."""


class ResistanceQuantity(StrEnum):
    """What the figure of a resistance fact counts."""

    SHARE = "share"
    """Patients at progression with the mechanism."""
    SHARE_WITH_ANY = "share_with_any"
    """Patients at progression in whom any mechanism was found."""
    SHARE_POLYCLONAL = "share_polyclonal"
    """Patients at progression with several mechanisms at once."""
    RESPONSE_RATE = "response_rate"
    """Patients with the mechanism who respond."""
    PRE_EXISTING_LOG10 = "pre_existing_log10"
    """Decimal logarithm of the resistant share of cells before treatment."""


@dataclass(frozen=True, slots=True)
class ResistanceFact:
    """One mechanism under one therapy."""

    disease: str
    """Slug of the disease; `any` = all."""
    therapy: tuple[str, ...]
    """Therapies it belongs to: drugs, classes, umbrellas, joined by `+` where given together."""
    setting: str
    """When in the course, or in whom; `any` = not restricted."""
    quantity: ResistanceQuantity
    """What the figure counts."""
    mechanism: str
    """Slug of the mechanism."""
    kind: MechanismKind
    """How it defeats the therapy."""
    biomarker: str | None
    """Key of the biomarker that shows it; None = no key does."""
    value: str | None
    """The value that shows it; None = no key does."""
    n: int | None
    """Patients counted; None = not on record."""
    note: str
    """What a reader must know; may be empty."""
    share: Figure | None
    """The figure; None = known to occur, share not on record."""


@cache
def load_resistance() -> tuple[ResistanceFact, ...]:
    """Every fact, in file order."""
    return read_csv("resistance.csv", "resistance", ResistanceFact)


def mechanisms_of(
    therapy: str, *, setting: str | None = None, disease: str | None = None
) -> tuple[ResistanceFact, ...]:
    """What is known of resistance to a therapy.

    Args:
        therapy: A drug, class or umbrella, as the facts write it.
        setting: Only facts of this setting or of any; None = all settings.
        disease: Only facts of this disease or of any; None = all diseases.
    """
    return tuple(
        fact
        for fact in load_resistance()
        if therapy in fact.therapy
        and (setting is None or fact.setting in {setting, "any"})
        and (disease is None or fact.disease in {disease, "any"})
    )
