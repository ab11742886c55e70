"""Shapes: plain forms are exact inverses, and numbers have the form of RFC 8785."""

import math
from dataclasses import dataclass
from decimal import Decimal

import orjson
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from oncoproof.journey.contents import Biomarker, Content, Lab, Performance
from oncoproof.journey.omics import Finding
from oncoproof.journey.patient import Patient
from oncoproof.journey.shapes import MisreadError, plain_number, shape_of
from strategies import contents, findings, patients


@given(patients)
def test_patients_come_back(patient: Patient) -> None:
    shape = shape_of(Patient)
    assert shape.read(orjson.loads(orjson.dumps(shape.write(patient)))) == patient


@given(contents)
def test_contents_come_back(content: Content) -> None:
    shape = shape_of(type(content))
    assert shape.read(orjson.loads(orjson.dumps(shape.write(content)))) == content


@given(findings)
def test_findings_come_back(finding: Finding) -> None:
    shape = shape_of(Biomarker)
    biomarker = Biomarker(finding=finding)
    assert shape.read(orjson.loads(orjson.dumps(shape.write(biomarker)))) == biomarker


def ecmascript(value: float) -> str:
    """How ECMAScript writes a number (ECMA-262, Number::toString), from its shortest digits."""
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(abs(value))).normalize().as_tuple()
    assert sign == 0
    assert isinstance(exponent, int)
    text = "".join(map(str, digits))
    k, n = len(text), len(text) + exponent
    if k <= n <= 21:
        body = text + "0" * (n - k)
    elif 0 < n <= 21:
        body = f"{text[:n]}.{text[n:]}"
    elif -6 < n <= 0:
        body = f"0.{'0' * -n}{text}"
    else:
        fraction = f".{text[1:]}" if k > 1 else ""
        body = f"{text[0]}{fraction}e{'+' if n > 0 else '-'}{abs(n - 1)}"
    return ("-" if value < 0 else "") + body


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.0)
@example(-0.0)
@example(80.0)
@example(1e21)
@example(1e20)
@example(123456789012345680000.0)
@example(1e16)
@example(1.5e-5)
@example(0.00001)
@example(1e-6)
@example(1e-7)
@example(5e-324)
@example(math.pi * 1e15)
@example(-1.25e-9)
@example(2.0**53)
@example(2.0**53 + 2)
def test_numbers_are_written_as_rfc_8785_wants(value: float) -> None:
    written = orjson.dumps(plain_number(value))
    assert written.decode() == ecmascript(value)
    assert float(written) == value


MISSPELT = {"value": 1, "unit": "mg", "comparator": "~"}
CROWDED = {"gene": "EGFR", "vaf": 2}


@pytest.mark.parametrize(
    ("kind", "plain", "path", "came"),
    [
        (Patient, {"id": 3}, "id", "3"),
        (Patient, {"id": "p", "nmae": "x"}, "nmae", "an unknown key"),
        (Patient, {"sex": "male"}, "", "nothing"),
        (Patient, {"id": "p", "sex": "m"}, "sex", "'m'"),
        (Patient, {"id": "p", "sex": 1}, "sex", "1"),
        (Patient, {"id": "p", "birth": "2026-13-01"}, "birth", "'2026-13-01'"),
        (Patient, {"id": "p", "birth": "20260101"}, "birth", "'20260101'"),
        (Patient, {"id": "p", "birth": "2026-W01-1"}, "birth", "'2026-W01-1'"),
        (Patient, {"id": "p", "given_names": ["a", 3]}, "given_names[1]", "3"),
        (Patient, {"id": "p", "given_names": "a"}, "given_names", "'a'"),
        (Patient, {"id": "p", "distance_km": True}, "distance_km", "True"),
        (Patient, {"id": "p", "distance_km": math.nan}, "distance_km", "nan"),
        (Patient, [], "", "[]"),
        (Performance, {"scale": "ecog", "score": 1.0}, "score", "1.0"),
        (Performance, {"scale": "ecog", "score": 7}, "", "7"),
        (
            Lab,
            {"value": {"quantity": {"value": 1, "unit": "mg", "comparator": "~"}}},
            "value.quantity",
            "comparator '~'",
        ),
        (Lab, {"value": {"number": 1}}, "value", "key 'number'"),
        (Lab, {"value": {}}, "value", "{}"),
        (Lab, {"value": {"text": "a", "code": {}}}, "value", "{'text': 'a', 'code': {}}"),
        (Lab, {"value": "high"}, "value", "'high'"),
        (Biomarker, {"finding": {"msi": {}}}, "finding.msi", "nothing"),
        (
            Biomarker,
            {"finding": {"small_variant": {"gene": "EGFR", "vaf": 2}}},
            "finding.small_variant",
            "2.0",
        ),
    ],
)
def test_what_does_not_have_the_shape_is_refused_with_its_path(
    kind: type[object], plain: object, path: str, came: str
) -> None:
    with pytest.raises(MisreadError) as caught:
        shape_of(kind).read(plain)
    assert caught.value.path() == path
    assert caught.value.came == came


def test_long_values_are_cut_in_errors() -> None:
    with pytest.raises(MisreadError) as caught:
        shape_of(Patient).read(["x" * 1000])
    assert len(caught.value.came) < 70


def test_other_types_have_no_shape() -> None:
    @dataclass
    class Odd:
        each: bytes

    with pytest.raises(TypeError, match="bytes"):
        shape_of(Odd)
