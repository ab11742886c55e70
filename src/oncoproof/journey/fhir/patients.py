"""Patients: who a record is about, as mCODE's cancer patient, and back.

Rules this module guarantees:

- What is empty in a record is absent in the resource, and the other way round.
- Race and ethnicity keep their words; a census code stands beside them where the words are known.

    >>> from oncoproof.journey.patient import Patient
    >>> patient_extensions(Patient(id="p1", race="Asian"))[0]["extension"][0]["valueCoding"]["code"]
    '2028-9'
"""

from datetime import date
from typing import Any

from oncoproof.errors import JourneyError
from oncoproof.journey.contents import Outcome, OutcomeType
from oncoproof.journey.fhir.addresses import (
    ABSENT,
    BIRTH_SEX,
    ETHNICITY,
    LANGUAGE,
    OMB,
    PATIENT_ID,
    RACE,
    RECORD,
    SOCIAL,
)
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.primitives import PRIMITIVES
from oncoproof.journey.fhir.readers import ALWAYS, Item, Reader, value_of
from oncoproof.journey.fhir.vocabulary import ETHNICITIES, RACES
from oncoproof.journey.fhir.writer import Writer, coding, meta
from oncoproof.journey.patient import Patient, Sex

_BIRTH_SEX = {Sex.FEMALE: "F", Sex.MALE: "M", Sex.OTHER: "OTH", Sex.UNKNOWN: "UNK"}
_SEX_AT_BIRTH = {code: sex for sex, code in _BIRTH_SEX.items()}
_ADDRESS = {"postalCode": "postcode", "city": "city", "state": "state", "country": "country"}
_SOCIAL = ("insurance", "income", "education", "disability")


def write_patient(writer: Writer) -> None:
    """Add the patient of a record to the bundle."""
    patient = writer.record.patient
    if PRIMITIVES["id"](patient.id, []) is not None:
        raise JourneyError(
            where="patient",
            came=repr(patient.id),
            expected="1 to 64 letters, digits, hyphens or dots",
            remedy="choose another id",
        )
    resource: Object = {
        "resourceType": "Patient",
        "id": patient.id,
        "meta": meta("mcode/mcode-cancer-patient"),
    }
    resource["extension"] = [_told(writer), *patient_extensions(patient)]
    resource["identifier"] = [{"system": PATIENT_ID, "value": patient.id}]
    resource["name"] = [_name(patient)]
    resource["gender"] = patient.sex.value
    if patient.birth is not None:
        resource["birthDate"] = patient.birth.isoformat()
    died = next((event.day for event in writer.record.events if is_death(event.content)), None)
    if died is not None:
        resource["deceasedDateTime"] = writer.date(died)
    address = {key: getattr(patient, name) for key, name in _ADDRESS.items() if getattr(patient, name)}
    if address:
        resource["address"] = [address]
    if patient.language:
        resource["communication"] = [{"language": {"coding": [coding(LANGUAGE, patient.language)]}}]
    writer.put(resource)


def is_death(content: object) -> bool:
    """Whether an event is the patient's death."""
    return isinstance(content, Outcome) and content.type is OutcomeType.DEATH


def _told(writer: Writer) -> Object:
    parts = [
        {"url": "index", "valueDate": writer.date(0)},
        {"url": "asOf", "valueDate": writer.date(writer.record.as_of)},
    ]
    return {"url": RECORD, "extension": parts}


def _name(patient: Patient) -> Object:
    name: Object = {}
    if patient.family_name:
        name["family"] = patient.family_name
    given = [each for each in patient.given_names if each]
    if given:
        name["given"] = given
    return name or {"extension": [{"url": ABSENT, "valueCode": "masked"}]}


def patient_extensions(patient: Patient) -> list[Object]:
    """The extensions that carry race, ethnicity, sex at birth and social attributes."""
    extensions: list[Object] = []
    for address, words, table in ((RACE, patient.race, RACES), (ETHNICITY, patient.ethnicity, ETHNICITIES)):
        if words:
            extensions.append({"url": address, "extension": _census(words, table)})
    if patient.birth_sex is not None:
        extensions.append({"url": BIRTH_SEX, "valueCode": _BIRTH_SEX[patient.birth_sex]})
    social: list[Object] = [
        {"url": name, "valueString": getattr(patient, name)} for name in _SOCIAL if getattr(patient, name)
    ]
    if patient.distance_km is not None:
        social.append({"url": "distanceKm", "valueDecimal": patient.distance_km})
    if social:
        extensions.append({"url": SOCIAL, "extension": social})
    return extensions


def _census(words: str, table: dict[str, str]) -> list[Object]:
    code = table.get(words.casefold())
    parts: list[Object] = [] if code is None else [{"url": "ombCategory", "valueCoding": coding(OMB, code)}]
    return [*parts, {"url": "text", "valueString": words}]


_READ = ALWAYS | frozenset(
    {"identifier", "name", "gender", "birthDate", "address", "communication", "deceasedDateTime"}
)


def read_patient(reader: Reader, resource: Object) -> Patient:
    """The patient that a resource describes."""
    item = reader.unpack(Item(resource))
    item.extension(RECORD)
    sex_at_birth = value_of(item.extension(BIRTH_SEX))
    held: dict[str, Any] = {
        "sex": Sex(resource.get("gender", "unknown")),
        "birth_sex": _SEX_AT_BIRTH.get(str(sex_at_birth)) if sex_at_birth is not None else None,
        "birth": _birth(reader, item),
        "race": _census_words(reader, item, RACE),
        "ethnicity": _census_words(reader, item, ETHNICITY),
        **_read_name(reader, item),
        **_read_address(reader, item),
        **_read_social(reader, item),
        "language": _read_language(reader, item),
    }
    if sex_at_birth is not None and held["birth_sex"] is None:
        reader.lose(item, ".extension", f"sex at birth {sex_at_birth}")
    for identifier in resource.get("identifier", ()):
        if identifier.get("system") != PATIENT_ID:
            reader.lose(item, ".identifier", f"identifier {identifier.get('value', '')}")
    reader.rest(item, _READ)
    return Patient(id=str(resource.get("id", "unknown")), **held)


def _birth(reader: Reader, item: Item) -> date | None:
    text = item.resource.get("birthDate")
    if text is None or len(text) == 10:
        return None if text is None else date.fromisoformat(text)
    reader.lose(item, ".birthDate", f"a coarse date of birth: {text}")
    return None


def _census_words(reader: Reader, item: Item, address: str) -> str:
    parts = item.extension(address).get("extension", ())
    texts = [str(value_of(part)) for part in parts if part["url"] == "text"]
    if texts:
        for part in parts:
            if part["url"] not in {"text", "ombCategory"}:
                reader.lose(item, ".extension", f"{part['url']} of {address}")
        table = RACES if address == RACE else ETHNICITIES
        for part in parts:
            if part["url"] == "ombCategory" and part["valueCoding"].get("code") != table.get(
                texts[0].casefold()
            ):
                reader.lose(item, ".extension", f"census category {part['valueCoding'].get('code')}")
        return texts[0]
    shown = [part["valueCoding"].get("display", "") for part in parts if part["url"] == "ombCategory"]
    return shown[0] if shown else ""


def _read_name(reader: Reader, item: Item) -> dict[str, Any]:
    names = item.resource.get("name", ())
    if not names:
        return {}
    first = names[0]
    for key in first.keys() - {"family", "given", "use", "extension"}:
        reader.lose(item, f".name[0].{key}", f"{key} of a name")
    for number in range(1, len(names)):
        reader.lose(item, f".name[{number}]", "a further name")
    given = tuple(each for each in first.get("given", ()) if each is not None)
    return {"family_name": first.get("family", ""), "given_names": given}


def _read_address(reader: Reader, item: Item) -> dict[str, Any]:
    addresses = item.resource.get("address", ())
    for number, address in enumerate(addresses):
        for key in address.keys() - (_ADDRESS.keys() if number == 0 else set()):
            reader.lose(item, f".address[{number}].{key}", f"{key} of an address")
    first: Object = addresses[0] if addresses else {}
    return {name: first.get(key, "") for key, name in _ADDRESS.items()}


def _read_social(reader: Reader, item: Item) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for part in item.extension(SOCIAL).get("extension", ()):
        if part["url"] in _SOCIAL:
            held[part["url"]] = str(value_of(part))
        elif part["url"] == "distanceKm" and "valueDecimal" in part:
            held["distance_km"] = float(part["valueDecimal"])
        else:
            reader.lose(item, ".extension", f"social attribute {part['url']}")
    return held


def _read_language(reader: Reader, item: Item) -> str:
    spoken = item.resource.get("communication", ())
    found = ""
    for number, each in enumerate(spoken):
        codes, text = reader.codes_and_text(item, f".communication[{number}].language", each["language"])
        if number == 0 and codes:
            found = codes[0].code
        else:
            reader.lose(item, f".communication[{number}]", f"a language: {text}")
    return found
