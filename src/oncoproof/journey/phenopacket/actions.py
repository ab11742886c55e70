"""Medical actions: drug treatments, operations, radiotherapy, supportive care.

Rules this module guarantees:

- A treatment other than an operation is a therapeutic regimen, which has its times and its status,
  followed by one treatment per drug, or by the radiotherapy. What follows a regimen and begins with it
  belongs to it, also in other systems' documents.
- Response and adverse events of an action are those that the record links to the treatment.

    >>> REGIMEN_STATUSES[Status.STOPPED]
    'DISCONTINUED'
"""

from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import (
    AdverseEvent,
    DrugDose,
    Imaging,
    Intent,
    Modality,
    Outcome,
    OutcomeType,
    Read,
    Status,
    Treatment,
)
from oncoproof.journey.events import Event
from oncoproof.journey.links import Reason
from oncoproof.journey.phenopacket.curies import NOT_STATED, Term
from oncoproof.journey.phenopacket.packet import Packet
from oncoproof.journey.phenopacket.packet_reader import Draft, PacketReader, number_of
from oncoproof.journey.phenopacket.quantities import read_quantity, tell_quantity
from oncoproof.journey.phenopacket.schema import Document
from oncoproof.journey.phenopacket.vocabularies import (
    INTENTS,
    REASONS_ENDED,
    RECIST,
    ROUTES,
    text_of,
    text_term,
)

SECTION: Final = "medicalActions"
"""Name of the section."""

REGIMEN_STATUSES: Final = {
    Status.PLANNED: "UNKNOWN_STATUS",
    Status.ACTIVE: "STARTED",
    Status.HELD: "STARTED",
    Status.COMPLETED: "COMPLETED",
    Status.STOPPED: "DISCONTINUED",
}
"""Status of a regimen by status of a treatment."""
_STATUSES: Final = {each.value: each for each in Status}
_INTENTS: Final = {each.value: each for each in Intent}
_MODALITIES: Final = {each.value: each for each in Modality}
_USUAL: Final = {
    "UNKNOWN_STATUS": Status.ACTIVE,
    "STARTED": Status.ACTIVE,
    "COMPLETED": Status.COMPLETED,
    "DISCONTINUED": Status.STOPPED,
}


def tell_treatment(packet: Packet, event: Event, content: Treatment) -> None:
    """Write a treatment."""
    number = len(packet.actions)
    about = _about(packet, event, content)
    is_procedure = content.modality is Modality.SURGERY
    first = _procedure(packet, event) if is_procedure else _regimen(packet, event, content)
    packet.actions.append(first | about)
    if content.modality is Modality.RADIATION:
        packet.actions.append({"radiationTherapy": _radiation(packet, event)} | about)
    packet.actions.extend({"treatment": _drug(packet, event, each)} | about for each in content.drugs)
    usual = Status.COMPLETED if is_procedure else _USUAL[REGIMEN_STATUSES[content.status]]
    packet.refer(
        event,
        f"/{SECTION}/{number}",
        told="day end name",
        line="" if content.line is None else str(content.line),
        fraction="" if content.dose_fraction == 1.0 else repr(content.dose_fraction),
        status="" if content.status is usual else content.status,
        modality="" if content.modality in {Modality.DRUG, Modality.SURGERY} else content.modality,
        intent=content.intent or "" if content.modality is Modality.SUPPORTIVE else "",
    )


def _about(packet: Packet, event: Event, content: Treatment) -> Document:
    """What every action says beside what was done."""
    about: Document = {}
    cancer = packet.primary()
    is_supportive = content.modality is Modality.SUPPORTIVE
    if cancer is not None and not is_supportive:
        about["treatmentTarget"] = packet.name(cancer[0])
    if is_supportive or content.intent is not None:
        about["treatmentIntent"] = packet.say(
            INTENTS.term("supportive" if is_supportive else content.intent or "")
        )
    _add_effects(packet, event, about)
    if content.reason_ended:
        about["treatmentTerminationReason"] = packet.say(REASONS_ENDED.term(content.reason_ended))
    return about


def _add_effects(packet: Packet, event: Event, about: Document) -> None:
    harms: list[Term] = []
    for link, effect in packet.effects(event):
        told = effect.content
        if link.reason is Reason.HARMS and isinstance(told, AdverseEvent):
            harms.append(packet.name(effect))
        elif link.reason is Reason.RESPONDS and isinstance(told, (Outcome, Imaging)) and told.read:
            about["responseToTreatment"] = packet.say(RECIST.term(told.read))
    if harms:
        about["adverseEvents"] = harms


def _procedure(packet: Packet, event: Event) -> Document:
    return {"procedure": {"code": packet.name(event), "performed": packet.span(event)}}


def _regimen(packet: Packet, event: Event, content: Treatment) -> Document:
    regimen: Document = {"ontologyClass": packet.name(event), "startTime": packet.moment(event.day)}
    if event.end is not None:
        regimen["endTime"] = packet.moment(event.end)
    if content.status is not Status.PLANNED:
        regimen["regimenStatus"] = REGIMEN_STATUSES[content.status]
    return {"therapeuticRegimen": regimen}


def _radiation(packet: Packet, event: Event) -> Document:
    """Radiotherapy; the record says neither dose nor fractions nor site."""
    return {"modality": packet.name(event), "bodySite": packet.say(NOT_STATED)}


def _drug(packet: Packet, event: Event, dose: DrugDose) -> Document:
    treatment: Document = {"agent": packet.term(dose.drug)}
    if dose.route:
        treatment["routeOfAdministration"] = packet.say(ROUTES.term(dose.route))
    last = packet.record.as_of if event.end is None else event.end
    interval: Document = {"interval": packet.interval(event.day, max(last, event.day))}
    if dose.dose is not None:
        interval["quantity"] = tell_quantity(packet, dose.dose.value, dose.dose.unit)
    if dose.text:
        interval["scheduleFrequency"] = packet.say(text_term(dose.text))
    treatment["doseIntervals"] = [interval]
    treatment["drugType"] = "EHR_MEDICATION_LIST"
    return treatment


@dataclass(slots=True, kw_only=True)
class _Group:
    """The actions of one treatment."""

    pointer: str
    """Where the first stands."""
    first: Document
    """The first."""
    start: date | None
    """Day on which it begins; None = not told."""
    end: date | None
    """Last day; None = not told."""
    drugs: list[DrugDose]
    """Its drugs."""
    modality: Modality
    """How it acts."""
    notes: list[str]
    """What was understood and has no field of its own."""


def read_actions(reader: PacketReader) -> None:
    """Read the section; needs the diseases read before."""
    group: _Group | None = None
    for number, action in enumerate(reader.document.get(SECTION, [])):
        pointer = f"/{SECTION}/{number}"
        if group is not None and _belongs(reader, action, pointer, group):
            _join(reader, group, action, pointer)
        else:
            if group is not None:
                reader.attempt(group.pointer, partial(_read_group, reader, group))
            group = _begin(reader, action, pointer)
    if group is not None:
        reader.attempt(group.pointer, partial(_read_group, reader, group))


def _belongs(reader: PacketReader, action: Document, pointer: str, group: _Group) -> bool:
    if pointer in reader.references or "procedure" in action or "therapeuticRegimen" in action:
        return False
    if group.pointer in reader.references:
        return True
    if "therapeuticRegimen" not in group.first:
        return False
    start = _drug_times(reader, action["treatment"])[0] if "treatment" in action else None
    return start is None or start == group.start


def _begin(reader: PacketReader, action: Document, pointer: str) -> _Group:
    start, end = _times(reader, action, pointer)
    modality = Modality.SURGERY if "procedure" in action else Modality.DRUG
    group = _Group(pointer=pointer, first=action, start=start, end=end, drugs=[], modality=modality, notes=[])
    _join(reader, group, action, pointer)
    return group


def _times(reader: PacketReader, action: Document, pointer: str) -> tuple[date | None, date | None]:
    if "procedure" in action:
        return reader.time(action["procedure"].get("performed"), f"{pointer}/procedure/performed")
    if "therapeuticRegimen" in action:
        place = f"{pointer}/therapeuticRegimen"
        regimen: Document = action["therapeuticRegimen"]
        start, _ = reader.time(regimen.get("startTime"), f"{place}/startTime")
        first, last = reader.time(regimen.get("endTime"), f"{place}/endTime")
        return start, last or first
    return _drug_times(reader, action["treatment"]) if "treatment" in action else (None, None)


def _drug_times(reader: PacketReader, treatment: Document) -> tuple[date | None, date | None]:
    times = [
        reader.calendar.interval(each["interval"])
        for each in treatment.get("doseIntervals", [])
        if "interval" in each
    ]
    if not times:
        return None, None
    ends = [end for _, end in times if end is not None]
    return min(start for start, _ in times), max(ends) if len(ends) == len(times) else None


def _join(reader: PacketReader, group: _Group, action: Document, pointer: str) -> None:
    if "treatment" in action:
        group.drugs.append(_read_drug(reader, action["treatment"], f"{pointer}/treatment"))
    elif "radiationTherapy" in action:
        group.modality = Modality.RADIATION
        radiation: Document = action["radiationTherapy"]
        if radiation.get("dosage"):
            group.notes.append(f"{radiation['dosage']} Gy in {radiation.get('fractions', 0)} fractions")
        site = text_of(radiation.get("bodySite", NOT_STATED))
        if site:
            group.notes.append(site)
    elif "procedure" in action and "bodySite" in action["procedure"]:
        group.notes.append(action["procedure"]["bodySite"]["label"])


def _read_drug(reader: PacketReader, treatment: Document, pointer: str) -> DrugDose:
    route = treatment.get("routeOfAdministration")
    intervals: list[Document] = treatment.get("doseIntervals", [])
    for number, each in enumerate(intervals[1:], start=1):
        words = [
            f"{each['quantity'].get('value', 0.0):g} {each['quantity']['unit']['label']}"
            if "quantity" in each
            else "",
            each.get("scheduleFrequency", NOT_STATED)["label"],
        ]
        reader.lose(f"{pointer}/doseIntervals/{number}", f"a further dose: {' '.join(words).strip()}")
    first = intervals[0] if intervals else {}
    quantity = first.get("quantity")
    return DrugDose(
        drug=reader.prefixes.term(treatment["agent"]),
        dose=None
        if quantity is None
        else read_quantity(reader, quantity, f"{pointer}/doseIntervals/0/quantity"),
        route="" if route is None else ROUTES.word_or_label(route),
        text=text_of(first.get("scheduleFrequency", NOT_STATED)),
    )


def _read_group(reader: PacketReader, group: _Group) -> None:
    beside = reader.beside(group.pointer)
    action = group.first
    status = _status(action, beside)
    content = Treatment(
        modality=_modality(reader, group, beside),
        drugs=tuple(group.drugs),
        line=int(number_of(beside["line"], group.pointer)) if "line" in beside else None,
        intent=_intent(reader, action, group.pointer, beside),
        status=status,
        dose_fraction=number_of(beside.get("fraction", "1"), group.pointer),
        reason_ended=_reason_ended(action),
    )
    is_told = group.pointer in reader.references
    end = group.end
    if not is_told and "treatment" in action and end is not None and end >= reader.calendar.last_encounter:
        end = None
    codes, note = _name(reader, group)
    draft = reader.add(group.pointer, content, group.start, end, codes=codes, note=note)
    if not is_told:
        _read_effects(reader, action, group.pointer, draft)
        _lose_target(reader, action, group.pointer)


def _modality(reader: PacketReader, group: _Group, beside: dict[str, str]) -> Modality:
    said = _MODALITIES.get(beside.get("modality", ""))
    if said is not None:
        return said
    intent = group.first.get("treatmentIntent")
    if intent is not None and INTENTS.word(intent) == "supportive":
        return Modality.SUPPORTIVE
    if group.pointer in reader.references or reader.is_after_diagnosis(group.start):
        return group.modality
    return Modality.SUPPORTIVE


def _status(action: Document, beside: dict[str, str]) -> Status:
    said = _STATUSES.get(beside.get("status", ""))
    if said is not None:
        return said
    if "procedure" in action:
        return Status.COMPLETED
    regimen: Document = action.get("therapeuticRegimen", {})
    return _USUAL[regimen.get("regimenStatus", "UNKNOWN_STATUS")]


def _intent(reader: PacketReader, action: Document, pointer: str, beside: dict[str, str]) -> Intent | None:
    said = _INTENTS.get(beside.get("intent", ""))
    term = action.get("treatmentIntent")
    if said is not None or term is None:
        return said
    word = INTENTS.word(term)
    if word is None:
        reader.lose(f"{pointer}/treatmentIntent", f"intent: {term['label']}")
    return _INTENTS.get(word or "")


def _reason_ended(action: Document) -> str:
    term = action.get("treatmentTerminationReason")
    return "" if term is None else REASONS_ENDED.word_or_label(term)


def _name(reader: PacketReader, group: _Group) -> tuple[tuple[Code, ...], str]:
    action, notes = group.first, list(group.notes)
    if "procedure" in action:
        codes = reader.codes(action["procedure"]["code"])
    elif "treatment" in action:
        codes = reader.codes(action["treatment"]["agent"])
    elif "radiationTherapy" in action:
        codes = reader.codes(action["radiationTherapy"]["modality"])
    else:
        regimen: Document = action["therapeuticRegimen"]
        codes = reader.codes(regimen.get("ontologyClass"))
        outer: Document = regimen.get("externalReference", {})
        words = " ".join(str(outer[key]) for key in ("id", "reference", "description") if outer.get(key))
        notes += [words] if words else []
    return codes, "; ".join(notes)


def _read_effects(reader: PacketReader, action: Document, pointer: str, draft: Draft) -> None:
    """Read what became of a treatment, where no lines of events say it better."""
    response = action.get("responseToTreatment")
    if response is not None:
        word = RECIST.word(response)
        if word is None:
            reader.lose(f"{pointer}/responseToTreatment", f"response: {response['label']}")
        else:
            kind = OutcomeType.PROGRESSION if word == "pd" else OutcomeType.RESPONSE
            content = Outcome(type=kind, read=Read(word))
            outcome = reader.add(f"{pointer}/responseToTreatment", content, draft.end)
            outcome.because.append((draft, Reason.RESPONDS))
    for number, term in enumerate(action.get("adverseEvents", [])):
        reader.lose(
            f"{pointer}/adverseEvents/{number}", f"an adverse event without grade and day: {term['label']}"
        )


def _lose_target(reader: PacketReader, action: Document, pointer: str) -> None:
    target = action.get("treatmentTarget")
    known = {each["term"]["id"] for each in reader.document.get("diseases", [])}
    if target is not None and target["id"] not in known:
        reader.lose(f"{pointer}/treatmentTarget", f"what it was for: {target['label']}")
