"""Pharmacogenes: activity scores, and frequencies that name known things."""

import pytest

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.biomarkers import load_biomarkers
from oncoproof.knowledge.populations.pharmacogenes import (
    Counted,
    dpyd_activity_score,
    frequencies_of,
    load_dpyd_alleles,
    load_pharmacogene_frequencies,
)
from oncoproof.knowledge.sources import load_sources


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("*1", "*1", 2.0),
        ("*1", "*2A", 1.0),
        ("*1", "c.2846A>T", 1.5),
        ("*2A", "*13", 0.0),
        ("HapB3", "HapB3", 1.0),
    ],
)
def test_activity_scores(first: str, second: str, score: float) -> None:
    assert dpyd_activity_score(first, second) == score


def test_dpyd_alleles_are_within_the_range_of_the_score_and_sourced() -> None:
    for allele in load_dpyd_alleles().values():
        assert allele.activity in {0.0, 0.5, 1.0}
        assert allele.source in load_sources()


def test_an_unknown_allele_is_refused() -> None:
    with pytest.raises(InputError) as caught:
        dpyd_activity_score("*1", "*99")
    assert "HapB3" in caught.value.expected


def test_frequencies_name_known_alleles_and_states() -> None:
    for row in load_pharmacogene_frequencies():
        known = (
            row.name in load_dpyd_alleles()
            or row.name in {"*28", "*6"}
            or load_biomarkers()[row.biomarker].permits(row.name)
        )
        assert known, row
        assert row.share.source in load_sources()
        assert row.share.low is not None or row.share.high is None
        assert (row.share.low or 0) <= row.share.value <= (row.share.high or 1)
        assert row.counted is not Counted.STATE or load_biomarkers()[row.biomarker].permits(row.name)


@pytest.mark.parametrize(
    ("biomarker", "name", "ancestry", "expected"),
    [
        ("DPYD", "*2A", "european", (0.01, None, None)),
        ("DPYD", "HapB3", "european", (0.045, 0.04, 0.05)),
        ("DPYD", "c.557A>G", "african", (0.04, 0.03, 0.05)),
        ("UGT1A1", "*28/*28", "african", (0.175, 0.15, 0.20)),
        ("UGT1A1", "*28/*28", "east_asian", (0.02, 0.01, 0.03)),
        ("UGT1A1", "*6", "east_asian", (0.175, 0.15, 0.20)),
    ],
)
def test_known_frequencies(
    biomarker: str, name: str, ancestry: str, expected: tuple[float, float | None, float | None]
) -> None:
    (row,) = frequencies_of(biomarker, name, ancestry=ancestry)
    assert (row.share.value, row.share.low, row.share.high) == (
        pytest.approx(expected[0]),
        *expected[1:],
    )
