"""Growth and kill, against closed forms."""

import jax.numpy as jnp
import numpy as np
import pytest

from disease_patients import Values, constants, line, traits
from oncoproof.disease.courses.compiled import compiled
from oncoproof.disease.courses.line_effects import LineEffects
from oncoproof.disease.courses.traits import Traits
from oncoproof.disease.courses.tumour import (
    Exposure,
    Tumour,
    death_rate,
    grow,
    part_clones,
    seeding_rate,
)
from oncoproof.disease.numbers.parameters import Constants

_grow, _part = compiled()(grow), compiled()(part_clones)
_seeding, _death = compiled()(seeding_rate), compiled()(death_rate)


def _exposure(n: int = 1, *, dose: Values = 1.0, **changed: Values) -> Exposure:
    plain = Exposure(
        in_line=np.ones(n, np.bool_), given=np.ones(n, np.float32), dose=np.zeros(n, np.float32) + dose,
        first_phase=np.ones(n, np.bool_), immune_kill=np.zeros(n, np.float32),
        immune_brake=np.zeros(n, np.float32),
    )  # fmt: skip
    columns = {
        name: np.broadcast_to(np.asarray(value), (n,)).astype(getattr(plain, name).dtype)
        for name, value in changed.items()
    }
    return plain._replace(**columns)


def _tumour(*clones: float, brain: float = 1e-6, n: int = 1) -> Tumour:
    columns = np.broadcast_to(np.array([*clones, *[1e-12] * (4 - len(clones))], np.float32)[:, None], (4, n))
    one, zero = np.ones(n, np.float32), np.zeros(n, np.float32)
    return Tumour(columns, brain * one, one, zero, zero, zero)


def _walk(
    tumour: Tumour,
    weeks: int,
    who: Traits,
    now: LineEffects,
    exposure: Exposure,
    *,
    numbers: Constants | None = None,
) -> Tumour:
    for _ in range(weeks):
        tumour = _grow(tumour, who, now, numbers or constants(acquisition=0.0), exposure)
    return tumour


def _weekly(tumour: Tumour, moved: Tumour, clone: int = 0) -> np.ndarray:
    """Log of the factor by which a clone grew."""
    return np.asarray(np.log(moved.clones[clone] / tumour.clones[clone]))


def test_without_drugs_growth_is_exponential() -> None:
    rates = np.array([0.0, 0.01, 0.05, 0.2], np.float32)
    start = _tumour(0.5, brain=0.01, n=4)
    end = _walk(start, 30, traits(4, growth=rates), line(4), _exposure(4, given=0.0))
    # The smooth best of no kills is 1e-5 a week.
    assert np.asarray(end.clones.sum(axis=0)) == pytest.approx(0.5 * np.exp(30 * np.asarray(rates)), rel=1e-3)
    assert np.asarray(end.brain) == pytest.approx(0.01 * np.exp(30 * np.asarray(rates)), rel=1e-3)


def test_growth_slows_as_the_tumour_nears_what_the_body_can_carry() -> None:
    start = _tumour(30.0)
    moved = _walk(start, 1, traits(), line(), _exposure(given=0.0), numbers=constants(capacity=30.0))
    assert _weekly(start, moved) == pytest.approx(0.05 / 2, abs=1e-4)


@pytest.mark.parametrize("drug", ["cytotoxic", "cytotoxic_limited", "targeted"])
def test_more_of_a_drug_kills_more(drug: str) -> None:
    doses = np.linspace(0.0, 1.0, 9, dtype=np.float32)
    end = _walk(
        _tumour(1.0, n=9),
        10,
        traits(9),
        line(9)._replace(**{drug: np.full(9, 0.2, np.float32)}),
        _exposure(9, dose=doses),
    )
    assert (np.diff(np.asarray(end.clones[0], np.float64)) < 0).all()


def test_drugs_of_the_first_phase_stop_after_it() -> None:
    start, now = _tumour(1.0), line(cytotoxic_limited=0.2)
    assert _weekly(start, _walk(start, 1, traits(), now, _exposure())) == pytest.approx(-0.15, abs=1e-3)
    later = _walk(start, 1, traits(), now, _exposure(first_phase=False))
    assert _weekly(start, later) == pytest.approx(0.05, abs=1e-4)


def test_drugs_act_independently_a_cell_is_killed_by_the_best_of_them() -> None:
    start, together = _tumour(1.0), {"cytotoxic": 0.3, "targeted": 0.1}
    alone = [
        _weekly(
            start, _walk(start, 1, traits(), line()._replace(**{k: np.full(1, v, np.float32)}), _exposure())
        )
        for k, v in together.items()
    ]
    both = _weekly(start, _walk(start, 1, traits(), line(cytotoxic=0.3, targeted=0.1), _exposure()))
    assert both <= min(alone)
    assert both == pytest.approx(0.05 - (0.3**4 + 0.1**4) ** 0.25, abs=1e-4)


def test_each_clone_escapes_what_it_resists() -> None:
    """Sensitive; resistant on the target; by bypass; hidden from immunity."""
    start = _tumour(1.0, 1.0, 1.0, 1.0)._replace(immune=np.ones(1, np.float32))
    aimed = _walk(start, 1, traits(), line(targeted=0.2), _exposure())
    assert [round(float(_weekly(start, aimed, clone)[0]), 3) for clone in range(4)] == [
        -0.15,
        0.05,
        0.05,
        0.05,
    ]
    reaching = _walk(start, 1, traits(), line(targeted=0.2, targeted_resistant=0.2), _exposure())
    assert _weekly(start, reaching, 1) == pytest.approx(-0.15, abs=1e-3)
    immune = _walk(start, 1, traits(), line(immune_brake=1e-9), _exposure(immune_kill=0.2))
    assert [round(float(_weekly(start, immune, clone)[0]), 3) for clone in range(4)] == [
        -0.15,
        -0.15,
        -0.15,
        0.05,
    ]
    toxic = _walk(start, 1, traits(), line(cytotoxic=0.2), _exposure())
    assert [round(float(_weekly(start, toxic, clone)[0]), 3) for clone in range(4)] == [-0.15] * 4


def test_sensitive_cells_turn_resistant_under_a_targeted_drug_only() -> None:
    numbers = constants(acquisition=0.01)
    start = _tumour(1.0)
    aimed = _walk(start, 1, traits(), line(targeted=0.2), _exposure(), numbers=numbers)
    assert float(aimed.clones[2, 0]) == pytest.approx(0.01, rel=1e-4)
    assert float(aimed.clones[0, 0]) == pytest.approx(np.exp(-0.15) - 0.01, rel=1e-3)
    toxic = _walk(start, 1, traits(), line(cytotoxic=0.2), _exposure(), numbers=numbers)
    assert float(toxic.clones[2, 0]) < 1e-11


def test_cytotoxic_kill_fades_while_it_is_given() -> None:
    now = line(cytotoxic=0.2, fade=0.9)
    assert float(_walk(_tumour(1.0), 5, traits(), now, _exposure()).toxic[0]) == pytest.approx(0.9**5)
    assert float(_walk(_tumour(1.0), 5, traits(), now, _exposure(given=0.0)).toxic[0]) == 1.0


def test_a_cytostatic_drug_takes_a_share_of_the_growth() -> None:
    rates = np.array([0.01, 0.1], np.float32)
    start = _tumour(1.0, n=2)
    moved = _walk(start, 1, traits(2, growth=rates), line(2, brake=np.log(4.0)), _exposure(2))
    assert _weekly(start, moved) == pytest.approx(np.asarray(rates) / 4, abs=3e-5)


def test_immunity_wakes_with_a_delay_and_remembers() -> None:
    numbers = constants(acquisition=0.0, immune_delay_weeks=8.0, immune_memory=0.75)
    now = line(immune_brake=0.5)
    under_way = _exposure(immune_kill=0.2, immune_brake=0.5)
    woken = _walk(_tumour(1.0), 20, traits(), now, under_way, numbers=numbers)
    assert float(woken.immune[0]) == pytest.approx(1 - (1 - 1 / 8) ** 20, rel=1e-4)
    stopped = _exposure(in_line=False, given=0.0, immune_kill=0.2, immune_brake=0.5)
    assert float(_walk(woken, 200, traits(), now, stopped, numbers=numbers).immune[0]) == pytest.approx(
        0.75, rel=1e-4
    )


def test_the_brain_sees_the_share_of_the_kill_that_reaches_it() -> None:
    access = np.array([0.0, 0.5, 1.0], np.float32)
    start = _tumour(1.0, brain=0.1, n=3)
    moved = _walk(start, 1, traits(3), line(3, targeted=0.2, brain_access=access), _exposure(3))
    grown = np.log(np.asarray(moved.brain) / 0.1)
    assert grown == pytest.approx(0.05 - 0.2 * np.asarray(access), abs=1e-4)


def test_a_line_with_a_new_target_parts_the_clones_and_loses_no_cell() -> None:
    clones = jnp.array([[1.6], [0.2], [0.1], [0.1]])
    now = line(
        selects=1.0, resistant_share=np.array([[1e-3], [2e-3], [3e-3]], np.float32), evading_share=0.05
    )
    yes, no = jnp.ones(1, jnp.bool_), jnp.zeros(1, jnp.bool_)
    parted = np.asarray(_part(clones, now, yes, hides=no))[:, 0]
    assert parted == pytest.approx([2.0 - 0.012, 0.002, 0.004, 0.006], rel=1e-5)
    assert np.array_equal(_part(clones, now, no, hides=no), clones)
    hidden = np.asarray(_part(clones, line(evading_share=0.4), yes, hides=yes))[:, 0]
    assert hidden.sum() == pytest.approx(2.0, rel=1e-5)
    assert hidden[3] == pytest.approx(0.8, rel=1e-5)
    assert hidden[:3] / hidden[0] == pytest.approx(np.array([1.6, 0.2, 0.1]) / 1.6, rel=1e-5)


def test_new_lesions_come_as_fast_as_the_tumour_grows() -> None:
    before, after = jnp.array([1.0, 1.0, 2.0]), jnp.array([1.5, 0.5, 3.0])
    assert np.asarray(_seeding(before, after, jnp.ones(3), traits(3, seeding=2.0))) == pytest.approx(
        [1, 0, 1]
    )


def test_death_comes_of_the_tumour_in_body_and_brain_of_its_pace_and_of_age() -> None:
    numbers = constants(hazard_floor=0.1, hazard_power=1.0, hazard_vigour=2.0)
    who = traits(hazard=0.01, background=0.001)
    rate = _death(_tumour(2.0, brain=0.5), who, numbers)
    assert np.asarray(rate) == pytest.approx([0.01 * 2.6 + 0.001], rel=1e-5)
    slowed = _tumour(2.0, brain=0.5)._replace(vigour=np.full(1, -0.5, np.float32))
    assert np.asarray(_death(slowed, who, numbers)) == pytest.approx(
        [0.01 * 2.6 * np.exp(-1.0) + 0.001], rel=1e-5
    )


def test_cells_that_outlived_cytotoxic_drugs_grow_faster_to_a_limit() -> None:
    numbers = constants(acceleration=0.5, acquisition=0.0)
    fading = line(cytotoxic=0.3, fade=np.exp(-1.0))
    once = _walk(_tumour(1.0), 40, traits(growth=0.02), fading, _exposure(), numbers=numbers)
    assert np.asarray(once.hardened) == pytest.approx([1.0], abs=1e-3)
    idle = _walk(once, 1, traits(growth=0.02), line(), _exposure(given=0.0, dose=0.0), numbers=numbers)
    assert _weekly(once, idle) == pytest.approx([0.02 * np.exp(0.5)], rel=1e-2)
    again = once
    for _ in range(3):
        again = _walk(
            again._replace(toxic=np.ones(1, np.float32)), 40, traits(growth=0.02), fading, _exposure(),
            numbers=numbers,
        )  # fmt: skip
    assert np.asarray(again.hardened) == pytest.approx([2.0])


def test_resistant_clones_grow_faster_than_those_that_met_no_drug() -> None:
    numbers = constants(acceleration=0.4, acquisition=0.0)
    tumour = _tumour(1.0, 1.0, 1.0, 1.0)
    moved = _walk(tumour, 1, traits(growth=0.03), line(), _exposure(given=0.0), numbers=numbers)
    rates = [float(_weekly(tumour, moved, clone)[0]) for clone in range(4)]
    assert rates == pytest.approx([0.03, *[0.03 * np.exp(0.4)] * 3], rel=1e-2)
