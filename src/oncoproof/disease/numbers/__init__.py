"""The numbers of the model: what drugs do, whom they harm, what makes patients differ; priors and fit."""

from oncoproof.disease.numbers.fitted import Fit, FittedNumber, load_fit, load_fitted
from oncoproof.disease.numbers.parameters import Parameters, assemble, free_names, prior_means

__all__ = [
    "Fit",
    "FittedNumber",
    "Parameters",
    "assemble",
    "free_names",
    "load_fit",
    "load_fitted",
    "prior_means",
]
