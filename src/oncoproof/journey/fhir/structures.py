"""Structures: the data types that nearly every element is made of, with what FHIR demands beyond shape.

Rules this module guarantees:

- A code of a known system has that system's form; a UCUM unit is valid UCUM; a period ends after it
  begins; an extension carries either a value or further extensions; a reference has a known form.
- These types fill most of a bundle, so each has a short way for the usual shape; whatever is not of
  the usual shape goes the general way, which says what is wrong.

    >>> is_code("http://loinc.org", "89247-1"), is_code("http://loinc.org", "89247-2")
    (True, False)
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache

import orjson

from oncoproof.errors import CodeError, UnitError
from oncoproof.journey.codes import System, check_form
from oncoproof.journey.fhir.faults import Fault, Faults, Json, Object, Rule, Seen, below, fault, is_object
from oncoproof.journey.fhir.primitives import LARGEST, PRIMITIVES, remember
from oncoproof.journey.units import check_unit

_REMEMBERED = 1 << 14
_QUANTITY = ("value", "unit", "system", "code")
_COMPARATORS = frozenset({"<", "<=", ">=", ">"})


def is_unit(unit: str) -> bool:
    """Whether a unit is UCUM, as far as oncology needs it."""
    try:
        check_unit(unit)
    except UnitError:
        return False
    return True


@lru_cache(maxsize=_REMEMBERED)
def is_code(system: str, code: str) -> bool:
    """Whether a code has the form of its system; FHIR's form where the system is not known here.

    Digits alone pass as an HGNC id: that is how mCODE wrote them at first.
    """
    if PRIMITIVES["uri"](system, []) or PRIMITIVES["code"](code, []):
        return False
    if system == System.HGNC and code.isdigit():
        return True
    if system == System.UCUM:
        return is_unit(code)
    try:
        check_form(system, code)
    except CodeError:
        return False
    return True


def _code_fault(system: object, code: object) -> list[Fault]:
    if isinstance(system, str) and isinstance(code, str):
        try:
            (check_unit(code) if system == System.UCUM else check_form(system, code))
        except (CodeError, UnitError) as error:
            return [Fault(".code", error.came, f"{error.expected} ({error.where})", error.remedy)]
    return [Fault(".code", repr(code), f"a code of {system}", "look the code up again")]


_CODINGS: set[tuple[object, ...]] = set()
"""Codings found good: their element names and values. Few codings make up most of any document."""


def _is_known(coding: Json) -> bool:
    """Whether a coding has been found good before."""
    if coding.__class__ is not dict:
        return False
    try:
        return (*coding, *coding.values()) in _CODINGS
    except TypeError:
        return False


def _coding(general: Rule, _: Callable[[str], Rule]) -> Rule:
    def rule(value: Json, seen: Seen) -> Faults:
        if _is_known(value):
            return None
        found = general(value, seen)
        if found is None and is_object(value):
            item: Object = value
            system, code = item.get("system"), item.get("code")
            if isinstance(system, str) and isinstance(code, str) and not is_code(system, code):
                return _code_fault(system, code)
            if "extension" not in item and not any(key.startswith("_") for key in item):
                remember(_CODINGS, (*item, *item.values()))
        return found

    return rule


def is_known_concept(value: Json) -> bool:
    """Whether a concept has one coding, which has been found good before, and nothing else."""
    if value.__class__ is dict and len(value) == 1 and "coding" in value:
        codings = value["coding"]
        return codings.__class__ is list and len(codings) == 1 and _is_known(codings[0])
    return False


def _concept(general: Rule, _: Callable[[str], Rule]) -> Rule:
    def rule(value: Json, seen: Seen) -> Faults:
        return None if is_known_concept(value) else general(value, seen)

    return rule


def _meta(general: Rule, _: Callable[[str], Rule]) -> Rule:
    good: set[str] = set()

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is dict and len(value) == 1 and "profile" in value:
            names = value["profile"]
            if names.__class__ is list and len(names) == 1 and names[0].__class__ is str:
                if names[0] in good:
                    return None
                found = general(value, seen)
                if found is None:
                    remember(good, names[0])
                return found
        return general(value, seen)

    return rule


def _extension(general: Rule, rule_of: Callable[[str], Rule]) -> Rule:
    good: set[tuple[object, ...]] = set()
    good_texts: set[bytes] = set()
    address, reference = rule_of("uri"), rule_of("Reference")

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is not dict or len(value) != 2:
            return general(value, seen)
        _, key = value
        held = value[key]
        if held.__class__ is str:
            return _remembered(general, value, seen, good)
        url = value.get("url")
        if key == "extension" and held.__class__ is list and address(url, seen) is None:
            for part in held:
                if rule(part, seen) is not None:
                    return general(value, [])
            return None if held else general(value, seen)
        if key == "valueReference":
            is_fine = address(url, seen) is None and reference(held, seen) is None
            return None if is_fine else general(value, [])
        if held.__class__ is dict:
            return _recalled(general, value, seen, good_texts)
        return general(value, seen)

    return rule


def _remembered(general: Rule, value: Object, seen: Seen, good: set[tuple[object, ...]]) -> Faults:
    """The same as the check of an object of texts, unless it has been found good before."""
    whole = (*value, *value.values())
    try:
        if whole in good:
            return None
    except TypeError:
        return general(value, seen)
    found = general(value, seen)
    if found is None:
        remember(good, whole)
    return found


def _recalled(general: Rule, value: Json, seen: Seen, good: set[bytes]) -> Faults:
    """The same as the check of a value, by its text where that has been found good and without references."""
    try:
        text = orjson.dumps(value)
    except orjson.JSONEncodeError:  # nested more deeply than can be written
        return general(value, seen)
    if text in good:
        return None
    met: Seen = []
    found = general(value, met)
    if found is None and not met:
        remember(good, text)
    seen += met
    return found


def _quantity(general: Rule, _: Callable[[str], Rule]) -> Rule:
    good: set[tuple[object, ...]] = set()

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is dict and tuple(value) == _QUANTITY and value["value"].__class__ is float:
            unit = (value["unit"], value["system"], value["code"])
            try:
                if unit in good and -LARGEST <= value["value"] <= LARGEST:
                    return None
            except TypeError:
                return _general_quantity(general, value, seen)
            found = _general_quantity(general, value, seen)
            if found is None:
                remember(good, unit)
            return found
        return _general_quantity(general, value, seen)

    return rule


def _general_quantity(general: Rule, value: Json, seen: Seen) -> Faults:
    found = general(value, seen)
    if found is not None or not is_object(value):
        return found
    item: Object = value
    system, code = item.get("system"), item.get("code")
    if code is not None and system is None:
        return [Fault(".system", "nothing", "the system of the unit's code", f"write {System.UCUM}")]
    if system == System.UCUM and code is not None and not is_unit(code):
        return _code_fault(system, code)
    comparator = item.get("comparator", "<")
    if comparator not in _COMPARATORS:
        return [Fault(".comparator", repr(comparator), "one of < <= >= >", "use a code of the list")]
    return None


def _period(general: Rule, _: Callable[[str], Rule]) -> Rule:
    def rule(value: Json, seen: Seen) -> Faults:
        found = general(value, seen)
        if found is None and is_object(value):
            item: Object = value
            start, end = str(item.get("start", "")), str(item.get("end", "9999"))
            shared = min(len(start), len(end), 10)
            if start[:shared] > end[:shared]:
                return [Fault("", f"{start} to {end}", "an end after the start", "swap or correct them")]
        return found

    return rule


def extension_shape(keys: Iterable[str]) -> Faults:
    """What is wrong with an extension that has these elements (ext-1)."""
    has_value = any(key.startswith(("value", "_value")) for key in keys)
    if has_value != ("extension" in keys):
        return None
    came = "both" if has_value else "neither"
    return [Fault("", came, "either value[x] or extension", "keep or add one of them")]


def _reference(general: Rule, _: Callable[[str], Rule]) -> Rule:
    return reference_rule(frozenset(), general)


SPECIAL: dict[str, Callable[[Rule, Callable[[str], Rule]], Rule]] = {
    "Coding": _coding,
    "CodeableConcept": _concept,
    "Quantity": _quantity,
    "Age": _quantity,
    "Duration": _quantity,
    "Count": _quantity,
    "Distance": _quantity,
    "Period": _period,
    "Extension": _extension,
    "Meta": _meta,
    "Reference": _reference,
}
"""Types whose check adds something to their table: from the general check, the special one."""

_TYPED = r"[A-Z][A-Za-z]{1,48}/[A-Za-z0-9\-.]{1,64}(?:/_history/[A-Za-z0-9\-.]{1,64})?"
_REFERENCE = re.compile(
    rf"#[A-Za-z0-9\-.]{{0,64}}|{_TYPED}|https?://\S+|urn:uuid:[0-9a-f-]{{36}}|urn:oid:[\d.]+"
)


def is_reference(address: str) -> bool:
    """Whether a reference has one of the forms that FHIR allows."""
    return _REFERENCE.fullmatch(address) is not None


def reference_rule(targets: frozenset[str], general: Rule) -> Rule:
    """The check of a reference that may point at these types; it notes where it points."""
    good: set[str] = set()

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is dict and "reference" in value:
            address = value["reference"]
            if address.__class__ is str:
                if address not in good:
                    if not is_reference(address):
                        return below(
                            ".reference", fault(address, "Type/id, #id, urn:uuid:… or a full address")
                        )
                    remember(good, address)
                seen.append((address, targets))
                if len(value) == 1:
                    return None
        return general(value, seen)

    return rule
