"""How well published trials come out, and each trial predicted from the others: writes the residual table.

`./run python benchmarks/trial_scorecard.py` takes some minutes; the page holds what it measured, with date,
machine class and command.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from measure import machine_class
from oncoproof.disease import (
    ArmResults,
    Criterion,
    Outcome,
    Scorecard,
    judge,
    predict_each,
    simulate_arms,
    summarise_arms,
)
from oncoproof.disease.fitting.fitting_run import PREDICTED_LEAST
from oncoproof.disease.trials import CurveDistance, curve_distances
from oncoproof.knowledge.trials import load_trials
from oncoproof.seeds import Seed

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "trial-scorecard.md"
PATIENTS, SEED, FIT_PATIENTS, FIT_SEED = 1000, 7, 400, 1
"""The scorecard's patients have another seed than those of the fit: it is not tuned to their chance."""

UNSEEN = {Criterion.PFS_HR: 0.75, Criterion.PFS_HR_SIGN: 1.0}
"""What is asked where a trial had no say."""

SHOWN = {
    Criterion.ORR: ("ORR %", 0),
    Criterion.PFS_MEDIAN: ("PFS mo", 1),
    Criterion.PFS_HR: ("PFS HR", 2),
    Criterion.OS_MEDIAN: ("OS mo", 1),
    Criterion.OS_HR: ("OS HR", 2),
    Criterion.GRADE3PLUS: ("grade ≥3 %", 0),
}


def _summary(card: Scorecard, left_out: Scorecard) -> list[str]:
    lines = [
        "| criterion | on the table | asked | each trial left out | asked |",
        "|---|--:|--:|--:|--:|",
    ]
    for score, other in zip(card.scores, left_out.scores, strict=True):
        goals = (score.standard.goal, UNSEEN.get(score.criterion))
        asked, asked_unseen = ("" if goal is None else f"{100 * goal:.0f} %" for goal in goals)
        found, unseen = _share(score.hits, score.total), _share(other.hits, other.total)
        cells = (score.standard.words, found, asked, unseen, asked_unseen)
        lines.append("| " + " | ".join(cells) + " |")
    return lines


def _share(hits: int, total: int) -> str:
    return f"{100 * hits / total:.0f} % ({hits} of {total})" if total else "none"


def _residuals(results: Sequence[ArmResults], card: Scorecard) -> list[str]:
    heads = [title for title, _ in SHOWN.values()]
    lines = ["| arm | " + " | ".join(heads) + " |", "|---|" + "--:|" * len(heads)]
    for result in results:
        cells = [_cell(card, result.row_id, criterion, digits) for criterion, (_, digits) in SHOWN.items()]
        lines.append(f"| `{result.row_id}` | " + " | ".join(cells) + " |")
    return lines


def _cell(card: Scorecard, row_id: str, criterion: Criterion, digits: int) -> str:
    verdict = card.verdict(row_id, criterion)
    if verdict is None:
        return ""
    simulated = "nr" if verdict.simulated.value is None else f"{verdict.simulated.value:.{digits}f}"
    published = "nr" if verdict.published.value is None else f"{verdict.published.value:.{digits}f}"
    return f"{simulated} / {published}" + (" ×" if verdict.outcome is Outcome.MISS else "")


def _curves(distances: Sequence[CurveDistance]) -> list[str]:
    mean = sum(each.mean_points * each.months for each in distances) / sum(each.months for each in distances)
    return [
        f"Over the {len(distances)} published curves that were rebuilt, simulated ones lie {mean:.1f}",
        "percentage points away on average over their length. Distance is the area between the two curves",
        "divided by the length; shift is the same with its sign, above 0 where simulated patients do better.",
        "",
        "| arm | curve | months | distance | largest | shift |",
        "|---|---|--:|--:|--:|--:|",
        *(
            f"| `{each.row_id}` | {each.endpoint.upper()} | {each.months} | {each.mean_points:.1f} "
            f"| {each.largest_points:.1f} | {each.shift_points:+.1f} |"
            for each in distances
        ),
    ]


def main() -> None:
    """Simulate the table, predict each trial from the others, and write the page."""
    arms = load_trials()
    simulated = simulate_arms(arms, patients=PATIENTS, seed=Seed(SEED), draws=4)
    results = tuple(summarise_arms(arms, simulated.courses, seed=Seed(SEED)))
    card = judge(arms, results)
    distances = tuple(curve_distances({row: each[0] for row, each in simulated.courses.items()}))
    left_out = judge(arms, predict_each(arms, patients=FIT_PATIENTS, seed=Seed(FIT_SEED)))
    today = datetime.now(UTC).date().isoformat()  # noqa: TID251  a measurement carries its date
    lines = [
        "# Trials, simulated and published",
        "",
        f"`./run python benchmarks/trial_scorecard.py`, {today}, {machine_class()}.",
        f"On the table: {PATIENTS} patients in each arm, seed {SEED}, which is not that of the fit.",
        f"Left out: seed {FIT_SEED}, fitted anew with {FIT_PATIENTS} patients, predicted with",
        f"{PREDICTED_LEAST}.",
        "What is missed stands here as measured;",
        "[where the model is wrong](../concepts/disease.md) says why.",
        "",
        *_summary(card, left_out),
        "",
        "## Arm by arm",
        "",
        "Simulated / published; × = outside what is asked; nr = not reached; blank = not published.",
        "",
        *_residuals(results, card),
        "",
        "## Whole curves",
        "",
        *_curves(distances),
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    print("\n".join(_summary(card, left_out)))


if __name__ == "__main__":
    main()
