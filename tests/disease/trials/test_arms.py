"""Published arms as populations and schedules."""

from dataclasses import replace

import numpy as np

from disease_patients import same
from oncoproof.disease.trials.arms import (
    PreparedArms,
    first_number,
    prepare_arms,
    run_arms,
    some_arms,
)
from oncoproof.knowledge.medicines import Condition
from oncoproof.knowledge.trials import TrialArm, load_trials
from oncoproof.seeds import Seed

SEED, PATIENTS = Seed(5), 12
ARMS = {arm.row_id: arm for arm in load_trials()}
TREATED = ARMS["flaura-egfr-osimertinib"]
CONTROL = ARMS[TREATED.comparator_row_id or ""]
SINGLE = ARMS["profile_1001-ros1-crizotinib"]


def _prepare(*arms: TrialArm, patients: int = PATIENTS) -> PreparedArms:
    return prepare_arms(arms, patients=patients, seed=SEED)


def test_every_arm_of_the_table_can_be_prepared() -> None:
    """Each row is prepared or refused with a reason; none is dropped."""
    prepared = _prepare(*ARMS.values(), patients=2)
    assert sorted([*prepared.rows, *prepared.refused]) == sorted(ARMS)
    assert not prepared.refused
    assert len(prepared.cohort.patients.number) == 2 * len(ARMS)


def _part(prepared: PreparedArms, arm: int) -> slice:
    return slice(arm * prepared.patients, (arm + 1) * prepared.patients)


def test_arms_of_a_trial_hold_the_same_patients_with_the_same_chance() -> None:
    prepared = _prepare(TREATED, CONTROL)
    one, other = ([column[_part(prepared, arm)] for column in prepared.cohort.patients] for arm in (0, 1))
    assert np.array_equal(one[0], other[0])  # numbers, which tie them to the noise
    assert np.array_equal(one[5], other[5])  # brain metastases
    assert not same([column[:, _part(prepared, 0)] for column in prepared.cohort.designs],
                    [column[:, _part(prepared, 1)] for column in prepared.cohort.designs])  # fmt: skip


def test_an_arm_is_the_same_in_any_table() -> None:
    alone, among = _prepare(CONTROL), _prepare(SINGLE, CONTROL, TREATED)
    part = _part(among, 1)
    assert same(alone.cohort.patients, [column[part] for column in among.cohort.patients])
    assert same(alone.cohort.designs, [column[:, part] for column in among.cohort.designs])


def test_numbers_of_patients_leave_room_for_a_million() -> None:
    firsts = [first_number(trial) for trial in {arm.trial for arm in ARMS.values()}]
    assert all(first % 1_000_000 == 0 for first in firsts)
    assert max(firsts) + 1_000_000 < 2**31


def test_what_cannot_be_simulated_is_listed_with_the_reason() -> None:
    nobody = replace(
        TREATED, row_id="nobody", requires=(Condition("EGFR", ("l858r",)), Condition("EGFR", ("wt",)))
    )
    impossible = replace(TREATED, row_id="impossible", prior=("no_such_treatment",))
    prepared = _prepare(nobody, SINGLE, impossible)
    assert prepared.rows == (SINGLE.row_id,)
    assert set(prepared.refused) == {"nobody", "impossible"}
    assert "no_such_treatment" in prepared.refused["impossible"]


def test_a_table_of_which_nothing_can_be_simulated_gives_nothing() -> None:
    prepared = _prepare(replace(TREATED, prior=("no_such_treatment",)))
    assert prepared.rows == ()
    assert list(prepared.refused) == [TREATED.row_id]


def test_arms_can_be_chosen() -> None:
    prepared = _prepare(TREATED, CONTROL, SINGLE)
    some = some_arms(prepared, [2, 0])
    assert some.rows == (SINGLE.row_id, TREATED.row_id)
    assert np.array_equal(
        some.cohort.patients.number[:PATIENTS], prepared.cohort.patients.number[_part(prepared, 2)]
    )


def test_an_empty_table_is_simulated_at_once() -> None:
    from oncoproof.disease.numbers.parameters import assemble, prior_means  # noqa: PLC0415  the only use

    assert run_arms(_prepare(), assemble(prior_means()), seed=SEED) == []
