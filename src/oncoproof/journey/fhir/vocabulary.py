"""Vocabulary: which public code stands for which word of a journey, for emission and reading alike.

Rules this module guarantees:

- Each table is told once and turned round for reading, so both directions agree.
- Displays are given where a person would want them; they take no part in reading.

    >>> PRESENCE_BY_CODE[PRESENCE[Presence.ABSENT]]
    <Presence.ABSENT: 'absent'>
"""

from oncoproof.journey.contents import (
    Intent,
    OutcomeType,
    Read,
    Scale,
    Severity,
    StageBasis,
    Status,
)
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.omics import MsiClass, Origin, Pdl1Score, Presence

PRESENCE = {
    Presence.PRESENT: "LA9633-4",
    Presence.ABSENT: "LA9634-2",
    Presence.NO_CALL: "LA18198-4",
    Presence.INDETERMINATE: "LA11884-6",
}
"""LOINC answers to whether a variant is there."""
PRESENCE_BY_CODE = {code: presence for presence, code in PRESENCE.items()}
"""The same for reading."""

ORIGIN = {Origin.GERMLINE: "LA6683-2", Origin.SOMATIC: "LA6684-0"}
"""LOINC answers to the genomic source class."""
ORIGIN_BY_CODE = {
    **{code: origin for origin, code in ORIGIN.items()},
    "LA18194-3": Origin.GERMLINE,
    "LA18195-0": Origin.SOMATIC,
}
"""The same for reading, with the likely ones."""

MSI = {MsiClass.HIGH: "LA26203-2", MsiClass.LOW: "LA26202-4", MsiClass.STABLE: "LA14122-8"}
"""LOINC answers to microsatellite instability."""
MSI_BY_CODE = {code: status for status, code in MSI.items()}
"""The same for reading."""

RECEPTORS = {"ESR1": "16112-5", "PGR": "16113-3", "ERBB2": "48676-1"}
"""LOINC codes of receptor tests in tissue, by gene."""
RECEPTOR_BY_CODE = {
    **{code: gene for gene, code in RECEPTORS.items()},
    "85337-4": "ESR1",
    "85339-0": "PGR",
    "85319-2": "ERBB2",
    "85318-4": "ERBB2",
    "14228-1": "ESR1",
    "14230-7": "PGR",
}
"""The same for reading, with the codes of single methods."""

LEVELS = {"positive": ("10828004", "Positive"), "negative": ("260385009", "Negative")}
"""SNOMED CT codes of a stain, by level."""
LEVEL_BY_CODE = {code: level for level, (code, _) in LEVELS.items()}
"""The same for reading."""

PDL1_TPS = "83053-9"
"""LOINC: share of viable tumour cells that stain for PD-L1."""
PDL1_SCORES = {
    Pdl1Score.TPS: "tumour proportion score",
    Pdl1Score.CPS: "combined positive score",
    Pdl1Score.IC: "immune cell score",
}
"""PD-L1 scores in words."""

TUMOUR_MARKERS = names_in(
    "2857-1 2039-6 10334-1 6875-9 24108-3 1834-1 83053-9 16112-5 16113-3 48676-1 85319-2 85318-4 85337-4 "
    "85339-0 39004-7"
)
"""LOINC codes of tumour markers that journeys know: PSA, CEA, CA 125, CA 15-3, CA 19-9, AFP, stains."""

STAGE_CODE = {
    StageBasis.CLINICAL: ("399537006", "Clinical TNM stage grouping"),
    StageBasis.PATHOLOGICAL: ("399588009", "Pathologic TNM stage grouping"),
}
"""SNOMED CT codes of a stage group, by what it rests on."""
TNM_CODE = {
    StageBasis.CLINICAL: {
        "t": ("399504009", "cT category"),
        "n": ("399534004", "cN category"),
        "m": ("399387003", "cM category"),
    },
    StageBasis.PATHOLOGICAL: {
        "t": ("384625004", "pT category"),
        "n": ("371494008", "pN category"),
        "m": ("371497001", "pM category"),
    },
}
"""SNOMED CT codes of the categories, by what they rest on."""
TNM_PROFILE = {
    "t": "mcode/mcode-tnm-primary-tumor-category",
    "n": "mcode/mcode-tnm-regional-nodes-category",
    "m": "mcode/mcode-tnm-distant-metastases-category",
}
"""Profiles of the categories."""
BASIS_PREFIX = {StageBasis.CLINICAL: "c", StageBasis.PATHOLOGICAL: "p"}
"""Letter before a category, by what it rests on."""
STAGE_PART = {
    **{code: ("group", basis) for basis, (code, _) in STAGE_CODE.items()},
    **{code: (part, basis) for basis, parts in TNM_CODE.items() for part, (code, _) in parts.items()},
    "399390009": ("group", StageBasis.CLINICAL),
    "78873005": ("t", StageBasis.CLINICAL),
    "277206009": ("n", StageBasis.CLINICAL),
    "277208005": ("m", StageBasis.CLINICAL),
    "21908-9": ("group", StageBasis.CLINICAL),
    "21905-5": ("t", StageBasis.CLINICAL),
    "21906-3": ("n", StageBasis.CLINICAL),
    "21907-1": ("m", StageBasis.CLINICAL),
    "21902-2": ("group", StageBasis.PATHOLOGICAL),
    "21899-0": ("t", StageBasis.PATHOLOGICAL),
    "21900-6": ("n", StageBasis.PATHOLOGICAL),
    "21901-4": ("m", StageBasis.PATHOLOGICAL),
}
"""Which part of a stage an observation states, by its code: SNOMED CT, and LOINC as mCODE STU1 used it."""

SCALES = {
    Scale.ECOG: ("mcode/mcode-ecog-performance-status", "89247-1", "ECOG performance status"),
    Scale.KARNOFSKY: ("mcode/mcode-karnofsky-performance-status", "89243-0", "Karnofsky performance status"),
}
"""Profile, LOINC code and words of each scale of performance."""
SCALE_BY_CODE = {code: scale for scale, (_, code, _) in SCALES.items()}
"""The same for reading."""
SCORE_ANSWERS = {
    Scale.ECOG: {
        0: "LA9622-7",
        1: "LA9623-5",
        2: "LA9624-3",
        3: "LA9625-0",
        4: "LA9626-8",
        5: "LA9627-6",
    },
    Scale.KARNOFSKY: {
        100: "LA29175-9",
        90: "LA29176-7",
        80: "LA29177-5",
        70: "LA29178-3",
        60: "LA29179-1",
        50: "LA29180-9",
        40: "LA29181-7",
        30: "LA29182-5",
        20: "LA29183-3",
        10: "LA29184-1",
        0: "LA9627-6",
    },
}
"""LOINC answers that say what a score means, by scale and score."""

INTENTS = {
    Intent.CURATIVE: ("373808002", "Curative - procedure intent"),
    Intent.PALLIATIVE: ("363676003", "Palliative - procedure intent"),
}
"""SNOMED CT codes of what a treatment is for."""
INTENT_BY_CODE = {code: intent for intent, (code, _) in INTENTS.items()}
"""The same for reading."""

TERMINATIONS = {
    "progression": ("266721009", "No response to treatment"),
    "toxicity": ("407563006", "Treatment not tolerated"),
    "choice": ("105480006", "Refusal of treatment by patient"),
    "death": ("419620001", "Death"),
}
"""SNOMED CT codes of why a treatment ended, by the words of journeys; other words have no code."""
TERMINATION_BY_CODE = {code: reason for reason, (code, _) in TERMINATIONS.items()}
"""The same for reading."""

ROUTES = {
    "oral": ("26643006", "Oral route"),
    "intravenous": ("47625008", "Intravenous route"),
    "subcutaneous": ("34206005", "Subcutaneous route"),
    "intramuscular": ("78421000", "Intramuscular route"),
}
"""SNOMED CT codes of routes of administration."""
ROUTE_BY_CODE = {code: route for route, (code, _) in ROUTES.items()}
"""The same for reading."""

CARE_PLAN_STATUS = {
    Status.PLANNED: "draft",
    Status.ACTIVE: "active",
    Status.HELD: "on-hold",
    Status.COMPLETED: "completed",
    Status.STOPPED: "revoked",
}
"""Status of a care plan by the status of a treatment."""
REQUEST_STATUS = {
    Status.PLANNED: "draft",
    Status.ACTIVE: "active",
    Status.HELD: "on-hold",
    Status.COMPLETED: "completed",
    Status.STOPPED: "stopped",
}
"""Status of a request for a medicine."""
ADMINISTRATION_STATUS = {
    Status.ACTIVE: "in-progress",
    Status.HELD: "on-hold",
    Status.COMPLETED: "completed",
    Status.STOPPED: "stopped",
}
"""Status of giving a medicine."""
PROCEDURE_STATUS = {
    Status.PLANNED: "preparation",
    Status.ACTIVE: "in-progress",
    Status.HELD: "on-hold",
    Status.COMPLETED: "completed",
    Status.STOPPED: "stopped",
}
"""Status of a procedure."""
STATUS_BY_CODE = {
    "draft": Status.PLANNED,
    "intended": Status.PLANNED,
    "preparation": Status.PLANNED,
    "active": Status.ACTIVE,
    "in-progress": Status.ACTIVE,
    "unknown": Status.ACTIVE,
    "on-hold": Status.HELD,
    "completed": Status.COMPLETED,
    "stopped": Status.STOPPED,
    "revoked": Status.STOPPED,
}
"""Status of a treatment by that of a care plan, request, statement, administration or procedure."""

SEVERITIES = {
    Severity.MILD: ("255604002", "Mild"),
    Severity.MODERATE: ("6736007", "Moderate"),
    Severity.SEVERE: ("24484000", "Severe"),
}
"""SNOMED CT codes of how bad a symptom is."""
SEVERITY_BY_CODE = {code: severity for severity, (code, _) in SEVERITIES.items()}
"""The same for reading."""

GRADES = {1: "C41338", 2: "C41339", 3: "C41340", 4: "C41337", 5: "C48275"}
"""NCI Thesaurus codes of CTCAE grades."""
RESOLUTIONS = {
    "resolved": "resolved",
    "recovering": "recovering",
    "not_resolved": "ongoing",
    "fatal": "fatal",
}
"""FHIR codes of how harm ended, by the words of journeys."""
RESOLUTION_BY_CODE = {
    **{code: words for words, code in RESOLUTIONS.items()},
    "resolvedWithSequelae": "resolved",
}
"""The same for reading."""

TRENDS = {
    "improved": ("268910001", "Patient's condition improved"),
    "stable": ("359746009", "Patient's condition stable"),
    "worsened": ("271299001", "Patient's condition worsened"),
    "undetermined": ("709137006", "Patient condition undetermined"),
}
"""SNOMED CT codes of how a cancer is doing."""
TREND_OF_READ = {
    Read.CR: "improved",
    Read.PR: "improved",
    Read.SD: "stable",
    Read.PD: "worsened",
    Read.NE: "undetermined",
}
"""How a cancer is doing, by RECIST reading."""
OUTCOME_BY_TREND = {
    "268910001": (OutcomeType.RESPONSE, None),
    "359746009": (OutcomeType.RESPONSE, None),
    "271299001": (OutcomeType.PROGRESSION, None),
    "709137006": (OutcomeType.RESPONSE, Read.NE),
    "260415000": (OutcomeType.REMISSION, None),
    "281900007": (OutcomeType.REMISSION, None),
    "550991000124107": (OutcomeType.REMISSION, None),
    "551001000124108": (OutcomeType.RESPONSE, None),
}
"""Outcome by the SNOMED CT code of a disease status; the code itself stays with the event."""

ORGANS = {
    "lung": "39607008",
    "liver": "10200004",
    "brain": "12738006",
    "node": "59441001",
    "bone": "272673000",
    "adrenal": "23451007",
    "breast": "76752008",
    "colon": "71854001",
    "ovary": "15497006",
    "prostate": "41216001",
    "skin": "39937001",
    "pleura": "3120008",
    "peritoneum": "15425007",
    "kidney": "64033007",
    "spleen": "78961009",
}
"""SNOMED CT codes of organs, by slug."""

RACES = {
    "white": "2106-3",
    "black": "2054-5",
    "black or african american": "2054-5",
    "asian": "2028-9",
    "american indian or alaska native": "1002-5",
    "native american": "1002-5",
    "native hawaiian or other pacific islander": "2076-8",
    "pacific islander": "2076-8",
}
"""Census codes of race, by the words of a record in small letters."""
ETHNICITIES = {
    "hispanic": "2135-2",
    "hispanic or latino": "2135-2",
    "latino": "2135-2",
    "not hispanic": "2186-5",
    "non_hispanic": "2186-5",
    "not hispanic or latino": "2186-5",
}
"""Census codes of ethnicity, by the words of a record in small letters."""
