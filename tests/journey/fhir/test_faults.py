"""What is wrong is found where it is: planted faults, documents that are none, what is left of the rest."""

from typing import Any, cast

import orjson
import pytest

from journey.fhir.planted import PLANTED, plant
from journey.fhir.records import rich_journey
from oncoproof.errors import FormatError
from oncoproof.journey.codes import System
from oncoproof.journey.contents import Biomarker, Imaging
from oncoproof.journey.fhir import check, from_fhir, to_fhir
from oncoproof.journey.fhir.addresses import EVENT
from oncoproof.journey.fhir.checks import SIZE_MAX, Source
from oncoproof.journey.omics import SmallVariant, Tmb


def test_the_bundle_that_faults_are_planted_in_is_right() -> None:
    assert check(to_fhir(rich_journey().record())) == ()


@pytest.mark.parametrize("name", list(PLANTED))
def test_a_planted_fault_is_found_where_it_was_planted(name: str) -> None:
    problems = check(plant(PLANTED[name]))
    assert PLANTED[name].where in [problem.where for problem in problems]
    for problem in problems:
        assert problem.came
        assert problem.expected
        assert problem.remedy


@pytest.mark.parametrize("name", list(PLANTED))
def test_a_bundle_with_a_fault_is_refused_with_resource_and_path(name: str) -> None:
    bundle = plant(PLANTED[name])
    first = check(bundle)[0]
    with pytest.raises(FormatError) as caught:
        from_fhir(orjson.dumps(bundle))
    assert caught.value.parts() == first.error().parts()


@pytest.mark.parametrize("name", list(PLANTED))
def test_a_fault_is_a_loss_where_the_reader_is_not_strict(name: str) -> None:
    reading = from_fhir(plant(PLANTED[name]), strict=False)
    assert PLANTED[name].where in [loss.where for loss in reading.losses]
    assert len(reading.journey) > 40


def test_a_link_from_a_resource_that_was_left_out_is_a_loss_and_its_event_is_kept() -> None:
    reading = from_fhir(plant(PLANTED["no intent"]), strict=False)
    assert "e35" not in reading.journey
    assert "e40" in reading.journey
    assert "AdverseEvent/e40: AdverseEvent.extension" in [loss.where for loss in reading.losses]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("status banana", "Observation/e23: Observation.status"),
        ("an object for a code", "Observation/e23: Observation.status"),
        ("an unknown element", "Observation/e23: Observation.colour"),
        ("no intent", "CarePlan/e35: CarePlan.intent"),
        ("a reference to nothing", "Observation/e23: Observation.subject.reference"),
        ("a specimen that is not there", "Observation/e6: Observation.specimen.reference"),
        ("the code of a variant", "Observation/e6: Observation.code"),
        ("the code of a stage group", "Observation/e2: Observation.code"),
        ("the category of a laboratory value", "Observation/e23: Observation.category"),
        ("no UCUM", "Observation/e23: Observation.valueQuantity.code"),
        ("inches of a lesion", "Observation/e31.lesion1: Observation.component[0].valueQuantity.code"),
        ("mutations in per cent", "Observation/e18: Observation.valueQuantity.code"),
    ],
)
def test_malformed_dangling_miscoded_and_wrong_units_are_errors_with_their_place(
    name: str, where: str
) -> None:
    with pytest.raises(FormatError) as caught:
        from_fhir(plant(PLANTED[name]))
    assert caught.value.where == where


def test_a_check_does_not_depend_on_what_was_checked_before() -> None:
    nested: dict[str, Any] = {"id": "x", "contained": [{"resourceType": "Patient", "contained": [{}]}]}
    checked = [
        [
            problem.path
            for problem in check({"resourceType": kind, **nested, "code": {"text": "y"}, "status": "final"})
        ]
        for kind in ("ServiceRequest", "Observation", "ServiceRequest", "Observation")
    ]
    assert checked[0] == checked[2]
    assert checked[1] == checked[3] == ["Observation.contained[0]"]


STRANGE: dict[str, Any] = {
    "extension": "none",
    "meta": [1],
    "onsetDateTime": [],
    "subject": {"reference": 7},
    "hasMember": 7,
    "specimen": [None],
}
"""Elements of forms that no checked resource can have."""


def test_a_resource_of_a_type_that_no_record_speaks_of_is_a_loss_whatever_it_holds() -> None:
    account = {"resourceType": "Account", "id": "a", **STRANGE}
    plan = {
        "resourceType": "CarePlan",
        "id": "c",
        "status": "active",
        "intent": "plan",
        "subject": {"reference": "Patient/p"},
        "extension": [{"url": EVENT, "valueCode": "treatment"}],
        "period": {"start": "2026-03-01"},
        "activity": [{"outcomeReference": [{"reference": "Account/a"}]}],
    }
    reading = from_fhir([{"resourceType": "Patient", "id": "p"}, plan, account])
    assert [event.id for event in reading.journey] == ["c"]
    assert ("Account/a: Account", "a resource of type Account") in [
        (loss.where, loss.what) for loss in reading.losses
    ]


def test_a_tumour_of_others_is_read_once_and_so_are_its_losses() -> None:
    bundle = to_fhir(rich_journey().record())
    tumour = next(each["resource"] for each in bundle["entry"] if each["resource"]["id"] == "e31.tumour1")
    tumour["description"] = "seen by chance"
    losses = [loss.where for loss in from_fhir(bundle).losses]
    assert losses == ["BodyStructure/e31.tumour1: BodyStructure.description"]


def test_all_faults_of_a_resource_are_told_at_once() -> None:
    bundle = plant(PLANTED["status banana"])
    resource = next(each["resource"] for each in bundle["entry"] if each["resource"]["id"] == "e23")
    resource["valueQuantity"]["code"] = "mg per dl"
    resource["category"] = []
    found = {problem.path for problem in check(bundle)}
    assert {
        "Observation.status",
        "Observation.valueQuantity.code",
        "Observation.category",
    } <= found


def test_a_problem_shows_what_came_cut_to_a_readable_length() -> None:
    (problem,) = check({"resourceType": "Patient", "id": "p", "gender": "x" * 5_000})
    assert len(problem.came) <= 60


NO_DOCUMENT: dict[str, Source] = {
    "nothing": b"",
    "half a document": b'{"resourceType": "Patient"',
    "no JSON": b"<Patient/>",
    "not UTF-8": b'{"resourceType": "\xff"}',
    "a number that JSON does not know": b'{"resourceType": "Patient", "x": NaN}',
    "a number": b"7",
    "a text": b'"Patient"',
    "null": b"null",
    "too deep": b"[" * 900 + b"]" * 900,
    "far too deep": b'{"resourceType":"Patient","extension":' + b'[{"extension":' * 100_000,
    "half a character": {"resourceType": "Patient", "id": "\ud800"},
    "a set": {"resourceType": "Patient", "id": {1}},
    "a whole number beyond JSON": {"resourceType": "Patient", "id": 1 << 80},
    "keys that are no text": cast("Any", {1: "Patient"}),
}


@pytest.mark.parametrize("name", list(NO_DOCUMENT))
def test_what_is_no_document_is_refused(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        from_fhir(NO_DOCUMENT[name])
    assert caught.value.came
    assert caught.value.expected


def test_a_document_that_is_too_long_is_refused_before_it_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oncoproof.journey.fhir.checks.SIZE_MAX", 10)
    with pytest.raises(FormatError, match="at most 10 bytes"):
        check(b" " * 11)
    assert SIZE_MAX > 1 << 20


BROKEN_BUNDLES: dict[str, tuple[dict[str, Any], str]] = {
    "no type": ({"resourceType": "Bundle"}, "Bundle: Bundle.type"),
    "a type of its own": ({"resourceType": "Bundle", "type": "pile"}, "Bundle: Bundle.type"),
    "entries as an object": (
        {"resourceType": "Bundle", "type": "collection", "entry": {"resource": {}}},
        "Bundle: Bundle.entry",
    ),
    "no entries": ({"resourceType": "Bundle", "type": "collection", "entry": []}, "Bundle: Bundle.entry"),
    "an entry of text": (
        {"resourceType": "Bundle", "type": "collection", "entry": ["Patient"]},
        "Bundle.entry[0]: Bundle.entry[0]",
    ),
    "an entry without resource": (
        {"resourceType": "Bundle", "type": "collection", "entry": [{"fullUrl": "urn:x:1"}]},
        "Bundle.entry[0]: Bundle.entry[0]",
    ),
    "an address that is none": (
        {
            "resourceType": "Bundle",
            "type": "collection",
            "entry": [{"fullUrl": "a b", "resource": {"resourceType": "Patient"}}],
        },
        "Bundle.entry[0]: Bundle.entry[0].fullUrl",
    ),
    "a method that is none": (
        {
            "resourceType": "Bundle",
            "type": "transaction",
            "entry": [{"resource": {"resourceType": "Patient"}, "request": {"method": "PAT", "url": "x"}}],
        },
        "Bundle.entry[0]: Bundle.entry[0].request.method",
    ),
}


@pytest.mark.parametrize("name", list(BROKEN_BUNDLES))
def test_a_broken_bundle_is_told_by_its_place(name: str) -> None:
    bundle, where = BROKEN_BUNDLES[name]
    assert [problem.where for problem in check(bundle)] == [where]


def test_references_may_lead_out_of_single_resources_and_partial_bundles_alone() -> None:
    bundle = plant(PLANTED["a reference to nothing"])
    assert check(bundle) != ()
    assert check(bundle, partial=True) == ()
    resource = {"resourceType": "Specimen", "id": "s", "subject": {"reference": "Patient/p"}}
    assert check(resource) == ()
    assert [each.path for each in check(resource, partial=False)] == ["Specimen.subject.reference"]


def _finding(part: dict[str, Any] | None, **more: Any) -> dict[str, Any]:
    """A foreign observation of a variant, or of what `more` says it is."""
    loinc = "http://loinc.org"
    resource: dict[str, Any] = {
        "resourceType": "Observation",
        "id": "x",
        "status": "final",
        "code": {"coding": [{"system": loinc, "code": "69548-6"}]},
        "effectiveDateTime": "2026-03-01",
        **more,
    }
    if part is not None:
        code = {"coding": [{"system": loinc, "code": "48018-6"}]}
        gene: dict[str, Any] = {"code": code, "valueCodeableConcept": {"text": "EGFR"}}
        resource["component"] = [gene, part]
    return resource


def _part(loinc: str, value: float, unit: str) -> dict[str, Any]:
    amount = {"value": value, "unit": unit, "system": System.UCUM.value, "code": unit}
    return {"code": {"coding": [{"system": "http://loinc.org", "code": loinc}]}, "valueQuantity": amount}


def _burden(unit: str) -> dict[str, Any]:
    return _finding(
        None,
        code={"coding": [{"system": "http://loinc.org", "code": "94076-7"}]},
        valueQuantity={"value": 7.5, "unit": unit},
    )


def test_a_share_in_per_cent_is_read_as_a_share() -> None:
    shares = [
        from_fhir(_finding(_part("81258-6", *written))).journey.event("x").content
        for written in ((30.25, "%"), (0.3025, "1"))
    ]
    assert shares[0] == shares[1]
    assert isinstance(shares[0], Biomarker)
    assert isinstance(shares[0].finding, SmallVariant)
    assert shares[0].finding.vaf == 0.3025


@pytest.mark.parametrize("unit", ["mutations/Mb", "{mutations}/{Mb}", "mut/Mb", "1/1000000{Base}"])
def test_a_mutational_burden_may_be_spelled_in_many_ways(unit: str) -> None:
    content = from_fhir(_burden(unit)).journey.event("x").content
    assert isinstance(content, Biomarker)
    assert content.finding == Tmb(per_megabase=7.5)


@pytest.mark.parametrize(
    ("resource", "path"),
    [
        (_finding(_part("81258-6", 0.31, "mg")), ".component[1].valueQuantity.code"),
        (_finding(_part("81258-6", 31.0, "1")), ".component[1].valueQuantity.value"),
        (_finding(_part("81258-6", -0.1, "1")), ".component[1].valueQuantity.value"),
        (_finding(_part("82155-3", 8.0, "mm")), ".component[1].valueQuantity.code"),
        (_burden("%"), ".valueQuantity.code"),
    ],
)
def test_a_finding_in_a_wrong_unit_or_beyond_its_bounds_is_refused_by_its_place(
    resource: dict[str, Any], path: str
) -> None:
    with pytest.raises(FormatError) as caught:
        from_fhir(resource)
    assert caught.value.where == f"Observation/x: Observation{path}"


def test_a_lesion_of_others_is_read_in_millimetres_whatever_its_unit() -> None:
    bundle = to_fhir(rich_journey().record())
    size = next(each["resource"] for each in bundle["entry"] if each["resource"]["id"] == "e31.lesion1")
    del size["meta"]
    size["component"][0]["valueQuantity"] = {"value": 0.02, "system": System.UCUM.value, "code": "m"}
    content = from_fhir(bundle).journey.event("e31").content
    assert isinstance(content, Imaging)
    assert content.lesions[0].diameter_mm == 20.0
