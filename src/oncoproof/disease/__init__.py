"""What happens to a patient: a stochastic model of advanced cancer under treatment, calibrated on trials."""

from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, STABLE, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.trials.arm_results import FIGURES, ArmResults, Estimate, summarise_arms
from oncoproof.disease.trials.arms import SimulatedArms, simulate_arms
from oncoproof.disease.trials.scorecard import Criterion, Outcome, Score, Scorecard, Verdict, judge
from oncoproof.disease.trials.survival import Curve, FollowUp, hazard_ratio, kaplan_meier, median_time

__all__ = [
    "COMPLETE",
    "FIGURES",
    "PARTIAL",
    "STABLE",
    "WEEKS_PER_MONTH",
    "ArmResults",
    "Criterion",
    "Curve",
    "Endpoints",
    "Estimate",
    "FollowUp",
    "Outcome",
    "Score",
    "Scorecard",
    "SimulatedArms",
    "Verdict",
    "hazard_ratio",
    "judge",
    "kaplan_meier",
    "median_time",
    "simulate_arms",
    "summarise_arms",
]
