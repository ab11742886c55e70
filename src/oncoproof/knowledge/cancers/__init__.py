"""What a cancer is: diseases, stages, genes, variants, biomarkers, and the assays that find them."""

from oncoproof.knowledge.cancers.assays import (
    Accuracy,
    AccuracyQuantity,
    AccuracyRow,
    Assay,
    AssayRow,
    Specimen,
    assays_for,
    load_assays,
)
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, Origin, load_biomarkers
from oncoproof.knowledge.cancers.diseases import Disease, Histology, Sex, load_diseases
from oncoproof.knowledge.cancers.genes import Gene, load_genes
from oncoproof.knowledge.cancers.marker_constraints import (
    MarkerConstraint,
    broken_constraints,
    find_breaches,
    load_marker_constraints,
)
from oncoproof.knowledge.cancers.stages import (
    AXES,
    PossibleStages,
    StageAxis,
    StageRule,
    StageTable,
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
    "Accuracy",
    "AccuracyQuantity",
    "AccuracyRow",
    "Assay",
    "AssayRow",
    "Biomarker",
    "BiomarkerKind",
    "Disease",
    "Gene",
    "Histology",
    "MarkerConstraint",
    "Origin",
    "PossibleStages",
    "Sex",
    "Specimen",
    "StageAxis",
    "StageRule",
    "StageTable",
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
