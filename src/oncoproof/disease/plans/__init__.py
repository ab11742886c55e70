"""What is planned for each patient, line after line."""

from oncoproof.disease.plans.designs import NO_TREATMENT, LineDesigns, design_lines
from oncoproof.disease.plans.later_lines import LINES, Switch, plan_lines

__all__ = [
    "LINES",
    "NO_TREATMENT",
    "LineDesigns",
    "Switch",
    "design_lines",
    "plan_lines",
]
