"""CURIEs: how a phenopacket writes a code, and what it says of the terminologies it uses.

Rules this module guarantees:

- A code becomes a CURIE and the CURIE the same code again, whatever its system: a terminology that is
  not in the table gets a prefix of its own and an entry in `metaData.resources` that explains it.
- A prefix this project knows is understood in any of its spellings (`SNOMED`, `SCTID`, `SNOMEDCT`).
- Every prefix used is explained in `resources`.

    >>> curies = Curies()
    >>> curies.term(Code.of(System.LOINC, "2160-0", "Creatinine"))
    {'id': 'LOINC:2160-0', 'label': 'Creatinine'}
    >>> Prefixes([]).code("SCTID:254637007").system
    'http://snomed.info/sct'
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias
from urllib.parse import quote, unquote

from oncoproof.journey.codes import Code, System

Term: TypeAlias = dict[str, str]
"""An ontology class: `id` is a CURIE, `label` its name."""

OWN: Final = "ONCOPROOF"
"""Prefix of the few terms this project makes up because it knows no public one."""

NOT_STATED: Final[Term] = {"id": f"{OWN}:not-stated", "label": "not stated"}
"""What stands where the schema wants a term and the record names none."""

_EMPTY: Final = "%%"
_NO_SYSTEM: Final = "urn:oncoproof:no-system"
OWN_SYSTEM: Final = "urn:oncoproof:phenopacket"
"""System of codes of these terms."""

GENE_SYMBOLS: Final = "urn:oncoproof:hgnc-symbol"
"""System of codes of genes that are known by their symbol alone."""
_SYSTEM_ID: Final = "oncoproof-system"
_CURIE_SYSTEM: Final = "urn:curie:"
_STRANGER: Final = "SYSTEM"
_PREFIX: Final = re.compile(r"[A-Za-z][\w.-]*")
_SAFE: Final = "".join(chr(each) for each in range(33, 127) if chr(each) not in "%,")


@dataclass(frozen=True, slots=True)
class Terminology:
    """A terminology as CURIEs know it."""

    prefix: str
    """Prefix written before the colon."""
    system: str
    """Address by which codes name the terminology."""
    name: str
    """Its name."""
    iri_prefix: str
    """What the prefix stands for in full addresses of terms."""
    aliases: tuple[str, ...] = ()
    """Other prefixes in use, in capitals."""
    is_in_code: bool = False
    """Whether codes of the terminology carry the prefix themselves, as `HGNC:3236` does."""


def _obo(prefix: str, name: str) -> Terminology:
    address = f"http://purl.obolibrary.org/obo/{prefix.lower()}.owl"
    iri_prefix = f"http://purl.obolibrary.org/obo/{prefix}_"
    return Terminology(prefix, address, name, iri_prefix, is_in_code=True)


TERMINOLOGIES: Final = (
    Terminology(
        "SNOMED",
        System.SNOMED,
        "SNOMED CT",
        "http://snomed.info/id/",
        ("SCTID", "SNOMEDCT", "SNOMED_CT", "SNOMEDCT_US", "SCT"),
    ),
    Terminology("LOINC", System.LOINC, "LOINC", "http://loinc.org/", ("LNC", "LN")),
    Terminology(
        "RXNORM",
        System.RXNORM,
        "RxNorm",
        "http://purl.bioontology.org/ontology/RXNORM/",
        ("RXCUI", "RXNORM_CUI"),
    ),
    Terminology("ATC", System.ATC, "WHO ATC", "http://purl.bioontology.org/ontology/ATC/"),
    Terminology("ICD10", System.ICD10, "ICD-10", "http://id.who.int/icd/release/10/", ("ICD-10",)),
    Terminology(
        "ICD10CM",
        System.ICD10CM,
        "ICD-10-CM",
        "http://purl.bioontology.org/ontology/ICD10CM/",
        ("ICD-10-CM",),
    ),
    Terminology(
        "ICDO3", System.ICDO3, "ICD-O-3", "http://purl.obolibrary.org/obo/ICDO_", ("ICDO", "ICD-O-3")
    ),
    Terminology("HGNC", System.HGNC, "HGNC", "http://identifiers.org/hgnc/", is_in_code=True),
    Terminology("HGVS", System.HGVS, "HGVS nomenclature", "http://varnomen.hgvs.org/"),
    Terminology("UCUM", System.UCUM, "Unified Code for Units of Measure", "http://unitsofmeasure.org/"),
    Terminology("ONCOTREE", System.ONCOTREE, "OncoTree", "http://oncotree.mskcc.org/"),
    Terminology("MEDDRA", System.MEDDRA, "MedDRA", "http://purl.bioontology.org/ontology/MEDDRA/", ("MDR",)),
    Terminology(
        "NCIT",
        "http://ncicb.nci.nih.gov/xml/owl/EVS/Thesaurus.owl",
        "NCI Thesaurus",
        "http://purl.obolibrary.org/obo/NCIT_",
    ),
    Terminology(
        "HP",
        "http://human-phenotype-ontology.org",
        "Human Phenotype Ontology",
        "http://purl.obolibrary.org/obo/HP_",
        ("HPO",),
    ),
    _obo("UBERON", "Uber-anatomy ontology"),
    _obo("MONDO", "Mondo Disease Ontology"),
    _obo("NCBITaxon", "NCBI organismal classification"),
    Terminology(
        "SO", "http://www.sequenceontology.org", "Sequence Ontology", "http://purl.obolibrary.org/obo/SO_"
    ),
    Terminology(
        "EFO",
        "http://www.ebi.ac.uk/efo/efo.owl",
        "Experimental Factor Ontology",
        "http://www.ebi.ac.uk/efo/EFO_",
    ),
    Terminology("HGNC.SYMBOL", GENE_SYMBOLS, "HGNC symbols", "http://identifiers.org/hgnc.symbol/"),
    Terminology(OWN, OWN_SYSTEM, "OncoProof terms of phenopackets", f"{OWN_SYSTEM}:"),
    *(
        Terminology(
            f"{OWN}.{system.name}", system, f"OncoProof {system.name.lower().replace('_', ' ')}", f"{system}:"
        )
        for system in System
        if system.startswith("urn:oncoproof:")
    ),
)
"""The terminologies with a prefix of their own."""

_BY_SYSTEM: Final = {str(each.system): each for each in TERMINOLOGIES}
_BY_PREFIX: Final = {
    prefix.upper(): each for each in TERMINOLOGIES for prefix in (each.prefix, *each.aliases)
}


class Curies:
    """Writes codes as terms, and remembers which terminologies it used."""

    def __init__(self) -> None:
        self._terms: dict[tuple[str, str, str], Term] = {}
        self._prefixes: dict[str, str] = {}
        self._used: dict[str, None] = {}

    def curie(self, system: str, code: str) -> str:
        """The CURIE of a code."""
        known = _BY_SYSTEM.get(system)
        if known is None:
            prefix = _foreign_prefix(system) or self._stranger_prefix(system)
        elif not known.is_in_code:
            prefix = known.prefix
        elif code.startswith(f"{known.prefix}:"):
            prefix, code = known.prefix, code[len(known.prefix) + 1 :]
        else:
            prefix = self._stranger_prefix(system)
        self._used[prefix] = None
        return f"{prefix}:{_local(code)}"

    def term(self, code: Code) -> Term:
        """The ontology class of a code; the label is the code where it has no display text."""
        key = (code.system, code.code, code.display)
        term = self._terms.get(key)
        if term is None:
            label = code.display or code.code or NOT_STATED["label"]
            term = self._terms[key] = {"id": self.curie(code.system, code.code), "label": label}
        return term

    def use(self, term: Term) -> None:
        """Remember the prefix of a class that was written without this one."""
        self._used[term["id"].partition(":")[0]] = None

    def resources(self) -> list[Term]:
        """What `metaData.resources` says of the terminologies used, by prefix."""
        systems = {prefix: system for system, prefix in self._prefixes.items()}
        return [
            _stranger(prefix, systems[prefix]) if prefix in systems else _resource(prefix)
            for prefix in sorted(self._used)
        ]

    def _stranger_prefix(self, system: str) -> str:
        if system not in self._prefixes:
            self._prefixes[system] = f"{_STRANGER}{len(self._prefixes) + 1}"
        return self._prefixes[system]


def _local(code: str) -> str:
    if code == "%":  # the unit: what everybody writes, and no quoted code looks like it
        return code
    return quote(code, safe=_SAFE) if code else _EMPTY


def _foreign_prefix(system: str) -> str:
    """The prefix that another system's document used, where this project has no other for it."""
    prefix = system.removeprefix(_CURIE_SYSTEM)
    is_free = prefix.upper() not in _BY_PREFIX and not prefix.upper().startswith(_STRANGER)
    return prefix if prefix != system and is_free and _PREFIX.fullmatch(prefix) else ""


def _resource(prefix: str) -> Term:
    known = _BY_PREFIX.get(prefix.upper())
    system = f"{_CURIE_SYSTEM}{prefix}" if known is None else str(known.system)
    return {
        "id": prefix.lower(),
        "name": prefix if known is None else known.name,
        "url": system,
        "version": NOT_STATED["label"],
        "namespacePrefix": prefix,
        "iriPrefix": f"{system}:" if known is None else known.iri_prefix,
    }


def _stranger(prefix: str, system: str) -> Term:
    return {
        "id": f"{_SYSTEM_ID}-{prefix.removeprefix(_STRANGER)}",
        "name": system or _NO_SYSTEM,
        "url": system or _NO_SYSTEM,
        "version": NOT_STATED["label"],
        "namespacePrefix": prefix,
        "iriPrefix": system or _NO_SYSTEM,
    }


class Prefixes:
    """Reads CURIEs by the prefixes this project knows and those that a document explains."""

    def __init__(self, resources: Iterable[dict[str, Any]]) -> None:
        """Learn the prefixes of a document.

        Args:
            resources: Its `metaData.resources`.
        """
        self._codes: dict[tuple[str, str], Code] = {}
        self._systems: dict[str, str] = {}
        for resource in resources:
            if resource["id"].startswith(f"{_SYSTEM_ID}-"):
                url = resource.get("url", _NO_SYSTEM)
                self._systems[resource["namespacePrefix"]] = "" if url == _NO_SYSTEM else url

    def code(self, curie: str, label: str = "") -> Code:
        """The code that a CURIE writes."""
        code = self._codes.get((curie, label))
        if code is None:
            system, local = self._split(curie)
            code = self._codes[curie, label] = Code(system, local, label)
        return code

    def term(self, term: Term) -> Code:
        """The code of an ontology class."""
        return self.code(term["id"], term["label"])

    def _split(self, curie: str) -> tuple[str, str]:
        prefix, local = curie.split(":", 1)
        code = "" if local == _EMPTY else unquote(local)
        if prefix in self._systems:
            return self._systems[prefix], code
        known = _BY_PREFIX.get(prefix.upper())
        if known is None:
            return f"{_CURIE_SYSTEM}{prefix}", code
        return str(known.system), f"{known.prefix}:{code}" if known.is_in_code else code
