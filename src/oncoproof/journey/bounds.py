"""Bounds: numbers that can only be so small or so large, refused where they are not.

Rules this module guarantees:

- No number that is None is refused: it was not stated. One that is not finite is in no bounds.

    >>> require_amount("diameter", -1.0)
    Traceback (most recent call last):
    oncoproof.errors.JourneyError: diameter: came: -1.0; expected: a number of 0 or more; try: correct it
"""

from math import inf

from oncoproof.errors import JourneyError


def require_amount(name: str, value: float | None) -> None:
    """Refuse an amount below nothing.

    Raises:
        JourneyError: It is.
    """
    if value is not None and not 0.0 <= value < inf:
        _refuse(name, value, "a number of 0 or more", "correct it")


def require_number(name: str, value: float | None) -> None:
    """Refuse what is no finite number.

    Raises:
        JourneyError: It is none.
    """
    if value is not None and not -inf < value < inf:
        _refuse(name, value, "a finite number", "leave it out where it is not known")


def require_share(name: str, value: float | None) -> None:
    """Refuse what is no share of a whole.

    Raises:
        JourneyError: It is below 0 or above 1.
    """
    if value is not None and not 0.0 <= value <= 1.0:
        _refuse(name, value, "a share from 0 to 1", "divide percentages by 100")


def require_percentage(name: str, value: float | None) -> None:
    """Refuse what is no percentage of a whole.

    Raises:
        JourneyError: It is below 0 or above 100.
    """
    if value is not None and not 0.0 <= value <= 100.0:
        _refuse(name, value, "a number from 0 to 100", "write shares as percentages")


def require_range(name: str, low: float | None, high: float | None) -> None:
    """Refuse a range that ends before it begins.

    Raises:
        JourneyError: It does, or a bound is no finite number.
    """
    require_number(name, low)
    require_number(name, high)
    if low is not None and high is not None and low > high:
        _refuse(name, low, f"a lower bound of at most the upper one, {high}", "swap or correct them")


def _refuse(name: str, value: float, expected: str, remedy: str) -> None:
    raise JourneyError(where=name, came=str(value), expected=expected, remedy=remedy)
