"""A journey as a picture: lanes over time, lasting things as bars, causes as arrows. Plain SVG.

Rules this module guarantees:

- Nothing overlaps: within a lane, what would collide goes to another row.
- What nobody recorded (truth) is drawn hollow and dashed, so that a reader can tell it from the record.
- The picture is one self-contained file, readable without colour, with a title for screen readers.

    >>> draw((), (), title="empty").startswith("<svg")
    True
"""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from oncoproof.journey import Event, Kind, Link, Reason, label

_WIDTH = 1180
_LEFT = 118
_RIGHT = 170
_TOP = 54
_ROW = 23
_LANE_GAP = 13
_CHARACTER = 6.1
_LABEL_LENGTH = 34
_DAYS_PER_MONTH = 30.4375


@dataclass(frozen=True, slots=True)
class _Lane:
    """A band of the picture."""

    name: str
    """What stands at its left."""
    kinds: tuple[Kind, ...]
    """Which events it shows."""
    colour: str
    """Of its marks."""


_LANES = (
    _Lane("findings", (Kind.DIAGNOSIS, Kind.STAGE, Kind.BIOMARKER), "#3b6fb6"),
    _Lane("condition", (Kind.PERFORMANCE, Kind.SYMPTOM, Kind.LAB), "#5f7d8c"),
    _Lane("scans", (Kind.IMAGING,), "#6a4fa3"),
    _Lane("decisions", (Kind.DECISION,), "#8a6d1f"),
    _Lane("treatment", (Kind.TREATMENT,), "#1f8a5b"),
    _Lane("harm", (Kind.ADVERSE_EVENT,), "#c2542d"),
    _Lane("outcome", (Kind.OUTCOME,), "#9b2242"),
    _Lane("truth", (Kind.CLONE,), "#6b6b6b"),
)

_ARROWS = {
    Reason.HARMS: "#c2542d",
    Reason.MODIFIES: "#c2542d",
    Reason.RESPONDS: "#1f8a5b",
    Reason.READS: "#6a4fa3",
    Reason.SELECTS: "#6b6b6b",
    Reason.EVOLVES: "#6b6b6b",
    Reason.DRIVES: "#9b2242",
    Reason.ENDS: "#9b2242",
}
_ARROW = "#3b6fb6"


@dataclass(frozen=True, slots=True)
class _Mark:
    """An event with its place in the picture."""

    event: Event
    """What is drawn."""
    colour: str
    """Of its lane."""
    x: float
    """Left end, pixels."""
    x_end: float
    """Right end of the bar; equal to `x` for a single day."""
    y: float
    """Middle of the row, pixels."""


@dataclass(frozen=True, slots=True)
class _Scale:
    """Days to pixels."""

    first: int
    """Day at the left end."""
    last: int
    """Day at the right end."""

    def x(self, day: int) -> float:
        """The pixel of a day."""
        return _LEFT + (day - self.first) / max(1, self.last - self.first) * (_WIDTH - _LEFT - _RIGHT)


def draw(events: Sequence[Event], links: Sequence[Link], *, title: str) -> str:
    """The picture of these events and of the causes between them, as SVG text."""
    scale = _Scale(
        min((event.day for event in events), default=0),
        max((max(event.day, event.end or event.day) for event in events), default=1),
    )
    marks, bands, height = _place(events, scale)
    by_id = {mark.event.id: mark for mark in marks}
    pairs = [(link, by_id.get(link.cause), by_id.get(link.effect)) for link in links]
    parts = [
        _head(title, height),
        *(_band(name, top, bottom) for name, top, bottom in bands),
        *_axis(scale, height),
        *(_arrow(link, cause, effect) for link, cause, effect in pairs if cause and effect),
        *(_mark(mark) for mark in marks),
        "</svg>\n",
    ]
    return "\n".join(parts)


def _place(
    events: Sequence[Event], scale: _Scale
) -> tuple[list[_Mark], list[tuple[str, float, float]], float]:
    marks: list[_Mark] = []
    bands: list[tuple[str, float, float]] = []
    top = float(_TOP)
    for lane in _LANES:
        chosen = [event for event in events if event.kind in lane.kinds]
        if not chosen:
            continue
        rows_taken: list[float] = []
        for event in chosen:
            x, x_end = scale.x(event.day), scale.x(event.end if event.end is not None else event.day)
            row = _free_row(rows_taken, x)
            rows_taken[row] = max(x_end, x + 14 + _CHARACTER * len(_text(event)))
            marks.append(_Mark(event, lane.colour, x, x_end, top + row * _ROW + _ROW / 2))
        bottom = top + len(rows_taken) * _ROW
        bands.append((lane.name, top, bottom))
        top = bottom + _LANE_GAP
    return marks, bands, top + 8


def _free_row(rows_taken: list[float], x: float) -> int:
    """The first row whose last mark ends before x; a new one where there is none."""
    for row, taken in enumerate(rows_taken):
        if taken < x - 4:
            return row
    rows_taken.append(0.0)
    return len(rows_taken) - 1


def _text(event: Event) -> str:
    words = label(event)
    return words if len(words) <= _LABEL_LENGTH else words[: _LABEL_LENGTH - 1] + "…"


def _head(title: str, height: float) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" role="img" '
        f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" font-size="11.5">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect width="{_WIDTH}" height="{height:.0f}" fill="#ffffff"/>\n'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" '
        'orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="context-stroke"/></marker></defs>\n'
        f'<text x="14" y="24" font-size="15" font-weight="600" fill="#222">{escape(title)}</text>\n'
        f'<text x="{_WIDTH - 14}" y="24" text-anchor="end" fill="#777">'
        "solid: recorded · hollow and dashed: truth that nobody recorded · arrows: causes</text>"
    )


def _band(name: str, top: float, bottom: float) -> str:
    return (
        f'<rect x="8" y="{top - 4:.0f}" width="{_WIDTH - 16}" height="{bottom - top + 8:.0f}" rx="6" '
        f'fill="#f5f6f8"/>\n'
        f'<text x="18" y="{top + _ROW / 2 + 4:.0f}" fill="#555" font-weight="600">{name}</text>'
    )


def _axis(scale: _Scale, height: float) -> list[str]:
    months = (scale.last - scale.first) / _DAYS_PER_MONTH
    step = next((each for each in (1, 2, 3, 6, 12, 24) if months / each <= 12), 60)
    lines: list[str] = []
    first = -int(-scale.first / _DAYS_PER_MONTH) if scale.first < 0 else 0
    for month in range(first // step * step, int(scale.last / _DAYS_PER_MONTH) + 1, step):
        day = round(month * _DAYS_PER_MONTH)
        if day < scale.first:
            continue
        x = scale.x(day)
        lines.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 8}" y2="{height - 8:.0f}" stroke="#d9dce1"/>'
            f'<text x="{x:.1f}" y="{_TOP - 13}" text-anchor="middle" fill="#777">{month} mo</text>'
        )
    return lines


def _arrow(link: Link, cause: _Mark, effect: _Mark) -> str:
    x0, x1 = min(max(cause.x, effect.x), cause.x_end), effect.x
    reach = max(18.0, abs(x1 - x0) / 2)
    dashes = ' stroke-dasharray="4 3"' if link.recorded is None else ""
    return (
        f'<path d="M{x0:.1f} {cause.y:.1f} C{x0 + reach:.1f} {cause.y:.1f} {x1 - reach:.1f} {effect.y:.1f} '
        f'{x1 - 5:.1f} {effect.y:.1f}" fill="none" stroke="{_ARROWS.get(link.reason, _ARROW)}" '
        f'stroke-width="1.1" opacity="0.45" marker-end="url(#tip)"{dashes}>'
        f"<title>{escape(link.reason.replace('_', ' '))}</title></path>"
    )


def _mark(mark: _Mark) -> str:
    is_truth = mark.event.recorded is None
    look = (
        f'fill="#fff" stroke="{mark.colour}" stroke-dasharray="3 2"'
        if is_truth
        else f'fill="{mark.colour}" stroke="{mark.colour}"'
    )
    bar = ""
    if mark.x_end > mark.x:
        bar = (
            f'<rect x="{mark.x:.1f}" y="{mark.y - 8:.1f}" width="{mark.x_end - mark.x:.1f}" height="16" '
            f'rx="4" fill="{mark.colour}" opacity="0.22"/>'
        )
    day = f"day {mark.event.day}" + (f" to {mark.event.end}" if mark.event.end is not None else "")
    return (
        f"<g><title>{escape(label(mark.event))}, {day}</title>{bar}"
        f'<circle cx="{mark.x:.1f}" cy="{mark.y:.1f}" r="4.2" {look}/>'
        f'<text x="{mark.x + 9:.1f}" y="{mark.y + 4:.1f}" fill="#222" stroke="#f5f6f8" stroke-width="3" '
        f'stroke-linejoin="round" paint-order="stroke">{escape(_text(mark.event))}</text></g>'
    )
