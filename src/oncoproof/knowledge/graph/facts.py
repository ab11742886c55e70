"""What is known of a patient's tumour, as the values that are still possible, and what follows from it.

Rules this module guarantees:

- A biomarker may be given as a plain value, as a group (`EGFR` `mut`), as alternatives (`g12c|other`) or
  as a protein change (`KRAS` `G12D`); what is not given may still be anything.
- Marker constraints are applied until nothing more follows: a KRAS mutation makes RAS mutated. Each step
  is kept as a statement, so that an answer can show it.
- Whether a condition holds is yes, no, or not known (None).

    >>> facts = read_facts({"KRAS": "G12D"}, disease="crc")
    >>> facts.word("KRAS"), facts.word("RAS")
    ('other', 'mut')
    >>> from oncoproof.knowledge.medicines.conditions import parse_condition
    >>> facts.admits(parse_condition("RAS=wt")), facts.admits(parse_condition("BRAF=v600e"))
    (False, None)
"""

import difflib
import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import cast

from oncoproof.errors import InputError
from oncoproof.knowledge.cancers.biomarkers import Biomarker, BiomarkerKind, load_biomarkers
from oncoproof.knowledge.cancers.diseases import load_diseases
from oncoproof.knowledge.cancers.marker_constraints import MarkerConstraint, load_marker_constraints
from oncoproof.knowledge.graph.marker_statements import marker_node, word_of
from oncoproof.knowledge.graph.statements import Relation, Statement
from oncoproof.knowledge.medicines.conditions import Condition, parse_condition
from oncoproof.knowledge.medicines.drugs import classes_of, load_drugs
from oncoproof.knowledge.subjects.findings import load_finding_patterns
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary

_ROWS_MAX = 128
"""Combinations of open values that are worked out one by one; beyond it a value counts as not known."""

_OF_THE_PATIENT = frozenset({BiomarkerKind.CLINICAL, BiomarkerKind.PHARMACOGENE})

_AMINO_ACIDS = dict(
    zip(
        "ARNDCQEGHILKMFPSTWYV",
        [
            "Ala",
            "Arg",
            "Asn",
            "Asp",
            "Cys",
            "Gln",
            "Glu",
            "Gly",
            "His",
            "Ile",
            "Leu",
            "Lys",
            "Met",
            "Phe",
            "Pro",
            "Ser",
            "Thr",
            "Trp",
            "Tyr",
            "Val",
        ],
        strict=True,
    )
)
_SHORT_CHANGE = re.compile(r"(?:p\.)?\(?([A-Z])(\d+)([A-Z])\)?")


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of one patient."""

    disease: str
    """Disease slug."""
    possible: Mapping[str, frozenset[str]]
    """The plain values that each biomarker may still have; a key left out may have any."""
    numbers: Mapping[str, float]
    """Biomarkers that are numbers, in their unit."""
    others: Mapping[str, object]
    """Everything else that is known, by feature."""
    deduced: Mapping[str, Statement] = field(default_factory=dict[str, Statement])
    """For each biomarker that follows from another, how."""

    def word(self, key: str) -> str | None:
        """The value or group that says what is known of a biomarker; None = nothing, or it has no name."""
        if key in self.numbers:
            return f"{self.numbers[key]:g}"
        return word_of(key, self.possible[key]) if key in self.possible else None

    def marker(self, key: str) -> str:
        """The node of what is known of a biomarker; of alternatives without a name, all of them."""
        return marker_node(key, self.word(key) or "|".join(sorted(self.possible[key])))

    def admits(self, condition: Condition) -> bool | None:
        """Whether a condition holds; None = not known."""
        key = condition.key
        if key in self.numbers:
            return condition.admits(self.numbers[key])
        if load_biomarkers()[key].is_open:
            return self._was_given(condition)
        if condition.low is not None:
            return None
        return _holds(self.possible, condition, self.disease)

    def _was_given(self, condition: Condition) -> bool | None:
        if "prior_drugs" not in self.others:
            return None
        drugs = [drug for drug in _texts(self.others["prior_drugs"]) if drug in load_drugs()]
        words = {word for drug in drugs for word in (drug, *classes_of(drug))}
        return not words.isdisjoint(condition.values)

    def subjects(self, **plan: object) -> Subjects:
        """A row for each combination of the values still possible, all with the same plan.

        Args:
            **plan: Features of the plan.
        """
        open_keys = sorted(self.possible, key=lambda key: len(self.possible[key]))
        kept: list[str] = []
        rows = 1
        for key in open_keys:
            rows *= len(self.possible[key])
            if rows > _ROWS_MAX:
                break
            kept.append(key)
        same = {"disease": self.disease, **self.numbers, **self.others, **plan}
        combinations = itertools.product(*(sorted(self.possible[key]) for key in kept))
        return Subjects.of_rows([{**same, **dict(zip(kept, values, strict=True))} for values in combinations])


def is_of_tumour(key: str) -> bool:
    """Whether a biomarker is of the tumour, rather than a state, history or gene of the patient."""
    return load_biomarkers()[key].kind not in _OF_THE_PATIENT


def read_facts(given: Mapping[str, object], *, disease: str | None = None) -> Facts:
    """What is known, from biomarkers and features by name.

    Args:
        given: Biomarkers by key, and any features of the vocabulary; None = not known.
        disease: Disease slug; None = `given` names it.

    Raises:
        InputError: A name or value is not known here, or no disease is given.
    """
    slug = _disease(str(disease or given.get("disease") or ""))
    possible: dict[str, frozenset[str]] = {}
    numbers: dict[str, float] = {}
    others: dict[str, object] = {}
    for name, value in given.items():
        if value is None or name == "disease":
            continue
        marker = load_biomarkers().get(name)
        if marker is None or marker.is_open:
            others[_feature(name)] = value
        elif marker.is_numeric:
            numbers[name] = _number(marker, value)
        else:
            for key, values in _values(marker, str(value), slug).items():
                possible[key] = possible.get(key, values) & values or values
    deduced = _deduce(possible, slug)
    return Facts(slug, possible, numbers, others, deduced)


def _disease(slug: str) -> str:
    if slug not in load_diseases():
        raise InputError(
            came=f"disease {slug!r}" if slug else "no disease",
            expected="a disease of diseases.toml",
            remedy=_nearest(slug, load_diseases()),
        )
    return slug


def _feature(name: str) -> str:
    known = load_vocabulary().features
    if name not in known:
        raise InputError(
            came=f"fact {name!r}",
            expected="a biomarker key or a feature of the vocabulary",
            remedy=_nearest(name, known),
        )
    return name


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=3) or difflib.get_close_matches(
        word.upper(), list(known), n=3
    )
    return (
        f"did you mean {' or '.join(close)}?" if close else f"one of {', '.join(itertools.islice(known, 8))}"
    )


def _number(marker: Biomarker, value: object) -> float:
    if isinstance(value, int | float) and marker.permits(str(value)):
        return float(value)
    raise InputError(
        where=marker.key,
        came=repr(value),
        expected=f"a number from {marker.low:g} to {marker.high:g} ({marker.unit})",
        remedy="give the number in this unit",
    )


def _values(marker: Biomarker, text: str, disease: str) -> Mapping[str, frozenset[str]]:
    """The plain values a text stands for, by biomarker: a protein change may tell of several."""
    words = text.split("|")
    if all(marker.permits(word) for word in words):
        meant = {value for word in words for value in marker.expand(word)}
        return {marker.key: frozenset(meant & set(marker.values_in(disease))) or frozenset(meant)}
    change = _change(text)
    rows = load_finding_patterns().get((BiomarkerKind.SMALL_VARIANT, marker.key), ())
    read = {row.biomarker: frozenset({row.value}) for row in rows if row.matches(change)}
    if marker.key in read:
        return {key: values for key, values in read.items() if load_biomarkers()[key].applies_to(disease)}
    raise InputError(
        where=marker.key,
        came=repr(text),
        expected="one of " + ", ".join((*marker.values, *marker.groups)),
        remedy=_nearest(text, (*marker.values, *marker.groups)),
    )


def _change(text: str) -> str:
    """A protein change in three-letter code, as the patterns read it; other text as it stands."""
    short = _SHORT_CHANGE.fullmatch(text)
    if short and {short[1], short[3]} <= set(_AMINO_ACIDS):
        return f"{_AMINO_ACIDS[short[1]]}{short[2]}{_AMINO_ACIDS[short[3]]}"
    return text.removeprefix("p.").replace("(", "").replace(")", "")


def _texts(value: object) -> list[str]:
    return [str(item) for item in cast("Iterable[object]", value)] if isinstance(value, Iterable) else []


def _deduce(possible: dict[str, frozenset[str]], disease: str) -> dict[str, Statement]:
    """Narrow the values by the marker constraints until nothing more follows."""
    deduced: dict[str, Statement] = {}
    rules = [found for found in load_marker_constraints() if found.applies_to(disease)]
    found = True
    while found:
        found = False
        for rule in rules:
            narrowed = _narrow(rule, possible, disease)
            if narrowed is None:
                continue
            cause, key, values = narrowed
            before = Facts(disease, dict(possible), {}, {}).marker(cause)
            possible[key] = values
            after = Facts(disease, possible, {}, {}).marker(key)
            deduced[key] = Statement(
                before, Relation.IMPLIES, after, rule.sentence, rule.source, rule.basis, disease
            )
            found = True
    return deduced


def _narrow(
    rule: MarkerConstraint, possible: Mapping[str, frozenset[str]], disease: str
) -> tuple[str, str, frozenset[str]] | None:
    """What one constraint takes away: the key it follows from, the key narrowed and what is left."""
    whens = [parse_condition(part) for part in rule.when.split(";")]
    thens = [parse_condition(part) for part in rule.then.split(";")]
    now = {part: _holds(possible, part, disease) for part in (*whens, *thens)}
    open_thens = [part for part in thens if now[part] is not False]
    open_whens = [part for part in whens if now[part] is not True]
    if not open_whens and len(open_thens) == 1 and now[open_thens[0]] is None:
        target = open_thens[0]
        kept = _open(possible, target.key, disease) & target.plain_values()
        return whens[0].key, target.key, kept
    if not open_thens and len(open_whens) == 1 and now[open_whens[0]] is None:
        target = open_whens[0]
        kept = _open(possible, target.key, disease) - target.plain_values()
        return thens[0].key, target.key, kept
    return None


def _open(possible: Mapping[str, frozenset[str]], key: str, disease: str) -> frozenset[str]:
    return possible.get(key) or frozenset(load_biomarkers()[key].values_in(disease))


def _holds(possible: Mapping[str, frozenset[str]], condition: Condition, disease: str) -> bool | None:
    values, wanted = _open(possible, condition.key, disease), condition.plain_values()
    if values <= wanted:
        return True
    return False if values.isdisjoint(wanted) else None
