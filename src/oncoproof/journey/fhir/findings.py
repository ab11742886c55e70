"""Findings: biomarker events as genomic and tumour marker observations.

Rules this module guarantees:

- Variants, fusions and copy numbers are mCODE genomic variants with Genomics Reporting's components;
  MSI, TMB and diplotypes follow Genomics Reporting; stains are tumour marker tests.
- What no public code names stands in components coded `urn:oncoproof:finding`; HGVS that is not HGVS
  stands there in words, never as a code.
- One genomics report groups the findings of one day, assay and specimen.

    >>> text_part("antibody", "22C3")["valueString"]
    '22C3'
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from oncoproof.journey.codes import System
from oncoproof.journey.contents import Biomarker
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import (
    FINDING,
    OBSERVATION_CATEGORY,
    REPORT_SECTION,
    SEQUENCE_ONTOLOGY,
)
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.vocabulary import LEVELS, MSI, ORIGIN, PDL1_SCORES, PDL1_TPS, PRESENCE, RECEPTORS
from oncoproof.journey.fhir.writer import (
    Writer,
    coding,
    concept,
    derived,
    is_sayable,
    meta,
    named,
    quantity,
    words,
)
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Fusion,
    Hrd,
    Methylation,
    Msi,
    Pdl1,
    Pdl1Score,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)

_LOINC = System.LOINC.value
_HGNC = System.HGNC.value
_CHANGES = {
    CopyChange.AMPLIFICATION: "SO:0001742",
    CopyChange.GAIN: "SO:0001742",
    CopyChange.LOSS: "SO:0001743",
    CopyChange.DEEP_DELETION: "SO:0001743",
}
GENE_FUSION = "SO:0001565"
"""Sequence Ontology: a gene fusion."""
_IN_REPORTS = (SmallVariant, Fusion, CopyNumber, Msi, Tmb, Pharmacogene)


@dataclass(slots=True)
class Draft:
    """What one finding puts into its observation."""

    profile: str
    """Profile, as `guide/id`."""
    code: tuple[tuple[str, str, str], ...] = ()
    """The codes that the profile fixes: system, code, display."""
    text: str = ""
    """Words for what was observed; empty = the code says it."""
    value: Object = field(default_factory=dict[str, Any])
    """The element that carries the value, by name."""
    parts: list[Object] = field(default_factory=list[Object])
    """The components."""


def text_part(name: str, text: str, *, identity: str = "") -> Object:
    """A component that only this project names, in words."""
    part: Object = {"code": concept(FINDING, name), "valueString": text}
    return {"id": identity, **part} if identity else part


def _coded_part(loinc: str, value: Object, *, identity: str = "") -> Object:
    part: Object = {"code": concept(_LOINC, loinc), "valueCodeableConcept": value}
    return {"id": identity, **part} if identity else part


def _gene_parts(symbol: str, gene_id: str, *, identity: str = "") -> list[Object]:
    if not symbol and not gene_id:
        return []
    value: Object = {}
    if gene_id and is_sayable(_HGNC, gene_id):
        value["coding"] = [coding(_HGNC, gene_id, symbol)]
    if symbol:
        value["text"] = symbol
    parts = [_coded_part("48018-6", value or words(""), identity=identity)]
    if gene_id and "coding" not in value:
        parts.append(text_part("gene-id", gene_id, identity=f"{identity}-id" if identity else ""))
    return parts


def _hgvs_part(loinc: str, name: str, expression: str) -> list[Object]:
    if not expression:
        return []
    if not is_sayable(System.HGVS.value, expression):
        return [text_part(name, expression)]
    return [_coded_part(loinc, concept(System.HGVS.value, expression))]


_REGION = "mcode/mcode-genomic-region-studied"
_GENETIC = frozenset({"mcode/mcode-genomic-variant", _REGION, "gr/msi", "gr/tmb", "gr/genotype"})
_VARIANT = (_LOINC, "69548-6", "Genetic variant assessment")


def _small_variant(finding: SmallVariant) -> Draft:
    parts = [
        *_gene_parts(finding.gene, finding.gene_id),
        *_hgvs_part("48004-6", "coding", finding.coding),
        *_hgvs_part("48005-3", "protein", finding.protein),
        *_hgvs_part("81290-9", "genomic", finding.genomic),
    ]
    if finding.vaf is not None:
        parts.append({"code": concept(_LOINC, "81258-6"), "valueQuantity": quantity(finding.vaf, "1")})
    return Draft("mcode/mcode-genomic-variant", (_VARIANT,), parts=parts)


def _fusion(finding: Fusion) -> Draft:
    parts = [
        *_gene_parts(finding.five_prime, finding.five_prime_id, identity="five-prime"),
        *_gene_parts(finding.three_prime, finding.three_prime_id, identity="three-prime"),
        _coded_part("48019-4", concept(SEQUENCE_ONTOLOGY, GENE_FUSION, "gene_fusion")),
    ]
    return Draft("mcode/mcode-genomic-variant", (_VARIANT,), parts=parts)


def _copy_number(finding: CopyNumber) -> Draft:
    parts = [*_gene_parts(finding.gene, finding.gene_id), text_part("copy-change", finding.change.value)]
    if finding.change in _CHANGES:
        parts.append(_coded_part("48019-4", concept(SEQUENCE_ONTOLOGY, _CHANGES[finding.change])))
    if finding.copies is not None:
        parts.append({"code": concept(_LOINC, "82155-3"), "valueQuantity": quantity(finding.copies, "1")})
    return Draft("mcode/mcode-genomic-variant", (_VARIANT,), parts=parts)


def _expression(finding: Expression) -> Draft:
    parts = _gene_parts(finding.gene, finding.gene_id)
    if finding.percent is not None:
        parts.append({"code": concept(FINDING, "percent"), "valueQuantity": quantity(finding.percent, "%")})
    code = RECEPTORS.get(finding.gene)
    fixed = () if code is None else ((_LOINC, code, f"{finding.gene} in tissue"),)
    value = words(finding.level)
    if finding.level in LEVELS:
        value = {**concept(System.SNOMED.value, *LEVELS[finding.level]), "text": finding.level}
    text = "" if fixed else f"{finding.gene} expression"
    return Draft("mcode/mcode-tumor-marker-test", fixed, text, {"valueCodeableConcept": value}, parts)


def _pdl1(finding: Pdl1) -> Draft:
    fixed = ((_LOINC, PDL1_TPS, "PD-L1 tumour proportion"),) if finding.score is Pdl1Score.TPS else ()
    parts = [text_part("score", finding.score.value)]
    if finding.antibody:
        parts.append(text_part("antibody", finding.antibody))
    unit = "1" if finding.score is Pdl1Score.CPS else "%"
    text = f"PD-L1 {PDL1_SCORES[finding.score]}"
    return Draft(
        "mcode/mcode-tumor-marker-test",
        fixed,
        text,
        {"valueQuantity": quantity(finding.percent, unit)},
        parts,
    )


def _msi(finding: Msi) -> Draft:
    code = (_LOINC, "81695-9", "Microsatellite instability")
    return Draft("gr/msi", (code,), value={"valueCodeableConcept": concept(_LOINC, MSI[finding.status])})


def _tmb(finding: Tmb) -> Draft:
    code = (_LOINC, "94076-7", "Mutations/Megabase [# Ratio] in Tumor")
    return Draft(
        "gr/tmb", (code,), value={"valueQuantity": quantity(finding.per_megabase, "1/1000000{Base}")}
    )


def _hrd(finding: Hrd) -> Draft:
    parts: list[Object] = []
    if finding.score is not None:
        parts.append({"code": concept(FINDING, "score"), "valueQuantity": quantity(finding.score, "1")})
    value = {"valueCodeableConcept": words(finding.status.value)}
    return Draft("us-core/us-core-observation-lab", (), "Homologous recombination deficiency", value, parts)


def _methylation(finding: Methylation) -> Draft:
    value = {"valueCodeableConcept": words(finding.methylation_class)}
    parts = _gene_parts(finding.gene, "")
    return Draft("us-core/us-core-observation-lab", (), "Methylation class", value, parts)


def _pharmacogene(finding: Pharmacogene) -> Draft:
    parts = _gene_parts(finding.gene, "")
    if finding.activity_score is not None:
        score = quantity(finding.activity_score, "1")
        parts.append({"code": concept(FINDING, "activity-score"), "valueQuantity": score})
    if finding.phenotype:
        parts.append(text_part("phenotype", finding.phenotype))
    code = (_LOINC, "84413-4", "Genotype display name")
    return Draft(
        "gr/genotype", (code,), value={"valueCodeableConcept": words(finding.diplotype)}, parts=parts
    )


_DRAFTS: dict[type, Callable[[Any], Draft]] = {
    SmallVariant: _small_variant,
    Fusion: _fusion,
    CopyNumber: _copy_number,
    Expression: _expression,
    Pdl1: _pdl1,
    Msi: _msi,
    Tmb: _tmb,
    Hrd: _hrd,
    Methylation: _methylation,
    Pharmacogene: _pharmacogene,
}

FINDING_NAMES = {kind: kind.__name__ for kind in _DRAFTS}
"""What the own extension calls each kind of finding."""


def write_biomarker(writer: Writer, event: Event, content: Biomarker) -> None:
    """Add a finding to the bundle."""
    kind = type(content.finding)
    draft = _DRAFTS[kind](content.finding)
    parts = draft.parts
    is_variant = draft.code == (_VARIANT,)
    if content.origin in ORIGIN:
        parts.append(_coded_part("48002-0", concept(_LOINC, ORIGIN[content.origin], content.origin.value)))
    if content.presence is not Presence.PRESENT and not is_variant:
        parts.append(text_part("presence", content.presence.value))
    mark = {"url": "finding", "valueCode": FINDING_NAMES[kind]}
    resource: Object = {
        "resourceType": "Observation",
        "id": event.id,
        "meta": meta(draft.profile),
        "extension": writer.marks(event, mark, *writer.end_mark(event)),
        "status": "final",
        "category": _categories(draft.profile),
        "code": named(event.codes, *draft.code, text=draft.text),
        "subject": writer.subject(),
        "effectiveDateTime": writer.date(event.day),
        **draft.value,
    }
    if is_variant:
        answer = concept(_LOINC, PRESENCE[content.presence], content.presence.value)
        resource["valueCodeableConcept"] = answer
    if event.note:
        resource["note"] = [{"text": event.note}]
    if content.assay:
        resource["method"] = {"text": content.assay}
    if content.specimen:
        resource["specimen"] = {"reference": _specimen(writer, event, content.specimen)}
    if parts:
        resource["component"] = parts
    writer.put(resource)


def _categories(name: str) -> list[Object]:
    """Laboratory; where the profile rests on Genomics Reporting, genetics beside it."""
    categories = [concept(OBSERVATION_CATEGORY, "laboratory")]
    if name in _GENETIC:
        categories.append(concept(REPORT_SECTION, "GE"))
    return categories


def _specimen(writer: Writer, event: Event, name: str) -> str:
    """The address of the specimen with a name; written when it is first met."""
    address = writer.specimens.get(name)
    if address is None:
        identity = writer.part_id(event.id, "specimen")
        address = writer.specimens[name] = f"Specimen/{identity}"
        writer.put(
            {
                "resourceType": "Specimen",
                "id": identity,
                "meta": derived("mcode/mcode-human-specimen"),
                "status": "available",
                "type": {"text": name},
                "subject": writer.subject(),
            }
        )
    return address


def write_reports(writer: Writer) -> None:
    """Add the genomics reports that group the findings, and the regions that were looked at in vain."""
    groups: dict[tuple[int, str, str], list[Event]] = {}
    for event in writer.record.events:
        content = event.content
        if isinstance(content, Biomarker) and isinstance(content.finding, _IN_REPORTS):
            groups.setdefault((event.day, content.assay, content.specimen), []).append(event)
    for (day, _, specimen), events in groups.items():
        results = [{"reference": writer.addresses[event.id]} for event in events]
        region = _region_studied(writer, events)
        if region:
            results.append({"reference": region})
        report: Object = {
            "resourceType": "DiagnosticReport",
            "id": writer.part_id(events[0].id, "report"),
            "meta": derived("mcode/mcode-genomics-report"),
            "status": "final",
            "category": [concept(REPORT_SECTION, "GE"), concept(REPORT_SECTION, "LAB")],
            "code": concept(_LOINC, "81247-9", "Master HL7 genetic variant reporting panel"),
            "subject": writer.subject(),
            "effectiveDateTime": writer.date(day),
            "result": results,
        }
        if specimen:
            report["specimen"] = [{"reference": writer.specimens[specimen]}]
        writer.put(report)


def _region_studied(writer: Writer, events: list[Event]) -> str:
    """The address of an observation that lists genes without a variant; empty = there are none."""
    genes: dict[tuple[str, str], None] = {}
    for event in events:
        content = event.content
        if isinstance(content, Biomarker) and content.presence is Presence.ABSENT:
            finding = content.finding
            if isinstance(finding, SmallVariant | CopyNumber):
                genes[finding.gene, finding.gene_id] = None
    parts = [part for gene, gene_id in genes for part in _gene_parts(gene, gene_id)[:1]]
    if not parts:
        return ""
    identity = writer.part_id(events[0].id, "region")
    writer.put(
        {
            "resourceType": "Observation",
            "id": identity,
            "meta": derived(_REGION),
            "status": "final",
            "category": _categories(_REGION),
            "code": concept(_LOINC, "53041-0", "DNA region of interest panel"),
            "subject": writer.subject(),
            "effectiveDateTime": writer.date(events[0].day),
            "component": parts,
        }
    )
    return f"Observation/{identity}"
