"""Importing evidence from CIViC's files, in both layouts, with every row accounted for."""

from oncoproof.knowledge.civic.imports import import_civic, load_imported
from oncoproof.knowledge.civic.layouts import Layout, read_civic
from oncoproof.knowledge.civic.profiles import profile_of_old_layout, read_profile
from oncoproof.knowledge.civic.rows import Outcome, SkipReason, interpret_rows

__all__ = [
    "Layout",
    "Outcome",
    "SkipReason",
    "import_civic",
    "interpret_rows",
    "load_imported",
    "profile_of_old_layout",
    "read_civic",
    "read_profile",
]
