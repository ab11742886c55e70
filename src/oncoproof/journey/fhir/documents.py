"""Documents: FHIR bundles and resources read as a journey, with an account of what was lost.

Rules this module guarantees:

- Reading is strict: a document with a problem is refused with the first of them, by resource and path.
  With `strict=False` the resources that have problems are left out and named as losses.
- What this project wrote is read back whole; what others wrote is read as far as a journey can say it.
- Nothing but OncoProof's errors comes out, whatever goes in.

    >>> reading = from_fhir({"resourceType": "Patient", "id": "p1", "gender": "female"})
    >>> reading.journey.patient.sex
    <Sex.FEMALE: 'female'>
"""

from collections import Counter
from datetime import date

from oncoproof.errors import FormatError, InputError, OncoproofError
from oncoproof.journey.fhir.addresses import RECORD
from oncoproof.journey.fhir.checks import Document, Source, examine
from oncoproof.journey.fhir.chronicle import join, place
from oncoproof.journey.fhir.faults import Json, Object, is_object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.patients import read_patient
from oncoproof.journey.fhir.pauses import without_cycle_search
from oncoproof.journey.fhir.readers import Item, Reader, Told
from oncoproof.journey.fhir.resources import Turn, read_resource, turn_of
from oncoproof.journey.patient import Patient
from oncoproof.journey.readings import Loss, Reading

_DATED = names_in(
    "onsetDateTime effectiveDateTime performedDateTime authoredOn date recordedDate onsetPeriod "
    "effectivePeriod performedPeriod period dateAsserted"
)
_EPOCH = date(1970, 1, 1)


def from_fhir(
    source: Source, *, index: date | None = None, partial: bool | None = None, strict: bool = True
) -> Reading:
    """Read a FHIR document as a journey.

    Args:
        source: JSON text, a bundle or resource as a dictionary, or several resources.
        index: The date of day 0; None = as this project wrote it, else the earliest date of the document.
        partial: Whether references may lead out of the document; None = not out of a bundle, else yes.
        strict: Whether a problem refuses the whole document; else the resource that has it is a loss.

    Raises:
        FormatError: The document is no FHIR document, or has a problem and `strict` is set.
        JourneyError: What this project wrote has been changed so that it breaks a rule of journeys, and
            `strict` is set.
    """
    with without_cycle_search():
        return _read_document(examine(source, partial=partial), index, is_strict=strict)


def _read_document(document: Document, index: date | None, *, is_strict: bool) -> Reading:
    losses = _weed(document, strict=is_strict)
    patient, others = _patients(document)
    reader = Reader(document, index or _index(document, patient), is_strict=is_strict)
    reader.losses += losses
    try:
        person = _person(reader, patient)
        placed = place(reader, _told(reader, patient, others))
        return Reading(join(reader, person, placed), tuple(reader.losses))
    except OncoproofError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise FormatError(
            where="FHIR document",
            came=f"a resource that could not be read ({type(error).__name__}: {error})",
            expected="resources as FHIR R4 describes them",
            remedy="check the document with a validator",
        ) from error


def _weed(document: Document, *, strict: bool) -> list[Loss]:
    """Refuse a document with problems, or take the resources that have them out of it."""
    if not document.problems:
        return []
    if strict:
        raise document.problems[0].error()
    bad = {problem.resource for problem in document.problems}
    kept = [number for number, each in enumerate(document.resources) if _name(each) not in bad]
    places = {old: new for new, old in enumerate(kept)}
    document.resources = [document.resources[number] for number in kept]
    document.headings = [document.headings[number] for number in kept]
    document.by_address = {
        address: places[number] for address, number in document.by_address.items() if number in places
    }
    return [
        Loss(problem.where, f"came: {problem.came}; expected: {problem.expected}")
        for problem in document.problems
    ]


def _name(resource: Object) -> str:
    identity = resource.get("id")
    return f"{resource['resourceType']}/{identity}" if identity is not None else str(resource["resourceType"])


def _subject(resource: Object) -> str:
    """Where a resource says whom it is about; empty = nowhere."""
    held: Json = resource.get("subject") or resource.get("patient")
    return str(held.get("reference", "")) if is_object(held) else ""


def _patients(document: Document) -> tuple[str, set[int]]:
    """Whom the journey is about, as `Type/id` or another address, and the resources about somebody else."""
    numbers = document.by_address
    subjects = [_subject(each) for each in document.resources]
    names = {subject: _same_as(document, subject) for subject in set(subjects)}
    counted: Counter[str] = Counter()
    for subject, times in Counter(subjects).items():
        counted[names[subject]] += times
    del counted[""]
    listed = [
        _name(each)
        for each in document.resources
        if each["resourceType"] == "Patient" and f"Patient/{each.get('id')}" in numbers
    ]
    chosen = max(counted, key=lambda name: counted[name]) if counted else (listed[0] if listed else "")
    others = set[int]()
    if len(counted) > 1:
        others.update(
            number for number, subject in enumerate(subjects) if subject and names[subject] != chosen
        )
    return chosen, others


def _same_as(document: Document, address: str) -> str:
    """One name for all addresses of a resource."""
    number = document.by_address.get(address)
    return address if number is None else _name(document.resources[number])


def _person(reader: Reader, patient: str) -> Patient:
    document = reader.document
    number = document.by_address.get(patient)
    if number is None:
        number = next(
            (
                place
                for place, each in enumerate(document.resources)
                if each["resourceType"] == "Patient" and not patient
            ),
            None,
        )
    if number is None or document.resources[number]["resourceType"] != "Patient":
        return Patient(id=patient.rpartition("/")[2].rpartition(":")[2] or "unknown")
    reader.used.add(number)
    return read_patient(reader, document.resources[number])


def _told(reader: Reader, patient: str, others: set[int]) -> list[Told]:
    """What each resource tells, in the order of the document; those that take others in are read first."""
    told: list[Told] = []
    late: list[int] = []
    document = reader.document
    for number, (resource, heading) in enumerate(zip(document.resources, document.headings, strict=True)):
        if heading is None:
            reader.lose(Item(resource), "", f"a resource of type {resource['resourceType']}")
        elif number in others or resource["resourceType"] == "Patient":
            if number not in reader.used:
                reader.lose(Item(resource), "", f"a resource that is not about {patient or 'the patient'}")
        else:
            turn = turn_of(resource, heading)
            if turn is Turn.THEN:
                late.append(number)
            elif turn is Turn.FIRST:
                told.append(_read(reader, Item(resource, heading, number)))
    # One that is read may take later ones in, so that it is asked of each when its turn has come.
    waiting = (number for number in late if number not in reader.used)
    resources, headings = document.resources, document.headings
    told.extend(_read(reader, Item(resources[number], headings[number], number)) for number in waiting)
    told.sort(key=_number)
    return told


def _number(told: Told) -> int:
    return told.item.number


def _read(reader: Reader, item: Item) -> Told:
    """Read one resource; an error of a content names the resource."""
    try:
        return Told(item, read_resource(reader, item))
    except FormatError as error:
        reader.refuse(item, error)
    except InputError as error:
        place = f"{_name(item.resource)}: {error.where}"
        reader.refuse(
            item,
            FormatError(where=place, came=error.came, expected=error.expected, remedy=error.remedy),
        )
    return Told(item, [])


def _index(document: Document, patient: str) -> date:
    """The date of day 0: as this project wrote it, else the earliest date of the document."""
    number = document.by_address.get(patient)
    held = {} if number is None else document.resources[number]
    for extension in held.get("extension", ()):
        if extension["url"] == RECORD:
            for part in extension.get("extension", ()):
                if part["url"] == "index" and len(part.get("valueDate", "")) == 10:
                    return date.fromisoformat(part["valueDate"])
    dated = [
        each
        for each, heading in zip(document.resources, document.headings, strict=True)
        if heading is not None
    ]
    earliest = min((text for each in dated for text in _dates(each)), default="")
    return date.fromisoformat(f"{earliest[:10]}-01-01"[:10]) if len(earliest) >= 10 else _coarse(earliest)


def _coarse(text: str) -> date:
    if not text:
        return _EPOCH
    year, _, month = text.partition("-")
    return date(int(year), int(month or 1), 1)


def _dates(resource: Object) -> list[str]:
    held = [resource[key] for key in resource.keys() & _DATED]
    return [text for each in held if (text := each if isinstance(each, str) else each.get("start", ""))]
