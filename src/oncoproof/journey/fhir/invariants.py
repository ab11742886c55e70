"""Invariants: what FHIR demands of a resource beyond the elements it has.

Rules this module guarantees:

- Each invariant looks at a resource whose elements have been found sound, and names FHIR's own key.

    >>> INVARIANTS["Observation"][0][1]({"valueInteger": 1, "dataAbsentReason": {"text": "x"}})[0].path
    '.dataAbsentReason'
"""

from collections.abc import Callable

from oncoproof.journey.fhir.addresses import CONDITION_CLINICAL
from oncoproof.journey.fhir.faults import Fault, Faults, Object, is_object
from oncoproof.journey.fhir.listings import names_in

_VALUES = frozenset(
    f"value{kind}"
    for kind in names_in(
        "Quantity CodeableConcept String Boolean Integer Range Ratio SampledData Time DateTime Period"
    )
)
_OVER = frozenset({"inactive", "resolved", "remission"})


def _value_or_reason(resource: Object) -> Faults:
    if "dataAbsentReason" in resource and resource.keys() & _VALUES:
        return [Fault(".dataAbsentReason", "a reason beside a value", "one of them (obs-6)", "remove one")]
    return None


def _codings(concept: Object) -> set[str]:
    return {
        coding.get("code", "")
        for coding in concept.get("coding", ())
        if coding.get("system") == CONDITION_CLINICAL
    }


def _abated_is_over(resource: Object) -> Faults:
    status = resource.get("clinicalStatus")
    if status is None or not any(key.startswith("abatement") for key in resource):
        return None
    if _codings(status) & _OVER:
        return None
    return [
        Fault(
            ".clinicalStatus",
            "an end of a condition that is not over",
            "inactive, resolved or remission (con-4)",
            "correct the status or remove the abatement",
        )
    ]


def _contained_are_resources(resource: Object) -> Faults:
    for number, each in enumerate(resource.get("contained", ())):
        place = f".contained[{number}]"
        if not is_object(each) or not isinstance(each.get("resourceType"), str):
            return [Fault(place, "no resource", "a resource with its type", "correct it")]
        if "contained" in each:
            return [Fault(place, "a resource within it", "no further resources (dom-2)", "move it up")]
    return None


Invariant = tuple[str, Callable[[Object], Faults]]
"""The element whose value it looks at (empty = which elements there are, and no value), and the check."""

_CONTAINED: Invariant = ("contained", _contained_are_resources)
INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "Observation": (("", _value_or_reason), _CONTAINED),
    "Condition": (("clinicalStatus", _abated_is_over), _CONTAINED),
    "MedicationRequest": (_CONTAINED,),
    "MedicationAdministration": (_CONTAINED,),
    "MedicationStatement": (_CONTAINED,),
    "DiagnosticReport": (_CONTAINED,),
    "Procedure": (_CONTAINED,),
    "AdverseEvent": (_CONTAINED,),
}
"""The invariants by resource type."""
