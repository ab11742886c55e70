"""Diseases: the cancer, its metastases and other conditions, with the first clinical stage.

Rules this module guarantees:

- Among the stages of a disease stands what it is to the journey (primary, metastatic, comorbidity).
  Where that is missing, a disease is the cancer if it is staged, interpreted, or the only one.
- The first clinical stage of a cancer stands on it; later ones and those of unknown cancers are
  measurements, since a stage on a disease has no date.

    >>> laterality(Code("http://snomed.info/sct", "7771000", "Left"))
    True
"""

from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import Diagnosis, Role
from oncoproof.journey.events import Event
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.samples import histologies, tell_tumour_sample
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.stages import read_clinical_stage
from oncoproof.journey.phenopacket.vocabularies import LATERALITIES, ROLES

SECTION = "diseases"
"""Name of the section."""


def laterality(code: Code) -> bool:
    """Whether a code says left, right or both."""
    return code.system == System.SNOMED and code.code in LATERALITIES


def tell_diagnosis(packet: Packet, event: Event, content: Diagnosis) -> None:
    """Write a diagnosis, and the tumour sample that its histology stands on."""
    number = len(packet.diseases)
    disease: Document = {
        "term": packet.name(event),
        "onset": packet.moment(event.day),
        "diseaseStage": [packet.say(ROLES.term(content.role))],
    }
    if event.end is not None:
        disease["resolution"] = packet.moment(event.end)
    sites = content.sites
    if sites:
        disease["primarySite"] = packet.term(sites[0])
    if len(sites) > 1 and laterality(sites[1]):
        disease["laterality"] = packet.term(sites[1])
    packet.diseases.append(disease)
    if content.role is Role.PRIMARY:
        packet.add_primary(event, content, number)
    packet.refer(
        event,
        f"/{SECTION}/{number}",
        told="day end name",
        sites=_sites_beside(packet, sites),
        role=content.role,
    )
    if content.histology is not None:
        tell_tumour_sample(packet, event, content, content.histology)


def _sites_beside(packet: Packet, sites: tuple[Code, ...]) -> str:
    """All sites where the fields of a disease do not hold them."""
    if len(sites) < 2 or (len(sites) == 2 and laterality(sites[1])):
        return ""
    return ",".join(packet.curies.curie(site.system, site.code) for site in sites)


def read_diseases(reader: PacketReader) -> None:
    """Read the section."""
    diseases: list[Document] = reader.document.get(SECTION, [])
    told = [disease for disease in diseases if not disease.get("excluded")]
    cancers = _cancers(reader, told)
    samples = histologies(reader)
    for number, disease in enumerate(diseases):
        pointer = f"/{SECTION}/{number}"
        if disease.get("excluded"):
            reader.lose(pointer, f"looked for and not found: {disease['term']['label']}")
            continue
        role = _role(reader, disease, pointer, is_cancer=disease["term"]["id"] in cancers)
        histology = samples.take(reader, pointer, disease, role)
        _read_disease(reader, disease, pointer, role, histology)


def _cancers(reader: PacketReader, diseases: list[Document]) -> frozenset[str]:
    """Terms of the diseases that are cancers where nothing says what they are."""
    interpreted = {each["diagnosis"]["disease"]["id"] for each in reader.document.get("interpretations", [])}
    sampled = {
        each["histologicalDiagnosis"]["id"]
        for each in reader.document.get("biosamples", [])
        if "histologicalDiagnosis" in each
    }
    found = {
        disease["term"]["id"]
        for disease in diseases
        if disease["term"]["id"] in interpreted | sampled or disease.get("clinicalTnmFinding")
    }
    return frozenset(found or {disease["term"]["id"] for disease in diseases[:1] if len(diseases) == 1})


def _role(reader: PacketReader, disease: Document, pointer: str, *, is_cancer: bool) -> Role:
    said = reader.beside(pointer).get("role") or next(
        (word for stage in disease.get("diseaseStage", []) if (word := ROLES.word(stage))), None
    )
    if said in {each.value for each in Role}:
        return Role(said)
    role = Role.PRIMARY if is_cancer else Role.COMORBIDITY
    words = "the cancer under treatment" if is_cancer else "another condition"
    reader.lose(pointer, f"what {disease['term']['label']} is to the patient is not stated; taken as {words}")
    return role


def _read_disease(
    reader: PacketReader, disease: Document, pointer: str, role: Role, histology: Code | None
) -> None:
    start, uncertain = reader.time(disease.get("onset"), f"{pointer}/onset")
    if uncertain is not None:
        reader.lose(f"{pointer}/onset", f"an onset between {start} and {uncertain}; the first day is kept")
    end, _ = reader.time(disease.get("resolution"), f"{pointer}/resolution")
    content = Diagnosis(role=role, sites=_sites(reader, disease, pointer), histology=histology)
    diagnosis = reader.add(pointer, content, start, end, codes=reader.codes(disease["term"]))
    read_clinical_stage(reader, disease, pointer, diagnosis)


def _sites(reader: PacketReader, disease: Document, pointer: str) -> tuple[Code, ...]:
    beside = reader.beside(pointer).get("sites")
    if beside:
        return reader.codes_beside(beside, pointer)
    return reader.codes(disease.get("primarySite")) + reader.codes(disease.get("laterality"))
