"""The record: what has been observed and written down by a time, and nothing else.

Rules this module guarantees:

- Every event and link of a record was recorded on `as_of` or before; nothing in it lies later, and
  an end later than `as_of` is not told.
- A record holds no truth: what was never recorded is not in it. So a function that takes a
  `Record` cannot leak what its caller must not see.

    >>> from datetime import date
    >>> record = Record(patient=Patient(id="p1"), index=date(2026, 3, 1), as_of=30, events=(), links=())
    >>> record.day_to_date(30)
    datetime.date(2026, 3, 31)
"""

from dataclasses import dataclass
from datetime import date, timedelta

from oncoproof.journey.events import Event
from oncoproof.journey.links import Link
from oncoproof.journey.patient import Patient


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """What is known of a patient at a time."""

    patient: Patient
    """Who it is about."""
    index: date
    """The date of day 0."""
    as_of: int
    """The last day it tells of."""
    events: tuple[Event, ...]
    """What is known, in order of time."""
    links: tuple[Link, ...]
    """Causal links that have been recorded."""

    def day_to_date(self, day: int) -> date:
        """The calendar date of a day of this record."""
        return self.index + timedelta(days=day)
