"""The fitted numbers as files: what is written is read, and draws are spread as the fit says.

Statistical assertions fail by chance once in 1.7 million each.
"""

import hashlib
import json
from pathlib import Path

import numpy as np

from disease_patients import require_mean
from oncoproof.disease.numbers.fitted import (
    Fit,
    FittedNumber,
    Origin,
    digest_of_priors,
    load_fit,
    load_fitted,
    load_origin,
    write_fit,
)
from oncoproof.disease.numbers.parameters import (
    assemble,
    free_names,
    load_priors,
    prior_means,
    prior_sds,
)
from oncoproof.knowledge.tables import parse_csv
from oncoproof.knowledge.trials import load_trials, write_trials
from oncoproof.seeds import Seed


def test_what_ships_names_every_free_number() -> None:
    rows = load_fitted()
    assert [row.name for row in rows] == list(free_names())
    for row, mean, sd in zip(rows, prior_means(), prior_sds(), strict=True):
        assert abs(row.prior - mean) <= 1e-5 * max(1.0, abs(mean)), row
        assert abs(row.prior_sd - sd) <= 1e-5 * sd, row
        assert 0 < row.sd <= row.prior_sd * (1 + 1e-4), row
        assert -1e-4 <= row.learned <= 1, row
        assert abs(row.learned - (1 - (row.sd / row.prior_sd) ** 2)) < 1e-3, row


def test_what_ships_was_fitted_to_the_table_and_the_priors_that_ship() -> None:
    origin = load_origin()
    assert origin.table == hashlib.sha256(write_trials(load_trials()).encode()).hexdigest()
    assert origin.priors == digest_of_priors()
    assert origin.patients >= 300


def test_the_covariance_that_ships_is_that_of_the_table() -> None:
    fit = load_fit()
    assert fit.values.tolist() == [row.value for row in load_fitted()]
    spread = np.sqrt(np.square(fit.root).sum(axis=1))
    assert np.allclose(spread, [row.sd for row in load_fitted()], rtol=1e-3)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    rows = [
        FittedNumber(name, mean, sd, mean + 0.25 * sd, sd / 2, 0.75, ("a:orr_pct", "b:pfs_hr")[: number % 3])
        for number, (name, mean, sd) in enumerate(zip(free_names(), prior_means(), prior_sds(), strict=True))
    ]  # fmt: skip
    root = np.tril(np.full((len(rows), 3), 0.125))
    origin = Origin("table", "priors", from_priors=True, patients=9, seed="1", rounds=2, objective=3.5)
    write_fit(rows, root, origin, tmp_path)
    assert Origin(**json.loads((tmp_path / "fitted_origin.json").read_text(encoding="utf-8"))) == origin
    text = (tmp_path / "fitted.csv").read_text(encoding="utf-8")
    read = parse_csv(text, "fitted", FittedNumber, where="fitted.csv", family="oncoproof.disease")
    assert [(row.name, row.identified_by) for row in read] == [(row.name, row.identified_by) for row in rows]
    assert np.allclose([row.value for row in read], [row.value for row in rows], rtol=1e-5)
    with np.load(tmp_path / "fitted_covariance.npz") as stored:
        assert stored["names"].tolist() == list(free_names())
        assert np.array_equal(stored["root"], root)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "fitted.csv", "fitted_covariance.npz", "fitted_origin.json",
    ]  # fmt: skip


def test_draws_are_spread_as_the_fit_says_and_repeat() -> None:
    root = np.array([[2.0, 0.0], [1.0, 1.0]])
    fit = Fit(np.array([5.0, -1.0]), root)
    draws = np.array(fit.draws(20_000, seed=Seed(6)))
    assert np.array_equal(draws, np.array(fit.draws(20_000, seed=Seed(6))))
    covariance = root @ root.T
    for place in range(2):
        sd = np.sqrt(covariance[place, place])
        require_mean(float(draws[:, place].mean()), float(fit.values[place]), sd=sd, n=len(draws))
    centred = draws - fit.values
    spread = np.sqrt(covariance[0, 0] * covariance[1, 1] + covariance[0, 1] ** 2)
    require_mean(float((centred[:, 0] * centred[:, 1]).mean()), covariance[0, 1], sd=spread, n=len(draws))


def test_children_deviate_from_their_parents() -> None:
    """A number of a class moves every drug of the class; one of a drug moves the drug alone."""
    names, free = free_names(), prior_means()
    before = np.asarray(assemble(free).kill)

    def moved(name: str) -> int:
        other = free.copy()
        other[names.index(name)] += 1.0
        change = np.asarray(assemble(other).kill) - before
        assert np.isclose(change[change != 0], 1.0, atol=1e-5).all()
        return int((change != 0).sum())

    assert moved("kill:osimertinib.egfr") == 1
    assert moved("kill:inhibitor") > moved("kill:egfr_inhibitor") > 1


def test_every_number_has_one_name_and_no_trial_in_it() -> None:
    names = [prior.name for prior in load_priors()]
    assert len(set(names)) == len(names)
