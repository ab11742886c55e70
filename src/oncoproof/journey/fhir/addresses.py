"""Addresses: the profiles, extensions and code systems that emission and reading speak of.

Rules this module guarantees:

- Each address stands here once. Guides are those that mCODE 4.0.0 (STU4) depends on: FHIR 4.0.1, US
  Core 6.1.0, Genomics Reporting 2.0.0.
- What only this project says stands under `urn:oncoproof:`, as extensions and as further codings.

    >>> profile("mcode/mcode-tumor")
    'http://hl7.org/fhir/us/mcode/StructureDefinition/mcode-tumor'
"""

GUIDES = {
    "mcode": "http://hl7.org/fhir/us/mcode/StructureDefinition/",
    "us-core": "http://hl7.org/fhir/us/core/StructureDefinition/",
    "gr": "http://hl7.org/fhir/uv/genomics-reporting/StructureDefinition/",
    "fhir": "http://hl7.org/fhir/StructureDefinition/",
    "ae": "http://hl7.org/fhir/uv/ae-research-backport-ig/StructureDefinition/",
}
"""Where the profiles and extensions of each guide live, by a short name of the guide."""


def profile(name: str) -> str:
    """The address of a profile or extension written as `guide/id`."""
    guide, _, identity = name.partition("/")
    return GUIDES[guide] + identity


EVENT = "urn:oncoproof:event"
"""Extension: the kind of the event that a resource stands for; it marks what this project wrote."""
DETAIL = "urn:oncoproof:detail"
"""Extension: what FHIR has no element for in an event; source and day of recording where unusual."""
LINK = "urn:oncoproof:link"
"""Extension: a causal link that ends in the resource that carries it."""
RECORD = "urn:oncoproof:record"
"""Extension of the patient: the date of day 0 and the last day told of."""
SOCIAL = "urn:oncoproof:social"
"""Extension of the patient: social attributes that US Core has no place for."""
CODE = "urn:oncoproof:code"
"""Extension of a coding: system and code of a code that has not the form of one."""
OPTION = "urn:oncoproof:option"
"""Extension of a decision: an option that was considered."""

ABSENT = profile("fhir/data-absent-reason")
"""Extension: why a required element has no value."""
HISTOLOGY = profile("mcode/mcode-histology-morphology-behavior")
"""Extension of a cancer condition: its morphology."""
INTENT = profile("mcode/mcode-procedure-intent")
"""Extension of a treatment: what it is for."""
INTENT_STU1 = profile("mcode/mcode-treatment-intent")
"""The same as it was called in mCODE STU1."""
TERMINATION = profile("mcode/mcode-treatment-termination-reason")
"""Extension of a treatment: why it ended."""
TERMINATION_STU1 = profile("mcode/mcode-termination-reason")
"""The same as it was called in mCODE STU1."""
CONDITION_RELATED = profile("fhir/condition-related")
"""Extension of a metastasis: the primary cancer it belongs to."""
RELATED_PRIMARY_STU1 = profile("mcode/mcode-related-primary-cancer-condition")
"""The same as it was called in mCODE STU1."""
TUMOUR_RELATED = profile("mcode/mcode-condition-related")
"""Extension of a tumour: the cancer it belongs to."""
GRADE = profile("ae/ae-grade")
"""Extension of an adverse event: its CTCAE grade."""
RACE = profile("us-core/us-core-race")
"""Extension of a patient."""
ETHNICITY = profile("us-core/us-core-ethnicity")
"""Extension of a patient."""
BIRTH_SEX = profile("us-core/us-core-birthsex")
"""Extension of a patient."""

OBSERVATION_CATEGORY = "http://terminology.hl7.org/CodeSystem/observation-category"
"""Code system of FHIR: kinds of observations."""
CONDITION_CATEGORY = "http://terminology.hl7.org/CodeSystem/condition-category"
"""Code system of FHIR: kinds of conditions."""
CONDITION_CLINICAL = "http://terminology.hl7.org/CodeSystem/condition-clinical"
"""Code system of FHIR: whether a condition is active."""
CONDITION_VERIFICATION = "http://terminology.hl7.org/CodeSystem/condition-ver-status"
"""Code system of FHIR: how sure a condition is."""
DATA_ABSENT = "http://terminology.hl7.org/CodeSystem/data-absent-reason"
"""Code system of FHIR: why a value is missing."""
REPORT_SECTION = "http://terminology.hl7.org/CodeSystem/v2-0074"
"""Code system of HL7: sections of diagnostic services."""
SERIOUSNESS = "http://terminology.hl7.org/CodeSystem/adverse-event-seriousness"
"""Code system of FHIR: whether harm was serious."""
HARM_OUTCOME = "http://terminology.hl7.org/CodeSystem/adverse-event-outcome"
"""Code system of FHIR: how harm ended."""
AJCC = "http://cancerstaging.org"
"""Code system: categories and groups of the AJCC staging manual."""
SEQUENCE_ONTOLOGY = "http://www.sequenceontology.org"
"""Code system: kinds of changes of a sequence."""
NCIT = "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl"
"""Code system: NCI Thesaurus."""
OMB = "urn:oid:2.16.840.1.113883.6.238"
"""Code system: race and ethnicity of the United States census."""
LANGUAGE = "urn:ietf:bcp:47"
"""Code system: languages."""
RESOURCE_TYPES = "http://hl7.org/fhir/resource-types"
"""Code system of FHIR: kinds of resources."""

FINDING = "urn:oncoproof:finding"
"""Code system of the project: names of the parts of a finding that LOINC has no code for."""
RECIST = "urn:oncoproof:recist"
"""Code system of the project: RECIST readings by their usual letters."""
OUTCOME = "urn:oncoproof:outcome"
"""Code system of the project: types of outcomes."""
STANDING = "urn:oncoproof:standing"
"""Code system of the project, in `meta.tag`: `derived` marks a resource that only repeats what events say."""
PATIENT_ID = "urn:oncoproof:patient"
"""Naming system of the project: patients."""
LESION_ID = "urn:oncoproof:lesion"
"""Naming system of the project: lesions within a patient."""
BASE = "https://oncoproof.invalid/fhir/"
"""Before type and id in the full addresses of a bundle's entries; `.invalid` resolves nowhere."""
