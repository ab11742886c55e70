"""Drugs and classes: the tables hold together, names find their drug, reductions go down."""

import csv
import itertools
import re
import tomllib
from pathlib import Path

import pytest

from oncoproof.errors import InputError, IntegrityError
from oncoproof.knowledge.medicines.drug_classes import Modality, load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import (
    CodeSystem,
    Drug,
    Route,
    ThresholdAction,
    classes_of,
    find_drug,
    load_drugs,
)
from oncoproof.knowledge.names import index_names, normalise_name
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import read_text

SHARED = Path(__file__).parents[3].parent / "shared" / "data"
DRUGS = tuple(load_drugs().values())
CODE_FORMS = {CodeSystem.RXNORM: r"[1-9]\d{1,6}", CodeSystem.ATC: r"[A-Z]\d{2}[A-Z]{2}\d{2}"}
FIRST_YEAR, LAST_YEAR = 1950, 2026


def ids(drugs: tuple[Drug, ...]) -> list[str]:
    return [drug.slug for drug in drugs]


class TestTheTables:
    def test_hold_more_than_a_hundred_drugs_of_the_six_diseases(self) -> None:
        assert len(DRUGS) >= 110
        diseases = {approval.disease for drug in DRUGS for approval in drug.approvals}
        assert diseases == {"nsclc", "crc", "breast", "melanoma", "ovarian", "prostate", "other"}

    @pytest.mark.parametrize("drug", DRUGS, ids=ids(DRUGS))
    def test_every_source_of_a_drug_is_in_the_bibliography(self, drug: Drug) -> None:
        lines = (*drug.codes, *drug.approvals, *drug.enzymes, *drug.thresholds, *drug.monitoring, drug.brain)
        cited = {drug.source, *(line.source for line in lines)}
        if drug.doses is not None:
            cited.add(drug.doses.source)
        assert cited <= set(load_sources())

    @pytest.mark.parametrize("drug", DRUGS, ids=ids(DRUGS))
    def test_numbers_of_a_drug_are_possible(self, drug: Drug) -> None:
        assert all(FIRST_YEAR <= approval.year <= LAST_YEAR for approval in drug.approvals)
        assert len({approval.disease for approval in drug.approvals}) == len(drug.approvals)
        for threshold in drug.thresholds:
            assert threshold.low is not None or threshold.high is not None
            if threshold.low is not None and threshold.high is not None:
                assert threshold.low < threshold.high
            if threshold.action is ThresholdAction.REDUCE:
                assert threshold.dose_factor is not None
                assert 0 < threshold.dose_factor < 1
            else:
                assert threshold.dose_factor is None

    @pytest.mark.parametrize("drug", DRUGS, ids=ids(DRUGS))
    def test_reduced_doses_go_down(self, drug: Drug) -> None:
        if drug.doses is None:
            return
        steps = (drug.doses.start, *drug.doses.reduced)
        assert all(lower < upper for upper, lower in itertools.pairwise(steps))
        assert drug.doses.unit in {"mg", "mg/kg", "mg/m2"}
        assert (drug.doses.times_daily is None) == (drug.route is not Route.ORAL)

    def test_codes_have_the_form_of_their_system_and_rxnorm_names_one_drug(self) -> None:
        seen: dict[str, str] = {}
        for drug in DRUGS:
            for code in drug.codes:
                assert re.fullmatch(CODE_FORMS[code.system], code.code), drug.slug
                if code.system is CodeSystem.RXNORM:
                    assert seen.setdefault(code.code, drug.slug) == drug.slug

    def test_atc_is_shared_only_by_forms_of_one_substance(self) -> None:
        by_code: dict[str, set[str]] = {}
        for drug in DRUGS:
            if code := drug.code(CodeSystem.ATC):
                by_code.setdefault(code, set()).add(drug.slug)
        shared = {frozenset(drugs) for drugs in by_code.values() if len(drugs) > 1}
        assert shared == {
            frozenset({"paclitaxel", "nab_paclitaxel"}),
            frozenset({"doxorubicin", "pegylated_liposomal_doxorubicin"}),
        }

    def test_every_class_has_a_drug_and_every_umbrella_a_class(self) -> None:
        assert {drug.drug_class for drug in DRUGS} == set(load_classes())
        under = {name for known in load_classes().values() for name in known.umbrellas}
        whole = {slug for slug, known in load_umbrellas().items() if known.rule.value == "whole_regimen"}
        assert under == set(load_umbrellas()) - whole

    def test_cytotoxic_classes_and_only_they_are_chemotherapy(self) -> None:
        chemotherapy = {slug for slug, known in load_classes().items() if "chemotherapy" in known.umbrellas}
        cytotoxic = {slug for slug, known in load_classes().items() if known.modality is Modality.CYTOTOXIC}
        assert chemotherapy == cytotoxic

    def test_thresholds_speak_of_features_in_their_units(self) -> None:
        features = tomllib.loads(read_text("features.toml"))
        for drug in DRUGS:
            for threshold in drug.thresholds:
                assert features[threshold.feature]["unit"] == threshold.unit


class TestNames:
    @pytest.mark.parametrize(
        ("text", "slug"),
        [
            ("Tagrisso", "osimertinib"),
            ("T-DXd", "trastuzumab_deruxtecan"),
            ("fam-trastuzumab deruxtecan-nxki", "trastuzumab_deruxtecan"),
            ("5-FU", "fluorouracil"),
            ("leuprorelin", "leuprolide"),
            (" nab paclitaxel", "nab_paclitaxel"),
        ],
    )
    def test_brands_and_spellings_find_the_drug(self, text: str, slug: str) -> None:
        assert find_drug(text).slug == slug

    def test_an_unknown_drug_is_refused_with_the_nearest_names(self) -> None:
        with pytest.raises(InputError) as caught:
            find_drug("pembrolizumb")
        assert "pembrolizumab" in caught.value.remedy

    def test_a_name_for_two_drugs_is_refused(self) -> None:
        with pytest.raises(IntegrityError):
            index_names([("a", ("One-1",)), ("b", ("one 1",))], where="here")

    def test_synonyms_are_lower_case(self) -> None:
        assert all(word == word.lower() for drug in DRUGS for word in drug.synonyms)

    def test_normalising_twice_changes_nothing(self) -> None:
        for drug in DRUGS:
            assert normalise_name(normalise_name(drug.name)) == normalise_name(drug.name)


def test_availability_is_the_first_year_for_any_disease() -> None:
    carboplatin = load_drugs()["carboplatin"]
    assert carboplatin.approved_year("nsclc") is None
    assert carboplatin.available_year == 1989


def test_classes_of_a_drug_end_in_systemic_therapy_unless_supportive() -> None:
    assert classes_of("olaparib") == ("parp_inhibitor", "systemic_therapy")
    assert classes_of("leucovorin") == ("folate_modulator",)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not beside the project")
class TestAgainstTheReference:
    def test_every_class_of_the_table_has_the_same_drugs(self) -> None:
        text = (SHARED / "trials_columns.md").read_text(encoding="utf-8")
        rows = re.findall(
            r"^\| `(\w+)` \| (`\w+`(?:, `\w+`)*) \|$", text.split("## Classes and drugs")[1], re.MULTILINE
        )
        assert len(rows) > 40
        for drug_class, drugs in rows:
            for slug in re.findall(r"`(\w+)`", drugs):
                assert load_drugs()[slug].drug_class == drug_class

    def test_umbrellas_have_the_classes_of_the_reference(self) -> None:
        text = (SHARED / "trials_columns.md").read_text(encoding="utf-8")
        stated = re.findall(r"^- `(\w+)`: ((?:`\w+`(?:, )?)+)$", text, re.MULTILINE)
        assert len(stated) == 7
        for umbrella, classes in stated:
            known = {slug for slug, found in load_classes().items() if umbrella in found.umbrellas}
            assert set(re.findall(r"`(\w+)`", classes)) <= known

    def test_every_drug_of_a_trial_is_known_with_the_class_given_beside_it(self) -> None:
        with (SHARED / "trials.csv").open(encoding="utf-8") as file:
            for row in csv.DictReader(file):
                drugs = re.findall(r"\w+", row["drugs"].replace("choice:", "").replace("none", ""))
                classes = re.findall(r"\w+", row["drug_classes"].replace("choice:", "").replace("none", ""))
                assert [load_drugs()[drug].drug_class for drug in drugs] == classes
