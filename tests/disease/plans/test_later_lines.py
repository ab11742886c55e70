"""What follows where nobody is asked. Statistical assertions fail by chance once in 1.7 million."""

import numpy as np
import pytest

from disease_patients import require_share
from oncoproof.disease.plans.designs import NO_TREATMENT
from oncoproof.disease.plans.later_lines import (
    LINES,
    Switch,
    load_crossovers,
    load_further_treatment,
    load_later_lines,
    plan_lines,
)
from oncoproof.knowledge.cancers import load_diseases
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

N = 20_000
CHANCE = Seed(2).child("later lines").generator().random((LINES, 2, N)).astype(np.float32)
PATIENTS = Subjects.of_columns({"disease": ["nsclc"] * N, "EGFR": ["l858r"] * N, "line": np.ones(N)}, rows=N)


def _plan(switch: Switch | None = None) -> tuple[tuple[str, ...], np.ndarray]:
    return plan_lines(
        PATIENTS, disease="nsclc", regimens=("gefitinib",), first=np.zeros(N, np.int32), chance=CHANCE,
        switch=switch,
    )  # fmt: skip


def test_the_share_that_is_treated_further_is_that_of_the_table() -> None:
    _, plan = _plan()
    left = np.ones(N, np.bool_)
    for line in range(1, LINES):
        treated = plan[line] != NO_TREATMENT
        assert not (treated & ~left).any()
        share = load_further_treatment()["nsclc", line]
        # Where the options of a row leave part of 1, nothing follows: at most the share of the table.
        assert treated[left].mean() <= share + 5 * np.sqrt(share * (1 - share) / left.sum())
        left &= treated


def test_options_are_taken_in_the_shares_of_the_first_row_that_fits() -> None:
    regimens, plan = _plan()
    # After gefitinib the row without an earlier inhibitor no longer fits: the next one does.
    row = next(
        row for row in load_later_lines()
        if row.disease == "nsclc" and "prior_classes has any [egfr_tki_gen1" in row.when
        and "not prior_classes has any" not in row.when
    )  # fmt: skip
    treated = plan[1] != NO_TREATMENT
    for regimen, share in row.choices():
        require_share(float((plan[1][treated] == regimens.index(regimen)).mean()), share, n=treated.sum())


@pytest.mark.parametrize(("year", "given"), [(2009, {"carboplatin+pemetrexed"}), (None, None)])
def test_nothing_is_given_before_it_was_approved(year: int | None, given: set[str] | None) -> None:
    """Osimertinib came in 2015: before, everybody who is treated further gets what there was."""
    regimens, plan = plan_lines(
        PATIENTS, disease="nsclc", regimens=("gefitinib",), first=np.zeros(N, np.int32), chance=CHANCE,
        switch=None, year=year,
    )  # fmt: skip
    numbers: list[int] = np.unique(plan[1]).tolist()
    second = {regimens[number] for number in numbers if number != NO_TREATMENT}
    assert second == (given or {"carboplatin+pemetrexed", "osimertinib"})
    share = load_further_treatment()["nsclc", 1]
    require_share(float((plan[1] != NO_TREATMENT).mean()), share, n=N)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.85, 1.0])
def test_a_published_crossover_is_a_share_of_all_patients(share: float) -> None:
    regimens, plan = _plan(Switch("osimertinib+pemetrexed", share))
    crossed = plan[1] == (regimens.index("osimertinib+pemetrexed") if share else -2)
    require_share(float(crossed.mean()), share, n=N)
    usual = load_further_treatment()["nsclc", 1]
    assert (plan[1] != NO_TREATMENT).mean() >= min(share, usual) - 0.02


def test_the_same_chance_gives_the_same_lines_whoever_stands_beside() -> None:
    regimens, plan = _plan()
    few, part = plan_lines(
        PATIENTS.choose(np.arange(50)), disease="nsclc", regimens=("gefitinib",),
        first=np.zeros(50, np.int32), chance=CHANCE[:, :, :50], switch=None,
    )  # fmt: skip

    def names(listed: tuple[str, ...], numbers: np.ndarray) -> list[list[str]]:
        return [["" if number < 0 else listed[number] for number in row] for row in numbers.tolist()]

    assert names(few, part) == names(regimens, plan[:, :50])


def test_tables_are_whole() -> None:
    for row in load_later_lines():
        assert sum(share for _, share in row.choices()) <= 1 + 1e-9, row
    for disease in load_diseases():
        shares = [load_further_treatment()[disease, line] for line in range(1, LINES)]
        assert all(0 <= share <= 1 for share in shares)
    assert {disease for disease, _ in load_crossovers()} <= set(load_diseases())
