"""What is observed of courses: lesions, harm, performance, laboratory, blood, quality of life, their end."""

from oncoproof.disease.observations.assayed import assayed, usual_assay
from oncoproof.disease.observations.assays_run import AssayReport, Order, observed_codes, run_assay
from oncoproof.disease.observations.outcome import End, Outcomes
from oncoproof.disease.observations.quality import Totals, gained, total
from oncoproof.disease.observations.records import Record, observe
from oncoproof.disease.observations.timeline import Walked, walked_of

__all__ = [
    "AssayReport",
    "End",
    "Order",
    "Outcomes",
    "Record",
    "Totals",
    "Walked",
    "assayed",
    "gained",
    "observe",
    "observed_codes",
    "run_assay",
    "total",
    "usual_assay",
    "walked_of",
]
