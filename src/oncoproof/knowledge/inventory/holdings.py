"""The topics of the base: which files tell of each, and how it is read.

Rules this module guarantees:

- Every data file belongs to a topic; `list_orphans` names those that do not, which nothing would read.

    >>> [holding.topic for holding in HOLDINGS][:3], list_orphans()
    (['sources', 'diseases', 'stage rules'], ())
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import resources
from pathlib import Path
from typing import Any, cast

from oncoproof.knowledge.cancers.assays import load_assays
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.genes import load_genes
from oncoproof.knowledge.cancers.marker_constraints import load_marker_constraints
from oncoproof.knowledge.cancers.stages import StageRule, load_stage_tables
from oncoproof.knowledge.cancers.variants import load_variants
from oncoproof.knowledge.civic.treatment_names import variant_rules
from oncoproof.knowledge.courses.kinetics import load_kinetics
from oncoproof.knowledge.courses.resistance import load_resistance
from oncoproof.knowledge.courses.survival_links import load_survival_links, load_survival_milestones
from oncoproof.knowledge.courses.utilities import load_quality_of_life_results, load_utilities
from oncoproof.knowledge.evidence.curated_evidence import load_curated_evidence
from oncoproof.knowledge.evidence.trial_evidence import evidence_from_trials
from oncoproof.knowledge.medicines.comedications import load_comedications
from oncoproof.knowledge.medicines.dose_changes import load_dose_changes
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.interactions import load_interactions
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.medicines.toxicity import load_terms, load_toxicity
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.restrictions import load_restrictions
from oncoproof.knowledge.policies.situations import load_situations
from oncoproof.knowledge.populations.comutation import load_comutation
from oncoproof.knowledge.populations.demography import load_demography
from oncoproof.knowledge.populations.metastases import load_metastatic_sites
from oncoproof.knowledge.populations.mutational_burden import load_mutational_burden
from oncoproof.knowledge.populations.pharmacogenes import load_dpyd_alleles, load_pharmacogene_frequencies
from oncoproof.knowledge.populations.prevalence import load_prevalence
from oncoproof.knowledge.populations.subtypes import load_subtypes
from oncoproof.knowledge.rules.contradictions import Contradiction
from oncoproof.knowledge.rules.drug_checks import OnePerPlan
from oncoproof.knowledge.rules.rules import load_rules
from oncoproof.knowledge.rules.validator import load_checks
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.analytes import load_analytes
from oncoproof.knowledge.subjects.features import Feature
from oncoproof.knowledge.subjects.findings import load_finding_patterns
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.knowledge.tables import read_csv
from oncoproof.knowledge.trials import load_curves, load_registry_years, load_trials


@dataclass(frozen=True, slots=True)
class Holding:
    """One topic of the base."""

    room: str
    """Which package of `oncoproof.knowledge` tells of it; empty = the bibliography beside them."""
    topic: str
    """What it is, in the plural."""
    load: Callable[[], Mapping[Any, object] | tuple[object, ...]]
    """Reads it."""
    files: tuple[str, ...]
    """Patterns of its data files, below the data folder; empty = it is derived from other topics."""

    @property
    def records(self) -> tuple[object, ...]:
        """Its records, one for each thing it tells of."""
        held = self.load()
        groups: Iterable[object] = list(held.values()) if isinstance(held, Mapping) else [held]
        return tuple(record for group in groups for record in _members(group))


def _members(group: object) -> tuple[object, ...]:
    """The records of a group: several where the table groups them under a key."""
    return cast("tuple[object, ...]", group) if isinstance(group, tuple) else (group,)


def _stage_rules() -> tuple[StageRule, ...]:
    load_stage_tables()  # refuses rules that overlap or leave a combination out
    return read_csv("stages.csv", "stages", StageRule)


def _contradictions() -> tuple[Contradiction, ...]:
    return read_csv("contradictions.csv", "contradictions", Contradiction)


def _one_per_plan() -> tuple[OnePerPlan, ...]:
    return read_csv("one_per_plan.csv", "one_per_plan", OnePerPlan)


def _vocabulary() -> Mapping[str, Feature]:
    return load_vocabulary().features


HOLDINGS: tuple[Holding, ...] = (
    Holding("", "sources", load_sources, ("sources.csv",)),
    Holding("cancers", "diseases", load_diseases, ("diseases.toml",)),
    Holding("cancers", "stage rules", _stage_rules, ("stages.csv", "stage_categories.csv")),
    Holding("cancers", "genes", load_genes, ("genes.csv",)),
    Holding("cancers", "biomarkers", load_biomarkers, ("biomarkers.toml",)),
    Holding("cancers", "marker constraints", load_marker_constraints, ("marker_constraints.csv",)),
    Holding("cancers", "variants", load_variants, ("variants.csv",)),
    Holding("cancers", "assays", load_assays, ("assays.csv", "assay_accuracy.csv")),
    Holding("populations", "prevalences", load_prevalence, ("prevalence.csv",)),
    Holding("populations", "co-mutations", load_comutation, ("comutation.csv",)),
    Holding("populations", "demography", load_demography, ("demography.csv",)),
    Holding("populations", "subtypes", load_subtypes, ("subtypes.csv",)),
    Holding("populations", "mutational burdens", load_mutational_burden, ("tmb.csv",)),
    Holding("populations", "metastatic sites", load_metastatic_sites, ("metastatic_sites.csv",)),
    Holding("populations", "DPYD alleles", load_dpyd_alleles, ("dpyd_alleles.csv",)),
    Holding(
        "populations",
        "pharmacogene frequencies",
        load_pharmacogene_frequencies,
        ("pharmacogene_frequencies.csv",),
    ),
    Holding("courses", "kinetics", load_kinetics, ("kinetics.csv",)),
    Holding("courses", "resistance mechanisms", load_resistance, ("resistance.csv",)),
    Holding("courses", "survival links", load_survival_links, ("survival_links.csv",)),
    Holding("courses", "survival milestones", load_survival_milestones, ("survival_milestones.csv",)),
    Holding("courses", "utilities", load_utilities, ("utilities.csv",)),
    Holding(
        "courses", "quality-of-life trials", load_quality_of_life_results, ("quality_of_life_trials.csv",)
    ),
    Holding("medicines", "umbrellas of classes", load_umbrellas, ("classes.toml",)),
    Holding("medicines", "drug classes", load_classes, ("classes.toml",)),
    Holding("medicines", "drugs", load_drugs, ("drugs.toml",)),
    Holding("medicines", "regimens", load_regimens, ("regimens.toml",)),
    Holding("medicines", "other medicines", load_comedications, ("comedications.csv",)),
    Holding("medicines", "interactions", load_interactions, ("interactions.csv",)),
    Holding("medicines", "CTCAE terms", load_terms, ("ctcae_terms.csv",)),
    Holding("medicines", "toxicity profiles", load_toxicity, ("toxicity.csv",)),
    Holding("medicines", "dose changes", load_dose_changes, ("dose_changes.csv",)),
    Holding("subjects", "features", _vocabulary, ("features.toml",)),
    Holding("subjects", "analytes", load_analytes, ("analytes.csv",)),
    Holding("subjects", "finding patterns", load_finding_patterns, ("finding_patterns.csv",)),
    Holding("trials", "trial arms", load_trials, ("trials.csv",)),
    Holding("trials", "survival curves", load_curves, ("trial_curves.csv",)),
    Holding("trials", "registry years", load_registry_years, ("registry_years.csv",)),
    Holding("evidence", "curated evidence", load_curated_evidence, ("evidence.csv",)),
    Holding("evidence", "evidence from trials", evidence_from_trials, ()),
    Holding("rules", "safety rules", load_rules, ("safety_rules/*.toml",)),
    Holding("rules", "contradictions", _contradictions, ("contradictions.csv",)),
    Holding("rules", "one drug per plan", _one_per_plan, ("one_per_plan.csv",)),
    Holding("rules", "checks of the validator", load_checks, ()),
    Holding("policies", "situations", load_situations, ("policies/situations/*.toml",)),
    Holding("policies", "restrictions", load_restrictions, ("policies/restrictions.toml",)),
    Holding("policies", "policies", load_policies, ("policies/*/*.toml",)),
    Holding("civic", "CIViC variant names", variant_rules, ("civic_names.toml",)),
)
"""Every topic, in the order of the data flow."""


def list_orphans() -> tuple[str, ...]:
    """Data files that belong to no topic."""
    folder = Path(str(resources.files("oncoproof.knowledge"))) / "data"
    patterns = [pattern for holding in HOLDINGS for pattern in holding.files]
    names = (str(path.relative_to(folder)) for path in sorted(folder.rglob("*.*")))
    return tuple(
        name
        for name in names
        if name.endswith((".csv", ".toml")) and not any(fnmatch(name, pattern) for pattern in patterns)
    )
