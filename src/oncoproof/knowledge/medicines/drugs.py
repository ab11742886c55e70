"""Drugs: what each is called, does, needs and risks.

Rules this module guarantees:

- Every drug belongs to one class of `classes.toml`; its codes, thresholds, approvals and doses each
  say where they come from. In `drugs.toml` a line that names no source takes the one of its drug.
- A reduced dose is lower than the starting dose, and the reductions go down.
- A name, synonym or brand stands for one drug only, whatever its case, spaces and hyphens.

    >>> drug = find_drug("Nab-Paclitaxel")
    >>> drug.slug, drug.drug_class, drug.umbrellas
    ('nab_paclitaxel', 'taxane', ('chemotherapy', 'systemic_therapy'))
    >>> load_drugs()["osimertinib"].doses.fractions
    (0.5,)
    >>> find_drug("osimertinb")
    Traceback (most recent call last):
    oncoproof.errors.InputError: came: drug 'osimertinb'; expected: a drug of drugs.toml; try: osimertinib
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import Any, cast

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.medicines.drug_classes import load_classes
from oncoproof.knowledge.names import find_name, index_names
from oncoproof.knowledge.tables import Basis, build, read_toml


class Route(StrEnum):
    """How a drug gets into the patient."""

    ORAL = "oral"
    """Swallowed."""
    INTRAVENOUS = "intravenous"
    """Into a vein."""
    SUBCUTANEOUS = "subcutaneous"
    """Under the skin."""
    INTRAMUSCULAR = "intramuscular"
    """Into a muscle."""


class CodeSystem(StrEnum):
    """Terminologies that name drugs."""

    RXNORM = "rxnorm"
    """RxNorm concept of the ingredient."""
    ATC = "atc"
    """WHO ATC substance (fifth level)."""


class CnsPenetration(StrEnum):
    """How much of the effect reaches tumour in the brain."""

    NONE = "none"
    """Nothing that matters."""
    LOW = "low"
    """Occasional responses."""
    MODERATE = "moderate"
    """Responses in a fair share of patients."""
    HIGH = "high"
    """Responses in the brain about as often as outside."""


class EnzymeRole(StrEnum):
    """What a drug and an enzyme or transporter have to do with one another."""

    SUBSTRATE = "substrate"
    """The enzyme clears (or activates) the drug."""
    INHIBITOR = "inhibitor"
    """The drug blocks the enzyme."""
    INDUCER = "inducer"
    """The drug raises the enzyme."""


class Strength(StrEnum):
    """How strongly an enzyme is blocked or raised."""

    WEAK = "weak"
    """Exposure of a sensitive substrate changes less than twofold."""
    MODERATE = "moderate"
    """Two- to fivefold."""
    STRONG = "strong"
    """Fivefold or more."""


class ThresholdAction(StrEnum):
    """What to do when a measurement lies within a threshold's range."""

    AVOID = "avoid"
    """Do not give."""
    REDUCE = "reduce"
    """Give less."""
    HOLD = "hold"
    """Wait until it has recovered."""


class QtRisk(StrEnum):
    """What the label says about the QT interval."""

    NONE = "none"
    """No warning."""
    MONITOR = "monitor"
    """A warning: electrocardiogram and electrolytes."""
    RESTRICTED = "restricted"
    """Not to be started above a stated QTc, or not with other QT-prolonging drugs."""


@dataclass(frozen=True, slots=True)
class DrugCode:
    """What a public terminology calls the drug."""

    system: CodeSystem
    """Which terminology."""
    code: str
    """The code."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know the code."""


@dataclass(frozen=True, slots=True)
class Approval:
    """When the drug could first be had on label for a disease in the United States."""

    disease: str
    """Disease slug; `other` = a disease outside the knowledge base."""
    year: int
    """Calendar year of the first approval."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know the year."""


@dataclass(frozen=True, slots=True)
class BrainAccess:
    """How well the drug works in the brain."""

    level: CnsPenetration
    """How much of the effect reaches tumour in the brain."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class EnzymeRelation:
    """What the drug and one enzyme or transporter have to do with one another."""

    enzyme: str
    """HGNC symbol or common name: CYP3A4, CYP2D6, UGT1A1, DPYD, ABCB1 …"""
    role: EnzymeRole
    """What the drug is to the enzyme."""
    strength: Strength | None
    """How strongly it is blocked or raised; None = a substrate, or not graded."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class DoseThreshold:
    """A range of organ function or blood count in which the dose changes."""

    feature: str
    """What is measured, as features.toml calls it: `crcl_ml_min`, `anc`, `bilirubin_x_uln` …"""
    low: float | None
    """Lower end, included; None = no lower end."""
    high: float | None
    """Upper end, excluded; None = no upper end."""
    unit: str
    """UCUM unit of both ends; `1` for multiples of the upper limit of normal."""
    action: ThresholdAction
    """What to do within the range."""
    dose_factor: float | None
    """Share of the starting dose to give; None = none to give, or the label leaves it open."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    def covers(self, value: float) -> bool:
        """Whether a measurement lies within the range."""
        return (self.low is None or value >= self.low) and (self.high is None or value < self.high)


@dataclass(frozen=True, slots=True)
class DoseLevels:
    """The starting dose and the steps below it."""

    start: float
    """Starting dose of one treatment day, in `unit`."""
    unit: str
    """UCUM: `mg`, `mg/kg`, `mg/m2`."""
    times_daily: int | None
    """How many times the day's dose is split; None = infused or injected."""
    reduced: tuple[float, ...]
    """Day's doses after one, two, … reductions, in `unit`; empty = the dose is not reduced."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""

    @property
    def fractions(self) -> tuple[float, ...]:
        """Reduced doses as shares of the starting dose, rounded to three digits."""
        return tuple(round(dose / self.start, 3) for dose in self.reduced)

    @property
    def reductions_max(self) -> int:
        """How many reductions there are before the drug is stopped."""
        return len(self.reduced)


@dataclass(frozen=True, slots=True)
class Monitoring:
    """A test the drug asks for."""

    test: str
    """Test slug, for instance `ecg`, `blood_count`, `liver_function`."""
    when: tuple[str, ...]
    """When: `baseline`, `each_cycle`, `weekly`, `every_2_weeks`, `monthly`, `every_3_months`, `day_14` …"""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


@dataclass(frozen=True, slots=True)
class Drug:
    """One drug."""

    slug: str
    """What tables call it: the international name with underscores."""
    name: str
    """What a reader calls it."""
    drug_class: str
    """Slug of its class."""
    targets: tuple[str, ...]
    """HGNC symbols of what it acts on, its own or else its class's; empty = none in particular."""
    route: Route
    """How it is usually given."""
    synonyms: tuple[str, ...]
    """Other names and brands, lower case."""
    codes: tuple[DrugCode, ...]
    """What terminologies call it; absent where not known for sure."""
    approvals: tuple[Approval, ...]
    """First United States approval by disease; a disease it is only used for off label is absent."""
    brain: BrainAccess
    """How well it works in the brain."""
    enzymes: tuple[EnzymeRelation, ...]
    """Enzymes and transporters that matter."""
    qt_risk: QtRisk
    """What the label says about the QT interval."""
    thresholds: tuple[DoseThreshold, ...]
    """Organ function and counts that change the dose."""
    doses: DoseLevels | None
    """Starting dose and reductions; None = the dose stands in the regimens only."""
    monitoring: tuple[Monitoring, ...]
    """Tests it asks for."""
    harms_pregnancy: bool
    """Whether pregnancy must be excluded and prevented."""
    source: str
    """Where the facts without a source of their own come from."""
    basis: Basis
    """How those facts came to us."""

    @property
    def umbrellas(self) -> tuple[str, ...]:
        """Umbrellas of its class, sorted."""
        return load_classes()[self.drug_class].umbrellas

    def code(self, system: CodeSystem) -> str | None:
        """Its code in a terminology; None = not known for sure."""
        return next((code.code for code in self.codes if code.system is system), None)

    def approved_year(self, disease: str) -> int | None:
        """Year of the first approval for a disease; None = not approved for it."""
        return next((approval.year for approval in self.approvals if approval.disease == disease), None)

    @property
    def available_year(self) -> int | None:
        """Year from which it could be had at all, on label or off; None = never approved."""
        return min((approval.year for approval in self.approvals), default=None)


@cache
def load_drugs() -> Mapping[str, Drug]:
    """All drugs, by slug."""
    rows = read_toml("drugs.toml", "drugs")
    return MappingProxyType({slug: _drug(slug, row) for slug, row in rows.items()})


def _drug(slug: str, row: dict[str, Any]) -> Drug:
    where = f"drugs.toml {slug}"
    known = load_classes().get(row["drug_class"])
    if known is None:
        raise IntegrityError(
            where=where,
            came=f"class {row['drug_class']!r}",
            expected="a class of classes.toml",
            remedy="add the class or correct the name",
        )
    origin = {"source": row["source"], "basis": row["basis"]}
    cells = {name: _with_origin(cell, origin) for name, cell in row.items()}
    return build(Drug, {"slug": slug, "targets": known.targets, **cells}, where=where)


def _with_origin(cell: object, origin: Mapping[str, str]) -> object:
    """The cell with the drug's source and basis in every line that names none."""
    if isinstance(cell, dict):
        return {**origin, **cast("dict[str, object]", cell)}
    if isinstance(cell, list):
        return [_with_origin(member, origin) for member in cast("list[object]", cell)]
    return cell


def classes_of(drug: str) -> tuple[str, ...]:
    """The class of a drug and the umbrellas over it."""
    found = load_drugs()[drug]
    return (found.drug_class, *found.umbrellas)


@cache
def _drug_index() -> Mapping[str, str]:
    names = ((drug.slug, (drug.slug, drug.name, *drug.synonyms)) for drug in load_drugs().values())
    return index_names(names, where="drugs.toml")


def find_drug(text: str) -> Drug:
    """The drug a text names, exactly but for case, spaces and hyphens.

    Args:
        text: A slug, name, synonym or brand.

    Raises:
        InputError: No drug is called so; the remedy names the nearest.
    """
    return load_drugs()[find_name(text, _drug_index(), kind="drug", table="drugs.toml")]
