"""What a finding means: from variants, fusions and classes in a record to biomarker statements.

Rules this module guarantees:

- A statement of the event's own codes (`EGFR=l858r`) is believed before its finding is read.
- What is present is read by the patterns of `finding_patterns.csv`; what no pattern knows says
  nothing, rather than "wild type".
- A gene that was looked at and found unchanged gives the reference value of the biomarkers that rest
  on this gene alone. A failed or undecided assay says nothing.

    >>> from oncoproof.journey import Event, Source
    >>> from oncoproof.journey import Biomarker as Seen, SmallVariant
    >>> seen = Seen(finding=SmallVariant(gene="EGFR", protein="p.(Leu858Arg)"))
    >>> statements(Event(id="e1", day=0, recorded=9, source=Source.GENOMIC, content=seen), "nsclc")
    {'EGFR': 'l858r'}
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from oncoproof.journey import Biomarker as Seen
from oncoproof.journey import (
    CopyNumber,
    Event,
    Expression,
    Finding,
    Fusion,
    Hrd,
    Methylation,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pharmacogene,
    Presence,
    SmallVariant,
    System,
    Tmb,
)
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, load_biomarkers
from oncoproof.knowledge.tables import Basis, read_csv

_BRCA_GENES = ("BRCA1", "BRCA2")


@dataclass(frozen=True, slots=True)
class FindingPattern:
    """Which findings mean a biomarker value."""

    biomarker: str
    """Key of the biomarker."""
    value: str
    """The value the finding means."""
    form: BiomarkerKind
    """Which form of finding it speaks of."""
    gene: str
    """Symbol of the gene; empty = a finding of the whole tumour."""
    pattern: str
    """Regular expression that the whole change must match: HGVS protein change without `p.` and
    parentheses, class of copy number, of expression or of methylation."""
    note: str
    """What a reader must know; may be empty."""
    source: str
    """Id of the source."""
    basis: Basis
    """How it came to us."""

    def matches(self, change: str) -> bool:
        """Whether a change is one of these."""
        return re.fullmatch(self.pattern, change) is not None


@cache
def load_finding_patterns() -> Mapping[tuple[BiomarkerKind, str], tuple[FindingPattern, ...]]:
    """Every pattern, by form and gene."""
    by_gene: dict[tuple[BiomarkerKind, str], list[FindingPattern]] = {}
    for row in read_csv("finding_patterns.csv", "finding_patterns", FindingPattern):
        by_gene.setdefault((row.form, row.gene), []).append(row)
    return MappingProxyType({place: tuple(rows) for place, rows in by_gene.items()})


def statements(event: Event, disease: str) -> dict[str, str | float]:
    """What a biomarker event says, by biomarker key; empty where it says nothing we know.

    Args:
        event: An event whose content is a biomarker finding.
        disease: Slug of the disease, because a key may speak of another thing in another disease.
    """
    told = dict(_coded(event))
    if told:
        return told
    content = event.content
    if not isinstance(content, Seen) or content.presence in {Presence.INDETERMINATE, Presence.NO_CALL}:
        return {}
    read = _absent(content.finding) if content.presence is Presence.ABSENT else _present(content)
    known = load_biomarkers()
    return {key: value for key, value in read.items() if _is_value(known[key], value, disease)}


def _is_value(biomarker: Biomarker, value: str | float, disease: str) -> bool:
    return biomarker.applies_to(disease) and (
        not isinstance(value, str) or value in biomarker.values_in(disease)
    )


def _coded(event: Event) -> Iterator[tuple[str, str | float]]:
    known = load_biomarkers()
    for code in event.codes:
        key, separator, value = code.code.partition("=")
        if code.system != System.BIOMARKER or not separator or key not in known:
            continue
        if known[key].permits(value):
            yield key, float(value) if known[key].is_numeric else value


def _present(content: Seen) -> dict[str, str | float]:
    finding = content.finding
    score = _score(finding)
    if score:
        return score
    form, gene, change = _parts(finding)
    read: dict[str, str | float] = {
        row.biomarker: row.value
        for row in load_finding_patterns().get((form, gene), ())
        if row.matches(change)
    }
    if gene in _BRCA_GENES and gene in read and content.origin is not Origin.UNKNOWN:
        read["BRCA"] = content.origin.value
    return read


def _absent(finding: Finding) -> dict[str, str | float]:
    form, gene, change = _parts(finding)
    rows = load_finding_patterns().get((form, gene), ())
    known = load_biomarkers()
    read: dict[str, str | float] = {}
    for row in rows:
        biomarker = known[row.biomarker]
        is_looked_for = not change or row.matches(change)
        is_alone = biomarker.genes == (gene,) and (not change or len(biomarker.values) == 2)
        if is_looked_for and is_alone and biomarker.reference is not None:
            read[row.biomarker] = biomarker.reference
    return read


def _score(finding: Finding) -> dict[str, str | float]:
    """What findings say that are numbers or classes by themselves."""
    match finding:
        case Msi():
            return {"MSI": "high" if finding.status is MsiClass.HIGH else "stable"}
        case Tmb():
            return {"TMB": finding.per_megabase}
        case Hrd():
            return {"HRD": finding.status.value}
        case Pdl1():
            return {f"PDL1_{finding.score.upper()}": finding.percent}
        case Pharmacogene(gene="DPYD") if finding.activity_score is not None:
            return {"DPYD": finding.activity_score}
        case Pharmacogene() if finding.diplotype or finding.phenotype:
            return {finding.gene: finding.diplotype or finding.phenotype} if _is_key(finding.gene) else {}
        case _:
            return {}


def _is_key(text: str) -> bool:
    return text in load_biomarkers()


def _parts(finding: Finding) -> tuple[BiomarkerKind, str, str]:
    """The form, the gene and the change of a finding, as the patterns speak of them."""
    match finding:
        case SmallVariant():
            protein = finding.protein.partition(":p.")[2] or finding.protein.removeprefix("p.")
            return BiomarkerKind.SMALL_VARIANT, finding.gene, protein.replace("(", "").replace(")", "")
        case Fusion():
            return BiomarkerKind.FUSION, finding.three_prime, ""
        case CopyNumber():
            return BiomarkerKind.COPY_NUMBER, finding.gene, finding.change.value
        case Expression():
            return BiomarkerKind.EXPRESSION, finding.gene, finding.level
        case Methylation():
            return BiomarkerKind.METHYLATION, finding.gene, finding.methylation_class
        case _:
            return BiomarkerKind.CLINICAL, "", ""
