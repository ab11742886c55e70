"""Why the guideline's best does not win in the simulator, for the rows where it does not."""

NOTES: dict[str, str] = {
    "nsclc_egfr_t790m": (
        "No trial: amivantamab with lazertinib was not tested against osimertinib for T790M. The "
        "model joins their effects."
    ),
    "nsclc_alk_after_crizotinib": (
        "The literature does not decide: lorlatinib works after crizotinib too, and was not "
        "compared with alectinib there. The model has only first-line figures of it."
    ),
    "nsclc_no_ici_yet": (
        "The literature disagrees: combinations with immunotherapy did better than immunotherapy "
        "alone after platinum in small trials, and guidelines do not list them. The model gives a "
        "platinum that failed too much."
    ),
    "crc_braf_first": (
        "The numbers are wrong: no trial of the table gives encorafenib with chemotherapy first, "
        "and what was fitted after chemotherapy carries over too little."
    ),
    "crc_braf_later": ("The literature disagrees little: adding binimetinib raised response, not survival."),
    "breast_hr_after_cdk46_esr1": (
        "The numbers are wrong: sacituzumab govitecan was fitted on triple-negative disease alone; "
        "and time lived does not count what chemotherapy costs in quality."
    ),
    "breast_hr_after_cdk46_neither": ("The guideline prefers nothing for most of them that the model knows."),
    "breast_tnbc_pdl1_first": (
        "Newer trials agree in direction (sacituzumab govitecan with pembrolizumab first); the size "
        "is wrong: it comes from third-line figures."
    ),
    "breast_tnbc_first": ("As above: the drug alone."),
    "nsclc_egfr_after_tki": (
        "No trial orders these: amivantamab with chemotherapy and amivantamab with lazertinib both "
        "worked after osimertinib; the model gives lazertinib a rest of its effect."
    ),
    "crc_first": (
        "The literature agrees in part: the triplet lived longer than a doublet in TRIBE2, at the "
        "price of toxicity, which time lived does not count."
    ),
    "crc_second_after_oxaliplatin": (
        "The numbers are wrong: trifluridine/tipiracil with bevacizumab was fitted on refractory "
        "disease, where the published ratio is large."
    ),
    "breast_her2_first": (
        "Newer trials agree in direction: trastuzumab deruxtecan with pertuzumab delayed "
        "progression against the taxane regimen; survival is not known."
    ),
    "prostate_after_hormone": (
        "The guideline prefers nothing for most of them that the model knows: radium-223 is not in it."
    ),
}
"""By the id of the patients: whether the numbers are wrong or the literature disagrees."""
