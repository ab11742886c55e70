"""Interpretations: small variants, fusions, copy numbers and pharmacogenes as variation descriptors.

Rules this module guarantees:

- Whether a finding is there is the status of the interpretation: contributory, rejected (not found),
  candidate (cannot be told), unknown (the assay failed).
- What a descriptor has no field for (origin, allele fraction, assay) stands in its `extensions`.

    >>> STATUSES[Presence.ABSENT]
    'REJECTED'
"""

from functools import partial
from typing import Final

from oncoproof.journey.contents import Biomarker
from oncoproof.journey.events import Event
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Finding,
    Fusion,
    Origin,
    Pharmacogene,
    Presence,
    SmallVariant,
)
from oncoproof.journey.phenopacket.checks import Document
from oncoproof.journey.phenopacket.curies import NOT_STATED, Term
from oncoproof.journey.phenopacket.markers import gene_of, gene_term
from oncoproof.journey.phenopacket.packet import Packet, Section
from oncoproof.journey.phenopacket.packet_reader import PacketReader, number_of
from oncoproof.journey.phenopacket.samples import sample_of
from oncoproof.journey.phenopacket.vocabularies import COPY_CHANGES, FUSION

STATUSES: Final = {
    Presence.PRESENT: "CONTRIBUTORY",
    Presence.ABSENT: "REJECTED",
    Presence.INDETERMINATE: "CANDIDATE",
    Presence.NO_CALL: "UNKNOWN_STATUS",
}
"""Status of an interpretation by presence."""
_PRESENCES: Final = {status: presence for presence, status in STATUSES.items()} | {
    "CAUSATIVE": Presence.PRESENT
}
_ORIGINS: Final = {each.value: each for each in Origin}
_SYNTAXES: Final = {"hgvs.p": "protein", "hgvs.c": "coding", "hgvs.g": "genomic"}
_CONTEXTS: Final = (("genomic", "genomic"), ("coding", "transcript"), ("protein", "protein"))
_UNKNOWN_PARTNER: Final = "?"
_COPIES_MAX: Final = 1_000_000


def tell_variant(packet: Packet, event: Event, content: Biomarker) -> None:
    """Write a sequenced finding."""
    cancer = packet.primary()
    disease = packet.say(NOT_STATED) if cancer is None else packet.name(cancer[0])
    _, told = packet.genomic.setdefault(disease["id"], (disease, []))
    number = list(packet.genomic).index(disease["id"])
    descriptor: Section = {"id": f"variant:{event.id}"}
    extensions = _describe(packet, content.finding, descriptor)
    extensions |= {
        "origin": "" if content.origin is Origin.UNKNOWN else content.origin,
        "assay": content.assay,
    }
    told_extensions = [{"name": name, "value": str(value)} for name, value in extensions.items() if value]
    if told_extensions:
        descriptor["extensions"] = told_extensions
    interpretation: Section = {"subjectOrBiosampleId": sample_of(packet, event, content)}
    if content.presence is not Presence.NO_CALL:
        interpretation["interpretationStatus"] = STATUSES[content.presence]
    interpretation["variantInterpretation"] = {"variationDescriptor": descriptor}
    told.append(interpretation)
    pointer = f"/interpretations/{number}/diagnosis/genomicInterpretations/{len(told) - 1}"
    packet.refer(event, pointer, told="day" if content.specimen else "")


def _describe(packet: Packet, finding: Finding, descriptor: Section) -> dict[str, str]:
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


def _gene(packet: Packet, symbol: str, gene_id: str) -> Section:
    return {"valueId": gene_term(packet, symbol, gene_id)["id"], "symbol": symbol or NOT_STATED["label"]}


def _describe_variant(packet: Packet, finding: SmallVariant, descriptor: Section) -> dict[str, str]:
    descriptor["geneContext"] = _gene(packet, finding.gene, finding.gene_id)
    given = {"protein": finding.protein, "coding": finding.coding, "genomic": finding.genomic}
    expressions = [
        {"syntax": syntax, "value": given[name]} for syntax, name in _SYNTAXES.items() if given[name]
    ]
    if expressions:
        descriptor["label"] = f"{finding.gene} {finding.protein or finding.coding or finding.genomic}"
        descriptor["expressions"] = expressions
        descriptor["moleculeContext"] = next(context for name, context in _CONTEXTS if given[name])
    return {"variant_allele_fraction": "" if finding.vaf is None else repr(finding.vaf)}


def _describe_fusion(packet: Packet, finding: Fusion, descriptor: Section) -> dict[str, str]:
    five, three = finding.five_prime or _UNKNOWN_PARTNER, finding.three_prime or _UNKNOWN_PARTNER
    descriptor["label"] = f"{five}::{three}"
    descriptor["structuralType"] = packet.say(FUSION)
    if finding.three_prime:
        descriptor["geneContext"] = _gene(packet, finding.three_prime, finding.three_prime_id)
    return {"five_prime_gene": finding.five_prime, "five_prime_gene_id": finding.five_prime_id}


def _describe_copies(packet: Packet, finding: CopyNumber, descriptor: Section) -> dict[str, str]:
    gene = _gene(packet, finding.gene, finding.gene_id)
    descriptor["label"] = f"{finding.gene} {finding.change.replace('_', ' ')}"
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


def interpretations(packet: Packet) -> list[Section]:
    """The section, once all findings are told."""
    patient = packet.record.patient.id
    return [
        {
            "id": f"{patient}:interpretation-{number}",
            "progressStatus": "COMPLETED",
            "diagnosis": {"disease": disease, "genomicInterpretations": told},
        }
        for number, (disease, told) in enumerate(packet.genomic.values(), start=1)
    ]


def read_interpretations(reader: PacketReader) -> frozenset[str]:
    """Read the section; gives the ids of the samples that findings were made on."""
    samples: dict[str, Document] = {each["id"]: each for each in reader.document.get("biosamples", [])}
    terms = {each["term"]["id"] for each in reader.document.get("diseases", [])} | {NOT_STATED["id"]}
    referred: set[str] = set()
    for number, each in enumerate(reader.document.get("interpretations", [])):
        pointer = f"/interpretations/{number}/diagnosis"
        diagnosis: Document = each["diagnosis"]
        if diagnosis["disease"]["id"] not in terms:
            reader.lose(
                f"{pointer}/disease", f"a diagnosis by genomics only: {diagnosis['disease']['label']}"
            )
        for place, call in enumerate(diagnosis.get("genomicInterpretations", [])):
            referred.add(call["subjectOrBiosampleId"])
            sample = samples.get(call["subjectOrBiosampleId"])
            call_pointer = f"{pointer}/genomicInterpretations/{place}"
            reader.attempt(call_pointer, partial(_read_call, reader, call, call_pointer, sample))
    return frozenset(referred)


def _read_call(reader: PacketReader, call: Document, pointer: str, sample: Document | None) -> None:
    if "gene" in call:
        reader.lose(f"{pointer}/gene", f"a gene without a variant: {call['gene']['symbol']}")
        return
    descriptor: Document = call["variantInterpretation"]["variationDescriptor"]
    place = f"{pointer}/variantInterpretation/variationDescriptor"
    extensions = {each["name"]: each.get("value", "") for each in descriptor.get("extensions", [])}
    finding = _finding(reader, descriptor, extensions, place)
    if finding is None:
        reader.lose(place, f"a variant without gene: {descriptor.get('label') or descriptor['id']}")
        return
    status = call.get("interpretationStatus", "UNKNOWN_STATUS")
    content = Biomarker(
        finding=finding,
        presence=_presence(reader, status, pointer),
        origin=_ORIGINS.get(extensions.pop("origin", ""), _origin(sample)),
        assay=extensions.pop("assay", ""),
        specimen="" if sample is None else _specimen(sample),
    )
    for name, value in extensions.items():
        reader.lose(f"{place}/extensions", f"{name}: {value}")
    start, end = (None, None) if sample is None else reader.time(sample.get("timeOfCollection"), pointer)
    reader.add(pointer, content, start, end)


def _presence(reader: PacketReader, status: str, pointer: str) -> Presence:
    """A variant of unknown status is there unless this project said that the assay failed."""
    if status == "UNKNOWN_STATUS" and pointer not in reader.references:
        return Presence.PRESENT
    return _PRESENCES[status]


def _origin(sample: Document | None) -> Origin:
    """Where a finding comes from, by the histology of the sample it was made on."""
    is_tumour = sample is not None and "tumorProgression" in sample and not sample["id"].startswith("sample:")
    return Origin.SOMATIC if is_tumour else Origin.UNKNOWN


def _specimen(sample: Document) -> str:
    return sample.get("description") or sample.get("sampledTissue", {}).get("label", "")


def _finding(
    reader: PacketReader, descriptor: Document, extensions: dict[str, str], place: str
) -> Finding | None:
    structural = descriptor.get("structuralType")
    if structural is not None and structural["id"] == FUSION["id"]:
        return _fusion(descriptor, extensions)
    context = descriptor.get("geneContext")
    if context is None:
        return None
    gene, gene_id = gene_of({"id": context["valueId"], "label": context["symbol"]})
    if extensions.pop("finding", "") == "pharmacogene":
        score = extensions.pop("activity_score", "")
        return Pharmacogene(
            gene=gene,
            diplotype=descriptor.get("label", ""),
            activity_score=number_of(score, place) if score else None,
            phenotype=extensions.pop("phenotype", ""),
        )
    if structural is not None and structural in COPY_CHANGES:
        return CopyNumber(
            gene=gene,
            gene_id=gene_id,
            change=CopyChange(COPY_CHANGES.word(structural) or ""),
            copies=_copies(descriptor, extensions, place),
        )
    if structural is not None:
        reader.lose(f"{place}/structuralType", f"structure: {structural['label']}")
    return _variant(reader, descriptor, extensions, place, Term(id=gene_id, label=gene))


def _fusion(descriptor: Document, extensions: dict[str, str]) -> Fusion:
    label = descriptor.get("label", "")
    five, _, three = label.replace("--", "::").partition("::")
    context = descriptor.get("geneContext")
    gene, gene_id = (
        ("", "") if context is None else gene_of({"id": context["valueId"], "label": context["symbol"]})
    )
    told = extensions.pop("five_prime_gene", "")
    return Fusion(
        five_prime=told or ("" if five in {_UNKNOWN_PARTNER, gene} else five),
        three_prime=gene or three.replace(_UNKNOWN_PARTNER, ""),
        five_prime_id=extensions.pop("five_prime_gene_id", ""),
        three_prime_id=gene_id,
    )


def _copies(descriptor: Document, extensions: dict[str, str], place: str) -> float | None:
    told = extensions.pop("copies", "")
    if told:
        return number_of(told, place)
    number = descriptor.get("variation", {}).get("copyNumber", {}).get("number")
    return None if number is None else float(number.get("value", 0))


def _variant(
    reader: PacketReader, descriptor: Document, extensions: dict[str, str], place: str, gene: Term
) -> SmallVariant:
    given: dict[str, str] = {}
    for number, each in enumerate(descriptor.get("expressions", [])):
        name = _SYNTAXES.get(each["syntax"].lower()) or _by_value(each["value"], each["syntax"])
        if name is None or name in given:
            reader.lose(f"{place}/expressions/{number}", f"{each['syntax']}: {each['value']}")
        else:
            given[name] = each["value"]
    fraction = extensions.pop("variant_allele_fraction", "")
    vaf = number_of(fraction, place) if fraction else None
    return SmallVariant(gene=gene["label"], gene_id=gene["id"], vaf=vaf, **given)


def _by_value(value: str, syntax: str) -> str | None:
    """What an HGVS expression is of where its syntax says HGVS only."""
    if not syntax.lower().startswith("hgvs"):
        return None
    names = ((":p.", "protein"), (":c.", "coding"), (":g.", "genomic"))
    return next((name for part, name in names if part in f":{value}"), None)
