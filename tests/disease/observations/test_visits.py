"""Visits and what is read at them: performance status, laboratory, blood, utilities, the end."""

import numpy as np
import pytest
from jax.scipy.special import ndtr

from hand_made_courses import hand_made
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.numbers.parameters import assemble, prior_means
from oncoproof.disease.observations import (
    End,
    Record,
    blood_dna,
    gained,
    laboratory,
    observe,
    outcome,
    performance,
    quality,
    total,
)
from oncoproof.disease.observations.blood_dna import BloodVariant, detection_probability
from oncoproof.disease.observations.chance import poisson_quantiles
from oncoproof.disease.observations.event_tables import term_numbers
from oncoproof.disease.observations.laboratory import load_analytes, load_grades
from oncoproof.disease.observations.lesions import load_lesion_sites
from oncoproof.disease.observations.observation_numbers import load_observation_numbers, number_of
from oncoproof.disease.observations.quality import STATES, utilities_by_state
from oncoproof.disease.observations.reserve import reserve_of
from oncoproof.disease.observations.timeline import Walked, marked
from oncoproof.errors import IntegrityError
from oncoproof.knowledge.cancers import load_diseases
from oncoproof.knowledge.sources import load_sources
from oncoproof.seeds import Seed

GENERATOR = Seed(20260301).child("visits").generator()


@pytest.fixture(scope="module")
def record(walked: Walked) -> Record:
    return observe(walked, assemble(prior_means()))


def test_scans_and_severe_events_are_visits_and_the_dead_are_not_seen(walked: Walked, record: Record) -> None:
    seen = np.zeros(walked.shape, np.bool_)
    seen[record.visits.week, record.visits.patient] = True
    assert seen[marked(walked.weeks.code, Mark.SCANNED | Mark.SEVERE | Mark.ILL)].all()
    assert not seen[~walked.timeline.lived].any()


def test_first_reading_of_performance_is_the_one_on_record(walked: Walked, record: Record) -> None:
    first = record.visits.week == 0
    assert np.array_equal(record.performance.ecog[first], walked.patients.ecog.astype(np.int8))


def test_readings_of_performance_scatter_as_their_density_says(record: Record) -> None:
    later = record.visits.week > 0
    expected, ecog = record.performance.expected[later], record.performance.ecog[later]
    shares = np.exp(
        [performance.log_probability(np.full(len(ecog), step), expected=expected) for step in range(5)]
    )
    np.testing.assert_allclose(shares.sum(axis=0), 1.0, atol=1e-4)
    for step in range(5):
        error = 4 * np.sqrt((shares[step] * (1 - shares[step])).sum()) + 1
        assert (ecog == step).sum() == pytest.approx(float(shares[step].sum()), abs=float(error))


def test_performance_falls_with_the_end_in_sight_and_with_harm() -> None:
    usual = {"brain_size": 0.0, "burden": 0.0, "declined": 0.0}
    assert performance.drift(1.0, 1.5, **usual) > 0 > performance.drift(1.0, 0.5, **usual)
    for name in usual:
        assert performance.drift(1.0, 1.0, **{**usual, name: 1.0}) > 0


def test_laboratory_errs_as_its_density_says(record: Record) -> None:
    found = record.laboratory
    by_id = {analyte.id: analyte for analyte in load_analytes()}
    for place, name in enumerate(found.analytes):
        analyte = by_id[name]
        missing = np.isnan(found.value[place])
        assert missing.mean() == pytest.approx(analyte.missing, abs=0.015)
        gap = (np.log(found.value[place]) - found.expected_log[place])[~missing] / analyte.cv
        assert np.mean(gap) == pytest.approx(0.0, abs=0.03)
        assert np.std(gap) == pytest.approx(1.0, abs=0.03)
        density = laboratory.log_probability(
            found.value[place], expected_log=found.expected_log[place], cv=analyte.cv, missing=analyte.missing
        )
        assert np.isfinite(density).all()


def _at_onset(record: Record, term: str, grade: int) -> np.ndarray:
    events = record.events
    chosen = (events.term == term_numbers()[term]) & (events.grade == grade)
    spots = set(zip(events.week[chosen].tolist(), events.patient[chosen].tolist(), strict=True))
    visits = zip(record.visits.week.tolist(), record.visits.patient.tolist(), strict=True)
    return np.array([spot in spots for spot in visits])


def test_a_value_lies_where_the_grade_of_its_event_puts_it(record: Record) -> None:
    chosen = _at_onset(record, "anaemia", 3)
    level = np.exp(record.laboratory.expected_log[record.laboratory.analytes.index("haemoglobin")][chosen])
    assert chosen.sum() > 5
    np.testing.assert_allclose(np.median(level), load_grades()["haemoglobin"].grade3, rtol=0.02)


def test_no_event_makes_a_value_better(walked: Walked, record: Record) -> None:
    quiet = record.activity._replace(share=np.zeros_like(record.activity.share))
    reserve = reserve_of(walked, assemble(prior_means()))
    without = laboratory.measure_laboratory(walked, record.events, quiet, reserve).expected_log
    for place, name in enumerate(record.laboratory.analytes):
        change = record.laboratory.expected_log[place] - without[place]
        lower = name in {"haemoglobin", "anc", "platelets", "crcl_ml_min", "albumin"}
        assert np.nanmax(change if lower else -change) <= 1e-6, name


def test_spread_to_the_liver_raises_its_enzymes(walked: Walked, record: Record) -> None:
    place = record.laboratory.analytes.index("ast_x_uln")
    first = record.visits.week == 0
    liver = walked.has("metastatic_sites", "liver")[record.visits.patient]
    level = record.laboratory.expected_log[place]
    assert level[first & liver].mean() > level[first & ~liver].mean() + 0.05


def test_what_is_on_record_before_the_course_is_expected_in_week_zero() -> None:
    walked = hand_made(patients=50)
    known = {"albumin": np.linspace(28.0, 46.0, 50)}
    walked.subjects = walked.subjects.of_columns({**walked.subjects.columns, **known}, rows=50)
    found = observe(walked, assemble(prior_means()))
    level = found.laboratory.expected_log[found.laboratory.analytes.index("albumin")]
    np.testing.assert_allclose(np.exp(level[found.visits.week == 0]), known["albumin"], rtol=1e-4)


def test_counts_have_a_poisson_law() -> None:
    for mean in (0.3, 4.0, 25.0, 80.0):
        normal = GENERATOR.normal(size=40_000)
        uniform = np.asarray(ndtr(normal), np.float32)
        counts = poisson_quantiles(uniform, normal, np.full(40_000, mean))
        # Four standard errors of mean and of variance.
        assert counts.mean() == pytest.approx(mean, abs=4 * np.sqrt(mean / 40_000) + 0.01)
        assert counts.var() == pytest.approx(mean, rel=0.05)


def test_variants_are_called_as_often_as_their_probability_says(record: Record) -> None:
    blood = record.blood
    for variant in BloodVariant:
        share = detection_probability(blood.tumour_fraction, share=blood.share[variant])
        error = 4 * np.sqrt((share * (1 - share)).sum()) + 1
        assert blood.called[variant].sum() == pytest.approx(float(share.sum()), abs=float(error))
    density = blood_dna.log_probability(blood.molecules, fraction=blood.tumour_fraction, share=blood.share)
    assert np.isfinite(density).all()


def test_a_resistance_variant_is_seen_where_its_clone_prevails(walked: Walked, record: Record) -> None:
    blood = record.blood
    prevails = walked.timeline.clone[blood.week, blood.patient] == BloodVariant.ON_TARGET
    called = blood.called[BloodVariant.ON_TARGET]
    assert called[prevails].mean() > 0.5
    assert called[~prevails].mean() < 0.05


@pytest.mark.parametrize("disease", load_diseases())
def test_every_state_has_a_utility_and_progression_is_worse(disease: str) -> None:
    table = utilities_by_state(disease)
    assert ((table > 0) & (table < 1)).all()
    stable, progressed = table[STATES.index("stable")], table[STATES.index("progressed")]
    assert (progressed < stable).all()
    assert (table[STATES.index("complete")] >= table[STATES.index("partial")]).all()


def test_years_in_perfect_order_and_their_discount(walked: Walked, record: Record) -> None:
    plain = total(walked, record.quality, record.events)
    discounted = total(walked, record.quality, record.events, discount_yearly=number_of("discount_yearly"))
    assert (discounted.qalys < plain.qalys).all()
    assert (plain.qalys < plain.months / 12).all()
    assert not np.any(gained(plain, plain).qalys)
    assert (record.quality.utility[~walked.timeline.lived] == 0).all()


def test_reports_of_health_scatter_around_its_worth(record: Record) -> None:
    found = record.quality
    utility = found.utility[found.report_week, found.report_patient]
    person = found.person[found.report_patient]
    density = quality.log_probability(found.reported, utility=utility, person=person)
    other = quality.log_probability(found.reported, utility=utility, person=person + 0.5)
    assert float(density.mean()) > float(other.mean())


def test_ends_follow_from_the_walk(walked: Walked, record: Record) -> None:
    code, outcomes = walked.weeks.code, record.outcomes
    harmed = marked(code, Mark.DIED_OF_HARM).any(axis=0)
    died = marked(code, Mark.DIED).any(axis=0)
    assert np.array_equal(outcomes.end == End.DEATH_OF_HARM, harmed)
    assert np.array_equal(outcomes.end >= End.DEATH_OF_DISEASE, died)
    otherwise = died & ~harmed
    other = outcomes.end[otherwise] == End.DEATH_OF_OTHER_CAUSE
    share = outcomes.background_share[otherwise]
    assert other.sum() == pytest.approx(
        float(share.sum()), abs=float(4 * np.sqrt((share * (1 - share)).sum()) + 1)
    )
    assert np.isfinite(outcome.log_probability(other, share=share)).all()


def test_a_patient_is_observed_alike_alone_and_among_others(record: Record) -> None:
    alone = observe(hand_made(patients=2, first=0), assemble(prior_means()))
    for place in range(2):
        mine, theirs = record.visits.patient == place, alone.visits.patient == place
        assert record.visits.week[mine].tolist() == alone.visits.week[theirs].tolist()
        np.testing.assert_array_equal(record.laboratory.value[:, mine], alone.laboratory.value[:, theirs])
        assert record.performance.ecog[mine].tolist() == alone.performance.ecog[theirs].tolist()


def test_every_number_has_a_source_and_lies_in_its_range() -> None:
    for row in load_observation_numbers().values():
        assert row.figure.source in load_sources()
        assert (
            (row.figure.low or row.figure.value) <= row.figure.value <= (row.figure.high or row.figure.value)
        ), row.id
    rows = (*load_analytes(), *load_grades().values(), *load_lesion_sites())
    assert {row.source for row in rows} <= set(load_sources())
    with pytest.raises(IntegrityError):
        number_of("nothing")
