"""How the numbers follow from published trials."""

from oncoproof.disease.fitting.calibration import Linearised, Problem, linearise, pose
from oncoproof.disease.fitting.fitting_run import Order, Told, fit_in_folder, predict_each
from oncoproof.disease.fitting.leave_out import LeftOut, leave_each_out
from oncoproof.disease.fitting.targets import Figure, Target, residuals, targets_of

__all__ = [
    "Figure",
    "LeftOut",
    "Linearised",
    "Order",
    "Problem",
    "Target",
    "Told",
    "fit_in_folder",
    "leave_each_out",
    "linearise",
    "pose",
    "predict_each",
    "residuals",
    "targets_of",
]
