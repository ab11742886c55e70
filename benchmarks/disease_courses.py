"""How fast whole courses of patients are simulated, and against a plain loop over patients and weeks.

The cohort is mixed as real ones are: the populations and schedules of the arms of published trials. Courses
last three years. The plain loop (`plain_course.py`) is the same model with floats, patient by patient and
week by week; both walk the same patients, and where they end is compared before any ratio is printed.

    ./run python benchmarks/disease_courses.py [PATIENTS_IN_EACH_ARM]
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

from oncoproof.disease.courses.endpoints import Endpoints
from oncoproof.disease.courses.line_effects import line_effects
from oncoproof.disease.courses.noise import NoiseKey, noise_key
from oncoproof.disease.courses.simulation import Cohort, Weeks, chosen, simulate_endpoints, simulate_weeks
from oncoproof.disease.courses.state import Mark
from oncoproof.disease.courses.traits import draw_traits
from oncoproof.disease.numbers.parameters import Parameters, assemble, prior_means
from oncoproof.disease.trials.arms import prepare_arms
from oncoproof.knowledge.trials import load_trials
from oncoproof.seeds import Seed
from plain_course import Fate, plain_constants, plain_patients, walk

WEEKS = 156
REPEATS = 5
PLAIN_PATIENTS = 100
SIZES = (1_000, 10_000, 100_000, 1_000_000)
PART = 50_000
"""Patients that are asked for at a time, so that memory does not grow with their number."""

COLD = """
import time
started = time.perf_counter()
import numpy as np
from oncoproof.disease.courses.noise import noise_key
from oncoproof.disease.courses.simulation import Cohort, simulate_endpoints
from oncoproof.disease.numbers.parameters import assemble, prior_means
from oncoproof.disease.people.covariates import covariates_of
from oncoproof.disease.plans.designs import design_lines
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed
patients = Subjects.of_rows([{"disease": "nsclc", "EGFR": "ex19del", "line": 1, "age_years": 60}] * 100)
designs = design_lines(patients, ("osimertinib",), np.zeros((4, 100), np.int32))
cohort = Cohort(covariates_of(patients, np.arange(100, dtype=np.int32)), designs)
simulate_endpoints(noise_key(Seed(3)), cohort, assemble(prior_means()), weeks=156)
print(time.perf_counter() - started)
"""


def main(patients: int) -> None:
    """Print growth, rates, the ratio to the plain loop, what is equal, and how long a start takes."""
    prepared = prepare_arms(load_trials(), patients=patients, seed=Seed(3))
    everybody = np.random.Generator(np.random.Philox(3)).permutation(len(prepared.rows) * patients)
    cohort = chosen(prepared.cohort, everybody)
    key, parameters = noise_key(Seed(3)), assemble(prior_means())
    print(f"{len(everybody):,} patients of {len(prepared.rows)} arms of trials, {WEEKS} weeks")
    _show_growth(key, cohort, parameters)
    _show_rates(key, cohort, parameters)
    _show_plain(key, cohort, parameters)
    _show_equality(key, cohort, parameters)
    _show_start()


def _best_seconds(run: Callable[[], object]) -> float:
    """The best of several runs, after one that compiles."""
    run()
    taken: list[float] = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        run()
        taken.append(time.perf_counter() - started)
    return min(taken)


def _show_rates(key: NoiseKey, cohort: Cohort, parameters: Parameters) -> None:
    patients = len(cohort.patients.number)
    print("\ncourses per second, warm")
    for name, simulate in (("every week kept", simulate_weeks), ("endpoints only", simulate_endpoints)):
        seconds = _best_seconds(lambda ask=simulate: ask(key, cohort, parameters, weeks=WEEKS))
        print(f"{name:20}{patients / seconds:12,.0f}")


def _show_plain(key: NoiseKey, cohort: Cohort, parameters: Parameters) -> None:
    few = chosen(cohort, slice(0, PLAIN_PATIENTS))
    lines = few.designs.given.shape[0]
    traits = draw_traits(key, few.patients, parameters, lines=lines, weeks=WEEKS)
    plain = list(plain_patients(traits, line_effects(few.designs, traits, parameters)))
    constants = plain_constants(parameters.constants)
    fates = [walk(patient, constants, WEEKS) for patient in plain]
    each = _best_seconds(lambda: [walk(patient, constants, WEEKS) for patient in plain]) / len(plain)
    fast = _best_seconds(lambda: simulate_weeks(key, cohort, parameters, weeks=WEEKS))
    fast /= len(cohort.patients.number)
    found = _fates(np.asarray(simulate_weeks(key, few, parameters, weeks=WEEKS).code))
    alike = sum(one == other for one, other in zip(fates, found, strict=True))
    print(f"\nplain Python, patient by patient and week by week: {1 / each:,.0f} courses per second")
    print(f"ratio, every week kept {each / fast:12,.0f} x   (weeks of progression and death, number of scans "
          f"and of severe events equal in {alike} of {len(plain)})")  # fmt: skip


def _fates(code: np.ndarray) -> list[Fate]:
    """What came of each patient, from the codes of their weeks."""

    def first(marks: Mark, patient: int) -> int | None:
        weeks = np.flatnonzero(code[:, patient] & int(marks))
        return int(weeks[0]) if weeks.size else None

    return [
        Fate(
            first(Mark.PROGRESSED | Mark.DIED, patient),
            first(Mark.DIED, patient),
            int(np.count_nonzero(code[:, patient] & int(Mark.SCANNED))),
            int(np.count_nonzero(code[:, patient] & int(Mark.SEVERE))),
        )
        for patient in range(code.shape[1])
    ]


def _show_equality(key: NoiseKey, cohort: Cohort, parameters: Parameters) -> None:
    def run(chunk: int) -> Weeks:
        return simulate_weeks(key, few, parameters, weeks=WEEKS, chunk=chunk)

    few = chosen(cohort, slice(0, 8192))
    first = run(1024)
    print("\nthe same again")
    for name, chunk in (("a second run", 1024), ("chunks of 256", 256), ("chunks of 4096", 4096)):
        print(f"{name:20}{_equality(first, run(chunk))}")


def _equality(one: Weeks, other: Weeks) -> str:
    """How far two simulations of the same patients are alike."""
    events = int(np.count_nonzero((one.code != other.code).any(axis=0)))
    apart = max(
        float((np.abs(a - b) / np.maximum(np.abs(a), 1e-30)).max())
        for a, b in zip(one[1:], other[1:], strict=True)
    )
    said = "equal in every bit" if apart == 0 else f"equal within {apart:.0e}, the rounding of the compiler"
    return f"events differ in {events} of {one.code.shape[1]:,} patients; sizes are {said}"


def _show_growth(key: NoiseKey, cohort: Cohort, parameters: Parameters) -> None:
    """Patients beyond those of the cohort are the same ones again, under other numbers: with other chance."""
    print("\npatients        seconds   per patient, us   peak memory, MB")
    _simulate_part(key, cohort, parameters, first=0, patients=SIZES[0])
    for size in SIZES:
        started = time.perf_counter()
        for first in range(0, size, PART):
            _simulate_part(key, cohort, parameters, first=first, patients=min(PART, size - first))
        seconds = time.perf_counter() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{size:9,}{seconds:14.2f}{1e6 * seconds / size:18.2f}{peak:18,.0f}")


def _simulate_part(
    key: NoiseKey, cohort: Cohort, parameters: Parameters, *, first: int, patients: int
) -> Endpoints:
    numbers = np.arange(first, first + patients)
    part = chosen(cohort, numbers % len(cohort.patients.number))
    part = part._replace(patients=part.patients._replace(number=numbers.astype(np.int32)))
    return simulate_endpoints(key, part, parameters, weeks=WEEKS)


def _show_start() -> None:
    with tempfile.TemporaryDirectory() as folder:
        cold, warm = (_start_seconds(folder), min(_start_seconds(folder) for _ in range(3)))
    print(f"\na fresh process until its first simulation is there: {cold:.1f} s, "
          f"{warm:.1f} s where one has been before (imports included)")  # fmt: skip


def _start_seconds(folder: str) -> float:
    done = subprocess.run(
        [sys.executable, "-c", COLD],
        env={**os.environ, "ONCOPROOF_CACHE": folder},
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 128)
