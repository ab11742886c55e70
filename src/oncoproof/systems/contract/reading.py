"""Reading what a system sent: leniently where it is more than asked for, strictly where it is wrong.

Rules this module guarantees:

- Whatever comes becomes an answer. Unknown fields are ignored; an optional field that is not what it should
  be is left out and noted as a fault; what is required and wrong makes the answer malformed.
- Items are put in the order of their ranks; of two with one rank the first counts, the fault is noted.
- A code is taken as it is where it is known; otherwise the text, or a code's own words, are looked up by
  name, and the item says `normalised`.

    >>> from datetime import date
    >>> from oncoproof.systems.contract.requests import PatientData, PatientFormat, Request, Task
    >>> request = Request("c1", Task.THERAPY, date(2026, 3, 1), PatientData(PatientFormat.TEXT, "…"))
    >>> sent = {"case_id": "c1", "status": "ok", "items": [{"kind": "regimen", "text": "Tagrisso"}]}
    >>> (item,) = read_answer(sent, request).items
    >>> item.code, item.normalised, item.probability
    ('osimertinib', True, None)
    >>> read_answer("osimertinib, I think", request).status.value
    'malformed'
"""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, TypeVar, cast

import orjson

from oncoproof.systems.contract.answers import (
    Abstention,
    Answer,
    Evidence,
    Fault,
    FaultKind,
    Item,
    ItemKind,
    Status,
    Usage,
    Verdict,
)
from oncoproof.systems.contract.naming import (
    NO_TREATMENT_WORDS,
    code_of_regimen,
    code_of_test,
    code_of_trial,
)
from oncoproof.systems.contract.requests import Request, Task

BYTES_MAX = 1_000_000
"""Largest response that is read."""

Plain: TypeAlias = Mapping[str, Any]
Sent: TypeAlias = bytes | str | Plain
Found = TypeVar("Found")

_SAID = {status.value: status for status in Status if status.is_of_system}
_CAME_MAX = 120


def read_answer(sent: Sent, request: Request) -> Answer:
    """The answer that a system sent.

    Args:
        sent: A response as bytes, text or plain values.
        request: What was asked.
    """
    reader = _Reader(request)
    plain = reader.parse(sent)
    if plain is None:
        return reader.malformed()
    return reader.read(plain)


@dataclass(slots=True)
class _Reader:
    """Reads one response and collects what is wrong with it."""

    request: Request
    faults: list[Fault] = field(default_factory=list[Fault])

    def note(self, kind: FaultKind, where: str, came: object) -> None:
        text = came if isinstance(came, str) else repr(came)
        self.faults.append(Fault(kind, where, text[:_CAME_MAX]))

    def malformed(self) -> Answer:
        return Answer(self.request.case_id, Status.MALFORMED, faults=tuple(self.faults))

    def parse(self, sent: Sent) -> Plain | None:
        """Plain values, or None where there are none."""
        if isinstance(sent, Mapping):
            return sent
        data = sent.encode("utf-8", "replace") if isinstance(sent, str) else sent
        if len(data) > BYTES_MAX:
            self.note(FaultKind.TOO_LARGE, "", f"{len(data)} bytes")
            return None
        try:
            value: object = orjson.loads(data)
        except orjson.JSONDecodeError:
            self.note(FaultKind.NOT_JSON, "", data[:_CAME_MAX].decode("utf-8", "replace"))
            return None
        if not isinstance(value, dict):
            self.note(FaultKind.NOT_AN_OBJECT, "", value)
            return None
        return cast("Plain", value)

    def read(self, plain: Plain) -> Answer:
        case, said = plain.get("case_id"), plain.get("status")
        for name, value in (("case_id", case), ("status", said)):
            if value is None:
                self.note(FaultKind.MISSING_FIELD, name, "")
        if case is not None and case != self.request.case_id:
            self.note(FaultKind.WRONG_CASE, "case_id", case)
        if said is not None and said not in _SAID:
            self.note(FaultKind.BAD_FIELD, "status", said)
        if self.faults:
            return self.malformed()
        status = _SAID[cast("str", said)]
        items = self.items(plain) if status is Status.OK else ()
        if status is Status.OK and not items:
            self.note(FaultKind.NO_ITEMS, "items", plain.get("items"))
            return self.malformed()
        return Answer(
            case_id=self.request.case_id,
            status=status,
            items=items,
            abstention=self.abstention(plain) if status is Status.ABSTAIN else None,
            rationale=self.optional(plain, "rationale", _text),
            usage=self.usage(plain),
            trace=tuple(_objects_of(self.listed(plain, "trace"))),
            system=self.system(plain),
            faults=tuple(self.faults),
        )

    def items(self, plain: Plain) -> tuple[Item, ...]:
        if "items" not in plain:
            self.note(FaultKind.MISSING_FIELD, "items", "")
        found = list(self.each_item(self.listed(plain, "items")))
        ranked: dict[int, Item] = {}
        for place, item in found:
            if item.rank in ranked:
                self.note(FaultKind.DUPLICATE_RANK, f"items[{place}].rank", item.rank)
            ranked.setdefault(item.rank, item)
        ordered = [ranked[rank] for rank in sorted(ranked)]
        if len(ordered) > self.request.limits.max_items:
            self.note(FaultKind.TOO_MANY_ITEMS, "items", f"{len(ordered)} items")
        return tuple(ordered[: self.request.limits.max_items])

    def each_item(self, listed: list[object]) -> Iterator[tuple[int, Item]]:
        for place, each in enumerate(listed):
            if isinstance(each, Mapping):
                item = self.item(cast("Plain", each), f"items[{place}]", place + 1)
                if item is not None:
                    yield place, item
            else:
                self.note(FaultKind.BAD_FIELD, f"items[{place}]", each)

    def item(self, plain: Plain, where: str, place: int) -> Item | None:
        kind = self.kind(plain, where)
        if kind is None:
            return None
        text = self.optional(plain, "text", _text, where) or ""
        code, normalised = self.code(plain, kind, text)
        if code is None and kind is not ItemKind.NO_TREATMENT:
            self.note(FaultKind.UNKNOWN_CODE, where, text or repr(plain.get("codes")))
        dose = self.optional(plain, "dose", _dose, where)
        return Item(
            rank=self.optional(plain, "rank", _rank, where) or place,
            kind=kind,
            code=code,
            text=text,
            dose=1.0 if dose is None else dose,
            probability=self.optional(plain, "probability", _probability, where),
            evidence=self.evidence(plain, where),
            criteria=self.criteria(plain, where),
            normalised=normalised,
        )

    def kind(self, plain: Plain, where: str) -> ItemKind | None:
        said = plain.get("kind")
        if said is None:
            return {Task.TRIAL_MATCH: ItemKind.TRIAL, Task.NEXT_TEST: ItemKind.TEST}.get(
                self.request.task, ItemKind.REGIMEN
            )
        try:
            return ItemKind(said)
        except ValueError:
            self.note(FaultKind.BAD_FIELD, f"{where}.kind", said)
            return None

    def code(self, plain: Plain, kind: ItemKind, text: str) -> tuple[str | None, bool]:
        """The code of an item, and whether it was made of words."""
        if kind is ItemKind.NO_TREATMENT:
            return None, False
        if kind is ItemKind.REGIMEN and text.strip().casefold() in NO_TREATMENT_WORDS:
            return None, True
        find = _FIND[kind]
        codes = _objects_of(self.listed(plain, "codes"))
        for each in (*(code.get("code") for code in codes), text):
            if isinstance(each, str) and each:
                found = find(each)
                if found is not None:
                    return found, found != each
        return None, False

    def evidence(self, plain: Plain, where: str) -> tuple[Evidence, ...] | None:
        if plain.get("evidence") is None:
            return None
        names = tuple(Evidence.__dataclass_fields__)
        return tuple(
            Evidence(**{name: value for name in names if isinstance(value := each.get(name), str)})
            for each in self.objects(plain, "evidence", where)
        )

    def criteria(self, plain: Plain, where: str) -> tuple[Verdict, ...] | None:
        if plain.get("criteria") is None:
            return None
        return tuple(
            Verdict(str(each.get("id", "")), str(each["verdict"]))
            for each in self.objects(plain, "criteria", where)
            if each.get("verdict") in {"met", "not_met", "unknown"}
        )

    def abstention(self, plain: Plain) -> Abstention:
        said = plain.get("abstain")
        if not isinstance(said, Mapping):
            return Abstention("", ())
        told = cast("Plain", said)
        missing = tuple(each for each in self.listed(told, "missing") if isinstance(each, str))
        return Abstention(self.optional(told, "reason", _text, "abstain") or "", missing)

    def usage(self, plain: Plain) -> Usage | None:
        said = plain.get("usage")
        if not isinstance(said, Mapping):
            return None
        told = cast("Plain", said)
        return Usage(
            model=self.optional(told, "model", _text, "usage"),
            input_tokens=self.optional(told, "input_tokens", _count, "usage"),
            output_tokens=self.optional(told, "output_tokens", _count, "usage"),
            energy_wh=self.optional(told, "energy_wh", _amount, "usage"),
            region=self.optional(told, "region", _text, "usage"),
        )

    def system(self, plain: Plain) -> str:
        said = plain.get("system")
        if not isinstance(said, Mapping):
            return ""
        told = cast("Plain", said)
        return " ".join(str(told[name]) for name in ("name", "version") if told.get(name))

    def optional(
        self, plain: Plain, name: str, read: Callable[[object], Found], where: str = ""
    ) -> Found | None:
        """An optional field; None and a fault where it is not what it should be."""
        value: object = plain.get(name)
        if value is None:
            return None
        try:
            return read(value)
        except (TypeError, ValueError):
            self.note(FaultKind.BAD_FIELD, f"{where}.{name}" if where else name, value)
            return None

    def listed(self, plain: Plain, name: str) -> list[object]:
        value: object = plain.get(name)
        if value is None:
            return []
        if isinstance(value, list | tuple):
            return list(cast("list[object]", value))
        self.note(FaultKind.BAD_FIELD, name, value)
        return []

    def objects(self, plain: Plain, name: str, where: str) -> list[Plain]:
        listed = self.listed(plain, name)
        for place, each in enumerate(listed):
            if not isinstance(each, Mapping):
                self.note(FaultKind.BAD_FIELD, f"{where}.{name}[{place}]", each)
        return _objects_of(listed)


def _objects_of(listed: list[object]) -> list[Plain]:
    return [cast("Plain", each) for each in listed if isinstance(each, Mapping)]


def timed(answer: Answer, *, latency_ms: float, attempts: int = 1) -> Answer:
    """The same answer with what asking took."""
    return replace(answer, latency_ms=latency_ms, attempts=attempts)


_FIND: dict[ItemKind, Callable[[str], str | None]] = {
    ItemKind.REGIMEN: code_of_regimen,
    ItemKind.TRIAL: code_of_trial,
    ItemKind.TEST: code_of_test,
}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)


def _probability(value: object) -> float:
    number = _number(value)
    if not 0.0 <= number <= 1.0:
        raise ValueError
    return number


def _dose(value: object) -> float:
    number = _number(value)
    if not 0.0 < number <= 1.0:
        raise ValueError
    return number


def _amount(value: object) -> float:
    number = _number(value)
    if number < 0:
        raise ValueError
    return number


def _count(value: object) -> int:
    number = _amount(value)
    if number != int(number):
        raise ValueError
    return int(number)


def _rank(value: object) -> int:
    number = _count(value)
    if number < 1:
        raise ValueError
    return number
