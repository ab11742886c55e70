"""Profiles: what mCODE, US Core and Genomics Reporting demand of a resource that claims them.

Rules this module guarantees:

- `data/profiles.csv` holds the demands as data: required and forbidden elements, fixed codes, closed
  bindings, units, kinds of values. A demand holds for every version of the guide that uses the same
  address, so codes of older versions stand beside those of STU4.
- A resource is checked against the profiles that it claims in `meta.profile` and against what FHIR
  demands of its type; profiles that are not known here demand nothing.

    >>> demands("http://hl7.org/fhir/us/mcode/StructureDefinition/mcode-tumor")[0].rule
    'type'
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from oncoproof.journey.fhir.addresses import profile
from oncoproof.journey.fhir.faults import Fault, Faults, Json, Object, is_list
from oncoproof.journey.fhir.listings import rows_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """One demand of a profile."""

    rule: str
    """`type`, `requires`, `forbids`, `fixed`, `bound`, `unit`, `value`, `range` or `part`."""
    element: str
    """The element it is about; for `part` the LOINC code of the component, for `type` the resource type."""
    system: str = ""
    """Code system; empty = any."""
    codes: frozenset[str] = frozenset()
    """Codes, units, numbers or element names; empty = any."""


@cache
def _listing() -> dict[str, tuple[Demand, ...]]:
    listing: defaultdict[str, list[Demand]] = defaultdict(list)
    for row in rows_of("profiles"):
        name = profile(row["profile"]) if "/" in row["profile"] else row["profile"]
        listing[name].append(
            Demand(
                rule=row["rule"],
                element=row["element"],
                system=row["system"],
                codes=frozenset(row["codes"].split()),
            )
        )
    return {name: tuple(demands) for name, demands in listing.items()}


def profile_names() -> tuple[str, ...]:
    """The profiles with demands, and the resource types with demands of FHIR itself."""
    return tuple(_listing())


def demands(name: str) -> tuple[Demand, ...]:
    """The demands of a profile, by address, or of a resource type, by name."""
    return _listing().get(name, ())


Check = Callable[[Object], Faults]
"""A check of a resource whose elements have been found sound."""


class Question(NamedTuple):
    """A check, and what it looks at."""

    element: str
    """The element whose value it looks at; empty = which elements there are, and no value."""
    check: Check
    """The check."""


def questions(name: str, elements: AbstractSet[str]) -> Iterator[Question]:
    """What a profile asks of resources that have these elements; not what they cannot break."""
    if name in _listing():
        for about, question in _compiled(name):
            if about is None or about in elements or (about.startswith("!") and about[1:] not in elements):
                yield question


@cache
def _compiled(name: str) -> tuple[tuple[str | None, Question], ...]:
    return tuple(_compile(demands(name)))


def _compile(listed: tuple[Demand, ...]) -> Iterator[tuple[str | None, Question]]:
    """What a profile asks, each question with the element without which it says nothing.

    `!` before the element: with which it says nothing; None: it must always be asked.
    """
    systems: defaultdict[tuple[str, str], dict[str, frozenset[str]]] = defaultdict(dict)
    parts: dict[str, Demand] = {}
    units: dict[str, frozenset[str]] = {}
    for demand in listed:
        if demand.rule in {"fixed", "bound"}:
            systems[demand.rule, demand.element][demand.system] = demand.codes
        elif demand.rule == "part":
            parts[demand.element] = demand
        elif demand.rule == "unit":
            units[demand.element] = demand.codes
        else:
            yield _simple(demand)
    for (rule, element), coded in systems.items():
        is_fixed = rule == "fixed"
        yield None if is_fixed else element, Question(element, _coded(element, coded, must_exist=is_fixed))
    if parts:
        within = {key[10:-1]: codes for key, codes in units.items() if key.endswith("]")}
        yield "component", Question("component", _components(parts, within))
    for element, codes in units.items():
        if not element.endswith("]"):
            yield element, Question(element, _unit(element, codes))


def _simple(demand: Demand) -> tuple[str | None, Question]:
    check = _SIMPLE[demand.rule](demand)
    if demand.rule == "requires":
        return f"!{demand.element}", Question("", check)
    if demand.rule in {"type", "value"}:
        return None, Question("resourceType" if demand.rule == "type" else "", check)
    return demand.element, Question("" if demand.rule == "forbids" else demand.element, check)


def _type(demand: Demand) -> Check:
    kind = demand.element

    def check(resource: Object) -> Faults:
        if resource["resourceType"] == kind:
            return None
        return [Fault(".resourceType", repr(resource["resourceType"]), f"{kind}, as claimed", "correct it")]

    return check


def _requires(demand: Demand) -> Check:
    element, shadow = demand.element, f"_{demand.element}"
    choices = frozenset({"effectiveDateTime", "effectivePeriod", "effectiveInstant", "effectiveTiming"})

    def check(resource: Object) -> Faults:
        if (
            element in resource
            or shadow in resource
            or (element == "effective" and resource.keys() & choices)
        ):
            return None
        return [Fault(f".{element}", "nothing", "this element, which the profile requires", "add it")]

    return check


def _forbids(demand: Demand) -> Check:
    element = demand.element

    def check(resource: Object) -> Faults:
        if element not in resource:
            return None
        return [Fault(f".{element}", element, "nothing: the profile does not use it", "remove it")]

    return check


def _value(demand: Demand) -> Check:
    element = demand.element

    def check(resource: Object) -> Faults:
        for key in resource:
            if key.startswith("value") and key != element:
                return [Fault(f".{key}", key, f"{element}, as the profile wants it", "use that type")]
        return None

    return check


def _range(demand: Demand) -> Check:
    element, allowed = demand.element, frozenset(int(number) for number in demand.codes)
    words = ", ".join(map(str, sorted(allowed)))

    def check(resource: Object) -> Faults:
        number = resource.get(element)
        if number is None or number in allowed:
            return None
        return [Fault(f".{element}", repr(number), f"one of {words}", "check the score and the scale")]

    return check


_SIMPLE: dict[str, Callable[[Demand], Check]] = {
    "type": _type,
    "requires": _requires,
    "forbids": _forbids,
    "value": _value,
    "range": _range,
}


def _is_coded(concept: Object, systems: dict[str, frozenset[str]]) -> bool:
    """Whether a concept has a coding of the lists, or says why it has none."""
    for coding in concept.get("coding", ()):
        codes = systems.get(coding.get("system", ""))
        if codes is not None and (not codes or coding.get("code") in codes):
            return True
    return "coding" not in concept and "text" not in concept


def _coded(element: str, systems: dict[str, frozenset[str]], *, must_exist: bool) -> Check:
    words = " or ".join(
        f"{system}#{code}" for system, codes in systems.items() for code in sorted(codes) or ["any code"]
    )

    def check(resource: Object) -> Faults:
        held = resource.get(element)
        if held is None:
            if must_exist:
                return [Fault(f".{element}", "nothing", words, "add the code that the profile fixes")]
            return None
        concepts: Iterable[Object] = held if is_list(held) else (held,)
        for concept in concepts:
            if _is_coded(concept, systems):
                return None
        return [Fault(f".{element}", _shown(held), words, "use a code that the profile allows")]

    return check


def _shown(held: Json) -> str:
    concepts = held if is_list(held) else [held]
    codes = [
        f"{coding.get('system', '')}#{coding.get('code', '')}"
        for concept in concepts
        for coding in concept.get("coding", ())
    ]
    return ", ".join(codes) or "no coding"


def _unit(element: str, codes: frozenset[str]) -> Check:
    def check(resource: Object) -> Faults:
        return _wrong_unit(resource.get(element), codes, f".{element}")

    return check


def _wrong_unit(quantity: Object | None, codes: frozenset[str], path: str) -> Faults:
    if quantity is None or quantity.get("code") in codes:
        return None
    words = " or ".join(sorted(codes))
    return [Fault(f"{path}.code", repr(quantity.get("code")), f"the unit {words}", "convert the value")]


def _components(parts: dict[str, Demand], units: dict[str, frozenset[str]]) -> Check:
    def check(resource: Object) -> Faults:
        for number, component in enumerate(resource.get("component", ())):
            for coding in component["code"].get("coding", ()):
                demand = parts.get(coding.get("code"))
                said = None if demand is None else _wrong_part(component, demand, units)
                if said is not None:
                    return [each._replace(path=f".component[{number}]{each.path}") for each in said]
        return None

    return check


def _wrong_part(component: Object, demand: Demand, units: dict[str, frozenset[str]]) -> Faults:
    (kind,) = demand.codes
    held = component.get(kind)
    if held is None:
        others = [key for key in component if key.startswith("value")]
        if not others:
            return None
        return [Fault(f".{others[0]}", others[0], kind, "use the type that the profile wants")]
    if demand.element in units:
        return _wrong_unit(held, units[demand.element], f".{kind}")
    if not demand.system:
        return None
    system = held.get("system") if kind == "valueQuantity" else None
    is_fine = (
        system == demand.system if kind == "valueQuantity" else _is_coded(held, {demand.system: frozenset()})
    )
    if is_fine:
        return None
    return [Fault(f".{kind}", system or _shown(held), f"a code of {demand.system}", "use that system")]
