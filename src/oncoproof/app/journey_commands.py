"""`oncoproof journey`: show, check and convert patient journeys.

Rules this module guarantees:

- Without a day, everything that a format can say is told; with `--as-of`, what was known on that day only,
  whatever the file held.
- What a file holds and a journey cannot say is counted where it is dropped and listed by `check`.

    $ oncoproof journey demo --disease nsclc --seed 3 --format fhir
"""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeAlias

from cyclopts import App, Parameter

from oncoproof.app.journey_files import (
    FileFormat,
    FileReading,
    FileToRead,
    cut,
    examine_journeys,
    read_journeys,
    read_path,
    write_journeys,
)
from oncoproof.app.journey_picture import draw
from oncoproof.app.screen import print_json, print_note, print_table, print_words, write_output
from oncoproof.errors import FormatError, InputError
from oncoproof.journey import Journey, Loss, demonstrate, label
from oncoproof.seeds import Seed

app = App(
    name="journey",
    help="Show, check and convert patient journeys (JSON, Parquet, FHIR, phenopackets).",
    help_epilogue=(
        "Exit codes: 0 done; 1 check found something wrong or not understood; 2 the call itself is wrong; "
        "3 a file cannot be read or written, or is none of these formats."
    ),
    default_parameter=Parameter(negative=()),
)

Output: TypeAlias = Annotated[Path | None, Parameter(name=["--output", "-o"])]
AsOf: TypeAlias = int | date | None


class Disease(StrEnum):
    """A disease that has a demonstration."""

    NSCLC = "nsclc"
    """Non-small cell lung cancer."""
    CRC = "crc"
    """Colorectal cancer."""
    BREAST = "breast"
    """Breast cancer."""
    MELANOMA = "melanoma"
    """Melanoma."""
    OVARIAN = "ovarian"
    """Ovarian cancer."""
    PROSTATE = "prostate"
    """Prostate cancer."""


class DemoFormat(StrEnum):
    """How a demonstration is told."""

    TEXT = "text"
    """A table for people."""
    JSON = "json"
    """The project's own format: truth and record."""
    RECORD = "record"
    """The record alone, in the project's own format: what systems get."""
    PARQUET = "parquet"
    """The project's own format for many journeys: truth and record."""
    FHIR = "fhir"
    """A FHIR R4 bundle of the record."""
    PHENOPACKET = "phenopacket"
    """A GA4GH phenopacket of the record."""
    SVG = "svg"
    """A picture."""


@app.command
def demo(
    *,
    disease: Disease = Disease.NSCLC,
    seed: int = 0,
    format: DemoFormat = DemoFormat.TEXT,  # noqa: A002  the option people expect
    as_of: AsOf = None,
    output: Output = None,
) -> None:
    """Tell one made-up patient's course, as a story: its numbers are no facts.

    Args:
        disease: Which disease.
        seed: The same seed tells the same story.
        format: Table, own formats, FHIR bundle, phenopacket or picture.
        as_of: Tell what was known on this day only, a number or a date; without it, everything.
        output: A file to write to; without it, standard output.
    """
    journey = demonstrate(Seed(seed), disease.value)
    if format is DemoFormat.TEXT:
        if output is not None:
            raise InputError(
                where=str(output),
                came="a file for a table",
                expected="a format that is a file's: json, record, parquet, fhir, phenopacket or svg",
                remedy="add --format json, or leave --output out",
            )
        print_journey(cut(journey, as_of))
    elif format is DemoFormat.SVG:
        write_output(_picture(journey, as_of), output)
    else:
        write_output(write_journeys([journey], FileFormat(format.value), as_of=as_of), output)


@app.command
def show(
    file: FileToRead,
    *,
    as_of: AsOf = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Show the journeys of a file as tables.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        as_of: Show what was known on this day only, a number or a date; without it, everything.
        plot: Draw the journey into this SVG file instead; the file must hold one.
        json: Print the journeys as JSON in the project's own format.
    """
    reading = read_journeys(read_path(file), where=str(file))
    if plot is not None:
        write_output(_picture(_only(reading, file), as_of), plot)
    elif json:
        write_output(write_journeys(reading.journeys, FileFormat.JSON, as_of=as_of), None)
    else:
        for journey in reading.journeys:
            print_journey(cut(journey, as_of))
    _note_losses(reading, file)


@app.command
def check(file: FileToRead, *, json: bool = False) -> int:
    """Check a file: can it be read, is all of it understood, does it keep the rules.

    Exit code 0: nothing is wrong, and all was understood. 1: it was read, and something in it is wrong or
    has no place in a journey. 3: it cannot be read.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        json: Print one JSON document.
    """
    reading = examine_journeys(read_path(file), where=str(file))
    events = sum(len(journey) for journey in reading.journeys)
    if json:
        print_json(
            {
                "file": str(file),
                "format": reading.file_format.value,
                "journeys": len(reading.journeys),
                "events": events,
                "problems": [problem.parts() for problem in reading.problems],
                "not_understood": [{"where": loss.where, "what": loss.what} for loss in reading.losses],
            }
        )
    else:
        count = len(reading.journeys)
        words = "1 journey" if count == 1 else f"{count} journeys"
        print_words(f"{file}: {reading.file_format.value}, {words}, {events} events")
        _print_problems(reading.problems)
        _print_losses(reading.losses)
    return 1 if reading.problems or reading.losses else 0


@app.command
def convert(
    file: FileToRead,
    *,
    to: FileFormat,
    as_of: AsOf = None,
    output: Output = None,
) -> None:
    """Convert journeys between formats; records, FHIR and phenopackets never tell the truth behind them.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        to: The format to write.
        as_of: Tell what was known on this day only, a number or a date; without it, everything.
        output: A file to write to; without it, standard output.
    """
    reading = read_journeys(read_path(file), where=str(file))
    write_output(write_journeys(reading.journeys, to, as_of=as_of), output)
    _note_losses(reading, file)


def _only(reading: FileReading, file: Path) -> Journey:
    if len(reading.journeys) != 1:
        raise InputError(
            where=str(file),
            came=f"{len(reading.journeys)} journeys",
            expected="one journey for a picture",
            remedy="take one journey out of the file",
        )
    return reading.journeys[0]


def _picture(journey: Journey, as_of: AsOf) -> bytes:
    told = cut(journey, as_of)
    day = f", as known on {'' if isinstance(as_of, date) else 'day '}{as_of}"
    title = f"Journey of {journey.patient.id}{'' if as_of is None else day}"
    return draw(tuple(told), tuple(told.links()), title=title).encode()


def print_journey(journey: Journey) -> None:
    """A journey as a table: events in order of time, and what each came of."""
    because: dict[str, list[str]] = {}
    for link in journey.links():
        because.setdefault(link.effect, []).append(f"{link.cause} {link.reason.replace('_', ' ')}")
    rows = [
        (
            event.day,
            "" if event.end is None else event.end,
            "truth" if event.recorded is None else event.recorded,
            event.id,
            event.kind.replace("_", " "),
            label(event),
            ", ".join(because.get(event.id, ())),
        )
        for event in journey
    ]
    title = f"{journey.patient.id}: {journey.patient.sex}, day 0 is {journey.index.isoformat()}"
    print_table(title, ("day", "end", "recorded", "id", "kind", "what", "because"), rows)


def _note_losses(reading: FileReading, file: Path) -> None:
    if reading.losses:
        print_note(
            f"{len(reading.losses)} parts of {file} have no place in a journey and were left out; "
            f"oncoproof journey check {file} lists them"
        )


def _print_problems(problems: Sequence[FormatError]) -> None:
    if problems:
        rows = [(problem.where, problem.came, problem.expected, problem.remedy) for problem in problems]
        print_table("Wrong in the file:", ("where", "came", "expected", "try"), rows)


def _print_losses(losses: Sequence[Loss]) -> None:
    if not losses:
        print_words("Everything was understood.")
        return
    print_table(
        "Not understood, and not in the journeys:",
        ("where", "what"),
        [(loss.where, loss.what) for loss in losses],
    )
