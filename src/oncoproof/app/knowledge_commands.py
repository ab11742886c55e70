"""`oncoproof knowledge`: look into what medicine knows here, ask it, check it, add to it.

Rules this module guarantees:

- What was imported into the folder takes part wherever the base is asked; nothing else is read or written.

    $ oncoproof knowledge compatible osimertinib --disease nsclc --given EGFR=ex19del
"""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import App, Parameter

from oncoproof.app.knowledge_screen import (
    answer_json,
    citation_json,
    inventory_json,
    node_json,
    print_account,
    print_answer,
    print_hits,
    print_inventory,
    print_node,
)
from oncoproof.app.record_text import as_json
from oncoproof.app.screen import busy, print_json, print_words
from oncoproof.app.validation_commands import validate_file
from oncoproof.errors import InputError
from oncoproof.knowledge.civic import import_civic, load_imported
from oncoproof.knowledge.evidence import Citation, Evidence, cite_all
from oncoproof.knowledge.evidence import cite as cite_source
from oncoproof.knowledge.graph import Answer, KnowledgeGraph, Node, NodeKind
from oncoproof.knowledge.inventory import take_inventory
from oncoproof.knowledge.sources import load_sources

app = App(
    name="knowledge",
    help="Look into what medicine knows here: show, search, check, cite, ask, validate, import.",
    help_epilogue=(
        "Exit codes: 0 done; 1 check or validate found something wrong; 2 the call itself is wrong; "
        "3 a name is not known, or a file cannot be used; 5 the base contradicts itself."
    ),
    default_parameter=Parameter(negative=()),
)
importing = App(
    name="import", help="Import knowledge from public files.", default_parameter=Parameter(negative=())
)
app.command(importing)
app.command(validate_file, name="validate")

FOLDER_VARIABLE = "ONCOPROOF_KNOWLEDGE"
"""Names the folder of imports; without it, one in the user's data folder."""

Folder: TypeAlias = Annotated[Path | None, Parameter(name="--folder")]
Given: TypeAlias = Annotated[tuple[str, ...], Parameter(name=["--given", "-g"])]


@app.command
def show(name: str, *, most: int = 25, folder: Folder = None, json: bool = False) -> None:
    """Show a thing, its record and what is said of it.

    Args:
        name: An id (`drug:osimertinib`), key, name or brand.
        most: How many facts to show.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document, with every fact.
    """
    with busy("asking the base"):
        graph = _graph(folder)
        node = graph.find(name)
        statements = graph.about(node.id)
    if json:
        print_json(node_json(node, statements))
    else:
        print_node(node, statements, most=most)


@app.command
def search(
    *words: str, kind: tuple[NodeKind, ...] = (), most: int = 25, folder: Folder = None, json: bool = False
) -> None:
    """Search the names and descriptions of everything the base knows.

    Args:
        words: All of them must occur.
        kind: Only things of this kind; may be given several times.
        most: How many to show.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document, with everything found.
    """
    with busy("searching the base"):
        hits = _graph(folder).search(" ".join(words), kinds=kind)
    if json:
        print_json(
            [
                {"id": hit.node.id, "kind": hit.node.kind, "name": hit.node.name, "matched": hit.matched}
                for hit in hits
            ]
        )
    else:
        print_hits(hits, most=most)


@app.command
def check(*, json: bool = False) -> int:
    """Read every file of the base, count what it holds, and list all that is wrong.

    Exit code 0: nothing is wrong. 1: something is.

    Args:
        json: Print one JSON document.
    """
    with busy("checking the base"):
        inventory = take_inventory()
    if json:
        print_json(inventory_json(inventory))
    else:
        print_inventory(inventory)
    return 1 if inventory.problems else 0


@app.command
def cite(*names: str, bibtex: bool = False, folder: Folder = None, json: bool = False) -> None:
    """Cite sources, or the literature behind a thing and all that is said of it.

    Args:
        names: Source ids (`pmid:29151359`), or things as `show` takes them.
        bibtex: Print BibTeX entries.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document.
    """
    with busy("asking the base"):
        graph = _graph(folder)
        citations = {each.id: each for name in names for each in _citations(name, graph)}.values()
    if json:
        print_json([citation_json(citation) for citation in citations])
        return
    for citation in citations:
        print_words(citation.bibtex if bibtex else f"{citation.id}: {citation.line}")


@app.command
def compatible(
    treatment: str, *, disease: str, given: Given = (), folder: Folder = None, json: bool = False
) -> None:
    """Ask whether what is known of a tumour calls for a treatment, and why.

    Args:
        treatment: A drug, a regimen, or drugs joined by `+`, by any name.
        disease: Disease slug: nsclc, crc, breast, melanoma, ovarian, prostate.
        given: A fact, `EGFR=ex19del` or `line=2`; may be given several times.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document.
    """

    def ask(graph: KnowledgeGraph) -> Answer:
        return graph.is_compatible(treatment, _facts(given), disease=disease)

    _tell(ask, folder=folder, as_json_=json)


@app.command
def contraindicated(
    treatment: str, *, disease: str, given: Given = (), folder: Folder = None, json: bool = False
) -> None:
    """Ask whether a hard check forbids a treatment, and why.

    Args:
        treatment: A drug, a regimen, or drugs joined by `+`, by any name.
        disease: Disease slug: nsclc, crc, breast, melanoma, ovarian, prostate.
        given: A fact, `DPYD=0.0` or `ecog=3`; may be given several times.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document.
    """

    def ask(graph: KnowledgeGraph) -> Answer:
        return graph.is_contraindicated(treatment, _facts(given), disease=disease)

    _tell(ask, folder=folder, as_json_=json)


@app.command
def pathway(
    start: str, end: str, *, disease: str | None = None, folder: Folder = None, json: bool = False
) -> None:
    """Ask whether a chain of biology or benefit leads from one thing to another.

    Args:
        start: An id or name.
        end: An id or name.
        disease: Only what is said of this disease, or of any; without it, of all.
        folder: Folder of imports; default: the one `import` writes to.
        json: Print one JSON document.
    """

    def ask(graph: KnowledgeGraph) -> Answer:
        return graph.find_pathway(start, end, disease=disease)

    _tell(ask, folder=folder, as_json_=json)


@importing.command
def civic(file: Path, *, folder: Folder = None, json: bool = False) -> None:
    """Import a dump of CIViC's evidence, of either layout; every row is accounted for.

    Args:
        file: Tab-separated evidence summaries.
        folder: Where to keep them; default: `$ONCOPROOF_KNOWLEDGE`, else the user's data folder.
        json: Print the account as one JSON document, row by row.
    """
    target = _folder(folder)
    with busy("importing"):
        account = import_civic(file, target=target)
    if json:
        print_json({**account.as_json(), "folder": str(target), "changes": as_json(account.changes)})
    else:
        print_account(account, folder=str(target))


def _tell(ask: Callable[[KnowledgeGraph], Answer], *, folder: Path | None, as_json_: bool) -> None:
    """Put a question to the graph, and print its answer with the chain behind it."""
    with busy("asking the base"):
        graph = _graph(folder)
        answer = ask(graph)
        why = graph.why(answer)
    if as_json_:
        print_json(answer_json(answer, why))
    else:
        print_answer(answer, why)


def _facts(given: tuple[str, ...]) -> Mapping[str, object]:
    """Facts by name; a number where it reads as one, several values where `,` joins them."""
    facts: dict[str, object] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not sign or not value:
            raise InputError(came=repr(text), expected="NAME=VALUE", remedy="write for instance EGFR=ex19del")
        facts[name.strip()] = _value(value.strip())
    return facts


def _value(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text.split(",") if "," in text else text


def _citations(name: str, graph: KnowledgeGraph) -> tuple[Citation, ...]:
    """The source of that id, or the literature behind the thing of that name."""
    imported = graph.imported
    if name in load_sources() or any(name in piece.sources for piece in imported):
        return (cite_source(name, imported=imported),)
    node: Node = graph.find(name)
    return cite_all((node.record, *graph.about(node.id)), imported=imported)


def _graph(folder: Path | None) -> KnowledgeGraph:
    return KnowledgeGraph.load(_imported(folder))


def _imported(folder: Path | None) -> tuple[Evidence, ...]:
    return load_imported(_folder(folder))


def _folder(folder: Path | None) -> Path:
    """The folder of imports: as told, else as the environment says, else in the user's data folder."""
    if folder is not None:
        return folder
    named = os.environ.get(FOLDER_VARIABLE)
    if named:
        return Path(named)
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "oncoproof" / "knowledge"
