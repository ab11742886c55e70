"""Listings: names written as one text, and the tables of the package's data folder.

Rules this module guarantees:

- A table states its form and version on its first line; another form is refused.

    >>> sorted(names_in("code status"))
    ['code', 'status']
"""

import csv
from collections.abc import Iterator
from importlib.resources import files

from oncoproof.errors import IntegrityError


def names_in(listing: str) -> frozenset[str]:
    """The names of a text, which stand between blanks."""
    return frozenset(listing.split())


def rows_of(name: str) -> Iterator[dict[str, str]]:
    """The rows of a table of the data folder, by column.

    Raises:
        IntegrityError: The table is not of the form that its name promises.
    """
    text = files("oncoproof.journey.fhir").joinpath(f"data/{name}.csv").read_text(encoding="utf-8")
    lines = text.splitlines()
    form = f"# oncoproof.journey.fhir.{name}/1"
    if lines[0] != form:
        raise IntegrityError(
            where=f"{name}.csv", came=repr(lines[0]), expected=repr(form), remedy="restore the file"
        )
    return iter(csv.DictReader(lines[1:]))
