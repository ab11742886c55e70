"""What is known to help or not to help whom: disease × molecular profile × treatment → direction.

Evidence comes from three origins behind one type: the trial table (derived by code), the curated file
`data/evidence.csv` (what trials do not say: resistance, negative contrasts, tumour-agnostic approvals)
and imports of CIViC. The level says how strong the ground is, in the letters of CIViC:

- A  proven: a randomised comparison of a pivotal trial, or consensus of guidelines and labels;
- B  clinical: a prospective single arm, or a cohort of patients;
- C  single cases or small series;
- D  preclinical: cells, animals;
- E  inferred from other evidence.

Rules this module guarantees:

- Every piece of evidence has a source; a figure has one of its own.
- Evidence is identified by `origin:key`, and no two pieces share an id.
- Supports and opposes are said of the treatment in that profile; neutral means that a comparison with an
  active alternative left the question open, or that a suspected resistance was not seen.

    >>> [level.value for level in sorted(Level, reverse=True)][:2]
    ['E', 'D']
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.evidence.molecular import MolecularProfile
from oncoproof.knowledge.medicines.combinations import Combination
from oncoproof.knowledge.medicines.treatments import members
from oncoproof.knowledge.tables import Basis, Figure


class Origin(StrEnum):
    """Which of the three collections a piece of evidence comes from."""

    TRIAL = "trial"
    """Derived from a row of the trial table."""
    CURATED = "curated"
    """A row of `evidence.csv`."""
    CIVIC = "civic"
    """An import of CIViC."""


class Direction(StrEnum):
    """Whether evidence speaks for the treatment."""

    SUPPORTS = "supports"
    """For it."""
    OPPOSES = "opposes"
    """Against it."""
    NEUTRAL = "neutral"
    """Neither: as good as an active alternative as far as the data tell, or a harm not confirmed."""


class Effect(StrEnum):
    """What was seen, or not seen."""

    SENSITIVITY = "sensitivity"
    """Patients benefit."""
    RESISTANCE = "resistance"
    """The tumour does not respond, or no longer."""
    REDUCED_SENSITIVITY = "reduced_sensitivity"
    """The tumour responds less."""
    NO_BENEFIT = "no_benefit"
    """No benefit was found where one was looked for."""
    HARM = "harm"
    """Patients do worse with it."""
    NO_DIFFERENCE = "no_difference"
    """No difference to an active alternative, or to patients without the alteration."""


class Level(StrEnum):
    """How strong the ground is, strongest first."""

    A = "A"
    """Proven: a randomised comparison, guidelines, a label."""
    B = "B"
    """Clinical: a single arm, a cohort."""
    C = "C"
    """Cases."""
    D = "D"
    """Preclinical."""
    E = "E"
    """Inferred."""


class Endpoint(StrEnum):
    """What the figure of a piece of evidence is."""

    PFS_HR = "pfs_hr"
    """Hazard ratio of progression or death, treatment over comparator."""
    OS_HR = "os_hr"
    """Hazard ratio of death, treatment over comparator."""
    RESPONSE = "orr"
    """Share of patients with an objective response, of whom the interval is 95 %."""
    PREVALENCE = "prevalence"
    """Share of progressing patients in whom the alteration is found."""


@dataclass(frozen=True, slots=True)
class EffectSize:
    """How large an effect was."""

    endpoint: Endpoint
    """What the figure is."""
    figure: Figure
    """The estimate with its interval and source."""


@dataclass(frozen=True, slots=True)
class CivicProvenance:
    """Where in CIViC a piece of evidence stands, and which file told."""

    evidence_ids: tuple[int, ...]
    """CIViC evidence ids; several where rows said the same."""
    molecular_profile: str
    """The profile as CIViC writes it."""
    disease: str
    """The disease as CIViC writes it."""
    therapies: str
    """The therapies as CIViC writes them."""
    citation: str
    """Authors and year."""
    rating: int | None
    """Stars from 1 to 5; None = not rated."""
    reviewed: str
    """When CIViC last reviewed it, UTC."""
    files: tuple[str, ...]
    """SHA-256 of each file that told of it."""
    is_current: bool
    """Whether the newest imported file still tells of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One piece of evidence."""

    id: str
    """`origin:key`, unique."""
    origin: Origin
    """Which collection it comes from."""
    disease: str | None
    """Disease slug; None = any tumour."""
    histology: str = "any"
    """Histology or group of the disease; `any` = no condition."""
    profile: MolecularProfile
    """In which tumours."""
    treatment: Combination
    """Drugs or classes given; a choice where several will do; a name as written where the base lacks it."""
    is_sequential: bool = False
    """Whether the parts are given one after another rather than together."""
    comparator: Combination | None
    """What it was compared with; None = no comparison."""
    direction: Direction
    """Whether it speaks for the treatment."""
    effect: Effect
    """What was seen."""
    level: Level
    """How strong the ground is."""
    sizes: tuple[EffectSize, ...]
    """Sizes of the effect, the one that decided the direction first; empty = the source gives none."""
    line_min: int | None
    """Lowest line it speaks of; None = no line is said."""
    line_max: int | None
    """Highest line; None = no line is said."""
    sources: tuple[str, ...]
    """Source ids, the most direct first."""
    basis: Basis
    """How the statement came to us."""
    statement: str
    """The statement in a sentence of ours; empty = the other fields say it."""
    unknown_treatments: tuple[str, ...] = ()
    """Names in `treatment` that the base does not know."""
    civic: CivicProvenance | None = None
    """Where in CIViC it stands; None = it is of another origin."""

    @property
    def is_mapped(self) -> bool:
        """Whether the words of the base express all of it."""
        return self.profile.is_mapped and not self.unknown_treatments

    def speaks_of(self, drug: str) -> bool:
        """Whether the treatment holds the drug, itself or by a class over it."""
        return any(word == drug or drug in members(word) for word in self.treatment.words())

    def applies_to(self, disease: str, patient: Mapping[str, str | float]) -> bool | None:
        """Whether it speaks of a patient with this disease and these plain values; None = not known."""
        return self.profile.admits(patient) if self.disease in {None, disease} else False


def unique_evidence(pieces: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """The pieces, refused if two share an id."""
    by_id: dict[str, Evidence] = {}
    for piece in pieces:
        if piece.id in by_id:
            raise IntegrityError(
                where="evidence", came=f"{piece.id!r} twice", expected="each id once", remedy="rename one"
            )
        by_id[piece.id] = piece
    return tuple(by_id.values())
