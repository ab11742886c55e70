"""A simulated patient's journey: everything that was done and seen, and why one came of another.

Rules this module guarantees:

- The journey keeps every rule of journeys, and ends with one outcome: remission, death of the cancer, of a
  drug or of another cause, or the horizon.
- Clones, and what truly drove the disease, are truth: no record holds them.
- The same patient has the same journey.

    >>> from oncoproof.seeds import Seed
    >>> from oncoproof.disease.journeys.simulated_patient import simulate_patient
    >>> patient = simulate_patient("nsclc", Seed(3), weeks=52)
    >>> journey = journey_of(patient)
    >>> journey.first(Kind.TREATMENT).day, journey.latest(Kind.OUTCOME).day
    (0, 363)
"""

from oncoproof.disease.journeys.before_treatment import person_of, tell_before_treatment
from oncoproof.disease.journeys.chronicle import Chronicle
from oncoproof.disease.journeys.course_findings import tell_clones, tell_end, tell_harm, tell_scans
from oncoproof.disease.journeys.observed_course import ObservedCourse, observe_course
from oncoproof.disease.journeys.simulated_patient import SimulatedPatient
from oncoproof.disease.journeys.under_treatment import tell_decisions, tell_lines
from oncoproof.disease.journeys.visit_findings import tell_blood, tell_visits
from oncoproof.journey import Journey, Kind

__all__ = ["Kind", "journey_of"]


def journey_of(patient: SimulatedPatient, seen: ObservedCourse | None = None) -> Journey:
    """The journey of a simulated patient.

    Args:
        patient: Who was simulated.
        seen: What was observed; None = it is drawn now.
    """
    course = observe_course(patient) if seen is None else seen
    chronicle = Chronicle()
    tell_before_treatment(patient, chronicle)
    tell_clones(patient, chronicle)
    tell_decisions(patient, course, chronicle)
    tell_lines(patient, chronicle)
    tell_scans(patient, course, chronicle)
    tell_harm(patient, course, chronicle)
    tell_visits(patient, course, chronicle)
    tell_blood(patient, course, chronicle)
    tell_end(patient, course, chronicle)
    return chronicle.journey(person_of(patient), patient.start)
