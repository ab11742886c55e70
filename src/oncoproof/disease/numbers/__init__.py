"""The numbers of the model: what drugs do, whom they harm, what makes patients differ; priors and fit."""

from oncoproof.disease.numbers.effects import Effect, EffectKind, load_effects
from oncoproof.disease.numbers.fitted import (
    Fit,
    FittedNumber,
    Origin,
    digest_of_priors,
    load_fit,
    load_fitted,
    load_origin,
    write_fit,
)
from oncoproof.disease.numbers.harms import Harm, load_harms
from oncoproof.disease.numbers.parameters import (
    Constants,
    Parameters,
    assemble,
    free_names,
    load_priors,
    prior_means,
    prior_sds,
)
from oncoproof.disease.numbers.terms import Quantity, Term, load_terms

__all__ = [
    "Constants",
    "Effect",
    "EffectKind",
    "Fit",
    "FittedNumber",
    "Harm",
    "Origin",
    "Parameters",
    "Quantity",
    "Term",
    "assemble",
    "digest_of_priors",
    "free_names",
    "load_effects",
    "load_fit",
    "load_fitted",
    "load_harms",
    "load_origin",
    "load_priors",
    "load_terms",
    "prior_means",
    "prior_sds",
    "write_fit",
]
