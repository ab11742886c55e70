"""What medicine knows, as data files a clinician can read, each number with its source.

This door opens what most callers need; each room below it has a door of its own with the rest.
"""

from oncoproof.knowledge.cancers import load_assays, load_biomarkers, load_diseases
from oncoproof.knowledge.civic import import_civic
from oncoproof.knowledge.evidence import cite, load_evidence
from oncoproof.knowledge.medicines import find_drug, find_regimen, load_drugs, load_regimens
from oncoproof.knowledge.policies import Judgement, Policy, load_policies
from oncoproof.knowledge.rules import Gap, Report, Severity, Violation, load_rules, validate
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects import Subjects, features_of, load_vocabulary, subjects_of
from oncoproof.knowledge.trials import TrialArm, load_trials, read_trials

__all__ = [
    "Gap",
    "Judgement",
    "Policy",
    "Report",
    "Severity",
    "Subjects",
    "TrialArm",
    "Violation",
    "cite",
    "features_of",
    "find_drug",
    "find_regimen",
    "import_civic",
    "load_assays",
    "load_biomarkers",
    "load_diseases",
    "load_drugs",
    "load_evidence",
    "load_policies",
    "load_regimens",
    "load_rules",
    "load_sources",
    "load_trials",
    "load_vocabulary",
    "read_trials",
    "subjects_of",
    "validate",
]
