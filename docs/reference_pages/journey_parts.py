"""The page of a journey's parts: every class of content with its fields, from the types themselves."""

from typing import get_args

from oncoproof.journey import Code, Event, Kind, Link, Patient, Quantity, Reason, may_cause
from oncoproof.journey.contents import Content
from oncoproof.journey.omics import Finding
from reference_pages.markdown import cell, code, first_line, table
from reference_pages.records import JSON, field_table, parts_of, words_of_fields

_INTRODUCTION = """# Parts of a journey

What each part of a journey file holds, from the types that read and write it. How the parts stand together:
[the journey file](journey-file.md). *None* is `null`; a field that says what None or empty means may be
left out.
"""


def journey_parts_page() -> str:
    """Every part of a journey file with its fields."""
    contents, findings = get_args(Content), get_args(Finding)
    top = (Patient, Event, Link)
    others = dict.fromkeys(part for one in contents for part in parts_of(one))
    rest = [part for part in others if part not in findings and part not in {Code, Quantity}]
    return "\n".join(
        [
            _INTRODUCTION,
            *(_part(part, level=2) for part in top),
            _reasons(),
            "## Contents\n\nExactly one in each event, under the name of its kind.\n",
            *(_part(part, level=3) for part in contents),
            "## Findings\n\nExactly one in each biomarker, under its name in lower case with underscores.\n",
            *(_part(part, level=3) for part in findings),
            "## Values\n",
            *(_part(part, level=3) for part in (Code, Quantity, *rest)),
        ]
    )


def _part(part: type[object], *, level: int) -> str:
    head = f"{'#' * level} {part.__name__}\n\n{first_line(part.__doc__)}\n\n"
    return head + field_table(part, JSON, heading="key")


def _reasons() -> str:
    words = words_of_fields(Reason)
    rows = ((code(reason.value), cell(words[reason.name]), _joins(reason)) for reason in Reason)
    return "## Reasons\n\nWhy one event came of another, and which kinds it may join.\n\n" + table(
        ("reason", "what it says", "joins"), rows
    )


def _joins(reason: Reason) -> str:
    causes = [kind.value for kind in Kind if any(may_cause(reason, kind, effect) for effect in Kind)]
    effects = [kind.value for kind in Kind if any(may_cause(reason, cause, kind) for cause in Kind)]
    return f"{_kinds(causes)} → {_kinds(effects)}"


def _kinds(kinds: list[str]) -> str:
    return "any" if len(kinds) == len(Kind) else ", ".join(kinds).replace("_", " ")
