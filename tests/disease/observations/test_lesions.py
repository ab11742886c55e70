"""Target lesions: sums, numbers, organs, and how their parts scatter."""

import numpy as np
import pytest

from hand_made_courses import PROGRESSION
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.observations.lesions import (
    NO_LESION,
    Targets,
    draw_new_lesions,
    draw_targets,
    log_probability,
    read_lesions,
    sites,
    split_exactly,
)
from oncoproof.disease.observations.observation_numbers import number_of
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.seeds import Seed


@pytest.fixture(scope="module")
def targets(walked: Walked) -> Targets:
    return draw_targets(walked)


def test_diameters_sum_exactly_to_the_reading(walked: Walked, targets: Targets) -> None:
    found = read_lesions(walked, targets)
    whole = walked.weeks.read_mm[found.week, found.patient].astype(np.float64)
    there = np.where(np.isnan(found.mm), 0.0, found.mm)
    assert np.array_equal(there.sum(axis=0), whole)
    assert np.array_equal(there[::-1].sum(axis=0), whole)
    assert (found.mm[~np.isnan(found.mm)] > 0).all()


def test_targets_are_one_to_five_and_measurable_at_first(walked: Walked, targets: Targets) -> None:
    count = (targets.site != NO_LESION).sum(axis=0)
    assert set(np.unique(count).tolist()) <= {1, 2, 3, 4, 5}
    several = count > 1
    assert np.nanmin(targets.first_mm[:, several]) >= number_of("lesion_mm_min")
    np.testing.assert_allclose(np.nansum(targets.first_mm, axis=0), walked.weeks.read_mm[0], rtol=1e-6)


def test_no_organ_has_more_than_two_and_each_is_one_of_the_patient(walked: Walked, targets: Targets) -> None:
    for number, site in enumerate(sites()):
        here = (targets.site == number).sum(axis=0)
        assert here.max() <= 2
        if site != "lung":
            assert not here[~walked.has("metastatic_sites", site)].any()


def test_sum_is_exact_for_tiny_and_large_readings() -> None:
    generator = Seed(20260301).child("split").generator()
    whole = np.exp(generator.uniform(-5, 6, 500)).astype(np.float32).astype(np.float64)
    parts = generator.dirichlet(np.ones(5), 500).T
    assert np.array_equal(split_exactly(whole, parts).sum(axis=0), whole)


def test_density_is_highest_where_lesions_follow_the_tumour(walked: Walked, targets: Targets) -> None:
    found = read_lesions(walked, targets)
    later = (found.week > 0) & ((~np.isnan(found.mm)).sum(axis=0) == 3)
    mm, expected = found.mm[:, later], found.expected_log[:, later]
    drawn = float(log_probability(mm, expected_log=expected).mean())
    wrong = expected + np.array([0.2, -0.2, 0.1, 0.0, 0.0])[:, None]
    assert drawn > float(log_probability(mm, expected_log=wrong).mean())
    # The mean log density of logistic normal parts: minus their entropy; the error of the mean is below 0.1.
    parts = mm / np.nansum(mm, axis=0)
    spread = np.log(number_of("lesion_reader_error")) * 2 + np.log(2 * np.pi * np.e) + 0.5 * np.log(3)
    assert drawn == pytest.approx(-spread - float(np.nansum(np.log(parts), axis=0).mean()), abs=0.1)


def test_new_lesions_stand_where_scans_showed_them(walked: Walked) -> None:
    found = draw_new_lesions(walked)
    assert set(found.week.tolist()) == {PROGRESSION}
    brain = found.site == sites().index("brain")
    assert brain.sum() == marked(walked.weeks.code, Mark.IN_BRAIN).sum()
    assert (~brain).sum() == marked(walked.weeks.code, Mark.NEW_LESION).sum()
