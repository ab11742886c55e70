"""Severe events on states made by hand: when they come, and what follows."""

import numpy as np
import pytest

from disease_patients import constants, line, on_treatment, traits
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.state import BETWEEN, State
from oncoproof.disease.courses.toxicity import Harm, suffer
from oncoproof.disease.courses.traits import HARMS_MAX, Traits

_suffer = compiled()(suffer)
CONSTANTS = constants(dose_step=0.8, hold_weeks=2.0, harm_lasting=0.2, harm_fall_weeks=12.0)
DRUG = line(harm=0.1, fatal_share=0.02, stop_share=0.1, reducible=1.0)


def _meet(fate: float, **changed: float) -> tuple[State, Harm]:
    """A patient whose next severe event comes now, with this fate."""
    who = traits(harm_thresholds=0.05, harm_fates=fate)
    now = DRUG._replace(**{name: np.array([value], np.float32) for name, value in changed.items()})
    return _suffer(on_treatment(who), who, now, CONSTANTS)


@pytest.mark.parametrize(
    ("fate", "what"),
    [(0.01, "fatal"), (0.05, "stops"), (0.119, "stops"), (0.13, "reduces"), (0.99, "reduces")],
)
def test_fate_decides_what_follows(fate: float, what: str) -> None:
    state, harm = _meet(fate)
    assert harm.severe[0]
    assert [name for name in ("fatal", "stops", "reduces") if getattr(harm, name)[0]] == [what]
    assert float(state.stopped[0]) == (what == "stops")
    assert float(state.dose[0]) == pytest.approx(0.8 if what == "reduces" else 1.0)
    assert float(state.hold[0]) == 2.0
    assert int(state.harms[0]) == 1


def test_a_drug_that_cannot_be_reduced_is_held_only() -> None:
    state, harm = _meet(0.5, reducible=0.0)
    assert harm.severe[0]
    assert not harm.reduces[0]
    assert float(state.dose[0]) == 1.0
    assert float(state.hold[0]) == 2.0


def test_no_event_before_its_threshold() -> None:
    who = traits(harm_thresholds=0.25)
    state, came = on_treatment(who), []
    for _ in range(3):
        state, harm = _suffer(state, who, DRUG, CONSTANTS._replace(harm_lasting=np.float32(1.0)))
        came.append(bool(harm.severe[0]))
    assert came == [False, False, True]


def _hazard(who: Traits, **changed: float) -> float:
    state, _ = _suffer(on_treatment(who, **changed), who, DRUG, CONSTANTS)
    return float(state.harm_hazard[0])


def test_harm_grows_with_the_square_of_the_dose_and_rests_while_the_drug_does() -> None:
    who = traits()
    assert _hazard(who) == pytest.approx(0.1)
    assert _hazard(who, dose=0.5) == pytest.approx(0.025)
    assert _hazard(who, hold=1.0) == _hazard(who, stopped=1.0) == _hazard(who, phase=BETWEEN) == 0.0


def test_harm_falls_towards_what_lasts() -> None:
    who = traits()
    assert _hazard(who, front=0.0) == pytest.approx(0.02)
    state = on_treatment(who)
    for _ in range(12):
        state, _ = _suffer(state, who, DRUG, CONSTANTS)
    assert float(state.front[0]) == pytest.approx(np.exp(-1), rel=1e-4)


def test_drugs_of_the_first_phase_harm_in_it_only() -> None:
    who = traits()
    now = line(harm_limited=0.3, limited_weeks=10.0)
    within, after = (
        _suffer(on_treatment(who, line_week=week), who, now, CONSTANTS)[0].harm_hazard for week in (9, 10)
    )
    assert float(within[0]) == pytest.approx(0.3)
    assert float(after[0]) == 0.0


def test_a_hold_ends() -> None:
    who = traits()
    state, holds = on_treatment(who, hold=2.0), []
    for _ in range(3):
        state, _ = _suffer(state, who, DRUG, CONSTANTS)
        holds.append(float(state.hold[0]))
    assert holds == [1.0, 0.0, 0.0]


def test_no_more_events_than_there_are_thresholds() -> None:
    who = traits(harm_thresholds=0.0)
    _, harm = _suffer(on_treatment(who, harms=HARMS_MAX), who, DRUG, CONSTANTS)
    assert not harm.severe[0]
