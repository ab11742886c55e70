"""Settings that every test shares: Hypothesis profiles and where the reference data lie."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Each worker keeps what it compiles in a folder of its own: the next run starts warm, and none reads what
# another is still writing.
_CACHE = Path(__file__).parents[1] / ".cache" / os.environ.get("PYTEST_XDIST_WORKER", "alone")
os.environ["ONCOPROOF_CACHE"] = str(_CACHE)

# The default profile is quick and the same on every run; `thorough` searches anew each time.
settings.register_profile(
    "quick", max_examples=60, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("thorough", max_examples=2_000, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data beside the project; the test is skipped where it is absent."""
    if not SHARED_DATA.is_dir():
        pytest.skip("the reference data beside the project are absent")
    return SHARED_DATA
