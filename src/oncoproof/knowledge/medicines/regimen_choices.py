"""From what a trial table says was given to regimens, known or put together.

Rules this module guarantees:

- Every way to choose gives one id, in the order of the text and each once; `none` adds nothing, and
  nothing at all, or `placebo` alone, is a regimen too.
- A word that is no drug, placebo beside a drug, and broken syntax are a `FormatError`.
- A combination that no table lists is put together from how its drugs are given elsewhere, and says so.

    >>> expand_choice("choice:(cisplatin|carboplatin)+pemetrexed")
    ('cisplatin+pemetrexed', 'carboplatin+pemetrexed')
    >>> expand_choice("letrozole+choice:(none|palbociclib)")
    ('letrozole', 'letrozole+palbociclib')
    >>> compose_regimen(("osimertinib", "gemcitabine")).basis.value
    'assumed'
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType

from oncoproof.errors import FormatError, InputError
from oncoproof.knowledge.medicines.combinations import parse_combination
from oncoproof.knowledge.medicines.conditions import CellError
from oncoproof.knowledge.medicines.drugs import Route, load_drugs
from oncoproof.knowledge.medicines.regimens import Component, Regimen, load_regimens, regimen_id, variants_of
from oncoproof.knowledge.tables import Basis

_PLACEBO = "placebo"


def expand_choice(expression: str, *, variant: str = "") -> tuple[str, ...]:
    """The regimen ids a `drugs` cell of a trial table stands for.

    Args:
        expression: `+` joins, `choice:(a|b)` offers, an option may hold `+`, `none` adds nothing.
        variant: Schedule to take where a combination has one of that name; empty = the usual one.

    Returns:
        An id for each way to choose; not every id needs to be in `regimens.toml`.

    Raises:
        FormatError: The syntax is broken, a drug is unknown, or placebo stands beside a drug.
    """
    try:
        alternatives = parse_combination(expression).alternatives()
    except CellError as error:
        raise FormatError(
            where=f"drugs {expression!r}", came=repr(error.came), expected=error.expected, remedy=error.remedy
        ) from error
    for drugs in alternatives:
        _check(drugs, expression)
    ids = (_pick(regimen_id(drugs), variant) for drugs in alternatives)
    return tuple(dict.fromkeys(ids))


def _check(drugs: tuple[str, ...], expression: str) -> None:
    where = f"drugs {expression!r}"
    unknown = [drug for drug in drugs if drug not in load_drugs()]
    if unknown:
        raise FormatError(
            where=where, came=repr(unknown[0]), expected="a drug of drugs.toml", remedy="write its slug"
        )
    if len(set(drugs)) < len(drugs):
        raise FormatError(
            where=where, came="a drug twice", expected="each drug once", remedy="remove one of them"
        )
    if _PLACEBO in drugs and len(drugs) > 1:
        raise FormatError(
            where=where,
            came="placebo beside a drug",
            expected="placebo alone",
            remedy="leave the placebo out; name it in the schedule",
        )


def _pick(usual: str, variant: str) -> str:
    wanted = f"{usual}@{variant}"
    return wanted if variant and wanted in load_regimens() else usual


def compose_regimen(drugs: Collection[str]) -> Regimen:
    """The regimen of these drugs: the listed one, or one put together from how each is given elsewhere.

    Args:
        drugs: Drug slugs.

    Raises:
        InputError: One of them stands in no regimen, so that its dose is not known.
    """
    known = load_regimens().get(regimen_id(drugs))
    if known is not None:
        return known
    parts = {drug: _usual_regimen(drug) for drug in sorted(set(drugs))}
    cycle_days = _common_cycle(parts.values())
    return Regimen(
        id=regimen_id(drugs),
        name=" and ".join(load_drugs()[drug].name for drug in parts),
        synonyms=(),
        components=tuple(
            replace(component, days=_refit(component, part.cycle_days, cycle_days))
            for drug, part in parts.items()
            for component in part.components
            if component.drug == drug
        ),
        cycle_days=cycle_days,
        cycles_max=None,
        maintenance=(),
        maintenance_cycles_max=None,
        supportive=tuple(sorted({item for part in parts.values() for item in part.supportive})),
        uses=(),
        source="project:assumptions",
        basis=Basis.ASSUMED,
    )


def regimen_in(drugs: Collection[str], *, disease: str, setting: str, line: int) -> Regimen:
    """The schedule of these drugs that is used in a situation; else the usual one, else one put together.

    >>> regimen_in(("nivolumab", "ipilimumab"), disease="nsclc", setting="advanced", line=1).variant
    'low_dose'

    Args:
        drugs: Drug slugs.
        disease: Disease slug.
        setting: Setting of that disease.
        line: Line of treatment.

    Raises:
        InputError: One of the drugs stands in no regimen, so that its dose is not known.
    """
    used = (found for found in variants_of(drugs) if found.is_used(disease, setting, line))
    return next(used, None) or compose_regimen(drugs)


def _common_cycle(parts: Collection[Regimen]) -> int:
    """The longest cycle of what is infused or injected; of all, where everything is swallowed."""
    infused = [
        part.cycle_days
        for part in parts
        if any(component.route is not Route.ORAL for component in part.components)
    ]
    return max(infused or [part.cycle_days for part in parts])


def _refit(component: Component, old_days: int, new_days: int) -> str:
    """The treatment days in a cycle of another length: daily stays daily, short cycles are repeated."""
    days = component.day_numbers
    if len(days) == old_days:
        return f"1-{new_days}"
    repeats = max(new_days // old_days, 1)
    moved = (day + old_days * turn for turn in range(repeats) for day in days)
    return ",".join(str(day) for day in moved if day <= new_days)


def _usual_regimen(drug: str) -> Regimen:
    found = _usual_regimens().get(drug)
    if found is None:
        raise InputError(
            came=f"drug {drug!r}",
            expected="a drug that some regimen gives",
            remedy="add a regimen with its dose to regimens.toml",
        )
    return found


@cache
def _usual_regimens() -> Mapping[str, Regimen]:
    """For each drug the regimen that shows how it is given: alone if there is one, else the smallest."""
    ordered = sorted(load_regimens().values(), key=lambda found: (len(found.drugs), bool(found.variant)))
    usual: dict[str, Regimen] = {}
    for regimen in ordered:
        for drug in regimen.drugs:
            usual.setdefault(drug, regimen)
    return MappingProxyType(usual)
