"""FHIR R4: a record as a bundle of mCODE STU4 and Genomics Reporting resources, and back.

`to_fhir` and `to_fhir_bytes` tell a record, `from_fhir` reads a document as a journey, `check` finds what
is wrong with one, `LOSSES` lists what one side cannot say of the other.
"""

from oncoproof.journey.fhir.bundles import to_fhir, to_fhir_bytes
from oncoproof.journey.fhir.checks import check
from oncoproof.journey.fhir.documents import from_fhir
from oncoproof.journey.fhir.faults import Problem
from oncoproof.journey.fhir.losses import LOSSES, Limit

__all__ = ["LOSSES", "Limit", "Problem", "check", "from_fhir", "to_fhir", "to_fhir_bytes"]
