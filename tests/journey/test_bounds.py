"""What a number can never be is refused where it is stated, whatever way it comes in."""

from collections.abc import Callable
from math import inf, nan

import orjson
import pytest

from oncoproof.errors import FormatError, JourneyError, OncoproofError
from oncoproof.journey.codes import Code, System
from oncoproof.journey.contents import (
    Clone,
    CloneKind,
    Decision,
    DrugDose,
    Lab,
    Lesion,
    Modality,
    Treatment,
)
from oncoproof.journey.fhir import from_fhir
from oncoproof.journey.omics import (
    CopyChange,
    CopyNumber,
    Expression,
    Hrd,
    HrdClass,
    Pdl1,
    Pdl1Score,
    Pharmacogene,
    SmallVariant,
    Tmb,
)
from oncoproof.journey.patient import Patient
from oncoproof.journey.units import Quantity

DRUG = Code(System.DRUG, "osimertinib")
VALUE = Quantity(1.0, "mg/dL")

AMOUNTS: dict[str, Callable[[float], object]] = {
    "lesion": lambda value: Lesion(label="L1", organ="lung", diameter_mm=value),
    "dose": lambda value: DrugDose(drug=DRUG, dose=Quantity(value, "mg")),
    "dose fraction": lambda value: Treatment(modality=Modality.DRUG, dose_fraction=value),
    "copies": lambda value: CopyNumber(gene="ERBB2", change=CopyChange.GAIN, copies=value),
    "burden": lambda value: Tmb(per_megabase=value),
    "instability": lambda value: Hrd(status=HrdClass.POSITIVE, score=value),
    "activity": lambda value: Pharmacogene(gene="DPYD", activity_score=value),
    "distance": lambda value: Patient(id="p", distance_km=value),
}
"""What can be nothing and not less."""

SHARES: dict[str, Callable[[float], object]] = {
    "allele fraction": lambda value: SmallVariant(gene="EGFR", vaf=value),
    "probability": lambda value: Decision(maker="board", task="therapy", probability=value),
}
"""What is at most the whole, 1."""

PERCENTAGES: dict[str, Callable[[float], object]] = {
    "expression": lambda value: Expression(gene="ESR1", level="positive", percent=value),
    "PD-L1": lambda value: Pdl1(score=Pdl1Score.TPS, percent=value),
}
"""What is at most the whole, 100."""


@pytest.mark.parametrize("value", [-1.0, -1e-300, nan, inf, -inf])
@pytest.mark.parametrize("name", [*AMOUNTS, *SHARES, *PERCENTAGES])
def test_nothing_is_less_than_nothing_or_no_number(name: str, value: float) -> None:
    with pytest.raises(OncoproofError):
        (AMOUNTS | SHARES | PERCENTAGES)[name](value)


@pytest.mark.parametrize("name", list(SHARES))
def test_a_share_is_at_most_one(name: str) -> None:
    assert SHARES[name](1.0)
    with pytest.raises(JourneyError, match="a share from 0 to 1"):
        SHARES[name](1.001)


@pytest.mark.parametrize("name", list(PERCENTAGES))
def test_a_percentage_is_at_most_a_hundred(name: str) -> None:
    assert PERCENTAGES[name](100.0)
    with pytest.raises(JourneyError, match="a number from 0 to 100"):
        PERCENTAGES[name](100.1)


@pytest.mark.parametrize("name", [*AMOUNTS, *SHARES, *PERCENTAGES])
def test_nothing_at_all_is_an_amount(name: str) -> None:
    assert (AMOUNTS | SHARES | PERCENTAGES)[name](0.0)


def test_a_line_is_none_maintenance_or_a_number_from_one() -> None:
    assert [Treatment(modality=Modality.DRUG, line=line).line for line in (None, 0, 3)] == [None, 0, 3]
    with pytest.raises(JourneyError, match="line of therapy: came: -1"):
        Treatment(modality=Modality.DRUG, line=-1)


def test_a_reference_range_begins_before_it_ends() -> None:
    assert Lab(value=VALUE, low=1.0, high=1.0)
    assert Lab(value=VALUE, low=-2.0)
    for low, high in ((2.0, 1.0), (nan, 1.0), (None, nan), (1.0, inf)):
        with pytest.raises(JourneyError, match="reference range"):
            Lab(value=VALUE, low=low, high=high)


@pytest.mark.parametrize("size", [nan, inf, -inf])
def test_a_clone_has_a_size(size: float) -> None:
    assert Clone(kind=CloneKind.BYPASS, log10_cells=-0.5)
    with pytest.raises(JourneyError, match="size of a clone"):
        Clone(kind=CloneKind.BYPASS, log10_cells=size)


def test_a_resource_that_tells_an_impossible_number_is_named() -> None:
    held = {"unit": "mg/dL", "system": System.UCUM.value, "code": "mg/dL"}
    resource = {
        "resourceType": "Observation",
        "id": "x",
        "status": "final",
        "code": {"coding": [{"system": System.LOINC.value, "code": "2160-0"}]},
        "effectiveDateTime": "2026-03-01",
        "valueQuantity": {"value": 1.0, **held},
        "referenceRange": [{"low": {"value": 2.0, **held}, "high": {"value": 1.0, **held}}],
    }
    with pytest.raises(FormatError, match=r"Observation/x: reference range: came: 2\.0"):
        from_fhir(orjson.dumps(resource))
