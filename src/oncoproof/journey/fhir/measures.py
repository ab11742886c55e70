"""Measures: the questions whether values and doses have units that measure what they are about.

Rules this module guarantees:

- An observation and each of its components is asked for its value and reference range, a medicine for its
  doses. A resource that has none of them is asked nothing.

    >>> about = {"coding": [{"system": "http://loinc.org", "code": "2160-0"}]}
    >>> held = {"value": 80.0, "unit": "kg", "system": "http://unitsofmeasure.org", "code": "kg"}
    >>> resource = {"resourceType": "Observation", "code": about, "valueQuantity": held}
    >>> [fault.path for question in unit_questions(resource) for fault in question.check(resource)]
    ['.valueQuantity.code']
"""

from collections.abc import Iterable, Iterator

from oncoproof.journey.fhir.dimensions import Judge, expected_of_dose, judge_of, wrong_unit
from oncoproof.journey.fhir.faults import Faults, Object, below
from oncoproof.journey.fhir.profiles import Check, Question

_DOSAGES = ("dosage", "dosageInstruction")


def unit_questions(resource: Object) -> Iterator[Question]:
    """What is asked of the units in resources that have these elements and this code."""
    if resource["resourceType"] == "Observation":
        judge = judge_of(resource["code"])
        if judge is not None and "valueQuantity" in resource:
            yield Question("valueQuantity", _value(judge))
        if judge is not None and "referenceRange" in resource:
            yield Question("referenceRange", _range(judge))
        if "component" in resource:
            yield Question("component", _components)
    for element in _DOSAGES:
        if element in resource:
            yield Question(element, _doses(element))


def _value(judge: Judge) -> Check:
    def check(resource: Object) -> Faults:
        return wrong_unit(resource["valueQuantity"], judge, ".valueQuantity")

    return check


def _range(judge: Judge) -> Check:
    def check(resource: Object) -> Faults:
        for number, each in enumerate(resource["referenceRange"]):
            for bound in ("low", "high"):
                found = wrong_unit(each.get(bound), judge, f".referenceRange[{number}].{bound}")
                if found is not None:
                    return found
        return None

    return check


def _components(resource: Object) -> Faults:
    for number, component in enumerate(resource["component"]):
        judge = judge_of(component["code"])
        if judge is not None:
            found = wrong_unit(component.get("valueQuantity"), judge, ".valueQuantity")
            if found is None and "referenceRange" in component:
                found = _range(judge)(component)
            if found is not None:
                return below(f".component[{number}]", found)
    return None


def _doses(element: str) -> Check:
    def check(resource: Object) -> Faults:
        for place, quantity in _quantities(element, resource[element]):
            found = wrong_unit(quantity, expected_of_dose, place)
            if found is not None:
                return found
        return None

    return check


def _quantities(element: str, held: Object | list[Object]) -> Iterator[tuple[str, Object | None]]:
    """The doses of one dosage or of several, each with its path."""
    if isinstance(held, dict):
        yield f".{element}.dose", held.get("dose")
        return
    for number, dosage in enumerate(held):
        rates: Iterable[Object] = dosage.get("doseAndRate", ())
        for place, rate in enumerate(rates):
            yield f".{element}[{number}].doseAndRate[{place}].doseQuantity", rate.get("doseQuantity")
