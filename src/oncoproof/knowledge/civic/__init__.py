"""Importing evidence from CIViC's files, in both layouts, with every row accounted for."""

from oncoproof.knowledge.civic.folder import FileMark, HeldRow, HeldRows, Sighting
from oncoproof.knowledge.civic.imports import FolderChanges, ImportAccount, import_civic, load_imported
from oncoproof.knowledge.civic.layouts import CivicFile, CivicRow, Layout, read_civic
from oncoproof.knowledge.civic.profiles import profile_of_old_layout, read_profile
from oncoproof.knowledge.civic.rows import Interpretation, Outcome, RowOutcome, SkipReason, interpret_rows
from oncoproof.knowledge.civic.treatment_names import CivicDisease, CivicTherapy, VariantRule

__all__ = [
    "CivicDisease",
    "CivicFile",
    "CivicRow",
    "CivicTherapy",
    "FileMark",
    "FolderChanges",
    "HeldRow",
    "HeldRows",
    "ImportAccount",
    "Interpretation",
    "Layout",
    "Outcome",
    "RowOutcome",
    "Sighting",
    "SkipReason",
    "VariantRule",
    "import_civic",
    "interpret_rows",
    "load_imported",
    "profile_of_old_layout",
    "read_civic",
    "read_profile",
]
