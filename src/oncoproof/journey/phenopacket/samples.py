"""Biosamples: what findings were made on, and what the tumour looks like.

Rules this module guarantees:

- Findings of one specimen, day and origin share a sample. A piece of the tumour carries the histology
  and site of the cancer known by then; blood and the like do not.
- The histology of a diagnosis stands on a sample named after the event. Of other systems' samples the
  first histology of a cancer becomes its histology; a sample that names a cancer of its own becomes a
  diagnosis; what nothing refers to is a loss.

    >>> sample_id("e3")
    'sample:e3'
"""

from typing import Final

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Biomarker, Diagnosis, Role
from oncoproof.journey.events import Event
from oncoproof.journey.omics import Origin
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.stages import read_pathological_stage
from oncoproof.journey.phenopacket.vocabularies import (
    ABNORMAL_SAMPLE,
    HUMAN,
    REFERENCE_SAMPLE,
    ROLES,
    TUMOUR_SPECIMENS,
    text_term,
)

SECTION: Final = "biosamples"
"""Name of the section."""


def sample_id(event_id: str) -> str:
    """Id of the sample that an event brings."""
    return f"sample:{event_id}"


def tell_tumour_sample(packet: Packet, event: Event, content: Diagnosis, histology: Code) -> None:
    """Write the sample on which the histology of a diagnosis stands."""
    sample = _sample(packet, event)
    if content.sites:
        sample["sampledTissue"] = packet.term(content.sites[0])
    sample["histologicalDiagnosis"] = packet.term(histology)
    sample["tumorProgression"] = packet.say(ROLES.term(content.role))
    sample["materialSample"] = packet.say(ABNORMAL_SAMPLE)
    packet.samples.append(sample)


def _sample(packet: Packet, event: Event) -> Document:
    return {
        "id": sample_id(event.id),
        "individualId": packet.record.patient.id,
        "timeOfCollection": packet.moment(event.day),
    }


def sample_of(packet: Packet, event: Event, content: Biomarker) -> str:
    """Id of the sample that a finding was made on; the patient's where the specimen is not stated."""
    if not content.specimen:
        return packet.record.patient.id
    is_germline = content.origin is Origin.GERMLINE
    key = (content.specimen, event.day, is_germline)
    pooled = packet.pooled.get(key)
    if pooled is None:
        pooled = packet.pooled[key] = sample_id(event.id)
        packet.samples.append(_specimen(packet, event, content, is_germline=is_germline))
    return pooled


def _specimen(packet: Packet, event: Event, content: Biomarker, *, is_germline: bool) -> Document:
    sample = _sample(packet, event)
    sample["description"] = content.specimen
    cancer = packet.primary()
    is_tumour = content.specimen in TUMOUR_SPECIMENS and not is_germline
    if is_tumour and cancer is not None and cancer[1].sites:
        sample["sampledTissue"] = packet.term(cancer[1].sites[0])
    else:
        sample["sampledTissue"] = packet.say(text_term(content.specimen))
    if is_tumour and cancer is not None and cancer[1].histology is not None:
        sample["histologicalDiagnosis"] = packet.term(cancer[1].histology)
        sample["tumorProgression"] = packet.say(ROLES.term(cancer[1].role))
    sample["materialSample"] = packet.say(REFERENCE_SAMPLE if is_germline else ABNORMAL_SAMPLE)
    return sample


def is_own_sample(sample: Document) -> bool:
    """Whether a sample is named as this project names them."""
    return sample["id"].startswith("sample:")


def is_of_subject(reader: PacketReader, sample: Document) -> bool:
    """Whether a sample is the subject's; one that names nobody is."""
    subject: str = reader.document.get("subject", {}).get("id", "")
    return sample.get("individualId", subject) == subject or not subject


class Histologies:
    """The histologies of a document's samples, each taken by one diagnosis at most."""

    def __init__(self, samples: list[Document]) -> None:
        """Collect them.

        Args:
            samples: The samples of the document.
        """
        self._free: dict[str, Document] = {
            each["id"]: each for each in samples if "histologicalDiagnosis" in each
        }

    def take(self, reader: PacketReader, pointer: str, disease: Document, role: Role) -> Code | None:
        """The histology of a disease; None = not stated."""
        reference = reader.references.get(pointer)
        if reference is not None:
            sample = self._free.pop(sample_id(reference.id), None)
        elif role is Role.PRIMARY:
            sample = self._free.pop(self._best(disease), None)
        else:
            sample = None
        return None if sample is None else reader.code(sample["histologicalDiagnosis"])

    def _best(self, disease: Document) -> str:
        """Id of the sample whose histology is the disease, or else of the first of a primary tumour."""
        term = disease["term"]["id"]
        same = [key for key, each in self._free.items() if each["histologicalDiagnosis"]["id"] == term]
        primary = [
            key
            for key, each in self._free.items()
            if "tumorProgression" in each and ROLES.word(each["tumorProgression"]) == "primary"
        ]
        return next(iter([*same, *primary]), "")


def histologies(reader: PacketReader) -> Histologies:
    """The histologies of the subject's samples."""
    samples: list[Document] = reader.document.get(SECTION, [])
    return Histologies([each for each in samples if is_of_subject(reader, each)])


def read_samples(reader: PacketReader, referred: frozenset[str]) -> None:
    """Read what stands on samples only; needs the diseases read before.

    Args:
        reader: The document.
        referred: Ids of the samples that findings were made on.
    """
    known = {code for draft in reader.drafts for code in _codes(draft.content, draft.codes)}
    for number, sample in enumerate(reader.document.get(SECTION, [])):
        pointer = f"/{SECTION}/{number}"
        if not is_of_subject(reader, sample):
            reader.lose(pointer, f"a sample of somebody else: {sample['individualId']}")
            continue
        before = len(reader.drafts)
        read_pathological_stage(reader, sample, pointer)
        _read_cancer(reader, sample, pointer, known)
        is_own = is_own_sample(sample) and bool(reader.references)
        if len(reader.drafts) == before and sample["id"] not in referred and not is_own:
            words = sample.get("sampledTissue", {}).get("label") or sample.get("description", "")
            reader.lose(pointer, f"a sample without a finding: {words}")
        _lose_details(reader, sample, pointer)


def _codes(content: object, codes: tuple[Code, ...]) -> tuple[Code, ...]:
    if not isinstance(content, Diagnosis):
        return ()
    return codes if content.histology is None else (*codes, content.histology)


def _read_cancer(reader: PacketReader, sample: Document, pointer: str, known: set[Code]) -> None:
    """Read a sample that names a cancer which no disease names."""
    if reader.references or "histologicalDiagnosis" not in sample:
        return
    term = sample["histologicalDiagnosis"]
    code = reader.prefixes.term(term)
    role = ROLES.word(sample["tumorProgression"]) if "tumorProgression" in sample else None
    if code in known:
        return
    if role is None:
        reader.lose(f"{pointer}/histologicalDiagnosis", f"histology: {term['label']}")
        return
    start, end = reader.time(sample.get("timeOfCollection"), f"{pointer}/timeOfCollection")
    content = Diagnosis(role=Role(role), sites=reader.codes(sample.get("sampledTissue")), histology=code)
    reader.add(pointer, content, start, end, codes=(code,))


def _lose_details(reader: PacketReader, sample: Document, pointer: str) -> None:
    taxonomy = sample.get("taxonomy")
    if taxonomy and taxonomy["id"] != HUMAN["id"]:
        reader.lose(f"{pointer}/taxonomy", f"species: {taxonomy['label']}")
