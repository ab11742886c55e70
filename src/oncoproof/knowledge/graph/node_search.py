"""Finding a node by what people call it.

Rules this module guarantees:

- Every word of a search must occur; case and marks make no difference.
- A key or name that is meant exactly comes first, then other names, then names that begin with the text,
  then names that hold it, then nodes of which only other names or descriptions do.

    >>> [hit.node.id for hit in search_nodes("tagrisso")][:1]
    ['drug:osimertinib']
    >>> find_node("EGFR").id, find_node("PD-L1 tumour proportion score").id
    ('gene:EGFR', 'biomarker:PDL1_TPS')
"""

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from oncoproof.errors import InputError
from oncoproof.knowledge.graph.nodes import Node, load_nodes, node_of
from oncoproof.knowledge.graph.statements import NodeKind

_KIND_ORDER = tuple(NodeKind)


@dataclass(frozen=True, slots=True)
class Hit:
    """One node that a search found."""

    node: Node
    """The node."""
    matched: str
    """The name in which the text was found."""
    rank: int
    """0 = its key or name; 1 = another name of it; higher is further from it."""


def search_nodes(
    text: str, *, kinds: Collection[NodeKind] = (), more: Iterable[Node] = ()
) -> tuple[Hit, ...]:
    """The nodes of which every word of a text is said, the nearest first.

    Args:
        text: Words.
        kinds: Only these; empty = all.
        more: Nodes beside those of the base.
    """
    words = _plain(text).split()
    if not words:
        return ()
    hits = [
        hit
        for node, names in (*_names(), *map(_named, more))
        if (not kinds or node.kind in kinds) and (hit := _hit(node, names, words)) is not None
    ]
    return tuple(sorted(hits, key=lambda hit: (hit.rank, _KIND_ORDER.index(hit.node.kind), hit.node.id)))


def find_node(text: str, *, more: Iterable[Node] = ()) -> Node:
    """The node that a text names: an id, or a key or name that one node has.

    Where nodes of several kinds are called so, the kind that `NodeKind` lists first is meant.

    Args:
        text: An id or name.
        more: Nodes beside those of the base.

    Raises:
        InputError: No node is called so, or several are.
    """
    if text in load_nodes():
        return node_of(text)
    hits = search_nodes(text, more=more)
    exact = [hit.node for hit in hits if hit.rank == min(hits[0].rank, 1)]
    own = [node for node in exact if node.kind is exact[0].kind]
    if len(own) == 1:
        return own[0]
    if own:
        raise InputError(
            came=f"{text!r}, which names {len(own)} things",
            expected="a name of one thing",
            remedy=" or ".join(node.id for node in own[:6]),
        )
    raise InputError(
        came=f"{text!r}",
        expected="an id or name of the knowledge base",
        remedy=_suggest(text),
    )


def _suggest(text: str) -> str:
    found = [hit.node.id for hit in search_nodes(text)][:3]
    names: dict[str, str] = {}
    for node, known in sorted(_names(), key=lambda pair: _KIND_ORDER.index(pair[0].kind)):
        for name in known[:2]:
            names.setdefault(name, node.id)
    close = [names[name] for name in difflib.get_close_matches(_plain(text), names, n=3, cutoff=0.8)]
    return " or ".join(dict.fromkeys((*found, *close))) or "oncoproof knowledge search WORD"


@cache
def _names() -> tuple[tuple[Node, tuple[str, ...]], ...]:
    """Each node with its names, made plain: key, name, then others."""
    return tuple(map(_named, load_nodes().values()))


def _named(node: Node) -> tuple[Node, tuple[str, ...]]:
    return node, tuple(map(_plain, (node.key, node.name, *node.synonyms, *_told(node))))


def _told(node: Node) -> tuple[str, ...]:
    """What the record says of itself in a sentence, where it does."""
    text = getattr(node.record, "text", None)
    sentence = getattr(text, "sentence", None) or getattr(node.record, "statement", "")
    return (sentence,) if isinstance(sentence, str) and sentence else ()


def _plain(text: str) -> str:
    """Lower case, with every mark a space."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def _hit(node: Node, names: tuple[str, ...], words: list[str]) -> Hit | None:
    everything, text = " ".join(names), " ".join(words)
    if text in {names[0], names[1], f"{node.kind.value} {names[0]}"}:
        return Hit(node, text, 0)
    if not all(word in everything for word in words):
        return None
    if text in names:
        return Hit(node, text, 1)
    begins = next((name for name in names[:2] if name.startswith(text)), None)
    holds = next((name for name in names[:2] if text in name), None)
    if begins or holds:
        return Hit(node, begins or holds or "", 2 if begins else 3)
    number = next((number for number, name in enumerate(names) if all(word in name for word in words)), 0)
    return Hit(node, names[number], 4 if number < 2 + len(node.synonyms) else 5)
