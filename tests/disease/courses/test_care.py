"""Care in closed loop: what may be decided, what follows, and that chance does not listen."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from disease_patients import same
from oncoproof.disease.courses.care import (
    Action,
    Care,
    GoOn,
    NoTreatment,
    Stop,
    Switch,
    Treat,
    Wait,
    advance,
    begin,
    decide,
    treat_by,
)
from oncoproof.disease.courses.state import (
    BETWEEN,
    DEAD,
    HARM_DUE,
    LINE_DUE,
    LINE_MASK,
    LINE_SHIFT,
    NOTHING_DUE,
    ON,
    WITHOUT,
    Mark,
)
from oncoproof.disease.numbers.parameters import Parameters, assemble, prior_means
from oncoproof.errors import InputError
from oncoproof.knowledge.subjects import Subjects
from oncoproof.seeds import Seed

pytestmark = pytest.mark.xdist_group("care")

SEED, WEEKS = Seed(3), 60
ROWS: list[dict[str, object]] = [
    {"disease": "nsclc", "EGFR": "l858r", "line": 1, "age_years": 60, "sex": "female"},
    {"disease": "crc", "line": 1, "age_years": 60},
    {"disease": "nsclc", "EGFR": "wt", "line": 1, "age_years": 71},
] * 20
REGIMENS = ("docetaxel", "carboplatin+pemetrexed", "pembrolizumab")


def _harsh() -> Parameters:
    """Numbers under which drugs harm nearly everybody within weeks: what follows from harm is met at once."""
    numbers = assemble(prior_means())
    return numbers._replace(harm=numbers.harm + 2.5)


def _begin(rows: Sequence[dict[str, object]] = ROWS) -> Care:
    subjects = Subjects.of_rows(rows)
    return begin(subjects, seed=SEED, parameters=_harsh(), weeks=WEEKS, asks_for_harm=True)


def _all(care: Care, line: Action, harm: Action = GoOn()) -> list[Action | None]:  # noqa: B008  frozen
    """The same answer for everybody of whom the same is due."""
    answers: dict[int, Action | None] = {NOTHING_DUE: None, LINE_DUE: line, HARM_DUE: harm}
    return [answers[due] for due in care.due.tolist()]


@pytest.fixture(scope="module")
def first() -> Care:
    """Everybody before the first line."""
    return advance(_begin())


@pytest.fixture(scope="module")
def harmed(first: Care) -> Care:
    """Everybody who gets docetaxel, at the first severe event, progression or death."""
    return advance(decide(first, _all(first, Treat("docetaxel"))))


class Usual:
    """A policy that waits for some, treats in turn, and remembers when it was asked."""

    def __init__(self) -> None:
        self.waited: set[int] = set()
        self.weeks: list[int] = []

    def __call__(self, care: Care, patients: NDArray[np.intp]) -> list[Action]:
        self.weeks += np.asarray(care.state.week)[patients].tolist()
        return [self._of(care, int(patient)) for patient in patients]

    def _of(self, care: Care, patient: int) -> Action:
        if care.due[patient] == HARM_DUE:
            return GoOn(0.8, 1)
        if patient % 7 and patient not in self.waited:
            self.waited.add(patient)
            return Wait(patient % 7)
        known = int(care.lines_known[patient])
        return Treat(REGIMENS[known % 3]) if known < 4 else NoTreatment()


@pytest.fixture(scope="module")
def whole() -> tuple[Care, Usual]:
    """Everybody's whole course."""
    policy = Usual()
    return treat_by(_begin(), policy), policy


def test_a_line_is_due_before_anything_happens_and_time_stands_still(first: Care) -> None:
    assert (first.due == LINE_DUE).all()
    assert not np.asarray(first.state.week).any()
    assert same(advance(first).state, first.state)


def test_no_patients_time_goes_on_while_theirs_is_due(first: Care) -> None:
    """One patient waits for an answer all along; the others' weeks pass."""
    asked = decide(first, [Wait(5), *_all(first, Treat("docetaxel"))[1:]])
    later = advance(asked)
    assert int(later.state.week[0]) == 5
    assert int(later.due[0]) == LINE_DUE
    assert (np.asarray(later.state.week)[1:] > 5).any()
    again = advance(replace(later, state=later.state))
    assert same([column[..., 0] for column in again.state], [column[..., 0] for column in later.state])


def test_treat_begins_the_line_at_its_dose_and_tells_the_record(first: Care) -> None:
    care = decide(first, _all(first, Treat("docetaxel", dose=0.75)))
    assert (care.lines_known == 1).all()
    assert "docetaxel" in care.subjects.row(0)["prior_drugs"]  # pyright: ignore[reportOperatorIssue]  a set
    assert "prior_drugs" not in first.subjects.row(0)
    moved = advance(care)
    assert (np.asarray(moved.state.line) == 0).all()
    assert np.asarray(moved.weeks.dose)[0] == pytest.approx(0.75)
    assert (np.asarray(moved.weeks.code)[0] & Mark.STARTED > 0).all()


def test_no_treatment_is_final(first: Care) -> None:
    care = advance(decide(first, _all(first, NoTreatment())))
    assert (care.due == NOTHING_DUE).all()
    state = care.state
    assert np.isin(state.phase, [WITHOUT, DEAD]).all()
    assert ((np.asarray(state.week) == WEEKS) | (np.asarray(state.phase) == DEAD)).all()
    assert not (np.asarray(care.weeks.code) & (Mark.STARTED | Mark.TREATED | Mark.SEVERE)).any()


def test_harm_is_due_where_somebody_asks_for_it(harmed: Care) -> None:
    asked = harmed.due == HARM_DUE
    assert asked.sum() > 10
    last = np.asarray(harmed.state.week)[asked] - 1
    assert (np.asarray(harmed.weeks.code)[last, asked] & Mark.SEVERE > 0).all()


def test_go_on_sets_dose_and_hold_and_takes_back_what_is_usual(harmed: Care) -> None:
    asked = harmed.due == HARM_DUE
    care = decide(harmed, _all(harmed, NoTreatment(), GoOn(dose=0.6, hold_weeks=3)))
    assert np.asarray(care.state.dose)[asked] == pytest.approx(0.6)
    assert (np.asarray(care.state.hold)[asked] == 3).all()
    assert not np.asarray(care.state.stopped)[asked].any()
    moved = advance(care)
    at = np.asarray(harmed.state.week)
    for patient in np.flatnonzero(asked & (at < WEEKS - 5) & (np.asarray(moved.state.week) >= at + 4))[:5]:
        doses = np.asarray(moved.weeks.dose)[at[patient] : at[patient] + 3, patient]
        assert not doses.any()


def test_stop_ends_the_drugs_but_not_the_line(harmed: Care) -> None:
    asked = harmed.due == HARM_DUE
    care = decide(harmed, _all(harmed, NoTreatment(), Stop()))
    assert (np.asarray(care.state.phase)[asked] == ON).all()
    moved = advance(care)
    for patient in np.flatnonzero(asked)[:10]:
        at = int(harmed.state.week[patient])
        assert not np.asarray(moved.weeks.dose)[at:, patient].any()


def test_switch_asks_for_the_next_line_at_once(harmed: Care) -> None:
    asked = harmed.due == HARM_DUE
    care = decide(harmed, _all(harmed, NoTreatment(), Switch()))
    assert (np.asarray(care.state.phase)[asked] == BETWEEN).all()
    moved = advance(care)
    assert (moved.due[asked] == LINE_DUE).all()
    assert np.array_equal(np.asarray(moved.state.week)[asked], np.asarray(harmed.state.week)[asked])


WRONG: list[tuple[Action | None, str]] = [
    (None, "Treat or NoTreatment or Wait"),
    (GoOn(), "Treat or NoTreatment or Wait"),
    (Stop(), "Treat or NoTreatment or Wait"),
    (Treat("docetaxel", dose=-0.5), "a dose above 0"),
    (Treat("docetaxel", dose=0.0), "a dose above 0"),
    (Treat("docetaxel", dose=1.5), "a dose above 0"),
    (Treat("docetaxel", dose=float("nan")), "a dose above 0"),
    (Wait(0), "at least a week"),
    (Treat("water"), "a drug"),
]


@pytest.mark.parametrize(("wrong", "expected"), WRONG, ids=str)
def test_a_wrong_answer_is_refused_and_nothing_changes(
    first: Care, wrong: Action | None, expected: str
) -> None:
    answers: list[Action | None] = [*_all(first, Treat("docetaxel"))[:-1], wrong]
    before = [np.array(column) for column in (*first.state, *first.cohort.designs, first.lines_known)]
    with pytest.raises(InputError) as raised:
        decide(first, answers)
    assert expected in raised.value.expected
    assert same(before, (*first.state, *first.cohort.designs, first.lines_known))


def test_answers_to_harm_are_checked_too(harmed: Care) -> None:
    patient = int(np.flatnonzero(harmed.due == HARM_DUE)[0])
    for wrong in (Treat("docetaxel"), None, GoOn(dose=0.0), GoOn(hold_weeks=-1)):
        answers = _all(harmed, NoTreatment())
        answers[patient] = wrong
        with pytest.raises(InputError, match=f"patient {patient}"):
            decide(harmed, answers)


def test_an_answer_where_nothing_is_due_is_refused(first: Care) -> None:
    care = decide(first, _all(first, Treat("docetaxel")))
    with pytest.raises(InputError, match="NoneType"):
        decide(care, [Treat("docetaxel")] * len(ROWS))


def test_too_few_answers_are_refused(first: Care) -> None:
    with pytest.raises(InputError, match="one for each patient"):
        decide(first, [Treat("docetaxel")])
    with pytest.raises(InputError, match="of whom something is due"):
        treat_by(first, lambda _care, _patients: [NoTreatment()])


def test_nobody_is_nobody_to_care_for() -> None:
    with pytest.raises(InputError, match="at least one patient"):
        begin(Subjects.of_rows([]), seed=SEED)


def test_whole_courses_end_in_death_or_at_the_horizon(whole: tuple[Care, Usual]) -> None:
    care, _ = whole
    assert (care.due == NOTHING_DUE).all()
    assert ((np.asarray(care.state.phase) == DEAD) | (np.asarray(care.state.week) == WEEKS)).all()


def test_nothing_is_asked_when_time_has_ended(whole: tuple[Care, Usual]) -> None:
    """A patient who progresses in the last week is asked nothing while others still walk."""
    _, policy = whole
    assert max(policy.weeks) <= WEEKS
    assert not [week for week in policy.weeks if week == WEEKS]


def test_company_changes_nothing(whole: tuple[Care, Usual]) -> None:
    care, _ = whole
    few = treat_by(_begin(ROWS[:7]), Usual())
    for large, small in ((care.state, few.state), (care.weeks, few.weeks)):
        assert same([column[..., :7] for column in large], small)


def test_the_dead_stay_dead(whole: tuple[Care, Usual]) -> None:
    code = np.asarray(whole[0].weeks.code)
    died = (code & Mark.DIED) > 0
    assert died.any()
    assert died.sum(axis=0).max() == 1
    after = np.cumsum(died, axis=0) - died > 0
    assert not code[after].any()
    assert not np.asarray(whole[0].weeks.dose)[after].any()


def test_lines_follow_one_another(whole: tuple[Care, Usual]) -> None:
    code = np.asarray(whole[0].weeks.code).astype(np.int64)
    line = np.where(code > 0, (code >> LINE_SHIFT) & LINE_MASK, -1)
    for patient in range(line.shape[1]):
        steps = np.diff(line[line[:, patient] >= 0, patient])
        assert set(steps.tolist()) <= {0, 1}
    assert line.max() >= 1


def test_until_they_decide_otherwise_two_cares_are_one(harmed: Care) -> None:
    """The same patients under another answer: every week before it is the same to the last bit."""
    for answer in (Stop(), Switch()):
        other = advance(decide(harmed, _all(harmed, Treat("docetaxel"), answer)))
        at = np.asarray(harmed.state.week)
        for was, now in zip(harmed.weeks, other.weeks, strict=True):
            for patient in range(len(ROWS)):
                assert np.array_equal(was[: at[patient], patient], now[: at[patient], patient])
