"""What must hold across the whole base; each question lists what does not.

Rules this module guarantees:

- Loading refuses what is malformed; these questions ask what only several files together can tell.
- Each problem names the record, what came, what was expected and what to try.

    >>> from oncoproof.knowledge.tables import Basis
    >>> figure = Figure(0.2, 0.3, 0.4, "1", "project:assumptions", Basis.ASSUMED)
    >>> [problem.came for problem in misfits_of_figure(figure, "x")]
    ['0.2 outside 0.3 to 0.4']
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from oncoproof.errors import UnitError
from oncoproof.journey import check_unit
from oncoproof.knowledge.evidence.citations import sources_of
from oncoproof.knowledge.expressions.evaluation import evaluate
from oncoproof.knowledge.graph.knowledge_graph import KnowledgeGraph
from oncoproof.knowledge.graph.statements import Statement
from oncoproof.knowledge.medicines.regimens import load_regimens
from oncoproof.knowledge.policies.library import load_policies
from oncoproof.knowledge.policies.options import drugs_of
from oncoproof.knowledge.populations.demography import load_demography
from oncoproof.knowledge.populations.prevalence import load_prevalence
from oncoproof.knowledge.problems import Problem
from oncoproof.knowledge.rules.rules import Rule, load_rules
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.tables import Figure, records_within

_ROUNDING = 0.011
"""How far the shares of a partition may miss 1: published percentages are rounded."""


def list_misfits(held: Mapping[str, Iterable[object]]) -> Iterator[Problem]:
    """Everything that does not hold.

    Args:
        held: The records of each topic.
    """
    yield from _unknown_and_idle_sources(held)
    for topic, records in held.items():
        yield from _misfits_of_figures(topic, records)
    yield from _open_partitions()
    for rule in load_rules().values():
        yield from _wrong_examples(rule)
    yield from _unlisted_actions()
    for statement in KnowledgeGraph.load().web.statements:
        yield from _misfits_of_statement(statement)


def _unknown_and_idle_sources(held: Mapping[str, Iterable[object]]) -> Iterator[Problem]:
    named = {topic: set(sources_of(records)) for topic, records in held.items() if topic != "sources"}
    for topic, sources in named.items():
        for source in sorted(sources - set(load_sources())):
            yield Problem(topic, source, "a source of sources.csv", "add it there, or correct the id")
    used = {source for sources in named.values() for source in sources}
    for source in sorted(set(load_sources()) - used):
        yield Problem("sources", f"{source}, which no fact names", "a source of a fact", "remove it")


def _misfits_of_figures(topic: str, records: Iterable[object]) -> Iterator[Problem]:
    for record in records:
        for part in records_within(record):
            if isinstance(part, Figure):
                yield from misfits_of_figure(part, f"{topic}: {_name(record)}")


def misfits_of_figure(figure: Figure, where: str) -> Iterator[Problem]:
    """What is wrong with one figure."""
    low = -math.inf if figure.low is None else figure.low
    high = math.inf if figure.high is None else figure.high
    if not low <= figure.value <= high or not math.isfinite(figure.value):
        came = f"{figure.value:g} outside {low:g} to {high:g}"
        yield Problem(where, came, "a value within its interval", "correct the figure")
    try:
        check_unit(figure.unit)
    except UnitError as error:
        yield Problem(where, f"unit {error.came}", error.expected, error.remedy)


def _open_partitions() -> Iterator[Problem]:
    totals: dict[str, float] = defaultdict(float)
    for fact in load_prevalence():
        if fact.partition:
            totals[f"prevalences: {fact.partition}"] += fact.share.value
    for fact in load_demography():
        if fact.partition:
            totals[f"demography: {fact.partition}"] += fact.figure.value
    for where, total in totals.items():
        if abs(total - 1) > _ROUNDING:
            yield Problem(
                where, f"shares that sum to {total:g}", "shares that sum to 1", "complete the parts"
            )


def _wrong_examples(rule: Rule) -> Iterator[Problem]:
    """Where a rule does not do what its own examples say."""
    where = f"safety rules: {rule.topic} {rule.id}"
    fires = dict(rule.text.fires)
    unknown = rule.text.unknown.split()
    rows = [fires, {**fires, **rule.text.passes}, {k: v for k, v in fires.items() if k not in unknown}]
    truth = evaluate(rule.breach, Subjects.of_rows(rows))
    if not truth.true[0]:
        yield Problem(where, "`fires` keeps the rule", "an example that breaks it", "mend the example")
    if not truth.false[1]:
        yield Problem(where, "`passes` breaks the rule", "an example that keeps it", "mend the example")
    if unknown and truth.known[2]:
        yield Problem(where, "settled without `unknown`", "a rule that needs it", "name what it needs")
    if not unknown and rule.can_be_unknown:
        yield Problem(where, "no `unknown`", "the feature it cannot do without", "name it")


def _unlisted_actions() -> Iterator[Problem]:
    for policy in load_policies().values():
        for action in policy.content.actions:
            if drugs_of(action) and action not in load_regimens():
                where = f"policies: {policy.slug}"
                yield Problem(where, f"regimen {action!r}", "a regimen of regimens.toml", "add it there")


def _misfits_of_statement(statement: Statement) -> Iterator[Problem]:
    where = f"statements: {statement.subject} {statement.relation} {statement.object}"
    if statement.source not in load_sources():
        yield Problem(where, f"source {statement.source!r}", "a source of sources.csv", "add it there")
    if not statement.sentence.rstrip().endswith((".", "?", "!")):
        yield Problem(where, repr(statement.sentence), "a sentence", "end it with a full stop")


def _name(record: object) -> str:
    """What a record is called, for a reader who looks for its row."""
    for field in ("id", "slug", "key", "assay", "row_id", "name"):
        value = getattr(record, field, None)
        if isinstance(value, str):
            return value
    return repr(record)[:160]
