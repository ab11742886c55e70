"""Simulated trials as pictures: survival curves beside published medians, and waterfalls. Plain SVG.

Rules this module guarantees:

- One file for each population of a trial, `TRIAL-POPULATION.svg`, with every arm of it that was simulated;
  an arm that was not is named.
- Curves and simulated medians are those of the fitted parameters, each patient followed to the end of the
  simulated course: no data cut is imitated.
- A published median stands at one half with its 95 % interval; several arms' stand a few pixels apart, so
  that none hides another. An arrow means that the interval, or the axis, ends further on.
- A response is one that a later scan confirmed; so a bar may pass −30 % and be none.
- A waterfall has one bar for each patient with a later scan, the largest growth first; whoever had none is
  counted in words, and counts in the response rate.
- A picture is one self-contained file, readable without colour, with a title for screen readers.

    >>> from oncoproof.knowledge.trials import load_trials
    >>> arm = next(arm for arm in load_trials() if arm.row_id == "flaura-egfr-osimertinib")
    >>> yes, weeks = np.ones(9, np.bool_), np.arange(9, 90, 9, dtype=np.float32)
    >>> course = Endpoints(**dict.fromkeys(Endpoints._fields, yes))
    >>> course = course._replace(progression_weeks=weeks, death_weeks=weeks + 30, best_change_pct=weeks - 90)
    >>> picture = draw([arm], {arm.row_id: course})
    >>> ">10.3</text>" in picture, ">18.9 (15.2–21.4)</text>" in picture
    (True, True)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import cycle
from math import ceil, isnan
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from oncoproof.app.screen import write_output
from oncoproof.disease import (
    COMPLETE,
    PARTIAL,
    STABLE,
    WEEKS_PER_MONTH,
    Endpoints,
    FollowUp,
    SimulatedArms,
    kaplan_meier,
    median_time,
)
from oncoproof.journey.atomic_file import make_folder
from oncoproof.knowledge.trials import Interval, TrialArm

# Pixels.
_WIDTH, _EDGE, _GUTTER, _AXIS = 1180, 18, 36, 50
_TOP, _KEY_ROW, _CURVES, _RISK_ROW = 88, 19, 250, 15
_FALLS, _FALLS_ROW, _FALLS_IN_ROW = 210, 308, 3
_CHARACTER, _DODGE = 6.6, 8.0
# Characters.
_TITLE_LENGTH, _NOTE_LENGTH = 112, 170
_MONTHS_MAX, _TICKS = 120, 12
_GROWTH_MAX, _GROWTH_SHOWN_MIN = 100.0, 40.0
_INK, _SOFT, _FAINT = "#1f2328", "#656d76", "#e4e7eb"
_FONT = 'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="11.5"'
_FAINT_STROKE = f'stroke="{_FAINT}"'
_MIDDLE, _END = 'text-anchor="middle"', 'text-anchor="end"'


@dataclass(frozen=True, slots=True)
class _Look:
    """How an arm is told from the others, in colour and without."""

    colour: str
    """Of its curve and mark."""
    dashes: str
    """Of its curve; `none` = solid."""
    mark: str
    """The shape at its published median, as a path around its middle."""

    def stroke(self) -> str:
        """How its curve is drawn."""
        return f'stroke="{self.colour}" stroke-width="2" stroke-dasharray="{self.dashes}"'

    def marked(self, x: float, y: float) -> str:
        """Its mark at a place."""
        return f'<path d="M{x:.1f} {y:.1f}{self.mark}" fill="{self.colour}" stroke="#fff"/>'


_LOOKS = (
    _Look("#1f5fa8", "none", "m-4.6 0a4.6 4.6 0 1 0 9.2 0a4.6 4.6 0 1 0 -9.2 0z"),
    _Look("#c2542d", "7 3.5", "m-4.1 -4.1h8.2v8.2h-8.2z"),
    _Look("#1f8a5b", "2 2.5", "m0 -5.6l5.6 5.6l-5.6 5.6l-5.6 -5.6z"),
    _Look("#7a4fa3", "9 3 2 3", "m0 -5.4l5.2 9h-10.4z"),
    _Look("#8a6d1f", "14 4", "m0 5.4l5.2 -9h-10.4z"),
)

# From dark to light, so that they differ in grey too.
_RESPONSES = (
    (COMPLETE, "complete response", "#12304f"),
    (PARTIAL, "partial response", "#2f73b3"),
    (STABLE, "stable or unconfirmed", "#c5cbd3"),
    (0, "progression", "#e58a6b"),
)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """An arm to be drawn."""

    arm: TrialArm
    """As published."""
    course: Endpoints
    """As simulated."""
    look: _Look
    """How it is told from the others."""


@dataclass(frozen=True, slots=True)
class _Line:
    """An arm's curve in one panel."""

    drawn: _Drawn
    """Whose it is."""
    months: NDArray[np.float64]
    """When each patient was last followed, ascending."""
    steps: list[tuple[float, float]]
    """Months and per cent free of the event from then on; the first is the start."""
    median: float
    """Simulated, months; NaN = not reached."""
    published: Interval
    """Published median, months."""
    not_reached: bool
    """Whether the published median was not reached."""


@dataclass(frozen=True, slots=True)
class _Frame:
    """A plotting area in pixels, and the numbers in it: x from 0 to `span`, y from `low` to `high`."""

    left: float
    top: float
    width: float
    height: float
    span: float
    low: float
    high: float

    @property
    def right(self) -> float:
        """Pixel of the largest x."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Pixel of the smallest y."""
        return self.top + self.height

    def x(self, value: float) -> float:
        """The pixel of an x."""
        return self.left + value / self.span * self.width

    def y(self, value: float) -> float:
        """The pixel of a y."""
        return self.top + (self.high - value) / (self.high - self.low) * self.height


def write_pictures(arms: Sequence[TrialArm], simulated: SimulatedArms, folder: Path) -> int:
    """Write a picture of each population that was simulated.

    Args:
        arms: The table.
        simulated: What came of it.
        folder: Where the pictures go; made where it is absent.

    Returns:
        How many were written.
    """
    make_folder(folder)
    courses = {row_id: each[0] for row_id, each in simulated.courses.items()}
    populations: dict[str, list[TrialArm]] = {}
    for arm in arms:
        populations.setdefault("-".join(arm.row_id.split("-")[:2]), []).append(arm)
    shown = {name: each for name, each in populations.items() if any(arm.row_id in courses for arm in each)}
    for name, each in shown.items():
        write_output(draw(each, courses).encode(), folder / f"{name}.svg")
    return len(shown)


def draw(arms: Sequence[TrialArm], courses: Mapping[str, Endpoints]) -> str:
    """The picture of one population, as SVG text.

    Args:
        arms: Its arms; one at least must have been simulated.
        courses: What was simulated, by row id.
    """
    simulated = [arm for arm in arms if arm.row_id in courses]
    drawn = [
        _Drawn(arm, courses[arm.row_id], look) for arm, look in zip(simulated, cycle(_LOOKS), strict=False)
    ]
    falls_top = _curves_top(drawn) + _CURVES + 66 + len(drawn) * _RISK_ROW + 44
    height = falls_top + 24 + ceil(len(drawn) / _FALLS_IN_ROW) * _FALLS_ROW
    width = (_WIDTH - 2 * _EDGE - _GUTTER) / 2
    parts = [
        *_head(arms, drawn, height),
        *_survival("Progression-free survival", [_progression(each) for each in drawn], _EDGE, width),
        *_survival("Overall survival", [_death(each) for each in drawn], _EDGE + width + _GUTTER, width),
        *_waterfalls(drawn, falls_top),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _head(arms: Sequence[TrialArm], drawn: Sequence[_Drawn], height: float) -> list[str]:
    title = f"{arms[0].trial} · {arms[0].biomarker_population}"
    missing = [arm.regimen for arm in arms if all(arm is not each.arm for each in drawn)]
    unseen = _short(f"not simulated: {', '.join(missing)}", _NOTE_LENGTH)
    simulated = _counts([len(each.course.died) for each in drawn])
    numbers = f"simulated n = {simulated} · published n = {_counts([each.arm.n for each in drawn])}"
    notes = f"{numbers} · mark and bar: published median and its 95 % CI · NR: not reached"
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" role="img" {_FONT}>',
        f"<title>{escape(title)}: simulated and published survival and response</title>",
        f'<rect width="{_WIDTH}" height="{height:.0f}" fill="#ffffff"/>',
        _words(_EDGE, 30, _short(title, _TITLE_LENGTH), 'font-size="17" font-weight="600"'),
        _words(_EDGE, 49, _short(notes, _NOTE_LENGTH), colour=_SOFT),
        *([_words(_EDGE, 65, unseen, colour=_SOFT)] if missing else []),
    ]


def _counts(numbers: Sequence[int]) -> str:
    """The patients of each arm, in the order of the key; said once where they are equal."""
    if len(numbers) > 1 and len(set(numbers)) == 1:
        return f"{numbers[0]} in each arm"
    return ", ".join(str(number) for number in numbers)


def _words(x: float, y: float, text: str, look: str = "", *, colour: str = _INK) -> str:
    space = " " if look else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}"{space}{look}>{escape(text)}</text>'


def _rule(frame: _Frame, value: float, stroke: str) -> str:
    """A line across a plotting area."""
    return f'<path d="M{frame.left:.1f} {frame.y(value):.1f}H{frame.right:.1f}" {stroke}/>'


def _short(text: str, length: float) -> str:
    return text if len(text) <= length else text[: int(length) - 1].rstrip() + "…"


def _progression(drawn: _Drawn) -> _Line:
    weeks, ended = drawn.course.progression_weeks, drawn.course.progressed
    return _line(drawn, weeks, ended, drawn.arm.pfs, not_reached=drawn.arm.pfs_not_reached is True)


def _death(drawn: _Drawn) -> _Line:
    weeks, ended = drawn.course.death_weeks, drawn.course.died
    return _line(drawn, weeks, ended, drawn.arm.os, not_reached=drawn.arm.os_not_reached is True)


def _line(
    drawn: _Drawn, weeks: ArrayLike, ended: ArrayLike, published: Interval, *, not_reached: bool
) -> _Line:
    followed = np.asarray(weeks, np.float64) / WEEKS_PER_MONTH
    curve = kaplan_meier(FollowUp(followed[None], np.asarray(ended, np.bool_)[None]))
    months: NDArray[np.float64] = curve.times[0]
    moments = np.unique(months[curve.events[0]])
    last = np.searchsorted(months, moments, side="right") - 1
    shares = (100 * curve.survival[0, last]).tolist()
    steps = [(0.0, 100.0), *zip(moments.tolist(), shares, strict=True)]
    return _Line(drawn, months, steps, float(median_time(curve)[0]), published, not_reached)


def _survival(name: str, lines: Sequence[_Line], left: float, width: float) -> list[str]:
    """A panel: its key, its curves, its published medians, and who is at risk."""
    wanted = _span(lines)
    tick = next((each for each in (1, 2, 3, 6) if wanted / each <= _TICKS), 12)
    span = max(1, ceil(wanted / tick - 1e-6)) * tick
    frame = _Frame(left + _AXIS, _curves_top(lines), width - _AXIS - 8, _CURVES, span, 0, 100)
    middle = (len(lines) - 1) / 2
    return [
        "<g>",
        *_key(name, lines, left, left + width - 8),
        *_survival_axes(frame, tick),
        *(_curve(line, frame) for line in lines),
        *(_published_mark(line, frame, (place - middle) * _DODGE) for place, line in enumerate(lines)),
        *_at_risk(lines, frame, tick),
        "</g>",
    ]


def _curves_top(keyed: Sequence[object]) -> float:
    """Where curves begin below a key of so many rows."""
    return _TOP + (len(keyed) + 1) * _KEY_ROW + 8


def _span(lines: Sequence[_Line]) -> float:
    """How many months are shown: thrice the largest median, and all of it where one is not reached."""
    followed = max(float(line.months[-1]) for line in lines)
    bounds = [bound or 0.0 for line in lines for bound in (line.published.low, line.published.high)]
    medians = [line.published.value or 0.0 for line in lines]
    medians += [followed if isnan(line.median) else line.median for line in lines]
    wanted = max(min(3 * max(medians), followed), 1.1 * max(bounds + medians))
    return min(wanted, _MONTHS_MAX)


def _key(name: str, lines: Sequence[_Line], left: float, right: float) -> list[str]:
    """What each curve is, with its median as simulated and as published."""
    column = right - 128
    parts = [
        _words(left, _TOP, name, 'font-size="14" font-weight="600"'),
        _words(column, _TOP, "median, months: simulated", _END, colour=_SOFT),
        _words(right, _TOP, "published (95 % CI)", _END, colour=_SOFT),
    ]
    length = (column - left - _AXIS - 40) / _CHARACTER
    for place, line in enumerate(lines):
        y = _TOP + (place + 1) * _KEY_ROW + 2
        parts += [
            _sample(line.drawn.look, left, y - 4, is_marked=True),
            _words(left + _AXIS, y, _short(line.drawn.arm.regimen, length)),
            _words(column, y, _months(line.median), f'{_END} font-weight="600"'),
            _words(right, y, _published_words(line), _END),
        ]
    return parts


def _sample(look: _Look, left: float, y: float, *, is_marked: bool) -> str:
    end = left + (34 if is_marked else 22)
    mark = look.marked((left + end) / 2, y) if is_marked else ""
    return f'<path d="M{left:.1f} {y:.1f}H{end:.1f}" {look.stroke()}/>{mark}'


def _months(value: float | None) -> str:
    """Months in words; what has no number was not reached."""
    return "NR" if value is None or isnan(value) else f"{value:.1f}"


def _published_words(line: _Line) -> str:
    interval = line.published
    if interval.value is None and not line.not_reached:
        return "not reported"
    bounds = "" if interval.low is None else f" ({_months(interval.low)}–{_months(interval.high)})"
    return _months(interval.value) + bounds


def _survival_axes(frame: _Frame, tick: int) -> list[str]:
    parts = [_level(frame, share, f"{share} %") for share in (0, 25, 75, 100)]
    parts.append(_level(frame, 50, "50 %", f'stroke="{_SOFT}" stroke-dasharray="3 3"'))
    parts.append(_rule(frame, 0, f'stroke="{_SOFT}"'))
    for month in range(0, int(frame.span) + 1, tick):
        x, y = frame.x(month), frame.bottom
        parts += [
            f'<path d="M{x:.1f} {y:.1f}v4" stroke="{_SOFT}"/>',
            _words(x, y + 17, str(month), _MIDDLE, colour=_SOFT),
        ]
    return [*parts, _words(frame.left + frame.width / 2, frame.bottom + 33, "months", _MIDDLE, colour=_SOFT)]


def _level(frame: _Frame, value: float, words: str, stroke: str = _FAINT_STROKE) -> str:
    """A line across with its number at the left."""
    return _rule(frame, value, stroke) + _words(frame.left - 7, frame.y(value) + 4, words, _END, colour=_SOFT)


def _curve(line: _Line, frame: _Frame) -> str:
    shown = [(frame.x(month), frame.y(share)) for month, share in line.steps if month <= frame.span]
    steps = "".join(f"H{x:.1f}V{y:.1f}" for x, y in shown[1:])
    end = frame.x(min(float(line.months[-1]), frame.span))
    return (
        f'<path d="M{shown[0][0]:.1f} {shown[0][1]:.1f}{steps}H{end:.1f}" fill="none" '
        f'{line.drawn.look.stroke()} stroke-linejoin="round">'
        f"<title>{escape(line.drawn.arm.regimen)}</title></path>"
    )


def _published_mark(line: _Line, frame: _Frame, shift: float) -> str:
    """The published median with its interval; nothing where nothing was reported."""
    interval, look, y = line.published, line.drawn.look, frame.y(50) + shift
    parts: list[str] = []
    if interval.low is not None and interval.low < frame.span:
        bar = _interval_bar(interval.low, interval.high, frame, y)
        parts.append(f'<path d="{bar}" fill="none" stroke="{look.colour}" stroke-width="1.6"/>')
    if interval.value is not None and interval.value <= frame.span:
        parts.append(look.marked(frame.x(interval.value), y))
    words = f"{line.drawn.arm.regimen}: published median {_published_words(line)} months"
    return f"<g><title>{escape(words)}</title>{''.join(parts)}</g>" if parts else ""


def _interval_bar(low: float, high: float | None, frame: _Frame, y: float) -> str:
    """A bar with ends; an arrow where it goes on."""
    is_open = high is None or high > frame.span
    end = frame.right if high is None or is_open else frame.x(high)
    tip = "m-6 -3.5l6 3.5l-6 3.5" if is_open else "m0 -3.5v7"
    return f"M{frame.x(low):.1f} {y - 3.5:.1f}v7m0 -3.5H{end:.1f}{tip}"


def _at_risk(lines: Sequence[_Line], frame: _Frame, tick: int) -> list[str]:
    parts = [_words(frame.left - _AXIS, frame.bottom + 52, "at risk", 'font-size="10.5"', colour=_SOFT)]
    for place, line in enumerate(lines):
        y = frame.bottom + 52 + (place + 1) * _RISK_ROW
        parts.append(_sample(line.drawn.look, frame.left - _AXIS, y - 4, is_marked=False))
        for month in range(0, int(frame.span) + 1, tick):
            if month > line.months[-1] and line.steps[-1][1] > 0:
                break  # nobody was followed so long: that is not the same as nobody left
            left = len(line.months) - int(np.searchsorted(line.months, month, side="left"))
            parts.append(_words(frame.x(month), y, str(left), f'{_MIDDLE} font-size="10.5"'))
    return parts


def _waterfalls(drawn: Sequence[_Drawn], top: float) -> list[str]:
    """A panel for each arm, on one scale, under one key."""
    columns = min(len(drawn), _FALLS_IN_ROW)
    width = (_WIDTH - 2 * _EDGE - (columns - 1) * _GUTTER) / columns
    changes = [np.asarray(each.course.best_change_pct, np.float64) for each in drawn]
    growth = max(float(np.nanmax(np.append(each, 0.0))) for each in changes)
    high = min(max(20.0 * ceil(growth / 20), _GROWTH_SHOWN_MIN), _GROWTH_MAX)
    parts = _response_key(top)
    for place, (each, change) in enumerate(zip(drawn, changes, strict=True)):
        row, column = divmod(place, _FALLS_IN_ROW)
        left = _EDGE + column * (width + _GUTTER)
        plot_top = top + 24 + row * _FALLS_ROW + 46
        bars = max(1, int(np.sum(~np.isnan(change))))
        frame = _Frame(left + _AXIS, plot_top, width - _AXIS - 42, _FALLS, bars, -100, high)
        parts += _waterfall(each, change, frame)
    return parts


def _response_key(y: float) -> list[str]:
    parts = [_words(_EDGE, y, "Best change of the sum of diameters", 'font-size="14" font-weight="600"')]
    x = float(_WIDTH - _EDGE)
    for _, words, colour in reversed(_RESPONSES):
        x -= len(words) * _CHARACTER
        parts.append(
            f'<rect x="{x - 17:.1f}" y="{y - 10:.1f}" width="11" height="11" rx="2" fill="{colour}"/>'
        )
        parts.append(_words(x, y, words, colour=_SOFT))
        x -= 34
    return parts


def _waterfall(drawn: _Drawn, change: NDArray[np.float64], frame: _Frame) -> list[str]:
    scanned = np.flatnonzero(~np.isnan(change))
    order = scanned[np.argsort(-change[scanned], kind="stable")]
    response = np.asarray(drawn.course.response)
    share = 100 * float(np.mean(response >= PARTIAL))
    published = "not reported" if drawn.arm.orr_pct is None else f"{drawn.arm.orr_pct:.0f} %"
    left, length = frame.left - _AXIS, (frame.width + _AXIS) / (_CHARACTER + 0.6)
    note = f"{len(change) - len(order)} of {len(change)} patients had no later scan"
    cut = int(np.sum(change[scanned] > _GROWTH_MAX))
    if cut:
        note += f"; {cut} cut at +{_GROWTH_MAX:.0f} %"
    return [
        "<g>",
        _words(left, frame.top - 36, _short(drawn.arm.regimen, length), 'font-weight="600"'),
        _words(left, frame.top - 19, f"ORR: simulated {share:.0f} %, published {published}"),
        *(_level(frame, each, _signed(each)) for each in (-100, -50, 0, 50, 100) if each <= frame.high),
        *_bars(np.minimum(change[order], _GROWTH_MAX), response[order], frame),
        *_thresholds(frame),
        _words(left + _AXIS, frame.bottom + 20, note, colour=_SOFT),
        "</g>",
    ]


def _signed(change: int) -> str:
    return f"{'+' if change > 0 else '−' if change < 0 else ''}{abs(change)} %"


def _bars(change: NDArray[np.float64], response: NDArray[np.int8], frame: _Frame) -> list[str]:
    """A path for each response: many thin bars, few elements."""
    gap = 0.15 if frame.width / frame.span > 3 else 0.0
    parts: list[str] = []
    for code, words, colour in (each for each in _RESPONSES if each[0] in response):
        places = np.flatnonzero(response == code)
        path = "".join(
            f"M{frame.x(place + gap):.2f} {frame.y(0):.1f}V{frame.y(float(change[place])):.1f}"
            f"H{frame.x(place + 1 - gap):.2f}V{frame.y(0):.1f}z"
            for place in places.tolist()
        )
        parts.append(f'<path d="{path}" fill="{colour}"><title>{words}: {len(places)}</title></path>')
    return parts


def _thresholds(frame: _Frame) -> list[str]:
    """From where growth is progression and shrinkage a response."""
    parts = [_rule(frame, 0, f'stroke="{_SOFT}"')]
    for change in (20, -30):
        parts += [
            _rule(frame, change, f'stroke="{_INK}" stroke-dasharray="4 3" stroke-width="0.9"'),
            _words(frame.right + 4, frame.y(change) + 4, _signed(change), 'font-size="10.5"', colour=_SOFT),
        ]
    return parts
