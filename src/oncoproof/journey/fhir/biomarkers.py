"""Biomarkers: findings read back from genomic and tumour marker observations.

Rules this module guarantees:

- An observation of this project's making is read as the finding it names; a foreign one as a variant,
  a fusion, a copy number, MSI, TMB or a receptor, by its codes.
- A component that no finding has room for is a loss.

    >>> is_genomic({"code": {"coding": [{"code": "69548-6"}]}})
    True
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Biomarker
from oncoproof.journey.fhir.addresses import FINDING
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.findings import GENE_FUSION
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader, member, refused
from oncoproof.journey.fhir.vocabulary import (
    LEVEL_BY_CODE,
    MSI_BY_CODE,
    ORIGIN_BY_CODE,
    PRESENCE_BY_CODE,
    RECEPTOR_BY_CODE,
)
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Finding,
    Fusion,
    Hrd,
    HrdClass,
    Methylation,
    Msi,
    Origin,
    Pdl1,
    Pdl1Score,
    Pharmacogene,
    Presence,
    SmallVariant,
    Tmb,
)

_GENOMIC = {
    "69548-6": "",
    "81695-9": "Msi",
    "94076-7": "Tmb",
    **dict.fromkeys(RECEPTOR_BY_CODE, "Expression"),
}


@dataclass(slots=True)
class Parts:
    """The components of an observation by name: LOINC codes, and the project's own names."""

    reader: Reader
    """Where losses go."""
    item: Item
    """The observation."""
    held: dict[str, list[Object]]
    """The components not read yet, by name."""

    def text(self, name: str) -> str:
        """The words of a component, which is then read; empty = there is none."""
        part = self._take(name)
        return "" if part is None else str(part.get("valueString", ""))

    def number(self, name: str, unit: str = "1", *, most: float | None = None) -> float | None:
        """The number of a component in a unit, which is then read; None = there is none.

        Raises:
            FormatError: Its unit measures something else, or it is below 0 or above `most`.
        """
        part = self._take(name)
        held = None if part is None else part.get("valueQuantity")
        if held is None:
            return None
        path = f".component[{self._place(part)}].valueQuantity"
        value = self.reader.amount(self.item, path, held, unit)
        if value is not None and (value < 0.0 or (most is not None and value > most)):
            bound = "0 or more" if most is None else f"0 to {most:g}"
            raise refused(self.item, f"{path}.value", f"{held['value']:g}", f"{bound} in the unit {unit}")
        return value

    def _place(self, part: Object | None) -> int:
        """Which component of the observation this is."""
        components = self.item.resource["component"]
        return next(number for number, each in enumerate(components) if each is part)

    def codes(self, name: str) -> tuple[tuple[Code, ...], str]:
        """The codes and words of a component, which is then read."""
        part = self._take(name)
        concept = None if part is None else part.get("valueCodeableConcept")
        return self.reader.codes_and_text(self.item, ".component", concept)

    def gene(self, identity: str = "") -> tuple[str, str]:
        """Symbol and id of a gene; of the fusion partner with this element id, or of the next gene."""
        genes = self.held.get("48018-6", [])
        chosen = next((part for part in genes if not identity or part.get("id") == identity), None)
        if chosen is None:
            return "", ""
        genes.remove(chosen)
        codes, text = self.reader.codes_and_text(self.item, ".component", chosen.get("valueCodeableConcept"))
        first = codes[0] if codes else Code("", "")
        shown = next(
            (
                part
                for part in self.held.get("gene-id", [])
                if part.get("id", "") == (f"{identity}-id" if identity else "")
            ),
            None,
        )
        if shown is not None:
            self.held["gene-id"].remove(shown)
        is_hgnc = first.system == System.HGNC
        return text or first.display or first.code, first.code if is_hgnc else str(
            (shown or {}).get("valueString", "")
        )

    def _take(self, name: str) -> Object | None:
        parts = self.held.get(name)
        return parts.pop(0) if parts else None

    def rest(self) -> None:
        """Note every component that was not read."""
        for name, parts in self.held.items():
            for _ in parts:
                self.reader.lose(self.item, ".component", f"component {name}")


def _parts(reader: Reader, item: Item) -> Parts:
    held: dict[str, list[Object]] = {}
    for component in item.resource.get("component", ()):
        codings = component["code"].get("coding", ())
        fine = (
            coding.get("code", "") for coding in codings if coding.get("system") in {FINDING, System.LOINC}
        )
        held.setdefault(next(fine, component["code"].get("text", "?")), []).append(component)
    return Parts(reader, item, held)


def _loinc(resource: Object) -> list[str]:
    return [coding.get("code", "") for coding in resource["code"].get("coding", ())]


def is_genomic(resource: Object) -> bool:
    """Whether a foreign observation is read as a biomarker."""
    known = [code for code in _loinc(resource) if code in _GENOMIC]
    if not known:
        return False
    answers = {answer.get("code") for answer in resource.get("valueCodeableConcept", {}).get("coding", ())}
    if known[0] in RECEPTOR_BY_CODE:
        return bool(answers & LEVEL_BY_CODE.keys())
    if _GENOMIC[known[0]] == "Msi":
        return bool(answers & MSI_BY_CODE.keys())
    return known[0] == "69548-6" or "value" in resource.get("valueQuantity", {})


_READ = ALWAYS | names_in(
    "status category code subject effectiveDateTime effectivePeriod valueCodeableConcept valueQuantity note "
    "method specimen component"
)
_SPECIMEN_READ = names_in("resourceType id meta status type subject")
_OWN_TEXT = frozenset({"Expression", "Pdl1", "Hrd", "Methylation"})


def read_biomarker(reader: Reader, item: Item) -> list[Found]:
    """The finding that an observation states."""
    resource = item.resource
    parts = _parts(reader, item)
    name = item.mark("finding") or _foreign_name(resource, parts)
    codes = reader.once(item, _codes_alone if name in _OWN_TEXT and item.kind else _codes)
    if not item.kind:
        codes = tuple(code for code in codes if code.code not in _GENOMIC) + _variation_codes(parts)
    presence = _presence(reader, item, parts)
    if name not in _FINDINGS:
        raise refused(item, ".extension", repr(name), f"one of {', '.join(_FINDINGS)}")
    finding = _FINDINGS[name](parts)
    origin = _origin(parts)
    day, end = reader.first_day(item, "effectiveDateTime", "effectivePeriod")
    marked = item.marks.get("end")
    reader.take_note(item)
    reader.once(item, _note_category)
    content = Biomarker(
        finding=finding,
        presence=presence,
        origin=origin,
        assay=reader.once(item, _assay),
        specimen=_specimen(reader, item),
    )
    parts.rest()
    reader.rest(item, _READ)
    return [
        Found(
            content=content,
            day=day,
            codes=codes,
            end=end if marked is None else reader.day(item, ".extension", str(marked)),
        )
    ]


def _codes(reader: Reader, item: Item) -> tuple[Code, ...]:
    return reader.codes(item, ".code", item.resource["code"])


def _codes_alone(reader: Reader, item: Item) -> tuple[Code, ...]:
    """The codes of an observation of this project's making whose words repeat its finding."""
    return reader.codes_and_text(item, ".code", item.resource["code"])[0]


def _foreign_name(resource: Object, parts: Parts) -> str:
    known = next((_GENOMIC[code] for code in _loinc(resource) if code in _GENOMIC), "")
    if known:
        return known
    changes = parts.held.get("48019-4", [])
    codes = [
        coding.get("code")
        for part in changes
        for coding in part.get("valueCodeableConcept", {}).get("coding", ())
    ]
    if GENE_FUSION in codes or len(parts.held.get("48018-6", [])) == 2:
        return "Fusion"
    return "CopyNumber" if "82155-3" in parts.held else "SmallVariant"


def _variation_codes(parts: Parts) -> tuple[Code, ...]:
    """Names of the variant in databases such as ClinVar, which become codes of the event."""
    found: list[Code] = []
    while parts.held.get("81252-9"):
        codes, text = parts.codes("81252-9")
        found += codes
        if text and not codes:
            parts.item.note += (text,)
    return tuple(found)


def _presence(reader: Reader, item: Item, parts: Parts) -> Presence:
    stated = parts.text("presence")
    if stated:
        return member(Presence, stated, item, ".component")
    if "69548-6" not in _loinc(item.resource):
        return Presence.PRESENT
    codes, _ = reader.once(item, _answers)
    known = [PRESENCE_BY_CODE[code.code] for code in codes if code.code in PRESENCE_BY_CODE]
    return known[0] if known else Presence.INDETERMINATE


def _origin(parts: Parts) -> Origin:
    codes, _ = parts.codes("48002-0")
    for code in codes:
        if code.code not in ORIGIN_BY_CODE:
            parts.reader.lose(parts.item, ".component", f"genomic source class {code.code}")
    return next((ORIGIN_BY_CODE[code.code] for code in codes if code.code in ORIGIN_BY_CODE), Origin.UNKNOWN)


def _assay(reader: Reader, item: Item) -> str:
    codes, text = reader.codes_and_text(item, ".method", item.resource.get("method"))
    if codes and not text:
        reader.lose(item, ".method", f"the code {codes[0].code} of the method; its words are kept")
    return text or (codes[0].display or codes[0].code if codes else "")


def _specimen(reader: Reader, item: Item) -> str:
    """What the specimen of a finding is; each specimen is read once."""
    reference = item.resource.get("specimen")
    if reference is None:
        return ""
    known = reader.specimens.get(reference.get("reference", ""))
    if known is not None:
        return known
    child = reader.take(reference)
    if child is None or child.resource["resourceType"] != "Specimen":
        reader.lose(item, ".specimen", str(reference.get("reference", "a specimen")))
        return ""
    codes, text = reader.codes_and_text(child, ".type", child.resource.get("type"))
    reader.sides(child, "", child.resource, _SPECIMEN_READ, "")
    name = text or (codes[0].display or codes[0].code if codes else "")
    reader.specimens[reference["reference"]] = name
    return name


def _note_category(reader: Reader, item: Item) -> None:
    for category in item.resource.get("category", ()):
        for code in reader.codes(item, ".category", category):
            if code.code not in {"laboratory", "GE"}:
                reader.lose(item, ".category", f"category {code.code}")


def _small_variant(parts: Parts) -> Finding:
    gene, gene_id = parts.gene()
    return SmallVariant(
        gene=gene,
        gene_id=gene_id,
        protein=_hgvs(parts, "48005-3", "protein"),
        coding=_hgvs(parts, "48004-6", "coding"),
        genomic=_hgvs(parts, "81290-9", "genomic"),
        vaf=parts.number("81258-6", most=1.0),
    )


def _hgvs(parts: Parts, loinc: str, name: str) -> str:
    codes, text = parts.codes(loinc)
    return codes[0].code if codes else text or parts.text(name)


def _fusion(parts: Parts) -> Finding:
    parts.held.pop("48019-4", None)
    if parts.item.kind:
        (five, five_id), (three, three_id) = parts.gene("five-prime"), parts.gene("three-prime")
    else:
        (five, five_id), (three, three_id) = parts.gene(), parts.gene()
    return Fusion(five_prime=five, three_prime=three, five_prime_id=five_id, three_prime_id=three_id)


def _copy_number(parts: Parts) -> Finding:
    parts.held.pop("48019-4", None)
    gene, gene_id = parts.gene()
    stated, copies = parts.text("copy-change"), parts.number("82155-3")
    return CopyNumber(gene=gene, gene_id=gene_id, change=_change(parts.item, stated, copies), copies=copies)


def _change(item: Item, stated: str, copies: float | None) -> CopyChange:
    """The class of a copy number; a foreign one is classed by its number."""
    if stated:
        return member(CopyChange, stated, item, ".component")
    bounds = (
        (0.5, CopyChange.DEEP_DELETION),
        (1.5, CopyChange.LOSS),
        (2.5, CopyChange.NEUTRAL),
        (6.0, CopyChange.GAIN),
    )
    return next((change for bound, change in bounds if (copies or 2.0) < bound), CopyChange.AMPLIFICATION)


def _answers(reader: Reader, item: Item) -> tuple[tuple[Code, ...], str]:
    return reader.codes_and_text(item, ".valueCodeableConcept", item.resource.get("valueCodeableConcept"))


def _answer(parts: Parts) -> tuple[tuple[Code, ...], str]:
    return parts.reader.once(parts.item, _answers)


def _amount(parts: Parts, unit: str) -> float:
    held = parts.item.resource.get("valueQuantity")
    amount = None if held is None else parts.reader.amount(parts.item, ".valueQuantity", held, unit)
    return 0.0 if amount is None else amount


def _expression(parts: Parts) -> Finding:
    gene, gene_id = parts.gene()
    codes, text = _answer(parts)
    level = text or next((LEVEL_BY_CODE.get(code.code, code.display) for code in codes), "")
    if not parts.item.kind:
        loinc = _loinc(parts.item.resource)
        gene = gene or next((RECEPTOR_BY_CODE[code] for code in loinc if code in RECEPTOR_BY_CODE), "")
        level = next((LEVEL_BY_CODE[code.code] for code in codes if code.code in LEVEL_BY_CODE), level)
    return Expression(
        gene=gene, gene_id=gene_id, level=level, percent=parts.number("percent", "%", most=100.0)
    )


def _pdl1(parts: Parts) -> Finding:
    score = parts.text("score")
    kind = member(Pdl1Score, score, parts.item, ".component") if score else Pdl1Score.TPS
    percent = _amount(parts, "1" if kind is Pdl1Score.CPS else "%")
    return Pdl1(score=kind, percent=percent, antibody=parts.text("antibody"))


def _msi(parts: Parts) -> Finding:
    codes, _ = _answer(parts)
    known = [MSI_BY_CODE[code.code] for code in codes if code.code in MSI_BY_CODE]
    if not known:
        raise refused(
            parts.item, ".valueCodeableConcept", "no known answer", f"one of {', '.join(MSI_BY_CODE)}"
        )
    return Msi(status=known[0])


_PER_MEGABASE = re.compile(r"(mut(ation)?s?|var(iant)?s?|1)?(/|per)(mb|megabases?|1000000bases?)")


def _tmb(parts: Parts) -> Finding:
    held = parts.item.resource.get("valueQuantity", {})
    amount = parts.reader.quantity(parts.item, ".valueQuantity", held)
    if amount is None:
        return Tmb(per_megabase=0.0)
    # Bases are no unit of UCUM, so what one writes for them is told by its words.
    if not _PER_MEGABASE.fullmatch(re.sub(r"[{}\s]", "", amount.unit).lower()):
        came = repr(amount.unit) if amount.unit else "no unit"
        raise refused(parts.item, ".valueQuantity.code", came, "mutations per megabase, 1/1000000{Base}")
    return Tmb(per_megabase=amount.value)


def _hrd(parts: Parts) -> Finding:
    _, text = _answer(parts)
    status = member(HrdClass, text, parts.item, ".valueCodeableConcept")
    return Hrd(status=status, score=parts.number("score"))


def _methylation(parts: Parts) -> Finding:
    gene, _ = parts.gene()
    return Methylation(gene=gene, methylation_class=_answer(parts)[1])


def _pharmacogene(parts: Parts) -> Finding:
    gene, _ = parts.gene()
    return Pharmacogene(
        gene=gene,
        diplotype=_answer(parts)[1],
        activity_score=parts.number("activity-score"),
        phenotype=parts.text("phenotype"),
    )


_FINDINGS: dict[str, Callable[[Any], Finding]] = {
    "SmallVariant": _small_variant,
    "Fusion": _fusion,
    "CopyNumber": _copy_number,
    "Expression": _expression,
    "Pdl1": _pdl1,
    "Msi": _msi,
    "Tmb": _tmb,
    "Hrd": _hrd,
    "Methylation": _methylation,
    "Pharmacogene": _pharmacogene,
}
