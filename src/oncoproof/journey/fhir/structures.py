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
from oncoproof.journey.fhir.faults import Fault, Faults, Json, Object, Rule, Seen, fault, is_object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.primitives import LARGEST, PRIMITIVES, remember
from oncoproof.journey.units import check_unit

_REMEMBERED = 1 << 14
_PERIOD = ("start", "end")
_QUANTITY = ("value", "unit", "system", "code")
_UCUM = System.UCUM.value
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


def _coding(general: Rule, _: Callable[[str], Rule]) -> Rule:
    def rule(value: Json, seen: Seen) -> Faults:
        found = general(value, seen)
        if found is None and is_object(value):
            item: Object = value
            system, code = item.get("system"), item.get("code")
            if isinstance(system, str) and isinstance(code, str) and not is_code(system, code):
                return _code_fault(system, code)
        return found

    return _recalled(rule)


def _concept(general: Rule, _: Callable[[str], Rule]) -> Rule:
    return _recalled(general)


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
    """The check of an extension: an address, and either a value or further extensions."""
    known: set[str] = set()
    address = rule_of("uri")
    values = _value_rules(rule_of)

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is not dict or len(value) != 2:
            return general(value, seen)
        first, key = value
        check = values.get(key)
        if check is None or first != "url":
            return general(value, seen)
        url, held = value.values()
        if url.__class__ is not str or url not in known:
            if address(url, []) is not None:
                return general(value, [])
            remember(known, url)
        return None if check(held, seen) is None else general(value, [])

    def further(held: Json, seen: Seen) -> Faults:
        if held.__class__ is list and held:
            for part in held:
                if rule(part, seen) is not None:
                    return rule(part, [])
            return None
        return fault(held, "a list with at least one entry")

    values["extension"] = further
    return rule


def _value_rules(rule_of: Callable[[str], Rule]) -> dict[str, Rule]:
    """The checks of what an extension mostly holds, by element; the others go the general way."""
    kinds = names_in(
        "code string date dateTime integer decimal boolean uri Reference Coding CodeableConcept Quantity"
    )
    return {f"value{kind[0].upper()}{kind[1:]}": rule_of(kind) for kind in kinds}


def _recalled(general: Rule) -> Rule:
    """The same check; a value without references that was found good is known again by its text."""
    good: set[bytes] = set()

    def rule(value: Json, seen: Seen) -> Faults:
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

    return rule


def _quantity(general: Rule, _: Callable[[str], Rule]) -> Rule:
    good: set[str] = set()

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is not dict or tuple(value) != _QUANTITY:
            return _general_quantity(general, value, seen)
        number, unit, system, code = value.values()
        if code.__class__ is not str or code != unit or system != _UCUM:
            return _general_quantity(general, value, seen)
        if code in good and number.__class__ is float and -LARGEST <= number <= LARGEST:
            return None
        found = _general_quantity(general, value, seen)
        if found is None:
            remember(good, code)
        return found

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


def _period(general: Rule, rule_of: Callable[[str], Rule]) -> Rule:
    day = rule_of("date")

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is dict and tuple(value) == _PERIOD:
            start, end = value.values()
            are_days = day(start, seen) is None and day(end, seen) is None
            if are_days and len(start) == len(end) and start <= end:
                return None
        found = general(value, seen)
        if found is None and is_object(value):
            return _backwards(value)
        return found

    return rule


def _backwards(period: Object) -> Faults:
    """That a period ends before it begins, as far as both say."""
    start, end = str(period.get("start", "")), str(period.get("end", "9999"))
    shared = min(len(start), len(end), 10)
    if start[:shared] <= end[:shared]:
        return None
    return [Fault("", f"{start} to {end}", "an end after the start", "swap or correct them")]


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
    """The check of a reference that may point at these types.

    It notes where it points. Whether that has a form that FHIR allows is asked together with whether it
    leads anywhere, as the name of a resource that has been checked needs no further question.
    """

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is dict and "reference" in value:
            address = value["reference"]
            if address.__class__ is str:
                seen.append((address, targets))
                if len(value) == 1:
                    return None
        return general(value, seen)

    return rule
