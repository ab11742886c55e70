"""Simulated arms beside published ones: as a table, as a scorecard, as JSON.

Rules this module guarantees:

- A figure stands as simulated with its 90 % interval, then as published; a blank was not published.
- What misses its criterion is marked by a word, not by colour alone.
- In JSON every figure is an object `value, lo, hi`, or null where it is not defined.

    $ oncoproof simulate trials trials.csv -n 1000 --json -
"""

from collections.abc import Mapping, Sequence

import orjson

from oncoproof.app.screen import print_table, print_words
from oncoproof.disease import (
    FIGURES,
    ArmResults,
    Criterion,
    Estimate,
    Outcome,
    Score,
    Scorecard,
    Verdict,
    judge,
)
from oncoproof.knowledge.trials import TrialArm
from oncoproof.seeds import Seed

_FORMAT = "oncoproof.trial-simulation/1"

_SHOWN = (
    (Criterion.ORR, "ORR %", 0),
    (Criterion.PFS_MEDIAN, "PFS mo", 1),
    (Criterion.PFS_HR, "PFS HR", 2),
    (Criterion.OS_MEDIAN, "OS mo", 1),
    (Criterion.OS_HR, "OS HR", 2),
    (Criterion.GRADE3PLUS, "grade ≥3 %", 0),
)
_NAMED = 8


def print_arms(arms: Sequence[TrialArm], results: Sequence[ArmResults]) -> None:
    """A line for each simulated arm."""
    card = judge(arms, results)
    rows = ([result.row_id, *(_cell(card, result, *shown) for shown in _SHOWN)] for result in results)
    print_table(
        "simulated [90 % interval] | published; × = outside what is asked",
        ["arm", *(title for _, title, _ in _SHOWN)],
        rows,
    )


def _cell(card: Scorecard, result: ArmResults, criterion: Criterion, _: str, digits: int) -> str:
    verdict = card.verdict(result.row_id, criterion)
    figure: Estimate = getattr(result, card.score(criterion).standard.figure)
    published = "" if verdict is None else _published(verdict, digits)
    if figure.value is None and figure.lo is None and not published:
        return ""
    missed = " ×" if verdict is not None and verdict.outcome is Outcome.MISS else ""
    value, low, high = (_number(each, digits) for each in (figure.value, figure.lo, figure.hi))
    return f"{value} [{low}–{high}] | {published}{missed}"


def _number(value: float | None, digits: int) -> str:
    return "·" if value is None else f"{value:.{digits}f}"


def _published(verdict: Verdict, digits: int) -> str:
    """A published figure, with its interval where the criterion asks for it."""
    interval = verdict.published
    value = "nr" if interval.value is None else f"{interval.value:.{digits}f}"
    if interval.low is None:
        return value
    return f"{value} ({_number(interval.low, digits)}–{_number(interval.high, digits)})"


def print_scorecard(card: Scorecard, refused: Mapping[str, str]) -> None:
    """How many figures hit, criterion by criterion; then what could not be simulated."""
    print_table(
        "scorecard",
        ["criterion", "hits", "of", "share", "asked", "reached", "misses"],
        (_score_row(score) for score in card.scores),
    )
    for row_id, reason in refused.items():
        print_words(f"not simulated: {row_id}: {reason}")


def _score_row(score: Score) -> list[object]:
    share = "" if score.share is None else f"{100 * score.share:.1f} %"
    goal = "" if score.standard.goal is None else f"{100 * score.standard.goal:.0f} %"
    reached = {None: "", True: "yes", False: "no"}[score.is_reached]
    misses = ", ".join(verdict.row_id for verdict in score.misses[:_NAMED])
    more = f" and {len(score.misses) - _NAMED} more" if len(score.misses) > _NAMED else ""
    return [score.standard.words, score.hits, score.total, share, goal, reached, misses + more]


def results_json(
    results: Sequence[ArmResults],
    refused: Mapping[str, str],
    card: Scorecard,
    *,
    seed: Seed,
    patients: int,
) -> bytes:
    """Everything as one JSON document."""
    document = {
        "format": _FORMAT,
        "seed": seed.root,
        "patients_per_arm": patients,
        "interval": "90 %: parameter and sampling uncertainty at the published size of the arm",
        "rows": [
            {"row_id": each.row_id, "n": each.n, **{name: _estimate(getattr(each, name)) for name in FIGURES}}
            for each in results
        ],
        "not_simulated": [{"row_id": row_id, "reason": reason} for row_id, reason in refused.items()],
        "scorecard": [
            {
                "criterion": score.criterion,
                "asks": score.standard.words,
                "hits": score.hits,
                "judged": score.total,
                "share": score.share,
                "goal": score.standard.goal,
                "reached": score.is_reached,
                "misses": [verdict.row_id for verdict in score.misses],
                "not_judged": [verdict.row_id for verdict in score.not_judged],
            }
            for score in card.scores
        ],
    }
    return orjson.dumps(document, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _estimate(figure: Estimate) -> dict[str, float | None] | None:
    if figure == Estimate(None, None, None):
        return None
    return {"value": figure.value, "lo": figure.lo, "hi": figure.hi}
