"""Who the patients of a trial are."""

from oncoproof.disease.people.covariates import Covariates, Numbers, check_subjects, covariates_of
from oncoproof.disease.people.populations import Admission, admission_of, draw_population

__all__ = [
    "Admission",
    "Covariates",
    "Numbers",
    "admission_of",
    "check_subjects",
    "covariates_of",
    "draw_population",
]
