"""Misspelt units: what people write in place of UCUM, and what they probably meant.

Rules this module guarantees:

- Whatever is suggested is itself a unit of UCUM.

    >>> suggested_unit("mcg/mL"), suggested_unit("K/uL"), suggested_unit("furlong")
    ('ug/mL', '10*3/uL', None)
"""

import re

from oncoproof.errors import UnitError
from oncoproof.journey.ucum import parse_unit

_MISTAKES = {
    "mcg": "ug",
    "µg": "ug",
    "μg": "ug",
    "µL": "uL",
    "μL": "uL",
    "µmol": "umol",
    "μmol": "umol",
    "mcL": "uL",
    "mcl": "uL",
    "K": "10*3",
    "G": "10*9",
    "T": "10*12",
    "IU": "[IU]",
    "mIU": "m[IU]",
    "kIU": "k[IU]",
    "uIU": "u[IU]",
    "µIU": "u[IU]",
    "UI": "[IU]",
    "u": "U",
    "units": "U",
    "unit": "U",
    "gm": "g",
    "gms": "g",
    "gram": "g",
    "grams": "g",
    "cc": "mL",
    "ML": "mL",
    "mls": "mL",
    "sec": "s",
    "secs": "s",
    "msec": "ms",
    "mins": "min",
    "minute": "min",
    "minutes": "min",
    "hr": "h",
    "hrs": "h",
    "hour": "h",
    "hours": "h",
    "day": "d",
    "days": "d",
    "week": "wk",
    "weeks": "wk",
    "month": "mo",
    "months": "mo",
    "yr": "a",
    "yrs": "a",
    "year": "a",
    "years": "a",
    "°C": "Cel",
    "C": "Cel",
    "degC": "Cel",
    "°F": "[degF]",
    "F": "[degF]",
    "mmHg": "mm[Hg]",
    "lb": "[lb_av]",
    "lbs": "[lb_av]",
    "inch": "[in_i]",
    "inches": "[in_i]",
    "mEq": "meq",
    "Eq": "eq",
    "mOsm": "mosm",
    "gy": "Gy",
    "GY": "Gy",
    "cGY": "cGy",
    "bpm": "/min",
    "percent": "%",
    "pct": "%",
    "ratio": "1",
    "Mb": "{Mb}",
    "mut": "{mutations}",
    "muts": "{mutations}",
    "mutations": "{mutations}",
    "cells": "{cells}",
    "copies": "{copies}",
}
"""What people write, and what UCUM wants in its place."""

_COMMON = "g mg ug ng pg kg L mL dL uL mol mmol umol nmol pmol U kU mU m cm mm s min h d Gy cGy Pa kPa"
_BY_LOWER_CASE = {unit.lower(): unit for unit in _COMMON.split(" ")}
"""Common units by what is left of them when case is lost."""

_ANNOTATION = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[^\s./()\[\]{}*^0-9%+-]+")
_SPLIT_NUMBER = re.compile(r"(?<![\w*^])\d+\.\d")
_BODY_SURFACE = re.compile(r"(?<!\{)1\.73\s*[.*]?\s*m\^?2")
_POWER_OF_TEN = re.compile(r"(?:[x×]\s*)?10\s*(?:\^|\*\*|\*|e|E)?\s*([+-]?\d+)(?=\s*/|\s*$)")


def has_split_number(text: str) -> bool:
    """Whether a unit holds a decimal number, which UCUM reads as a product: 1.73 as 1 times 73."""
    return _SPLIT_NUMBER.search(_ANNOTATION.sub("", text)) is not None


def suggested_unit(text: str) -> str | None:
    """The unit that was probably meant; None = we cannot tell."""
    plain = _BODY_SURFACE.sub("{1.73_m2}", text.strip().replace("²", "2").replace("³", "3"))
    plain = _POWER_OF_TEN.sub(r"10*\1", re.sub(r"\bper\b", "/", plain))
    plain = re.sub(r"\s+", "", _outside_annotations(plain, _MISTAKES)).replace("^", "")
    for attempt in (plain, _outside_annotations(plain, _BY_LOWER_CASE, lower=True)):
        if attempt != text and _is_unit(attempt) and not has_split_number(attempt):
            return attempt
    return None


def _outside_annotations(text: str, words: dict[str, str], *, lower: bool = False) -> str:
    """The text with the words replaced, save those in braces."""
    parts = re.split(r"(\{[^{}]*\})", text)

    def replaced(match: re.Match[str]) -> str:
        return words.get(match[0].lower() if lower else match[0], match[0])

    return "".join(part if part.startswith("{") else _WORD.sub(replaced, part) for part in parts)


def _is_unit(text: str) -> bool:
    try:
        parse_unit(text)
    except UnitError:
        return False
    return True
