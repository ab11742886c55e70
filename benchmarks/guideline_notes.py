"""Why the guideline's best does not win in the simulator, for the rows where it does not."""

NOTES: dict[str, str] = {}
"""By the id of the patients: whether the numbers are wrong or the literature disagrees."""
