"""Sites of metastasis: every cell of the table, named as the diseases name them."""

import pytest

from figures import require_share, require_wilson
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.populations.metastases import load_metastatic_sites

SITES = ("liver", "bone", "brain", "lung", "lymph", "pleura", "adrenal")


@pytest.mark.parametrize(
    ("disease", "n", "percents"),
    [
        ("nsclc", 3327, (23, 54, 38, 88, 72, 27, 17)),
        ("crc", 2355, (78, 9, 3, 38, 54, 2, 3)),
        ("breast", 1083, (34, 72, 20, 26, 68, 9, 4)),
        ("prostate", 1198, (11, 73, 13, 22, 70, 2, 2)),
    ],
)
def test_every_cell(disease: str, n: int, percents: tuple[int, ...]) -> None:
    for site, percent in zip(SITES, percents, strict=True):
        fact = load_metastatic_sites()[disease, site]
        assert (fact.share.value, fact.n) == (pytest.approx(percent / 100), n)


def test_facts_are_sound() -> None:
    assert len(load_metastatic_sites()) == 28
    for fact in load_metastatic_sites().values():
        require_share(fact.share)
        require_wilson(fact.share, fact.n)
        assert fact.site in load_diseases()[fact.disease].metastatic_sites
