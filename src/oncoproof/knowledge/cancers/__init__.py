"""What a cancer is: diseases, stages, genes, variants, biomarkers, and the assays that find them."""

from oncoproof.knowledge.cancers.assays import Assay, Specimen, assays_for, load_assays
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, Origin, load_biomarkers
from oncoproof.knowledge.cancers.diseases import Disease, Sex, load_diseases
from oncoproof.knowledge.cancers.genes import load_genes
from oncoproof.knowledge.cancers.marker_constraints import (
    MarkerConstraint,
    broken_constraints,
    find_breaches,
    load_marker_constraints,
)
from oncoproof.knowledge.cancers.stages import (
    AXES,
    StageAxis,
    StageRule,
    categories_meant,
    list_combinations,
    load_stage_tables,
    stage_covers,
    stage_group,
    stage_groups_possible,
    stages_fit,
)
from oncoproof.knowledge.cancers.variants import Variant, load_variants

__all__ = [
    "AXES",
    "Assay",
    "Biomarker",
    "BiomarkerKind",
    "Disease",
    "MarkerConstraint",
    "Origin",
    "Sex",
    "Specimen",
    "StageAxis",
    "StageRule",
    "Variant",
    "assays_for",
    "broken_constraints",
    "categories_meant",
    "find_breaches",
    "list_combinations",
    "load_assays",
    "load_biomarkers",
    "load_diseases",
    "load_genes",
    "load_marker_constraints",
    "load_stage_tables",
    "load_variants",
    "stage_covers",
    "stage_group",
    "stage_groups_possible",
    "stages_fit",
]
