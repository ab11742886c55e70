"""What happens over time: kinetics, resistance, links between endpoints, milestones, utilities."""

from oncoproof.knowledge.courses.kinetics import KineticsFact, growth_rate_per_day, load_kinetics
from oncoproof.knowledge.courses.resistance import (
    MechanismKind,
    ResistanceFact,
    ResistanceQuantity,
    load_resistance,
    mechanisms_of,
)
from oncoproof.knowledge.courses.survival_links import (
    SurvivalLink,
    SurvivalMilestone,
    links_of,
    load_survival_links,
    load_survival_milestones,
)
from oncoproof.knowledge.courses.utilities import (
    QualityOfLifeResult,
    Utility,
    UtilityKind,
    load_quality_of_life_results,
    load_utilities,
    utilities_of,
)

__all__ = [
    "KineticsFact",
    "MechanismKind",
    "QualityOfLifeResult",
    "ResistanceFact",
    "ResistanceQuantity",
    "SurvivalLink",
    "SurvivalMilestone",
    "Utility",
    "UtilityKind",
    "growth_rate_per_day",
    "links_of",
    "load_kinetics",
    "load_quality_of_life_results",
    "load_resistance",
    "load_survival_links",
    "load_survival_milestones",
    "load_utilities",
    "mechanisms_of",
    "utilities_of",
]
