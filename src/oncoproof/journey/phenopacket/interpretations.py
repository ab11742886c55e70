"""Interpretations: small variants, fusions, copy numbers and pharmacogenes as variation descriptors.

Rules this module guarantees:

- Every variant among the interpretations is there, whatever its status: the status says what it has to do
  with the disease, which is a loss except in what this project wrote. What was looked for and not found
  is told elsewhere (`markers`).
- What a descriptor has no field for (origin, allele fraction, assay) stands in its `extensions`.
- A structure that is neither a fusion nor a copy number is a loss, not a small variant without a change;
  a finding on a sample of somebody else is a loss, never the patient's.

    >>> variant_label(SmallVariant(gene="EGFR", protein="p.Leu858Arg"))
    'EGFR p.Leu858Arg'
    >>> _by_value("NM_000321.2:c.958C>T", "hgvs")
    'coding'
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
    SmallVariant,
)
from oncoproof.journey.phenopacket.curies import NOT_STATED
from oncoproof.journey.phenopacket.markers import gene_of, gene_term
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader, number_of
from oncoproof.journey.phenopacket.samples import is_of_subject, is_own_sample, sample_of
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import COPY_CHANGES, FUSION

_PROGRESS: Final = "COMPLETED"
_SYNTAXES: Final = {"hgvs.p": "protein", "hgvs.c": "coding", "hgvs.g": "genomic"}
_UNKNOWN_PARTNER: Final = "?"
_STATUS: Final = "CONTRIBUTORY"
_CONTEXTS: Final = (("genomic", "genomic"), ("coding", "transcript"), ("protein", "protein"))
_COPIES_MAX: Final = 1_000_000
_ORIGINS: Final = {each.value: each for each in Origin}


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
        {"syntax": syntax, "value": given[name]} for syntax, name in _SYNTAXES.items() if given[name]
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
    five, three = finding.five_prime or _UNKNOWN_PARTNER, finding.three_prime or _UNKNOWN_PARTNER
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
            "progressStatus": _PROGRESS,
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
        pointer = f"/interpretations/{number}"
        diagnosis: Document = each["diagnosis"]
        if each.get("progressStatus", _PROGRESS) != _PROGRESS:
            reader.lose(f"{pointer}/progressStatus", f"how far it is: {each['progressStatus']}")
        if diagnosis["disease"]["id"] not in terms:
            words = f"a diagnosis by genomics only: {diagnosis['disease']['label']}"
            reader.lose(f"{pointer}/diagnosis/disease", words)
        for place, call in enumerate(diagnosis.get("genomicInterpretations", [])):
            referred.add(call["subjectOrBiosampleId"])
            sample = samples.get(call["subjectOrBiosampleId"])
            call_pointer = f"{pointer}/diagnosis/genomicInterpretations/{place}"
            reader.attempt(call_pointer, partial(_read_call, reader, call, call_pointer, sample))
    return frozenset(referred)


def _read_call(reader: PacketReader, call: Document, pointer: str, sample: Document | None) -> None:
    if sample is not None and not is_of_subject(reader, sample):
        reader.lose(pointer, f"a finding of somebody else: {sample['individualId']}")
        return
    if "gene" in call:
        reader.lose(f"{pointer}/gene", f"a gene without a variant: {call['gene']['symbol']}")
        return
    status = call.get("interpretationStatus")
    if status is not None and pointer not in reader.references:
        reader.lose(f"{pointer}/interpretationStatus", f"what it has to do with the disease: {status}")
    descriptor: Document = call["variantInterpretation"]["variationDescriptor"]
    place = f"{pointer}/variantInterpretation/variationDescriptor"
    reading = _Descriptor(reader, descriptor, place)
    finding = reading.finding()
    if finding is None:
        return
    origin = _ORIGINS.get(reading.take("origin"), _origin(sample))
    content = Biomarker(
        finding=finding,
        origin=origin,
        assay=reading.take("assay"),
        specimen="" if sample is None else _specimen(sample),
    )
    reading.lose_rest()
    start, end = (None, None) if sample is None else reader.time(sample.get("timeOfCollection"), pointer)
    reader.add(pointer, content, start, end)


def _origin(sample: Document | None) -> Origin:
    """Where a finding comes from, by the histology of the sample it was made on."""
    is_tumour = sample is not None and "tumorProgression" in sample and not is_own_sample(sample)
    return Origin.SOMATIC if is_tumour else Origin.UNKNOWN


def _specimen(sample: Document) -> str:
    return sample.get("description") or sample.get("sampledTissue", {}).get("label", "")


def _by_value(value: str, syntax: str) -> str | None:
    """What an HGVS expression is of where its syntax says HGVS only."""
    if not syntax.lower().startswith("hgvs"):
        return None
    names = ((":p.", "protein"), (":c.", "coding"), (":g.", "genomic"))
    return next((name for part, name in names if part in f":{value}"), None)


class _Descriptor:
    """A descriptor that is being read; what nobody takes of its extensions is lost."""

    def __init__(self, reader: PacketReader, descriptor: Document, place: str) -> None:
        self._reader = reader
        self._descriptor = descriptor
        self._place = place
        self._label: str = descriptor.get("label", "")
        self._extensions: dict[str, str] = {}
        for number, each in enumerate(descriptor.get("extensions", [])):
            name, value = each["name"], each.get("value", "")
            if name in self._extensions:
                self._lose(f"extensions/{number}", f"{name}: {value}")
            else:
                self._extensions[name] = value

    def take(self, name: str) -> str:
        """The value of an extension; empty = there is none."""
        return self._extensions.pop(name, "")

    def lose_rest(self) -> None:
        """Name what nobody took."""
        for name, value in self._extensions.items():
            self._lose("extensions", f"{name}: {value}")

    def _take_number(self, name: str) -> float | None:
        words = self.take(name)
        return number_of(words, self._place) if words else None

    def _lose(self, part: str, what: str) -> None:
        self._reader.lose(f"{self._place}/{part}", what)

    def finding(self) -> Finding | None:
        """What was found; None = a journey has no place for it, which is named."""
        structure = self._descriptor.get("structuralType")
        if structure is not None and structure["id"] == FUSION["id"]:
            return self._fusion()
        if structure is not None and structure not in COPY_CHANGES:
            self._lose("structuralType", f"a structure: {structure['label']} {self._label}".rstrip())
            return None
        if "geneContext" not in self._descriptor:
            words = self._label or self._descriptor.get("id", "")
            self._reader.lose(self._place, f"a variant without gene: {words}".rstrip())
            return None
        gene, gene_id = self._gene()
        if self.take("finding") == "pharmacogene":
            return self._pharmacogene(gene)
        if structure is not None:
            change = CopyChange(COPY_CHANGES.word(structure) or "")
            return self._copy_number(gene, gene_id, change)
        return self._variant(gene, gene_id)

    def _gene(self) -> tuple[str, str]:
        context: Document = self._descriptor["geneContext"]
        pointer = f"{self._place}/geneContext/valueId"
        return gene_of(self._reader, context["valueId"], context["symbol"], pointer)

    def _pharmacogene(self, gene: str) -> Pharmacogene:
        score = self._take_number("activity_score")
        return Pharmacogene(
            gene=gene, diplotype=self._label, activity_score=score, phenotype=self.take("phenotype")
        )

    def _fusion(self) -> Fusion:
        five, _, three = self._label.replace("--", "::").partition("::")
        gene, gene_id = self._gene() if "geneContext" in self._descriptor else ("", "")
        told = self.take("five_prime_gene")
        return Fusion(
            five_prime=told or ("" if five in {_UNKNOWN_PARTNER, gene} else five),
            three_prime=gene or three.replace(_UNKNOWN_PARTNER, ""),
            five_prime_id=self.take("five_prime_gene_id"),
            three_prime_id=gene_id or self.take("three_prime_gene_id"),
        )

    def _copy_number(self, gene: str, gene_id: str, change: CopyChange) -> CopyNumber:
        copies = self._take_number("copies")
        if copies is None:
            number = self._descriptor.get("variation", {}).get("copyNumber", {}).get("number")
            copies = None if number is None else float(number.get("value", 0))
        finding = CopyNumber(gene=gene, gene_id=gene_id, change=change, copies=copies)
        self._lose_label(copies_label(finding))
        return finding

    def _variant(self, gene: str, gene_id: str) -> SmallVariant:
        given: dict[str, str] = {}
        for number, each in enumerate(self._descriptor.get("expressions", [])):
            name = _SYNTAXES.get(each["syntax"].lower()) or _by_value(each["value"], each["syntax"])
            if name is None or name in given:
                self._lose(f"expressions/{number}", f"{each['syntax']}: {each['value']}")
            else:
                given[name] = each["value"]
        vaf = self._take_number("variant_allele_fraction")
        finding = SmallVariant(gene=gene, gene_id=gene_id, vaf=vaf, **given)
        self._lose_label(variant_label(finding))
        return finding

    def _lose_label(self, usual: str) -> None:
        """Name a label that says more than the rest does."""
        if self._label and self._label != usual:
            self._lose("label", f"its name: {self._label}")
