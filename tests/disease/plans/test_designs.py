"""What is planned for patients, as the model computes with it."""

import numpy as np
import pytest

from oncoproof.disease.numbers.effects import effects_of, load_effects
from oncoproof.disease.numbers.harms import harm_numbers
from oncoproof.disease.plans.designs import (
    NO_TREATMENT,
    UNLIMITED_WEEKS,
    LineDesigns,
    design_lines,
    regimen_of,
)
from oncoproof.errors import InputError
from oncoproof.knowledge.medicines import load_drugs, load_regimens
from oncoproof.knowledge.subjects import Subjects


def _design(
    rows: list[dict[str, object]], *regimens: str, plan: list[list[int]] | None = None
) -> LineDesigns:
    lines = [[0] * len(rows)] if plan is None else plan
    return design_lines(Subjects.of_rows(rows), regimens, np.array(lines, np.int32))


def _effects(design: LineDesigns, patient: int = 0, line: int = 0) -> list[str]:
    return [load_effects()[number].id for number in design.effects[line, patient] if number >= 0]


def test_the_first_effect_whose_context_fits_holds_and_no_other() -> None:
    rows: list[dict[str, object]] = [
        {"disease": "nsclc", "EGFR": "l858r", "line": 1},
        {"disease": "nsclc", "EGFR": "wt", "line": 1},
        {"disease": "crc", "line": 1},
    ]
    for drug in load_drugs():
        effects = effects_of(drug)
        if effects and drug in {each for regimen in load_regimens().values() for each in regimen.drugs}:
            design = _design(rows, drug)
            for patient in range(len(rows)):
                found = _effects(design, patient)
                assert len(found) <= 1
                assert set(found) <= {effect.id for effect in effects}
                everybody = [effect.id for effect in effects if not effect.when]
                assert found or not everybody
    assert _effects(_design(rows, "osimertinib")) == ["osimertinib.egfr"]


def test_a_row_above_another_wins() -> None:
    """Every effect of a drug that is listed before the one that held does not fit the patient."""
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "wt", "line": 2}
    for drug in ("docetaxel", "pembrolizumab", "osimertinib", "erlotinib"):
        (found,) = _effects(_design([row], drug)) or [None]
        listed = [effect.id for effect in effects_of(drug)]
        above = listed[: listed.index(found)] if found else listed
        for id_ in above:
            effect = next(effect for effect in load_effects() if effect.id == id_)
            assert effect.when, f"{id_} holds for everybody and stands above {found}"


def test_a_drug_without_a_row_does_nothing_but_is_given() -> None:
    drug = "leucovorin"
    assert not effects_of(drug)
    assert drug not in harm_numbers()
    row: dict[str, object] = {"disease": "crc", "line": 1}
    design = _design([row], drug)
    assert design.given[0, 0]
    assert (design.effects == -1).all()
    assert (design.harms == -1).all()
    assert _effects(_design([row], f"fluorouracil+{drug}")) == _effects(_design([row], "fluorouracil"))


def test_nothing_is_planned_where_no_treatment_is() -> None:
    row: dict[str, object] = {"disease": "crc", "line": 1}
    design = _design([row, row], "fluorouracil", plan=[[0, NO_TREATMENT]])
    assert design.given.tolist() == [[True, False]]
    assert (design.effects[0, 1] == -1).all()
    assert (design.harms[0, 1] == -1).all()
    assert not design.terms[0, 1].any()


def test_a_target_is_new_once() -> None:
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "l858r", "line": 1}
    regimens = ("gefitinib", "osimertinib", "docetaxel")
    design = _design([row], *regimens, plan=[[0], [1], [2]])
    assert design.new_target[:, 0].tolist() == [True, False, False]
    other = _design([row], *regimens, plan=[[2], [1], [0]])
    assert other.new_target[:, 0].tolist() == [False, True, False]


def test_what_was_given_before_counts_in_later_lines() -> None:
    """The second line is designed for a patient who had the first."""
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "wt", "line": 1}
    in_turn = _design([row], "carboplatin+pemetrexed", "docetaxel", plan=[[0], [1]])
    had: dict[str, object] = {**row, "line": 2, "prior_drugs": ["carboplatin", "pemetrexed"]}
    assert np.array_equal(in_turn.terms[1, 0], _design([had], "docetaxel").terms[0, 0])
    assert np.array_equal(in_turn.effects[1, 0], _design([had], "docetaxel").effects[0, 0])


def test_a_plan_among_the_features_is_ignored() -> None:
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "l858r", "line": 1}
    planned: dict[str, object] = {**row, "plan_drugs": ["docetaxel"]}
    for one, other in zip(_design([row], "osimertinib"), _design([planned], "osimertinib"), strict=True):
        assert np.array_equal(one, other)


def test_drugs_stop_after_the_first_phase_unless_they_maintain() -> None:
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "wt", "line": 1}
    id_ = "carboplatin+pembrolizumab+pemetrexed"
    regimen = regimen_of(id_)
    design = _design([row], id_)
    by_effect = dict(zip(_effects(design), design.limited[0, 0].tolist(), strict=False))
    assert regimen.cycles_max is not None
    assert by_effect["platinum.nsclc"]
    assert by_effect["antifolate.nsclc"] is ("pemetrexed" not in regimen.maintenance)
    assert design.limited_weeks[0, 0] == regimen.cycles_max * regimen.cycle_days / 7
    assert _design([row], "osimertinib").limited_weeks[0, 0] == UNLIMITED_WEEKS


def test_the_best_of_the_drugs_reaches_the_brain() -> None:
    row: dict[str, object] = {"disease": "nsclc", "EGFR": "l858r", "line": 1}
    both = _design([row], "osimertinib+docetaxel").brain_access[0, 0]
    alone = [_design([row], drug).brain_access[0, 0] for drug in ("osimertinib", "docetaxel")]
    assert both == max(alone)
    assert 0 < min(alone) < max(alone) <= 1


def test_an_unknown_drug_and_too_many_drugs_are_refused() -> None:
    row: dict[str, object] = {"disease": "nsclc", "line": 1}
    with pytest.raises(InputError, match="water"):
        _design([row], "water")
    many = "bevacizumab+carboplatin+docetaxel+gemcitabine+osimertinib+pembrolizumab+pemetrexed"
    with pytest.raises(InputError, match="at most 6"):
        _design([row], many)
