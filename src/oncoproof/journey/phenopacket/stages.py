"""Stages: clinical ones on the disease, pathological ones on a sample, others as measurements.

Rules this module guarantees:

- Categories are kept as written (`T2a`, `N1`, `IVA`); those of other systems are taken from the words
  of their class (`pT2b Stage Finding`, `Stage II`). A class without a category in its words is a loss.

    >>> category({"id": "NCIT:C48766", "label": "pT2b Stage Finding"})
    ('t', 'T2b')
    >>> category({"id": "NCIT:C27971", "label": "Stage IV"})
    ('group', 'IV')
"""

import re
from datetime import date
from typing import Final

from oncoproof.journey.contents import Stage, StageBasis
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.curies import NOT_STATED, Term
from oncoproof.journey.phenopacket.measured import STAGE_ASSAYS, Part, of_term, tell_measurements
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import Draft, PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import ROLES, own, parts_of

CLINICAL: Final = "clinicalTnmFinding"
"""Field of a disease that the line of a clinical stage points to."""
PATHOLOGICAL: Final = "pathologicalTnmFinding"
"""Field of a sample that the line of a pathological stage points to."""

_SLOTS: Final = ("t", "n", "m")
_TNM: Final = re.compile(r"\b[cpyra]*(?P<category>(?P<slot>[TNM])(?:[0-4X]|is)[0-9A-Za-z()+-]*)")
_GROUP: Final = re.compile(r"\b[Ss]tage (?P<group>0|[IV]+[A-D]?\d?)\b")


def stage_term(slot: str, value: str) -> Term:
    """The class of a category."""
    label = f"Stage {value}" if slot == "group" else value
    return own(f"stage-{slot}", label, value)


def category(term: Term) -> tuple[str, str]:
    """Which category a class states, and its value; empty = none."""
    spelled = parts_of(term["id"])
    if len(spelled) == 2 and spelled[0].startswith("stage-"):
        return spelled[0][6:], spelled[1]
    match = _TNM.search(term["label"])
    if match is not None:
        return match["slot"].lower(), match["category"]
    match = _GROUP.search(term["label"])
    return ("", "") if match is None else ("group", match["group"])


def _categories(packet: Packet, content: Stage) -> dict[str, Term]:
    given = {"t": content.t, "n": content.n, "m": content.m, "group": content.group}
    return {slot: packet.say(stage_term(slot, value)) for slot, value in given.items() if value}


def tell_stage(packet: Packet, event: Event, content: Stage) -> None:
    """Write a stage."""
    terms = _categories(packet, content)
    number = packet.unstaged_primary()
    if content.basis is StageBasis.PATHOLOGICAL:
        pointer = f"/biosamples/{len(packet.samples)}/{PATHOLOGICAL}"
        packet.samples.append(_pathological_sample(packet, event, terms))
        packet.refer(event, pointer, told="day", method=_method(packet, content))
    elif number is not None:
        packet.staged.add(number)
        _stage_disease(packet.diseases[number], terms)
        packet.refer(event, f"/diseases/{number}/{CLINICAL}", method=_method(packet, content))
    else:
        _tell_measured_stage(packet, event, content, terms)


def _method(packet: Packet, content: Stage) -> str:
    return "" if content.method is None else packet.curies.curie(content.method.system, content.method.code)


def _stage_disease(disease: Document, terms: dict[str, Term]) -> None:
    tnm = [terms[slot] for slot in _SLOTS if slot in terms]
    if tnm:
        disease[CLINICAL] = tnm
    if "group" in terms:
        disease["diseaseStage"].append(terms["group"])


def _pathological_sample(packet: Packet, event: Event, terms: dict[str, Term]) -> Document:
    sample: Document = {
        "id": f"sample:{event.id}",
        "individualId": packet.record.patient.id,
        "timeOfCollection": packet.moment(event.day),
    }
    if "group" in terms:
        sample["pathologicalStage"] = terms["group"]
    tnm = [terms[slot] for slot in _SLOTS if slot in terms]
    if tnm:
        sample[PATHOLOGICAL] = tnm
    return sample


def _tell_measured_stage(packet: Packet, event: Event, content: Stage, terms: dict[str, Term]) -> None:
    assays = STAGE_ASSAYS[content.basis]
    parts = [(packet.say(assays[slot]), of_term(term)) for slot, term in terms.items()]
    if not parts:
        parts = [(packet.say(assays["group"]), of_term(packet.say(NOT_STATED)))]
    tell_measurements(packet, event, parts, beside={"method": _method(packet, content)})


def read_clinical_stage(reader: PacketReader, disease: Document, pointer: str, diagnosis: Draft) -> None:
    """Read the stage that stands on a disease; without a line it is of the day of onset."""
    place = f"{pointer}/{CLINICAL}"
    terms = [
        (f"{pointer}/{name}/{number}", term)
        for name in (CLINICAL, "diseaseStage")
        for number, term in enumerate(disease.get(name, []))
        if ROLES.word(term) is None
    ]
    if terms or place in reader.references:
        _add_stage(reader, place, terms, StageBasis.CLINICAL, diagnosis.start)


def read_pathological_stage(reader: PacketReader, sample: Document, pointer: str) -> None:
    """Read the stage that stands on a sample."""
    place = f"{pointer}/{PATHOLOGICAL}"
    terms = [(f"{place}/{number}", term) for number, term in enumerate(sample.get(PATHOLOGICAL, []))]
    if "pathologicalStage" in sample:
        terms.append((f"{pointer}/pathologicalStage", sample["pathologicalStage"]))
    if terms or place in reader.references:
        day, _ = reader.time(sample.get("timeOfCollection"), f"{pointer}/timeOfCollection")
        _add_stage(reader, place, terms, StageBasis.PATHOLOGICAL, day)


def _add_stage(
    reader: PacketReader,
    place: str,
    terms: list[tuple[str, Term]],
    basis: StageBasis,
    day: date | None,
) -> None:
    values: dict[str, str] = {}
    for pointer, term in terms:
        slot, value = category(term)
        if not slot or slot in values:
            reader.lose(pointer, f"a stage: {term['label']}")
        else:
            values[slot] = value
    if values or place in reader.references:
        reader.add(place, _stage(reader, place, basis, values), day)


def _stage(reader: PacketReader, place: str, basis: StageBasis, values: dict[str, str]) -> Stage:
    method = reader.beside(place).get("method")
    code = None if method is None else reader.codes_beside(method, place)[0]
    return Stage(basis=basis, method=code, **values)


def read_measured_stage(reader: PacketReader, parts: list[Part]) -> None:
    """Read a stage told as measurements."""
    values: dict[str, str] = {}
    for part in parts:
        term: Term = part.measurement.get("value", {}).get("ontologyClass", NOT_STATED)
        slot, value = category(term)
        if slot == part.slot:
            values[slot] = value
        elif term["id"] != NOT_STATED["id"]:
            reader.lose(part.pointer, f"a stage: {term['label']}")
    first = parts[0]
    start, end = reader.time(first.measurement.get("timeObserved"), f"{first.pointer}/timeObserved")
    content = _stage(reader, first.pointer, StageBasis(first.kind.partition(" ")[2]), values)
    reader.add(first.pointer, content, start, end, note=first.measurement.get("description", ""))
