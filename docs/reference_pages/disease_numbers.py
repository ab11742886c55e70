"""The page of numbers of the disease model: priors, what calibration found, and which figures say so.

Rules this module guarantees:

- Every number is listed, those too that calibration does not move.
- Nothing is simulated: what was fitted is read from the table that calibration wrote. Where none ships, the
  page says so and shows priors alone.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from oncoproof.disease.numbers import FittedNumber, free_names, load_fitted
from oncoproof.disease.numbers.effects import Effect, EffectKind, lineage, load_effects
from oncoproof.disease.numbers.harms import Harm, load_harms
from oncoproof.disease.numbers.parameters import load_constants, load_priors
from oncoproof.disease.numbers.terms import Quantity, Term, load_terms
from oncoproof.knowledge.tables import Basis
from reference_pages.markdown import cell, code, counted, table
from reference_pages.records import words_of_fields

_INTRODUCTION = """# Numbers of the disease model

Every number that the simulator computes with. What they do: [the disease model](../concepts/disease.md); how
they are fitted: [calibrate](../how-to/calibrate.md); how to change one: [add a drug's
effect](../how-to/add-a-drug-effect.md). The files are `src/oncoproof/disease/data/*.csv`;
[their columns](disease-files.md).

*Prior* is mean ± standard deviation; a number without ± is not moved. *Fitted* is what calibration found ±
its standard deviation afterwards. *Learned* is the share of the prior's variance that published figures took
away: at 0 % nothing identifies the number, and it is as good as its prior. *Identified by* names the
published figures that say most about it, `row:figure` of the trial table.
"""

_NOT_FITTED = "No fit stands in the data folder: every number is at its prior.\n"

_HEADINGS = ("number", "concerns", "prior", "with parents", "fitted", "learned", "identified by", "source")


def disease_numbers_page() -> str:
    """Every number with its prior and what calibration found."""
    return "\n".join([_INTRODUCTION, _counts(), _far(), *_effects(), _harms(), *_terms(), _constants()])


@cache
def _fitted() -> Mapping[str, FittedNumber]:
    """What calibration found, by name; empty where no fit ships."""
    if not files("oncoproof.disease").joinpath("data/fitted.csv").is_file():
        return {}
    return {row.name: row for row in load_fitted()}


@cache
def _priors() -> Mapping[str, tuple[float, float]]:
    return {prior.name: (prior.mean, prior.sd) for prior in load_priors()}


def _counts() -> str:
    rows = [*load_effects(), *load_harms(), *load_terms(), *load_constants()]
    bases, words = Counter(row.basis for row in rows), words_of_fields(Basis)
    listed = table(
        ("basis of the prior", "meaning", "rows"),
        ((code(basis.value), cell(words[basis.name]), str(bases[basis])) for basis in Basis),
    )
    found = _fitted().values()
    learned = sum(row.learned >= _WELL_LEARNED for row in found)
    said = (
        f"Published figures took away half or more of the prior's variance of {counted(learned, 'number')}.\n"
        if found
        else _NOT_FITTED
    )
    numbers = counted(len(_priors()), "number")
    return f"{listed}\n{numbers}, of which calibration moves {len(free_names())}. {said}"


_WELL_LEARNED = 0.5
_FAR = 2.0
"""Prior standard deviations from which a fitted number wants a reason."""


def _far() -> str:
    """The numbers that the fit moved far, where the form of the model or the prior is wrong."""
    moved = [(row, (row.value - row.prior) / row.prior_sd) for row in _fitted().values()]
    far = sorted((each for each in moved if abs(each[1]) > _FAR), key=lambda each: -abs(each[1]))
    rows = (
        (code(row.name), f"{row.prior:g} ± {row.prior_sd:g}", f"{row.value:.2f}", f"{moved_by:+.1f}")
        for row, moved_by in far
    )
    listed = table(("number", "prior", "fitted", "prior standard deviations"), rows)
    return (
        f"## Far from their priors\n\n{counted(len(far), 'number')} of {len(moved)} lie more than {_FAR:g} "
        f"prior standard deviations away: there the form of the model is wrong, or the prior.\n\n{listed}"
    )


def _number(name: str, concerns: str, source: str, parents: Iterable[str] = ()) -> tuple[str, ...]:
    """A row of a table: one number."""
    mean, sd = _priors()[name]
    family = [*parents, name]
    found = _fitted().get(name)
    whole = "" if len(family) == 1 else f"{sum(map(_value, family)):.2f}"
    prior = f"{mean:g} ± {sd:g}" if sd else f"{mean:g}"
    if found is None:
        return code(name), concerns, prior, whole, "", "", "", source
    return (
        code(name), concerns, prior, whole, f"{found.value:.2f} ± {found.sd:.2f}",
        f"{100 * max(found.learned, 0.0):.0f} %", "<br>".join(map(code, found.identified_by)), source,
    )  # fmt: skip


def _value(name: str) -> float:
    """A number as fitted, or at its prior where no fit names it."""
    found = _fitted().get(name)
    return _priors()[name][0] if found is None else found.value


def _source(source: str, basis: Basis) -> str:
    return f"{code(source)}, {basis.value}"


def _effects() -> Iterator[str]:
    yield (
        "## Effects\n\nWhat a drug does to a cancer. A row deviates from its parent: *with parents* is the "
        "sum that the model uses, a drug within its class within its kind.\n"
    )
    for kind in EffectKind:
        rows = [row for effect in load_effects() if effect.kind is kind for row in _effect(effect)]
        about = cell(words_of_fields(EffectKind)[kind.name])
        yield f"### {kind.value.replace('_', ' ').capitalize()}\n\n{about}\n\n{table(_HEADINGS, rows)}"


def _effect(effect: Effect) -> Iterator[tuple[str, ...]]:
    concerns = ", ".join(map(code, effect.drugs)) or "parent of others"
    if effect.when:
        concerns += f"<br>{code(effect.when)}"
    if effect.mixture:
        concerns += "<br>resistance " + " : ".join(f"{share:g}" for share in effect.mixture)
    for what, unused in (("kill", EffectKind.IMMUNE_BOOST), ("durability", EffectKind.CYTOSTATIC)):
        parents = [f"{what}:{id_}" for id_ in lineage(effect.id)[:-1]]
        if effect.kind is not unused:
            yield _number(f"{what}:{effect.id}", concerns, _source(effect.source, effect.basis), parents)
            concerns = ""


def _harms() -> str:
    rows = (
        _number(
            f"harm:{harm.id}",
            _harm(harm),
            _source(harm.source, harm.basis),
            [f"harm:{harm.parent}"] if harm.parent else [],
        )
        for harm in load_harms()
    )
    return (
        "## Harms\n\nLog of the weekly hazard of an adverse event of grade 3 or more at the start of a "
        f"treatment. A drug deviates from its class.\n\n{table(_HEADINGS, rows)}"
    )


def _harm(harm: Harm) -> str:
    reduced = "the dose is reduced" if harm.reducible else "the dose is kept"
    return (
        f"of severe events {100 * harm.stop_share:g} % end the treatment, "
        f"{100 * harm.fatal_share:g} % kill; otherwise {reduced}"
    )


def _terms() -> Iterator[str]:
    yield "## Terms\n\nWhat makes patients differ. Terms that hold add up on the scale named.\n"
    for quantity in Quantity:
        mine = [term for term in load_terms() if term.quantity is quantity]
        rows = (_number(f"term:{term.id}", _term(term), _source(term.source, term.basis)) for term in mine)
        about = cell(words_of_fields(Quantity)[quantity.name])
        yield f"### {quantity.value.capitalize()}\n\n{about}\n\n{table(_HEADINGS, rows)}"


def _term(term: Term) -> str:
    whom = code(term.when) if term.when else "everybody"
    return f"on {code(term.target)}<br>{whom}" if term.target else whom


def _constants() -> str:
    rows = (
        _number(f"constant:{row.id}", cell(row.meaning), _source(row.source, row.basis))
        for row in load_constants()
    )
    return f"## Constants\n\nNumbers that hold for every patient.\n\n{table(_HEADINGS, rows)}"
