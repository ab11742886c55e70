"""A calibration in a folder: it ends with what the model reads, goes on where it stopped, drops no row."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oncoproof.disease.fitting import Order, Told, fit_in_folder
from oncoproof.disease.numbers.parameters import free_names, prior_means
from oncoproof.errors import InputError
from oncoproof.knowledge.medicines import Condition
from oncoproof.knowledge.trials import load_trials
from oncoproof.seeds import Seed

ARMS = {arm.row_id: arm for arm in load_trials()}
SIMULATED = ARMS["profile_1001-ros1-crizotinib"]
REFUSED = replace(
    SIMULATED, row_id="nobody-at_all-crizotinib", trial="NOBODY", nct="NCT00000000",
    excludes=(Condition("ROS1", ("fusion",)),),
)  # fmt: skip
ORDER = Order((SIMULATED, REFUSED), patients=8, rounds=1, seed=Seed(2), start=prior_means())


@pytest.mark.xdist_group("fitting_run")
def test_a_fit_is_written_goes_on_and_accounts_for_every_arm(tmp_path: Path) -> None:
    rounds: list[int] = []
    told = Told(lambda _done, _of: None, lambda number, _best: rounds.append(number))
    found = fit_in_folder(ORDER, tmp_path / "fit", told)
    assert rounds == [1]
    assert [result.row_id for result in found.results] == [SIMULATED.row_id]
    assert list(found.refused) == [REFUSED.row_id]
    first = (tmp_path / "fit" / "fitted.csv").read_text(encoding="utf-8")
    assert len(first.splitlines()) == len(free_names()) + 2
    with np.load(tmp_path / "fit" / "fitted_covariance.npz") as stored:
        assert stored["names"].tolist() == list(free_names())
    origin = json.loads((tmp_path / "fit" / "fitted_origin.json").read_text(encoding="utf-8"))
    assert (origin["patients"], origin["rounds"], origin["from_priors"]) == (8, 1, True)
    fit_in_folder(ORDER, tmp_path / "fit", told)
    assert rounds == [1]
    assert (tmp_path / "fit" / "fitted.csv").read_text(encoding="utf-8") == first


def test_a_folder_of_another_calibration_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "rounds.npz", digest="another", rounds=1, best=0.0, free=prior_means())
    told = Told(lambda _done, _of: None, lambda _number, _best: None)
    with pytest.raises(InputError) as error:
        fit_in_folder(ORDER, tmp_path, told)
    assert "another table" in error.value.came


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("taken", encoding="utf-8")
    told = Told(lambda _done, _of: None, lambda _number, _best: None)
    with pytest.raises(InputError):
        fit_in_folder(ORDER, place, told)
    assert place.read_text(encoding="utf-8") == "taken"
