"""Courses made by hand: what observations are derived from, without the time of a walk."""

import numpy as np

from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.simulation import Weeks
from oncoproof.disease.courses.state import CLONE_SHIFT, LINE_SHIFT, Mark
from oncoproof.disease.observations.timeline import Walked
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

PATIENTS, WEEKS = 1500, 60
REGIMENS = ("osimertinib", "carboplatin+pemetrexed")
PROGRESSION, SECOND_LINE = 30, 33


def hand_made(patients: int = PATIENTS, first: int = 0, weeks: int = WEEKS) -> Walked:
    """Two lines each, scans every six weeks, every third patient dead at week 50, some severe events."""
    week = np.arange(weeks)[:, None]
    number = first + np.arange(patients)[None, :]
    code = np.full((weeks, patients), Mark.ALIVE | Mark.TREATED, np.uint32)
    second = week >= SECOND_LINE
    code |= second.astype(np.uint32) << LINE_SHIFT
    code |= ((week >= PROGRESSION - 6) & (number % 2 == 0)).astype(np.uint32) << CLONE_SHIFT
    scan = ((week % 6 == 0) & ~second) | ((week - SECOND_LINE) % 6 == 0) & second
    for mark, holds in (
        (Mark.STARTED, (week == 0) | (week == SECOND_LINE)),
        (Mark.SCANNED, scan),
        (Mark.PARTIAL, (week == 12) & (number % 4 != 0)),
        (Mark.PROGRESSED | Mark.NEW_LESION, week == PROGRESSION),
        (Mark.IN_BRAIN, (week == PROGRESSION) & (number % 5 == 0)),
        (Mark.SEVERE, (week == 7) & (number % 2 == 0)),
        (Mark.ILL, (week == 40) & (number % 2 == 1)),
        (Mark.SEVERE | Mark.DIED | Mark.DIED_OF_HARM, (week == 45) & (number % 10 == 9)),
        (Mark.DIED, (week == 50) & (number % 3 == 0)),
    ):
        code |= np.where(holds, np.uint32(mark), np.uint32(0))
    between = (week > PROGRESSION) & (week < SECOND_LINE)
    code &= np.where(between, ~np.uint32(Mark.TREATED), np.uint32(0xFFFFFFFF))
    dead = np.where(number % 10 == 9, 45, np.where(number % 3 == 0, 50, weeks))
    code = np.where(week > dead, np.uint32(0), code)
    code &= np.where(week == dead, ~np.uint32(Mark.ALIVE), np.uint32(0xFFFFFFFF))
    extent = np.exp(0.06 * np.abs(week - 15) - 0.9 + 0.0 * number).astype(np.float32)
    read = np.where((code & Mark.SCANNED) != 0, (50 + number % 40) * np.cbrt(extent), 0.0).astype(np.float32)
    brain = np.where(number % 5 == 0, 0.03 * extent, 1e-6).astype(np.float32)
    subjects = Subjects.of_rows([
        {
            "disease": "nsclc", "line": 1, "age_years": 60 + place % 20, "ecog": place % 2,
            "sex": "female" if place % 2 else "male",
            "metastatic_sites": ["lung", "liver"] if place % 3 else ["lymph"],
        }
        for place in range(patients)
    ])  # fmt: skip
    dose = np.where((code & Mark.TREATED) != 0, 1.0, 0.0).astype(np.float32)
    hazard = np.where(code != 0, 0.01 * extent, 0.0).astype(np.float32)
    return Walked(
        Weeks(code, read, extent, brain, dose, hazard),
        patients=covariates_of(subjects, number[0].astype(np.int32)),
        subjects=subjects,
        regimens=REGIMENS,
        plan=np.tile(np.array([[0], [1]], np.int32), (1, patients)),
        key=noise_key(Seed(20260301)),
    )
