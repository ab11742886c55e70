"""Time elements: timestamps, intervals and ages as dates.

Rules this module guarantees:

- An age is a date once the date of birth is known. Where it is not stated, it is inferred: from the
  age at the last encounter, or else from the highest age named, taken to be that of the day on which
  the document was created. The inference is named as a loss.
- A time that is no date (a gestational age, "adult onset") is named as a loss, and counts as not told.

    >>> add_duration(date(1964, 3, 15), "P52Y2M")
    datetime.date(2016, 5, 15)
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any, Final, cast

from oncoproof.errors import FormatError
from oncoproof.journey.phenopacket.checks import summary
from oncoproof.journey.phenopacket.schema import Document

_PARTS: Final = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T.*)?")


def parse_date(timestamp: str) -> date:
    """The day of a checked timestamp."""
    return date.fromisoformat(timestamp[:10])


def _amounts(duration: str) -> tuple[int, int]:
    """Months and days of a duration."""
    match = _PARTS.fullmatch(duration)
    years, months, weeks, days = (int(part or 0) for part in (match.groups() if match else ("0",) * 4))
    return 12 * years + months, 7 * weeks + days


def add_duration(start: date, duration: str, *, sign: int = 1) -> date:
    """The day a duration after a day (`sign` 1) or before it (`sign` -1).

    Raises:
        FormatError: There is no such day.
    """
    months, days = _amounts(duration)
    total = 12 * start.year + start.month - 1 + sign * months
    year, month = divmod(total, 12)
    try:
        return _last_possible(year, month + 1, start.day) + timedelta(days=sign * days)
    except (ValueError, OverflowError):
        raise FormatError(
            where="age",
            came=f"{duration} from {start}",
            expected="a day in the calendar",
            remedy="correct the age or the date of birth",
        ) from None


def _last_possible(year: int, month: int, day: int) -> date:
    """The day of a month, or its last one where the month is shorter."""
    for back in range(4):
        try:
            return date(year, month, day - back)
        except ValueError:
            if back == 3 or day - back <= 28:
                raise
    raise ValueError  # pragma: no cover  # the loop returns or raises


def _durations(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in cast("Document", value).items():
            if key == "iso8601duration":
                yield cast("str", item)
            else:
                yield from _durations(item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _durations(item)


class Calendar:
    """Turns the time elements of one document into dates."""

    def __init__(self, document: Document) -> None:
        """Find the date of birth, or infer it.

        Args:
            document: A checked document.
        """
        subject: Document = document.get("subject") or {}
        self.created: Final = parse_date(document["metaData"]["created"])
        stated = subject.get("dateOfBirth")
        self.inference: str = ""
        self.birth: date | None = parse_date(stated) if stated else self._infer(document, subject)
        last = self.read(subject.get("timeAtLastEncounter"))[0]
        self.last_encounter: Final = last or self.created

    def _infer(self, document: Document, subject: Document) -> date | None:
        at_last: Document = subject.get("timeAtLastEncounter") or {}
        duration = at_last.get("age", {}).get("iso8601duration")
        if duration is None:
            durations = sorted(_durations(document), key=_amounts)
            if not durations:
                return None
            duration = durations[-1]
        self.inference = f"not stated; inferred from an age of {duration} on the day of creation"
        return add_duration(self.created, duration, sign=-1)

    def read(self, element: Document | None) -> tuple[date | None, date | None, str]:
        """First day, last day where it is another, and what was not understood; None = not told."""
        if not element:
            return None, None, ""
        if "timestamp" in element:
            return parse_date(element["timestamp"]), None, ""
        if "interval" in element:
            first, last = self.interval(element["interval"])
            return first, last, ""
        if "age" in element and self.birth is not None:
            return add_duration(self.birth, element["age"]["iso8601duration"]), None, ""
        if "ageRange" in element and self.birth is not None:
            ages: Document = element["ageRange"]
            first = add_duration(self.birth, ages["start"]["iso8601duration"])
            last = add_duration(self.birth, ages["end"]["iso8601duration"])
            return first, max(first, last), ""
        return None, None, f"a time that is no date: {summary(next(iter(element.values())))}"

    def interval(self, interval: Document) -> tuple[date, date | None]:
        """First and last day of an interval; None = open."""
        end = interval.get("end")
        return parse_date(interval["start"]), parse_date(end) if end else None
