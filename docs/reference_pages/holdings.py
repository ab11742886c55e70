"""The page of holdings: how much the base holds of each topic, and how well founded it is."""

from itertools import groupby

from oncoproof.knowledge.inventory import HOLDINGS, Held, Inventory, take_inventory
from oncoproof.knowledge.tables import Basis
from reference_pages.markdown import cell, code, table
from reference_pages.records import words_of_fields

_INTRODUCTION = """# Holdings

How much the knowledge base holds of each topic, and how its facts came to us: what
`oncoproof knowledge check` counts. One record may hold several facts; one that states no basis holds none.
"""


def holdings_page() -> str:
    """Every topic with its files, its records and its facts by basis."""
    inventory = take_inventory()
    rooms = groupby(inventory.held, key=lambda held: held.room)
    sections = (_section(room, list(members)) for room, members in rooms)
    return "\n".join([_INTRODUCTION, _totals(inventory), *sections])


def _totals(inventory: Inventory) -> str:
    words = words_of_fields(Basis)
    rows = ((code(basis), cell(words[basis.name]), str(inventory.bases[basis])) for basis in Basis)
    sources = ", ".join(f"{count} {kind}" for kind, count in inventory.sources.items())
    return (
        table(("basis", "what it means", "facts"), rows)
        + f"\nSources by kind: {sources}.\n\nStatements of the graph: {inventory.statement_count}.\n"
    )


def _section(room: str, members: list[Held]) -> str:
    files = {holding.topic: holding.files for holding in HOLDINGS}
    rows = (
        (
            held.topic,
            ", ".join(map(code, files[held.topic])) or "derived from other topics",
            str(held.count),
            *(str(held.bases.get(basis, "")) for basis in Basis),
        )
        for held in members
    )
    headings = ("topic", "files", "records", *(basis.value for basis in Basis))
    return f"## {room.capitalize() or 'Sources'}\n\n" + table(headings, rows)
