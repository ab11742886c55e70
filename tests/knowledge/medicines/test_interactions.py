"""Interactions and other medicines: the words are known, the worst comes first, standard plans are clean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.medicines.comedications import (
    comedication_groups,
    find_comedication,
    load_comedications,
)
from oncoproof.knowledge.medicines.drug_classes import load_classes, load_umbrellas
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.interactions import (
    Severity,
    anticancer_groups,
    interactions_with,
    interactions_within,
    load_interactions,
)
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.sources import load_sources

TREATMENTS = {*load_drugs(), *load_classes(), *load_umbrellas()}
SEVERE = {Severity.CONTRAINDICATED, Severity.AVOID}


class TestTheTables:
    def test_every_word_of_an_interaction_is_known(self) -> None:
        partners = TREATMENTS | set(load_comedications()) | set(comedication_groups()) | anticancer_groups()
        for row in load_interactions():
            assert row.treatment in TREATMENTS
            assert row.partner in partners
            assert row.source in load_sources()
            assert row.effect

    def test_each_pair_is_stated_once(self) -> None:
        pairs = [(row.treatment, row.partner) for row in load_interactions()]
        assert len(pairs) == len(set(pairs))

    def test_a_dose_factor_belongs_to_an_adjustment(self) -> None:
        for row in load_interactions():
            if row.dose_factor is not None:
                assert row.severity is Severity.ADJUST
                assert 0 < row.dose_factor <= 2
                assert row.dose_factor != 1

    def test_medicines_are_grouped_and_cited(self) -> None:
        codes = [row.rxnorm for row in load_comedications().values() if row.rxnorm]
        assert len(set(codes)) == len(codes)
        assert all(code.isdigit() for code in codes)
        for row in load_comedications().values():
            assert row.groups
            assert row.source in load_sources()
            assert (row.rxnorm_basis is None) == (row.rxnorm == "")

    def test_names_of_medicines_and_of_cancer_drugs_do_not_meet(self) -> None:
        assert not set(load_comedications()) & TREATMENTS

    def test_groups_that_matter_have_members(self) -> None:
        partners = {row.partner for row in load_interactions()}
        assert partners - TREATMENTS - anticancer_groups() <= {*comedication_groups(), *load_comedications()}

    def test_only_one_listed_regimen_has_drugs_that_should_not_meet(self) -> None:
        """Ribociclib with tamoxifen was given in MONALEESA-7 and is warned against since."""
        severe = {
            id_
            for id_, regimen in load_regimens().items()
            for found in interactions_within(regimen.drugs)
            if found.interaction.severity in SEVERE
        }
        assert severe == {"goserelin+ribociclib+tamoxifen"}


class TestWithMedicines:
    @pytest.mark.parametrize(
        ("drug", "medicine", "severity", "factor"),
        [
            ("lorlatinib", "rifampicin", Severity.CONTRAINDICATED, None),
            ("ribociclib", "itraconazole", Severity.ADJUST, 0.667),
            ("olaparib", "fluconazole", Severity.ADJUST, 0.5),
            ("osimertinib", "carbamazepine", Severity.ADJUST, 2.0),
            ("sotorasib", "omeprazole", Severity.AVOID, None),
            ("capecitabine", "brivudine", Severity.CONTRAINDICATED, None),
            ("fluorouracil", "warfarin", Severity.ADJUST, None),
            ("erlotinib", "smoking", Severity.ADJUST, 2.0),
            ("tamoxifen", "paroxetine", Severity.AVOID, None),
            ("cisplatin", "gentamicin", Severity.AVOID, None),
        ],
    )
    def test_known_pairs_are_found(
        self, drug: str, medicine: str, severity: Severity, factor: float | None
    ) -> None:
        worst = interactions_with([drug], [medicine])[0]
        assert (worst.interaction.severity, worst.interaction.dose_factor) == (severity, factor)

    def test_a_group_stands_for_an_unknown_member(self) -> None:
        assert interactions_with(["sotorasib"], ["ppi"])[0].partner == "ppi"

    def test_a_strong_inhibitor_does_not_change_osimertinib(self) -> None:
        assert not interactions_with(["osimertinib"], ["itraconazole"])

    def test_a_live_vaccine_is_no_partner_of_any_chemotherapy(self) -> None:
        for drug in ("cisplatin", "trifluridine", "cyclophosphamide"):
            assert interactions_with([drug], ["yellow_fever_vaccine"])[0].interaction.severity in SEVERE

    def test_an_unknown_medicine_is_refused(self) -> None:
        with pytest.raises(InputError):
            interactions_with(["osimertinib"], ["omeprazol"])

    @given(
        st.lists(st.sampled_from(sorted(load_drugs())), max_size=4),
        st.lists(st.sampled_from(sorted(load_comedications())), max_size=4),
    )
    def test_the_worst_comes_first(self, drugs: list[str], medicines: list[str]) -> None:
        ranks = [
            list(Severity).index(found.interaction.severity) for found in interactions_with(drugs, medicines)
        ]
        assert ranks == sorted(ranks)


class TestWithinAPlan:
    def test_osimertinib_and_a_checkpoint_antibody_must_not_meet(self) -> None:
        found = interactions_within(["durvalumab", "osimertinib"])
        assert found[0].interaction.severity is Severity.CONTRAINDICATED

    def test_a_cancer_drug_that_induces_counts_as_an_inducer(self) -> None:
        found = interactions_within(["cabazitaxel", "enzalutamide"])
        assert ("cabazitaxel", "enzalutamide", "strong_cyp3a4_inducer") in {
            (one.drug, one.partner, one.interaction.partner) for one in found
        }

    def test_an_effect_on_both_is_named_once(self) -> None:
        found = interactions_within(["osimertinib", "crizotinib"])
        assert len([one for one in found if one.interaction.effect == "QT intervals add up"]) == 1

    @given(st.lists(st.sampled_from(sorted(load_drugs())), max_size=5))
    def test_order_and_repetition_do_not_matter(self, drugs: list[str]) -> None:
        assert interactions_within(drugs) == interactions_within([*reversed(drugs), *drugs])


def test_brands_of_medicines_are_found() -> None:
    assert find_comedication("Nexium").slug == "esomeprazole"
    with pytest.raises(InputError) as caught:
        find_comedication("esomeprazol")
    assert "esomeprazole" in caught.value.remedy
