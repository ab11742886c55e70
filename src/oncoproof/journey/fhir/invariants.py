"""Invariants: what FHIR demands of a resource beyond the elements it has.

Rules this module guarantees:

- Each invariant looks at a resource whose elements have been found sound, and names FHIR's own key.

    >>> INVARIANTS["Observation"][0]({"valueInteger": 1, "dataAbsentReason": {"text": "x"}})[0].path
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


Invariant = Callable[[Object], Faults]
"""A check of a whole resource."""

INVARIANTS: dict[str, tuple[Invariant, ...]] = {
    "Observation": (_value_or_reason, _contained_are_resources),
    "Condition": (_abated_is_over, _contained_are_resources),
    "MedicationRequest": (_contained_are_resources,),
    "MedicationAdministration": (_contained_are_resources,),
    "MedicationStatement": (_contained_are_resources,),
    "DiagnosticReport": (_contained_are_resources,),
    "Procedure": (_contained_are_resources,),
    "AdverseEvent": (_contained_are_resources,),
}
"""The invariants by resource type."""

INVARIANT_ELEMENTS = frozenset(
    {
        "dataAbsentReason",
        "contained",
        "abatementDateTime",
        "abatementAge",
        "abatementPeriod",
        "abatementRange",
        "abatementString",
    }
)
"""Elements without which no invariant can be broken."""
