"""What a system answered: always an answer, whatever came.

Rules this module guarantees:

- An answer that is late, broken, refused or foreign is an answer with a status and its faults: a bad answer
  is scored as what it is, and never loses a run.
- What an optional field would have told and the system did not is None: not assessable, never a penalty.
- An item whose text was turned into a code by this side says so.

    >>> answer = Answer("c1", Status.OK, (Item(1, ItemKind.REGIMEN, "osimertinib"),))
    >>> answer.first and answer.first.code
    'osimertinib'
    >>> Answer("c1", Status.TIMEOUT).first is None
    True
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

RESPONSE_SCHEMA = "oncoproof.response/1"
"""What a response says it is."""


class Status(StrEnum):
    """What became of a question."""

    OK = "ok"
    """Answered with items."""
    ABSTAIN = "abstain"
    """The system says that it cannot or should not decide."""
    ERROR = "error"
    """The system says that it failed."""
    MALFORMED = "malformed"
    """What came is no response: not JSON, not the schema, another case."""
    REFUSED = "refused"
    """A model declined to answer."""
    TIMEOUT = "timeout"
    """Nothing came before the deadline."""
    UNREACHABLE = "unreachable"
    """The system could not be asked."""

    @property
    def is_of_system(self) -> bool:
        """Whether the system said so itself, in a response that can be read."""
        return self in {Status.OK, Status.ABSTAIN, Status.ERROR}


class ItemKind(StrEnum):
    """What an item recommends."""

    REGIMEN = "regimen"
    """A regimen; its code is a regimen id."""
    TRIAL = "trial"
    """A trial; its code is a registry number."""
    TEST = "test"
    """A test; its code is a biomarker key."""
    NO_TREATMENT = "no_treatment"
    """No treatment against the cancer."""


class FaultKind(StrEnum):
    """What is wrong with what came."""

    NOT_JSON = "not_json"
    """It is no JSON."""
    NOT_AN_OBJECT = "not_an_object"
    """It is JSON, but no object."""
    TOO_LARGE = "too_large"
    """It is larger than a response may be."""
    WRONG_CASE = "wrong_case"
    """It answers another case."""
    MISSING_FIELD = "missing_field"
    """A required field is missing."""
    BAD_FIELD = "bad_field"
    """A field is not what it should be."""
    UNKNOWN_CODE = "unknown_code"
    """An item names what nobody knows."""
    DUPLICATE_RANK = "duplicate_rank"
    """Two items have one rank."""
    TOO_MANY_ITEMS = "too_many_items"
    """There are more items than were asked for."""
    NO_ITEMS = "no_items"
    """It says `ok` and holds no item."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong."""

    kind: FaultKind
    """Which."""
    where: str
    """Path in the response; empty = the whole."""
    came: str
    """What came, shortened."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What an item rests on."""

    ref: str | None = None
    """An event of the record, or a feature; None = it is a source outside."""
    role: str | None = None
    """`supports`, `opposes` or `required`; None = not said."""
    source: str | None = None
    """A citation such as `pmid:29151359` or `nct:NCT02296125`; None = it is in the record."""
    level: str | None = None
    """Level of evidence as claimed; None = not said."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a system holds of a criterion of a trial."""

    id: str
    """The criterion."""
    verdict: str
    """`met`, `not_met` or `unknown`."""


@dataclass(frozen=True, slots=True)
class Item:
    """One recommendation."""

    rank: int
    """1 = the best."""
    kind: ItemKind
    """What it is."""
    code: str | None
    """Regimen id, registry number or test key; None = what it names is not known."""
    text: str = ""
    """What the system called it."""
    dose: float = 1.0
    """Dose as a share of the planned one."""
    probability: float | None = None
    """How sure the system is that this is right; None = not said."""
    evidence: tuple[Evidence, ...] | None = None
    """What it rests on; None = not said."""
    criteria: tuple[Verdict, ...] | None = None
    """Of a trial, criterion by criterion; None = not said."""
    normalised: bool = False
    """Whether the code was made of the text on this side."""


@dataclass(frozen=True, slots=True)
class Abstention:
    """Why a system does not decide."""

    reason: str
    """In words; may be empty."""
    missing: tuple[str, ...]
    """What it would have to know."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What an answer cost, as the system says."""

    model: str | None = None
    """Model that answered; None = not said."""
    input_tokens: int | None = None
    """Tokens read; None = not said."""
    output_tokens: int | None = None
    """Tokens written; None = not said."""
    energy_wh: float | None = None
    """Energy; None = not said."""
    region: str | None = None
    """Where it was computed; None = not said."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of one request."""

    case_id: str
    """The case that was asked."""
    status: Status
    """What became of it."""
    items: tuple[Item, ...] = ()
    """Recommendations, the best first."""
    abstention: Abstention | None = None
    """Why the system does not decide; None = it decides, or does not say."""
    rationale: str | None = None
    """Reasons in words; None = not said."""
    usage: Usage | None = None
    """What it cost; None = not said."""
    trace: tuple[Mapping[str, object], ...] = ()
    """Steps, as the system tells them."""
    system: str = ""
    """Name and version that answered, as it says; empty = not said."""
    faults: tuple[Fault, ...] = ()
    """What is wrong with what came."""
    latency_ms: float = field(default=0.0, compare=False)
    """From the question to the whole answer."""
    attempts: int = field(default=1, compare=False)
    """How often it was asked."""

    @property
    def first(self) -> Item | None:
        """The best recommendation; None = there is none."""
        return self.items[0] if self.items else None
