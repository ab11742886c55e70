"""What is in use where no evidence decides: the advice of policies, else the tables of regimens and drugs.

Rules this module guarantees:

- Advice counts in its situation and under its condition; what these ask of the tumour must be known,
  what they ask of the course is taken for granted where it is not, and named.
- A patient whose markers have situations of their own is advised by these alone.
- Advice on exactly these drugs comes before advice on more, of which they are a part.

    >>> from oncoproof.knowledge.graph.fact_reading import read_facts
    >>> from oncoproof.knowledge.graph.treatments import find_treatment
    >>> brigatinib = find_treatment("brigatinib")
    >>> custom = find_custom(read_facts({"ALK": "fusion"}, disease="nsclc"), brigatinib)
    >>> str(custom.advice[0].statement.object), custom.missing
    ('drug:brigatinib', ())
    >>> find_custom(read_facts({}, disease="nsclc"), brigatinib).missing
    ('ALK',)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from oncoproof.knowledge.expressions.evaluation import evaluate
from oncoproof.knowledge.expressions.explanations import missing_features
from oncoproof.knowledge.expressions.expressions import Expression, conjunction, names
from oncoproof.knowledge.graph.facts import Facts, is_of_tumour
from oncoproof.knowledge.graph.guidance_statements import option_statement
from oncoproof.knowledge.graph.statements import Statement
from oncoproof.knowledge.graph.treatments import Treatment
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.options import Option, Standing, drugs_of
from oncoproof.knowledge.policies.situations import Situation, load_situations
from oncoproof.knowledge.subjects.subjects import Subjects

_ADVANCED = "advanced"


@dataclass(frozen=True, slots=True)
class Advice:
    """A policy's advice on a treatment, as it bears on one patient."""

    statement: Statement
    """That the situation advises it."""
    drugs: tuple[str, ...]
    """What is advised: the drugs asked about, or more."""
    situation: str
    """Name of the situation."""
    is_of_markers: bool
    """Whether markers of the tumour decide the situation or the condition."""
    missing: tuple[str, ...]
    """Features that nobody knows and that decide whether it holds; empty = it does."""

    @property
    def untested(self) -> tuple[str, ...]:
        """Those of them that are of the tumour."""
        return tuple(filter(is_of_tumour, self.missing))


@dataclass(frozen=True, slots=True)
class Custom:
    """What policies advise on a treatment."""

    advice: tuple[Advice, ...]
    """What may hold for this patient, that which leaves least open first."""
    elsewhere: tuple[Statement, ...]
    """What holds in other situations of this disease."""
    assumed: tuple[str, ...] = ()
    """What is taken for granted of the patient, in words."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Markers of the tumour that would settle the best advice; empty = none is missing."""
        return self.advice[0].untested if self.advice else ()


def find_custom(facts: Facts, treatment: Treatment) -> Custom:
    """What policies advise on a treatment for a patient.

    Where the setting is not known it is taken to be advanced disease, unless no policy advises it there.
    """
    if "setting" not in facts.others:
        found = _find(facts, treatment, facts.subjects(setting=_ADVANCED), (f"setting {_ADVANCED}",))
        if found.advice:
            return found
    return _find(facts, treatment, facts.subjects(), ())


def _find(facts: Facts, treatment: Treatment, subjects: Subjects, assumed: tuple[str, ...]) -> Custom:
    own = _own_situations(facts, subjects)
    holding: list[Advice] = []
    elsewhere: list[Statement] = []
    for situation, option, statement in _options(facts.disease):
        drugs = drugs_of(option.action)
        if not set(treatment.drugs) <= set(drugs):
            continue
        parts = (situation.when,) if option.when is None else (situation.when, option.when)
        open_ = _open_features(conjunction(*parts), facts, subjects)
        if open_ is None or (own and situation.slug not in own):
            elsewhere.append(statement)
        else:
            by_markers = any(is_of_tumour(name) for part in parts for name in names(part))
            holding.append(Advice(statement, drugs, situation.name, by_markers, open_))
    holding.sort(key=lambda one: (len(one.drugs), len(one.untested), not one.is_of_markers, len(one.missing)))
    return Custom(tuple(holding), tuple(elsewhere), assumed)


@cache
def _options(disease: str) -> tuple[tuple[Situation, Option, Statement], ...]:
    """Each option that policies advise today in a disease, with its situation."""
    return tuple(_listed(disease))


def _listed(disease: str) -> Iterator[tuple[Situation, Option, Statement]]:
    for policy in load_policies().values():
        guideline = policy.content.guidelines.get(disease)
        for situation in load_situations()[disease] if guideline else ():
            for option in guideline.options.get(situation.slug, ()) if guideline else ():
                advised = option.standing in {Standing.PREFERRED, Standing.ACCEPTABLE}
                if advised and option.until is None and drugs_of(option.action):
                    yield situation, option, option_statement(policy, disease, situation.slug, option)


def _own_situations(facts: Facts, subjects: Subjects) -> frozenset[str]:
    """The situations that this patient's markers decide and that may hold; empty = there is none."""
    return frozenset(
        situation.slug
        for situation in load_situations()[facts.disease]
        if any(map(facts.knows_of_tumour, names(situation.when)))
        and (open_ := _open_features(situation.when, facts, subjects)) is not None
        and not any(map(is_of_tumour, open_))
    )


def _open_features(when: Expression, facts: Facts, subjects: Subjects) -> tuple[str, ...] | None:
    """The features that decide whether a condition holds; empty = it does, None = it does not."""
    truth = evaluate(when, subjects)
    if truth.false.all():
        return None
    rows = [missing_features(when, subjects, row=row) for row in range(subjects.rows)]
    is_same = len(set(zip(truth.true.tolist(), truth.false.tolist(), strict=True))) == 1
    several = [] if is_same else [name for name in sorted(names(when)) if facts.is_narrowed(name)]
    return tuple(dict.fromkeys((*(name for row in rows for name in row), *several)))
