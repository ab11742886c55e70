"""Representative variants: written in HGVS, and codon and base numbers agree."""

import re

import pytest

from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.cancers.variants import Variant, load_variants
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import read_csv

EVERY = pytest.mark.parametrize(
    "variant", load_variants().values(), ids=lambda row: f"{row.biomarker}-{row.value}"
)
RESIDUE = r"(?:Ala|Arg|Asn|Asp|Cys|Gln|Glu|Gly|His|Ile|Leu|Lys|Met|Phe|Pro|Ser|Thr|Trp|Tyr|Val)"
PROTEIN = re.compile(
    rf"p\.{RESIDUE}(\d+)(?:_{RESIDUE}\d+)?(?:{RESIDUE}|Ter|del|dup|{RESIDUE}fsTer\d+)",
)
CODING = re.compile(r"c\.(-?\d+)([+-]\d+)?(?:_-?\d+)?(?:[ACGT]>[ACGT]|del|dup|delins[ACGT]+)")


@EVERY
def test_belongs_to_a_value_and_gene_of_its_biomarker(variant: Variant) -> None:
    marker = load_biomarkers()[variant.biomarker]
    assert variant.value in marker.values
    assert variant.value != marker.reference
    assert variant.gene in marker.genes
    assert variant.source in load_sources()
    assert re.fullmatch(r"NM_\d{6,9}", variant.transcript)


@EVERY
def test_is_written_in_hgvs_and_the_numbers_agree(variant: Variant) -> None:
    coding = CODING.fullmatch(variant.coding)
    assert coding is not None
    if not variant.protein:
        return
    protein = PROTEIN.fullmatch(variant.protein)
    assert protein is not None
    if ">" in variant.coding and coding.group(2) is None:
        assert (int(coding.group(1)) + 2) // 3 == int(protein.group(1))


def test_each_value_has_one_representative() -> None:
    assert len(load_variants()) == len(read_csv("variants.csv", "variants", Variant))


def test_every_small_variant_that_a_trial_asks_for_has_one() -> None:
    asked = [("EGFR", "ex19del"), ("EGFR", "l858r"), ("EGFR", "ex20ins"), ("EGFR_T790M", "positive")]
    asked += [("KRAS", "g12c"), ("BRAF", "v600e"), ("BRAF", "v600k"), ("MET", "ex14"), ("HER2", "mut")]
    asked += [("ESR1", "mut"), ("PIK3CA", "mut"), ("BRCA", "germline"), ("HRR", "atm")]
    assert set(asked) <= set(load_variants())
