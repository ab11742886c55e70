"""Checks: everything that is wrong with a FHIR document, found without any validator library.

Rules this module guarantees:

- Each resource is checked for its elements, cardinalities, forms, closed lists and units, for what FHIR
  and the profiles it claims demand; the document for ids that occur twice and references that lead nowhere.
- A resource of a type that no record speaks of is checked for its identity only.
- Whatever comes in, what comes out is a list of problems or a FormatError; never another exception.

    >>> check({"resourceType": "Observation", "id": "x", "status": "banana", "code": {"text": "y"}})[0].where
    'Observation/x: Observation.status'
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import orjson

from oncoproof.journey.fhir.elements import RESOURCES, check_of
from oncoproof.journey.fhir.faults import Fault, Json, Object, Problem, Seen, is_list, is_object, refusal
from oncoproof.journey.fhir.headings import Checked, Heading, check_resource
from oncoproof.journey.fhir.pauses import without_cycle_search
from oncoproof.journey.fhir.resource_types import RESOURCE_TYPES
from oncoproof.journey.fhir.structures import is_reference

Source: TypeAlias = bytes | bytearray | str | Mapping[str, object] | Iterable[object]
"""A FHIR document: JSON text, a bundle or resource as a dictionary, or several resources."""

SIZE_MAX = 256 * 1024 * 1024
"""Longest JSON text that is read, in bytes."""


@dataclass(slots=True)
class Document:
    """The resources of a document, and how they are addressed in it."""

    kind: str
    """`Bundle`, or what it came as: `resource` or `list`."""
    resources: list[Object] = field(default_factory=list[Object])
    """The resources in the order of the document."""
    headings: list[Heading | None] = field(default_factory=list[Heading | None])
    """For each resource what it says like others; None = it has faults, or is of a type not spoken of."""
    by_address: dict[str, int] = field(default_factory=dict[str, int])
    """Number of the resource by `Type/id` and by its full address."""
    problems: list[Problem] = field(default_factory=list[Problem])
    """What is wrong, in the order of the document."""
    references: list[Seen] = field(default_factory=list[Seen])
    """For each resource the references in it."""
    is_partial: bool = False
    """Whether references may lead out of the document."""


def check(source: Source, *, partial: bool | None = None) -> tuple[Problem, ...]:
    """Everything that is wrong with a document; empty = nothing.

    Args:
        source: The document.
        partial: Whether references may lead out of the document; None = not out of a bundle, else yes.

    Raises:
        FormatError: It is no FHIR document at all: not JSON, no resource in it, nested too deeply.
    """
    with without_cycle_search():
        return tuple(examine(source, partial=partial).problems)


def examine(source: Source, *, partial: bool | None = None) -> Document:
    """Find the resources of a document and check them; what is wrong stands in `problems`."""
    try:
        document = _open(_parse(source))
        if partial is not None:
            document.is_partial = partial
        _check_references(document)
    except RecursionError:
        raise refusal("values nested too deeply", "a FHIR document", "flatten it") from None
    return document


def _parse(source: Source) -> Json:
    if isinstance(source, bytes | bytearray | str):
        if len(source) > SIZE_MAX:
            raise refusal(f"{len(source)} bytes", f"at most {SIZE_MAX} bytes", "split the document")
        try:
            return orjson.loads(source)
        except orjson.JSONDecodeError as error:
            raise refusal(f"no JSON: {error}", "a FHIR document in JSON", "check the file") from None
    content: object = _plain(source)
    try:
        # Through JSON and back: what is checked and read is then surely made of JSON's own types.
        return orjson.loads(orjson.dumps(content))
    except (orjson.JSONEncodeError, orjson.JSONDecodeError) as error:
        raise refusal(f"no JSON: {error}", "a FHIR document in JSON's types", "convert the values") from None


def _plain(source: Mapping[str, object] | Iterable[object]) -> object:
    """A mapping or sequence of whatever class as JSON's own."""
    if isinstance(source, Mapping):
        return dict(cast("Mapping[str, object]", source))
    return list(source)


def _open(content: Json) -> Document:
    if is_list(content):
        document = Document("list", is_partial=True)
        for number, resource in enumerate(content):
            _take(document, resource, number)
        return document
    if not is_object(content):
        raise refusal(repr(content)[:60], "a bundle or a resource", "give an object with a resourceType")
    if content.get("resourceType") != "Bundle":
        document = Document("resource", is_partial=True)
        _take(document, content)
        return document
    return _open_bundle(content)


_PLAIN_ENTRY = ("fullUrl", "resource")


def _open_bundle(bundle: Object) -> Document:
    document = Document("Bundle")
    entries: Json = bundle.get("entry", [])
    shell = {key: item for key, item in bundle.items() if key != "entry"}
    _note(document, "Bundle", check_of("Bundle")(shell, []), bundle)
    if not is_list(entries) or (not entries and "entry" in bundle):
        _note(
            document,
            "Bundle",
            [Fault(".entry", repr(entries)[:60], "a list of entries", "correct it")],
            bundle,
        )
        return document
    uri, none = check_of("uri"), Seen()
    for number, entry in enumerate(entries):
        if entry.__class__ is dict and tuple(entry) == _PLAIN_ENTRY and uri(entry["fullUrl"], none) is None:
            _take(document, entry["resource"], number, entry["fullUrl"])
        else:
            _take_entry(document, entry, f"Bundle.entry[{number}]", number)
    return document


def _take_entry(document: Document, entry: Json, place: str, number: int) -> None:
    if not is_object(entry) or "resource" not in entry:
        _note(document, place, [Fault("", repr(entry)[:60], "an entry with a resource", "add it")], None)
        return
    shell = {key: item for key, item in entry.items() if key != "resource"}
    said = check_of("BundleEntry")(shell, []) if shell else None
    _note(document, place, said, None)
    _take(document, entry["resource"], number, entry.get("fullUrl") if said is None else None)


_PLACES = {"Bundle": "Bundle.entry[{}].resource", "list": "[{}]", "resource": "document"}


def _take(document: Document, resource: Json, number: int | None = None, address: str | None = None) -> None:
    """Check one resource and remember how it is addressed."""
    kind = resource.get("resourceType") if resource.__class__ is dict else None
    if kind.__class__ is not str or kind not in RESOURCE_TYPES:
        _refuse_type(document, kind, number)
        return
    seen: Seen = []
    is_spoken_of = kind in RESOURCES
    said, heading = check_resource(resource, kind, seen) if is_spoken_of else _check_identity(resource, seen)
    if said is not None:
        _note(document, kind, said, resource)
    mine, addresses = len(document.resources), document.by_address
    document.resources.append(resource)
    document.headings.append(heading)
    document.references.append(seen)
    identity = resource.get("id")
    if identity.__class__ is str:
        name = f"{kind}/{identity}"
        if addresses.setdefault(name, mine) != mine:
            _refuse_address(document, name, resource)
    # No reference has the form of a full address that is relative, so that it leads nowhere.
    if address is not None and ":" in address and addresses.setdefault(address, mine) != mine:
        _refuse_address(document, address, resource)


def _refuse_type(document: Document, kind: Json, number: int | None) -> None:
    came = "nothing" if kind is None else repr(kind)
    place = _PLACES[document.kind].format(number)
    said = [Fault(".resourceType", came[:60], "a resource type of FHIR R4", "correct it")]
    _note(document, place, said, None)


def _refuse_address(document: Document, name: str, resource: Object) -> None:
    said = [Fault(".id", name, "an address once in a document", "rename one")]
    _note(document, resource["resourceType"], said, resource)


def _check_identity(resource: Object, seen: Seen) -> Checked:
    said = check_of("id")(resource["id"], seen) if "id" in resource else None
    return Checked(None if said is None else [each._replace(path=".id") for each in said], None)


def _note(document: Document, root: str, said: list[Fault] | None, resource: Object | None) -> None:
    """Keep faults as problems of a resource; `root` is what their paths begin with."""
    for each in said or ():
        identity = None if resource is None else resource.get("id")
        name = f"{root}/{identity}" if isinstance(identity, str) else root
        document.problems.append(Problem(name, root + each.path, each.came, each.expected, each.remedy))


def _check_references(document: Document) -> None:
    """Note references without form, to nothing, or to something of another type than they may lead to."""
    addresses, resources = document.by_address, document.resources
    for resource, seen in zip(resources, document.references, strict=True):
        for address, targets in seen:
            number = addresses.get(address)
            if (
                number is not None
                and ":" not in address
                and document.headings[number] is not None
                and (not targets or resources[number]["resourceType"] in targets)
            ):
                continue  # the name of a sound resource, which has the form that it should have
            expected = _wrong_reference(document, resource, address, targets)
            if expected:
                place = _place_of(resource, address) or ""
                faults = [Fault(place, repr(address), expected, "correct the reference or add the resource")]
                _note(document, resource["resourceType"], faults, resource)


def _wrong_reference(document: Document, resource: Object, address: str, targets: frozenset[str]) -> str:
    """What was expected of a reference; empty = it is as it should be."""
    if not is_reference(address):
        return "Type/id, #id, urn:uuid:… or a full address"
    number = document.by_address.get(address)
    if number is None:
        return _unresolved(document, resource, address)
    if not targets or document.resources[number]["resourceType"] in targets:
        return ""
    return f"a reference to {', '.join(sorted(targets))}"


def _unresolved(document: Document, resource: Object, address: str) -> str:
    """What was expected of a reference to something that is not in the document; empty = it may be."""
    if address.startswith("#"):
        contained = resource.get("contained", ())
        named = any(is_object(each) and each.get("id") == address[1:] for each in contained)
        return "" if named or address == "#" else "the id of a contained resource"
    if "/_history/" in address and address.partition("/_history/")[0] in document.by_address:
        return ""
    if document.is_partial or address.startswith("urn:oid:"):
        return ""
    if address.startswith("http"):
        return "" if not _is_own(document, address) else "a resource of this bundle"
    return "a resource of this bundle"


def _is_own(document: Document, address: str) -> bool:
    """Whether a full address has the same base as an entry of the bundle."""
    base = address.rsplit("/", 2)[0]
    return any(name.rsplit("/", 2)[0] == base for name in document.by_address if name.startswith("http"))


def _place_of(value: Json, address: str, path: str = "") -> str | None:
    """Path of the first reference to an address."""
    if is_object(value):
        if value.get("reference") == address:
            return f"{path}.reference"
        steps: Iterable[tuple[str, Json]] = ((f"{path}.{key}", item) for key, item in value.items())
    elif is_list(value):
        steps = ((f"{path}[{number}]", item) for number, item in enumerate(value))
    else:
        return None
    return next(
        (place for step, item in steps if (place := _place_of(item, address, step)) is not None), None
    )
