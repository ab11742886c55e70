"""Survival links: every hazard ratio of the table, sound and asymmetric the right way."""

import pytest

from figures import require_share, require_sound, require_stated_range
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.courses.survival_links import links_of, load_survival_links, load_survival_milestones
from oncoproof.knowledge.populations.metastases import load_metastatic_sites

MODEL = "msk_chord_stage_iv"
DISEASES = ("nsclc", "crc", "breast", "prostate")
TABLE = {
    "age": ("1.20 1.15 1.25", "1.09 1.04 1.14", "1.01 0.94 1.09", "1.21 1.10 1.33"),
    "male": ("1.25 1.15 1.36", "0.96 0.87 1.07", "", ""),
    "liver": ("1.41 1.28 1.56", "1.12 0.98 1.28", "1.87 1.55 2.26", "2.29 1.81 2.91"),
    "bone": ("1.45 1.33 1.59", "1.55 1.29 1.87", "1.46 1.18 1.82", "2.58 2.01 3.32"),
    "brain": ("1.14 1.04 1.24", "1.53 1.15 2.03", "1.28 1.03 1.60", "2.08 1.66 2.59"),
    "adrenal": ("1.37 1.23 1.53", "1.88 1.44 2.45", "1.24 0.82 1.82", "1.41 0.82 2.44"),
    "pleura": ("1.17 1.06 1.28", "1.88 1.33 2.66", "1.74 1.32 2.30", "2.50 1.59 3.92"),
    "lung": ("0.73 0.64 0.84", "1.38 1.23 1.54", "1.08 0.88 1.33", "1.00 0.81 1.24"),
    "TP53": ("1.13 1.04 1.23", "1.06 0.93 1.21", "1.87 1.54 2.27", "1.82 1.52 2.17"),
    "KRAS": ("1.16 1.05 1.28", "1.23 1.09 1.39", "", ""),
    "EGFR": ("0.77 0.69 0.85", "", "", ""),
    "BRAF": ("1.03 0.83 1.28", "2.00 1.66 2.41", "", ""),
    "PIK3CA": ("1.35 1.14 1.60", "0.84 0.72 0.97", "1.07 0.89 1.29", "1.43 0.95 2.16"),
    "smoking": ("0.99", "", "", ""),
    "MSI": ("", "0.45 0.32 0.65", "", ""),
    "ascending_colon": ("", "1.23 1.04 1.46", "", ""),
    "HR": ("", "", "0.78 0.64 0.96", ""),
    "HER2": ("", "", "0.37 0.29 0.47", ""),
    "histology": ("", "", "", "5.15 2.98 8.91"),
}


def test_every_cell_of_the_table_and_no_other() -> None:
    expected = {
        (disease, covariate): [float(number) for number in cell.split()]
        for covariate, cells in TABLE.items()
        for disease, cell in zip(DISEASES, cells, strict=True)
        if cell
    }
    found = {
        (link.disease, link.covariate): [
            number
            for number in (link.hazard_ratio.value, link.hazard_ratio.low, link.hazard_ratio.high)
            if number is not None
        ]
        for link in load_survival_links()
        if link.model == MODEL
    }
    assert found == expected


def test_links_are_sound() -> None:
    sites = {site for _, site in load_metastatic_sites()}
    plain = {"age", "male", "smoking", "ascending_colon", "histology", "albumin", "ldh", "ECOG"}
    plain |= {"neutrophil_lymphocyte_ratio", "prior_systemic_therapy", "time_to_progression"}
    plain |= {"tumour_fraction", "corticosteroid", "oak_arm_predicted", "oak_arm_observed"}
    for link in load_survival_links():
        require_sound(link.hazard_ratio)
        assert link.hazard_ratio.value > 0
        assert link.endpoint in {"os", "pfs", "pps"}
        assert link.covariate in {*load_biomarkers(), *sites, *plain}
        assert link.disease == "any" or link.disease in load_diseases()
        assert link.contrast.startswith("per ") or " v " in link.contrast
        if link.model == "literature":
            require_stated_range(link.hazard_ratio)


@pytest.mark.parametrize(
    ("disease", "covariate", "model", "value"),
    [
        ("nsclc", "albumin", "loris_ici", 0.43),
        ("nsclc", "neutrophil_lymphocyte_ratio", "loris_ici", 1.35),
        ("nsclc", "TMB", "loris_ici", 0.92),
        ("nsclc", "prior_systemic_therapy", "loris_ici", 1.37),
        ("nsclc", "age", "loris_ici", 1.11),
        ("nsclc", "time_to_progression", "braf_v600e", 0.68),
        ("breast", "FGFR1", "paloma_3_plasma", 2.91),
        ("nsclc", "corticosteroid", "ici_start", 1.66),
        ("nsclc", "PDL1_TPS", "pd1_monotherapy", 0.65),
    ],
)
def test_other_figures_of_the_sheet(disease: str, covariate: str, model: str, value: float) -> None:
    found = [link.hazard_ratio.value for link in links_of(disease, covariate) if link.model == model]
    assert found == [pytest.approx(value)]


def test_links_of_all_diseases_answer_for_each() -> None:
    assert {link.contrast for link in links_of("prostate", "ECOG")} == {"1 v 0", "2 or more v 0 to 1"}


def test_milestones_are_sound_and_hold_the_crossovers() -> None:
    crossover: dict[str, float] = {}
    for milestone in load_survival_milestones():
        require_sound(milestone.figure)
        require_stated_range(milestone.figure)
        if milestone.quantity == "crossover_share":
            require_share(milestone.figure)
            crossover[milestone.note.partition(",")[0].rstrip(".")] = milestone.figure.value
    assert crossover == {
        "PROFILE 1014": 0.84,
        "AURA3": 0.73,
        "KEYNOTE-177": 0.62,
        "PROfound": 0.66,
        "TRITON3": 0.74,
        "IPASS": 0.64,
        "EMILIA": 0.27,
        "SOLO-1": 0.44,
    }
