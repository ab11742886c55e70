"""A phenopacket as a journey.

Rules this module guarantees:

- A document that breaks the schema raises a FormatError that names the path; what the schema allows
  and a journey has no place for is listed as a loss.
- What this project wrote comes back the same, except for what `LOSSES` lists.

    >>> reading = from_phenopacket({
    ...     "id": "p1", "subject": {"id": "p1", "sex": "FEMALE"},
    ...     "diseases": [{"term": {"id": "NCIT:C4872", "label": "Breast Carcinoma"},
    ...                   "onset": {"timestamp": "2026-03-01T00:00:00Z"}}],
    ...     "metaData": {"created": "2026-03-09T00:00:00Z", "createdBy": "me", "resources": [
    ...         {"id": "ncit", "name": "NCI Thesaurus", "namespacePrefix": "NCIT"}],
    ...         "phenopacketSchemaVersion": "2.0"}})
    >>> [event.codes[0].code for event in reading.journey], [loss.where for loss in reading.losses]
    (['C4872'], ['metaData.createdBy', 'diseases[0]'])
"""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Final

from oncoproof.journey.phenopacket.actions import read_actions
from oncoproof.journey.phenopacket.checks import inspect
from oncoproof.journey.phenopacket.diseases import read_diseases
from oncoproof.journey.phenopacket.features import read_features
from oncoproof.journey.phenopacket.imaging import read_imaging
from oncoproof.journey.phenopacket.interpretations import read_interpretations
from oncoproof.journey.phenopacket.markers import read_absence, read_measured_marker
from oncoproof.journey.phenopacket.measured import SOUGHT, Part, groups
from oncoproof.journey.phenopacket.observations import read_lab, read_outcome, read_performance
from oncoproof.journey.phenopacket.packet_reader import PacketReader
from oncoproof.journey.phenopacket.samples import read_samples
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.stages import read_measured_stage
from oncoproof.journey.phenopacket.subjects import read_death, read_patient
from oncoproof.journey.readings import Reading

_READERS: Final[dict[str, Callable[[PacketReader, list[Part]], None]]] = {
    "lab": read_lab,
    SOUGHT: read_absence,
    "performance": read_performance,
    "outcome": read_outcome,
    "imaging": read_imaging,
    "stage clinical": read_measured_stage,
    "stage pathological": read_measured_stage,
}
"""How each kind of measurement is read; biomarkers that are there are all other kinds."""


def from_phenopacket(data: bytes | str | Document, *, index: date | None = None) -> Reading:
    """Read a phenopacket of schema 2.

    Args:
        data: JSON, or what it was parsed into.
        index: The date of day 0; None = the day of the first cancer, or else of the first event.

    Raises:
        FormatError: The document breaks the schema.
    """
    document, losses = inspect(data, is_strict=False)
    reader = PacketReader(document, losses)
    patient = read_patient(reader)
    read_diseases(reader)
    referred = read_interpretations(reader)
    read_samples(reader, referred)
    read_features(reader)
    for group in groups(reader):
        read = _READERS.get(group[0].kind, read_measured_marker)
        reader.attempt(group[0].pointer, partial(read, reader, group))
    read_actions(reader)
    read_death(reader)
    return Reading(journey=reader.journey(patient, index), losses=tuple(losses))
