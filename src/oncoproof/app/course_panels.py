"""The panels below the tumour in the picture of a course: treatment, harm, blood, state. Plain SVG.

Rules this module guarantees:

- A bar is as high as its dose or grade; a hold is a gap with a dashed line; harm of the disease is hollow.
- Two bars of an organ never lie on another; what would collide goes to another row.

    >>> grade_height(4) > grade_height(1)
    True
"""

from collections.abc import Mapping, Sequence
from html import escape

from oncoproof.app.course_canvas import (
    BLUE,
    BROWN,
    CHARACTER,
    FAINT,
    GREEN,
    INK,
    LEFT,
    ORANGE,
    RIGHT,
    SOFT,
    VIOLET,
    WIDTH,
    Scale,
    Time,
    frame,
    line,
    path,
    place_labels,
    words,
)
from oncoproof.disease.journeys import (
    GivenLine,
    Harm,
    LineEnd,
    ObservedCourse,
    SimulatedPatient,
    parts_of,
    regimen_name,
)

Panel = tuple[list[str], float]
"""The parts of a panel, and its height in pixels."""

_BAR, _LINE_ROW, _HARM_ROW, _HEADING = 14.0, 36.0, 17.0, 19.0
_ENDS: Mapping[LineEnd, str] = {
    LineEnd.PROGRESSION: "stopped: progression",
    LineEnd.TOXICITY: "stopped: toxicity",
    LineEnd.DEATH: "",
    LineEnd.NOT_ENDED: "goes on",
}
_MARKERS = {
    "nsclc": "cea", "crc": "cea", "breast": "ca_15_3",
    "melanoma": "ldh_x_uln", "ovarian": "ca_125", "prostate": "psa",
}  # fmt: skip
_MARKER_NAMES = {
    "cea": "CEA, ng/mL", "ca_15_3": "CA 15-3, U/mL", "ca_125": "CA 125, U/mL",
    "psa": "PSA, ng/mL", "ldh_x_uln": "LDH, × upper limit",
}  # fmt: skip
_SEVERE = 3


def treatment_panel(patient: SimulatedPatient, time: Time, top: float) -> Panel:
    """A row for each line: the regimen's name, and bars as high as the dose."""
    lines = patient.episodes.lines
    height = max(len(lines), 1) * _LINE_ROW + 6
    parts = frame(time, top, height, "Treatment\nheight: dose, gap: held\nlight: maintenance")
    for row, each in enumerate(lines):
        parts += _line_row(each, row, time, top + row * _LINE_ROW)
    return parts, height


def _line_row(given: GivenLine, row: int, time: Time, top: float) -> list[str]:
    base = top + _LINE_ROW
    parts: list[str] = []
    x0, x1 = time.x(given.first), time.x(given.last + 1)
    parts.append(line(x0, base - 0.5, x1, base - 0.5, f'stroke="{GREEN}" stroke-dasharray="2 3"'))
    for part in parts_of(given):
        left, right = time.x(part.first / 7), time.x((part.last + 1) / 7)
        share = f"{100 * part.dose:.0f} % of the full dose"
        fill = "#bfe3d0" if part.is_maintenance else "#7cc4a0"
        parts.append(
            f'<rect x="{left:.1f}" y="{base - _BAR * part.dose:.1f}" width="{max(right - left, 1):.1f}" '
            f'height="{_BAR * part.dose:.1f}" fill="{fill}" stroke="{GREEN}">'
            f"<title>{escape(regimen_name(given.regimen))}: {share}</title></rect>"
        )
        if part.dose < 1 and right - left > 5 * CHARACTER:
            parts.append(words(left + 4, base - 2, f"{100 * part.dose:.0f} %", 'font-size="10"'))
    name = f"line {row + 1}: {regimen_name(given.regimen)}"
    end = _ENDS[given.end]
    text = f"{name} ({end})" if end else name
    is_left = x0 + CHARACTER * len(text) > WIDTH - RIGHT
    anchor, x = ("end", min(x1, WIDTH - RIGHT)) if is_left else ("start", x0)
    return [*parts, words(x, base - _BAR - 4, text, anchor=anchor)]


def grade_height(grade: int) -> float:
    """Pixels of a bar of a grade."""
    return 3.0 + 2.2 * grade


def harm_panel(seen: ObservedCourse, time: Time, top: float) -> Panel:
    """Adverse events, organ by organ; the height of a bar is the grade, which stands beside it."""
    organs: dict[str, list[Harm]] = {}
    for harm in seen.harms:
        organs.setdefault(harm.term.organ_system.value, []).append(harm)
    ordered = sorted(organs.items(), key=lambda each: -max(harm.grade for harm in each[1]))
    body: list[str] = []
    y = top + _HEADING
    for organ, harms in ordered:
        rows = _harm_rows(harms, time)
        body.append(words(LEFT - 10, y + 12, organ, 'font-size="10.5"', colour=SOFT, anchor="end"))
        for harm, row, is_left in rows:
            body.append(_harm_bar(harm, time, y + row * _HARM_ROW, is_left=is_left))
        y += (1 + max(row for _, row, _ in rows)) * _HARM_ROW + 3
        body.append(line(LEFT, y - 2, WIDTH - RIGHT, y - 2, f'stroke="{FAINT}" stroke-dasharray="1 4"'))
    if not ordered:
        body.append(words(time.x(0), y + 12, "none", colour=SOFT))
        y += _HARM_ROW
    height = y - top
    key = "grade beside the bar · dark: severe · hollow: caused by the disease, not by the drugs"
    body.append(words(LEFT + 10, top + 12, key, 'font-size="9.5"', colour=SOFT))
    return [*frame(time, top, height, "Adverse events"), *body], height


def _harm_words(harm: Harm) -> str:
    return f"{harm.term.term.lower().replace(' - other, specify', ', other')} {harm.grade}"


def _harm_rows(harms: Sequence[Harm], time: Time) -> list[tuple[Harm, int, bool]]:
    """A row for each event of an organ."""
    texts = [
        (time.x(harm.week), " " * round((time.x(harm.last + 1) - time.x(harm.week)) / CHARACTER))
        for harm in harms
    ]
    labels = place_labels((x, bar + _harm_words(harm)) for (x, bar), harm in zip(texts, harms, strict=True))
    return [(harm, label.row, label.is_left) for harm, label in zip(harms, labels, strict=True)]


def _harm_bar(harm: Harm, time: Time, top: float, *, is_left: bool) -> str:
    x, right, height = time.x(harm.week), time.x(harm.last + 1), grade_height(harm.grade)
    base = top + _HARM_ROW - 2
    fill = ORANGE if harm.grade >= _SEVERE else "#f0c4ae"
    look = f'fill="{fill}" stroke="{ORANGE}"' if harm.is_by_drug else f'fill="#fff" stroke="{INK}"'
    weight = 'font-weight="600" font-size="10.5"' if harm.grade >= _SEVERE else 'font-size="10.5"'
    text = _harm_words(harm)
    colour = INK if harm.grade >= _SEVERE else SOFT
    if not is_left:
        told = words(right + 4, base - 1, text, weight, colour=colour)
    elif x - CHARACTER * len(text) > LEFT:
        told = words(x - 4, base - 1, text, weight, colour=colour, anchor="end")
    else:
        told = words(x + 6, base - 3, text, weight, colour=colour)
    cause = "" if harm.is_by_drug else ", by the disease"
    return (
        f'<rect x="{x:.1f}" y="{base - height:.1f}" width="{max(right - x, 2):.1f}" height="{height:.1f}" '
        f"{look}><title>{escape(harm.term.term)}, grade {harm.grade}{cause}</title></rect>{told}"
    )


def blood_panel(patient: SimulatedPatient, seen: ObservedCourse, time: Time, top: float) -> Panel:
    """The tumour marker and the tumour's DNA in blood."""
    height = 88.0
    analyte = _MARKERS[patient.disease]
    name = _MARKER_NAMES[analyte]
    values = [(visit.week, visit.values[analyte]) for visit in seen.visits if analyte in visit.values]
    parts = frame(time, top, height, f"Blood\n● {name}\n◇ ctDNA, %\n◆ with resistance")
    if values:
        lowest, highest = min(value for _, value in values), max(value for _, value in values)
        scale = Scale(lowest / 1.6, highest * 1.6, top + 4, height - 8, is_log=True)
        places = [(time.x(week), scale.y(value)) for week, value in values]
        parts.append(path(places, f'stroke="{BLUE}" stroke-width="1.2"'))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.2" fill="{BLUE}"/>' for x, y in places]
        parts += [
            words(
                places[at][0] - 6,
                places[at][1] - 6,
                _short(values[at][1]),
                'font-size="10"',
                colour=BLUE,
                anchor="end",
            )
            for at in dict.fromkeys((0, len(values) - 1))
        ]
    scale = Scale(0.05, 100, top + 4, height - 8, is_log=True)
    for share in (0.1, 1, 10, 100):
        text = f"{share:g} %"
        parts.append(words(WIDTH - RIGHT + 5, scale.y(share) + 4, text, 'font-size="9.5"', colour=VIOLET))
    draws = [(time.x(draw.week), scale.y(max(100 * draw.allele_fraction, 0.05))) for draw in seen.draws]
    parts.append(path(draws, f'stroke="{VIOLET}" stroke-width="1" stroke-dasharray="5 3"'))
    for draw, (x, y) in zip(seen.draws, draws, strict=True):
        fill = VIOLET if draw.resistant is not None else "#fff"
        told = f"{100 * draw.allele_fraction:.1f} %" if draw.allele_fraction else "not found"
        parts.append(
            f'<path d="M{x:.1f} {y - 4:.1f}l4 4l-4 4l-4 -4z" fill="{fill}" stroke="{VIOLET}">'
            f"<title>ctDNA {told}</title></path>"
        )
    return parts, height


def _short(value: float) -> str:
    """Three digits; thousands whole."""
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def state_panel(seen: ObservedCourse, time: Time, top: float) -> Panel:
    """Performance status as read, and what each week is worth."""
    height = 78.0
    parts = frame(time, top, height, "State\n— ECOG\n··· utility, 0 to 1")
    scale = Scale(4.3, -0.3, top + 2, height - 4)
    for score in range(5):
        y = scale.y(score)
        parts.append(words(LEFT - 6, y + 3.5, str(score), 'font-size="9.5"', colour=SOFT, anchor="end"))
        parts.append(line(LEFT, y, WIDTH - RIGHT, y, 'stroke="#f3f5f7"'))
    steps: list[tuple[float, float]] = []
    for visit, after in zip(seen.visits, [*seen.visits[1:], None], strict=True):
        until = len(seen.utility) if after is None else after.week
        steps += [(time.x(visit.week), scale.y(visit.ecog)), (time.x(until), scale.y(visit.ecog))]
    parts.append(path(steps, f'stroke="{BROWN}" stroke-width="1.8"'))
    worth = Scale(0.0, 1.0, top + 2, height - 4)
    points = [(time.x(week), worth.y(float(value))) for week, value in enumerate(seen.utility)]
    parts.append(path(points, f'stroke="{INK}" stroke-width="1.3" stroke-dasharray="1.5 2.5"'))
    if points:
        mean = float(seen.utility.mean())
        x, y = WIDTH - RIGHT + 5, worth.y(mean)
        parts.append(words(x, y, "mean utility", 'font-size="9.5"'))
        parts.append(words(x, y + 11, f"{mean:.2f}", 'font-size="9.5"'))
    return parts, height
