"""Courses made by hand, shared by the tests of observations."""

import pytest

from hand_made_courses import hand_made
from oncoproof.disease.observations.timeline import Walked


@pytest.fixture(scope="session")
def walked() -> Walked:
    return hand_made()
