"""Losses: what FHIR cannot say of a record, and what a record cannot say of FHIR.

Rules this module guarantees:

- Whatever is not listed here survives the way into FHIR and back.
- What a foreign document holds and a record cannot say is named at reading, place by place.

    >>> {limit.direction for limit in LOSSES} == {"to FHIR", "from FHIR"}
    True
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """One thing that one side cannot say."""

    direction: Literal["to FHIR", "from FHIR"]
    """Which way it is lost."""
    what: str
    """What cannot be said."""
    instead: str
    """What happens to it."""


def _to(what: str, instead: str) -> Limit:
    return Limit(direction="to FHIR", what=what, instead=instead)


def _from(what: str, instead: str) -> Limit:
    return Limit(direction="from FHIR", what=what, instead=instead)


LOSSES: tuple[Limit, ...] = (
    _to("truth: clones, events and links that nobody recorded", "a record holds none; a clone is refused"),
    _to(
        "kind, source, confidence, day of recording, causal links",
        "extensions urn:oncoproof:event, :detail and :link",
    ),
    _to("social attributes, distance to the centre", "extension urn:oncoproof:social of the patient"),
    _to("line of therapy, relative dose, words on why a treatment ended", "extension urn:oncoproof:detail"),
    _to(
        "parts of findings without a LOINC code, HGVS that is not HGVS",
        "components coded urn:oncoproof:finding",
    ),
    _to("RECIST reading of a response", "a coding urn:oncoproof:recist beside the SNOMED CT trend"),
    _to("a unit that is not UCUM", "the unit's words, without a code"),
    _to("an empty text where words are expected, a text of blanks", "nothing: empty and absent are one"),
    _to("bounds of a reference range beside a value without a number", "a range without a unit"),
    _to(
        "the last day told of, where nothing was recorded on it",
        "stated; `journey.visible` with it gives the record",
    ),
    _from("the time of day", "the calendar date; named as a loss"),
    _from("a date without day or month", "its first day; named as a loss"),
    _from("practitioners, organisations, encounters, devices", "named as losses"),
    _from("narratives, identifiers, telecommunication, street lines", "named as losses"),
    _from("laterality and other qualifiers of a body site", "named as losses; the site is kept"),
    _from(
        "reports that group observations, regions studied",
        "named as losses; observations are read themselves",
    ),
    _from(
        "a further coding of a value, a version of a code system", "named as a loss; the first coding is kept"
    ),
    _from("service requests and care plans of others", "named as losses: they state no decision of a record"),
    _from(
        "suspected causes of harm stated by others", "named as losses: no one says when they were recorded"
    ),
    _from("resources about other patients", "named as losses: a journey is about one patient"),
    _from("ranges, ratios, sampled data and periods as values", "named as losses"),
    _from("statuses such as amended or entered-in-error", "named as losses; the value is kept"),
    _from(
        "what breaks the rules of a journey, such as a treatment before its diagnosis",
        "named as a loss with the rule",
    ),
)
"""What gets lost on the way, in both directions."""
