"""Where facts come from: the bibliography that every number of the knowledge base points into.

A source id is `kind:key`, for instance `pmid:29151359`, `nct:NCT02296125`, `doi:10.1200/…`,
`label:osimertinib` (the current United States prescribing information of that drug),
`guideline:nccn-nsclc`, `dataset:msk-chord`, `classification:ajcc-8`, `project:assumptions`.

    >>> load_sources()["dataset:msk-chord"].kind
    <SourceKind.DATASET: 'dataset'>
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from types import MappingProxyType

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.tables import read_csv


class SourceKind(StrEnum):
    """What sort of thing a source is."""

    PMID = "pmid"
    """A paper in PubMed."""
    DOI = "doi"
    """A paper or abstract without a PubMed number."""
    PMC = "pmc"
    """A paper read in PubMed Central."""
    NCT = "nct"
    """A registered trial."""
    LABEL = "label"
    """The prescribing information of a drug."""
    GUIDELINE = "guideline"
    """A clinical guideline or recommendation of a consortium."""
    DATASET = "dataset"
    """Individual-level data from which a figure was computed."""
    CLASSIFICATION = "classification"
    """A terminology, staging system or grading scale."""
    REPORT = "report"
    """A congress report, press text or regulator's summary."""
    PROJECT = "project"
    """An assumption of this project, argued in its documentation."""


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of the bibliography."""

    id: str
    """`kind:key`, unique."""
    title: str
    """What it is, in a line: authors or sponsor, title or subject, where it appeared."""
    year: int | None
    """Year of publication or version; None = continuously updated."""

    @property
    def kind(self) -> SourceKind:
        """What sort of thing this is, which its id says."""
        return SourceKind(self.id.partition(":")[0])


@cache
def load_sources() -> Mapping[str, Source]:
    """The whole bibliography, by id."""
    by_id: dict[str, Source] = {}
    for source in read_csv("sources.csv", "sources", Source):
        if source.id in by_id:
            raise IntegrityError(
                where="sources.csv",
                came=f"{source.id!r} twice",
                expected="each id once",
                remedy="remove one of the rows",
            )
        by_id[source.id] = source
    return MappingProxyType(by_id)
