"""Who the patients of a trial are."""

from oncoproof.disease.people.covariates import Covariates, Numbers, check_subjects, covariates_of
from oncoproof.disease.people.populations import Admission, admission_of, draw_population
from oncoproof.disease.people.typical_patients import (
    TypicalPatients,
    load_typical_patients,
    typical_patients,
)

__all__ = [
    "Admission",
    "Covariates",
    "Numbers",
    "TypicalPatients",
    "admission_of",
    "check_subjects",
    "covariates_of",
    "draw_population",
    "load_typical_patients",
    "typical_patients",
]
