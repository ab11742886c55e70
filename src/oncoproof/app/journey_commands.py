"""`oncoproof journey`: show, check and convert patient journeys.

    $ oncoproof journey demo --disease nsclc --seed 3 --format fhir
"""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from oncoproof.app.journey_files import FileFormat, detect_format, read_journeys, read_path, write_journeys
from oncoproof.app.journey_picture import draw
from oncoproof.app.screen import print_json, print_table, print_words, write_output
from oncoproof.journey import Journey, Loss, Record, demonstrate, label
from oncoproof.seeds import Seed

app = App(
    name="journey",
    help="Show, check and convert patient journeys (JSON, Parquet, FHIR, phenopackets).",
    default_parameter=Parameter(negative=()),
)

Output = Annotated[Path | None, Parameter(name=["--output", "-o"])]


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
    as_of: int | None = None,
    output: Output = None,
) -> None:
    """Tell one made-up patient's course, as a story: its numbers are no facts.

    Args:
        disease: Which disease.
        seed: The same seed tells the same story.
        format: Table, own JSON, FHIR bundle, phenopacket or picture.
        as_of: Tell what was known on this day only; without it, everything.
        output: A file to write to; without it, standard output.
    """
    journey = demonstrate(Seed(seed), disease.value)
    _tell(journey, DemoFormat(format), as_of=as_of, output=output)


def _tell(journey: Journey, told_as: DemoFormat, *, as_of: int | None, output: Path | None) -> None:
    if told_as is DemoFormat.TEXT:
        _print_journey(journey, as_of)
    elif told_as is DemoFormat.SVG:
        write_output(_picture(journey, as_of).encode(), output)
    else:
        data = write_journeys([journey], FileFormat(told_as.value), as_of=as_of)
        write_output(data, output)


@app.command
def show(
    file: Path,
    *,
    as_of: int | None = None,
    plot: Path | None = None,
    json: bool = False,
) -> None:
    """Show the journeys of a file as tables.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        as_of: Show what was known on this day only; without it, everything.
        plot: Draw the first journey into this SVG file instead.
        json: Print the journeys as JSON in the project's own format.
    """
    reading = read_journeys(read_path(file), where=str(file))
    if plot is not None:
        write_output(_picture(reading.journeys[0], as_of).encode(), plot)
    elif json:
        write_output(write_journeys(reading.journeys, FileFormat.JSON, as_of=as_of), None)
    else:
        for journey in reading.journeys:
            _print_journey(journey, as_of)


@app.command
def check(file: Path, *, json: bool = False) -> int:
    """Check a file: can it be read, is all of it understood, does it keep the rules.

    Exit code 0: everything was understood. 1: it was read, and parts have no place in a journey.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        json: Print one JSON document.
    """
    data = read_path(file)
    file_format = detect_format(data, where=str(file))
    reading = read_journeys(data, where=str(file))
    if json:
        print_json(
            {
                "file": str(file),
                "format": file_format.value,
                "journeys": len(reading.journeys),
                "events": sum(len(journey) for journey in reading.journeys),
                "not_understood": [{"where": loss.where, "what": loss.what} for loss in reading.losses],
            }
        )
    else:
        events = sum(len(journey) for journey in reading.journeys)
        print_words(f"{file}: {file_format.value}, {len(reading.journeys)} journeys, {events} events")
        _print_losses(reading.losses)
    return 1 if reading.losses else 0


@app.command
def convert(
    file: Path,
    *,
    to: FileFormat,
    as_of: int | None = None,
    output: Output = None,
) -> None:
    """Convert journeys between formats; FHIR and phenopackets tell the record, never the truth.

    Args:
        file: JSON, JSON lines, Parquet, FHIR bundle or phenopacket; a folder of FHIR resources; `-` is
            standard input.
        to: The format to write.
        as_of: Tell what was known on this day only; without it, everything.
        output: A file to write to; without it, standard output.
    """
    reading = read_journeys(read_path(file), where=str(file))
    write_output(write_journeys(reading.journeys, to, as_of=as_of), output)


def _record(journey: Journey, as_of: int | None) -> Record:
    return journey.record() if as_of is None else journey.visible(as_of)


def _picture(journey: Journey, as_of: int | None) -> str:
    if as_of is None:
        return draw(tuple(journey), tuple(journey.links()), title=f"Journey of {journey.patient.id}")
    record = journey.visible(as_of)
    return draw(record.events, record.links, title=f"Journey of {record.patient.id}, day {as_of}")


def _print_journey(journey: Journey, as_of: int | None) -> None:
    events = tuple(journey) if as_of is None else journey.visible(as_of).events
    links = tuple(journey.links()) if as_of is None else journey.visible(as_of).links
    because: dict[str, list[str]] = {}
    for link in links:
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
        for event in events
    ]
    title = f"{journey.patient.id}: {journey.patient.sex}, day 0 is {journey.index.isoformat()}"
    print_table(title, ("day", "end", "recorded", "id", "kind", "what", "because"), rows)


def _print_losses(losses: tuple[Loss, ...]) -> None:
    if not losses:
        print_words("Everything was understood.")
        return
    print_table(
        "Not understood, and not in the journeys:",
        ("where", "what"),
        [(loss.where, loss.what) for loss in losses],
    )
