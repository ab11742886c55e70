"""Pictures of simulated trials, read back as what they are: XML with words and paths."""

import re
import statistics
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from oncoproof.app.trial_pictures import draw, write_pictures
from oncoproof.disease import COMPLETE, PARTIAL, STABLE, WEEKS_PER_MONTH, Endpoints, SimulatedArms
from oncoproof.errors import InputError
from oncoproof.knowledge.trials import load_trials

ARMS = {arm.row_id: arm for arm in load_trials()}
TREATED, CONTROL = ARMS["flaura-egfr-osimertinib"], ARMS["flaura-egfr-gefitinib_or_erlotinib"]
SINGLE = ARMS["profile_1001-ros1-crizotinib"]
LORLATINIB = ARMS["crown-alk-lorlatinib"]
SVG = "{http://www.w3.org/2000/svg}"


def _course(
    pfs_months: Sequence[float],
    *,
    os_months: Sequence[float] | None = None,
    died: bool = True,
    change: Sequence[float] | None = None,
    response: Sequence[int] | None = None,
) -> Endpoints:
    """Patients whose times are these; without a change named, all shrink by a tenth and are stable."""
    count = len(pfs_months)
    weeks = np.asarray(pfs_months, np.float32) * np.float32(WEEKS_PER_MONTH)
    death = (
        weeks + 30 if os_months is None else np.asarray(os_months, np.float32) * np.float32(WEEKS_PER_MONTH)
    )
    course = Endpoints(**dict.fromkeys(Endpoints._fields, np.zeros(count, np.bool_)))
    return course._replace(
        progression_weeks=weeks,
        progressed=np.ones(count, np.bool_),
        death_weeks=death.astype(np.float32),
        died=np.full(count, died),
        response=np.asarray([STABLE] * count if response is None else response, np.int8),
        best_change_pct=np.asarray([-10.0] * count if change is None else change, np.float32),
    )


FLAURA = {
    TREATED.row_id: _course([3.0, 7.5, 12.0, 19.0, 21.0, 26.0, 33.0, 40.0, 44.0, 51.0]),
    CONTROL.row_id: _course([2.0, 4.0, 6.0, 9.0, 10.5, 13.0, 14.0, 16.0, 19.0, 25.0, 30.0]),
}


def _words(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]  # noqa: S314  our own


def _after(words: Sequence[str], label: str, *, times: int = 2) -> Iterator[list[str]]:
    """The two words that follow each of the first mentions of a label."""
    places = [place for place, word in enumerate(words) if word == label][:times]
    return (list(words[place + 1 : place + 3]) for place in places)


def _bars(picture: str, title: str) -> list[tuple[float, float, float]]:
    """Left end, zero line and tip of every bar of a response."""
    found: list[tuple[float, float, float]] = []
    for path in ET.fromstring(picture).iter(f"{SVG}path"):  # noqa: S314  our own
        name = path.find(f"{SVG}title")
        if name is not None and (name.text or "").startswith(title):
            drawn = re.findall(r"M([\d.]+) ([\d.]+)V([\d.]+)", path.get("d", ""))
            found += [(float(x), float(zero), float(tip)) for x, zero, tip in drawn]
    return found


def _all_bars(picture: str) -> list[tuple[float, float, float]]:
    kinds = ("complete", "partial", "stable", "progression")
    return sorted(bar for kind in kinds for bar in _bars(picture, kind))


def test_a_file_for_each_population_that_was_simulated(tmp_path: Path) -> None:
    courses: dict[str, tuple[Endpoints, ...]] = {
        row_id: (course, course) for row_id, course in FLAURA.items()
    }
    courses[SINGLE.row_id] = (_course([5.0, 9.0, 14.0]),)
    simulated = SimulatedArms(courses, {LORLATINIB.row_id: "no schedule"})
    folder = tmp_path / "deep" / "pictures"
    assert write_pictures([TREATED, LORLATINIB, SINGLE, CONTROL], simulated, folder) == 2
    assert sorted(path.name for path in folder.iterdir()) == ["flaura-egfr.svg", "profile_1001-ros1.svg"]
    for path in folder.iterdir():
        assert ET.parse(path).getroot().tag == f"{SVG}svg"  # noqa: S314  our own
    assert write_pictures([TREATED, CONTROL, SINGLE], simulated, folder) == 2


def test_nothing_simulated_is_no_picture(tmp_path: Path) -> None:
    assert write_pictures([TREATED], SimulatedArms({}, {}), tmp_path) == 0
    assert not list(tmp_path.iterdir())


def test_a_picture_has_both_panels_a_waterfall_for_each_arm_and_a_title() -> None:
    picture = draw([TREATED, CONTROL], FLAURA)
    words = _words(picture)
    assert {"Progression-free survival", "Overall survival", "Best change of the sum of diameters"} <= set(
        words
    )
    assert words.count("at risk") == words.count("months") == 2
    assert sum(word.startswith("ORR") for word in words) == 2
    assert words[0] == "FLAURA · EGFR ex19del/L858R"
    assert "simulated n = 10, 11" in words[1]
    assert "published n = 279, 277" in words[1]
    title = ET.fromstring(picture).find(f"{SVG}title")  # noqa: S314  our own
    assert title is not None
    assert "FLAURA" in (title.text or "")


def test_it_is_self_contained_and_stands_on_white() -> None:
    picture = draw([TREATED, CONTROL], FLAURA)
    assert re.findall(r"https?://[^\"]*", picture) == ["http://www.w3.org/2000/svg"]
    assert "href" not in picture
    assert 'fill="#ffffff"' in picture


def test_medians_are_those_computed_by_hand() -> None:
    """Without censoring and without ties the median of a curve is the median of the times."""
    words = _words(draw([TREATED, CONTROL], FLAURA))
    for arm, published in (
        (TREATED, ("18.9 (15.2–21.4)", "38.6 (34.5–41.8)")),
        (CONTROL, ("10.2 (9.6–11.1)",)),
    ):
        course = FLAURA[arm.row_id]
        by_hand = [
            f"{statistics.median(np.asarray(times, np.float64).tolist()) / WEEKS_PER_MONTH:.1f}"
            for times in (course.progression_weeks, course.death_weeks)
        ]
        shown = list(_after(words, arm.regimen))
        assert [each[0] for each in shown] == by_hand
        assert [each[1] for each in shown][: len(published)] == list(published)


def test_numbers_at_risk_are_counts() -> None:
    months = [1.5, 2.5, 4.5, 4.6, 7.0]
    words = _words(draw([SINGLE], {SINGLE.row_id: _course(months, os_months=[9.0] * 5)}))
    start = words.index("at risk") + 1
    ticks = [int(word) for word in words[: start - 1] if word.isdecimal()]
    at_risk = [int(word) for word in words[start : start + len(ticks)]]
    assert at_risk == [sum(month >= tick for month in months) for tick in ticks]
    assert at_risk[0] == 5


def test_after_the_last_look_nobody_is_counted_while_some_are_free() -> None:
    """A horizon of 119.6 months leaves no number at 120: none would be wrong."""
    course = _course([50.0] * 4, os_months=[119.6] * 4, died=False)
    words = _words(draw([SINGLE], {SINGLE.row_id: course}))
    second = words.index("at risk", words.index("at risk") + 1)
    assert words[second + 1 : second + 12] == ["4"] * 10 + ["Best change of the sum of diameters"]


def test_a_median_that_is_not_reached_is_said_and_its_interval_is_an_arrow() -> None:
    course = _course([70.0, 80.0, 90.0], os_months=[100.0] * 3, died=False)
    picture = draw([LORLATINIB], {LORLATINIB.row_id: course})
    progression, death = _after(_words(picture), "lorlatinib")
    assert progression == ["80.0", "NR (64.3–NR)"]
    assert death == ["NR", "not reported"]
    assert "l6 3.5l-6 3.5" in picture


def test_the_axis_ends_at_thrice_the_largest_median_and_at_ten_years() -> None:
    def last_tick(months: Sequence[float]) -> int:
        arm = replace(SINGLE, pfs_median_mo=None, pfs_ci_low=None, pfs_ci_high=None)
        words = _words(draw([arm], {arm.row_id: _course(months)}))
        return max(int(word) for word in words[: words.index("months")] if word.isdecimal())

    assert last_tick([4.0, 4.1, 40.0]) == 14  # 3 × 4.1 = 12.3, up to the next tick of two months
    assert last_tick([4.0, 4.1, 6.0]) == 6  # nobody is left
    assert last_tick([90.0, 100.0, 119.0, 119.0]) == 120


def test_a_published_median_stands_where_the_axis_says() -> None:
    picture = draw([SINGLE], {SINGLE.row_id: _course([10.0, 19.3, 50.0])})
    marks = [
        group
        for group in ET.fromstring(picture).iter(f"{SVG}g")  # noqa: S314  our own
        if "published median" in (group.findtext(f"{SVG}title") or "")
    ]
    assert len(marks) == 2
    bar, mark = marks[0].findall(f"{SVG}path")
    low, high = (float(x) for x in re.findall(r"[MH]([\d.]+)", bar.get("d", "")))
    x = float(re.findall(r"M([\d.]+)", mark.get("d", ""))[0])
    assert (x - low) / (high - low) == pytest.approx((19.3 - 15.2) / (39.1 - 15.2), abs=0.005)


def test_waterfall_bars_are_sorted_and_clipped() -> None:
    change = [-45.0, 250.0, np.nan, -100.0, 30.0, -5.0, 120.0, np.nan, -31.0, 0.0]
    response = [PARTIAL, 0, 0, COMPLETE, 0, STABLE, 0, 0, STABLE, STABLE]
    course = _course(np.arange(3.0, 13.0).tolist(), change=change, response=response)
    picture = draw([SINGLE], {SINGLE.row_id: course})
    bars = _all_bars(picture)
    scale = (bars[0][1] - bars[0][2]) / 100
    heights = [(zero - tip) / scale for _, zero, tip in bars]
    assert heights == pytest.approx([100, 100, 30, 0, -5, -31, -45, -100], abs=0.2)
    counts = {name: len(_bars(picture, name)) for name in ("complete", "partial", "stable", "progression")}
    assert counts == {"complete": 1, "partial": 1, "stable": 3, "progression": 3}
    words = _words(picture)
    assert "2 of 10 patients had no later scan; 2 cut at +100 %" in words
    assert "ORR: simulated 20 %, published 72 %" in words
    assert {"+20 %", "−30 %"} <= set(words)


def test_an_arm_nobody_of_which_was_scanned_again_has_no_bar() -> None:
    arm = replace(SINGLE, orr_pct=None)
    picture = draw([arm], {arm.row_id: _course([1.0, 2.0], change=[np.nan] * 2, response=[0, 0])})
    assert not _all_bars(picture)
    assert "2 of 2 patients had no later scan" in _words(picture)
    assert "ORR: simulated 0 %, published not reported" in _words(picture)


def test_an_arm_that_was_not_simulated_is_named() -> None:
    words = _words(draw([TREATED, CONTROL], {TREATED.row_id: FLAURA[TREATED.row_id]}))
    assert f"not simulated: {CONTROL.regimen}" in words
    assert sum(word.startswith("ORR") for word in words) == 1


def test_arms_differ_without_colour() -> None:
    """Each of many arms has a dash pattern and a mark of its own; more than three waterfalls wrap."""
    arms = [replace(TREATED, row_id=f"flaura-egfr-{number}", regimen=f"arm {number}") for number in range(5)]
    picture = draw(arms, {arm.row_id: FLAURA[TREATED.row_id] for arm in arms})
    curves = [
        path.get("stroke-dasharray", "")
        for path in ET.fromstring(picture).iter(f"{SVG}path")  # noqa: S314  our own
        if (path.findtext(f"{SVG}title") or "").startswith("arm ")
    ]
    assert len(curves) == 10
    assert len(set(curves)) == 5
    texts = ET.fromstring(picture).iter(f"{SVG}text")  # noqa: S314  our own
    lefts = {text.get("x") for text in texts if "ORR" in (text.text or "")}
    assert len(lefts) == 3


def test_text_from_outside_is_escaped_and_long_names_are_cut() -> None:
    wild = replace(TREATED, trial="<b>&\"T'", regimen="a<script>&" + "x" * 90, biomarker_population="p]]>")
    picture = draw([wild], {wild.row_id: FLAURA[TREATED.row_id]})
    words = _words(picture)
    assert words[0] == "<b>&\"T' · p]]>"
    assert "<script>" not in picture
    assert any(word.startswith("a<script>&xx") and word.endswith("…") for word in words)


@pytest.mark.parametrize("place", ["taken", "taken/below"])
def test_a_folder_that_cannot_be_made_is_a_typed_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "taken").write_text("a file", encoding="utf-8")
    with pytest.raises(InputError) as raised:
        write_pictures([TREATED], SimulatedArms({}, {}), tmp_path / place)
    assert raised.value.where == str(tmp_path / place)
    assert raised.value.remedy == "name another folder"


def test_a_picture_that_cannot_be_written_is_a_typed_error_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "flaura-egfr.svg").mkdir()
    simulated = SimulatedArms({TREATED.row_id: (FLAURA[TREATED.row_id],)}, {})
    with pytest.raises(InputError):
        write_pictures([TREATED], simulated, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["flaura-egfr.svg"]
