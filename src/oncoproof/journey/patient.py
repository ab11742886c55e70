"""Who the journey is about: demography and social attributes, as a record states them.

Everything here is what a record says; nothing is truth about biology. Empty and None mean that the
record says nothing, never "normal".

    >>> Patient(id="p1", sex=Sex.FEMALE, postcode="12345").sex
    <Sex.FEMALE: 'female'>
"""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from oncoproof.journey.bounds import require_amount


class Sex(StrEnum):
    """Administrative sex, as FHIR names it."""

    FEMALE = "female"
    """Female."""
    MALE = "male"
    """Male."""
    OTHER = "other"
    """Neither of the two."""
    UNKNOWN = "unknown"
    """Not stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """A person as a record describes them."""

    id: str
    """Opaque id: up to 64 letters, digits, hyphens, dots."""
    sex: Sex = Sex.UNKNOWN
    """Administrative sex."""
    birth_sex: Sex | None = None
    """Sex at birth; None = not stated."""
    birth: date | None = None
    """Date of birth; None = not stated."""
    race: str = ""
    """Race as the record words it; empty = not stated."""
    ethnicity: str = ""
    """Ethnicity as the record words it; empty = not stated."""
    family_name: str = ""
    """Family name; empty = not stated."""
    given_names: tuple[str, ...] = ()
    """Given names in order."""
    postcode: str = ""
    """Postcode; empty = not stated."""
    city: str = ""
    """Town; empty = not stated."""
    state: str = ""
    """State or province; empty = not stated."""
    country: str = ""
    """Country; empty = not stated."""
    language: str = ""
    """Preferred language as a BCP 47 tag; empty = not stated."""
    insurance: str = ""
    """Kind of health insurance; empty = not stated."""
    income: str = ""
    """Income band; empty = not stated."""
    education: str = ""
    """Highest education; empty = not stated."""
    disability: str = ""
    """Disability; empty = not stated."""
    distance_km: float | None = None
    """Distance to the treating centre in kilometres, 0 or more; None = not stated."""

    def __post_init__(self) -> None:
        require_amount("distance in km", self.distance_km)
