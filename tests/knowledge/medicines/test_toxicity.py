"""Toxicity and dose changes: the figures are possible, the closest counts."""

import re

import pytest

from oncoproof.knowledge.medicines.dose_changes import DoseChangeKind, load_dose_changes, share_changed
from oncoproof.knowledge.medicines.drug_classes import Modality, load_classes
from oncoproof.knowledge.medicines.drugs import load_drugs
from oncoproof.knowledge.medicines.regimen_choices import compose_regimen
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.medicines.toxicity import (
    ANY_EVENT,
    Measure,
    SubjectKind,
    ToxicityProfile,
    load_terms,
    load_toxicity,
    toxicity_of,
    toxicity_of_drug,
    toxicity_of_regimen,
)
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import Figure

SUBJECTS = {
    SubjectKind.CLASS: load_classes(),
    SubjectKind.DRUG: load_drugs(),
    SubjectKind.REGIMEN: load_regimens(),
}
WEEKS = {Measure.ONSET_WEEKS.value, Measure.FATAL_ONSET_WEEKS.value}


def all_profiles() -> list[ToxicityProfile]:
    """Every profile as stated, and every one a drug or regimen gets from its class or drugs."""
    merged = [profile for drug in load_drugs() for profile in toxicity_of_drug(drug).values()]
    whole = [
        profile
        for regimen in load_regimens()
        for profiles in toxicity_of_regimen(regimen).values()
        for profile in profiles
    ]
    return [*load_toxicity(), *merged, *whole]


def assert_share(figure: Figure, what: str) -> None:
    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    assert 0 <= low <= figure.value <= high <= 1, what
    assert figure.unit == "1", what


class TestTheTables:
    def test_subjects_and_terms_are_known(self) -> None:
        for profile in load_toxicity():
            assert profile.subject in SUBJECTS[profile.subject_kind]
            assert profile.term == ANY_EVENT or profile.term in load_terms()

    def test_shares_are_shares_and_onsets_are_weeks(self) -> None:
        for profile in load_toxicity():
            for name, figure in profile.figures().items():
                what = f"{profile.subject} {profile.term} {name}"
                if name in WEEKS:
                    assert figure.unit == "wk", what
                    assert figure.value > 0, what
                else:
                    assert_share(figure, what)
                assert figure.source in load_sources(), what

    def test_severe_events_are_never_more_frequent_than_events(self) -> None:
        for profile in all_profiles():
            if profile.any_grade is None or profile.grade3 is None:
                continue
            assert profile.grade3.value <= profile.any_grade.value, f"{profile.subject} {profile.term}"

    def test_every_class_with_an_effect_has_a_profile(self) -> None:
        described = {found.subject for found in load_toxicity() if found.subject_kind is SubjectKind.CLASS}
        acting = {slug for slug, known in load_classes().items() if known.modality is not Modality.SUPPORTIVE}
        assert acting <= described

    def test_every_term_in_the_list_is_used_and_has_a_code_of_eight_digits_if_any(self) -> None:
        used = {profile.term for profile in load_toxicity()} - {ANY_EVENT}
        assert used == set(load_terms())
        codes = [term.meddra for term in load_terms().values() if term.meddra]
        assert len(set(codes)) == len(codes)
        assert all(re.fullmatch(r"100\d{5}", code) for code in codes)
        assert all(term.source in load_sources() for term in load_terms().values())

    def test_dose_changes_are_shares_of_known_subjects(self) -> None:
        for row in load_dose_changes().values():
            assert row.subject in SUBJECTS[row.subject_kind]
            assert_share(row.figure, row.subject)
            assert row.figure.source in load_sources()


class TestTheClosestCounts:
    def test_a_drug_overrides_its_class(self) -> None:
        assert toxicity_of_drug("abemaciclib")["neutrophil_count_decreased"].subject == "abemaciclib"
        assert toxicity_of_drug("palbociclib")["neutrophil_count_decreased"].subject == "cdk46_inhibitor"

    def test_shares_of_a_term_come_from_one_subject(self) -> None:
        profile = toxicity_of_drug("lazertinib")["diarrhoea"]
        assert profile.any_grade is not None
        assert profile.any_grade.value == pytest.approx(0.31)
        assert profile.onset_weeks is not None
        assert profile.onset_weeks.source == "label:osimertinib"

    def test_a_regimen_overrides_its_drugs(self) -> None:
        (whole,) = toxicity_of_regimen("ipilimumab+nivolumab")["colitis"]
        assert whole.subject_kind is SubjectKind.REGIMEN
        assert whole.grade3 is not None
        assert whole.grade3.value == pytest.approx(0.08)

    def test_without_own_figures_a_regimen_has_those_of_each_drug(self) -> None:
        profiles = toxicity_of_regimen("carboplatin+paclitaxel")["peripheral_sensory_neuropathy"]
        assert [profile.subject for profile in profiles] == ["platinum", "paclitaxel"]

    def test_higher_dose_means_more_pneumonitis(self) -> None:
        usual = toxicity_of_regimen("trastuzumab_deruxtecan")["pneumonitis"][0].any_grade
        high = toxicity_of_regimen("trastuzumab_deruxtecan@6.4")["pneumonitis"][0].any_grade
        assert usual is not None
        assert high is not None
        assert usual.value < high.value

    def test_a_regimen_put_together_has_the_harms_of_its_drugs(self) -> None:
        found = toxicity_of(compose_regimen(("osimertinib", "gemcitabine")))
        assert {"egfr_tki_gen3", "nucleoside_antimetabolite"} == {
            profile.subject for profile in found["fatigue"]
        }

    def test_placebo_harms_nobody(self) -> None:
        assert not toxicity_of_regimen("placebo")
        assert not toxicity_of_regimen("no_treatment")


class TestDoseChanges:
    def test_checkpoint_antibodies_are_never_reduced(self) -> None:
        found = share_changed("pembrolizumab", DoseChangeKind.REDUCTION)
        assert found is not None
        assert found.value == 0

    def test_a_drug_without_own_figure_has_that_of_its_class(self) -> None:
        drug = share_changed("trastuzumab_deruxtecan@6.4", DoseChangeKind.REDUCTION)
        assert drug is not None
        assert (drug.low, drug.high) == (0.20, 0.25)

    def test_a_combination_is_not_its_drugs(self) -> None:
        assert share_changed("carboplatin+osimertinib+pemetrexed", DoseChangeKind.REDUCTION) is None
