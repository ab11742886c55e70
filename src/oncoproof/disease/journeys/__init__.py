"""Journeys of simulated patients: who they are, what was done, what was seen, and why one came of another."""

from oncoproof.disease.journeys.descriptions import (
    describe_end,
    describe_patient,
    describe_tumour,
    regimen_name,
)
from oncoproof.disease.journeys.episodes import Episodes, GivenLine, LineEnd, ReadScan, Stretch
from oncoproof.disease.journeys.journey_telling import journey_of
from oncoproof.disease.journeys.observed_course import (
    BloodDraw,
    Harm,
    ObservedCourse,
    SeenScan,
    Visit,
    observe_course,
)
from oncoproof.disease.journeys.simulated_patient import (
    GUIDELINE,
    START,
    WEEKS,
    Choice,
    SimulatedPatient,
    simulate_patient,
)
from oncoproof.disease.journeys.under_treatment import TreatmentPart, parts_of

__all__ = [
    "GUIDELINE",
    "START",
    "WEEKS",
    "BloodDraw",
    "Choice",
    "Episodes",
    "GivenLine",
    "Harm",
    "LineEnd",
    "ObservedCourse",
    "ReadScan",
    "SeenScan",
    "SimulatedPatient",
    "Stretch",
    "TreatmentPart",
    "Visit",
    "describe_end",
    "describe_patient",
    "describe_tumour",
    "journey_of",
    "observe_course",
    "parts_of",
    "regimen_name",
    "simulate_patient",
]
