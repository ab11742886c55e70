"""`oncoproof knowledge validate`: is this patient, and this plan, possible, consistent and safe?

$ oncoproof knowledge validate patient.json --plan osimertinib
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import cast

import orjson

from oncoproof.app.journey_files import FileToRead, read_journeys, read_path
from oncoproof.app.screen import busy, follow, print_json, print_table, print_words
from oncoproof.errors import FormatError, UnitError
from oncoproof.knowledge import Gap, Report, Subjects, Violation, features_of, find_regimen, validate


def validate_file(
    file: FileToRead, *, plan: str | None = None, as_of: int | date | None = None, json: bool = False
) -> int:
    """Check patients, and what is planned for them: possible, consistent, safe?

    The file is a journey in any format, or features as JSON: one object, or a list of them, such as
    `{"disease": "crc", "RAS": "mut", "plan_drugs": ["cetuximab"]}`.

    Exit code 0: nothing is broken. 1: something is.

    Args:
        file: Journeys or features; `-` is standard input.
        plan: A regimen, by id or common name, that is planned for every patient of the file.
        as_of: Judge by what was known on this day only, a number or a date; without it, by everything
            recorded.
        json: Print one JSON document.
    """
    rows = read_subjects(read_path(file), where=str(file), as_of=as_of)
    if plan is not None:
        regimen = find_regimen(plan)
        rows = [{**row, "plan_drugs": sorted(regimen.drugs), "plan_regimen": regimen.id} for row in rows]
    with busy("checking"):
        report = validate(Subjects.of_rows(rows))
    numbers = follow(range(len(rows)), "explaining", total=len(rows))
    if json:
        print_json([_as_json(report, number) for number in numbers])
    else:
        told = [(report.violations(number), report.gaps(number)) for number in numbers]
        for number, (violations, gaps) in enumerate(told):
            _print(number, violations, gaps)
    return 1 if report.violated().any() else 0


def read_subjects(data: bytes, *, where: str, as_of: int | date | None) -> list[Mapping[str, object]]:
    """The features of each patient of a file: given as such, or read from journeys."""
    rows = _feature_rows(_parse(data))
    if rows:
        return rows
    try:
        return [
            features_of(journey.record() if as_of is None else journey.visible(as_of))
            for journey in read_journeys(data, where=where).journeys
        ]
    except UnitError as error:
        raise FormatError(
            where=f"{where}: {error.where}", came=error.came, expected=error.expected, remedy=error.remedy
        ) from error


def _feature_rows(document: object) -> list[Mapping[str, object]]:
    """The document's rows where it is features; none where it is something else."""
    members = cast("list[object]", document) if isinstance(document, list) else [document]
    rows = [cast("Mapping[str, object]", member) for member in members if isinstance(member, dict)]
    return [] if len(rows) < len(members) or any(map(_is_document, rows)) else rows


def _parse(data: bytes) -> object:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return None


def _is_document(row: Mapping[str, object]) -> bool:
    return bool({"resourceType", "format", "metaData", "meta_data"} & set(row))


def _as_json(report: Report, number: int) -> dict[str, object]:
    return {
        "subject": number,
        "violations": [_violation_json(violation) for violation in report.violations(number)],
        "not_assessable": [
            {"id": gap.id, "severity": gap.severity, "title": gap.title, "missing": gap.missing}
            for gap in report.gaps(number)
        ],
    }


def _violation_json(violation: Violation) -> dict[str, object]:
    return {
        "id": violation.id,
        "group": violation.group,
        "severity": violation.severity,
        "title": violation.title,
        "sentence": violation.sentence,
        "action": violation.action,
        "reasons": violation.reasons,
        "source": violation.source,
        "basis": violation.basis,
    }


def _print(number: int, violations: Sequence[Violation], gaps: Sequence[Gap]) -> None:
    print_words(f"subject {number}: {len(violations)} broken, {len(gaps)} not assessable", style="bold")
    if violations:
        print_table(
            "",
            ("severity", "what", "because", "do", "source"),
            [
                (v.severity, v.title, "; ".join(v.reasons) or v.sentence, v.action, f"{v.source} ({v.basis})")
                for v in violations
            ],
        )
    if gaps:
        print_words("Not assessable, for want of: " + ", ".join(_missing(gaps)))


def _missing(gaps: Sequence[Gap]) -> list[str]:
    return sorted({name for gap in gaps for name in gap.missing})
