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
    "nsclc_g12c_later": (
        "The numbers are wrong: sotorasib's survival comes out short (8 months, published 10.6), "
        "and a second doublet is worth too much to tumours that outlived the first."
    ),
    "nsclc_non_squamous_low_first": (
        "Not compared head to head. The model lets what bevacizumab slows lengthen life directly; "
        "IMpower150 and KEYNOTE-189 do not order the two."
    ),
    "nsclc_non_squamous_first": ("As above: chemotherapy, immunotherapy and bevacizumab together."),
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
    "breast_hr_after_cdk46_pik3ca": (
        "The numbers are wrong: what a second CDK4/6 inhibitor still does is set by assumption."
    ),
    "breast_hr_after_cdk46_neither": ("As above."),
    "breast_tnbc_pdl1_first": (
        "Newer trials agree in direction (sacituzumab govitecan with pembrolizumab first); the size "
        "is wrong: it comes from third-line figures."
    ),
    "breast_tnbc_first": ("As above: the drug alone."),
    "breast_tnbc_later": ("As above."),
    "melanoma_later": ("No randomised evidence orders these after anti-PD-1."),
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
}
"""By the id of the patients: whether the numbers are wrong or the literature disagrees."""
