"""Elements: which parts each FHIR type has, and the checks compiled from that table.

Rules this module guarantees:

- `data/elements.csv` lists every element of the resource types that journeys speak of, and of the data
  types in them: kind, cardinality, choice group, closed list of codes, types a reference may point at.
- Each type's check is compiled once, at first use. A valid value is walked once, with one dictionary
  look-up and one call for each element, and no path is built; a path is built for a fault alone.

    >>> check_of("Period")({"start": "2026-13-01"}, [])[0].path
    '.start'
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from oncoproof.journey.fhir.faults import Fault, Faults, Json, Rule, Seen, below, fault, is_list
from oncoproof.journey.fhir.listings import names_in, rows_of
from oncoproof.journey.fhir.primitives import OTHERS, PRIMITIVES, listed
from oncoproof.journey.fhir.structures import SPECIAL, extension_shape, reference_rule


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
    for row in rows_of("elements"):
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


_RESOURCES = names_in(
    "AdverseEvent BodyStructure Bundle CarePlan Condition DiagnosticReport Encounter Medication "
    "MedicationAdministration MedicationRequest MedicationStatement Observation Organization Patient "
    "Practitioner Procedure Provenance ServiceRequest Specimen"
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
    return object_rule(shape_of(kind))


@cache
def shape_of(kind: str) -> "Shape":
    """The shape of a type that is listed."""
    parts = elements()[kind]
    return Shape(
        {part.name: part for part in parts},
        required=frozenset(part.name for part in parts if part.is_required),
        choices=_choices(parts),
        more=extension_shape if kind == "Extension" else None,
    )


def _choices(parts: tuple[Element, ...]) -> tuple[tuple[str, frozenset[str]], ...]:
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for part in parts:
        if part.choice:
            groups[part.choice].add(part.name)
    return tuple((name, frozenset(names)) for name, names in sorted(groups.items()))


class Shape:
    """Which elements an object may have, and the check of each."""

    __slots__ = ("_choices", "_more", "_required", "parts", "plans", "rules")

    def __init__(
        self,
        parts: dict[str, Element],
        *,
        required: frozenset[str] = frozenset(),
        choices: tuple[tuple[str, frozenset[str]], ...] = (),
        more: Callable[[Iterable[str]], Faults] | None = None,
    ) -> None:
        """Begin with nothing compiled.

        Args:
            parts: The elements by name.
            required: Those that must be there.
            choices: Names of the choices, with the elements of which at most one may be there.
            more: What else the names must keep.
        """
        self.parts = parts
        self._required = required
        self._choices = choices
        self._more = more
        self.rules: dict[str, Rule] = {}
        self.plans: dict[tuple[str, ...], tuple[Rule, ...]] = {}

    def _rule_of(self, key: str) -> Rule | None:
        """The check of an element; compiled when it first occurs, for most never do."""
        rule = self.rules.get(key)
        if rule is not None:
            return rule
        part = self.parts.get(key)
        if part is None and key.startswith("_") and key[1:] in self.parts:
            part = _shadow(self.parts[key[1:]])
        if part is None:
            return None
        self.rules[key] = made = _rule_of_element(part)
        return made

    def judge(self, value: dict[str, object]) -> Faults:
        """What is wrong with having these elements; where nothing is, the way to check them is kept."""
        found = [each for key in value if self._rule_of(key) is None for each in _unknown(key)]
        if not self._required <= value.keys():
            found += _missing(self._required, value)
        for name, group in self._choices:
            chosen = value.keys() & group
            if len(chosen) != 1 and (chosen or name.endswith("!")):
                found += _wrong_choice(name, chosen, value)
        if self._more is not None:
            found += self._more(value) or ()
        if not found:
            if len(self.plans) >= _PLANS_MAX:
                self.plans.clear()
            self.plans[tuple(value)] = tuple(self.rules[key] for key in value)
        return found or None


def object_rule(shape: Shape) -> Rule:
    """The check of an object that has these elements and no others.

    Whether an object may have the elements that it has depends on their names alone, and objects of few
    sets of names fill a bundle: that question is answered once for each set, in its order.
    """
    plans, rules = shape.plans, shape.rules

    def rule(value: Json, seen: Seen) -> Faults:
        if value.__class__ is not dict or not value:
            return fault(value, "an object with at least one element")
        found: Faults = None
        plan = plans.get(tuple(value))
        if plan is None:
            found = shape.judge(value)
            plan = tuple(rules.get(key, _skip) for key in value)
        for check, item in zip(plan, value.values(), strict=True):
            if check(item, seen) is not None:
                return _told(value, plan, found)
        return found

    return rule


def _told(value: dict[str, object], plan: tuple[Rule, ...], found: Faults) -> Faults:
    """All faults of an object that has some, with their paths."""
    faults = list(found or ())
    for (key, item), check in zip(value.items(), plan, strict=True):
        faults += below(f".{key}", check(item, []) or [])
    return faults or None


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
        rule = reference_rule(part.targets, object_rule(shape_of("Reference")))
    else:
        rule = check_of(part.kind)
    return _list_rule(rule, may_hold_null=part.kind in PRIMITIVES) if part.is_list else rule


_ELEMENT = {part.name: part for part in (_IDENTITY, _EXTENSION)}


@cache
def _element_rule() -> Rule:
    return object_rule(Shape(_ELEMENT))


def _shadow_rule(value: Json, seen: Seen) -> Faults:
    for item in value if is_list(value) else [value]:
        said = None if item is None and is_list(value) else _element_rule()(item, seen)
        if said is not None:
            return said
    return None


def _list_rule(rule: Rule, *, may_hold_null: bool) -> Rule:
    def check(value: Json, seen: Seen) -> Faults:
        if value.__class__ is not list or not value:
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
            said = None if item is None and may_hold_null else rule(item, [])
            found += below(f"[{number}]", said or [])
        return found or None

    return check
