"""What must hold between the cells of a trial arm, and between the arms of a table.

Rules this module guarantees:

- low <= estimate <= high wherever two of them are given.
- A hazard ratio stands on an experimental row that names its comparator, and nowhere else.
- A comparator is a control row of the same trial and population, in the same table.
- `drug_classes` has the shape of `drugs`, each drug replaced by its class.
- Checks return problems and never raise.

    >>> check_table([])
    []
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from oncoproof.knowledge.medicines.conditions import write_number
from oncoproof.knowledge.medicines.treatments import class_of
from oncoproof.knowledge.problems import Problem
from oncoproof.knowledge.trials.arms import ArmRole, Interval, TrialArm


@dataclass(frozen=True, slots=True)
class PlacedRow:
    """A row of a table, where it stands and what is wrong with it."""

    place: str
    """Line and row id, as a problem names them."""
    row_id: str
    """The row id as written."""
    arm: TrialArm | None
    """The arm; None = a cell of the row cannot be read."""
    problems: tuple[Problem, ...]
    """What is wrong within the row."""


_EXPERIMENTAL = (ArmRole.EXPERIMENTAL, ArmRole.SECOND_EXPERIMENTAL)


def check_row(arm: TrialArm, place: str) -> list[Problem]:
    """What is wrong within one arm."""
    return [
        *_check_intervals(arm, place),
        *_check_lines(arm, place),
        *_check_medians(arm, place),
        *_check_hazard_ratios(arm, place),
        *_check_responses(arm, place),
        *_check_classes(arm, place),
    ]


def check_table(rows: Sequence[PlacedRow]) -> list[Problem]:
    """What is wrong between the rows of a table; a row that cannot be read still has its id."""
    by_id: dict[str, PlacedRow] = {}
    problems: list[Problem] = []
    for row in rows:
        if row.row_id in by_id:
            problems.append(
                _problem(row.place, "row_id", row.row_id, "each row id once", "name one otherwise")
            )
        by_id.setdefault(row.row_id, row)
    for row in rows:
        if row.arm is not None and row.arm.comparator_row_id is not None:
            problems.extend(_check_comparator(row.arm, by_id.get(row.arm.comparator_row_id), row.place))
    return problems


def _problem(place: str, column: str, came: object, expected: str, remedy: str) -> Problem:
    return Problem(where=f"{place}, {column}", came=repr(came), expected=expected, remedy=remedy)


def _check_intervals(arm: TrialArm, place: str) -> Iterator[Problem]:
    intervals = {
        "pfs_median_mo": arm.pfs,
        "pfs_hr": arm.pfs_hazard,
        "os_median_mo": arm.os,
        "os_hr": arm.os_hazard,
    }
    for column, interval in intervals.items():
        given = [number for number in (interval.low, interval.value, interval.high) if number is not None]
        if given != sorted(given):
            yield _problem(
                place, column, _describe(interval), "low <= estimate <= high", "correct the one that is off"
            )


def _describe(interval: Interval) -> str:
    low, value, high = (
        "" if number is None else write_number(number)
        for number in (interval.low, interval.value, interval.high)
    )
    return f"{value} ({low} to {high})"


def _check_lines(arm: TrialArm, place: str) -> Iterator[Problem]:
    if arm.line_min > arm.line_max:
        yield _problem(
            place, "line_min", arm.line_min, f"at most line_max, {arm.line_max}", "swap or correct them"
        )


def _check_medians(arm: TrialArm, place: str) -> Iterator[Problem]:
    for name, not_reached, median in (
        ("pfs", arm.pfs_not_reached, arm.pfs_median_mo),
        ("os", arm.os_not_reached, arm.os_median_mo),
    ):
        if not_reached and median is not None:
            yield _problem(
                place, f"{name}_median_mo", median, f"blank, as {name}_not_reached is 1", "correct one"
            )


def _check_hazard_ratios(arm: TrialArm, place: str) -> Iterator[Problem]:
    for name, hazard in (("pfs", arm.pfs_hazard), ("os", arm.os_hazard)):
        if hazard.value is None and (hazard.low is not None or hazard.high is not None):
            yield _problem(place, f"{name}_hr", "", "an estimate beside its bounds", "fill it in")
        if hazard.value is not None and arm.comparator_row_id is None:
            yield _problem(
                place, f"{name}_hr", hazard.value, "blank where there is no comparator", "name the comparator"
            )
    if arm.comparator_row_id is not None and arm.arm not in _EXPERIMENTAL:
        yield _problem(
            place, "comparator_row_id", arm.comparator_row_id, f"blank on a {arm.arm} row", "remove it"
        )


def _check_responses(arm: TrialArm, place: str) -> Iterator[Problem]:
    if arm.cr_pct is not None and arm.orr_pct is not None and arm.cr_pct > arm.orr_pct:
        yield _problem(place, "cr_pct", arm.cr_pct, f"at most orr_pct, {arm.orr_pct}", "correct one of them")


def _check_classes(arm: TrialArm, place: str) -> Iterator[Problem]:
    expected = arm.drugs.replaced(class_of)
    if arm.drug_classes != expected:
        yield _problem(
            place, "drug_classes", str(arm.drug_classes), str(expected), "replace each drug by its class"
        )


def _check_comparator(arm: TrialArm, row: PlacedRow | None, place: str) -> Iterator[Problem]:
    column = "comparator_row_id"
    if row is None:
        yield _problem(
            place, column, arm.comparator_row_id, "a row of this table", "correct it or add the row"
        )
        return
    other = row.arm
    if other is None:
        return
    if other.arm is not ArmRole.CONTROL:
        yield _problem(place, column, other.row_id, "a control row", "name the control")
    if (other.trial, _population(other)) != (arm.trial, _population(arm)):
        yield _problem(
            place, column, other.row_id, "a row of the same trial and population", "correct the row ids"
        )


def _population(arm: TrialArm) -> str:
    return arm.row_id.split("-")[1]
