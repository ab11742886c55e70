"""Everything that is observed of courses, and the truth behind it, in one call.

Rules this module guarantees:

- What is observed of a patient depends on the seed, their number, features, plan and course alone.
- Fields that hold what is so, and is never observed, say `Truth` in their words.

    >>> Record._fields[:2]
    ('visits', 'events')
"""

from typing import NamedTuple

import numpy as np
from jaxtyping import Float32

from oncoproof.disease.numbers.parameters import Parameters
from oncoproof.disease.observations.adverse_events import AdverseEvents, draw_adverse_events
from oncoproof.disease.observations.blood_dna import BloodDna, draw_blood
from oncoproof.disease.observations.laboratory import LaboratoryValues, measure_laboratory
from oncoproof.disease.observations.lesions import (
    LesionReadings,
    NewLesions,
    Targets,
    draw_new_lesions,
    draw_targets,
    read_lesions,
)
from oncoproof.disease.observations.outcome import Outcomes, find_outcomes
from oncoproof.disease.observations.performance import PerformanceReadings, read_performance
from oncoproof.disease.observations.quality import Quality, value_weeks
from oncoproof.disease.observations.reserve import reserve_of
from oncoproof.disease.observations.timeline import Visits, Walked
from oncoproof.disease.observations.toxicity_burden import Activity, activity_of, toxicity_burden


class Record(NamedTuple):
    """What is observed of courses."""

    visits: Visits
    """When patients were seen."""
    events: AdverseEvents
    """Adverse events."""
    activity: Activity
    """In which weeks they are active."""
    burden: Float32[np.ndarray, "weeks n"]
    """Truth: how heavily they weigh."""
    targets: Targets
    """Target lesions."""
    lesions: LesionReadings
    """Their diameters at scans."""
    new_lesions: NewLesions
    """New lesions."""
    performance: PerformanceReadings
    """Performance status at visits."""
    laboratory: LaboratoryValues
    """Laboratory values at visits."""
    blood: BloodDna
    """Tumour DNA in blood at scans."""
    quality: Quality
    """Utilities."""
    outcomes: Outcomes
    """How courses ended."""


def observe(walked: Walked, parameters: Parameters) -> Record:
    """Everything that is observed of courses.

    Args:
        walked: The courses.
        parameters: Numbers of the model with which they were walked.
    """
    reserve = reserve_of(walked, parameters)
    events = draw_adverse_events(walked)
    activity = activity_of(events, patients=walked.shape[1])
    burden = toxicity_burden(events, activity, shape=walked.shape)
    targets = draw_targets(walked)
    return Record(
        visits=walked.visits,
        events=events,
        activity=activity,
        burden=burden,
        targets=targets,
        lesions=read_lesions(walked, targets),
        new_lesions=draw_new_lesions(walked),
        performance=read_performance(walked, burden, reserve),
        laboratory=measure_laboratory(walked, events, activity, reserve),
        blood=draw_blood(walked),
        quality=value_weeks(walked, events, activity, reserve),
        outcomes=find_outcomes(walked, reserve),
    )
