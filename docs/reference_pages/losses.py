"""The page of losses: what a format cannot say of a record, and the reverse, from the readers' own lists."""

from collections.abc import Iterable

from oncoproof.journey import fhir, phenopacket
from reference_pages.markdown import cell, table

_HEADINGS = {
    "to FHIR": "What FHIR cannot say of a record",
    "from FHIR": "What a record cannot say of FHIR",
    "to phenopacket": "What a phenopacket cannot say of a record",
    "beside the phenopacket": "What stands beside the phenopacket",
    "from phenopacket": "What a record cannot say of a phenopacket",
}
_INTRODUCTION = """# Losses

What is not listed here survives the way into the format and back. What a file holds and a journey cannot
say is named when the file is read, place by place: `oncoproof journey check FILE` lists it.
"""


def losses_page() -> str:
    """Every loss, by format and direction."""
    return "\n".join([_INTRODUCTION, "## FHIR R4\n", *_fhir(), "## GA4GH phenopacket\n", *_phenopacket()])


def _fhir() -> Iterable[str]:
    limits = [(limit.direction, limit.what, limit.instead) for limit in fhir.LOSSES]
    return _sections(limits, ("to FHIR", "from FHIR"))


def _phenopacket() -> Iterable[str]:
    limits = [(limit.direction, limit.what, limit.instead) for limit in phenopacket.LOSSES]
    return _sections(limits, ("to phenopacket", "beside the phenopacket", "from phenopacket"))


def _sections(limits: list[tuple[str, str, str]], directions: Iterable[str]) -> Iterable[str]:
    for direction in directions:
        rows = ((cell(what), cell(instead)) for way, what, instead in limits if way == direction)
        yield f"### {_HEADINGS[direction]}\n\n{table(('what', 'what happens to it'), rows)}"
