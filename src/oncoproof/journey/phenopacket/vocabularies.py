"""Vocabularies: which ontology class stands for which word of a journey, both ways.

Rules this module guarantees:

- Each word of a closed vocabulary has one class, and each class one word; classes that other systems
  use for the same thing are understood beside it.
- A word outside an open vocabulary is kept: it becomes the label of a class that says "words".

    >>> RECIST.term("pd")
    {'id': 'NCIT:C35571', 'label': 'Progressive Disease'}
    >>> RECIST.word({"id": "NCIT:C35571", "label": "whatever"})
    'pd'
"""

from typing import Final
from urllib.parse import quote, unquote

from oncoproof.journey.phenopacket.curies import NOT_STATED, OWN, Term

TEXT: Final = f"{OWN}:text"
"""Id of the class whose label is free words."""

NOT_OBTAINED: Final[Term] = {"id": f"{OWN}:not-obtained", "label": "asked for and not obtained"}
"""Result of a measurement that failed."""

EMPTY_TEXT: Final[Term] = {"id": f"{OWN}:empty-text", "label": "empty text"}
"""Result of a measurement that is a text without words."""


def own(name: str, label: str, *parts: str) -> Term:
    """A class of this project; parts that vary are spelled into its id."""
    return {"id": ":".join((OWN, ".".join((name, *map(spell, parts))))), "label": label}


def spell(part: str) -> str:
    """A part of an own id: nothing in it can be mistaken for a separator."""
    return quote(part, safe="").replace(".", "%2E")


def parts_of(curie: str) -> list[str]:
    """The name and the parts of an own id; empty = another terminology's."""
    prefix, local = curie.split(":", 1)
    return [unquote(part) for part in local.split(".")] if prefix == OWN else []


def text_term(words: str) -> Term:
    """A class for free words; without words it says that nothing was stated."""
    return {"id": TEXT, "label": words} if words else NOT_STATED


def text_of(term: Term) -> str:
    """The words of a class; none where it says that nothing was stated."""
    return "" if term["id"] == NOT_STATED["id"] else term["label"]


class Vocabulary:
    """Words of a journey and the ontology classes that stand for them."""

    def __init__(self, terms: dict[str, tuple[str, str]], aliases: dict[str, str] | None = None) -> None:
        """A vocabulary.

        Args:
            terms: By word, the CURIE and label of its class.
            aliases: By CURIE of another class that means a word, the word.
        """
        self._terms: dict[str, Term] = {
            word: {"id": each[0], "label": each[1]} for word, each in terms.items()
        }
        self._words = {each[0]: word for word, each in terms.items()} | (aliases or {})

    def term(self, word: str) -> Term:
        """The class of a word; free words outside the vocabulary."""
        return self._terms.get(word) or text_term(word)

    def word(self, term: Term) -> str | None:
        """The word of a class; None = it is none of this vocabulary's."""
        return self._words.get(term["id"])

    def word_or_label(self, term: Term) -> str:
        """The word of a class, or what the class is called."""
        word = self._words.get(term["id"])
        return text_of(term) if word is None else word

    def is_own(self, term: Term) -> bool:
        """Whether a class is one that `term` gives, free words included."""
        return term["id"] in self._words or term["id"] == TEXT

    def __contains__(self, term: Term) -> bool:
        return term["id"] in self._words


def _own_words(prefix: str, *words: str) -> dict[str, tuple[str, str]]:
    return {word: (f"{OWN}:{prefix}.{spell(word)}", word.replace("_", " ")) for word in words}


SYMPTOM_SEVERITIES: Final = Vocabulary(
    {
        "mild": ("HP:0012825", "Mild"),
        "moderate": ("HP:0012826", "Moderate"),
        "severe": ("HP:0012828", "Severe"),
    },
)
"""Severity of a symptom."""

GRADES: Final = Vocabulary(
    {
        "1": ("NCIT:C41338", "Mild Adverse Event"),
        "2": ("NCIT:C41339", "Moderate Adverse Event"),
        "3": ("NCIT:C41340", "Severe Adverse Event"),
        "4": ("NCIT:C41337", "Life Threatening or Disabling Adverse Event"),
        "5": ("NCIT:C48275", "Death Related to Adverse Event"),
    },
)
"""CTCAE grade of an adverse event."""

SERIOUS: Final[Term] = {"id": "NCIT:C41335", "label": "Serious Adverse Event"}
"""Modifier of a serious adverse event."""

RESOLUTIONS: Final = Vocabulary(_own_words("resolution", "resolved", "recovering", "not_resolved", "fatal"))
"""What became of an adverse event."""

RECIST: Final = Vocabulary(
    {
        "cr": ("NCIT:C4870", "Complete Remission"),
        "pr": ("NCIT:C18058", "Partial Remission"),
        "sd": ("NCIT:C18213", "Stable Disease"),
        "pd": ("NCIT:C35571", "Progressive Disease"),
        "ne": ("NCIT:C62222", "Not Evaluable"),
    },
    {
        "NCIT:C142357": "cr",
        "NCIT:C142358": "pr",
        "NCIT:C142359": "sd",
        "NCIT:C142356": "pd",
        "NCIT:C102560": "ne",
    },
)
"""RECIST categories; those of iRECIST are understood."""

ROLES: Final = Vocabulary(
    {
        "primary": ("NCIT:C84509", "Primary Malignant Neoplasm"),
        "secondary": ("NCIT:C3261", "Metastatic Neoplasm"),
        "comorbidity": (f"{OWN}:comorbidity", "comorbidity"),
    },
    {"NCIT:C95606": "primary", "NCIT:C8509": "primary"},
)
"""What a diagnosis is to the journey."""

INTENTS: Final = Vocabulary(
    {
        "curative": ("SNOMED:373808002", "Curative - procedure intent"),
        "palliative": ("SNOMED:363676003", "Palliative - procedure intent"),
        "supportive": ("SNOMED:399707004", "Supportive - procedure intent"),
    },
    {"SCTID:373808002": "curative", "SCTID:363676003": "palliative", "SCTID:399707004": "supportive"},
)
"""What a treatment is for."""

ROUTES: Final = Vocabulary(
    {
        "oral": ("NCIT:C38288", "Oral Route of Administration"),
        "intravenous": ("NCIT:C38276", "Intravenous Route of Administration"),
        "subcutaneous": ("NCIT:C38299", "Subcutaneous Route of Administration"),
        "intramuscular": ("NCIT:C28161", "Intramuscular Route of Administration"),
    },
)
"""Ways of giving a drug."""

REASONS_ENDED: Final = Vocabulary(
    {
        "progression": ("NCIT:C35571", "Progressive Disease"),
        **_own_words("reason-ended", "toxicity", "choice", "death"),
    },
)
"""Why a treatment ended or was held."""

CAUSES_OF_DEATH: Final = Vocabulary(
    {
        "toxicity": ("NCIT:C48275", "Death Related to Adverse Event"),
        **_own_words("cause-of-death", "cancer", "other"),
    },
)
"""Why a patient died."""

OUTCOMES: Final = Vocabulary(
    _own_words("outcome", "response", "progression", "remission", "death", "lost", "horizon")
)
"""Outcomes, as what was assessed."""

COPY_CHANGES: Final = Vocabulary(
    {
        "amplification": ("EFO:0030072", "high-level copy number gain"),
        "gain": ("EFO:0030070", "copy number gain"),
        "neutral": ("EFO:0030064", "regional base ploidy"),
        "loss": ("EFO:0030067", "copy number loss"),
        "deep_deletion": ("EFO:0030069", "complete genomic deletion"),
    },
    {
        "EFO:0030071": "gain",
        "EFO:0030073": "amplification",
        "EFO:0030068": "loss",
        "SO:0001742": "gain",
        "SO:0001743": "loss",
    },
)
"""Classes of copy number."""

MSI_CLASSES: Final = Vocabulary(
    {
        "high": ("LOINC:LA26203-2", "MSI-H"),
        "low": ("LOINC:LA26202-4", "MSI-L"),
        "stable": ("LOINC:LA14122-8", "Stable"),
    },
)
"""Microsatellite status."""

HRD_CLASSES: Final = Vocabulary(_own_words("hrd", "positive", "negative"))
"""Homologous recombination status."""

PRESENT: Final = Vocabulary(_own_words("finding", "present", "absent"))
"""Whether something was there."""

NOT_PRESENT: Final = Vocabulary(
    {"absent": ("NCIT:C38757", "Negative Finding"), **_own_words("finding", "indeterminate", "no_call")}
)
"""What an assay said of a finding that it did not find."""

TUMOUR_SPECIMENS: Final = frozenset({"tissue", "biopsy", "tumour", "tumor", "ffpe", "resection"})
"""Specimens that are pieces of the tumour."""

ABNORMAL_SAMPLE: Final[Term] = {"id": "EFO:0009655", "label": "abnormal sample"}
"""Material of the tumour."""

REFERENCE_SAMPLE: Final[Term] = {"id": "EFO:0009654", "label": "reference sample"}
"""Material of the healthy body."""

FUSION: Final[Term] = {"id": "SO:0001565", "label": "gene_fusion"}
"""Structural type of a fusion."""

HUMAN: Final[Term] = {"id": "NCBITaxon:9606", "label": "Homo sapiens"}
"""Species of every patient."""

LATERALITIES: Final = frozenset({"7771000", "24028007", "51440002"})
"""SNOMED CT codes for left, right and both sides."""

UNITS: Final = {
    "NCIT:C28253": "mg",
    "NCIT:C48155": "g",
    "NCIT:C28252": "kg",
    "NCIT:C28251": "mm",
    "NCIT:C49668": "cm",
    "NCIT:C48570": "%",
}
"""UCUM codes of units that other systems write as terms of the NCI Thesaurus."""
