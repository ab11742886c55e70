"""Published arms simulated as what they are, and compared with what was published."""

from oncoproof.disease.trials.arm_results import FIGURES, ArmResults, Estimate, SimulatedArm, summarise_arms
from oncoproof.disease.trials.arms import PreparedArms, SimulatedArms, prepare_arms, run_arms, simulate_arms
from oncoproof.disease.trials.curve_distance import CurveDistance, curve_distances
from oncoproof.disease.trials.scorecard import Criterion, Outcome, Score, Scorecard, Verdict, judge
from oncoproof.disease.trials.survival import Curve, FollowUp, hazard_ratio, kaplan_meier, median_time
from oncoproof.disease.trials.worth import HORIZON_MONTHS, Weighed, Worth, weigh

__all__ = [
    "FIGURES",
    "HORIZON_MONTHS",
    "ArmResults",
    "Criterion",
    "Curve",
    "CurveDistance",
    "Estimate",
    "FollowUp",
    "Outcome",
    "PreparedArms",
    "Score",
    "Scorecard",
    "SimulatedArm",
    "SimulatedArms",
    "Verdict",
    "Weighed",
    "Worth",
    "curve_distances",
    "hazard_ratio",
    "judge",
    "kaplan_meier",
    "median_time",
    "prepare_arms",
    "run_arms",
    "simulate_arms",
    "summarise_arms",
    "weigh",
]
