"""Biomarkers as laboratories reported them before the first line: some wrong, some not known.

Rules this module guarantees:

- Each biomarker is tested once by its usual assay, and once more on another specimen where that failed; its
  sensitivity, specificity and failure are those of the assay in the knowledge base.
- A key that sums others up says what the parts and the rest say. Reports that cannot stand together, such as
  two drivers that exclude one another, are put right, since a laboratory would notice: so where one driver is
  there, another is seldom reported by error.
- A marker without a value for its absence (HR, HER2) is known or not, and never misread.
- Features that no assay measures, and numbers that were reported, are as they are.

    >>> from oncoproof.disease.courses.noise import noise_key
    >>> from oncoproof.seeds import Seed
    >>> people = Subjects.of_rows([{"disease": "nsclc", "line": 1, "EGFR": "l858r"}] * 400)
    >>> seen = assayed(noise_key(Seed(1)), people, np.arange(400)).column("EGFR")
    >>> assert isinstance(seen, CategoryColumn)
    >>> wrong = float((seen.codes != seen.values.index("l858r")).mean())
    >>> 0.0 < wrong < 0.1
    True
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from jaxtyping import Int
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import NoiseKey
from oncoproof.disease.observations.assays_run import Order, run_assay
from oncoproof.knowledge.cancers import (
    Biomarker,
    BiomarkerKind,
    assays_for,
    find_breaches,
    load_biomarkers,
)
from oncoproof.knowledge.subjects import CategoryColumn, Column, NumberColumn, Subjects

SUMMARIES: Mapping[str, tuple[str, ...]] = {
    "RAS": ("KRAS", "NRAS"),
    "AKT_PATHWAY": ("PIK3CA", "AKT1", "PTEN"),
    "HRR": ("BRCA", "CDK12"),
}
"""Keys that sum up others: what is altered is told of the gene that is."""

_PROTEIN = frozenset({BiomarkerKind.PDL1, BiomarkerKind.RECEPTOR, BiomarkerKind.EXPRESSION})
_STAINED = ("ihc", "fish")
_REPEATS = 2
"""Specimens that are tested at most."""


@cache
def usual_assay(key: str) -> str:
    """The usual assay: staining for proteins, otherwise the first that sees it; empty = none does."""
    able = [assay.assay for assay in assays_for(key)]
    stained = [assay for assay in able if assay.startswith(_STAINED)]
    is_protein = load_biomarkers()[key].kind in _PROTEIN
    return next(iter(stained if is_protein and stained else able), "")


def assayed(key: NoiseKey, subjects: Subjects, numbers: Int[np.ndarray, " n"]) -> Subjects:
    """The same patients with their biomarkers as reported.

    Args:
        key: Of the seed.
        subjects: Patients in truth.
        numbers: Their numbers in the population, which tie them to their chance.
    """
    seen: dict[str, Column] = dict(subjects.columns)
    for marker in _tested(subjects):
        column = subjects.column(marker.key)
        if isinstance(column, CategoryColumn):
            seen[marker.key] = replace(column, codes=_reported(key, numbers, marker, column))
        elif isinstance(column, NumberColumn):
            failed = _result(key, numbers, marker, np.ones(len(numbers), np.bool_))[0]
            seen[marker.key] = NumberColumn(np.where(failed, np.nan, column.values))
    _sum_up(seen, subjects)
    _put_right(seen, subjects)
    return Subjects(subjects.rows, seen, subjects.vocabulary)


def _tested(subjects: Subjects) -> Iterator[Biomarker]:
    known = load_biomarkers()
    return (known[name] for name in subjects.columns if name in known and usual_assay(name))


def _reported(
    key: NoiseKey, numbers: Int[np.ndarray, " n"], marker: Biomarker, column: CategoryColumn
) -> NDArray[np.int16]:
    """Codes as reported; what is not known in truth is not known of it either."""
    if marker.reference is None or marker.reference not in column.values:
        failed = _result(key, numbers, marker, column.codes >= 0)[0]
        return np.where(failed, -1, column.codes).astype(np.int16)
    without = column.values.index(marker.reference)
    others = [
        place for place, value in enumerate(column.values) if place != without and value in marker.values
    ]
    failed, positive = _result(key, numbers, marker, (column.codes != without) & (column.codes >= 0))
    said = np.where(positive, np.where(column.codes == without, others[0], column.codes), without)
    return np.where(failed | (column.codes < 0), -1, said).astype(np.int16)


def _result(
    key: NoiseKey, numbers: Int[np.ndarray, " n"], marker: Biomarker, positive: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Whether every specimen failed, and whether the first that did not said that it is there."""
    assay, never = usual_assay(marker.key), np.zeros(len(numbers), np.int32)
    failed, said = np.ones(len(numbers), np.bool_), np.zeros(len(numbers), np.bool_)
    for repeat in range(_REPEATS):
        report = run_assay(
            key, numbers, Order(assay, marker.key, week=never, repeat=repeat), positive=positive
        )
        said = np.where(failed, report.positive, said)
        failed = failed & report.failed
    return failed, said


def _sum_up(seen: dict[str, Column], subjects: Subjects) -> None:
    """A summary is altered where a part was seen to be, and not known where a part that is altered is not."""
    known = load_biomarkers()
    for key, parts in SUMMARIES.items():
        column, truth = seen.get(key), subjects.columns.get(key)
        present = [part for part in parts if isinstance(seen.get(part), CategoryColumn)]
        if not isinstance(column, CategoryColumn) or not isinstance(truth, CategoryColumn) or not present:
            continue
        if known[key].reference not in column.values:
            continue
        without = column.values.index(str(known[key].reference))
        any_altered = next(place for place in range(len(column.values)) if place != without)
        truly, reported = _state_of(subjects.columns, present), _state_of(seen, present)
        altered = np.where(truth.codes == without, any_altered, truth.codes)
        codes = np.where((truly > 0) & (reported == 0), without, column.codes)
        codes = np.where((truly > 0) & (reported < 0), -1, codes)
        codes = np.where((reported > 0) & (truth.codes >= 0), altered, codes)
        seen[key] = replace(column, codes=codes.astype(np.int16))


def _state_of(columns: Mapping[str, Column], parts: list[str]) -> NDArray[np.int8]:
    """1 where one of the parts is altered; else -1 where one is not known; else 0."""
    altered: list[NDArray[np.bool_]] = []
    unknown: list[NDArray[np.bool_]] = []
    for part in parts:
        column = columns[part]
        assert isinstance(column, CategoryColumn)  # noqa: S101  the caller chose these
        without = column.values.index(str(load_biomarkers()[part].reference))
        altered.append((column.codes >= 0) & (column.codes != without))
        unknown.append(column.codes < 0)
    found = np.where(np.logical_or.reduce(unknown), -1, 0)
    return np.where(np.logical_or.reduce(altered), 1, found).astype(np.int8)


def _put_right(seen: dict[str, Column], subjects: Subjects) -> None:
    """Restore what is true of markers whose reports cannot stand together; that may upset others in turn."""
    disease = subjects.column("disease")
    assert isinstance(disease, CategoryColumn)  # noqa: S101  the vocabulary says so
    numbers: list[int] = np.unique(disease.codes).tolist()
    for code in numbers:
        here = disease.codes == code
        while _restored(seen, subjects, disease.values[code], here):
            pass


def _restored(seen: dict[str, Column], subjects: Subjects, disease: str, here: NDArray[np.bool_]) -> bool:
    """Whether something had to be restored; each time fewer reports differ from what is so."""
    words = {
        name: np.array(["", *column.values])[column.codes + 1]
        for name, column in seen.items()
        if isinstance(column, CategoryColumn)
    }
    found = False
    for constraint, broken in find_breaches(disease, words).items():
        bad = broken & here
        for name in constraint.keys if bad.any() else ():
            column, truth = seen[name], subjects.columns[name]
            if isinstance(column, CategoryColumn) and isinstance(truth, CategoryColumn):
                found = found or bool((column.codes[bad] != truth.codes[bad]).any())
                seen[name] = replace(column, codes=np.where(bad, truth.codes, column.codes))
    return found
