"""Whole courses: the same however the work is cut, whoever is beside, and until decisions differ."""

from functools import cache

import numpy as np
import pytest

from disease_patients import same
from oncoproof.disease.courses.chunks import in_chunks
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.simulation import Cohort, Weeks, chosen, simulate_endpoints, simulate_weeks
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.courses.traits import draw_traits
from oncoproof.disease.numbers.parameters import assemble, prior_means
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.disease.plans.designs import NO_TREATMENT, design_lines
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

pytestmark = pytest.mark.xdist_group("course")

N, WEEKS = 200, 100
KEY = noise_key(Seed(21))
ROWS: list[dict[str, object]] = [
    {"disease": "nsclc", "EGFR": "l858r", "line": 1, "age_years": 60},
    {"disease": "nsclc", "EGFR": "wt", "line": 1, "age_years": 70, "sex": "male"},
    {"disease": "crc", "line": 2},
    {"disease": "melanoma", "line": 1, "ecog": 1},
]
REGIMENS = ("docetaxel", "osimertinib", "pembrolizumab", "carboplatin+pemetrexed")
PARAMETERS = assemble(prior_means())


@cache
def _cohort(second: int = 3) -> Cohort:
    """Two hundred patients in two lines; the second is the regimen of this number."""
    subjects = Subjects.of_rows([ROWS[number % 4] for number in range(N)])
    plan = np.stack([np.arange(N) % 3, np.full(N, second)]).astype(np.int32)
    patients = covariates_of(subjects, np.arange(N, dtype=np.int32))
    return Cohort(patients, design_lines(subjects, REGIMENS, plan))


@cache
def _endpoints(chunk: int) -> Endpoints:
    return simulate_endpoints(KEY, _cohort(), PARAMETERS, weeks=WEEKS, chunk=chunk)


@cache
def _weeks(second: int = 3) -> Weeks:
    return simulate_weeks(KEY, _cohort(second), PARAMETERS, weeks=WEEKS, chunk=64)


@pytest.mark.parametrize("chunk", [512, 1024])
def test_how_the_work_is_cut_changes_nothing(chunk: int) -> None:
    assert same(_endpoints(chunk), _endpoints(64))


def test_a_repeated_run_is_the_same() -> None:
    again = simulate_endpoints(KEY, _cohort(), PARAMETERS, weeks=WEEKS, chunk=64)
    assert same(again, _endpoints(64))


def test_who_is_beside_changes_nothing() -> None:
    some = chosen(_cohort(), np.arange(3, N, 7))
    found = simulate_endpoints(KEY, some, PARAMETERS, weeks=WEEKS, chunk=64)
    assert same(found, [column[3::7] for column in _endpoints(64)])


def test_another_seed_is_another_chance() -> None:
    other = simulate_endpoints(noise_key(Seed(22)), _cohort(), PARAMETERS, weeks=WEEKS, chunk=64)
    assert not np.array_equal(other.death_weeks, _endpoints(64).death_weeks)


def test_traits_know_nothing_of_plans_lines_or_horizon() -> None:
    """More lines and a longer horizon add thresholds and readings, and move none."""
    patients = chosen(_cohort(), slice(0, 20)).patients
    draw = compiled("lines", "weeks")(draw_traits)
    short, long = (draw(KEY, patients, PARAMETERS, lines=n, weeks=weeks) for n, weeks in ((2, 100), (6, 520)))
    for name, value in short._asdict().items():
        other = np.asarray(getattr(long, name))
        assert np.array_equal(np.asarray(value), other[: len(value)] if value.ndim == 2 else other), name


def test_until_the_second_line_another_second_line_changes_nothing() -> None:
    one, other = _weeks(), _weeks(NO_TREATMENT)
    code = np.asarray(one.code)
    second = np.argmax(((code & Mark.STARTED) > 0) & (np.arange(WEEKS)[:, None] > 0), axis=0)
    reached = np.flatnonzero(second)
    assert reached.size > 20
    for patient in reached.tolist():
        week = int(second[patient])
        assert same([column[:week, patient] for column in one], [column[:week, patient] for column in other])
    never = np.flatnonzero(second == 0)
    assert same([column[:, never] for column in one], [column[:, never] for column in other])


def test_the_dead_stay_dead() -> None:
    code = np.asarray(_weeks().code)
    died = (code & Mark.DIED) > 0
    assert 10 < died.any(axis=0).sum() < N
    assert died.sum(axis=0).max() == 1
    after = np.cumsum(died, axis=0) - died > 0
    assert not code[after].any()
    assert not np.asarray(_weeks().read_mm)[after].any()
    assert (((code & Mark.ALIVE) > 0) == ~(died | after)).all()


def test_endpoints_are_what_the_weeks_show() -> None:
    code, found = np.asarray(_weeks().code), _endpoints(64)
    died = (code & Mark.DIED) > 0
    assert np.array_equal(found.died, died.any(axis=0))
    assert np.array_equal(found.death_weeks, np.where(found.died, died.argmax(axis=0) + 1, WEEKS))
    ended = (code & (Mark.DIED | Mark.PROGRESSED)) > 0
    assert np.array_equal(
        found.progression_weeks, np.where(found.progressed, ended.argmax(axis=0) + 1, WEEKS)
    )
    assert (found.progression_weeks <= found.death_weeks).all()


def test_a_scan_is_read_when_there_is_one() -> None:
    weeks = _weeks()
    scanned = (np.asarray(weeks.code) & Mark.SCANNED) > 0
    assert np.array_equal(scanned, np.asarray(weeks.read_mm) > 0)
    assert scanned[0].all()


def test_every_number_of_a_course_is_one() -> None:
    for column in _weeks():
        assert np.isfinite(np.asarray(column, np.float64)).all()
    assert (np.asarray(_weeks().extent) > 0).all()


def test_chunks_join_columns_of_any_shape() -> None:
    whole = np.arange(30).reshape(3, 10)
    assert np.array_equal(in_chunks(lambda rows: (whole[:, rows],), 10, chunk=4)[0], whole)
