"""Units: known conversions, the grammar of UCUM, and what is refused with which advice."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import UnitError
from oncoproof.journey.ucum import parse_unit
from oncoproof.journey.unit_spelling import suggested_unit
from oncoproof.journey.units import (
    MUTATIONS_PER_MEGABASE,
    Quantity,
    check_unit,
    commensurable,
    conversion_factor,
    convert,
)

CREATININE_G_PER_MOL = 113.12
GLUCOSE_G_PER_MOL = 180.156


@pytest.mark.parametrize(
    ("value", "unit", "target", "expected"),
    [
        (1.0, "mg/dL", "g/L", 0.01),
        (4.2, "10*3/uL", "10*9/L", 4.2),
        (250.0, "10*9/L", "/uL", 250_000.0),
        (0.5, "1", "%", 50.0),
        (37.0, "Cel", "[degF]", 98.6),
        (98.6, "[degF]", "Cel", 37.0),
        (120.0, "mm[Hg]", "kPa", 15.99864),
        (2.0, "wk", "d", 14.0),
        (1.0, "a", "mo", 12.0),
        (60.0, "Gy", "cGy", 6000.0),
        (5.0, "mg.min/mL", "g.min/L", 5.0),
        (1.0, "U/L", "ukat/L", 1 / 60),
        (75.0, "mg/m2", "g/m2", 0.075),
        (2.0, "k[IU]/L", "[IU]/mL", 2.0),
        (70.0, "kg", "[lb_av]", 154.32358352941432),
        (3.5, "g/dL", "g/L", 35.0),
        (90.0, "mL/min/{1.73_m2}", "mL/s", 1.5),
        (1.5, "meq/L", "mmol/L", 1.5),
        (450.0, "ms", "s", 0.45),
        (6.0, "cm", "mm", 60.0),
        (1.0, "mg/(kg.d)", "mg/kg/d", 1.0),
        (1.0, "J", "cal", 1 / 4.184),
        (1.0, "m[H2O]", "Pa", 9806.65),
    ],
)
def test_known_conversions(value: float, unit: str, target: str, expected: float) -> None:
    assert convert(Quantity(value, unit), target).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("value", "unit", "target", "molar_mass", "expected"),
    [
        (1.0, "mg/dL", "umol/L", CREATININE_G_PER_MOL, 88.4017),
        (88.4017, "umol/L", "mg/dL", CREATININE_G_PER_MOL, 1.0),
        (100.0, "mg/dL", "mmol/L", GLUCOSE_G_PER_MOL, 5.5507),
    ],
)
def test_amount_and_mass_convert_by_molar_mass(
    value: float, unit: str, target: str, molar_mass: float, expected: float
) -> None:
    converted = convert(Quantity(value, unit), target, molar_mass_g_per_mol=molar_mass)
    assert converted.value == pytest.approx(expected, rel=1e-5)
    with pytest.raises(UnitError, match="molar mass"):
        convert(Quantity(value, unit), target)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("mg", "mL"),
        ("mmol/L", "10*9/L"),
        ("[IU]", "U"),
        ("mg/m2", "mg/kg"),
        ("1", "mg"),
        ("Cel", "s"),
    ],
)
def test_what_measures_something_else_is_refused(one: str, other: str) -> None:
    assert not commensurable(one, other)
    with pytest.raises(UnitError, match="measures the same"):
        convert(Quantity(1.0, one), other, molar_mass_g_per_mol=100.0)


SAMPLE = ["mg/dL", "g/L", "ug/mL", "ng/mL", "kg/m3", "pg/L"]


@given(st.floats(1e-6, 1e6), st.sampled_from(SAMPLE), st.sampled_from(SAMPLE))
def test_converting_there_and_back_keeps_the_value(value: float, one: str, other: str) -> None:
    there = convert(Quantity(value, one, "<"), other)
    back = convert(there, one)
    assert back.value == pytest.approx(value, rel=1e-15)
    assert there.comparator == back.comparator == "<"
    assert there.value == pytest.approx(value * conversion_factor(one, other), rel=1e-15)


@given(st.floats(-200, 1000))
def test_temperatures_come_back(value: float) -> None:
    there = convert(Quantity(value, "Cel"), "[degF]")
    assert there.value == pytest.approx(value * 1.8 + 32, rel=1e-12, abs=1e-9)
    assert convert(there, "Cel").value == pytest.approx(value, rel=1e-12, abs=1e-9)


def test_a_factor_cannot_convert_temperatures() -> None:
    with pytest.raises(UnitError, match="common zero"):
        conversion_factor("Cel", "[degF]")


def test_the_same_unit_is_left_alone() -> None:
    odd = Quantity(3.0, "no unit at all")
    assert convert(odd, "no unit at all") is odd


@pytest.mark.parametrize(
    ("text", "factor", "dimensions"),
    [
        ("1", Fraction(1), ()),
        ("{score}", Fraction(1), ()),
        ("/min", Fraction(1, 60), (("s", -1),)),
        ("10*-3", Fraction(1, 1000), ()),
        ("10^9/L", Fraction(10**12), (("m", -3),)),
        ("mm2", Fraction(1, 10**6), (("m", 2),)),
        ("m-2", Fraction(1), (("m", -2),)),
        ("g/m/s", Fraction(1), (("g", 1), ("m", -1), ("s", -1))),
        ("g/(m/s)", Fraction(1), (("g", 1), ("m", -1), ("s", 1))),
        ("mg{total}/dL", Fraction(10), (("g", 1), ("m", -3))),
        ("2.g", Fraction(2), (("g", 1),)),
        (MUTATIONS_PER_MEGABASE, Fraction(1), ()),
        ("[pH]", Fraction(1), (("[pH]", 1),)),
        ("dag", Fraction(10), (("g", 1),)),
        ("L/L", Fraction(1), ()),
    ],
)
def test_the_grammar(text: str, factor: Fraction, dimensions: object) -> None:
    unit = parse_unit(text)
    assert (unit.factor, unit.dimensions) == (factor, dimensions)
    check_unit(text)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("MG/DL", "mg/dL"),
        ("mcg", "ug"),
        ("µg/L", "ug/L"),
        ("x10^9/L", "10*9/L"),
        ("10e9/L", "10*9/L"),
        ("10E3/uL", "10*3/uL"),
        ("K/uL", "10*3/uL"),
        ("G/L", "10*9/L"),
        ("mIU/mL", "m[IU]/mL"),
        ("mmHg", "mm[Hg]"),
        ("°C", "Cel"),
        ("mg/m^2", "mg/m2"),
        ("mg/m²", "mg/m2"),
        ("mEq/L", "meq/L"),
        ("weeks", "wk"),
        ("mut/Mb", "{mutations}/{Mb}"),
        ("mL/min/1.73m2", "mL/min/{1.73_m2}"),
        ("mL/min/1.73.m2", "mL/min/{1.73_m2}"),
        ("mL/min/1.73 m^2", "mL/min/{1.73_m2}"),
    ],
)
def test_common_mistakes_are_refused_with_advice(text: str, meant: str) -> None:
    with pytest.raises(UnitError) as caught:
        check_unit(text)
    assert caught.value.remedy == f"write {meant}"
    assert repr(text) in caught.value.came
    check_unit(meant)


no_units = ["", " ", "banana", "mg//dL", "mg.", "(mg", "mg)", "((", "m100", "0", "m0", "{a", "a}", "[mg]"]
no_units += ["10 mg", "2mg", "(" * 40 + "m" + ")" * 40, "mg{é}", "kmin", "m%", "1.5.g"]


@pytest.mark.parametrize("text", no_units)
def test_what_is_no_unit_is_refused(text: str) -> None:
    with pytest.raises(UnitError, match="UCUM"):
        check_unit(text)


@given(st.text("mgLdl/.()10*^92{}[IU]%uk ", max_size=12))
def test_any_text_is_a_unit_or_a_typed_error(text: str) -> None:
    try:
        unit = parse_unit(text)
    except UnitError:
        meant = suggested_unit(text)
        assert meant is None or parse_unit(meant)
    else:
        assert unit.factor > 0


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_quantities_are_finite(value: float) -> None:
    with pytest.raises(UnitError, match="finite"):
        Quantity(value, "mg")


def test_comparators_are_closed() -> None:
    with pytest.raises(UnitError, match="comparator"):
        Quantity(1.0, "mg", "~")
