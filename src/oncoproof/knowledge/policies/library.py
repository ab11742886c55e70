"""The policies there are, each a folder of `data/policies` with one file for each disease.

Rules this module guarantees:

- A policy speaks of each disease at most once; its slug is the name of its folder.
- Policies are built from parsed records, so that they can be tried without files.

    >>> sorted(load_policies())
    ['european', 'practice_2016', 'resource_limited', 'resource_rich']
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from types import MappingProxyType
from typing import Any

from oncoproof.errors import IntegrityError
from oncoproof.knowledge.policies.guidelines import Guideline, read_guideline
from oncoproof.knowledge.policies.options import NO_TREATMENT
from oncoproof.knowledge.policies.policy import Policy
from oncoproof.knowledge.policies.restrictions import Restriction, load_restrictions
from oncoproof.knowledge.policies.situations import load_situations
from oncoproof.knowledge.policies.survey import PolicyContent
from oncoproof.knowledge.tables import build, list_files, read_toml

_TITLE = "policy.toml"
_SITUATIONS = "situations"


@dataclass(frozen=True, slots=True)
class PolicyTitle:
    """What a policy is called and when it speaks."""

    name: str
    """What a reader calls it."""
    about: str
    """Whose practice it describes, in a sentence or two."""
    complete_from: date
    """First day from which it speaks of every situation."""
    sources: tuple[str, ...]
    """Ids of the guidelines it follows."""
    frozen: date | None = None
    """Day on which it stopped learning; None = it is kept up."""


@cache
def load_policies() -> Mapping[str, Policy]:
    """All policies, by slug."""
    return MappingProxyType({slug: _load_policy(slug) for slug in _folders()})


def _folders() -> Iterable[str]:
    """The folders of `data/policies` that hold a policy."""
    for path in list_files("policies", ""):
        name = path.rpartition("/")[2]
        if "." not in name and name != _SITUATIONS:
            yield name


def _load_policy(slug: str) -> Policy:
    folder = f"policies/{slug}"
    title = build(PolicyTitle, read_toml(f"{folder}/{_TITLE}", "policy"), where=f"{folder}/{_TITLE}")
    files = [name for name in list_files(folder, ".toml") if not name.endswith(f"/{_TITLE}")]
    guidelines = [_load_guideline(name) for name in files]
    return make_policy(slug, title, guidelines, load_restrictions().values())


def _load_guideline(name: str) -> Guideline:
    tables: dict[str, Any] = read_toml(name, "guideline")
    return read_guideline(tables, load_situations(), where=name)


def make_policy(
    slug: str, title: PolicyTitle, guidelines: Iterable[Guideline], restrictions: Iterable[Restriction]
) -> Policy:
    """A policy from its parts.

    Args:
        slug: What tables call it.
        title: Its name and dates.
        guidelines: What it says of each disease.
        restrictions: What it keeps away from in every disease.
    """
    by_disease: dict[str, Guideline] = {}
    for guideline in guidelines:
        if guideline.disease in by_disease:
            raise IntegrityError(
                where=f"policies/{slug}",
                came=f"{guideline.disease} twice",
                expected="one file for each disease",
                remedy="merge the two files",
            )
        by_disease[guideline.disease] = guideline
    named = {action for guideline in by_disease.values() for action in guideline.actions()}
    content = PolicyContent(
        guidelines=MappingProxyType(by_disease),
        restrictions=tuple(restrictions),
        actions=tuple(sorted({*named, NO_TREATMENT})),
        situations=tuple(
            situation for guideline in by_disease.values() for situation in guideline.situations
        ),
    )
    return Policy(
        slug=slug,
        name=title.name,
        about=title.about,
        complete_from=title.complete_from,
        frozen=title.frozen,
        sources=title.sources,
        content=content,
    )
