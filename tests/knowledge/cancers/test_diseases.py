"""The diseases: well-formed codes, known sources, histologies as the trials name them."""

import csv
import re
from pathlib import Path

import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.diseases import Disease, Sex, load_diseases
from oncoproof.knowledge.sources import load_sources

EVERY = pytest.mark.parametrize("disease", load_diseases().values(), ids=load_diseases())


def _verhoeff_remainder(digits: str) -> int:
    """0 for a number whose last digit is its Verhoeff check digit."""
    place = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]
    remainder = 0
    for position, digit in enumerate(reversed(digits)):
        turned = int(digit)
        for _ in range(position % 8):
            turned = place[turned]
        remainder = _dihedral_product(remainder, turned)
    return remainder


def _dihedral_product(left: int, right: int) -> int:
    """The product in the symmetry group of the pentagon: 0 to 4 turn, 5 to 9 turn and flip."""
    flips = (left >= 5) != (right >= 5)
    turn = left + right if left < 5 else left - right
    return turn % 5 + (5 if flips else 0)


def test_the_check_digit_test_can_fail() -> None:
    assert _verhoeff_remainder("2363") == 0
    assert _verhoeff_remainder("254637007") == 0
    assert _verhoeff_remainder("254637008") != 0
    assert _verhoeff_remainder("254367007") != 0


def test_there_are_six() -> None:
    assert list(load_diseases()) == ["nsclc", "crc", "breast", "melanoma", "ovarian", "prostate"]


@EVERY
def test_codes_are_well_formed(disease: Disease) -> None:
    assert all(_verhoeff_remainder(code) == 0 for code in disease.snomed)
    assert all(re.fullmatch(r"C\d\d", code) for code in disease.icd10)
    assert all(re.fullmatch(r"C\d\d\.\d", code) for code in disease.icdo3_topography)
    assert re.fullmatch(r"[A-Z]+", disease.oncotree)
    for histology in disease.histologies.values():
        assert histology.icdo3_morphology
        assert all(re.fullmatch(r"8\d{3}/3", code) for code in histology.icdo3_morphology)
        assert re.fullmatch(r"[A-Z]+", histology.oncotree)


@EVERY
def test_sources_are_in_the_bibliography(disease: Disease) -> None:
    assert {*disease.code_sources, disease.age.source} <= set(load_sources())


@EVERY
def test_ages_are_ordered(disease: Disease) -> None:
    assert disease.age.low is not None
    assert disease.age.high is not None
    assert 0 < disease.age.low < disease.age.value < disease.age.high <= 120


@EVERY
def test_histology_groups_stand_for_known_histologies(disease: Disease) -> None:
    assert set(disease.histology_groups["any"]) == set(disease.histologies)
    for name, members in disease.histology_groups.items():
        assert name not in disease.histologies
        assert set(members) <= set(disease.histologies)
        assert disease.histologies_of(name) == members


def test_sex_restrictions() -> None:
    assert load_diseases()["prostate"].sexes == (Sex.MALE,)
    assert load_diseases()["ovarian"].sexes == (Sex.FEMALE,)
    assert set(load_diseases()["breast"].sexes) == set(Sex)


@pytest.mark.parametrize(
    ("slug", "code", "covered"),
    [("nsclc", "C34.11", True), ("crc", "C187", True), ("breast", "C61", False), ("prostate", "c61", True)],
)
def test_longer_icd10_codes_fall_in_their_category(slug: str, code: str, *, covered: bool) -> None:
    assert load_diseases()[slug].covers_icd10(code) is covered


def test_an_unknown_histology_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        load_diseases()["nsclc"].histologies_of("hgsoc")
    assert "non_squamous" in caught.value.expected


@pytest.mark.shared
def test_every_histology_and_setting_of_the_trial_table_is_known(shared_data: Path) -> None:
    with (shared_data / "trials.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        disease = load_diseases()[row["disease"]]
        assert disease.histologies_of(row["histology"]), row["row_id"]
        assert row["setting"] in disease.settings, row["row_id"]
