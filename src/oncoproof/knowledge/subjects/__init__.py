"""Who is judged: patients as columns of named features, read from records or given as a table."""

from oncoproof.knowledge.subjects.analytes import Analyte, load_analytes
from oncoproof.knowledge.subjects.features import Feature, FeatureKind, FeaturePart, Vocabulary
from oncoproof.knowledge.subjects.findings import FindingPattern, load_finding_patterns, statements
from oncoproof.knowledge.subjects.record_features import features_of, subjects_of
from oncoproof.knowledge.subjects.subject_columns import (
    CategoryColumn,
    Column,
    FlagColumn,
    Mask,
    NumberColumn,
    NumbersColumn,
    SetColumn,
)
from oncoproof.knowledge.subjects.subjects import Subjects, implausible
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

__all__ = [
    "Analyte",
    "CategoryColumn",
    "Column",
    "Feature",
    "FeatureKind",
    "FeaturePart",
    "FindingPattern",
    "FlagColumn",
    "Mask",
    "NumberColumn",
    "NumbersColumn",
    "SetColumn",
    "Subjects",
    "Vocabulary",
    "features_of",
    "implausible",
    "load_analytes",
    "load_finding_patterns",
    "load_vocabulary",
    "statements",
    "subjects_of",
]
