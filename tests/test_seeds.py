"""Streams depend on the root and the path of names alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import InputError
from oncoproof.seeds import Seed

names = st.lists(st.one_of(st.text(max_size=8), st.integers()), max_size=4)


@given(st.integers(0, 2**64 - 1), names)
def test_a_stream_replays(root: int, path: list[str | int]) -> None:
    first = Seed(root).child(*path).generator().integers(2**32, size=4)
    again = Seed(root).child(*path).generator().integers(2**32, size=4)
    assert first.tolist() == again.tolist()


@given(names, names)
def test_different_paths_have_different_bits(one: list[str | int], other: list[str | int]) -> None:
    same_path = [str(name) for name in one] == [str(name) for name in other]
    assert (Seed(1).child(*one).bits() == Seed(1).child(*other).bits()) == same_path


def test_joining_names_is_not_the_same_as_nesting_them() -> None:
    assert Seed(1).child("ab").bits() != Seed(1).child("a", "b").bits()


@pytest.mark.parametrize("root", [-1, 2**64])
def test_a_root_outside_64_bits_is_refused(root: int) -> None:
    with pytest.raises(InputError, match="2\\^64"):
        Seed(root)
