"""One arm of a published trial, in one population: what was given to whom, and what came of it.

A field stands for each column of the trial format and bears its name. Times are months, shares per
cent (0 to 100), ages years; a hazard ratio is this arm over the arm named in `comparator_row_id`,
below 1 where this arm does better. None means not reported, not applicable, or no condition.

    >>> Interval(value=0.46, low=0.37, high=0.57).excludes(1.0)
    True
"""

from dataclasses import dataclass
from enum import StrEnum

from oncoproof.knowledge.medicines.combinations import Combination
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.trials.publications import Publication


class ArmRole(StrEnum):
    """What an arm is to its trial."""

    CONTROL = "control"
    """What the others are compared with."""
    EXPERIMENTAL = "experimental"
    """What the trial asked about."""
    SECOND_EXPERIMENTAL = "experimental2"
    """A second thing the trial asked about."""
    SINGLE = "single-arm"
    """An arm without comparison."""


class Setting(StrEnum):
    """Where in the course of the disease an arm treats."""

    ADVANCED = "advanced"
    """Unresectable or metastatic disease."""
    MAINTENANCE = "maintenance"
    """Straight after a treatment that worked."""
    CONSOLIDATION = "unresectable_stage3_consolidation"
    """After chemoradiation of unresectable stage III."""


class Region(StrEnum):
    """Where the patients of an arm came from, roughly."""

    GLOBAL = "global"
    """Several continents."""
    EAST_ASIA = "east_asia"
    """East Asia."""
    EUROPE = "europe"
    """Europe."""
    US = "us"
    """The United States."""
    JAPAN = "japan"
    """Japan."""
    CHINA = "china"
    """China."""


class BrainMetastases(StrEnum):
    """Whether patients with brain metastases were admitted."""

    ALLOWED = "yes"
    """Stable and free of symptoms; treatment not needed first."""
    TREATED = "treated"
    """Only after local treatment, and stable."""
    EXCLUDED = "no"
    """Not admitted."""


class Confidence(StrEnum):
    """How firmly the efficacy figures of a row are established."""

    HIGH = "high"
    """Matched to an independent source."""
    MEDIUM = "medium"
    """Not matched in every figure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A published figure with its 95 % interval."""

    value: float | None
    """The estimate; None = not reported or not reached."""
    low: float | None
    """Lower bound; None = not reported."""
    high: float | None
    """Upper bound; None = not reported, or not reached."""

    def excludes(self, number: float) -> bool:
        """Whether the whole interval lies on one side of a number; never for an open interval."""
        return self.low is not None and self.high is not None and not self.low <= number <= self.high


@dataclass(frozen=True, slots=True)
class TrialArm:
    """One row of a trial table."""

    row_id: str
    """`trial-population-arm`, unique in its file."""
    trial: str
    """Name of the trial."""
    nct: str | None
    """Registry number at ClinicalTrials.gov; None = not registered there."""
    pmid_or_doi: tuple[Publication, ...]
    """Where it was reported; empty = nowhere that has a reference."""
    disease: str
    """Disease slug."""
    histology: str
    """Histology admitted; `any` = no condition."""
    setting: Setting
    """Advanced disease, maintenance, or consolidation."""
    line_min: int
    """Lowest line now given; 1 = first for advanced disease, 0 = straight after first treatment."""
    line_max: int
    """Highest line now given; 9 = no upper limit."""
    requires: tuple[Condition, ...]
    """Conditions that must all hold."""
    excludes: tuple[Condition, ...]
    """Conditions any one of which rules a patient out."""
    prior: tuple[str, ...]
    """Earlier treatments that must all have been given: class, umbrella or drug."""
    ecog_max: int
    """Highest ECOG performance status admitted."""
    brain_mets_allowed: BrainMetastases
    """Whether brain metastases were admitted."""
    region_mix: tuple[Region, ...]
    """Where patients came from, roughly."""
    median_age: float | None
    """Median age in years."""
    female_pct: float | None
    """Women, per cent."""
    arm: ArmRole
    """What the arm is to its trial."""
    drugs: Combination
    """What was given."""
    drug_classes: Combination
    """The same with each drug replaced by its class."""
    schedule_note: str
    """Dose, cycles, maintenance, shares of options; free text."""
    comparator_row_id: str | None
    """The control row of the same trial and population; None = there is none."""
    crossover_pct: float | None
    """Patients of the arm who later had `crossover_to`, per cent."""
    crossover_to: tuple[tuple[str, ...], ...]
    """Later treatment: alternatives, each a combination of drugs, classes or umbrellas."""
    post_progression_note: str
    """Caveats to `crossover_pct`; free text."""
    n: int
    """Patients in this arm and population."""
    biomarker_population: str
    """The population in words."""
    regimen: str
    """The regimen in words."""
    orr_pct: float | None
    """Objective response, per cent."""
    cr_pct: float | None
    """Complete response, per cent."""
    dor_median_mo: float | None
    """Median duration of response, months."""
    pfs_median_mo: float | None
    """Median progression-free survival, months; None with `pfs_not_reached` = not reached."""
    pfs_ci_low: float | None
    """Lower bound of the median, months."""
    pfs_ci_high: float | None
    """Upper bound of the median, months; None = not reached."""
    pfs_hr: float | None
    """Hazard ratio of progression or death against the comparator."""
    pfs_hr_low: float | None
    """Its lower bound."""
    pfs_hr_high: float | None
    """Its upper bound."""
    pfs_12mo_pct: float | None
    """Progression-free at 12 months, per cent."""
    os_median_mo: float | None
    """Median overall survival, months; None with `os_not_reached` = not reached."""
    os_ci_low: float | None
    """Lower bound of the median, months."""
    os_ci_high: float | None
    """Upper bound of the median, months; None = not reached."""
    os_hr: float | None
    """Hazard ratio of death against the comparator."""
    os_hr_low: float | None
    """Its lower bound."""
    os_hr_high: float | None
    """Its upper bound."""
    grade3plus_ae_pct: float | None
    """Patients with an adverse event of grade 3 or more, per cent."""
    grade3plus_ae_attribution: str
    """Any cause or treatment-related, with its scope; empty = not reported."""
    discontinuation_ae_pct: float | None
    """Patients who stopped for an adverse event, per cent."""
    discontinuation_ae_attribution: str
    """Any cause or treatment-related, with its scope; empty = not reported."""
    confidence: Confidence
    """How firmly the efficacy figures are established."""
    note: str
    """Data cut and caveats; free text."""
    pfs_not_reached: bool | None
    """Whether the median PFS was not reached; None = not known."""
    os_not_reached: bool | None
    """Whether the median OS was not reached; None = not known."""
    pfs_assessment: str
    """Who judged progression: `BICR` (blinded review) or `INV` (investigator), with the cut."""

    @property
    def pfs(self) -> Interval:
        """Median progression-free survival, months."""
        return Interval(value=self.pfs_median_mo, low=self.pfs_ci_low, high=self.pfs_ci_high)

    @property
    def os(self) -> Interval:
        """Median overall survival, months."""
        return Interval(value=self.os_median_mo, low=self.os_ci_low, high=self.os_ci_high)

    @property
    def pfs_hazard(self) -> Interval:
        """Hazard ratio of progression or death against the comparator."""
        return Interval(value=self.pfs_hr, low=self.pfs_hr_low, high=self.pfs_hr_high)

    @property
    def os_hazard(self) -> Interval:
        """Hazard ratio of death against the comparator."""
        return Interval(value=self.os_hr, low=self.os_hr_low, high=self.os_hr_high)

    @property
    def sources(self) -> tuple[str, ...]:
        """Every source id of the arm: its reports in the order given, then its registration."""
        reports = [source for publication in self.pmid_or_doi for source in publication.sources]
        return (*reports, f"nct:{self.nct}") if self.nct else tuple(reports)
