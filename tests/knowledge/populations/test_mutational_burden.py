"""Mutational burden: every cell of the table, with intervals that fit their n."""

import pytest

from figures import require_share, require_sound, require_wilson
from oncoproof.knowledge.populations.mutational_burden import load_mutational_burden

TABLE = [
    ("melanoma", 216, 11.6, (3.5, 28.1), 53, 45, 57, 31),
    ("nsclc", 666, 7.0, (3.9, 11.8), 31, 25, 35, 21),
    ("sclc", 54, 9.3, (5.9, 11.4), 41, 20, 27, 16),
    ("bladder", 111, 7.9, (5.3, 13.2), 35, 20, 31, 14),
    ("crc", 68, 7.9, (4.8, 38.6), 37, 21, 48, 5),
    ("endometrial", 69, 7.0, (3.5, 29.8), 36, 30, 48, 20),
    ("head_and_neck", 130, 4.9, (3.3, 7.7), 18, 23, 35, 21),
    ("renal", 228, 3.9, (2.6, 5.3), 0, 37, None, 37),
    ("gastric", 71, 4.4, (2.6, 6.1), 13, 30, 22, 31),
    ("breast", 27, 4.4, (2.6, 5.3), 7, 15, None, None),
    ("ovarian", 31, 2.6, (None, None), 10, 16, None, None),
    ("pancreatic", 36, 3.0, (None, None), 6, 3, None, None),
    ("sarcoma", 84, 1.8, (None, None), 5, 19, None, None),
]


def test_every_cell_is_there_and_no_other() -> None:
    expected: dict[tuple[str, str], float] = {}
    for cancer, _, median, _, high, response, response_high, response_low in TABLE:
        expected[cancer, "tmb_median"] = median
        expected[cancer, "share_tmb_10_or_more"] = high / 100
        expected[cancer, "response_rate"] = response / 100
        if response_high is not None:
            expected[cancer, "response_rate_tmb_10_or_more"] = response_high / 100
        if response_low is not None:
            expected[cancer, "response_rate_tmb_below_10"] = response_low / 100
    assert {key: fact.figure.value for key, fact in load_mutational_burden().items()} == expected


@pytest.mark.parametrize(("cancer", "n", "quartiles"), [(row[0], row[1], row[3]) for row in TABLE])
def test_patients_and_quartiles(cancer: str, n: int, quartiles: tuple[float | None, float | None]) -> None:
    median = load_mutational_burden()[cancer, "tmb_median"]
    assert median.n == n
    assert (median.figure.low, median.figure.high) == quartiles


def test_facts_are_sound() -> None:
    for fact in load_mutational_burden().values():
        require_sound(fact.figure)
        if fact.quantity != "tmb_median":
            require_share(fact.figure)
            require_wilson(fact.figure, fact.n)


def test_the_two_classes_of_burden_make_up_the_whole() -> None:
    facts = load_mutational_burden()
    for cancer, *_ in TABLE:
        high = facts.get((cancer, "response_rate_tmb_10_or_more"))
        low = facts.get((cancer, "response_rate_tmb_below_10"))
        if high and low:
            whole = facts[cancer, "response_rate"]
            assert high.n + low.n == whole.n
            mixed = (high.n * high.figure.value + low.n * low.figure.value) / whole.n
            assert mixed == pytest.approx(whole.figure.value, abs=0.015), cancer
