"""Who has what: prevalence, co-mutation, demography, subtypes, mutation burden, metastases, pharmacogenes."""

from oncoproof.knowledge.populations.comutation import (
    Comutation,
    Relation,
    exclusive_pairs,
    find_association,
    load_comutation,
)
from oncoproof.knowledge.populations.demography import DemographyFact, demography_of, load_demography
from oncoproof.knowledge.populations.metastases import SiteFact, load_metastatic_sites
from oncoproof.knowledge.populations.mutational_burden import BurdenFact, load_mutational_burden
from oncoproof.knowledge.populations.pharmacogenes import (
    Counted,
    DpydAllele,
    PharmacogeneFrequency,
    dpyd_activity_score,
    frequencies_of,
    load_dpyd_alleles,
    load_pharmacogene_frequencies,
)
from oncoproof.knowledge.populations.prevalence import PrevalenceFact, Stratum, load_prevalence, prevalence_of
from oncoproof.knowledge.populations.subtypes import Subtype, load_subtypes

__all__ = [
    "BurdenFact",
    "Comutation",
    "Counted",
    "DemographyFact",
    "DpydAllele",
    "PharmacogeneFrequency",
    "PrevalenceFact",
    "Relation",
    "SiteFact",
    "Stratum",
    "Subtype",
    "demography_of",
    "dpyd_activity_score",
    "exclusive_pairs",
    "find_association",
    "frequencies_of",
    "load_comutation",
    "load_demography",
    "load_dpyd_alleles",
    "load_metastatic_sites",
    "load_mutational_burden",
    "load_pharmacogene_frequencies",
    "load_prevalence",
    "load_subtypes",
    "prevalence_of",
]
