"""Answers about the knowledge base on screen: things, what is said of them, answers with reasons, the stock.

Rules this module guarantees:

- Whatever is told of medicine carries its source and how we know.

    >>> from oncoproof.knowledge.graph import KnowledgeGraph
    >>> statement = KnowledgeGraph.load().about("drug:osimertinib")[0]
    >>> statement_json(statement)["source"]
    'label:osimertinib'
"""

from collections.abc import Mapping, Sequence

from oncoproof.app.record_text import as_json, describe
from oncoproof.app.screen import print_table, print_words
from oncoproof.knowledge.civic import ImportAccount
from oncoproof.knowledge.evidence import Citation
from oncoproof.knowledge.graph import Answer, Hit, Node, Reason, Statement
from oncoproof.knowledge.inventory import Inventory
from oncoproof.knowledge.tables import Basis


def node_json(node: Node, statements: Sequence[Statement]) -> dict[str, object]:
    """A thing, its record and what is said of it."""
    return {
        "id": node.id,
        "kind": node.kind.value,
        "name": node.name,
        "synonyms": list(node.synonyms),
        "record": None if node.record is None else as_json(node.record),
        "statements": [statement_json(statement) for statement in statements],
    }


def statement_json(statement: Statement) -> dict[str, object]:
    """A fact, as an edge and as a sentence."""
    return {
        "subject": statement.subject,
        "relation": statement.relation.value,
        "object": statement.object,
        "disease": statement.disease,
        "sentence": statement.sentence,
        "source": statement.source,
        "basis": statement.basis.value,
    }


def print_node(node: Node, statements: Sequence[Statement], *, most: int) -> None:
    """A thing, its record and the first of what is said of it."""
    print_words(f"{node.name} ({node.id})", style="bold")
    if node.record is not None:
        print_table("", ("", ""), describe(node.record))
    if not statements:
        return
    shown = statements[:most]
    print_words("")
    rows = [(said.sentence, said.source, said.basis.value) for said in shown]
    print_table("What is said of it:", ("fact", "source", "basis"), rows)
    if len(statements) > len(shown):
        print_words(f"… and {len(statements) - len(shown)} more: --most {len(statements)} shows all")


def print_hits(hits: Sequence[Hit], *, most: int) -> None:
    """What a search found."""
    if not hits:
        print_words("Nothing is called so.")
        return
    rows = [(hit.node.id, hit.node.name, "" if hit.rank < 1 else hit.matched[:70]) for hit in hits[:most]]
    print_table("", ("id", "name", "found in"), rows)
    if len(hits) > most:
        print_words(f"… and {len(hits) - most} more: --most {len(hits)} shows all")


def answer_json(answer: Answer, why: Sequence[Reason]) -> dict[str, object]:
    """An answer with the chain that decides it."""
    return {
        "question": answer.question,
        "verdict": answer.verdict.value,
        "because": list(answer.because),
        "missing": list(answer.missing),
        "provided": list(answer.provided),
        "chain": [{**statement_json(step.statement), "reversed": step.is_reversed} for step in answer.chain],
        "why": [as_json(reason) for reason in why],
        "others": [statement_json(statement) for statement in answer.others],
    }


def print_answer(answer: Answer, why: Sequence[Reason]) -> None:
    """The verdict, then the reasons for it."""
    print_words(f"{answer.question} {answer.verdict.value}", style="bold")
    lists = (("because", answer.because), ("would settle it", answer.missing), ("provided", answer.provided))
    for label, words in lists:
        if words:
            print_words(f"{label}: {'; '.join(words)}")
    if why:
        rows = [
            (step, reason.sentence, reason.citation, reason.basis.value) for step, reason in _numbered(why)
        ]
        print_table("The chain:", ("", "fact", "source", "basis"), rows)
    if answer.others:
        rows = [(said.sentence, said.source, said.basis.value) for said in answer.others]
        print_table("Also said:", ("fact", "source", "basis"), rows)


def _numbered(why: Sequence[Reason]) -> list[tuple[int, Reason]]:
    return list(enumerate(why, start=1))


def citation_json(citation: Citation) -> dict[str, object]:
    """A citation with its identifiers apart."""
    return {
        "id": citation.id,
        "line": citation.line,
        "identifiers": dict(citation.identifiers),
        "bibtex": citation.bibtex,
    }


def inventory_json(inventory: Inventory) -> dict[str, object]:
    """The stock of the base."""
    return {
        "topics": [
            {
                "room": held.room or "sources",
                "topic": held.topic,
                "records": held.count,
                "derived": held.is_derived,
                "bases": _bases_json(held.bases),
            }
            for held in inventory.held
        ],
        "sources": dict(inventory.sources),
        "statements": inventory.statement_count,
        "bases": _bases_json(inventory.bases),
        "problems": [as_json(problem) for problem in inventory.problems],
    }


def _bases_json(bases: Mapping[Basis, int]) -> dict[str, int]:
    return {basis.value: count for basis, count in bases.items()}


def print_inventory(inventory: Inventory) -> None:
    """Counts by topic, then what is wrong."""
    rows: list[tuple[object, ...]] = [
        (held.room or "sources", held.topic, held.count, *(held.bases.get(basis, "") for basis in Basis))
        for held in inventory.held
        if not held.is_derived
    ]
    rows.append(("", "facts", "", *(inventory.bases[basis] for basis in Basis)))
    print_table("", ("room", "topic", "records", *(basis.value for basis in Basis)), rows)
    derived = [f"{held.count} {held.topic}" for held in inventory.held if held.is_derived]
    print_words("")
    print_words(f"Derived: {', '.join(derived)}, {inventory.statement_count} statements of the graph.")
    kinds = ", ".join(f"{count} {kind}" for kind, count in inventory.sources.items())
    print_words(f"Bibliography: {kinds}.")
    if not inventory.problems:
        print_words("Nothing is wrong.", style="green")
        return
    rows = [(problem.where, problem.came, problem.expected, problem.remedy) for problem in inventory.problems]
    title = "1 problem:" if len(rows) == 1 else f"{len(rows)} problems:"
    print_table(title, ("where", "came", "expected", "try"), rows)


def print_account(account: ImportAccount, *, folder: str) -> None:
    """What became of an imported file."""
    print_words(f"{account.file.name}: {account.row_count} rows, {account.file.layout.value}", style="bold")
    rows = [
        ("imported", account.imported, f"{account.mapped} of them wholly in the words of the base"),
        ("merged", account.merged, "say what another row says"),
        *(
            ("skipped", count, reason.value.replace("_", " "))
            for reason, count in sorted(account.skipped.items(), key=lambda item: -item[1])
        ),
    ]
    print_table("", ("outcome", "rows", ""), rows)
    changes = account.changes
    print_words(
        f"{folder}: {changes.added} added, {changes.superseded} superseded, {changes.confirmed} confirmed, "
        f"{changes.kept} kept that are later, {changes.absent} held that the file does not tell of."
    )
    if changes.lacking:
        print_words(
            f"Look at this file: it lacks {changes.lacking} of the rows that another file of its layout "
            "told of. It is an older one, or CIViC took rows back, or it was cut short between two rows.",
            style="bold red",
        )
