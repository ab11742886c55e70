"""What happens to a patient: a stochastic model of advanced cancer under treatment, calibrated on trials."""

from oncoproof.disease.compiler import set_up_compiler
from oncoproof.disease.courses.care import (
    Action,
    Care,
    GoOn,
    NoTreatment,
    Policy,
    Stop,
    Switch,
    Treat,
    Wait,
    advance,
    begin,
    decide,
    treat_by,
)
from oncoproof.disease.courses.endpoints import COMPLETE, PARTIAL, STABLE, WEEKS_PER_MONTH, Endpoints
from oncoproof.disease.courses.state import (
    HARM_DUE,
    LINE_DUE,
    LINE_MASK,
    LINE_SHIFT,
    NOTHING_DUE,
    Mark,
    State,
)
from oncoproof.disease.fitting.fitting_run import Order, Told, fit_in_folder, predict_each
from oncoproof.disease.numbers.fitted import Fit, load_fit
from oncoproof.disease.numbers.parameters import Parameters, assemble, prior_means
from oncoproof.disease.people.covariates import check_subjects
from oncoproof.disease.people.populations import Admission, admission_of, draw_population
from oncoproof.disease.trials.arm_results import FIGURES, ArmResults, Estimate, summarise_arms
from oncoproof.disease.trials.arms import SimulatedArms, simulate_arms
from oncoproof.disease.trials.scorecard import Criterion, Outcome, Score, Scorecard, Verdict, judge
from oncoproof.disease.trials.survival import Curve, FollowUp, hazard_ratio, kaplan_meier, median_time

__all__ = [
    "COMPLETE",
    "FIGURES",
    "HARM_DUE",
    "LINE_DUE",
    "LINE_MASK",
    "LINE_SHIFT",
    "NOTHING_DUE",
    "PARTIAL",
    "STABLE",
    "WEEKS_PER_MONTH",
    "Action",
    "Admission",
    "ArmResults",
    "Care",
    "Criterion",
    "Curve",
    "Endpoints",
    "Estimate",
    "Fit",
    "FollowUp",
    "GoOn",
    "Mark",
    "NoTreatment",
    "Order",
    "Outcome",
    "Parameters",
    "Policy",
    "Score",
    "Scorecard",
    "SimulatedArms",
    "State",
    "Stop",
    "Switch",
    "Told",
    "Treat",
    "Verdict",
    "Wait",
    "admission_of",
    "advance",
    "assemble",
    "begin",
    "check_subjects",
    "decide",
    "draw_population",
    "fit_in_folder",
    "hazard_ratio",
    "judge",
    "kaplan_meier",
    "load_fit",
    "median_time",
    "predict_each",
    "prior_means",
    "simulate_arms",
    "summarise_arms",
    "treat_by",
]

set_up_compiler()
