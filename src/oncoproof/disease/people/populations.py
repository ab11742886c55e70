"""Who enters a trial: patients of a disease, drawn feature by feature and held to what the trial admits.

Rules this module guarantees:

- A feature is drawn given those drawn before it; where a trial asks for a value, only admitted values are
  drawn, and the patient is weighted by how likely an admitted value was. Patients are then chosen by these
  weights, so that earlier features follow from the condition too (asking for EGFR mutations brings never
  smokers and East Asians).
- Patients depend on the seed and on who is admitted, not on what is given to them: arms of one population
  hold the same patients.
- Where no reference laboratory confirmed a required marker, some have it by error of the test alone.
- Age and sex are moved to the published median and share where the trial states them.

    >>> from oncoproof.knowledge.trials import load_trials
    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> patients = draw_population(admission_of(arm), patients=200, seed=Seed(1))
    >>> sorted({str(patients.row(number)["EGFR"]) for number in range(200)})
    ['ex19del', 'l858r']
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from jaxtyping import Bool, Float
from numpy.typing import NDArray

from oncoproof.disease.people.covariates import holds
from oncoproof.disease.people.population_tables import (
    Draw,
    History,
    Phase,
    draws_of,
    load_histories,
    load_regions,
)
from oncoproof.errors import InputError
from oncoproof.knowledge.cancers import assays_for, load_biomarkers, load_diseases
from oncoproof.knowledge.expressions import Evaluator
from oncoproof.knowledge.medicines import Condition, load_drugs, treatment_groups
from oncoproof.knowledge.subjects import (
    CategoryColumn,
    Column,
    FeatureKind,
    NumberColumn,
    SetColumn,
    Subjects,
    load_vocabulary,
)
from oncoproof.knowledge.trials import BrainMetastases, Setting, TrialArm
from oncoproof.seeds import Seed

_CANDIDATES = 3
"""Candidates for each patient, from whom patients are chosen by weight."""

_AGE_SPREAD_YEARS = 9.5
_AGE_YEARS = (18.0, 92.0)
_OPEN_LINE_MAX = 3
"""Lines beyond this many are not told apart where a trial names no upper limit."""

_TREATED_BRAIN_SHARE = 0.5
"""Of patients with brain metastases, the share who had them treated before and were stable."""

_PRIOR_CHEMO = "PRIOR_CHEMO_LINES"


@dataclass(frozen=True, slots=True)
class Admission:
    """Who is admitted: all that a population is drawn from."""

    disease: str
    """Disease slug."""
    histology: str
    """Histology or group of them; `any` = no condition."""
    setting: str
    """Setting of that disease."""
    line_min: int
    """Lowest line now given; 0 = straight after first treatment."""
    line_max: int
    """Highest line now given; 9 = no upper limit."""
    requires: tuple[Condition, ...] = ()
    """Conditions that must all hold."""
    excludes: tuple[Condition, ...] = ()
    """Conditions any one of which rules a patient out."""
    prior: tuple[str, ...] = ()
    """Earlier treatments that must all have been given."""
    ecog_max: int = 2
    """Highest ECOG status admitted."""
    brain: BrainMetastases = BrainMetastases.ALLOWED
    """Whether brain metastases are admitted."""
    regions: tuple[str, ...] = ("global",)
    """Where patients come from."""
    median_age_years: float | None = None
    """Median age; None = that of the disease."""
    female_share: float | None = None
    """Share of women; None = that of the disease."""
    confirmed_centrally: bool = True
    """Whether a reference laboratory confirmed what is required."""


def admission_of(arm: TrialArm) -> Admission:
    """Who an arm of a trial admits."""
    return Admission(
        disease=arm.disease,
        histology=arm.histology,
        setting=arm.setting.value,
        line_min=arm.line_min,
        line_max=arm.line_max,
        requires=arm.requires,
        excludes=arm.excludes,
        prior=arm.prior,
        ecog_max=arm.ecog_max,
        brain=arm.brain_mets_allowed,
        regions=tuple(region.value for region in arm.region_mix),
        median_age_years=arm.median_age,
        female_share=None if arm.female_pct is None else arm.female_pct / 100,
        confirmed_centrally="centrally" in arm.biomarker_population.casefold(),
    )


def draw_population(admission: Admission, *, patients: int, seed: Seed) -> Subjects:
    """Patients as they are at the start of a trial.

    Args:
        admission: Who is admitted.
        patients: How many.
        seed: Where chance starts.

    Raises:
        InputError: Nobody can be admitted.
    """
    pool = _Pool(admission, patients * _CANDIDATES, seed)
    pool.place()
    for _, draws in groupby(draws_of(admission.disease, Phase.TUMOUR), key=lambda draw: draw.block):
        pool.draw_block(list(draws))
    pool.give_history()
    for phase in (Phase.ACQUIRED, Phase.BODY):
        for _, draws in groupby(draws_of(admission.disease, phase), key=lambda draw: draw.block):
            pool.draw_block(list(draws))
    pool.fill_what_is_required()
    return _settle(pool.subjects().choose(pool.chosen(patients)), admission, seed)


class _Pool:
    """Candidates while they are drawn; each has a weight."""

    def __init__(self, admission: Admission, rows: int, seed: Seed) -> None:
        self.admission = admission
        self.rows = rows
        self.weight = np.ones(rows)
        self._columns: dict[str, Column] = {}
        self._given: dict[str, Bool[np.ndarray, " n"]] = {}
        self._seed = seed
        self._vocabulary = load_vocabulary()

    def subjects(self) -> Subjects:
        """The candidates as they stand."""
        return Subjects(self.rows, dict(self._columns), self._vocabulary)

    def chance(self, *name: str | int) -> Float[np.ndarray, " n"]:
        """Uniform draws of a name."""
        return self._seed.child(*name).generator().random(self.rows)

    def place(self) -> None:
        """Disease, setting, line, ancestry."""
        admission = self.admission
        most = min(admission.line_max, max(admission.line_min, _OPEN_LINE_MAX))
        span = most - admission.line_min + 1
        # Early lines are commoner than late ones: each further line half as often.
        shares = 0.5 ** np.arange(span)
        line = admission.line_min + _pick(self.chance("line"), np.tile(shares / shares.sum(), (self.rows, 1)))
        self._set("disease", [(admission.disease, np.ones(self.rows, np.bool_))])
        self._set("setting", [(admission.setting, np.ones(self.rows, np.bool_))])
        self._columns["line"] = NumberColumn(line.astype(np.float64))
        self._columns["lines_given"] = NumberColumn(np.maximum(line - 1.0, 0.0))
        mixes = [load_regions()[region] for region in admission.regions]
        ancestry = {name: 0.0 for mix in mixes for name, _ in mix}
        for name, share in (pair for mix in mixes for pair in mix):
            ancestry[name] += share / len(mixes)
        chosen = _pick(self.chance("ancestry"), np.tile(list(ancestry.values()), (self.rows, 1)))
        self._set("ancestry", [(name, chosen == place) for place, name in enumerate(ancestry)])

    def draw_block(self, draws: list[Draw]) -> None:
        """Draw the features of one block, which exclude one another, and weight by what is admitted."""
        feature = draws[0].feature
        if self._vocabulary.feature(feature).kind is FeatureKind.SET:
            self._draw_set(draws)
            return
        evaluator = Evaluator(self.subjects())
        options: list[tuple[str, str]] = []
        shares: list[NDArray[np.float64]] = []
        for name in dict.fromkeys(draw.feature for draw in draws):
            for value, share in self._shares_of(
                evaluator, [draw for draw in draws if draw.feature == name]
            ).items():
                options.append((name, value))
                shares.append(share)
        matrix = np.stack(shares, axis=1)
        nothing = np.maximum(1.0 - matrix.sum(axis=1), 0.0)
        if any(self._reference(name) for name, _ in options):
            options.append(("", ""))
            matrix = np.column_stack([matrix, nothing])
        names = list(dict.fromkeys(name for name, _ in options if name))
        admitted = np.array([self._admitted_part(names, option) for option in options])
        allowed = matrix * admitted
        mass, whole = allowed.sum(axis=1), matrix.sum(axis=1)
        # Where no row of the table fits, the feature does not exist for the candidate.
        self.weight *= np.where(whole > 0, mass / np.maximum(whole, 1e-300), 1.0)
        safe = np.where((mass > 0)[:, None], allowed, matrix) / np.maximum(whole, 1e-300)[:, None]
        safe = safe / np.maximum(safe.sum(axis=1, keepdims=True), 1e-300)
        chosen = np.where(whole > 0, _pick(self.chance("block", draws[0].block), safe), -1)
        for name in names:
            self._write(name, options, chosen)

    def _shares_of(self, evaluator: Evaluator, draws: list[Draw]) -> dict[str, NDArray[np.float64]]:
        """For each value of a feature each candidate's share, by the first row whose context fits."""
        found: dict[str, NDArray[np.float64]] = {}
        open_ = np.ones(self.rows, np.bool_)
        for draw in draws:
            fits = open_ & holds(evaluator, draw.when)
            open_ &= ~fits
            for value, share in draw.shares():
                found.setdefault(value, np.zeros(self.rows))[fits] += share
        return found

    def _reference(self, feature: str) -> str | None:
        """The value of a candidate in whom nothing of the feature was drawn."""
        biomarker = load_biomarkers().get(feature)
        if biomarker is None:
            return None
        values = biomarker.values_in(self.admission.disease)
        if biomarker.reference in values:
            return biomarker.reference
        return next((value for value in ("wt", "negative", "unaltered") if value in values), None)

    def _admitted_part(self, names: list[str], option: tuple[str, str]) -> float:
        """Which part of the candidates with this option, and nothing else of its block, may enter."""
        part = 1.0
        for name in names:
            value = option[1] if option[0] == name else self._reference(name)
            if value is not None:
                part *= self._part_that_may(name, value)
        return part

    def _part_that_may(self, feature: str, value: str) -> float:
        part = 1.0
        for each in self.admission.requires:
            part *= _part_meeting(each, value) if each.key == feature else 1.0
        for each in self.admission.excludes:
            part *= 1.0 - _part_meeting(each, value) if each.key == feature else 1.0
        if feature == "ecog" and float(value) > self.admission.ecog_max:
            return 0.0
        if feature == "histology" and self.admission.histology != "any":
            return part * (value in self._vocabulary.feature("histology").expand(self.admission.histology))
        return part

    def _write(self, feature: str, options: list[tuple[str, str]], chosen: NDArray[np.intp]) -> None:
        mine = [(place, value) for place, (name, value) in enumerate(options) if name == feature]
        if self._vocabulary.feature(feature).kind is FeatureKind.NUMBER:
            self._write_numbers(feature, mine, chosen)
            return
        others = (chosen >= 0) & ~np.isin(chosen, [place for place, _ in mine])
        reference = self._reference(feature)
        cells = [(value, chosen == place) for place, value in mine]
        self._set(feature, [*cells, (reference, others)] if reference else cells)

    def _write_numbers(self, feature: str, mine: list[tuple[int, str]], chosen: NDArray[np.intp]) -> None:
        within = self.chance("within", feature)
        values = np.full(self.rows, np.nan)
        for place, text in mine:
            low, _, high = text.partition("..")
            lowest, highest = self._clipped(feature, float(low), float(high or low))
            drawn = lowest + (highest - lowest) * within
            values = np.where(chosen == place, drawn, values)
        if feature == "age_years":
            spread = _AGE_SPREAD_YEARS * self._seed.child("age").generator().standard_normal(self.rows)
            values = np.clip(values + spread, *_AGE_YEARS)
        self._columns[feature] = NumberColumn(values)

    def _clipped(self, feature: str, low: float, high: float) -> tuple[float, float]:
        """A range within what the trial admits."""
        for each in self.admission.requires:
            if each.key == feature and each.low is not None and each.high is not None:
                low, high = max(low, each.low), min(high, each.high)
        return low, high

    def _draw_set(self, draws: list[Draw]) -> None:
        """Draw the members of a set, each for itself."""
        evaluator = Evaluator(self.subjects())
        members: dict[str, Bool[np.ndarray, " n"]] = {}
        for member, share in self._shares_of(evaluator, draws).items():
            kept = share
            if member == "brain" and self.admission.brain is not BrainMetastases.ALLOWED:
                left = _TREATED_BRAIN_SHARE if self.admission.brain is BrainMetastases.TREATED else 0.0
                self.weight *= 1 - share + share * left
                kept = share * left / np.maximum(1 - share + share * left, 1e-12)
            members[member] = self.chance("member", draws[0].feature, member) < kept
        self._columns[draws[0].feature] = SetColumn(members, np.ones(self.rows, np.bool_))

    def _set(self, feature: str, cells: Iterable[tuple[str, Bool[np.ndarray, " n"]]]) -> None:
        """Write words of a category, in place of what stands there."""
        values = self._vocabulary.feature(feature).values
        codes = np.full(self.rows, -1, np.int16)
        for value, mine in cells:
            codes[mine] = values.index(value)
        self._columns[feature] = CategoryColumn(codes, values)

    def give_history(self) -> None:
        """Earlier treatment: row after row of the table, then what the trial asks for and is missing."""
        self._give(np.zeros(self.rows, np.intp), [()])
        for number, row in enumerate(load_histories()):
            if row.disease == self.admission.disease:
                self._give_row(row, number)
        for word in self.admission.prior:
            self._give_required(word)

    def _give_row(self, row: History, number: int) -> None:
        fits = holds(Evaluator(self.subjects()), row.when)
        choices = [*row.choices(), ((), max(1.0 - sum(share for _, share in row.choices()), 0.0))]
        admitted = np.array([not self._is_excluded(drugs) for drugs, _ in choices])
        shares = np.array([share for _, share in choices])
        left = float((shares * admitted).sum())
        if left <= 0:
            # Every such treatment is ruled out: nobody of these had it, and most could not enter.
            self.weight[fits] *= 0.02
            return
        self.weight[fits] *= left / shares.sum()
        weights = shares * admitted / left
        chosen = _pick(self.chance("history", number), np.tile(weights, (self.rows, 1)))
        self._give(np.where(fits, chosen, len(choices) - 1), [drugs for drugs, _ in choices])

    def _words(self, drugs: Sequence[str]) -> frozenset[str]:
        """What may be said to have been given."""
        return treatment_groups(drugs, thoracic_radiation=self.admission.setting == Setting.CONSOLIDATION)

    def _is_excluded(self, drugs: Sequence[str]) -> bool:
        words = self._words(drugs)
        return any(words & set(each.values) for each in self.admission.excludes if each.key == "PRIOR")

    def _give_required(self, word: str) -> None:
        """Give those a treatment of this kind who have had none: with the fewest other drugs."""
        had = self._given.get(word, np.zeros(self.rows, np.bool_))
        self._give(had.astype(np.intp), [self._usual_of(word), ()])

    def _usual_of(self, word: str) -> tuple[str, ...]:
        named = [
            (share, drugs)
            for row in load_histories()
            if row.disease == self.admission.disease
            for drugs, share in row.choices()
        ]
        alone = [(0.0, (drug,)) for drug in load_drugs()]
        known = sorted([*named, *alone], key=lambda each: (len(each[1]), -each[0]))
        fit = (drugs for _, drugs in known if word in self._words(drugs) and not self._is_excluded(drugs))
        found = next(fit, None)
        if found is None:
            raise InputError(
                where=f"prior {word}",
                came="a treatment that no drug of the base stands for, or that is excluded at once",
                expected="an earlier treatment that patients can have had",
                remedy="correct the columns prior and excludes",
            )
        return found

    def _give(self, chosen: NDArray[np.intp], options: Sequence[tuple[str, ...]]) -> None:
        """Add the drugs of the chosen option to what was given before."""
        prior = self._columns.get("prior_drugs")
        members = dict(prior.members) if isinstance(prior, SetColumn) else {}
        nobody = np.zeros(self.rows, np.bool_)
        for place, drugs in enumerate(options):
            for drug in drugs:
                members[drug] = members.get(drug, nobody) | (chosen == place)
            for word in self._words(drugs):
                self._given[word] = self._given.get(word, nobody) | (chosen == place)
        column = SetColumn(members, np.ones(self.rows, np.bool_))
        completed = Subjects.of_columns({"prior_drugs": column}, rows=self.rows, vocabulary=self._vocabulary)
        self._columns |= completed.columns

    def fill_what_is_required(self) -> None:
        """Give features that a trial asks for and no table draws an admitted value, the same for all."""
        for condition in self.admission.requires:
            if condition.key in self._columns:
                continue
            if condition.low is not None and condition.high is not None:
                middle = (condition.low + condition.high) / 2
                self._columns[condition.key] = NumberColumn(np.full(self.rows, middle))
            else:
                first = min(condition.plain_values())
                self._set(condition.key, [(first, np.ones(self.rows, np.bool_))])

    def chosen(self, patients: int) -> NDArray[np.intp]:
        """Candidates chosen by weight, evenly spread, in an order that chance decides."""
        total = self.weight.sum()
        if not total > 0:
            raise InputError(
                where=f"population of {self.admission.disease}",
                came="; ".join(map(str, self.admission.requires)) or "no condition",
                expected="conditions that patients of the disease can meet",
                remedy="correct histology, requires, excludes or prior",
            )
        generator = self._seed.child("choice").generator()
        order = generator.permutation(self.rows)
        reached = np.cumsum(self.weight[order]) / total
        points = (np.arange(patients) + generator.random()) / patients
        rows = order[np.minimum(np.searchsorted(reached, points), self.rows - 1)]
        return rows[generator.permutation(patients)]


def _settle(subjects: Subjects, admission: Admission, seed: Seed) -> Subjects:
    """Move ages to the published median and sexes to the published share."""
    columns = dict(subjects.columns)
    age, sex = columns["age_years"], columns["sex"]
    if admission.median_age_years is not None and isinstance(age, NumberColumn):
        moved = age.values + admission.median_age_years - np.median(age.values)
        columns["age_years"] = NumberColumn(np.clip(moved, *_AGE_YEARS))
    both = load_diseases()[admission.disease].sexes
    if admission.female_share is not None and len(both) > 1 and isinstance(sex, CategoryColumn):
        female = seed.child("sex").generator().random(subjects.rows) < admission.female_share
        codes = np.where(female, sex.values.index("female"), sex.values.index("male")).astype(np.int16)
        columns["sex"] = replace(sex, codes=codes)
    if not admission.confirmed_centrally:
        for condition in admission.requires:
            columns |= _misread(columns, condition, admission.disease, seed)
    return Subjects(subjects.rows, columns, subjects.vocabulary)


def _misread(
    columns: Mapping[str, Column], condition: Condition, disease: str, seed: Seed
) -> dict[str, Column]:
    """The column of a marker, with patients who met the condition by error of a local test alone."""
    shares = [
        found.unconfirmed_positive_share.value
        for assay in assays_for(condition.key)
        if (found := assay.accuracy[condition.key]).unconfirmed_positive_share is not None
    ]
    column = columns[condition.key] if shares else None
    others = condition.negated(disease).values if shares else ()
    if not isinstance(column, CategoryColumn) or not others:
        return {}
    wrong = seed.child("misread", condition.key).generator().random(len(column.codes)) < max(shares)
    truth = column.values.index(others[0])
    return {condition.key: replace(column, codes=np.where(wrong, truth, column.codes).astype(np.int16))}


def _part_meeting(condition: Condition, text: str) -> float:
    """Which part of a value, or of a range drawn evenly, meets a condition."""
    if condition.low is None or condition.high is None:
        return float(text in condition.plain_values())
    low, _, high = text.partition("..")
    lowest, highest = float(low), float(high or low)
    if lowest == highest:
        return float(condition.low <= lowest <= condition.high)
    return max(0.0, min(highest, condition.high) - max(lowest, condition.low)) / (highest - lowest)


def _pick(chance: Float[np.ndarray, " n"], shares: Float[np.ndarray, "n options"]) -> NDArray[np.intp]:
    """For each candidate the option whose part of the unit interval the draw falls in."""
    edges = np.cumsum(shares, axis=1)
    return np.minimum((chance[:, None] >= edges).sum(axis=1), shares.shape[1] - 1)
