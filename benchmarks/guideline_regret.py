"""Whether correct care wins in the simulator: writes the table of regrets, situation by situation.

`./run python benchmarks/guideline_regret.py` takes some minutes; the page holds what it measured, with date,
machine class and command.
"""

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from guideline_notes import NOTES
from measure import machine_class
from oncoproof.disease.people import (
    TypicalPatients,
    draw_population,
    load_typical_patients,
    typical_patients,
)
from oncoproof.disease.trials import HORIZON_MONTHS, Weighed, weigh
from oncoproof.knowledge.policies import NO_TREATMENT, Policy, Standing, load_policies, load_situations
from oncoproof.seeds import Seed

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "guideline-regret.md"
PATIENTS, ASKED, SEED = 2000, 300, 5
POLICY, TODAY = "resource_rich", date(2026, 1, 1)
SMALL_MONTHS, SMALL_SHARE = 1.0, 0.05
"""A regret is small up to a month, or a twentieth of the time lived under the best choice."""


class Advice(NamedTuple):
    """What a guideline says to the patients of a row."""

    preferred: tuple[str, ...]
    """What it prefers for most of them."""
    listed: tuple[str, ...]
    """Everything it speaks of for most of them."""


def advice_for(row: TypicalPatients, policy: Policy) -> Advice:
    """What the policy says to most of those who are in the situation.

    Args:
        row: The patients.
        policy: The policy.
    """
    subjects = draw_population(typical_patients()[row.id], patients=ASKED, seed=Seed(SEED))
    standings = policy.options(subjects, TODAY)
    inside = standings.situation == standings.situations.index(row.situation)
    codes = standings.codes[:, inside]
    if not inside.any():
        raise SystemExit(f"{row.id}: nobody is in the situation {row.situation}")

    def most(mask: np.ndarray) -> tuple[str, ...]:
        shares = mask.mean(axis=1)
        named = zip(standings.actions, shares, strict=True)
        return tuple(
            action for action, share in named
            if share > 0.5 and action != NO_TREATMENT and not action.startswith("test:")
        )  # fmt: skip

    return Advice(most(standings.mask(Standing.PREFERRED)[:, inside]), most(codes > 0))


class Row(NamedTuple):
    """A line of the page."""

    patients: TypicalPatients
    """Who they are."""
    advice: Advice
    """What they are told."""
    weighed: Weighed
    """What each choice is worth."""

    @property
    def best(self) -> str:
        """The choice under which most time is lived."""
        return next(iter(self.weighed.worth))

    @property
    def guideline(self) -> str | None:
        """The best of what the guideline prefers; None = the model knows none of it."""
        return next((action for action in self.weighed.worth if action in self.advice.preferred), None)

    @property
    def regret_months(self) -> float:
        """Time lost by the guideline's best against the best of all."""
        worth = self.weighed.worth
        return worth[self.best].lived_months - worth[str(self.guideline)].lived_months

    @property
    def is_small(self) -> bool:
        """Whether the guideline wins, or nearly."""
        limit = max(SMALL_MONTHS, SMALL_SHARE * self.weighed.worth[self.best].lived_months)
        return self.regret_months <= limit


def rows() -> Iterator[Row]:
    """Weigh, for every row, what its guideline lists and what it prefers for others of the same disease."""
    policy = load_policies()[POLICY]
    patients = load_typical_patients()
    advice = {row.id: advice_for(row, policy) for row in patients}
    for row in patients:
        others = [
            action for other in patients
            if (other.disease, other.setting) == (row.disease, row.setting)
            for action in advice[other.id].preferred
        ]  # fmt: skip
        actions = tuple(dict.fromkeys([*advice[row.id].listed, *others]))
        yield Row(
            row,
            advice[row.id],
            weigh(typical_patients()[row.id], actions, patients=PATIENTS, seed=Seed(SEED)),
        )


def _line(row: Row) -> str:
    names = {each.slug: each.name for every in load_situations().values() for each in every}
    worth, note = row.weighed.worth, NOTES.get(row.patients.id, "**not explained**")
    best = f"`{row.best}` {worth[row.best].lived_months:.1f}"
    guideline, regret, told = "not in the model", "", note
    if row.guideline is not None:
        guideline = f"`{row.guideline}` {worth[row.guideline].lived_months:.1f}"
        regret = f"{row.regret_months:.1f} ± {worth[row.guideline].error_months:.1f}"
        told = "" if row.is_small else f"× {note}"
    who = f"{names[row.patients.situation]}<br>`{row.patients.id}`"
    return f"| {who} | {best} | {guideline} | {regret} | {told} |"


def _refused(found: Sequence[Row]) -> list[str]:
    lines: list[str] = []
    for row in found:
        for heading, is_rule in (("forbidden by a hard rule", True), ("not in the model", False)):
            named = [each for each, why in row.weighed.refused.items() if ("hard rule" in why) == is_rule]
            if named:
                lines.append(f"- `{row.patients.id}`, {heading}: " + ", ".join(f"`{each}`" for each in named))
    return lines


def main() -> None:
    """Weigh every row and write the page."""
    found = list(rows())
    judged = [row for row in found if row.guideline is not None]
    small = sum(row.is_small for row in judged)
    today = datetime.now(UTC).date().isoformat()  # noqa: TID251  a measurement carries its date
    lines = [
        "# Does correct care win?",
        "",
        "A simulator in which correct care loses would punish correct systems. So every choice that a",
        "guideline names for typical patients of a situation, or prefers for others of the same disease, is",
        "given to the same patients under the same chance; afterwards all get usual care.",
        "",
        f"`./run python benchmarks/guideline_regret.py`, {today}, {machine_class()}.",
        f"{PATIENTS} patients each, seed {SEED}; policy `{POLICY}` on {TODAY}. Figures are mean months",
        f"lived within {HORIZON_MONTHS} months; ± is the standard error of the paired difference.",
        f"A regret is small up to {SMALL_MONTHS:.0f} month or {100 * SMALL_SHARE:.0f} % of the time lived",
        "under the best choice.",
        "",
        f"**Small in {small} of {len(judged)}.** In the others (×) the last column says what is wrong.",
        "",
        "| patients | best choice | guideline's best | regret, months | |",
        "|---|---|---|--:|---|",
        *map(_line, found),
        "",
        "## Not weighed",
        "",
        *_refused(found),
        "",
    ]
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    lost = [row for row in judged if not row.is_small]
    shown = {row.patients.id for row in found if row.guideline is None or not row.is_small}
    for id_ in sorted(set(NOTES) - shown):
        print(f"{id_} has a note and needs none")
    for row in lost:
        if row.patients.id not in NOTES:
            print(f"{row.patients.id} wants a note in guideline_notes.py")
        print(f"{row.patients.id}: {row.best} over {row.guideline} by {row.regret_months:.1f} months")
    print(f"small in {small} of {len(judged)}; wrote {PAGE.name}")


if __name__ == "__main__":
    main()
