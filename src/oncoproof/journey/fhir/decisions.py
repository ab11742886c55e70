"""Decisions: what somebody chose to do, as a service request, and back.

Rules this module guarantees:

- A decision is a service request: it states what was chosen, by whom, when and why, and refers to what it
  rested on. A care plan stands for the treatment that came of it, so the two are never confused.

    >>> _READ >= {"code", "requester", "supportingInfo"}
    True
"""

from typing import NamedTuple

from oncoproof.journey.codes import Code
from oncoproof.journey.contents import Decision
from oncoproof.journey.events import Event
from oncoproof.journey.fhir.addresses import OPTION
from oncoproof.journey.fhir.faults import Object
from oncoproof.journey.fhir.listings import names_in
from oncoproof.journey.fhir.readers import ALWAYS, Found, Item, Reader
from oncoproof.journey.fhir.writer import Writer, coding_of, named, words
from oncoproof.journey.links import Reason


def write_decision(writer: Writer, event: Event, content: Decision) -> None:
    """Add a decision to the bundle."""
    more: list[Object] = [*writer.end_mark(event)]
    if content.probability is not None:
        more.append({"url": "probability", "valueDecimal": content.probability})
    extensions = writer.marks(event, *more)
    if content.options:
        options = [{"url": "option", "valueCoding": coding_of(option)} for option in content.options]
        extensions.append({"url": OPTION, "extension": options})
    resource: Object = {
        "resourceType": "ServiceRequest",
        "id": event.id,
        "extension": extensions,
        "status": "completed",
        "intent": "plan",
        "category": [words(content.task)],
        "code": named(event.codes),
        "subject": writer.subject(),
        "authoredOn": writer.date(event.day),
    }
    if content.maker:
        resource["requester"] = {"display": content.maker}
    if content.rationale:
        resource["reasonCode"] = [{"text": content.rationale}]
    informed = [
        {"reference": writer.addresses[link.cause]}
        for link in writer.causes(event)
        if link.reason is Reason.INFORMS
    ]
    if informed:
        resource["supportingInfo"] = informed
    if event.note:
        resource["note"] = [{"text": event.note}]
    writer.put(resource)


_READ = ALWAYS | names_in(
    "status intent category code subject authoredOn requester reasonCode supportingInfo note"
)


def read_decision(reader: Reader, item: Item) -> list[Found]:
    """The decision that a service request of this project's making stands for."""
    resource = item.resource
    codes, task = reader.once(item, _read_heading)
    day, _ = reader.first_day(item, "authoredOn")
    options = item.extension(OPTION).get("extension", ())
    probability, end = item.marks.get("probability"), item.marks.get("end")
    reasons = [each.get("text", "") for each in resource.get("reasonCode", ())]
    reader.take_note(item)
    reader.rest(item, _READ)
    content = Decision(
        maker=resource.get("requester", {}).get("display", ""),
        task=task,
        options=tuple(_considered(reader, item, option) for option in options),
        probability=float(probability) if isinstance(probability, int | float) else None,
        rationale=reasons[0] if reasons else "",
    )
    end_day = None if end is None else reader.day(item, ".extension", str(end))
    return [Found(content=content, day=day, codes=codes, end=end_day)]


class _Heading(NamedTuple):
    """What many requests say alike."""

    codes: tuple[Code, ...]
    """What was chosen."""
    task: str
    """What was to be decided; empty = not stated."""


def _read_heading(reader: Reader, item: Item) -> _Heading:
    tasks = [each.get("text", "") for each in item.resource.get("category", ())]
    codes = reader.codes(item, ".code", item.resource.get("code"))
    return _Heading(codes, tasks[0] if tasks else "")


def _considered(reader: Reader, item: Item, option: Object) -> Code:
    code = reader.code(item, ".extension", option.get("valueCoding", {}))
    return Code("", "") if code is None else code
