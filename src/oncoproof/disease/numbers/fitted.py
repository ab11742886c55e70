"""The fitted numbers: what calibration found, how sure it is, and where that came from.

Rules this module guarantees:

- `fitted.csv` names every free number, its prior, its value, its standard deviation and the published
  figures that say most about it; a free number that the file does not name is at its prior.
- `fitted_origin.json` says of what the numbers came: a fit of other priors or of another table is told apart.
- Draws come from the normal approximation that calibration wrote beside it (`fitted_covariance.npz`), the
  same for a seed.

    >>> fit = load_fit()
    >>> len(fit.values) == len(free_names())
    True
"""

import hashlib
import io
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import numpy as np
from jaxtyping import Float
from numpy.typing import NDArray

from oncoproof.disease.numbers.effects import read_data
from oncoproof.disease.numbers.parameters import free_names, prior_means, prior_sds
from oncoproof.journey.atomic_file import replace_file
from oncoproof.knowledge.tables import parse_csv
from oncoproof.seeds import Seed

_TABLE, _COVARIANCE, _ORIGIN = "fitted.csv", "fitted_covariance.npz", "fitted_origin.json"
_FORMAT = "oncoproof.disease.fitted/1"


@dataclass(frozen=True, slots=True)
class FittedNumber:
    """One row of the table of fitted numbers."""

    name: str
    """As in `free_names()`."""
    prior: float
    """Prior mean."""
    prior_sd: float
    """Prior standard deviation."""
    value: float
    """What calibration found."""
    sd: float
    """Standard deviation after calibration."""
    learned: float
    """Share of the prior's variance that published figures took away: 0 = nothing identifies it."""
    identified_by: tuple[str, ...]
    """The published figures that say most about it, `row_id:figure` each; empty = the prior alone."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Values of the free numbers and their uncertainty."""

    values: Float[np.ndarray, " free"]
    """In the order of `free_names()`."""
    root: Float[np.ndarray, "free kept"] = field(repr=False)
    """A square root of their covariance: values + root @ standard normals is a draw."""

    def draws(self, count: int, *, seed: Seed) -> list[NDArray[np.float64]]:
        """Draws of the numbers."""
        normal = seed.generator().standard_normal((count, self.root.shape[1]))
        return list(self.values + normal @ self.root.T)


@dataclass(frozen=True, slots=True)
class Origin:
    """Of what a fit came."""

    table: str
    """SHA-256 of the table of trials, as `oncoproof` writes it."""
    priors: str
    """SHA-256 of the names, means and spreads of the free numbers."""
    from_priors: bool
    """Whether it began at the priors, not at an earlier fit."""
    patients: int
    """Patients simulated in each arm."""
    seed: str
    """Where chance started."""
    rounds: int
    """Rounds done."""
    objective: float
    """What was made small, at the end."""


@cache
def load_origin() -> Origin:
    """Of what the fit came that ships."""
    return Origin(**json.loads(read_data(_ORIGIN)))


def digest_of_priors() -> str:
    """What tells sets of priors apart."""
    said = "\n".join(
        f"{name},{mean:.9g},{sd:.9g}"
        for name, mean, sd in zip(free_names(), prior_means(), prior_sds(), strict=True)
    )
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def load_fitted() -> tuple[FittedNumber, ...]:
    """The table of fitted numbers."""
    return parse_csv(read_data(_TABLE), "fitted", FittedNumber, where=_TABLE, family="oncoproof.disease")


@cache
def load_fit() -> Fit:
    """The fitted numbers that ship."""
    names = free_names()
    here = {name: place for place, name in enumerate(names)}
    values, spread = prior_means(), np.diag(prior_sds())
    for row in load_fitted():
        if row.name in here:
            values[here[row.name]] = row.value
    place = resources.files("oncoproof.disease").joinpath(f"data/{_COVARIANCE}")
    with place.open("rb") as stream, np.load(stream) as stored:
        listed = stored["names"].tolist()
        rows = [number for number, name in enumerate(listed) if name in here]
        columns = [here[listed[number]] for number in rows]
        root = stored["root"].astype(np.float64)
    spread[columns] = 0.0
    return Fit(values, np.concatenate([spread, _placed(root[rows], columns, len(names))], axis=1))


def _placed(root: NDArray[np.float64], places: Sequence[int], rows: int) -> NDArray[np.float64]:
    found = np.zeros((rows, root.shape[1]))
    found[places] = root
    return found


def write_fit(
    rows: Sequence[FittedNumber], root: Float[np.ndarray, "free kept"], origin: Origin, folder: Path
) -> None:
    """Write the files of a fit into a folder.

    Args:
        rows: One for each free number, in the order of `free_names()`.
        root: A square root of their covariance.
        origin: Of what they came.
        folder: Where they go; it must exist.
    """
    columns = list(FittedNumber.__dataclass_fields__)
    lines = [f"# {_FORMAT}", ",".join(columns)]
    lines += [",".join(_cell(getattr(row, column)) for column in columns) for row in rows]
    stored = io.BytesIO()
    np.savez_compressed(stored, names=np.array([row.name for row in rows]), root=root.astype(np.float32))
    written = {
        _TABLE: ("\n".join(lines) + "\n").encode(),
        _COVARIANCE: stored.getvalue(),
        _ORIGIN: (json.dumps(asdict(origin), indent=1) + "\n").encode(),
    }
    for name, data in written.items():
        with replace_file(folder / name) as file:
            file.write(data)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    return "|".join(cast("tuple[str, ...]", value)) if isinstance(value, tuple) else str(value)
