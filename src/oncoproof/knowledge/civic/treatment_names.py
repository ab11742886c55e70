"""How the words of CIViC map to the words of this base; the table is `data/civic_names.toml`.

Rules this module guarantees:

- Every disease, class, drug and condition in the table exists in the base.
- A disease is looked up by its DOID, and by its name where the row has none.

    >>> find_disease("3910", "Lung Adenocarcinoma").disease
    'nsclc'
    >>> find_therapy("Carboplatin/Paclitaxel Regimen").words
    ('carboplatin', 'paclitaxel')
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.conditions import Condition, parse_condition, parse_treatment
from oncoproof.knowledge.medicines.drugs import find_drug
from oncoproof.knowledge.names import normalise_name
from oncoproof.knowledge.tables import build, read_toml

_FILE = "civic_names.toml"
_ANY_DISEASE = "any"
_SALT = re.compile(r" (?:Hydrochloride|Mesylate|Anhydrous|Acetate|Bismesylate|Ditosylate)$", re.IGNORECASE)
_REGIMEN = " Regimen"


@dataclass(frozen=True, slots=True)
class CivicDisease:
    """What a disease name of CIViC means here."""

    disease: str | None
    """Disease slug; None = any tumour."""
    histology: str
    """Histology or group of the disease; `any` = no condition."""
    requires: tuple[Condition, ...]
    """What the name says besides the site."""


@dataclass(frozen=True, slots=True)
class CivicTherapy:
    """What a therapy name of CIViC means here."""

    words: tuple[str, ...]
    """Drugs or classes given together; the name itself where the base does not know it."""
    is_known: bool
    """Whether the base knows it."""


@dataclass(frozen=True, slots=True)
class VariantRule:
    """What a change of a gene means here."""

    genes: frozenset[str]
    """Symbols the rule is about."""
    change: re.Pattern[str]
    """The whole of the upper-case change."""
    means: str
    """The condition, `KEY=VALUE`."""
    diseases: frozenset[str | None]
    """Where it applies; empty = everywhere."""


@dataclass(frozen=True, slots=True)
class _DiseaseRow:
    """A disease as the table writes it."""

    disease: str
    """Disease slug, or `any`."""
    doids: tuple[str, ...]
    """Disease Ontology numbers that mean it."""
    names: tuple[str, ...]
    """Names that mean it."""
    histology: str = "any"
    """Histology or group; `any` = no condition."""
    requires: str = ""
    """Conditions, `;` between them; empty = none."""


@dataclass(frozen=True, slots=True)
class _VariantRow:
    """A variant rule as the table writes it."""

    gene: str
    """Symbols, `|` between them."""
    change: str
    """Pattern of the upper-case change."""
    means: str
    """The condition, `KEY=VALUE`."""
    diseases: tuple[str, ...] = ()
    """Where it applies; empty = everywhere."""


@cache
def _table() -> dict[str, Any]:
    return read_toml(_FILE, "civic_names")


@cache
def _diseases() -> Mapping[str, CivicDisease]:
    found: dict[str, CivicDisease] = {}
    for number, cells in enumerate(_table()["disease"]):
        row = build(_DiseaseRow, cells, where=f"{_FILE} disease {number + 1}")
        slug = None if row.disease == _ANY_DISEASE else row.disease
        pieces = row.requires.split(";") if row.requires else []
        requires = tuple(parse_condition(piece, disease=slug) for piece in pieces)
        meant = CivicDisease(slug, row.histology, requires)
        found.update({f"DOID:{doid}": meant for doid in row.doids})
        found.update({normalise_name(name): meant for name in row.names})
    return MappingProxyType(found)


def find_disease(doid: str, name: str) -> CivicDisease | None:
    """What a disease means here; None = it is outside this base.

    Args:
        doid: Disease Ontology number without prefix; empty = the row has none.
        name: The name.
    """
    return _diseases().get(f"DOID:{doid}" if doid else normalise_name(name))


@cache
def _named_therapies() -> Mapping[str, tuple[str, ...]]:
    rows: dict[str, str] = _table()["therapies"]
    return MappingProxyType(
        {normalise_name(name): tuple(map(parse_treatment, given.split("+"))) for name, given in rows.items()}
    )


@cache
def find_therapy(name: str) -> CivicTherapy:
    """What a therapy means here."""
    plain = _SALT.sub("", name.removesuffix(_REGIMEN))
    words = _find_words(plain)
    if words is None and name.endswith(_REGIMEN) and "/" in plain:
        parts = [_find_words(part) for part in plain.split("/")]
        if all(parts):
            words = tuple(word for part in parts if part for word in part)
    return CivicTherapy(words, is_known=True) if words else CivicTherapy((name,), is_known=False)


def _find_words(name: str) -> tuple[str, ...] | None:
    named = _named_therapies().get(normalise_name(name))
    if named:
        return named
    try:
        return (find_drug(name).slug,)
    except InputError:
        return None


@cache
def variant_rules() -> Mapping[str, tuple[VariantRule, ...]]:
    """The rules by gene, each gene's in the order of the table."""
    patterns: dict[str, str] = _table()["patterns"]
    by_gene: dict[str, tuple[VariantRule, ...]] = {}
    for number, cells in enumerate(_table()["variant"]):
        row = build(_VariantRow, cells, where=f"{_FILE} variant {number + 1}")
        rule = _variant_rule(row, patterns)
        for gene in rule.genes:
            by_gene[gene] = (*by_gene.get(gene, ()), rule)
    return MappingProxyType(by_gene)


def _variant_rule(row: _VariantRow, patterns: Mapping[str, str]) -> VariantRule:
    change = row.change
    for name, pattern in patterns.items():
        change = change.replace(f"{{{name}}}", f"(?:{pattern})")
    parse_condition(row.means)
    return VariantRule(
        frozenset(row.gene.split("|")),
        re.compile(change),
        row.means,
        frozenset(None if disease == _ANY_DISEASE else disease for disease in row.diseases),
    )
