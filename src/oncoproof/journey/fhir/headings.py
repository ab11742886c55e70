"""Headings: what a resource says before it says anything of its own, checked once and not once more.

Type, claimed profiles, status, category, code, reference range: in any hospital's bundle, hundreds of
resources say the same there, and differ in their date, their number and whom they are about.

Rules this module guarantees:

- Every check is asked of every resource. The answers about a heading are remembered by its JSON text, so
  equal headings share them; whatever else a resource holds is checked each time.
- A heading is remembered where nothing was wrong with it and no reference was met in it. What is remembered
  is bounded, and which documents were checked before never changes an answer.

    >>> resource = {"resourceType": "Specimen", "status": "available", "type": {"text": "blood"}}
    >>> check_resource(resource, "Specimen", []).heading is check_resource(resource, "Specimen", []).heading
    True
"""

from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import NamedTuple

import orjson

from oncoproof.journey.fhir.elements import RESOURCES, check_of, shape_of
from oncoproof.journey.fhir.faults import Faults, Json, Object, Rule, Seen
from oncoproof.journey.fhir.invariants import INVARIANTS
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.measures import unit_questions
from oncoproof.journey.fhir.profiles import Check, Question, questions

_KINDS = names_in(
    "code Meta Coding CodeableConcept ObservationReferenceRange MedicationAdministrationDosage Dosage"
)
"""Types of the elements that make up a heading."""

_LENGTH_MAX = 2_048
_HEADINGS_MAX = 8_192
_SHAPES_MAX = 2_048


class Checked(NamedTuple):
    """What became of the check of a resource."""

    faults: Faults
    """What is wrong with it."""
    heading: "Heading | None"
    """Its heading; None = the resource has faults."""


class Heading:
    """What many resources say alike."""

    __slots__ = ("checks", "passed", "readings")

    def __init__(self, checks: tuple[Check, ...]) -> None:
        """Begin with nothing read of it.

        Args:
            checks: What must still be asked of each resource that has this heading.
        """
        self.checks = checks
        self.readings: dict[object, object] = {}
        self.passed = Checked(None, self)


class _Plan:
    """How resources of one type that have the same elements are checked."""

    __slots__ = ("heading_of", "known", "names", "rest_of", "rules")

    def __init__(self, names: tuple[str, ...], rest: tuple[str, ...], rules: tuple[Rule, ...]) -> None:
        self.names = names
        self.rules = rules
        self.known: dict[bytes, Heading] = {}
        self.heading_of: Callable[[Object], object] = itemgetter(*names)
        self.rest_of = _values_of(rest)


def _values_of(names: tuple[str, ...]) -> Callable[[Object], tuple[Json, ...]]:
    """What gives the values of these elements."""
    if len(names) > 1:
        return itemgetter(*names)
    return lambda resource: tuple([resource[name] for name in names])


class _Memory:
    """The plans by type and elements, and how many headings they hold."""

    __slots__ = ("headings", "plans", "shapes")

    def __init__(self) -> None:
        self.plans: dict[str, dict[tuple[str, ...], _Plan]] = {kind: {} for kind in RESOURCES}
        self.shapes = 0
        self.headings = 0

    def make_room(self) -> None:
        """Forget everything where there is no room for more."""
        if self.shapes >= _SHAPES_MAX or self.headings >= _HEADINGS_MAX:
            for plans in self.plans.values():
                plans.clear()
            self.shapes = self.headings = 0


_MEMORY = _Memory()
_PLANS = _MEMORY.plans
_dumps = orjson.dumps


def check_resource(resource: Object, kind: str, seen: Seen) -> Checked:
    """Everything that is wrong with a resource, references aside.

    Args:
        resource: The resource.
        kind: Its type, one of `RESOURCES`.
        seen: Where the references in it are noted.
    """
    plan = _PLANS[kind].get(tuple(resource))
    if plan is None:
        return _check_shape(resource, kind, seen)
    try:
        text = _dumps(plan.heading_of(resource))
    except orjson.JSONEncodeError:  # nested more deeply than can be written
        return _check_whole(resource, kind, seen)
    heading = plan.known.get(text)
    if heading is None:
        return _check_new(resource, kind, seen, plan, text)
    for rule, value in zip(plan.rules, plan.rest_of(resource), strict=True):
        if rule(value, seen) is not None:
            return Checked(check_of(kind)(resource, []), None)
    for check in heading.checks:
        if check(resource) is not None:
            return Checked(_ask(heading.checks, resource), None)
    return heading.passed


def _check_shape(resource: Object, kind: str, seen: Seen) -> Checked:
    """Check a resource whose elements have not been met together, and remember how to."""
    if shape_of(kind).judge(resource) is not None:
        return Checked(check_of(kind)(resource, seen), None)
    _MEMORY.make_room()
    _MEMORY.shapes += 1
    parts, rules = shape_of(kind).parts, shape_of(kind).rules
    names = tuple(name for name in resource if name in parts and parts[name].kind in _KINDS)
    rest = tuple(name for name in resource if name not in names)
    _PLANS[kind][tuple(resource)] = _Plan(names, rest, tuple(rules[name] for name in rest))
    return check_resource(resource, kind, seen)


def _check_whole(resource: Object, kind: str, seen: Seen) -> Checked:
    """Check everything of a resource."""
    found = check_of(kind)(resource, seen) or _ask(
        (each.check for each in _questions(resource, kind)), resource
    )
    return Checked(found, Heading(()) if found is None else None)


def _check_new(resource: Object, kind: str, seen: Seen, plan: _Plan, text: bytes) -> Checked:
    """Check everything of a resource, and remember its heading."""
    met: Seen = []
    rules = shape_of(kind).rules
    if any(rules[name](resource[name], met) is not None for name in plan.names):
        return Checked(check_of(kind)(resource, []), None)
    if met or len(text) > _LENGTH_MAX:
        return _check_whole(resource, kind, seen)
    rest = zip(plan.rules, plan.rest_of(resource), strict=True)
    if any(rule(value, seen) is not None for rule, value in rest):
        return Checked(check_of(kind)(resource, []), None)
    asked = _questions(resource, kind)
    found = _ask((each.check for each in asked), resource)
    if found is not None:
        return Checked(found, None)
    _MEMORY.make_room()
    _MEMORY.headings += 1
    settled = {"", *plan.names}
    still = tuple(each.check for each in asked if each.element not in settled)
    plan.known[text] = heading = Heading(still)
    return heading.passed


def _questions(resource: Object, kind: str) -> list[Question]:
    """What the invariants, FHIR's closed bindings, the claimed profiles and the units ask of such a resource.

    A profile that says which components there are says in which units, so that they are not asked again.
    """
    claimed: Iterable[str] = resource["meta"].get("profile", ()) if "meta" in resource else ()
    asked = [
        Question(element, check)
        for element, check in INVARIANTS.get(kind, ())
        if not element or element in resource
    ]
    asked += [each for name in (kind, *claimed) for each in questions(name, resource.keys())]
    are_judged = any(each.element == "component" for each in asked)
    return asked + [
        each for each in unit_questions(resource) if each.element != "component" or not are_judged
    ]


def _ask(checks: Iterable[Check], resource: Object) -> Faults:
    """Everything that these checks say of a resource."""
    return [each for check in checks for each in check(resource) or ()] or None
