"""Reading what is known of a patient, and what follows from it."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import load_biomarkers, load_diseases
from oncoproof.knowledge.cancers.marker_constraints import broken_constraints
from oncoproof.knowledge.graph.fact_reading import find_disease, read_facts
from oncoproof.knowledge.graph.facts import Facts, is_of_tumour
from oncoproof.knowledge.medicines.conditions import parse_condition

GIVEN = [
    (disease, key, value)
    for disease in sorted(load_diseases())
    for key, marker in load_biomarkers().items()
    if marker.applies_to(disease)
    for value in marker.values_in(disease)
]


@pytest.mark.parametrize(
    ("given_", "key", "word"),
    [
        ({"KRAS": "G12C"}, "KRAS", "g12c"),
        ({"KRAS": "p.Gly12Cys"}, "KRAS", "g12c"),
        ({"KRAS": "p.(G12D)"}, "KRAS", "other"),
        ({"KRAS": "g12c|other"}, "KRAS", "mut"),
        ({"KRAS": "g12c|other"}, "RAS", "mut"),
        ({"KRAS": "Q61H"}, "RAS", "mut"),
        ({"BRAF": "V600E"}, "BRAF", "v600e"),
        ({"BRAF": "V600"}, "BRAF", "v600"),
        ({"RAS": "wt"}, "KRAS", "wt"),
        ({"RAS": "wt"}, "NRAS", "wt"),
        ({"HRR": "brca"}, "BRCA", "mut"),
        ({"BRCA": "wt"}, "BRCA1", "wt"),
        ({"PIK3CA": "mut"}, "AKT_PATHWAY", "altered"),
        ({"TMB": 12}, "TMB", "12"),
        ({"BRAF": "v600e|wt"}, "BRAF", None),
    ],
)
def test_values_are_read_and_deduced(given_: dict[str, object], key: str, word: str | None) -> None:
    assert read_facts(given_, disease="crc").word(key) == word


def test_none_is_not_known() -> None:
    assert read_facts({"EGFR": None, "line": None}, disease="nsclc") == read_facts({}, disease="nsclc")


def test_what_is_given_is_not_called_deduced() -> None:
    facts = read_facts({"KRAS": "G12D", "RAS": "mut"}, disease="crc")
    assert facts.deduced == {}


def test_deduction_begins_at_what_was_given() -> None:
    facts = read_facts({"KRAS": "G12D"}, disease="crc")
    assert facts.deduced["RAS"].subject == "marker:KRAS=other"


def test_conditions_hold_or_not_or_nobody_knows() -> None:
    facts = read_facts({"PDL1_TPS": 60, "prior_drugs": ["gefitinib"], "EGFR": "mut"}, disease="nsclc")
    answers = {
        text: facts.admits(parse_condition(text))
        for text in ("PDL1_TPS=50..100", "PDL1_TPS=0..49", "TMB=10..1000", "PRIOR=egfr_tki", "PRIOR=platinum")
    }
    assert list(answers.values()) == [True, False, None, True, False]
    assert facts.admits(parse_condition("EGFR=ex19del|l858r")) is None
    assert read_facts({}, disease="nsclc").admits(parse_condition("PRIOR=egfr_tki")) is None


def test_histology_may_be_a_group() -> None:
    facts = read_facts({"histology": "non-squamous"}, disease="nsclc")
    assert facts.admits_histology("non_squamous") is True
    assert facts.admits_histology("squamous") is False
    assert facts.admits_histology("adenocarcinoma") is None
    assert facts.subjects().rows == len(facts.histologies)


def test_more_combinations_than_can_be_worked_out_count_as_not_known() -> None:
    many = {
        key: "|".join(load_biomarkers()[key].values) for key in ("EGFR", "BRAF", "UGT1A1", "KRAS", "BRCA")
    }
    facts = read_facts(many, disease="nsclc")
    assert facts.subjects().rows <= 128


@pytest.mark.parametrize(
    "name", ["NSCLC", "nsclc", "Non-small cell lung cancer", "lung cancer, non-small cell"]
)
def test_disease_has_many_names(name: str) -> None:
    assert find_disease(name) == "nsclc"


@pytest.mark.parametrize(
    "facts",
    [
        {"RAS": "wt", "KRAS": "g12c"},
        {"RAS": "wt", "NRAS": "mut"},
        {"BRCA": "wt", "BRCA1": "mut"},
        {"HRR": "brca", "BRCA": "wt"},
    ],
)
def test_contradiction_is_refused(facts: dict[str, object]) -> None:
    with pytest.raises(InputError, match="stand together"):
        read_facts(facts, disease="ovarian")


def test_what_is_of_the_tumour() -> None:
    assert is_of_tumour("EGFR")
    assert is_of_tumour("histology")
    assert not {name for name in ("DPYD", "PRIOR", "SMOKING", "line", "qtcf_ms") if is_of_tumour(name)}


@given(pair=st.tuples(st.sampled_from(GIVEN), st.sampled_from(GIVEN)))
def test_what_is_left_possible_breaks_no_constraint_alone(
    pair: tuple[tuple[str, str, str], tuple[str, str, str]],
) -> None:
    """Each value left is part of some combination of the given ones that no constraint refuses."""
    (disease, key, value), (other_disease, other, second) = pair
    if disease != other_disease or key == other:
        return
    try:
        facts = read_facts({key: value, other: second}, disease=disease)
    except InputError:
        return
    assert all(facts.possible.values())
    assert _possible_worlds(facts, {key, other})


def _possible_worlds(facts: Facts, keys: set[str]) -> list[dict[str, str]]:
    chosen = [[(key, value) for value in facts.possible[key]] for key in sorted(keys)]
    worlds = [dict(world) for world in itertools.product(*chosen)]
    return [world for world in worlds if not broken_constraints(facts.disease, world)]
