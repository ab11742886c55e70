"""Reading what is known of a patient from names and values as people write them.

Rules this module guarantees:

- A histology may be given as a group of them.
- A biomarker may be given as a plain value, as a group (`EGFR` `mut`), as alternatives (`g12c|other`) or
  as a protein change (`KRAS` `G12D`); case, spaces and hyphens of names make no difference.
- What a protein change says of further biomarkers is kept as a deduction from the first.
- A name or value that is not known here is refused with the nearest ones.

    >>> facts = read_facts({"KRAS": "G12D"}, disease="colorectal cancer")
    >>> facts.disease, facts.word("KRAS"), facts.word("RAS")
    ('crc', 'other', 'mut')
    >>> str(facts.deduced["RAS"])
    'A change of KRAS that is other counts as RAS mut. [classification:hgvs, recalled]'
"""

import difflib
import itertools
import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.graph.deductions import deduce
from oncoproof.knowledge.graph.facts import Facts
from oncoproof.knowledge.graph.marker_statements import marker_node, marker_of
from oncoproof.knowledge.graph.statements import Relation, Statement
from oncoproof.knowledge.names import index_names, normalise_name
from oncoproof.knowledge.subjects.findings import load_finding_patterns
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

_AMINO_ACIDS = {
    "A": "Ala", "R": "Arg", "N": "Asn", "D": "Asp", "C": "Cys", "Q": "Gln", "E": "Glu", "G": "Gly",
    "H": "His", "I": "Ile", "L": "Leu", "K": "Lys", "M": "Met", "F": "Phe", "P": "Pro", "S": "Ser",
    "T": "Thr", "W": "Trp", "Y": "Tyr", "V": "Val",
}  # fmt: skip
_SHORT_CHANGE = re.compile(r"(?:p\.)?\(?([A-Z])(\d+)([A-Z])\)?")


class _Reading(NamedTuple):
    """What one value says."""

    values: Mapping[str, frozenset[str]]
    """Plain values, by biomarker."""
    deduced: Mapping[str, Statement]
    """How the further biomarkers follow from the first."""


def read_facts(given: Mapping[str, object], *, disease: str | None = None) -> Facts:
    """What is known, from biomarkers and features by name.

    Args:
        given: Biomarkers by key, and any features of the vocabulary; None = not known.
        disease: Disease, by any name; None = `given` names it.

    Raises:
        InputError: A name or value is not known here, no disease is given, or values contradict
            one another.
    """
    slug = find_disease(str(disease or given.get("disease") or ""))
    possible: dict[str, frozenset[str]] = {}
    numbers: dict[str, float] = {}
    others: dict[str, object] = {}
    read: dict[str, Statement] = {}
    for written, value in given.items():
        if value is None or written == "disease":
            continue
        name = _name(written)
        marker = load_biomarkers().get(name)
        if marker is None or marker.is_open:
            others[name] = value
        elif marker.is_numeric:
            numbers[name] = _number(marker, value)
        else:
            reading = _read(marker, str(value), slug)
            _add(possible, reading.values)
            read.update(reading.deduced)
    stated = {_name(written) for written in given}
    found = {**read, **deduce(possible, slug)}
    deduced = {key: said for key, said in found.items() if key not in stated or key not in read}
    histology = others.pop("histology", None)
    histologies = frozenset[str]() if histology is None else _histologies(slug, str(histology))
    return Facts(slug, possible, numbers, others, deduced, histologies)


def _histologies(disease: str, text: str) -> frozenset[str]:
    plain = re.sub(r"[\s-]+", "_", text.strip().lower())
    return frozenset(load_diseases()[disease].histologies_of(plain))


def _add(possible: dict[str, frozenset[str]], values: Mapping[str, frozenset[str]]) -> None:
    for key, some in values.items():
        both = possible.get(key, some) & some
        if not both:
            raise InputError(
                where=key,
                came=f"{'|'.join(sorted(possible[key]))} and {'|'.join(sorted(some))}",
                expected="one value",
                remedy="leave one of them out",
            )
        possible[key] = both


def find_disease(text: str) -> str:
    """The slug of the disease that a text names, by any name.

    Raises:
        InputError: No disease is called so.
    """
    slug = _diseases().get(normalise_name(text))
    if slug is None:
        raise InputError(
            came=f"disease {text!r}" if text else "no disease",
            expected="a disease of diseases.toml",
            remedy=_nearest(text, load_diseases()),
        )
    return slug


@cache
def _diseases() -> Mapping[str, str]:
    named = ((one.slug, (one.slug, one.name, *one.synonyms)) for one in load_diseases().values())
    return index_names(named, where="diseases.toml")


def _name(text: str) -> str:
    name = _names().get(normalise_name(text))
    if name is None:
        raise InputError(
            came=f"fact {text!r}",
            expected="a biomarker key or a feature of the vocabulary",
            remedy=_nearest(text, load_vocabulary().features),
        )
    return name


@cache
def _names() -> Mapping[str, str]:
    known = dict.fromkeys((*load_biomarkers(), *load_vocabulary().features))
    return index_names(((name, (name,)) for name in known), where="features.toml")


def _nearest(word: str, known: Iterable[str]) -> str:
    plain = {name.lower(): name for name in known}
    close = [plain[name] for name in difflib.get_close_matches(word.lower(), plain, n=3)]
    return " or ".join(close) or f"one of {', '.join(itertools.islice(plain.values(), 8))}"


def _number(marker: Biomarker, value: object) -> float:
    if isinstance(value, int | float) and marker.permits(str(value)):
        return float(value)
    raise InputError(
        where=marker.key,
        came=repr(value),
        expected=f"a number from {marker.low:g} to {marker.high:g} ({marker.unit})",
        remedy="give the number in this unit",
    )


def _read(marker: Biomarker, text: str, disease: str) -> _Reading:
    """The plain values a text stands for, by biomarker: a protein change may tell of several."""
    words = [word if marker.permits(word) else word.lower() for word in text.split("|")]
    if all(marker.permits(word) for word in words):
        meant = {value for word in words for value in marker.expand(word)} & set(marker.values_in(disease))
        if meant:
            return _Reading({marker.key: frozenset(meant)}, {})
    else:
        change = _read_change(marker, _change(text), disease)
        if change.values:
            return change
    allowed = (*marker.values_in(disease), *marker.groups)
    raise InputError(
        where=marker.key,
        came=repr(text),
        expected=f"one of {', '.join(allowed)} (in {disease})",
        remedy=_nearest(text, allowed),
    )


def _read_change(marker: Biomarker, change: str, disease: str) -> _Reading:
    """What a change of the gene says of every biomarker that the patterns know."""
    rows = [
        row
        for gene in marker.genes
        for row in load_finding_patterns().get((BiomarkerKind.SMALL_VARIANT, gene), ())
        if row.matches(change) and load_biomarkers()[row.biomarker].applies_to(disease)
    ]
    rows.sort(key=lambda row: row.biomarker != marker.key)
    values = {row.biomarker: frozenset({row.value}) for row in rows}
    deduced: dict[str, Statement] = {}
    for row in rows[1:]:
        first = rows[0]
        deduced[row.biomarker] = Statement(
            marker_node(first.biomarker, first.value), Relation.IMPLIES,
            marker_of(row.biomarker, values[row.biomarker]),
            f"A change of {first.biomarker} that is {first.value} counts as {row.biomarker} {row.value}.",
            row.source, row.basis, disease,
        )  # fmt: skip
    return _Reading(values, deduced)


def _change(text: str) -> str:
    """A protein change in three-letter code, as the patterns read it; other text as it stands."""
    short = _SHORT_CHANGE.fullmatch(text.strip())
    if short and {short[1], short[3]} <= set(_AMINO_ACIDS):
        return f"{_AMINO_ACIDS[short[1]]}{short[2]}{_AMINO_ACIDS[short[3]]}"
    return text.strip().removeprefix("p.").replace("(", "").replace(")", "")
