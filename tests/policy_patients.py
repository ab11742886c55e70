"""Random patients of six diseases, for the tests of policies: plausible, and often only half known."""

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.seeds import Seed

Cells = NDArray[np.object_]

MARKERS = {
    "EGFR": (*["wt"] * 6, "ex19del", "l858r", "ex20ins", "uncommon"),
    "EGFR_T790M": ("positive", "negative"),
    "ALK": ("fusion", *["negative"] * 6),
    "ROS1": ("fusion", *["negative"] * 6),
    "RET": ("fusion", *["negative"] * 6),
    "MET": ("ex14", *["wt"] * 6),
    "NTRK": ("fusion", *["negative"] * 6),
    "BRAF": (*["wt"] * 5, "v600e", "other"),
    "KRAS": ("wt", "g12c", "other"),
    "MSI": ("high", "stable", "stable"),
    "HR": ("positive", "positive", "negative"),
    "MENOPAUSE": ("pre", "post"),
    "PIK3CA": ("mut", "wt"),
    "ESR1": ("mut", "wt"),
    "AKT_PATHWAY": ("altered", "unaltered"),
    "BRCA": ("wt", "wt", "germline", "somatic"),
    "HRD": ("positive", "negative"),
    "CASTRATION": ("resistant", "sensitive"),
    "TRANSFORMATION": ("none", "none", "none", "none", "small_cell"),
    "SMOKING": ("never", "light", "heavy"),
}
NORMAL = {
    "crcl_ml_min": 90, "anc": 4, "platelets": 250, "haemoglobin": 13, "bilirubin_x_uln": 0.6,
    "ast_x_uln": 0.7, "alt_x_uln": 0.7, "alp_x_uln": 0.8, "lvef_pct": 62, "qtcf_ms": 410,
    "neuropathy_grade": 0, "ild_grade": 0, "DPYD": 2,
}  # fmt: skip
CONDITIONS = (
    "organ_transplant", "autoimmune_disease", "autoimmune_life_threatening", "heart_failure_uncontrolled",
    "ild_steroid_treated", "mds_aml", "retinal_vein_occlusion", "seizure_history", "haemoptysis_recent",
    "hypersensitivity_platinum", "hypersensitivity_cremophor", "coronary_vasospasm", "active_infection",
    "checkpoint_myocarditis", "bowel_obstruction", "long_qt_syndrome", "av_block_high_grade", "fistula",
)  # fmt: skip
PRIOR_DRUGS = {
    "nsclc": ("osimertinib", "gefitinib", "crizotinib", "alectinib", "lorlatinib", "carboplatin",
              "pemetrexed", "pembrolizumab", "docetaxel", "selpercatinib", "sotorasib", "capmatinib"),
    "crc": ("fluorouracil", "oxaliplatin", "irinotecan", "bevacizumab", "cetuximab", "encorafenib",
            "pembrolizumab", "trifluridine", "regorafenib"),
    "breast": ("letrozole", "fulvestrant", "ribociclib", "paclitaxel", "capecitabine", "trastuzumab",
               "trastuzumab_deruxtecan", "olaparib", "doxorubicin", "sacituzumab_govitecan"),
    "melanoma": ("nivolumab", "ipilimumab", "dabrafenib", "trametinib", "relatlimab"),
    "ovarian": ("carboplatin", "paclitaxel", "bevacizumab", "olaparib", "mirvetuximab_soravtansine"),
    "prostate": ("abiraterone", "enzalutamide", "docetaxel", "cabazitaxel", "olaparib", "lutetium_psma"),
}  # fmt: skip
NUMBERS = {
    "crcl_ml_min": (20, 120), "anc": (0.5, 8), "platelets": (40, 350), "haemoglobin": (8, 15),
    "bilirubin_x_uln": (0.3, 4), "ast_x_uln": (0.3, 8), "alt_x_uln": (0.3, 8), "alp_x_uln": (0.5, 4),
    "lvef_pct": (35, 70), "qtcf_ms": (380, 520), "neuropathy_grade": (0, 3.4), "ild_grade": (0, 2.4),
    "days_since_platinum": (10, 900), "days_since_pd1": (5, 400), "PDL1_TPS": (0, 100),
    "PDL1_CPS": (0, 40), "DPYD": (0, 2), "PRIOR_CHEMO_LINES": (0, 4),
}  # fmt: skip


def random_patients(disease: str, *, rows: int, unknown: float, ill: float, root: int = 7) -> Subjects:
    """Patients of one disease.

    Args:
        disease: Disease slug.
        rows: How many.
        unknown: Share of cells that are not known.
        ill: Share of patients with organ trouble and other illnesses.
        root: Seed.
    """
    draw = Seed(root).child("policies", disease, rows).generator()
    settings = _settings(disease, rows, draw)
    lines = np.where(settings == "advanced", draw.integers(1, 5, rows), 0).astype(float)
    given = np.where(lines > 0, lines - 1, draw.integers(1, 3, rows))
    columns: dict[str, object] = {
        "disease": [disease] * rows,
        "line": lines,
        "lines_given": given,
        "ecog": draw.choice([0, 1, 1, 2, 3, 4], rows).astype(float),
        "setting": settings,
    }
    hidden: dict[str, Cells] = {
        name: draw.choice(values, rows).astype(object) for name, values in MARKERS.items()
    }
    hidden["RAS"] = np.where(hidden["KRAS"] == "wt", draw.choice(["wt", "wt", "mut"], rows), "mut").astype(
        object
    )
    hidden["histology"] = draw.choice(list(load_diseases()[disease].histologies), rows).astype(object)
    hidden["primary_side"] = draw.choice(["left", "right", "rectal"], rows).astype(object)
    hidden["HER2"] = draw.choice(_her2(disease), rows).astype(object)
    hidden["HRR"] = np.where(
        np.isin(hidden["BRCA"].astype(str), ["wt"]), draw.choice(["wt", "atm"], rows), "brca"
    )
    for name, cells in hidden.items():
        kept = cells.astype(object)
        kept[draw.random(rows) < unknown] = None
        columns[name] = kept
    columns.update(_health(rows, unknown, ill, draw))
    columns["prior_drugs"] = _histories(disease, given, unknown, draw)
    return Subjects.of_columns(columns, rows=rows)


def _histories(
    disease: str, given: NDArray[np.float64], unknown: float, draw: np.random.Generator
) -> list[tuple[str, ...] | None]:
    """What was given before; nothing in the first line, and sometimes nobody knows."""
    members = PRIOR_DRUGS[disease]
    chosen = draw.random((len(given), len(members))) < 0.35
    lost = draw.random(len(given)) < unknown / 3
    return [
        None if lost[row] else tuple(np.array(members)[chosen[row]]) if given[row] else ()
        for row in range(len(given))
    ]


def _settings(disease: str, rows: int, draw: np.random.Generator) -> Cells:
    offered = {"nsclc": ["advanced", "advanced", "maintenance", "unresectable_stage3_consolidation"]}
    usual = ["advanced", "advanced", "maintenance"]
    if disease in {"melanoma", "prostate"}:
        usual = ["advanced"]
    return draw.choice(offered.get(disease, usual), rows).astype(object)


def _her2(disease: str) -> list[str]:
    return ["mut", "wt", "wt"] if disease == "nsclc" else ["positive", "low", "ultralow", "zero"]


def _health(rows: int, unknown: float, ill: float, draw: np.random.Generator) -> dict[str, object]:
    columns: dict[str, object] = {}
    sick = draw.random(rows) < ill
    for name, (low, high) in NUMBERS.items():
        values = draw.uniform(low, high, rows)
        values = np.where(sick, values, NORMAL.get(name, values))
        values = np.floor(values) if name.endswith("grade") or name == "PRIOR_CHEMO_LINES" else values
        columns[name] = np.where(draw.random(rows) < unknown, np.nan, values)
    columns["conditions"] = _subsets(CONDITIONS, sick, draw, share=0.05)
    return columns


def _subsets(
    members: tuple[str, ...], rows: NDArray[np.bool_], draw: np.random.Generator, share: float = 0.35
) -> dict[str, NDArray[np.bool_]]:
    return {member: rows & (draw.random(len(rows)) < share) for member in members}
