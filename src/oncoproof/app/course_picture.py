"""A simulated patient's course as a picture: tumour, treatment, harm, blood and state over one axis of time.

Rules this module guarantees:

- What is true and nobody saw is dashed: the tumour without the reader's error, the clone that prevails.
- A scan's mark says how it was read; the thresholds are those of RECIST 1.1 within the line.
- The picture is one self-contained file on white, readable without colour, with a title for screen readers.

    >>> round(thresholds(50.0, 20.0)[1], 1)
    25.0
"""

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from oncoproof.app.course_canvas import (
    BLUE,
    BROWN,
    FAINT,
    FONT,
    GRID,
    INK,
    LEFT,
    ORANGE,
    RED,
    RIGHT,
    SOFT,
    VIOLET,
    WIDTH,
    Label,
    Scale,
    Time,
    frame,
    line,
    months_axis,
    path,
    place_labels,
    words,
)
from oncoproof.app.course_panels import blood_panel, harm_panel, state_panel, treatment_panel
from oncoproof.disease.journeys import (
    ObservedCourse,
    ReadScan,
    SimulatedPatient,
    describe_end,
    describe_patient,
    describe_tumour,
)
from oncoproof.journey import CloneKind, Read

_TOP, _LABEL_ROW, _GAP, _BURDEN = 62.0, 15.0, 8.0, 270.0
_TICKS_MM = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_SPAN_MIN, _SMALLEST_MM = 4.0, 0.8
_PARTIAL, _PROGRESSION, _PROGRESSION_MM = 0.7, 1.2, 5.0

_CLONES: Mapping[CloneKind, tuple[str, str, str]] = {
    CloneKind.SENSITIVE: (BLUE, "7 3", "sensitive cells prevail"),
    CloneKind.ON_TARGET: (ORANGE, "2.5 2.5", "on-target resistance prevails"),
    CloneKind.BYPASS: (VIOLET, "9 3 2 3", "bypass resistance prevails"),
    CloneKind.IMMUNE_EVASIVE: (BROWN, "4 2 1 2", "immune-evasive cells prevail"),
    CloneKind.TRANSFORMED: (SOFT, "1 3", "transformed cells prevail"),
}
"""Colour, dashes and words of the clone that prevails."""

_MARKS: Mapping[Read | None, tuple[str, str]] = {
    None: ("m-4 -4h8v8h-8z", "#fff"),
    Read.SD: ("m-4.2 0a4.2 4.2 0 1 0 8.4 0a4.2 4.2 0 1 0 -8.4 0z", "#9aa4af"),
    Read.PR: ("m0 5l-5 -8.6h10z", "#2f73b3"),
    Read.CR: ("m0 6l-6 -6l6 -6l6 6z", "#12304f"),
    Read.PD: ("m0 -5.4l5.4 9.2h-10.8z", RED),
}
"""Shape and filling of a scan's mark, by how it was read."""

_KEY = (
    (None, "first scan of a line"), (Read.CR, "complete response"), (Read.PR, "partial response"),
    (Read.SD, "stable"), (Read.PD, "progression"),
)  # fmt: skip


def thresholds(base_mm: float, nadir_mm: float) -> tuple[float, float]:
    """Sums of diameters at which a partial response and a progression begin."""
    return _PARTIAL * base_mm, max(_PROGRESSION * nadir_mm, nadir_mm + _PROGRESSION_MM)


def draw_course(patient: SimulatedPatient, seen: ObservedCourse) -> str:
    """The picture of a simulated patient's course, as SVG text."""
    time = Time(max(patient.episodes.weeks, 4))
    labels = place_labels((time.x(week), text) for week, text, _ in _happenings(patient, seen))
    looks = [look for _, _, look in _happenings(patient, seen)]
    top = _TOP + (1 + max((label.row for label in labels), default=0)) * _LABEL_ROW + 6
    parts: list[str] = _burden_panel(patient, seen, time, top)
    y = top + _BURDEN + _GAP
    for body, height in _panels(patient, seen, time, y):
        parts += body
        y += height + _GAP
    bottom = y - _GAP
    marks = [_happening(label) for label in labels]
    return "\n".join([
        *_head(patient, seen, bottom + 50), *_behind(labels, looks, bottom), *parts, *marks,
        *months_axis(time, bottom + 17),
        words(14, bottom + 38, "simulated patient; not a real person; truth is dashed", colour=SOFT),
        "</svg>\n",
    ])  # fmt: skip


def _panels(
    patient: SimulatedPatient, seen: ObservedCourse, time: Time, top: float
) -> Iterator[tuple[list[str], float]]:
    """The panels below the tumour, each where the one before ends."""
    body, height = treatment_panel(patient, time, top)
    yield body, height
    top += height + _GAP
    body, height = harm_panel(seen, time, top)
    yield body, height
    top += height + _GAP
    body, height = blood_panel(patient, seen, time, top)
    yield body, height
    yield state_panel(seen, time, top + height + _GAP)


def _head(patient: SimulatedPatient, seen: ObservedCourse, height: float) -> list[str]:
    title = describe_patient(patient)
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" role="img" {FONT}>',
        f"<title>{escape(title)}: a simulated course. {escape(describe_end(patient, seen))}</title>",
        f'<rect width="{WIDTH}" height="{height:.0f}" fill="#ffffff"/>',
        words(14, 27, title, 'font-size="16.5" font-weight="600"'),
        words(14, 46, f"{describe_tumour(patient)}. {describe_end(patient, seen)}", colour=SOFT),
    ]


def _happenings(patient: SimulatedPatient, seen: ObservedCourse) -> list[tuple[float, str, str]]:
    """Week, words and look of what the vertical lines mark."""
    found: list[tuple[float, str, str]] = []
    for each in seen.scans:
        scan = each.scan
        if scan.confirmed is not None:
            kind = "complete" if scan.confirmed is Read.CR else "partial"
            found.append((scan.week, f"{kind} response confirmed", f'stroke="{BLUE}" stroke-dasharray="1 3"'))
        if scan.read is Read.PD:
            found.append((scan.week, _progression(scan, each.new), f'stroke="{RED}"'))
    for clone in patient.episodes.clones[1:]:
        _, dashes, text = _CLONES[clone.kind]
        found.append((clone.week, text, f'stroke="{SOFT}" stroke-dasharray="{dashes}"'))
    found += [
        (harm.week, "stopped for harm", f'stroke="{ORANGE}" stroke-dasharray="6 2"')
        for harm in patient.episodes.harms
        if harm.stops
    ]
    last = patient.episodes.weeks
    if patient.episodes.death.value != "none":
        found.append(
            (last, f"died {describe_end(patient, seen, short=True)}", f'stroke="{INK}" stroke-width="2.2"')
        )
    else:
        found.append((last, describe_end(patient, seen, short=True), f'stroke="{INK}"'))
    return sorted(found, key=lambda each: each[0])


def _progression(scan: ReadScan, new: tuple[str, ...]) -> str:
    if new:
        return f"progression: new in {', '.join(dict.fromkeys(new))}"
    return "progression: brain" if scan.is_in_brain else "progression: growth"


def _behind(labels: list[Label], looks: list[str], bottom: float) -> list[str]:
    """The vertical lines, which stand behind everything."""
    return [
        line(label.x, _TOP + label.row * _LABEL_ROW + 2, label.x, bottom, f'{look} opacity="0.55"')
        for label, look in zip(labels, looks, strict=True)
    ]


def _happening(label: Label) -> str:
    y = _TOP + label.row * _LABEL_ROW + 11
    x, anchor = (label.x - 4, "end") if label.is_left else (label.x + 4, "start")
    return words(x, y, label.text, 'font-size="11"', anchor=anchor)


def _burden_panel(patient: SimulatedPatient, seen: ObservedCourse, time: Time, top: float) -> list[str]:
    shown = [float(mm) for mm in patient.true_mm] + [scan.scan.sum_mm for scan in seen.scans]
    diameters = [
        lesion.diameter_mm for scan in seen.scans for lesion in scan.lesions if lesion.diameter_mm is not None
    ]
    highest = max(shown) * 1.35
    lowest = max(min([*shown, *diameters, highest / _SPAN_MIN]) / 1.3, _SMALLEST_MM)
    scale = Scale(lowest, highest, top + 4, _BURDEN - 8, is_log=True)
    parts = frame(time, top, _BURDEN, "Tumour\nsum of diameters\nmm, log scale")
    for mm in _TICKS_MM:
        if scale.low <= mm <= scale.high:
            y = scale.y(mm)
            parts.append(line(LEFT, y, WIDTH - RIGHT, y, f'stroke="{GRID}"'))
            parts.append(words(LEFT - 6, y + 4, str(mm), 'font-size="10"', colour=SOFT, anchor="end"))
    parts += _thresholds(patient, time, scale)
    parts += _lesions(seen, time, scale)
    parts += _truth(patient, time, scale)
    parts += _reads(seen, time, scale)
    return [*parts, *_key(patient, top + 52)]


def _thresholds(patient: SimulatedPatient, time: Time, scale: Scale) -> list[str]:
    """Where a response and a progression begin, line by line."""
    parts: list[str] = []
    for given in patient.episodes.lines:
        scans = [scan for scan in patient.episodes.scans if scan.line == given.number]
        if not scans:
            continue
        ends = [*(scan.week for scan in scans[1:]), scans[-1].week]
        steps: list[tuple[float, float]] = []
        for scan, after in zip(scans, ends, strict=True):
            limit = scale.y(thresholds(scan.base_mm, min(scan.nadir_mm, scan.sum_mm))[1])
            steps += [(time.x(scan.week), limit), (time.x(after), limit)]
        parts.append(path(steps, f'stroke="{RED}" stroke-width="0.9" stroke-dasharray="1 2.5"'))
        y = scale.y(thresholds(scans[0].base_mm, scans[0].base_mm)[0])
        parts.append(
            line(time.x(scans[0].week), y, time.x(scans[-1].week), y,
                 f'stroke="{BLUE}" stroke-width="0.9" stroke-dasharray="1 2.5"')
        )  # fmt: skip
    if patient.episodes.scans:
        first = patient.episodes.scans[0]
        x = time.x(0) + 6
        pr, pd = thresholds(first.base_mm, first.base_mm)
        parts.append(words(x, scale.y(pr) + 10, "PR below", 'font-size="9.5"', colour=BLUE))
        parts.append(words(x, scale.y(pd) - 4, "PD above", 'font-size="9.5"', colour=RED))
    return parts


def _lesions(seen: ObservedCourse, time: Time, scale: Scale) -> list[str]:
    """The diameter of each target, thin and grey, named where it ends."""
    tracks: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for each in seen.scans:
        for lesion in each.lesions:
            if lesion.diameter_mm is not None:
                place = time.x(each.scan.week), scale.y(lesion.diameter_mm)
                tracks.setdefault((lesion.label, lesion.organ), []).append(place)
    if len(tracks) == 1:
        # One lesion alone is the sum of diameters.
        return []
    parts: list[str] = []
    ordered = sorted(tracks.items(), key=lambda each: each[1][-1][1])
    for _, places in ordered:
        parts.append(path(places, f'stroke="{FAINT}" stroke-width="1.3"'))
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.6" fill="{SOFT}"/>' for x, y in places]
    heights = spread([places[-1][1] + 3 for _, places in ordered], lowest=scale.top + scale.height)
    for ((label, organ), places), y in zip(ordered, heights, strict=True):
        parts.append(words(places[-1][0] + 5, y, f"{organ} {label}", 'font-size="9.5"', colour=SOFT))
    return parts


def spread(heights: Sequence[float], *, lowest: float, apart: float = 10.0) -> list[float]:
    """Heights of words moved as little as needed, so that none lies on another and none below the panel.

    Args:
        heights: Pixels, ascending.
        lowest: The largest that is allowed.
        apart: Pixels between two.

    >>> spread([50.0, 52.0, 99.0, 100.0], lowest=100.0)
    [50.0, 60.0, 90.0, 100.0]
    """
    moved = list(heights)
    for place in range(1, len(moved)):
        moved[place] = max(moved[place], moved[place - 1] + apart)
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], lowest)
        lowest = moved[place] - apart
    return moved


def _truth(patient: SimulatedPatient, time: Time, scale: Scale) -> list[str]:
    """The tumour as it was, in the dashes of the clone that prevailed."""
    clones = patient.episodes.clones
    ends = [*(clone.week for clone in clones[1:]), patient.episodes.weeks - 1]
    parts: list[str] = []
    for clone, end in zip(clones, ends, strict=True):
        colour, dashes, text = _CLONES[clone.kind]
        points = [
            (time.x(week), scale.y(float(patient.true_mm[week]))) for week in range(clone.week, end + 1)
        ]
        parts.append(path(points, f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"'))
        parts[-1] = parts[-1].replace("/>", f"><title>truth: {text}</title></path>")
    return parts


def _reads(seen: ObservedCourse, time: Time, scale: Scale) -> list[str]:
    parts: list[str] = []
    for each in seen.scans:
        scan = each.scan
        shape, fill = _MARKS[scan.read]
        x, y = time.x(scan.week), scale.y(scan.sum_mm)
        told = "first scan of the line" if scan.read is None else scan.read.upper()
        parts.append(
            f'<path d="M{x:.1f} {y:.1f}{shape}" fill="{fill}" stroke="{INK}" stroke-width="0.8">'
            f"<title>week {scan.week}: {scan.sum_mm:.0f} mm, {told}</title></path>"
        )
    return parts


def _key(patient: SimulatedPatient, top: float) -> list[str]:
    """What marks and lines mean, at the left of the panel."""
    parts: list[str] = []
    y = top
    for read, text in _KEY:
        shape, fill = _MARKS[read]
        parts.append(f'<path d="M20 {y:.1f}{shape}" fill="{fill}" stroke="{INK}" stroke-width="0.8"/>')
        parts.append(words(32, y + 4, text, 'font-size="10"', colour=SOFT))
        y += 14.5
    for kind in dict.fromkeys(clone.kind for clone in patient.episodes.clones):
        colour, dashes, text = _CLONES[kind]
        parts.append(line(14, y, 40, y, f'stroke="{colour}" stroke-width="1.5" stroke-dasharray="{dashes}"'))
        parts.append(words(45, y + 4, f"truth: {text.split()[0]}", 'font-size="10"', colour=SOFT))
        y += 14.5
    parts.append(line(14, y, 40, y, f'stroke="{FAINT}" stroke-width="1.3"'))
    return [*parts, words(45, y + 4, "single lesions", 'font-size="10"', colour=SOFT)]
