"""`oncoproof simulate journey`: one patient of the disease model, drawn, treated and followed to the end.

Rules this module guarantees:

- The same disease, seed, guideline and weeks give the same patient, journey and picture.
- Truth that nobody observed is in the project's own formats and in the picture, dashed; never in a FHIR
  bundle, a phenopacket or a record.

    $ oncoproof simulate journey --disease nsclc --seed 3 --plot course.svg
"""

from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from oncoproof.app.journey_commands import Disease, Output, print_journey
from oncoproof.app.journey_files import FileFormat, write_journeys
from oncoproof.app.screen import busy, print_note, print_words, write_output
from oncoproof.errors import InputError
from oncoproof.seeds import Seed

if TYPE_CHECKING:
    from oncoproof.disease.journeys import ObservedCourse, SimulatedPatient
    from oncoproof.journey import Journey

_WEEKS = 260
_GUIDELINE = "resource_rich"
_START = date(2025, 3, 3)


class CourseFormat(StrEnum):
    """How a simulated journey is told."""

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


def journey(
    *,
    disease: Disease = Disease.NSCLC,
    seed: int = 1,
    weeks: int = _WEEKS,
    guideline: str = _GUIDELINE,
    start: date = _START,
    plot: Path | None = None,
    format: CourseFormat = CourseFormat.TEXT,  # noqa: A002  the option people expect
    output: Output = None,
) -> None:
    """Simulate one typical patient with advanced disease and tell their whole journey.

    The patient is drawn from the disease's population and treated as a guideline prefers; the course follows
    from the model. The patient is nobody real.

    Args:
        disease: Which disease.
        seed: Where chance starts; the same seed gives the same patient.
        weeks: How long the patient is followed.
        guideline: Whose advice is followed: a policy of the knowledge base.
        start: First day of treatment.
        plot: Write a picture of the course (SVG) into this file.
        format: Table, own formats, FHIR bundle or phenopacket.
        output: A file to write to; without it, standard output.
    """
    if format is CourseFormat.TEXT and output is not None:
        raise InputError(
            where=str(output),
            came="a file for a table",
            expected="a format that is a file's: json, record, parquet, fhir or phenopacket",
            remedy="add --format json, name the picture with --plot, or leave --output out",
        )
    # Loading the numerical library takes a second: only commands that simulate pay for it.
    from oncoproof.disease.journeys import journey_of, observe_course, simulate_patient  # noqa: PLC0415  as above

    first = start.date() if isinstance(start, datetime) else start
    with busy("simulating"):
        patient = simulate_patient(disease.value, Seed(seed), start=first, weeks=weeks, guideline=guideline)
        seen = observe_course(patient)
        told = journey_of(patient, seen)
    if plot is not None:
        from oncoproof.app.course_picture import draw_course  # noqa: PLC0415  needed only for pictures

        write_output(draw_course(patient, seen).encode(), plot)
        print_note(f"wrote the picture into {plot}")
    if format is not CourseFormat.TEXT:
        write_output(write_journeys([told], FileFormat(format.value), as_of=None), output)
    else:
        _print(patient, seen, told)


def _print(patient: "SimulatedPatient", seen: "ObservedCourse", told: "Journey") -> None:
    from oncoproof.disease.journeys import (  # noqa: PLC0415  as above
        describe_end,
        describe_patient,
        describe_tumour,
    )

    print_words(describe_patient(patient), style="bold")
    print_words(f"{describe_tumour(patient)}. {describe_end(patient, seen)}")
    print_journey(told)
