"""The closed vocabulary of a subject: what rules and policies may speak about, and in which terms.

A *subject* is a patient at a decision, with the plan that is being considered, if there is one.
`vocabulary.load_vocabulary` reads the features from `data/features.toml` and the other tables.

Rules this module guarantees:

- A feature has one kind; a number has a UCUM unit and plausible bounds, a category its values, a set
  its members. A value or member outside the list is not of the vocabulary.
- A group stands for several values (`EGFR` `mut` is any but `wt`) and is never a patient's value.

    >>> egfr = Feature("EGFR", FeatureKind.CATEGORY, FeaturePart.BIOMARKER, "EGFR mutation.",
    ...                values=("wt", "ex19del", "l858r"), groups={"mut": ("ex19del", "l858r")})
    >>> egfr.expand("mut"), egfr.expand("wt"), egfr.expand("v600e")
    (('ex19del', 'l858r'), ('wt',), ())
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from oncoproof.errors import FormatError
from oncoproof.knowledge.tables import Basis


class FeatureKind(StrEnum):
    """What sort of value a feature has."""

    NUMBER = "number"
    """A number with a unit."""
    CATEGORY = "category"
    """One of several values."""
    FLAG = "flag"
    """Yes or no."""
    SET = "set"
    """Any of several members."""
    NUMBERS = "numbers"
    """A number for each of several members, such as a dose for each drug."""


class FeaturePart(StrEnum):
    """Which part of the subject a feature describes."""

    PERSON = "person"
    """Who the patient is."""
    TUMOUR = "tumour"
    """What the disease is and how far it has gone."""
    BIOMARKER = "biomarker"
    """What a test of tumour, blood or germline shows, pharmacogenes included."""
    HISTORY = "history"
    """What has been given and done before."""
    HEALTH = "health"
    """Other illnesses, medicines and organ function."""
    LABORATORY = "laboratory"
    """Blood, urine, heart: what is measured."""
    PLAN = "plan"
    """What is being considered; absent where there is no plan."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One thing that may be said of a subject."""

    name: str
    """What rules call it."""
    kind: FeatureKind
    """What sort of value it has."""
    part: FeaturePart
    """Which part of the subject it describes."""
    about: str
    """One sentence that says what it is."""
    words: str = ""
    """How an explanation calls it; empty = the name with spaces."""
    unit: str = ""
    """UCUM, for numbers; `1` for shares, counts and scores; empty for other kinds."""
    low: float | None = None
    """Lowest plausible value, in `unit`; None = not a number."""
    high: float | None = None
    """Highest plausible value, in `unit`; None = not a number."""
    values: tuple[str, ...] = ()
    """Values of a category, members of a set, or those that have a number."""
    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Words that stand for several values."""
    members_of: str = ""
    """The table that lists the values (`drugs`, `classes`, …); empty = `values` does."""
    source: str = ""
    """Where bounds and values come from: id of an entry of `sources.csv`."""
    basis: Basis = Basis.ASSUMED
    """How bounds and values came to us."""

    @property
    def spoken(self) -> str:
        """What an explanation calls it."""
        return self.words or self.name.replace("_", " ")

    def expand(self, word: str) -> tuple[str, ...]:
        """The values a word stands for: a group's, or itself; empty where it is unknown."""
        if word in self.groups:
            return self.groups[word]
        return (word,) if word in self.values else ()


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """All features, by name."""

    features: Mapping[str, Feature]
    """By name, in the order of the files."""

    def feature(self, name: str) -> Feature:
        """The feature of that name."""
        found = self.features.get(name)
        if found is None:
            raise FormatError(
                came=f"feature {name!r}",
                expected="a name of features.toml or a biomarker key",
                remedy=_suggest(name, self.features),
            )
        return found

    def of_part(self, part: FeaturePart) -> tuple[Feature, ...]:
        """The features that describe one part of the subject."""
        return tuple(feature for feature in self.features.values() if feature.part is part)


def _suggest(word: str, known: Mapping[str, object]) -> str:
    import difflib  # noqa: PLC0415  needed only when something is wrong

    close = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {close[0]!r}?" if close else "see data/features.toml"
