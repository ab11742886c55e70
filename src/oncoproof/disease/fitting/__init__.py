"""How the numbers follow from published trials."""

from oncoproof.disease.fitting.fitting_run import Order, Told, fit_in_folder

__all__ = ["Order", "Told", "fit_in_folder"]
