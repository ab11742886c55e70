"""Published trials: the project's own table of arms, and the reader of any file in its format."""

from oncoproof.knowledge.trials.arms import ArmRole, Confidence, Interval, Region, TrialArm
from oncoproof.knowledge.trials.cells import READERS
from oncoproof.knowledge.trials.publications import Publication, parse_publications
from oncoproof.knowledge.trials.trial_table import load_trials, read_trials, write_trials

__all__ = [
    "READERS",
    "ArmRole",
    "Confidence",
    "Interval",
    "Publication",
    "Region",
    "TrialArm",
    "load_trials",
    "parse_publications",
    "read_trials",
    "write_trials",
]
