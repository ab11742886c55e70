"""A biomarker test that somebody orders: when it is reported, whether it fails, and what it says.

Rules this module guarantees:

- Sensitivity, specificity, failure and turnaround are those of the assay in the knowledge base.
- A specimen fails for all biomarkers of the assay alike; a repeat is another specimen.
- The same patient, assay and repeat meet the same chance, whenever the test is ordered.

    >>> from oncoproof.disease.courses.noise import noise_key
    >>> from oncoproof.seeds import Seed
    >>> order = Order("ctdna_panel", "EGFR_T790M", week=np.array([10, 12]))
    >>> report = run_assay(noise_key(Seed(3)), np.arange(2), order, positive=np.array([True, False]))
    >>> bool((report.week > order.week).all())
    True
"""

import zlib
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Bool, Float, Float64, Int, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel, NoiseKey
from oncoproof.disease.observations.chance import Rows, normal_rows, uniform_rows
from oncoproof.disease.observations.likelihoods import bernoulli, log_normal, or_missing
from oncoproof.disease.people.covariates import Numbers
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import Accuracy, Assay, assays_for, load_assays
from oncoproof.knowledge.tables import Figure

_NORMAL_95 = 1.959964
_DAYS_PER_WEEK = 7.0
_REPEATS_MAX = 8
_NAMES_MAX = 1 << 15
"""Names are told apart by their sum of so many values; two that share one would share their chance."""


@dataclass(frozen=True, slots=True)
class Order:
    """A test that is ordered for many patients."""

    assay: str
    """Slug of the assay."""
    biomarker: str
    """Key of the biomarker."""
    week: Int[np.ndarray, " n"]
    """Week in which each patient's specimen is taken."""
    repeat: int = 0
    """How many specimens of the patient were tested so before."""


class AssayReport(NamedTuple):
    """What came of a test; one patient a place."""

    week: Int32[np.ndarray, " n"]
    """Week in which the report comes, failed or not."""
    turnaround_days: Float64[np.ndarray, " n"]
    """Days from specimen to report."""
    failed: Bool[np.ndarray, " n"]
    """Whether there is no result."""
    positive: Bool[np.ndarray, " n"]
    """Whether the biomarker is reported as there; False where the test failed."""


def run_assay(
    key: NoiseKey,
    numbers: Int[np.ndarray, " n"],
    order: Order,
    *,
    positive: Bool[np.ndarray, " n"],
    sensitivity: NDArray[np.floating] | None = None,
) -> AssayReport:
    """Run a test.

    Args:
        key: Of the seed.
        numbers: The patients' numbers in the population.
        order: What is ordered.
        positive: Truth: who has the biomarker.
        sensitivity: Of each specimen, where it depends on how much tumour is in it; None = the assay's.

    Raises:
        InputError: There is no such assay, it does not measure the biomarker, or there are too many repeats.
    """
    assay = _assay_of(order)
    accuracy = assay.accuracy[order.biomarker]
    specimen = _rows(numbers, order.assay, order.repeat)
    biomarker = _rows(numbers, f"{order.assay}:{order.biomarker}", order.repeat)
    chance = uniform_rows(key, biomarker, Channel.ASSAY, places=1)[0]
    log_median, log_sd = turnaround_law(assay.turnaround)
    quantile = normal_rows(key, specimen, Channel.ASSAY, places=2)[1]
    days = np.exp(log_median + log_sd * quantile.astype(np.float64))
    failed = uniform_rows(key, specimen, Channel.ASSAY, places=1)[0] < assay.failure.value
    share = positive_share(accuracy, positive, sensitivity=sensitivity)
    weeks = np.maximum(np.ceil(days / _DAYS_PER_WEEK), 1).astype(np.int32)
    return AssayReport(
        week=(np.asarray(order.week) + weeks).astype(np.int32),
        turnaround_days=days,
        failed=failed,
        positive=(chance < share) & ~failed,
    )


def observed_codes(
    report: AssayReport, truth: Int[np.ndarray, " n"], *, without: int, mistaken: int
) -> Int32[np.ndarray, " n"]:
    """What a test reports of a biomarker with several values, as codes; −1 = it failed.

    Args:
        report: What came of it, where having the biomarker is having another value than `without`.
        truth: Code of the true value.
        without: Code of not having the biomarker.
        mistaken: Code that a false positive result reports.
    """
    seen = np.where(truth == without, mistaken, truth)
    return np.where(report.failed, -1, np.where(report.positive, seen, without)).astype(np.int32)


def positive_share(
    accuracy: Accuracy, positive: Numbers, *, sensitivity: Numbers | None = None
) -> Float64[np.ndarray, " n"]:
    """Probability that a test which gives a result says that the biomarker is there."""
    seen = accuracy.sensitivity.value if sensitivity is None else sensitivity
    return np.where(positive, seen, 1.0 - accuracy.specificity.value)


def turnaround_law(turnaround: Figure) -> tuple[float, float]:
    """Mean and standard deviation of the log of the days to a report; the usual range holds 95 of 100."""
    median = float(np.log(turnaround.value))
    if turnaround.low is None or turnaround.high is None:
        return median, 0.0
    return median, float(np.log(turnaround.high / turnaround.low)) / (2 * _NORMAL_95)


def log_probability(report: AssayReport, order: Order, *, positive: Numbers) -> Float[Array, " n"]:
    """Log probability of a report, given who has the biomarker: its time, its failure, its result."""
    assay = _assay_of(order)
    log_median, log_sd = turnaround_law(assay.turnaround)
    when = log_normal(report.turnaround_days, log_mean=log_median, log_sd=log_sd)
    said = bernoulli(report.positive, share=positive_share(assay.accuracy[order.biomarker], positive))
    return when + or_missing(said, missing=report.failed, share=assay.failure.value)


def _rows(numbers: Int[np.ndarray, " n"], name: str, repeat: int) -> Rows:
    """Where the draws of a name stand."""
    place = 2 * (zlib.crc32(name.encode()) % _NAMES_MAX * _REPEATS_MAX + repeat)
    return Rows(numbers, np.full(len(numbers), place))


def _assay_of(order: Order) -> Assay:
    assay = load_assays().get(order.assay)
    if assay is None or not assay.measures(order.biomarker):
        able = ", ".join(each.assay for each in assays_for(order.biomarker))
        raise InputError(
            where="order of a test", came=f"{order.assay} of {order.biomarker}",
            expected=f"an assay that measures it: {able or 'there is none'}",
            remedy="see assays.csv and assay_accuracy.csv",
        )  # fmt: skip
    if not 0 <= order.repeat < _REPEATS_MAX:
        raise InputError(
            where="order of a test", came=f"repeat {order.repeat}", expected=f"0 to {_REPEATS_MAX - 1}",
            remedy="order another assay",
        )  # fmt: skip
    return assay
