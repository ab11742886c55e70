"""Published trials: the project's own table of arms, and the reader of any file in its format."""

from oncoproof.knowledge.trials.arm_checks import PlacedRow
from oncoproof.knowledge.trials.arms import (
    ArmRole,
    BrainMetastases,
    Confidence,
    Interval,
    Region,
    Setting,
    TrialArm,
)
from oncoproof.knowledge.trials.cells import READERS
from oncoproof.knowledge.trials.publications import Publication, parse_publications
from oncoproof.knowledge.trials.registry_years import RegistryYear, load_registry_years, registered_year
from oncoproof.knowledge.trials.trial_curves import CurvePoint, curve_of, load_curves
from oncoproof.knowledge.trials.trial_table import load_trials, read_trials, write_trials

__all__ = [
    "READERS",
    "ArmRole",
    "BrainMetastases",
    "Confidence",
    "CurvePoint",
    "Interval",
    "PlacedRow",
    "Publication",
    "Region",
    "RegistryYear",
    "Setting",
    "TrialArm",
    "curve_of",
    "load_curves",
    "load_registry_years",
    "load_trials",
    "parse_publications",
    "read_trials",
    "registered_year",
    "write_trials",
]
