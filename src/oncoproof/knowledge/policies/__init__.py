"""What guidelines advise: dated policies over a record, several of them, because practice varies."""

from oncoproof.knowledge.policies.guidelines import Guideline, read_guideline
from oncoproof.knowledge.policies.library import PolicyTitle, load_policies, make_policy
from oncoproof.knowledge.policies.options import (
    NO_TREATMENT,
    STANDINGS,
    Option,
    Standing,
    Weight,
    biomarker_of,
    drugs_of,
)
from oncoproof.knowledge.policies.policy import Ground, Judgement, Policy
from oncoproof.knowledge.policies.restrictions import Restriction, load_restrictions, read_restrictions
from oncoproof.knowledge.policies.situations import Situation, load_situations, read_situations
from oncoproof.knowledge.policies.standings import Standings
from oncoproof.knowledge.policies.survey import PolicyContent, Survey

__all__ = [
    "NO_TREATMENT",
    "STANDINGS",
    "Ground",
    "Guideline",
    "Judgement",
    "Option",
    "Policy",
    "PolicyContent",
    "PolicyTitle",
    "Restriction",
    "Situation",
    "Standing",
    "Standings",
    "Survey",
    "Weight",
    "biomarker_of",
    "drugs_of",
    "load_policies",
    "load_restrictions",
    "load_situations",
    "make_policy",
    "read_guideline",
    "read_restrictions",
    "read_situations",
]
