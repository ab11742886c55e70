"""Taking stock of the whole base: how much of each topic, how well founded, and what is wrong.

Rules this module guarantees:

- A topic that cannot be read is a problem among others, so that one call shows all that is to mend.
- Facts are counted by how they came to us: every record that states a basis, figures among them.

    >>> inventory = take_inventory()
    >>> inventory.problems, {held.topic: held.count for held in inventory.held}["diseases"]
    ((), 6)
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from oncoproof.errors import OncoproofError
from oncoproof.knowledge.graph.knowledge_graph import KnowledgeGraph
from oncoproof.knowledge.inventory.holdings import HOLDINGS, Holding, list_orphans
from oncoproof.knowledge.inventory.soundness import list_misfits
from oncoproof.knowledge.problems import Problem
from oncoproof.knowledge.sources import load_sources
from oncoproof.knowledge.tables import Basis, records_within


@dataclass(frozen=True, slots=True)
class Held:
    """How much the base holds of one topic."""

    room: str
    """Which package of `oncoproof.knowledge` tells of it; empty = the bibliography."""
    topic: str
    """What it is."""
    count: int
    """Records."""
    is_derived: bool
    """Whether it is worked out from other topics, and so adds no facts."""
    bases: Mapping[Basis, int]
    """Facts within them, by how they came to us; a record that states no basis is not counted."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """The stock of the base."""

    held: tuple[Held, ...]
    """Every topic that could be read."""
    sources: Mapping[str, int]
    """Entries of the bibliography, by kind."""
    statement_count: int
    """Edges of the knowledge graph."""
    problems: tuple[Problem, ...]
    """What is wrong; empty = nothing."""

    @property
    def bases(self) -> Mapping[Basis, int]:
        """Facts of all topics that are not derived, by how they came to us."""
        total: Counter[Basis] = Counter()
        for held in self.held:
            if not held.is_derived:
                total.update(held.bases)
        return MappingProxyType({basis: total[basis] for basis in Basis})


def take_inventory() -> Inventory:
    """Read every file, count, and put every question to the whole."""
    records: dict[str, tuple[object, ...]] = {}
    problems = [
        Problem(name, "a data file that nothing reads", "a file of a topic", "remove it, or add its topic")
        for name in list_orphans()
    ]
    for holding in HOLDINGS:
        try:
            records[holding.topic] = holding.records
        except OncoproofError as error:
            problems.append(Problem(error.where or holding.topic, error.came, error.expected, error.remedy))
    held = tuple(_held(holding, records[holding.topic]) for holding in HOLDINGS if holding.topic in records)
    if problems:  # questions about the whole need the whole
        return Inventory(held, MappingProxyType({}), 0, tuple(problems))
    kinds = Counter(source.kind.value for source in load_sources().values())
    return Inventory(
        held,
        MappingProxyType(dict(kinds.most_common())),
        len(KnowledgeGraph.load().web.statements),
        tuple(list_misfits(records)),
    )


def _held(holding: Holding, records: tuple[object, ...]) -> Held:
    return Held(holding.room, holding.topic, len(records), not holding.files, _bases(records))


def _bases(records: tuple[object, ...]) -> Mapping[Basis, int]:
    counts = Counter(
        basis for part in records_within(records) if isinstance(basis := getattr(part, "basis", None), Basis)
    )
    return MappingProxyType({basis: counts[basis] for basis in Basis if counts[basis]})
