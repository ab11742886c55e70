"""What laboratories find of a patient's biomarkers: each feature as a finding, by an assay, with its delay.

Rules this module guarantees:

- Every biomarker of the disease that an assay can see is told once, by the assay that sees it and the others
  of its kind, with the statement `KEY=value` of the knowledge base.
- Of the PD-L1 scores the one is told that is reported in the disease.
- What is told is what is given, truth or report. A variant is the representative one of its value.

    >>> found = list(biomarker_findings({"disease": "nsclc", "EGFR": "l858r", "PDL1_TPS": 12.4}))
    >>> [(each.key, each.statement, each.assay) for each in found]
    [('EGFR', 'EGFR=l858r', 'tissue_ngs_panel'), ('PDL1_TPS', 'PDL1_TPS=12', 'ihc_pdl1_22c3')]
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oncoproof.disease.observations.assayed import SUMMARIES, usual_assay
from oncoproof.journey import (
    Biomarker,
    CopyChange,
    CopyNumber,
    Expression,
    Finding,
    Fusion,
    Hrd,
    HrdClass,
    Methylation,
    Msi,
    MsiClass,
    Origin,
    Pdl1,
    Pdl1Score,
    Presence,
    SmallVariant,
    Source,
    Tmb,
)
from oncoproof.knowledge.cancers import Biomarker as Marker
from oncoproof.knowledge.cancers import (
    BiomarkerKind,
    load_assays,
    load_biomarkers,
    load_genes,
    load_variants,
)

_SOURCES = {"imaging": Source.IMAGING, "blood": Source.LAB}
_STAINED = ("ihc", "fish")
_GERMLINE = "germline"
_PDL1_SCORES: Mapping[str, str] = {"nsclc": "PDL1_TPS", "melanoma": "PDL1_TPS"}
"""The PD-L1 score that is reported in a disease; in the others it is the combined one."""
_PDL1_USUAL = "PDL1_CPS"


@dataclass(frozen=True, slots=True)
class FoundBiomarker:
    """A biomarker as a laboratory reported it."""

    key: str
    """Of the knowledge base."""
    value: str | float
    """Plain value, or a number in the biomarker's unit."""
    statement: str
    """`KEY=value`."""
    biomarker: Biomarker
    """The finding."""
    source: Source
    """Where it comes from."""
    days: int
    """From specimen to report."""
    is_altered: bool
    """Whether it differs from the value of a tumour without the alteration."""

    @property
    def assay(self) -> str:
        """Slug of the assay."""
        return self.biomarker.assay


def biomarker_findings(features: Mapping[str, object]) -> Iterator[FoundBiomarker]:
    """What is reported of a patient's biomarkers.

    Args:
        features: What is told of the patient; `disease` must be among them.
    """
    disease = str(features["disease"])
    for key, marker in load_biomarkers().items():
        value = features.get(key)
        if not isinstance(value, str | float) or not marker.applies_to(disease):
            continue
        if marker.kind is BiomarkerKind.PDL1 and key != _PDL1_SCORES.get(disease, _PDL1_USUAL):
            continue
        assay = usual_assay(key)
        if assay:
            yield _found(marker, value, assay, _part_of_summary(features, key, value))


def _part_of_summary(features: Mapping[str, object], key: str, value: str | float) -> Finding | None:
    """The altered gene behind a key that sums several up; None = it is no such key, or no gene is known."""
    known = load_biomarkers()
    if value == known[key].reference:
        return None
    for part in SUMMARIES.get(key, ()):
        of_part = features.get(part)
        if isinstance(of_part, str) and of_part != known[part].reference:
            return finding_of(known[part], of_part)
    return None


def _found(marker: Marker, value: str | float, assay: str, part: Finding | None) -> FoundBiomarker:
    told = float(round(value)) if isinstance(value, float) else value
    test = load_assays()[assay]
    specimen = "blood" if told == _GERMLINE else test.specimen.value
    finding = part or finding_of(marker, told)
    is_altered = isinstance(told, str) and marker.reference is not None and told != marker.reference
    is_absent = isinstance(told, str) and told == marker.reference and _is_change(finding)
    source = Source.LAB if assay.startswith(_STAINED) else _SOURCES.get(specimen, Source.GENOMIC)
    content = Biomarker(
        finding=finding,
        presence=Presence.ABSENT if is_absent else Presence.PRESENT,
        origin=_origin(marker, told),
        assay=assay,
        specimen=specimen,
    )
    text = f"{told:.0f}" if isinstance(told, float) else told
    return FoundBiomarker(
        key=marker.key,
        value=told,
        statement=f"{marker.key}={text}",
        biomarker=content,
        source=Source.GENOMIC if source is Source.LAB and specimen == "blood" else source,
        days=round(test.turnaround.value),
        is_altered=is_altered,
    )


def _is_change(finding: Finding) -> bool:
    return isinstance(finding, SmallVariant | Fusion | CopyNumber)


def _origin(marker: Marker, value: str | float) -> Origin:
    if value == _GERMLINE:
        return Origin.GERMLINE
    return Origin.SOMATIC if marker.origins or marker.genes else Origin.UNKNOWN


def finding_of(marker: Marker, value: str | float) -> Finding:
    """A biomarker's value as a finding.

    Args:
        marker: The biomarker.
        value: Plain value, or a number in its unit.
    """
    if not isinstance(value, str):
        return _score(marker, value)
    match marker.kind:
        case BiomarkerKind.MSI:
            return Msi(status=MsiClass.HIGH if value == "high" else MsiClass.STABLE)
        case BiomarkerKind.HRD:
            return Hrd(status=HrdClass.POSITIVE if value == "positive" else HrdClass.NEGATIVE)
        case _:
            return _change(marker, value)


def _score(marker: Marker, value: float) -> Finding:
    """A number as a finding."""
    if marker.kind is BiomarkerKind.TMB:
        return Tmb(per_megabase=value)
    if marker.kind is BiomarkerKind.PDL1:
        score = Pdl1Score(marker.key.removeprefix("PDL1_").lower())
        return Pdl1(score=score, percent=min(value, 100.0))
    return Expression(gene=marker.genes[0] if marker.genes else marker.key, level=f"{value:g}")


def _change(marker: Marker, value: str) -> Finding:
    """A change of a gene, or what is seen of it, as a finding."""
    gene = marker.genes[0] if marker.genes else ""
    known = load_genes().get(gene)
    gene_id = known.hgnc if known else ""
    match marker.kind:
        case BiomarkerKind.FUSION:
            return Fusion(five_prime="", three_prime=gene, three_prime_id=gene_id)
        case BiomarkerKind.COPY_NUMBER:
            is_altered = value != marker.reference
            change = CopyChange.AMPLIFICATION if is_altered else CopyChange.NEUTRAL
            return CopyNumber(gene=gene, gene_id=gene_id, change=change)
        case BiomarkerKind.METHYLATION:
            return Methylation(gene=gene, methylation_class=value)
        case BiomarkerKind.SMALL_VARIANT:
            return _variant(marker, value, gene, gene_id)
        case _:
            return Expression(gene=gene, gene_id=gene_id, level=value)


def _variant(marker: Marker, value: str, gene: str, gene_id: str) -> SmallVariant:
    known = load_variants().get((marker.key, value))
    if known is None and value == marker.reference and marker.key != gene:
        # A key of one variant: what was not found is that variant.
        altered = [each for each in marker.values if each != value]
        known = load_variants().get((marker.key, altered[0])) if len(altered) == 1 else None
    if known is None:
        return SmallVariant(gene=gene, gene_id=gene_id)
    its_gene = load_genes().get(known.gene)
    return SmallVariant(
        gene=known.gene,
        gene_id=its_gene.hgnc if its_gene else "",
        protein=known.protein,
        coding=f"{known.transcript}:{known.coding}" if known.transcript and known.coding else known.coding,
    )
