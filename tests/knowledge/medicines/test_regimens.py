"""Regimens: every one is whole, names find theirs, trial cells resolve."""

import csv
import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import FormatError, InputError
from oncoproof.knowledge.medicines.drugs import Route, load_drugs
from oncoproof.knowledge.medicines.regimen_choices import compose_regimen, expand_choice, regimen_in
from oncoproof.knowledge.medicines.regimens import (
    Regimen,
    find_regimen,
    load_regimens,
    regimen_id,
    treatment_groups,
    variants_of,
)
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import read_toml

SHARED = Path(__file__).parents[3].parent / "shared" / "data" / "trials.csv"
REGIMENS = tuple(load_regimens().values())
UNITS = {"mg", "mg/m2", "mg/kg", "mg.min/mL", "GBq", "kBq/kg"}
GIVEN = sorted({drug for regimen in REGIMENS for drug in regimen.drugs} - {"placebo"})


@pytest.mark.parametrize("regimen", REGIMENS, ids=[regimen.id for regimen in REGIMENS])
class TestEachRegimen:
    def test_cites_a_known_source(self, regimen: Regimen) -> None:
        assert regimen.source in load_sources()

    def test_has_days_within_its_cycle(self, regimen: Regimen) -> None:
        assert regimen.cycle_days > 0
        for component in regimen.components:
            for days in (component.day_numbers, component.first_cycle_day_numbers):
                assert days == tuple(sorted(set(days)))
                assert 1 <= days[0] <= days[-1] <= regimen.cycle_days

    def test_has_doses_with_units(self, regimen: Regimen) -> None:
        for component in regimen.components:
            if component.dose is None:
                assert component.unit == ""
                continue
            assert component.dose > 0
            assert component.unit in UNITS
            assert (component.times_daily is None) == (component.route is not Route.ORAL)

    def test_keeps_only_its_own_drugs_for_maintenance(self, regimen: Regimen) -> None:
        assert set(regimen.maintenance) < set(regimen.drugs) or not regimen.maintenance
        if regimen.maintenance:
            assert regimen.cycles_max is not None
        else:
            assert regimen.maintenance_cycles_max is None

    def test_is_used_in_settings_that_its_diseases_have(self, regimen: Regimen) -> None:
        diseases = read_toml("diseases.toml", "diseases")
        for use in regimen.uses:
            assert use.setting in diseases[use.disease]["settings"]
            assert 0 <= use.line_min <= use.line_max <= 9

    def test_gives_oral_drugs_at_most_at_twice_the_usual_dose(self, regimen: Regimen) -> None:
        for component in regimen.components:
            doses = load_drugs()[component.drug].doses
            if doses is not None and doses.times_daily and component.dose is not None:
                assert doses.unit == component.unit
                assert component.dose <= 2 * doses.start


class TestTheTable:
    def test_holds_the_standard_regimens_of_every_disease(self) -> None:
        counts = {
            disease: sum(any(use.disease == disease for use in found.uses) for found in REGIMENS)
            for disease in ("nsclc", "crc", "breast", "melanoma", "ovarian", "prostate")
        }
        assert min(counts.values()) >= 15, counts

    def test_gives_every_drug_somewhere(self) -> None:
        given_nowhere = set(load_drugs()) - set(GIVEN) - {"placebo", "prednisone"}
        assert not given_nowhere

    def test_no_treatment_gives_nothing(self) -> None:
        nothing = load_regimens()["no_treatment"]
        assert nothing.drugs == ()
        assert find_regimen("Best supportive care") is nothing

    def test_doses_of_one_schedule_differ_from_those_of_its_variant(self) -> None:
        usual, high = variants_of(["trastuzumab_deruxtecan"])
        assert (usual.components[0].dose, high.components[0].dose) == (5.4, 6.4)
        assert (usual.variant, high.variant) == ("", "6.4")


class TestNames:
    @pytest.mark.parametrize(
        ("text", "id_"),
        [
            ("FOLFOX", "fluorouracil+leucovorin+oxaliplatin"),
            ("mFOLFOX6", "fluorouracil+leucovorin+oxaliplatin"),
            ("FOLFOX-4", "fluorouracil+leucovorin+oxaliplatin@folfox4"),
            ("FOLFIRI", "fluorouracil+irinotecan+leucovorin"),
            ("XELOX", "capecitabine+oxaliplatin"),
            ("FOLFOXIRI", "fluorouracil+irinotecan+leucovorin+oxaliplatin"),
            ("carbo/pem/pembro", "carboplatin+pembrolizumab+pemetrexed"),
            ("Dab/Tram", "dabrafenib+trametinib"),
            ("osimertinib", "osimertinib"),
            ("ribociclib / letrozole", "letrozole+ribociclib"),
        ],
    )
    def test_common_names_find_the_regimen(self, text: str, id_: str) -> None:
        assert find_regimen(text).id == id_

    def test_an_unknown_regimen_is_refused_with_the_nearest_names(self) -> None:
        with pytest.raises(InputError) as caught:
            find_regimen("FOLFOXIR")
        assert "fluorouracil" in caught.value.remedy


class TestChoices:
    def test_every_way_to_choose_gives_a_regimen(self) -> None:
        cell = "choice:(cisplatin|carboplatin)+choice:(docetaxel|gemcitabine)"
        assert expand_choice(cell) == (
            "cisplatin+docetaxel",
            "cisplatin+gemcitabine",
            "carboplatin+docetaxel",
            "carboplatin+gemcitabine",
        )

    def test_options_may_hold_several_drugs(self) -> None:
        assert expand_choice("pembrolizumab+choice:(paclitaxel|gemcitabine+carboplatin)") == (
            "paclitaxel+pembrolizumab",
            "carboplatin+gemcitabine+pembrolizumab",
        )

    def test_nothing_and_placebo_are_regimens(self) -> None:
        assert expand_choice("none") == ("no_treatment",)
        assert expand_choice("placebo") == ("placebo",)

    def test_a_variant_is_taken_where_there_is_one(self) -> None:
        assert expand_choice("trastuzumab_deruxtecan", variant="6.4") == ("trastuzumab_deruxtecan@6.4",)
        assert expand_choice("osimertinib", variant="6.4") == ("osimertinib",)

    @pytest.mark.parametrize(
        "cell",
        [
            "",
            "choice:(cisplatin|carboplatin",
            "choice:(cisplatin)",
            "cisplatin++pemetrexed",
            "cisplatin+pemetrexd",
            "cisplatin+placebo",
            "cisplatin+cisplatin",
            "cisplatin|carboplatin",
            "choice:(cisplatin|choice:(carboplatin|none))",
        ],
    )
    def test_what_cannot_be_read_is_refused(self, cell: str) -> None:
        with pytest.raises(FormatError):
            expand_choice(cell)

    @given(
        st.lists(
            st.lists(st.sampled_from(GIVEN), min_size=1, max_size=3, unique=True), min_size=1, max_size=3
        )
    )
    def test_ids_are_all_products_of_the_options(self, terms: list[list[str]]) -> None:
        flat = [drug for term in terms for drug in term]
        if len(set(flat)) < len(flat):
            return
        cell = "+".join(f"choice:({'|'.join(term)})" if len(term) > 1 else term[0] for term in terms)
        assert expand_choice(cell) == tuple(regimen_id(drugs) for drugs in itertools.product(*terms))


class TestComposing:
    def test_a_listed_combination_is_taken_as_it_is(self) -> None:
        found = compose_regimen(("trametinib", "dabrafenib"))
        assert found is load_regimens()["dabrafenib+trametinib"]

    def test_daily_drugs_stay_daily_in_the_cycle_of_the_infusion(self) -> None:
        found = compose_regimen(("osimertinib", "bevacizumab"))
        assert found.cycle_days == 21
        by_drug = {component.drug: component.day_numbers for component in found.components}
        assert by_drug == {"bevacizumab": (1,), "osimertinib": tuple(range(1, 22))}

    @given(st.lists(st.sampled_from(GIVEN), min_size=1, max_size=4, unique=True))
    def test_any_combination_is_whole(self, drugs: list[str]) -> None:
        found = compose_regimen(drugs)
        assert found.drugs == tuple(sorted(drugs))
        assert all(component.day_numbers[-1] <= found.cycle_days for component in found.components)


class TestInASituation:
    @pytest.mark.parametrize(
        ("drugs", "disease", "setting", "variant"),
        [
            (("ipilimumab", "nivolumab"), "melanoma", "advanced", ""),
            (("ipilimumab", "nivolumab"), "crc", "advanced", "msi"),
            (("carboplatin", "paclitaxel"), "nsclc", "advanced", ""),
            (("carboplatin", "paclitaxel"), "ovarian", "advanced", "175"),
            (("carboplatin", "gemcitabine"), "breast", "advanced", "breast"),
            (("olaparib",), "ovarian", "maintenance", "two_years"),
            (("trastuzumab_deruxtecan",), "breast", "advanced", ""),
        ],
    )
    def test_the_schedule_of_the_disease_is_taken(
        self, drugs: tuple[str, ...], disease: str, setting: str, variant: str
    ) -> None:
        line = 0 if setting == "maintenance" else 2
        assert regimen_in(drugs, disease=disease, setting=setting, line=line).variant == variant

    def test_elsewhere_the_usual_schedule_is_taken(self) -> None:
        assert regimen_in(("osimertinib",), disease="crc", setting="advanced", line=1).id == "osimertinib"


class TestTreatmentGroups:
    def test_a_platinum_doublet_has_one_cytotoxic_partner(self) -> None:
        assert "platinum_doublet" in treatment_groups(("carboplatin", "pemetrexed", "pembrolizumab"))
        assert "platinum_doublet" in treatment_groups(("fluorouracil", "leucovorin", "oxaliplatin"))
        assert "platinum_doublet" not in treatment_groups(("carboplatin",))
        assert "platinum_doublet" not in treatment_groups(("osimertinib", "pembrolizumab"))

    def test_chemoradiation_needs_both(self) -> None:
        assert "chemoradiation" in treatment_groups(("cisplatin", "etoposide"), thoracic_radiation=True)
        assert "chemoradiation" not in treatment_groups(("cisplatin", "etoposide"))
        assert "chemoradiation" not in treatment_groups(("docetaxel",), thoracic_radiation=True)


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.exists(), reason="the reference data are not beside the project")
def test_every_option_of_the_trial_table_is_a_listed_regimen() -> None:
    with SHARED.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) > 150
    for row in rows:
        for id_ in expand_choice(row["drugs"]):
            used = [found for found in variants_of(load_regimens()[id_].drugs) if _given(found, row)]
            assert used, f"{row['row_id']}: {id_} is not used there"


def _given(regimen: Regimen, row: dict[str, str]) -> bool:
    return regimen.is_used(row["disease"], row["setting"], int(row["line_min"]))
