"""What a clinician would look at first: courses under the numbers that ship, against what is known."""

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import jax.numpy as jnp
import numpy as np
import pytest

from oncoproof.disease.courses.care import Care, NoTreatment, Treat, begin, treat_by
from oncoproof.disease.courses.endpoints import PARTIAL, WEEKS_PER_MONTH, Endpoints, Marked, measure
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.courses.traits import background_hazard, draw_traits
from oncoproof.disease.numbers.fitted import load_fit
from oncoproof.disease.numbers.parameters import assemble
from oncoproof.disease.observations import observe
from oncoproof.disease.observations.timeline import marked, read_timeline, walked_of
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.disease.people.populations import draw_population
from oncoproof.disease.people.typical_patients import typical_patients
from oncoproof.disease.trials.follow_up import Times, entry_weeks, until_cut
from oncoproof.disease.trials.survival import hazard_ratio
from oncoproof.knowledge.courses import load_kinetics, mechanisms_of
from oncoproof.knowledge.medicines import parse_condition
from oncoproof.seeds import Seed

pytestmark = pytest.mark.xdist_group("face checks")

N, SEED = 1_500, Seed(11)
NUMBERS = assemble(load_fit().values)
ON_TARGET = 1
"""Number of the clone that resists on the target."""


class _Given(NamedTuple):
    care: Care
    course: Endpoints


@cache
def _first_line(patients: str, regimen: str, requires: str = "") -> _Given:
    """Typical patients who get one regimen, or nothing, and nothing after it has failed."""
    admission = typical_patients()[patients]
    if requires:
        conditions = (parse_condition(each, disease=admission.disease) for each in requires.split(";"))
        admission = replace(admission, requires=tuple(conditions))
    subjects = draw_population(admission, patients=N, seed=SEED)
    care = treat_by(
        begin(subjects, seed=SEED, weeks=400),
        lambda care, due: [
            NoTreatment() if care.lines_known[who] or not regimen else Treat(regimen) for who in due.tolist()
        ],
    )
    return _Given(care, measure(Marked(care.weeks.code, care.weeks.read_mm)))


def _months(weeks: np.ndarray) -> float:
    return float(np.median(weeks)) / WEEKS_PER_MONTH


def _responded(course: Endpoints) -> np.ndarray:
    return np.asarray(course.response) >= PARTIAL


@pytest.mark.parametrize(
    ("patients", "fact"),
    [
        ("nsclc_egfr_first", "doubling_lung_adenocarcinoma"),
        ("nsclc_squamous_first", "doubling_lung_squamous"),
        ("crc_first", "doubling_crc_liver_overt"),
        ("breast_hr_first_post", "doubling_breast_er_positive"),
        ("breast_her2_first", "doubling_breast_her2_positive"),
        ("breast_tnbc_first", "doubling_breast_triple_negative"),
        ("melanoma_first", "doubling_melanoma_metastases"),
    ],
)
def test_tumours_double_as_fast_as_measured(patients: str, fact: str) -> None:
    """Within a factor of two: those measured were primaries or single sites, these are advanced."""
    assert 0.5 < _doubling_days(patients) / float(load_kinetics()[fact].figure.value) < 2


def _doubling_days(patients: str) -> float:
    subjects = draw_population(typical_patients()[patients], patients=N, seed=SEED)
    people = covariates_of(subjects, np.arange(N, dtype=np.int32))
    growth = np.asarray(draw_traits(noise_key(SEED), people, NUMBERS, lines=1, weeks=8).growth)
    return float(np.median(7 * np.log(2) / growth))


@pytest.mark.parametrize(
    ("patients", "regimen"),
    [
        ("nsclc_egfr_first", "osimertinib"),
        ("nsclc_egfr_first", "gefitinib"),
        ("nsclc_braf_first", "dabrafenib+trametinib"),
        ("nsclc_non_squamous_low_first", "carboplatin+pemetrexed"),
        ("breast_tnbc_first", "paclitaxel"),
        ("melanoma_first", "pembrolizumab"),
    ],
)
def test_responses_are_seen_at_the_first_scans(patients: str, regimen: str) -> None:
    """Usually at the first scan; scans here come every six to eight weeks, so a second one is allowed for."""
    course = _first_line(patients, regimen).course
    fact = load_kinetics()["time_to_response"].figure
    found = _months(np.asarray(course.response_weeks)[_responded(course)])
    assert float(fact.low or 0) <= found <= float(fact.high or 0) + 8 / WEEKS_PER_MONTH


def test_half_of_what_escapes_gefitinib_does_so_on_the_target() -> None:
    weeks = _first_line("nsclc_egfr_first", "gefitinib").care.weeks
    seen = marked(weeks.code, Mark.PROGRESSED)
    escaped = np.flatnonzero(seen.any(axis=0))
    clone = read_timeline(weeks.code).clone[seen.argmax(axis=0)[escaped], escaped]
    (fact,) = (each for each in mechanisms_of("egfr_tki_gen1") if each.mechanism == "egfr_t790m")
    assert fact.share is not None
    low, high = float(fact.share.low or 0), float(fact.share.high or 1)
    error = 3 * np.sqrt(0.25 / len(escaped))
    assert low - error < (clone == ON_TARGET).mean() < high + error


def test_who_progresses_early_lives_shorter_afterwards() -> None:
    """In the direction that BRAF V600E lung cancer shows; simulated times are longer, as the page says."""
    course = _first_line("nsclc_braf_first", "dabrafenib+trametinib").course
    after = np.asarray(course.death_weeks) - np.asarray(course.progression_weeks)
    late = np.asarray(course.progression_weeks) > 6 * WEEKS_PER_MONTH
    alive = np.asarray(course.progressed) & (after > 0)
    assert _months(after[alive & late]) > 1.5 * _months(after[alive & ~late])


@pytest.mark.parametrize(
    ("patients", "regimen"),
    [
        ("nsclc_egfr_first", "osimertinib"),
        ("nsclc_non_squamous_low_first", "carboplatin+pemetrexed"),
        ("melanoma_first", "pembrolizumab"),
    ],
)
def test_the_deeper_the_response_the_longer_it_lasts(patients: str, regimen: str) -> None:
    course = _first_line(patients, regimen).course
    depth, until = np.asarray(course.best_change_pct), np.asarray(course.progression_weeks)
    thirds = np.quantile(depth[np.isfinite(depth)], [1 / 3, 2 / 3])
    deep, middle, shallow = depth <= thirds[0], (depth > thirds[0]) & (depth <= thirds[1]), depth > thirds[1]
    assert np.median(until[deep]) > np.median(until[middle]) > np.median(until[shallow])


@pytest.mark.parametrize(
    ("age", "female", "yearly"),
    [
        (50, False, 0.0050), (50, True, 0.0032), (65, False, 0.016), (65, True, 0.010),
        (80, False, 0.058), (80, True, 0.043),
    ],
)  # fmt: skip
def test_people_without_cancer_die_as_a_life_table_has_it(age: float, female: bool, yearly: float) -> None:  # noqa: FBT001  a table's column
    """United States, 2019, from memory, to two digits."""
    weekly = float(background_hazard(jnp.array([age]), jnp.array([female]))[0])
    assert 1 / 1.5 < weekly * 52.18 / yearly < 1.5


def test_quality_of_life_lies_where_surveys_have_it_and_falls_with_progression() -> None:
    care = _first_line("nsclc_non_squamous_low_first", "carboplatin+pemetrexed").care
    quality = observe(walked_of(care), care.parameters).quality
    timeline = read_timeline(care.weeks.code)
    utility = np.asarray(quality.utility)
    controlled, worse = (
        utility[timeline.lived & timeline.in_line & ~timeline.progressed],
        utility[timeline.lived & timeline.progressed],
    )
    assert 0.55 < np.median(controlled) < 0.85
    assert 0.3 < np.median(worse) < np.median(controlled)
    assert utility.max() <= 1


@pytest.mark.parametrize(
    ("patients", "requires", "regimen"),
    [
        ("nsclc_non_squamous_low_first", "", "osimertinib"),
        ("nsclc_non_squamous_low_first", "", "alectinib"),
        ("nsclc_no_ici_yet", "", "sotorasib"),
        ("crc_first", "", "cetuximab"),
        ("crc_first", "", "pembrolizumab"),
        ("breast_tnbc_first", "HR=negative;HER2=zero", "trastuzumab_deruxtecan"),
        ("breast_tnbc_first", "HR=negative;HER2=zero", "fulvestrant"),
        ("melanoma_first", "", "dabrafenib+trametinib"),
        ("prostate_after_hormone", "", "olaparib"),
    ],
)
def test_a_drug_without_its_marker_does_nothing(patients: str, requires: str, regimen: str) -> None:
    """Hardly anybody responds, and nobody lives longer or much shorter than without it."""
    given, without = (_first_line(patients, what, requires).course for what in (regimen, ""))
    assert _responded(given).mean() < 0.03
    assert 0.93 < _ratio(given, without, "death_weeks", "died") < 1.12


@pytest.mark.parametrize(
    ("patients", "added", "alone"),
    [
        (
            "crc_first",
            "fluorouracil+leucovorin+oxaliplatin+panitumumab",
            "fluorouracil+leucovorin+oxaliplatin",
        ),
        ("breast_tnbc_pdl1_first", "paclitaxel+trastuzumab", "paclitaxel"),
    ],
)
def test_a_drug_added_without_its_marker_adds_nothing(patients: str, added: str, alone: str) -> None:
    more, less = (_first_line(patients, what).course for what in (added, alone))
    assert 0.93 < _ratio(more, less, "progression_weeks", "progressed") < 1.15
    assert 0.93 < _ratio(more, less, "death_weeks", "died") < 1.15


def _ratio(one: Endpoints, other: Endpoints, weeks: str, happened: str) -> float:
    arms = [
        Times(
            np.asarray(getattr(each, weeks), np.float64)[None],
            np.asarray(getattr(each, happened))[None],
            entry_weeks(N)[None],
        )
        for each in (one, other)
    ]
    return float(hazard_ratio(*until_cut(arms))[0])
