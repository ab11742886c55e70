"""Interpretations: small variants, fusions, copy numbers and pharmacogenes as variation descriptors.

Rules this module guarantees:

- Every variant among the interpretations is there: the status says what it has to do with the disease, not
  whether it was found. What was looked for and not found is told elsewhere (`absences`).
- What a descriptor has no field for (origin, allele fraction, assay) stands in its `extensions`.

    >>> variant_label(SmallVariant(gene="EGFR", protein="p.Leu858Arg"))
    'EGFR p.Leu858Arg'
"""

from typing import Final

from oncoproof.journey.contents import Biomarker
from oncoproof.journey.events import Event
from oncoproof.journey.omics import (
    CopyNumber,
    Finding,
    Fusion,
    Origin,
    Pharmacogene,
    SmallVariant,
)
from oncoproof.journey.phenopacket.curies import NOT_STATED
from oncoproof.journey.phenopacket.markers import gene_term
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.samples import sample_of
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import COPY_CHANGES, FUSION

PROGRESS: Final = "COMPLETED"
"""How far the interpretations of this project are."""
SYNTAXES: Final = {"hgvs.p": "protein", "hgvs.c": "coding", "hgvs.g": "genomic"}
"""Field of a small variant by syntax of an expression."""
UNKNOWN_PARTNER: Final = "?"
"""What stands for a gene of a fusion that is not known."""
_STATUS: Final = "CONTRIBUTORY"
_CONTEXTS: Final = (("genomic", "genomic"), ("coding", "transcript"), ("protein", "protein"))
_COPIES_MAX: Final = 1_000_000


def tell_variant(packet: Packet, event: Event, content: Biomarker) -> None:
    """Write a sequenced finding."""
    cancer = packet.primary()
    disease = packet.say(NOT_STATED) if cancer is None else packet.name(cancer[0])
    _, told = packet.genomic.setdefault(disease["id"], (disease, []))
    number = list(packet.genomic).index(disease["id"])
    descriptor: Document = {"id": f"variant:{event.id}"}
    extensions = _describe(packet, content.finding, descriptor)
    extensions |= {
        "origin": "" if content.origin is Origin.UNKNOWN else content.origin,
        "assay": content.assay,
    }
    told_extensions = [{"name": name, "value": str(value)} for name, value in extensions.items() if value]
    if told_extensions:
        descriptor["extensions"] = told_extensions
    told.append(
        {
            "subjectOrBiosampleId": sample_of(packet, event, content),
            "interpretationStatus": _STATUS,
            "variantInterpretation": {"variationDescriptor": descriptor},
        }
    )
    pointer = f"/interpretations/{number}/diagnosis/genomicInterpretations/{len(told) - 1}"
    packet.refer(event, pointer, told="day" if content.specimen else "")


def _describe(packet: Packet, finding: Finding, descriptor: Document) -> dict[str, str]:
    """Fill a descriptor; what it has no field for is returned."""
    match finding:
        case SmallVariant():
            return _describe_variant(packet, finding, descriptor)
        case Fusion():
            return _describe_fusion(packet, finding, descriptor)
        case CopyNumber():
            return _describe_copies(packet, finding, descriptor)
        case Pharmacogene():
            descriptor["geneContext"] = _gene(packet, finding.gene, "")
            if finding.diplotype:
                descriptor["label"] = finding.diplotype
            return {
                "finding": "pharmacogene",
                "activity_score": "" if finding.activity_score is None else repr(finding.activity_score),
                "phenotype": finding.phenotype,
            }
        case _:  # pragma: no cover  # measured findings go elsewhere
            return {}


def _gene(packet: Packet, symbol: str, gene_id: str) -> Document:
    return {"valueId": gene_term(packet, symbol, gene_id)["id"], "symbol": symbol or NOT_STATED["label"]}


def _describe_variant(packet: Packet, finding: SmallVariant, descriptor: Document) -> dict[str, str]:
    descriptor["geneContext"] = _gene(packet, finding.gene, finding.gene_id)
    given = {"protein": finding.protein, "coding": finding.coding, "genomic": finding.genomic}
    expressions = [
        {"syntax": syntax, "value": given[name]} for syntax, name in SYNTAXES.items() if given[name]
    ]
    if expressions:
        descriptor["label"] = variant_label(finding)
        descriptor["expressions"] = expressions
        descriptor["moleculeContext"] = next(context for name, context in _CONTEXTS if given[name])
    return {"variant_allele_fraction": "" if finding.vaf is None else repr(finding.vaf)}


def variant_label(finding: SmallVariant) -> str:
    """What a small variant is called."""
    return f"{finding.gene} {finding.protein or finding.coding or finding.genomic}"


def _describe_fusion(packet: Packet, finding: Fusion, descriptor: Document) -> dict[str, str]:
    five, three = finding.five_prime or UNKNOWN_PARTNER, finding.three_prime or UNKNOWN_PARTNER
    descriptor["label"] = f"{five}::{three}"
    descriptor["structuralType"] = packet.say(FUSION)
    if finding.three_prime:
        descriptor["geneContext"] = _gene(packet, finding.three_prime, finding.three_prime_id)
    return {
        "five_prime_gene": finding.five_prime,
        "five_prime_gene_id": finding.five_prime_id,
        "three_prime_gene_id": "" if finding.three_prime else finding.three_prime_id,
    }


def copies_label(finding: CopyNumber) -> str:
    """What a copy number is called."""
    return f"{finding.gene} {finding.change.replace('_', ' ')}"


def _describe_copies(packet: Packet, finding: CopyNumber, descriptor: Document) -> dict[str, str]:
    gene = _gene(packet, finding.gene, finding.gene_id)
    descriptor["label"] = copies_label(finding)
    descriptor["geneContext"] = gene
    descriptor["structuralType"] = packet.say(COPY_CHANGES.term(finding.change))
    copies = finding.copies
    if copies is None:
        return {}
    if 0 <= copies <= _COPIES_MAX and copies.is_integer():
        number = {"value": str(int(copies))}
        descriptor["variation"] = {"copyNumber": {"gene": {"geneId": gene["valueId"]}, "number": number}}
        return {}
    return {"copies": repr(copies)}


def interpretations(packet: Packet) -> list[Document]:
    """The section, once all findings are told."""
    patient = packet.record.patient.id
    return [
        {
            "id": f"{patient}:interpretation-{number}",
            "progressStatus": PROGRESS,
            "diagnosis": {"disease": disease, "genomicInterpretations": told},
        }
        for number, (disease, told) in enumerate(packet.genomic.values(), start=1)
    ]
