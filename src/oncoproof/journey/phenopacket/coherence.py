"""Coherence: what one part of a phenopacket says of another.

Rules this module guarantees:

- Samples and interpretations have ids of their own; what a finding was made on is the subject or a sample
  of the document; the terminology of every class is explained by a resource.
- A terminology that no resource explains is a loss where a reader asks; everything else is a fault.

    >>> require_coherence({"subject": {"id": "p"}, "biosamples": [{"id": "s"}, {"id": "s"}]}, {}, None)
    Traceback (most recent call last):
    oncoproof.errors.FormatError: biosamples[1].id: came: 's'; expected: an id once in the document; \
try: give each its own
"""

from typing import Final

from oncoproof.journey.phenopacket.scalars import Path, place, refuse
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.readings import Loss

_WITH_IDS: Final = ("biosamples", "interpretations")


def require_coherence(document: Document, prefixes: dict[str, Path], losses: list[Loss] | None) -> None:
    """Check a document whose messages have been checked one by one.

    Args:
        document: The document.
        prefixes: Where each prefix of a class stands first.
        losses: Where terminologies that no resource explains are named; None = they are faults.

    Raises:
        FormatError: The first fault, with its path.
    """
    for section in _WITH_IDS:
        _require_own_ids(document, section)
    _require_subjects(document)
    _explain_prefixes(document, prefixes, losses)


def _require_own_ids(document: Document, section: str) -> None:
    taken: set[str] = set()
    for number, each in enumerate(document.get(section, [])):
        if each["id"] in taken:
            path: Path = (((None, section), number), "id")
            refuse(path, each["id"], "an id once in the document", "give each its own")
        taken.add(each["id"])


def _require_subjects(document: Document) -> None:
    """A finding must be of the subject or of a sample that is there."""
    known = {each["id"] for each in document.get("biosamples", [])}
    if "subject" in document:
        known.add(document["subject"]["id"])
    for number, interpretation in enumerate(document.get("interpretations", [])):
        path: Path = (((None, "interpretations"), number), "diagnosis")
        calls: list[Document] = interpretation["diagnosis"].get("genomicInterpretations", [])
        for place_in_list, call in enumerate(calls):
            if call["subjectOrBiosampleId"] not in known:
                refuse(
                    (((path, "genomicInterpretations"), place_in_list), "subjectOrBiosampleId"),
                    call["subjectOrBiosampleId"],
                    "the id of the subject or of a sample of the document",
                    "add the subject or the sample, or correct the id",
                )


def _explain_prefixes(document: Document, prefixes: dict[str, Path], losses: list[Loss] | None) -> None:
    resources: list[Document] = document.get("metaData", {}).get("resources", [])
    explained = {each["namespacePrefix"].upper() for each in resources}
    for prefix, path in prefixes.items():
        if prefix.upper() in explained:
            continue
        if losses is None:
            expected = "a prefix that a resource explains"
            refuse(path, prefix, expected, f"add a resource with the namespacePrefix {prefix}")
        losses.append(Loss(place(path), f"no resource explains the prefix {prefix}"))
