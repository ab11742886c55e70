"""What events can say: one typed class of content for each kind of event.

Content states what was found, given or decided, and nothing about when: that is the event's. What
a lab, a symptom or a regimen is called stands in the event's codes, so that any terminology can
name it. Content that describes something lasting can be told as it looked while it lasted
(`ongoing`), so that the end of a treatment is unknown on the day it begins.

    >>> Treatment(modality=Modality.DRUG, status=Status.STOPPED, reason_ended="toxicity").ongoing().status
    <Status.ACTIVE: 'active'>
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeAlias

from oncoproof.errors import JourneyError
from oncoproof.journey.bounds import require_amount, require_number, require_range, require_share
from oncoproof.journey.codes import Code
from oncoproof.journey.omics import Finding, Origin, Presence
from oncoproof.journey.units import Quantity


class Role(StrEnum):
    """What a diagnosis is to the journey."""

    PRIMARY = "primary"
    """The cancer under treatment."""
    SECONDARY = "secondary"
    """A metastasis of it."""
    COMORBIDITY = "comorbidity"
    """Another condition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """A condition was found."""

    role: Role
    """What it is to the journey."""
    sites: tuple[Code, ...] = ()
    """Where in the body."""
    histology: Code | None = None
    """Morphology of a tumour; None = not stated."""


class StageBasis(StrEnum):
    """What a stage rests on."""

    CLINICAL = "clinical"
    """Before or without resection."""
    PATHOLOGICAL = "pathological"
    """After resection."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The extent of the cancer was stated; empty categories were not stated."""

    basis: StageBasis = StageBasis.CLINICAL
    """Clinical or pathological."""
    t: str = ""
    """Primary tumour, for instance `T2a`."""
    n: str = ""
    """Regional nodes, for instance `N1`."""
    m: str = ""
    """Distant metastases, for instance `M1b`."""
    group: str = ""
    """Stage group, for instance `IVA`."""
    method: Code | None = None
    """Staging system and edition; None = not stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Biomarker:
    """A molecular or protein finding, by one assay on one specimen."""

    finding: Finding
    """What was looked at and what it is."""
    presence: Presence = Presence.PRESENT
    """Whether it is there."""
    origin: Origin = Origin.UNKNOWN
    """Germline or somatic."""
    assay: str = ""
    """Assay slug of the knowledge base or free text; empty = not stated."""
    specimen: str = ""
    """Specimen, for instance `tissue`, `plasma`; empty = not stated."""


class LabCategory(StrEnum):
    """What sort of observation a `Lab` is; the values are FHIR's observation categories."""

    LABORATORY = "laboratory"
    """Blood, urine and other specimens."""
    VITAL = "vital-signs"
    """Weight, blood pressure, heart rate."""
    SOCIAL = "social-history"
    """Smoking, occupation and the like."""
    EXAM = "exam"
    """Findings of examinations such as ECG and echocardiography."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lab:
    """A measured or coded observation; which analyte it is stands in the event's codes."""

    value: Quantity | Code | str | None
    """The result; None = asked for and not obtained."""
    category: LabCategory = LabCategory.LABORATORY
    """What sort of observation."""
    low: float | None = None
    """Lower bound of the reference range, in the value's unit; None = not stated."""
    high: float | None = None
    """Upper bound of the reference range, in the value's unit, not below the lower; None = not stated."""

    def __post_init__(self) -> None:
        if self.low is not None or self.high is not None:
            require_range("reference range", self.low, self.high)


class Read(StrEnum):
    """A RECIST 1.1 reading."""

    CR = "cr"
    """Complete response."""
    PR = "pr"
    """Partial response."""
    SD = "sd"
    """Stable disease."""
    PD = "pd"
    """Progressive disease."""
    NE = "ne"
    """Not evaluable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesion:
    """One lesion as measured on one scan."""

    label: str
    """Name of the lesion within the journey, stable between scans."""
    organ: str
    """Organ slug, for instance `lung`, `liver`, `brain`, `node`."""
    diameter_mm: float | None
    """Longest diameter, short axis for nodes, 0 or more; None = seen, not measured."""
    is_target: bool = True
    """Whether it is one of the up to five target lesions."""

    def __post_init__(self) -> None:
        require_amount("lesion diameter in mm", self.diameter_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imaging:
    """A scan and its reading."""

    modality: str
    """`ct`, `mri`, `pet_ct`, `bone_scan`, `xray`, `ultrasound`; free text is allowed."""
    lesions: tuple[Lesion, ...] = ()
    """What was measured."""
    has_new_lesion: bool | None = None
    """Whether a lesion is new; None = not stated."""
    read: Read | None = None
    """Overall reading against earlier scans; None = a baseline or not read."""


class Severity(StrEnum):
    """How bad a symptom is."""

    MILD = "mild"
    """Noticed, not in the way."""
    MODERATE = "moderate"
    """In the way of daily life."""
    SEVERE = "severe"
    """Disabling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """A complaint; which one stands in the event's codes."""

    severity: Severity | None = None
    """How bad; None = not stated."""


class Scale(StrEnum):
    """A scale of performance status."""

    ECOG = "ecog"
    """0 fully active … 5 dead."""
    KARNOFSKY = "karnofsky"
    """100 no complaints … 0 dead, in tens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """A performance status."""

    scale: Scale
    """The scale."""
    score: int
    """The score on it."""

    def __post_init__(self) -> None:
        allowed = range(6) if self.scale is Scale.ECOG else range(0, 101, 10)
        if self.score not in allowed:
            raise JourneyError(
                where=f"performance status ({self.scale})",
                came=str(self.score),
                expected=f"one of {', '.join(map(str, allowed))}",
                remedy="check the score and the scale",
            )


class Modality(StrEnum):
    """How a treatment acts."""

    DRUG = "drug"
    """Systemic anticancer therapy."""
    SURGERY = "surgery"
    """An operation."""
    RADIATION = "radiation"
    """Radiotherapy."""
    SUPPORTIVE = "supportive"
    """Medicines and measures that are not against the cancer."""


class Intent(StrEnum):
    """What a treatment is for."""

    CURATIVE = "curative"
    """To cure."""
    PALLIATIVE = "palliative"
    """To prolong and improve life."""


class Status(StrEnum):
    """Where a treatment stands."""

    PLANNED = "planned"
    """Not begun."""
    ACTIVE = "active"
    """Under way."""
    HELD = "held"
    """Interrupted, meant to go on."""
    COMPLETED = "completed"
    """Ended as planned."""
    STOPPED = "stopped"
    """Ended early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrugDose:
    """One drug of a treatment, as given."""

    drug: Code
    """The drug."""
    dose: Quantity | None = None
    """Amount per administration, for instance 80 mg, 75 mg/m2, 0 or more; None = not stated."""
    route: str = ""
    """`oral`, `intravenous`, `subcutaneous`, `intramuscular`; empty = not stated."""
    text: str = ""
    """The instruction in words, for instance `days 1 and 8 of 21`; empty = none."""

    def __post_init__(self) -> None:
        if self.dose is not None:
            require_amount("dose", self.dose.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Treatment:
    """Something was given or done; the regimen or procedure stands in the event's codes."""

    modality: Modality
    """How it acts."""
    drugs: tuple[DrugDose, ...] = ()
    """The drugs of a drug treatment."""
    line: int | None = None
    """Line of therapy for advanced disease, 1 = first, 0 = maintenance; None = does not apply."""
    intent: Intent | None = None
    """What it is for; None = not stated."""
    status: Status = Status.ACTIVE
    """Where it stands at the end of what is told."""
    dose_fraction: float = 1.0
    """Dose relative to the full dose of the regimen, 0 or more; 1 = full."""
    reason_ended: str = ""
    """Why it ended or was held: `progression`, `toxicity`, `choice`, `death` or words; empty = nothing."""

    def __post_init__(self) -> None:
        require_amount("line of therapy", self.line)
        require_amount("dose relative to the full one", self.dose_fraction)

    def ongoing(self) -> "Treatment":
        """The treatment as it looks while it is under way."""
        if self.status is Status.PLANNED:
            return self
        return replace(self, status=Status.ACTIVE, reason_ended="")


@dataclass(frozen=True, slots=True, kw_only=True)
class AdverseEvent:
    """Harm; the term stands in the event's codes, suspected causes are causal links."""

    grade: int
    """CTCAE grade, 1 mild … 5 fatal."""
    is_serious: bool = False
    """Whether it led to admission, lasting damage or danger to life."""
    resolution: str = ""
    """`resolved`, `recovering`, `not_resolved`, `fatal`; empty = not known yet."""

    def __post_init__(self) -> None:
        if self.grade not in range(1, 6):
            raise JourneyError(
                where="adverse event",
                came=f"grade {self.grade}",
                expected="a CTCAE grade from 1 to 5",
                remedy="leave grade 0 out: it is no adverse event",
            )

    def ongoing(self) -> "AdverseEvent":
        """The event before its resolution is known; while the patient lives, no harm is fatal."""
        return replace(self, resolution="", grade=min(self.grade, 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Somebody chose what to do; what was chosen stands in the event's codes."""

    maker: str
    """Who decided: the name of a system, policy or board."""
    task: str
    """`therapy`, `next_test`, `trial_match`, `tumor_board`, `dose`."""
    options: tuple[Code, ...] = ()
    """What was considered, best first; empty = not told."""
    probability: float | None = None
    """Stated probability of the choice, 0 to 1; None = not stated."""
    rationale: str = ""
    """The reasons in words; empty = none given."""

    def __post_init__(self) -> None:
        require_share("probability of a decision", self.probability)


class OutcomeType(StrEnum):
    """What became of the patient."""

    RESPONSE = "response"
    """The disease answered as `read` says."""
    PROGRESSION = "progression"
    """The disease grew or spread."""
    REMISSION = "remission"
    """No sign of disease."""
    DEATH = "death"
    """The patient died."""
    LOST = "lost"
    """Follow-up ended for another reason."""
    HORIZON = "horizon"
    """The time told about is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of the patient."""

    type: OutcomeType
    """Which outcome."""
    read: Read | None = None
    """RECIST category of a response or progression; None = not by RECIST."""
    cause: str = ""
    """Cause of death: `cancer`, `toxicity`, `other`; empty = does not apply or not known."""


class CloneKind(StrEnum):
    """How a clone stands to the treatment."""

    SENSITIVE = "sensitive"
    """Drug-sensitive."""
    ON_TARGET = "on_target"
    """Resistant by a change of the target."""
    BYPASS = "bypass"
    """Resistant by another pathway."""
    TRANSFORMED = "transformed"
    """Resistant by change of lineage."""
    IMMUNE_EVASIVE = "immune_evasive"
    """Out of reach of the immune system."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A subpopulation of the tumour: truth; its mechanism stands in the event's codes."""

    kind: CloneKind
    """How it stands to the treatment."""
    log10_cells: float
    """Size, log10 of the number of cells."""

    def __post_init__(self) -> None:
        require_number("size of a clone, log10", self.log10_cells)


Content: TypeAlias = (
    Diagnosis
    | Stage
    | Biomarker
    | Lab
    | Imaging
    | Symptom
    | Performance
    | Treatment
    | AdverseEvent
    | Decision
    | Outcome
    | Clone
)
"""Everything an event can be about."""
