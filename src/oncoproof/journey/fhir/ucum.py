"""UCUM: whether a unit is written as the Unified Code for Units of Measure wants it.

Rules this module guarantees:

- A unit is a product and quotient of known atoms with prefixes, powers and annotations in braces; case
  matters. The atoms are those of clinical use, not all of UCUM: an unknown one is refused.

    >>> [is_ucum(unit) for unit in ("mg/dL", "10*9/L", "mm[Hg]", "mL/min/{1.73_m2}", "milligrams", "mmHg")]
    [True, True, True, True, False, False]
"""

import re
from functools import lru_cache

_METRIC = (
    "m s g rad K C cd mol sr Hz N Pa J W A V F Ohm S Wb Cel T H lm lx Bq Gy Sv l L ar t bar u eV pc cal "
    "eq osm kat U m[Hg] m[H2O] [iU] [IU] Ci R RAD REM g% st dyn erg P St G Mx B[SPL] B Lmb sph mho bit By Bd"
)
_PLAIN = (
    "% [ppth] [ppm] [ppb] [pptr] [pi] 10* 10^ min h d a a_j a_t wk mo mo_j mo_s deg gon ' '' [pH] [degF] "
    "[in_i] [ft_i] [yd_i] [mi_i] [lb_av] [oz_av] [gr] [stone_av] [in_i'H2O] [in_i'Hg] [drp] [tsp_us] [tbs_us] "
    "[cup_us] [foz_us] [pt_us] [qt_us] [gal_us] [Cal] [CFU] [PFU] [arb'U] [USP'U] [GPL'U] [MPL'U] [APL'U] "
    "[bdsk'U] [ka'U] [knk'U] [mclg'U] [todd'U] [dye'U] [smgy'U] [AU] [BAU] [FFU] [LPF] [HPF] [TCID_50] [CCID_50] "
    "[EID_50] [PCA] [PNU] [Lf] [D'ag'U] [FEU] [ELU] [EU] [Ch] [diop] [p'diop] [mesh_i] [HP] [car_m] [hp_X] "
    "[IR] [Amb'a'1'U] [acr_us] [sin_i] [cin_i] [sft_i] [cft_i] tot"
)
_PREFIXES = "Y Z E P T G M k h da d c m u n p f a z y Ki Mi Gi Ti".split()
_ATOMS = frozenset(_PLAIN.split()) | {
    prefix + atom for atom in _METRIC.split() for prefix in ("", *_PREFIXES)
}
_ANNOTATION = re.compile(r"\{[\x21-\x7a\x7c\x7e]*\}")
_BRACKETED = re.compile(r"^((?:[A-Za-z]{0,2}|da)m?\[[^\]]+\])([+-]?\d+)?$")
_SPLIT = re.compile(r"[./](?![^{]*\})")


@lru_cache(maxsize=4096)
def is_ucum(unit: str) -> bool:
    """Whether a unit is valid UCUM, as far as the atoms of clinical use go."""
    if not unit or not unit.isascii() or any(letter.isspace() for letter in unit):
        return False
    body = _without_annotations(unit)
    return body is not None and _is_term(body)


def _without_annotations(unit: str) -> str | None:
    """The unit with each annotation put away; one that stands alone means 1. None = braces do not pair."""
    parts = [_annotated(part) for part in _SPLIT.split(unit.removeprefix("/"))]
    if any("{" in part or "}" in part for part in parts):
        return None
    return "/".join(parts)


def _annotated(part: str) -> str:
    return _ANNOTATION.sub("", part) or ("1" if part else "")


def _is_term(body: str) -> bool:
    flat = body
    while "(" in flat:
        inner = re.search(r"\(([^()]*)\)", flat)
        if inner is None or not _is_term(inner[1]):
            return False
        flat = flat.replace(inner[0], "1", 1)
    return all(_is_component(part) for part in re.split(r"[./]", flat))


def _is_component(part: str) -> bool:
    if part.isdigit() or part in _ATOMS:
        return True
    bracketed = _BRACKETED.match(part)
    if bracketed:
        return bracketed[1] in _ATOMS
    power = re.fullmatch(r"(10[*^]|.*?[^\d+-])([+-]?\d+)", part)
    return power is not None and power[1] in _ATOMS
