"""Elements: which parts each FHIR type has, and the checks compiled from that table.

Rules this module guarantees:

- `data/elements.csv` lists every element of the resource types that journeys speak of, and of the data
  types in them: kind, cardinality, choice group, closed list of codes, types a reference may point at.
- Each type's check is compiled once, at first use. A valid value is walked once, with one dictionary
  look-up and one call for each element, and no path is built; a path is built for a fault alone.

    >>> check_of("Period")({"start": "2026-13-01"}, [])[0].path
    '.start'
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from oncoproof.errors import IntegrityError
from oncoproof.journey.fhir.faults import Fault, Faults, Json, Rule, Seen, below, fault, is_list
from oncoproof.journey.fhir.primitives import OTHERS, PRIMITIVES, listed
from oncoproof.journey.fhir.structures import SPECIAL, extension_shape, reference_rule

_HEADER = "# oncoproof.journey.fhir.elements/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One element of a type."""

    name: str
    """Name as it stands in JSON, for instance `valueQuantity`."""
    kind: str
    """FHIR type of its value."""
    is_required: bool
    """Whether it must be there."""
    is_list: bool
    """Whether its value is a list."""
    choice: str = ""
    """Name of the choice it belongs to, for instance `value`; ends in `!` where one must be chosen."""
    codes: frozenset[str] = frozenset()
    """The closed list of codes; empty = any."""
    targets: frozenset[str] = frozenset()
    """Types that a reference may point at; empty = any."""


_IDENTITY = Element(name="id", kind="string", is_required=False, is_list=False)
_EXTENSION = Element(name="extension", kind="Extension", is_required=False, is_list=True)
_MODIFIER = Element(name="modifierExtension", kind="Extension", is_required=False, is_list=True)
_OF_RESOURCES = (
    Element(name="resourceType", kind="code", is_required=True, is_list=False),
    Element(name="id", kind="id", is_required=False, is_list=False),
    Element(name="meta", kind="Meta", is_required=False, is_list=False),
    Element(name="implicitRules", kind="uri", is_required=False, is_list=False),
    Element(name="language", kind="code", is_required=False, is_list=False),
    Element(name="text", kind="Narrative", is_required=False, is_list=False),
    Element(name="contained", kind="Any", is_required=False, is_list=True),
    _EXTENSION,
    _MODIFIER,
)


@cache
def elements() -> dict[str, tuple[Element, ...]]:
    """The elements of each type, those that all types have included."""
    listing: defaultdict[str, list[Element]] = defaultdict(list)
    text = files("oncoproof.journey.fhir").joinpath("data/elements.csv").read_text(encoding="utf-8")
    lines = text.splitlines()
    if lines[0] != _HEADER:
        raise IntegrityError(
            where="elements.csv", came=repr(lines[0]), expected=repr(_HEADER), remedy="restore the file"
        )
    for row in csv.DictReader(lines[1:]):
        listing[row["owner"]].append(_element(row))
    return {owner: (*_inherited(owner), *own) for owner, own in listing.items()}


def _element(row: dict[str, str]) -> Element:
    return Element(
        name=row["element"],
        kind=row["kind"],
        is_required=row["min"] == "1",
        is_list=row["max"] == "*",
        choice=row["choice"],
        codes=frozenset(row["codes"].split()),
        targets=frozenset(row["targets"].split()) if row["kind"] == "Reference" else frozenset(),
    )


_RESOURCES = frozenset(
    "AdverseEvent BodyStructure Bundle CarePlan Condition DiagnosticReport Encounter Medication "
    "MedicationAdministration MedicationRequest MedicationStatement Observation Organization Patient "
    "Practitioner Procedure Provenance ServiceRequest Specimen".split()
)
RESOURCES = _RESOURCES
"""Resource types whose every element is checked."""


def _inherited(owner: str) -> tuple[Element, ...]:
    if owner in _RESOURCES:
        return _OF_RESOURCES if owner != "Bundle" else _OF_RESOURCES[:5]
    is_backbone = any(owner.startswith(resource) for resource in _RESOURCES)
    return (
        (_IDENTITY, _EXTENSION, _MODIFIER)
        if is_backbone or owner in {"Dosage", "Timing"}
        else (_IDENTITY, _EXTENSION)
    )


_compiled: dict[str, Rule] = {}


def check_of(kind: str) -> Rule:
    """The check of a type; compiled at first use."""
    rule = _compiled.get(kind)
    if rule is None:
        rule = PRIMITIVES.get(kind) or OTHERS.get(kind) or _special(kind) or _compile(kind)
        _compiled[kind] = rule
    return rule


def _special(kind: str) -> Rule | None:
    make = SPECIAL.get(kind)
    return None if make is None else make(_compile(kind), check_of)


def _compile(kind: str) -> Rule:
    parts = elements()[kind]
    return object_rule(
        {part.name: part for part in parts},
        required=frozenset(part.name for part in parts if part.is_required),
        choices=_choices(parts),
        shape=extension_shape if kind == "Extension" else None,
    )


def _choices(parts: tuple[Element, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for part in parts:
        if part.choice:
            groups[part.choice].add(part.name)
    return tuple((name, frozenset(names)) for name, names in sorted(groups.items()))


def object_rule(
    parts: dict[str, Element],
    *,
    required: frozenset[str],
    choices: tuple[tuple[str, frozenset[str]], ...],
    shape: Callable[[Iterable[str]], Faults] | None = None,
) -> Rule:
    """The check of an object that has these elements and no others.

    Whether an object may have the elements that it has depends on their names alone, and objects of few
    sets of names fill a bundle: that question is answered once for each set, in its order.
    """
    rules: dict[str, Rule] = {}
    plans: dict[tuple[str, ...], tuple[Rule, ...]] = {}

    def rule_of(key: str) -> Rule | None:
        """The check of an element; compiled when it first occurs, for most never do."""
        part = parts.get(key)
        if part is None and key.startswith("_") and key[1:] in parts:
            part = _shadow(parts[key[1:]])
        if part is not None:
            rules[key] = made = _rule_of_element(part)
            return made
        return None

    def plan_of(value: dict[str, object]) -> Faults:
        """What is wrong with having these elements; where nothing is, the way of checking them is kept."""
        found = [
            fault for key in value if (rules.get(key) or rule_of(key)) is None for fault in _unknown(key)
        ]
        if not required <= value.keys():
            found += _missing(required, value)
        for name, group in choices:
            chosen = value.keys() & group
            if len(chosen) != 1 and (chosen or name.endswith("!")):
                found += _wrong_choice(name, chosen, value)
        if shape is not None:
            found += shape(value) or ()
        if not found:
            if len(plans) >= _PLANS_MAX:
                plans.clear()
            plans[tuple(value)] = tuple(rules[key] for key in value)
        return found or None

    def rule(value: Json, seen: Seen) -> Faults:
        kind = type(value)
        if kind is not dict or not value:
            return fault(value, "an object with at least one element")
        found: list[Fault] | None = None
        plan = plans.get(tuple(value))
        if plan is None:
            found = plan_of(value)
            plan = tuple(rules.get(key, _skip) for key in value)
        for check, item in zip(plan, value.values(), strict=True):
            if check(item, seen) is not None:
                break
        else:
            return found
        for key, check in zip(value, plan, strict=True):
            said = check(value[key], [])
            if said is not None:
                found = (found or []) + below(f".{key}", said)
        return found

    return rule


_PLANS_MAX = 4096


def _skip(_: Json, __: Seen) -> Faults:
    """The check of an element that does not exist, which has been told already."""
    return None


def _unknown(key: str) -> list[Fault]:
    return [Fault(f".{key}", repr(key), "an element of this type", "remove or rename it")]


def _missing(required: frozenset[str], value: dict[str, object]) -> list[Fault]:
    absent = [key for key in sorted(required - value.keys()) if f"_{key}" not in value]
    return [Fault(f".{key}", "nothing", "this element, which is required", "add it") for key in absent]


def _wrong_choice(name: str, chosen: set[str], value: dict[str, object]) -> list[Fault]:
    choice = name.removesuffix("!")
    if not chosen and any(key.startswith(f"_{choice}") for key in value):
        return []
    came = " and ".join(sorted(chosen)) or "nothing"
    return [Fault(f".{choice}[x]", came, f"one {choice}[x]", "keep one of them" if chosen else "add it")]


def _shadow(part: Element) -> Element:
    """The element beside a primitive that carries its id and extensions."""
    return Element(name=f"_{part.name}", kind="Shadow", is_required=False, is_list=part.is_list)


def _rule_of_element(part: Element) -> Rule:
    if part.kind == "Shadow":
        return _shadow_rule
    if part.codes and part.kind == "code":
        rule = listed(part.codes)
    elif part.kind == "Reference":
        rule = reference_rule(part.targets, _compile_reference())
    else:
        rule = check_of(part.kind)
    return _list_rule(rule, part.kind in PRIMITIVES) if part.is_list else rule


@cache
def _compile_reference() -> Rule:
    return _compile("Reference")


_ELEMENT = {part.name: part for part in (_IDENTITY, _EXTENSION)}


@cache
def _element_rule() -> Rule:
    return object_rule(_ELEMENT, required=frozenset(), choices=())


def _shadow_rule(value: Json, seen: Seen) -> Faults:
    for item in value if is_list(value) else [value]:
        said = None if item is None and is_list(value) else _element_rule()(item, seen)
        if said is not None:
            return said
    return None


def _list_rule(rule: Rule, may_be_null: bool) -> Rule:
    def check(value: Json, seen: Seen) -> Faults:
        kind = type(value)
        if kind is not list or not value:
            return fault(value, "a list with at least one entry", "write it in brackets")
        if len(value) == 1 and rule(value[0], seen) is None:
            return None
        for item in value:
            if rule(item, seen) is not None:
                break
        else:
            return None
        found: list[Fault] = []
        for number, item in enumerate(value):
            said = None if item is None and may_be_null else rule(item, [])
            found += below(f"[{number}]", said or [])
        return found or None

    return check
