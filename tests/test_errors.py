"""Errors say where, what came, what was expected and what to try, and survive pickling."""

import pickle

import pytest

from oncoproof.errors import (
    CodeError,
    FormatError,
    InputError,
    IntegrityError,
    JourneyError,
    MissingPartError,
    OncoproofError,
    UnitError,
)

KINDS = [
    OncoproofError,
    InputError,
    CodeError,
    UnitError,
    JourneyError,
    FormatError,
    MissingPartError,
    IntegrityError,
]


@pytest.mark.parametrize("kind", KINDS)
def test_error_keeps_its_parts_through_pickling(kind: type[OncoproofError]) -> None:
    error = kind(where="file.csv line 3", came="'x'", expected="a number", remedy="write one")
    copy = pickle.loads(pickle.dumps(error))  # noqa: S301  bytes made on the line itself
    assert type(copy) is kind
    assert copy.parts() == error.parts()
    assert str(copy) == "file.csv line 3: came: 'x'; expected: a number; try: write one"


def test_exit_codes_tell_kinds_of_failure_apart() -> None:
    assert InputError.exit_code == FormatError.exit_code == 3
    assert len({OncoproofError.exit_code, 3, MissingPartError.exit_code, IntegrityError.exit_code}) == 4
