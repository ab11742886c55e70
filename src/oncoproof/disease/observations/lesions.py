"""Target lesions: where they are, how large each reads, and where new lesions come.

Rules this module guarantees:

- A patient has one to five targets, at most two in an organ, in organs where their cancer is known to be;
  at the first scan each measures 10 mm or more, or there is only one.
- At each scan the diameters of the targets sum exactly to the reading.
- Lesions of a patient follow the tumour, some more strongly than others.
- A new lesion lies in the brain where the week says so, and otherwise in one of the disease's usual organs.

    >>> float(split_exactly(np.array([61.3]), np.array([[0.5], [0.3], [0.2]])).sum())
    61.3
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Float, Float32, Float64, Int8, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.observations.chance import Rows, normal_rows, uniform_rows
from oncoproof.disease.observations.likelihoods import logistic_normal
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.disease.people.covariates import Numbers
from oncoproof.knowledge.tables import Basis, parse_csv

NO_LESION = -1
"""Site of a target that a patient does not have."""

_BRAIN = "brain"
_WEEK_PLACES, _FIRST_SCAN_PLACE = 16, 64
"""Places of a week in the channel, after those of the patient."""
_QUANTUM_MM = 2.0**-20
"""Diameters lie on a grid on which sums are exact."""


@dataclass(frozen=True, slots=True)
class LesionSite:
    """How a disease uses an organ; one row of the table."""

    disease: str
    """Disease slug."""
    site: str
    """Organ, as in `metastatic_sites`."""
    primary: bool
    """Whether the primary lies there, so that every patient may have a target in it."""
    target_weight: float
    """How readily a lesion there is chosen as a target."""
    new_weight: float
    """How often new lesions come there, against the other organs."""
    source: str
    """Id of an entry of `sources.csv`."""
    basis: Basis
    """How we know."""


class Targets(NamedTuple):
    """Target lesions; a row for each lesion, a column for each patient."""

    site: Int8[np.ndarray, "lesions n"]
    """Number of the organ in `sites()`, or `NO_LESION`."""
    first_week: Int32[np.ndarray, " n"]
    """Week of the first scan."""
    first_mm: Float64[np.ndarray, "lesions n"]
    """Diameter at the first scan; NaN = no lesion."""
    pace: Float64[np.ndarray, "lesions n"]
    """Truth: power of the tumour's size that the lesion follows."""


class LesionReadings(NamedTuple):
    """Targets as measured; a column for each scan."""

    week: Int32[np.ndarray, " scans"]
    """Week of the scan."""
    patient: Int32[np.ndarray, " scans"]
    """Place of the patient."""
    mm: Float64[np.ndarray, "lesions scans"]
    """Diameter; NaN = no lesion."""
    expected_log: Float64[np.ndarray, "lesions scans"]
    """Truth: log of the diameter's part of the sum, but for a shift of them all; NaN = no lesion."""


class NewLesions(NamedTuple):
    """New lesions that scans showed; one a place."""

    week: Int32[np.ndarray, " new"]
    """Week of the scan."""
    patient: Int32[np.ndarray, " new"]
    """Place of the patient."""
    site: Int8[np.ndarray, " new"]
    """Number of the organ in `sites()`."""


@cache
def load_lesion_sites() -> tuple[LesionSite, ...]:
    """How diseases use organs."""
    name = "lesion_sites.csv"
    return parse_csv(read_data(name), "lesion_sites", LesionSite, where=name, family="oncoproof.disease")


@cache
def sites() -> tuple[str, ...]:
    """Organs in the order of their numbers; the brain is the last."""
    return (*sorted({row.site for row in load_lesion_sites()}), _BRAIN)


def _by_site(walked: Walked, field: str) -> NDArray[np.float64]:
    """A number of each patient's disease for each organ but the brain."""
    disease = walked.words("disease")
    found = np.zeros((len(sites()) - 1, len(disease)))
    for row in load_lesion_sites():
        found[sites().index(row.site), disease == row.disease] = float(getattr(row, field))
    return found


def draw_targets(walked: Walked) -> Targets:
    """The target lesions of each patient, as chosen at the first scan."""
    patients, key = walked.shape[1], walked.key
    rows = Rows(walked.numbers, np.zeros(patients, np.int32))
    present = np.array([walked.has("metastatic_sites", site) for site in sites()[:-1]])
    weight = _by_site(walked, "target_weight")
    candidate = (present | (_by_site(walked, "primary") > 0)) & (weight > 0)
    candidate |= ~candidate.any(axis=0) & (weight > 0)
    twice = np.tile(np.where(candidate, weight, 0.0), (int(number_of("lesions_per_site_max")), 1))
    chance = uniform_rows(key, rows, Channel.LESION, places=18).astype(np.float64)
    # The largest of weighted exponential races: a choice without replacement in proportion to the weights.
    with np.errstate(divide="ignore"):
        race = np.log(chance[: len(twice)]) / twice
    most = int(number_of("lesions_max"))
    first = _first_scan(walked)
    smallest = number_of("lesion_mm_min")
    count = np.minimum(1 + np.floor(most * chance[17]), (twice > 0).sum(axis=0))
    count = np.maximum(np.minimum(count, np.floor(first.mm / smallest)), 1.0) * (first.mm > 0)
    order = np.argsort(-race, axis=0, kind="stable")[:most]
    has = np.arange(most)[:, None] < count
    quantiles = normal_rows(key, Rows(rows.patient, rows.first + 32), Channel.LESION, places=2 * most)
    weights = np.where(has, np.exp(number_of("lesion_size_spread") * quantiles[:most]), 0.0)
    return Targets(
        site=np.where(has, order % (len(sites()) - 1), NO_LESION).astype(np.int8),
        first_week=first.week,
        first_mm=_first_diameters(first.mm, weights, smallest),
        pace=np.exp(number_of("lesion_pace_spread") * quantiles[most:].astype(np.float64)),
    )


class _FirstScan(NamedTuple):
    week: Int32[np.ndarray, " n"]
    mm: Float64[np.ndarray, " n"]


def _first_scan(walked: Walked) -> _FirstScan:
    """When each patient was scanned first, and what was read; 0 mm = never."""
    week = (walked.weeks.read_mm > 0).argmax(axis=0).astype(np.int32)
    return _FirstScan(week, walked.weeks.read_mm[week, np.arange(len(week))].astype(np.float64))


def _first_diameters(
    whole_mm: Float64[np.ndarray, " n"], weights: NDArray[np.floating], smallest_mm: float
) -> Float64[np.ndarray, "lesions n"]:
    """Diameters at the first scan: what each must measure, and a part of the rest; NaN = no lesion."""
    has = weights > 0
    count = has.sum(axis=0)
    whole_weight = np.where(has.any(axis=0), weights.sum(axis=0), 1.0)
    part: Float64[np.ndarray, "lesions n"] = weights / whole_weight
    several = smallest_mm + np.maximum(whole_mm - smallest_mm * count, 0.0) * part
    return np.where(has, np.where(count > 1, several, whole_mm * part), np.nan)


def read_lesions(walked: Walked, targets: Targets) -> LesionReadings:
    """The diameter of each target at each scan."""
    visits = walked.visits
    week, patient = visits.week[visits.scanned], visits.patient[visits.scanned]
    first = targets.first_week[patient]
    relative = np.log(walked.size[week, patient].astype(np.float64) / walked.size[first, patient])
    with np.errstate(divide="ignore"):
        expected = np.log(targets.first_mm[:, patient]) + targets.pace[:, patient] * relative
    rows = Rows(walked.numbers[patient], _FIRST_SCAN_PLACE + _WEEK_PLACES * week)
    error = normal_rows(walked.key, rows, Channel.LESION, places=len(targets.site))
    # The first scan is the one by which targets are chosen: it reads them as they are.
    logs = expected + np.where(week == first, 0.0, number_of("lesion_reader_error")) * error
    size = np.exp(logs - np.nanmax(logs, axis=0))
    mm = split_exactly(walked.weeks.read_mm[week, patient].astype(np.float64), size / np.nansum(size, axis=0))
    return LesionReadings(week, patient, mm, expected)


def split_exactly(
    whole_mm: Float64[np.ndarray, " scans"], parts: Float64[np.ndarray, "lesions scans"]
) -> Float64[np.ndarray, "lesions scans"]:
    """Diameters that sum exactly to a reading: on a fine grid, the largest takes what is left.

    Args:
        whole_mm: Readings.
        parts: Their parts, which sum nearly to 1; NaN = no lesion.
    """
    mm = np.asarray(np.maximum(np.round(parts * whole_mm / _QUANTUM_MM), 1.0) * _QUANTUM_MM, np.float64)
    largest = np.nanargmax(parts, axis=0)[None]
    np.put_along_axis(mm, largest, 0.0, axis=0)
    np.put_along_axis(mm, largest, (whole_mm - np.nansum(mm, axis=0))[None], axis=0)
    return mm


def draw_new_lesions(walked: Walked) -> NewLesions:
    """Where the new lesions lie that scans showed."""
    code = walked.weeks.code
    week, patient = np.nonzero(marked(code, Mark.NEW_LESION))
    weight = _by_site(walked, "new_weight")[:, patient]
    rows = Rows(walked.numbers[patient], _FIRST_SCAN_PLACE + _WEEK_PLACES * week + 8)
    chance = uniform_rows(walked.key, rows, Channel.LESION, places=1)[0]
    below = np.cumsum(weight, axis=0)
    site = np.minimum((chance * below[-1] > below).sum(axis=0), len(sites()) - 2)
    brain_week, brain_patient = np.nonzero(marked(code, Mark.IN_BRAIN))
    in_brain = np.full(len(brain_week), len(sites()) - 1)
    return NewLesions(
        np.concatenate([week, brain_week]).astype(np.int32),
        np.concatenate([patient, brain_patient]).astype(np.int32),
        np.concatenate([site, in_brain]).astype(np.int8),
    )


def log_probability(
    mm: Numbers, *, expected_log: Float32[Array, "lesions scans"] | Numbers
) -> Float[Array, " scans"]:
    """Log density of how a reading parts into lesions, given how each follows the tumour.

    It holds for scans after the first, which is the one by which targets are chosen.

    Args:
        mm: Diameters; NaN = no lesion.
        expected_log: As in `LesionReadings`.
    """
    diameters = np.asarray(mm)
    parts = diameters / np.nansum(diameters, axis=0)
    return logistic_normal(parts, log_means=expected_log, log_sd=number_of("lesion_reader_error"))
