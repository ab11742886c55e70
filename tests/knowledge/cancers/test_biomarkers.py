"""The biomarker keys: complete, consistent with their genes and sources, and readable by rules."""

import csv
import re
from pathlib import Path

import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.genes import load_genes
from oncoproof.knowledge.sources import load_sources

TRIAL_KEYS = (
    "EGFR",
    "EGFR_T790M",
    "ALK",
    "ROS1",
    "RET",
    "MET",
    "KRAS",
    "RAS",
    "BRAF",
    "HER2",
    "PDL1_TPS",
    "PDL1_CPS",
    "PDL1_IC",
    "MSI",
    "TMB",
    "HR",
    "BRCA",
    "HRD",
    "HRR",
    "PIK3CA",
    "ESR1",
    "AKT_PATHWAY",
    "SMOKING",
    "MENOPAUSE",
    "CASTRATION",
    "RESPONSE",
    "PRIOR_CHEMO_LINES",
    "PRIOR",
)

EVERY = pytest.mark.parametrize("marker", load_biomarkers().values(), ids=load_biomarkers())


def test_every_key_that_trials_use_is_known() -> None:
    assert set(TRIAL_KEYS) <= set(load_biomarkers())


@EVERY
def test_has_exactly_one_sort_of_values(marker: Biomarker) -> None:
    assert (bool(marker.values), marker.is_numeric, marker.is_open).count(True) == 1
    assert (marker.low is None) == (marker.high is None) == (marker.unit is None)
    assert marker.key == marker.key.upper()


@EVERY
def test_groups_and_references_stand_for_plain_values(marker: Biomarker) -> None:
    for name, members in marker.groups.items():
        assert name not in marker.values
        assert set(members) <= set(marker.values)
        assert marker.expand(name) == members
    assert marker.reference is None or marker.reference in marker.values


@EVERY
def test_names_known_genes_diseases_and_sources(marker: Biomarker) -> None:
    assert set(marker.genes) <= set(load_genes())
    assert set(marker.diseases) | set(marker.values_by_disease) <= set(load_diseases())
    assert marker.source in load_sources()
    if marker.values_by_disease:
        members = {value for values in marker.values_by_disease.values() for value in values}
        assert members == set(marker.values)
        assert set(marker.values_by_disease) == set(marker.diseases)


@EVERY
def test_a_variant_has_genes_and_an_origin(marker: Biomarker) -> None:
    variants = {BiomarkerKind.SMALL_VARIANT, BiomarkerKind.FUSION, BiomarkerKind.COPY_NUMBER}
    if marker.kind in variants:
        assert marker.genes
        assert marker.origins
        assert marker.reference


def test_every_gene_serves_a_biomarker_and_has_its_own_hgnc_id() -> None:
    genes = load_genes()
    assert {gene for marker in load_biomarkers().values() for gene in marker.genes} == set(genes)
    assert all(re.fullmatch(r"HGNC:[1-9]\d{2,4}", gene.hgnc) for gene in genes.values())
    assert len({gene.hgnc for gene in genes.values()}) == len(genes)
    assert {gene.source for gene in genes.values()} <= set(load_sources())


@pytest.mark.parametrize(
    ("symbol", "hgnc"),
    [
        ("EGFR", 3236),
        ("KRAS", 6407),
        ("BRAF", 1097),
        ("ALK", 427),
        ("ROS1", 10261),
        ("RET", 9967),
        ("MET", 7029),
        ("ERBB2", 3430),
        ("TP53", 11998),
        ("BRCA1", 1100),
        ("BRCA2", 1101),
        ("PIK3CA", 8975),
        ("NRAS", 7989),
        ("STK11", 11389),
        ("PTEN", 9588),
        ("AKT1", 391),
        ("ESR1", 3467),
    ],
)
def test_gene_ids_that_are_well_known(symbol: str, hgnc: int) -> None:
    assert load_genes()[symbol].hgnc == f"HGNC:{hgnc}"


@pytest.mark.parametrize(
    ("key", "text", "permitted"),
    [
        ("EGFR", "mut", True),
        ("EGFR", "g12c", False),
        ("PDL1_TPS", "50..100", True),
        ("PDL1_TPS", "0..0.99", True),
        ("PDL1_TPS", "100..50", False),
        ("PDL1_TPS", "101", False),
        ("PDL1_TPS", "1..2..3", False),
        ("PDL1_TPS", "high", False),
        ("PRIOR", "anti_her2", True),
        ("PRIOR", "", False),
        ("UGT1A1", "*28/*28", True),
    ],
)
def test_permits_values_groups_numbers_and_ranges(key: str, text: str, *, permitted: bool) -> None:
    assert load_biomarkers()[key].permits(text) is permitted


def test_an_unknown_value_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError) as caught:
        load_biomarkers()["KRAS"].expand("g12z")
    assert "g12c" in caught.value.expected


def test_her2_means_expression_or_mutation_by_disease() -> None:
    her2 = load_biomarkers()["HER2"]
    assert her2.values_in("breast") == ("positive", "low", "ultralow", "zero")
    assert her2.values_in("nsclc") == ("mut", "wt")
    assert her2.expand("negative") == ("low", "ultralow", "zero")
    assert not her2.applies_to("prostate")
    assert load_biomarkers()["MSI"].applies_to("prostate")


@pytest.mark.shared
def test_every_condition_of_the_trial_table_is_permitted(shared_data: Path) -> None:
    with (shared_data / "trials.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seen = 0
    for row in rows:
        for condition in filter(None, f"{row['requires']};{row['excludes']}".split(";")):
            key, _, values = condition.strip().partition("=")
            marker = load_biomarkers()[key]
            assert marker.applies_to(row["disease"]), (row["row_id"], condition)
            assert all(marker.permits(value) for value in values.split("|")), (row["row_id"], condition)
            seen += 1
    assert seen > 300
