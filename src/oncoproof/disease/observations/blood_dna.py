"""Tumour DNA in blood: how much of it there is at each draw, and which variants a panel calls.

Rules this module guarantees:

- The tumour's share of the DNA in plasma rises with a power of its extent; patients differ in how much they
  shed.
- A panel counts mutant molecules, with a Poisson law; it calls a variant where it counts enough of them.
- The variant of a resistant clone makes up most of the tumour where that clone prevails, and little before:
  what a draw shows of resistance follows from the walk.

    >>> round(float(detection_probability(np.float64(0.01), share=1.0)), 3)
    1.0
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from jaxtyping import Array, Bool, Float, Float64, Int32
from numpy.typing import NDArray

from oncoproof.disease.courses.noise import Channel
from oncoproof.disease.observations.chance import Rows, normal_rows, poisson_quantiles, uniform_rows
from oncoproof.disease.observations.likelihoods import poisson
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.people.covariates import Numbers

_WEEK_PLACES, _FIRST_DRAW_PLACE = 8, 8
_LARGEST_FRACTION = 0.95


class BloodVariant(IntEnum):
    """What a panel looks for; its numbers are those of the clones, the first being in all of them."""

    TRUNCAL = 0
    """A mutation that every cell of the tumour has."""
    ON_TARGET = 1
    """That of the clone that resists on the target."""
    BYPASS = 2
    """That of the clone that resists by a bypass."""


class BloodDna(NamedTuple):
    """Draws of blood, one at each scan; a column for each draw."""

    week: Int32[np.ndarray, " draws"]
    """Week of the draw."""
    patient: Int32[np.ndarray, " draws"]
    """Place of the patient."""
    tumour_fraction: Float64[np.ndarray, " draws"]
    """Truth: the tumour's share of the DNA."""
    share: Float64[np.ndarray, "variants draws"]
    """Truth: part of the tumour that has each variant."""
    molecules: Int32[np.ndarray, "variants draws"]
    """Mutant molecules counted."""
    called: Bool[np.ndarray, "variants draws"]
    """Whether each variant is reported."""
    allele_fraction: Float64[np.ndarray, "variants draws"]
    """Share of mutant molecules as reported; 0 = not called."""


def draw_blood(walked: Walked) -> BloodDna:
    """What a panel reports of the blood drawn at each scan."""
    visits = walked.visits
    week, patient = visits.week[visits.scanned], visits.patient[visits.scanned]
    numbers = walked.numbers
    shed = normal_rows(walked.key, Rows(numbers, np.zeros_like(numbers)), Channel.BLOOD_DNA, places=1)[0]
    rows = Rows(numbers[patient], _FIRST_DRAW_PLACE + _WEEK_PLACES * week)
    varies = normal_rows(walked.key, rows, Channel.BLOOD_DNA, places=1)[0]
    counted = Rows(rows.patient, rows.first + 2)
    chance = uniform_rows(walked.key, counted, Channel.BLOOD_DNA, places=4)
    quantile = normal_rows(walked.key, counted, Channel.BLOOD_DNA, places=4)
    deviation = (
        number_of("shedding_spread_log10") * shed[patient] + number_of("shedding_visit_spread_log10") * varies
    )
    fraction = tumour_fraction(walked.weeks.extent[week, patient].astype(np.float64), deviation)
    share = clone_shares(walked.timeline.clone[week, patient])
    mean = expected_molecules(fraction, share)
    counts = np.stack([poisson_quantiles(chance[row], quantile[row], mean[row]) for row in range(len(mean))])
    called = counts >= number_of("blood_molecules_min")
    reported = np.where(called, np.minimum(counts / number_of("genomes_per_draw"), 1.0), 0.0)
    return BloodDna(week, patient, fraction, share, counts.astype(np.int32), called, reported)


def tumour_fraction(extent: Numbers, deviation_log10: Numbers) -> Numbers:
    """The tumour's share of the DNA in plasma.

    Args:
        extent: As a multiple of manifest disease.
        deviation_log10: How the patient and the day differ from the median.
    """
    ratio = 10.0 ** (number_of("tumour_fraction_log10") + deviation_log10) * extent ** number_of(
        "tumour_fraction_power"
    )
    return np.minimum(ratio / (1.0 + ratio), _LARGEST_FRACTION)


def clone_shares(prevailing: NDArray[np.integer]) -> Float64[np.ndarray, "variants draws"]:
    """The part of the tumour that has each variant, from the clone that prevails."""
    resistant = [BloodVariant.ON_TARGET, BloodVariant.BYPASS]
    parts = [
        np.where(prevailing == variant, number_of("prevailing_share"), number_of("minor_share"))
        for variant in resistant
    ]
    return np.stack([np.ones(len(prevailing)), *parts])


def expected_molecules(fraction: Numbers, share: Numbers) -> Numbers:
    """Mutant molecules to be expected: of one allele in two, and of errors.

    Args:
        fraction: The tumour's share of the DNA.
        share: Part of the tumour that has the variant.
    """
    genomes = number_of("genomes_per_draw")
    return genomes * (0.5 * fraction * share + number_of("blood_error_rate"))


def detection_probability(fraction: Numbers, *, share: Numbers) -> Numbers:
    """Probability that a variant is called; arguments as in `expected_molecules`."""
    mean = np.asarray(expected_molecules(fraction, share), np.float64)
    term = np.exp(-mean)
    missed = term.copy()
    for count in range(1, int(number_of("blood_molecules_min"))):
        term = term * mean / count
        missed = missed + term
    return np.clip(1.0 - missed, 0.0, 1.0)


def log_probability(molecules: Numbers, *, fraction: Numbers, share: Numbers) -> Float[Array, "..."]:
    """Log probability of a count of mutant molecules; other arguments as in `expected_molecules`."""
    return poisson(molecules, mean=expected_molecules(fraction, share))
