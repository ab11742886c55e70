"""What the panels of a course share: axis of time, scales, words, labels that do not overlap. Plain SVG.

Rules this module guarantees:

- A label never lies on another: what would collide goes to another row.
- A label that would leave the picture stands to the left of its place instead.

    >>> time = Time(weeks=52)
    >>> time.x(0) < time.x(52)
    True
    >>> rows = place_labels([(100.0, "one"), (101.0, "two")])
    >>> [label.row for label in rows]
    [0, 1]
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from math import log10

WIDTH, LEFT, RIGHT = 1180, 176, 88
"""Pixels: the picture, and what is left free beside the panels."""

INK, SOFT, FAINT, GRID = "#1f2328", "#59636e", "#c5cbd3", "#eaedf0"
RED, BLUE, GREEN, ORANGE, VIOLET, BROWN = "#a8243f", "#1f5fa8", "#1f7a52", "#c2542d", "#7a4fa3", "#8a6d1f"
FONT = 'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="11.5"'
WEEKS_PER_MONTH = 365.25 / 12 / 7
CHARACTER = 6.3
"""Pixels that a character of a label takes, about."""

_TICKS_MAX = 14
_MONTH_STEPS = (1, 2, 3, 6, 12, 24, 60)


@dataclass(frozen=True, slots=True)
class Time:
    """Weeks to pixels."""

    weeks: int
    """Weeks that are shown."""

    def x(self, week: float) -> float:
        """The pixel of a week."""
        return LEFT + 10 + week / max(self.weeks, 1) * (WIDTH - LEFT - RIGHT - 20)

    def months(self) -> tuple[int, ...]:
        """The months that are named."""
        last = self.weeks / WEEKS_PER_MONTH
        step = next((step for step in _MONTH_STEPS if last / step <= _TICKS_MAX), _MONTH_STEPS[-1])
        return tuple(range(0, int(last) + 1, step))


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers to pixels from the bottom of a panel to its top."""

    low: float
    """Number at the bottom."""
    high: float
    """Number at the top."""
    top: float
    """Pixel of the top."""
    height: float
    """Pixels from top to bottom."""
    is_log: bool = False
    """Whether equal distances are equal ratios."""

    def y(self, value: float) -> float:
        """The pixel of a number; what lies outside is put on the edge."""
        low, high, here = self.low, self.high, sorted((self.low, value, self.high))[1]
        if self.is_log:
            low, high, here = log10(low), log10(high), log10(here)
        return self.top + (high - here) / (high - low) * self.height


@dataclass(frozen=True, slots=True)
class Label:
    """A label with its place."""

    x: float
    """Where it points to."""
    text: str
    """What it says."""
    row: int
    """Its row, from 0."""
    is_left: bool
    """Whether it stands to the left of its place."""


def place_labels(labels: Iterable[tuple[float, str]], *, right: float = WIDTH - 6) -> list[Label]:
    """Rows for labels, so that none lies on another.

    Args:
        labels: Pixel and text of each, in order.
        right: Pixel that no label may pass.
    """
    rows: list[list[tuple[float, float]]] = []
    placed: list[Label] = []
    for x, text in labels:
        width = CHARACTER * len(text) + 12
        is_left = x + width > right
        start, end = (x - width, x) if is_left else (x - 2, x + width)
        row = next((row for row, taken in enumerate(rows) if _is_free(taken, start, end)), len(rows))
        if row == len(rows):
            rows.append([])
        rows[row].append((start, end))
        placed.append(Label(x, text, row, is_left))
    return placed


def _is_free(taken: Sequence[tuple[float, float]], start: float, end: float) -> bool:
    return all(end < before or start > after for before, after in taken)


def words(x: float, y: float, text: str, look: str = "", *, colour: str = INK, anchor: str = "start") -> str:
    """Words on a white halo, so that lines below them do not disturb."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" text-anchor="{anchor}" stroke="#fff" '
        f'stroke-width="3" stroke-linejoin="round" paint-order="stroke" {look}>{escape(text)}</text>'
    )


def line(x0: float, y0: float, x1: float, y1: float, look: str) -> str:
    """A straight line."""
    return f'<line x1="{x0:.1f}" y1="{y0:.1f}" x2="{x1:.1f}" y2="{y1:.1f}" {look}/>'


def path(points: Iterable[tuple[float, float]], look: str) -> str:
    """A line through points."""
    text = " ".join(f"{'M' if number == 0 else 'L'}{x:.1f} {y:.1f}" for number, (x, y) in enumerate(points))
    return f'<path d="{text}" fill="none" {look}/>' if text else ""


def frame(time: Time, top: float, height: float, title: str) -> list[str]:
    """The background of a panel: its title at the left, and a faint line for each named month."""
    right = WIDTH - RIGHT
    parts = [
        line(time.x(m * WEEKS_PER_MONTH), top, time.x(m * WEEKS_PER_MONTH), top + height, f'stroke="{GRID}"')
        for m in time.months()
    ]
    parts.append(line(LEFT, top + height, right, top + height, f'stroke="{FAINT}"'))
    lines = title.split("\n")
    parts += [
        words(
            14,
            top + 13 + 14 * number,
            text,
            'font-weight="600"' if number == 0 else "",
            colour=INK if number == 0 else SOFT,
        )
        for number, text in enumerate(lines)
    ]
    return parts


def months_axis(time: Time, y: float) -> list[str]:
    """The names of the months below the panels."""
    parts = [
        words(time.x(month * WEEKS_PER_MONTH), y, str(month), colour=SOFT, anchor="middle")
        for month in time.months()
    ]
    return [*parts, words(14, y, "months", colour=SOFT)]
