"""Chains of statements from one thing to another, shortest first, and what makes one better than another.

Rules this module guarantees:

- A chain is connected: each step begins where the one before it ended. A step reads its statement from
  subject to object, or backwards where the search was allowed to.
- A chain found is shortest; among the shortest its statements are the best founded (computed or read
  before recalled before assumed), and among those the order of the statements decides.
- No chain leads over a statement that keeps two things apart, or one of another disease, unless asked.

    >>> fact = Statement("drug:olaparib", Relation.IS_A, "class:parp_inhibitor", "…", "x:y", Basis.READ)
    >>> web = Web.of([fact])
    >>> [str(step) for step in web.chain("class:parp_inhibitor", "drug:olaparib", either_way=True) or ()]
    ['class:parp_inhibitor <- is_a - drug:olaparib']
    >>> web.chain("class:parp_inhibitor", "drug:olaparib") is None
    True
"""

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from oncoproof.knowledge.graph.statements import Relation, Statement
from oncoproof.knowledge.tables import Basis

_WEAKNESS = {Basis.COMPUTED: 0, Basis.READ: 0, Basis.RECALLED: 1, Basis.ASSUMED: 2}


@dataclass(frozen=True, slots=True)
class Step:
    """One statement of a chain, and which way it is read."""

    statement: Statement
    """The statement."""
    is_reversed: bool = False
    """Whether it is read from object to subject."""

    @property
    def start(self) -> str:
        """Node id where it begins."""
        return self.statement.object if self.is_reversed else self.statement.subject

    @property
    def end(self) -> str:
        """Node id where it ends."""
        return self.statement.subject if self.is_reversed else self.statement.object

    def __str__(self) -> str:
        """The two nodes with an arrow that points from subject to object."""
        word = self.statement.relation.value
        return (
            f"{self.start} <- {word} - {self.end}"
            if self.is_reversed
            else f"{self.start} - {word} -> {self.end}"
        )


Chain: TypeAlias = tuple[Step, ...]
"""Steps, each of which begins where the one before it ended; empty = one stays where one is."""

Admits: TypeAlias = Callable[[Step], bool]
"""Whether a chain may take a step."""


def weakness(chain: Iterable[Step]) -> int:
    """How weakly a chain is founded: 0 for each statement read or computed, 1 recalled, 2 assumed."""
    return sum(_WEAKNESS[step.statement.basis] for step in chain)


@dataclass(frozen=True, slots=True)
class Web:
    """Statements, indexed by both their ends."""

    statements: tuple[Statement, ...]
    """All of them, in order."""
    outgoing: Mapping[str, tuple[Step, ...]]
    """The steps that leave each node forwards."""
    incoming: Mapping[str, tuple[Step, ...]]
    """The steps that leave each node backwards."""

    @classmethod
    def of(cls, statements: Iterable[Statement]) -> "Web":
        """A web of these statements."""
        kept = tuple(statements)
        outgoing: dict[str, list[Step]] = {}
        incoming: dict[str, list[Step]] = {}
        for statement in kept:
            outgoing.setdefault(statement.subject, []).append(Step(statement))
            incoming.setdefault(statement.object, []).append(Step(statement, is_reversed=True))
        return cls(kept, _frozen(outgoing), _frozen(incoming))

    def chain(
        self,
        start: str,
        end: str,
        *,
        disease: str | None = None,
        either_way: bool = False,
        relations: Collection[Relation] | None = None,
        admits: Admits | None = None,
    ) -> Chain | None:
        """The shortest chain between two nodes; None = there is none.

        Args:
            start: Node id.
            end: Node id.
            disease: Only statements of this disease or of any; None = of all.
            either_way: Whether statements may be read from object to subject.
            relations: Only these; None = all but those that keep two things apart.
            admits: Whether a step may be taken; None = any may.
        """
        wanted = frozenset(relations or (word for word in Relation if not word.is_against))

        def is_open(step: Step) -> bool:
            said = step.statement
            is_elsewhere = disease is not None and said.disease not in {None, disease}
            return said.relation in wanted and not is_elsewhere and (admits is None or admits(step))

        return self._search(start, end, is_open, either_way=either_way)

    def _search(self, start: str, end: str, admits: Admits, *, either_way: bool) -> Chain | None:
        """Dijkstra over (steps, weakness); ties are settled by the order in which nodes were met."""
        arrived: dict[str, Step | None] = {}
        queue: list[tuple[int, int, int, str, Step | None]] = [(0, 0, 0, start, None)]
        met = 0
        while queue:
            length, weak, _, node, step = heapq.heappop(queue)
            if node in arrived:
                continue
            arrived[node] = step
            if node == end:
                return _traced(arrived, end)
            for following in self._steps(node, either_way=either_way):
                if following.end not in arrived and admits(following):
                    met += 1
                    cost = weak + weakness((following,))
                    heapq.heappush(queue, (length + 1, cost, met, following.end, following))
        return None

    def _steps(self, node: str, *, either_way: bool) -> Iterator[Step]:
        yield from self.outgoing.get(node, ())
        if either_way:
            yield from self.incoming.get(node, ())


def _frozen(steps: Mapping[str, list[Step]]) -> Mapping[str, tuple[Step, ...]]:
    return MappingProxyType({node: tuple(some) for node, some in steps.items()})


def _traced(arrived: Mapping[str, Step | None], end: str) -> Chain:
    steps: list[Step] = []
    step = arrived[end]
    while step is not None:
        steps.append(step)
        step = arrived[step.start]
    return tuple(reversed(steps))
