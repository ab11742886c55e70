"""FHIR R4: records as bundles that conform to mCODE STU4 and Genomics Reporting, and back again."""
