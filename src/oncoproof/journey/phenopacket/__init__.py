"""GA4GH phenopackets, schema 2.0: a record told as one, and one read as a journey."""

from oncoproof.journey.phenopacket.checks import check
from oncoproof.journey.phenopacket.emission import to_phenopacket, to_phenopacket_bytes
from oncoproof.journey.phenopacket.losses import LOSSES, Limit
from oncoproof.journey.phenopacket.reading import from_phenopacket
from oncoproof.journey.readings import Loss, Reading

__all__ = [
    "LOSSES",
    "Limit",
    "Loss",
    "Reading",
    "check",
    "from_phenopacket",
    "to_phenopacket",
    "to_phenopacket_bytes",
]
