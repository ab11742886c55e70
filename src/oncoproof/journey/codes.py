"""Codes: what a concept is called in a public terminology, checked as far as its form allows.

Rules this module guarantees:

- A code of a system listed in `System` has that system's form: digits and check digit of SNOMED CT
  and LOINC, digits of RxNorm, the pattern of ICD-10, HGNC, ICD-O-3, ATC and HGVS. A code of another
  system is kept as it is: what a record says is never dropped because we do not know the system.
- Codes are values: equal when system and code are equal, whatever the display text.

    >>> Code.of(System.LOINC, "89247-1", "ECOG performance status")
    Code(system='http://loinc.org', code='89247-1', display='ECOG performance status')
    >>> Code.of(System.LOINC, "89247-2")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    oncoproof.errors.CodeError: LOINC: came: '89247-2'; expected: ... (here 1); try: look the code up again
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from oncoproof.errors import CodeError


class System(StrEnum):
    """Terminologies by the address that FHIR knows them by; `urn:oncoproof:` ones are this project's."""

    SNOMED = "http://snomed.info/sct"
    """SNOMED CT: clinical concepts."""
    LOINC = "http://loinc.org"
    """LOINC: what was observed, and answers to it."""
    RXNORM = "http://www.nlm.nih.gov/research/umls/rxnorm"
    """RxNorm: medicines."""
    ATC = "http://www.whocc.no/atc"
    """WHO ATC: classes of medicines."""
    ICD10 = "http://hl7.org/fhir/sid/icd-10"
    """ICD-10: diseases, international edition."""
    ICD10CM = "http://hl7.org/fhir/sid/icd-10-cm"
    """ICD-10-CM: diseases, United States edition."""
    ICDO3 = "http://terminology.hl7.org/CodeSystem/icd-o-3"
    """ICD-O-3: topography and morphology of tumours."""
    HGNC = "http://www.genenames.org/geneId"
    """HGNC: genes."""
    HGVS = "http://varnomen.hgvs.org"
    """HGVS: sequence variants, as an expression."""
    UCUM = "http://unitsofmeasure.org"
    """UCUM: units."""
    ONCOTREE = "http://oncotree.mskcc.org"
    """OncoTree: tumour types."""
    MEDDRA = "https://www.meddra.org"
    """MedDRA: terms of adverse events."""
    DISEASE = "urn:oncoproof:disease"
    """Disease slugs of the knowledge base, for instance `nsclc`."""
    BIOMARKER = "urn:oncoproof:biomarker"
    """Biomarker statements `KEY=value` of the knowledge base, for instance `EGFR=l858r`."""
    DRUG = "urn:oncoproof:drug"
    """Drug slugs of the knowledge base, for instance `osimertinib`."""
    REGIMEN = "urn:oncoproof:regimen"
    """Regimen ids of the knowledge base, for instance `fulvestrant+ribociclib`."""
    ADVERSE_EVENT = "urn:oncoproof:ctcae"
    """CTCAE terms as slugs of the knowledge base, for instance `diarrhoea`."""
    CONDITION = "urn:oncoproof:condition"
    """Other illnesses as members of the feature `conditions`, for instance `autoimmune_disease`."""
    COMEDICATION = "urn:oncoproof:comedication"
    """Other medicines as slugs of the knowledge base, for instance `omeprazole`."""
    ANALYTE = "urn:oncoproof:analyte"
    """Laboratory and vital features of the knowledge base, for instance `qtcf_ms`."""
    MECHANISM = "urn:oncoproof:mechanism"
    """Resistance mechanisms of the knowledge base, for instance `egfr_t790m`."""


@dataclass(frozen=True, slots=True)
class Code:
    """A concept in a terminology."""

    system: str
    """Address of the terminology; a member of `System` where the terminology is known here."""
    code: str
    """The code itself."""
    display: str = field(default="", compare=False)
    """Words for people; empty = none were given. Does not take part in equality."""

    @classmethod
    def of(cls, system: str, code: str, display: str = "") -> "Code":
        """A code whose form has been checked.

        Raises:
            CodeError: The code does not have the form of its system.
        """
        check_form(system, code)
        return cls(str(system), code, display)


def check_form(system: str, code: str) -> None:
    """Raise CodeError where the code cannot be one of the system; unknown systems pass."""
    form = _FORMS.get(system)
    if form is not None:
        form(code)


def _refuse(name: str, code: str, expected: str) -> None:
    raise CodeError(where=name, came=repr(code), expected=expected, remedy="look the code up again")


def _luhn_digit(body: str) -> int:
    """Check digit by modulus 10, doubling every second place from the right.

    A letter of a LOINC prefix counts by its distance from `0` in ASCII, as LOINC does for answers.
    """
    total = 0
    for place, character in enumerate(reversed(body)):
        value = ord(character) - ord("0")
        total += value if place % 2 else 2 * value - 9 * (value // 5)
    return -total % 10


_VERHOEFF_TIMES = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 2, 3, 4, 0, 6, 7, 8, 9, 5),
    (2, 3, 4, 0, 1, 7, 8, 9, 5, 6),
    (3, 4, 0, 1, 2, 8, 9, 5, 6, 7),
    (4, 0, 1, 2, 3, 9, 5, 6, 7, 8),
    (5, 9, 8, 7, 6, 0, 4, 3, 2, 1),
    (6, 5, 9, 8, 7, 1, 0, 4, 3, 2),
    (7, 6, 5, 9, 8, 2, 1, 0, 4, 3),
    (8, 7, 6, 5, 9, 3, 2, 1, 0, 4),
    (9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
)
"""Multiplication in the dihedral group of the pentagon, on which Verhoeff's check digit rests."""

_VERHOEFF_TURNS = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (1, 5, 7, 6, 2, 8, 3, 0, 9, 4),
    (5, 8, 0, 3, 7, 9, 6, 1, 4, 2),
    (8, 9, 1, 6, 0, 4, 3, 5, 2, 7),
    (9, 4, 5, 3, 1, 2, 6, 8, 7, 0),
    (4, 2, 8, 6, 5, 7, 3, 9, 0, 1),
    (2, 7, 9, 3, 8, 0, 6, 4, 1, 5),
    (7, 0, 4, 6, 9, 1, 3, 2, 5, 8),
)
"""Verhoeff's permutation of digits by place, modulo 8."""


def _has_verhoeff_digit(digits: str) -> bool:
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = _VERHOEFF_TIMES[check][_VERHOEFF_TURNS[place % 8][int(digit)]]
    return check == 0


def _check_snomed(code: str) -> None:
    if not re.fullmatch(r"[1-9]\d{5,17}", code) or not _has_verhoeff_digit(code):
        _refuse("SNOMED CT", code, "6 to 18 digits whose last is the check digit")


def _check_loinc(code: str) -> None:
    match = re.fullmatch(r"((?:L[APLG])?\d{1,8})-(\d)", code, re.ASCII)
    if match is None:
        _refuse("LOINC", code, "digits, a hyphen and a check digit")
        return
    digit = _luhn_digit(match[1])
    if int(match[2]) != digit:
        _refuse("LOINC", code, f"digits, a hyphen and a check digit that agrees (here {digit})")


def _pattern(name: str, pattern: str, expected: str) -> Callable[[str], None]:
    compiled = re.compile(pattern)

    def check(code: str) -> None:
        if compiled.fullmatch(code) is None:
            _refuse(name, code, expected)

    return check


_HGVS = (
    r"(?:[A-Z]{2,3}_?\d+(?:\.\d+)?(?:\([A-Za-z0-9-]+\))?:)?(?:"
    r"p\.\(?(?:[A-Z][a-z]{2}|[A-Z]|\*|Ter)\d+.*\)?|p\.[?=0]|[cgnm]\.[-*]?\d+.*|[cgnm]\.[?=]|\S+:[cgmnpr]\.\S+)"
)

_FORMS: dict[str, Callable[[str], None]] = {
    System.SNOMED: _check_snomed,
    System.LOINC: _check_loinc,
    System.RXNORM: _pattern("RxNorm", r"[1-9]\d{0,7}", "1 to 8 digits"),
    System.ATC: _pattern("ATC", r"[A-Z](?:\d\d(?:[A-Z](?:[A-Z](?:\d\d)?)?)?)?", "a code such as L01EB04"),
    System.ICD10: _pattern("ICD-10", r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?", "a code such as C34.9"),
    System.ICD10CM: _pattern("ICD-10-CM", r"[A-Z]\d[0-9A-Z](?:\.[0-9A-Z]{1,4})?", "a code such as C34.90"),
    System.ICDO3: _pattern(
        "ICD-O-3",
        r"C\d\d(?:\.\d)?|\d{4}/[0-9](?:\d)?",
        "a topography such as C34.1 or a morphology such as 8140/3",
    ),
    System.HGNC: _pattern("HGNC", r"HGNC:[1-9]\d{0,5}", "an id such as HGNC:3236"),
    System.HGVS: _pattern("HGVS", _HGVS, "an expression such as NP_005219.2:p.(Leu858Arg)"),
}
