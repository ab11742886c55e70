"""A course in words, from codes written by hand."""

import numpy as np

from oncoproof.disease.courses.simulation import Weeks
from oncoproof.disease.courses.state import CLONE_SHIFT, LINE_SHIFT, Mark
from oncoproof.disease.journeys import Episodes, LineEnd, parts_of
from oncoproof.disease.journeys.episodes import Death, read_episodes
from oncoproof.journey import CloneKind, Read

ON = Mark.TREATED | Mark.ALIVE


def _told(
    codes: list[int], *, mm: dict[int, float], dose: list[float], regimens: tuple[str, ...]
) -> Episodes:
    weeks = len(codes) + 5
    code = np.zeros((weeks, 1), np.uint32)
    code[: len(codes), 0] = codes
    read = np.zeros((weeks, 1), np.float32)
    for week, value in mm.items():
        read[week, 0] = value
    given = np.zeros((weeks, 1), np.float32)
    given[: len(dose), 0] = dose
    shown = Weeks(code, read, np.ones_like(read), np.zeros_like(read), given, np.full_like(read, 0.01))
    plan = np.arange(len(regimens), dtype=np.int32)[:, None]
    return read_episodes(shown, regimens=regimens, plan=plan)


def test_a_hold_and_a_lower_dose_are_stretches_of_one_line() -> None:
    codes = [
        int(Mark.STARTED | Mark.SCANNED | ON),
        int(Mark.SEVERE | Mark.REDUCED | ON),
        int(ON),
        int(ON),
    ]
    told = _told(codes, mm={0: 50}, dose=[1, 1, 0, 0.8], regimens=("docetaxel",))
    assert [(each.first, each.last, each.dose) for each in told.lines[0].stretches] == [
        (0, 1, 1.0),
        (2, 2, 0.0),
        (3, 3, 0.8),
    ]
    assert told.lines[0].end is LineEnd.NOT_ENDED
    assert told.harms[0].reduces
    assert [(part.first, part.last) for part in parts_of(told.lines[0])] == [(0, 13), (21, 27)]


def test_scans_are_read_against_the_first_of_their_line() -> None:
    line2 = 1 << LINE_SHIFT
    codes = [
        int(Mark.STARTED | Mark.SCANNED | ON),
        int(Mark.SCANNED | ON),
        int(Mark.SCANNED | Mark.PARTIAL | ON),
        int(Mark.SCANNED | Mark.PROGRESSED | Mark.NEW_LESION | ON),
        int(Mark.STARTED | Mark.SCANNED | ON) | line2,
        int(Mark.SCANNED | ON) | line2,
        int(Mark.DIED) | line2,
    ]
    told = _told(
        codes,
        mm={0: 100, 1: 71, 2: 60, 3: 65, 4: 66, 5: 4},
        dose=[1, 1, 1, 1, 1, 1, 0],
        regimens=("docetaxel", "gemcitabine"),
    )
    assert [scan.read for scan in told.scans] == [None, Read.SD, Read.PR, Read.PD, None, Read.CR]
    assert [scan.nadir_mm for scan in told.scans] == [100, 100, 71, 60, 66, 66]
    assert told.scans[2].confirmed is Read.PR
    assert told.scans[3].is_new
    assert [line.end for line in told.lines] == [LineEnd.PROGRESSION, LineEnd.DEATH]
    assert [line.regimen for line in told.lines] == ["docetaxel", "gemcitabine"]
    assert told.progressions == (told.scans[3],)
    assert told.death is Death.ILLNESS


def test_a_line_that_was_stopped_for_harm_says_so_though_progression_came_later() -> None:
    codes = [
        int(Mark.STARTED | Mark.SCANNED | ON),
        int(Mark.SEVERE | Mark.STOPPED | ON),
        int(Mark.ALIVE),
        int(Mark.SCANNED | Mark.PROGRESSED | Mark.ALIVE),
    ]
    told = _told(codes, mm={0: 40, 3: 60}, dose=[1, 1, 0, 0], regimens=("docetaxel",))
    assert (told.lines[0].last, told.lines[0].end) == (1, LineEnd.TOXICITY)
    assert told.harms[0].stops


def test_fatal_harm_and_clones() -> None:
    bypass = 2 << CLONE_SHIFT
    codes = [
        int(Mark.STARTED | Mark.SCANNED | ON),
        int(ON) | bypass,
        int(Mark.SEVERE | Mark.DIED | Mark.DIED_OF_HARM | Mark.TREATED) | bypass,
    ]
    told = _told(codes, mm={0: 40}, dose=[1, 1, 1], regimens=("docetaxel",))
    assert told.death is Death.TOXICITY
    assert told.harms[0].is_fatal
    assert [(clone.week, clone.kind) for clone in told.clones] == [
        (0, CloneKind.SENSITIVE),
        (1, CloneKind.BYPASS),
    ]


def test_cycles_that_are_over_end_the_drugs_or_leave_maintenance() -> None:
    """Four cycles of 21 days of carboplatin end after 84 days; what is maintained goes on."""
    codes = [int(Mark.STARTED | Mark.SCANNED | ON), *([int(ON)] * 19)]
    regimen = "carboplatin+pembrolizumab+pemetrexed"
    told = _told(codes, mm={0: 40}, dose=[1.0] * 20, regimens=(regimen,))
    parts = parts_of(told.lines[0])
    assert [(part.first, part.last, part.is_maintenance) for part in parts] == [
        (0, 83, False),
        (84, 139, True),
    ]
