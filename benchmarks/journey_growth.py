"""What it costs to add an event to a journey that already has many, and to tell the record of a day.

    ./run python benchmarks/journey_growth.py [--plot FILE.svg]

Adding: each event looks up its cause (the latest event of a kind by its day) and is added with the link.
The peer scans all earlier events for the same cause and for the events that stand before and after it, on
the whole and on its track; it checks no rule. It is handed its earlier events ready-made, since making
them by its own scans would take minutes. Both make the same edges, which is checked before a time is
printed; the journey derives its temporal edges when asked, so what that costs is printed too.

Telling: `visible` against a scan of all events and links that keeps what was recorded by the day.
"""

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date
from html import escape
from math import log10
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from oncoproof.journey import (
    AdverseEvent,
    Because,
    Clone,
    CloneKind,
    Code,
    Content,
    Diagnosis,
    Event,
    Imaging,
    Journey,
    Kind,
    Lab,
    Link,
    Modality,
    Outcome,
    OutcomeType,
    Patient,
    Reason,
    Role,
    Source,
    Treatment,
)
from oncoproof.journey.tracks import track_of
from oncoproof.seeds import Seed

SIZES = (100, 316, 1_000, 3_162, 10_000, 31_623, 100_000)
REPEATS = 3
SCANS = 20
EVENTS_PER_DAY = 3
TOLD = 1_000
INDEX = date(2026, 3, 1)

Edges = tuple[set[tuple[str, str, str]], set[tuple[str, str, Reason]]]


class Step(NamedTuple):
    """An event to add, and what to link it to."""

    event: Event
    """The event."""
    track: str
    """Its track."""
    cause: Kind
    """The kind whose latest event is its cause."""
    reason: Reason
    """Why."""


class Cost(NamedTuple):
    """What one addition takes at a size, in microseconds."""

    size: int
    """Number of earlier events."""
    in_order: float
    """To the journey, in order of time."""
    shuffled: float
    """To the journey, in any order."""
    scan: float
    """To the peer, in order of time."""


_SODIUM, _CALCIUM, _RASH = (Code("urn:example", word) for word in ("sodium", "calcium", "rash"))
_PATTERN: tuple[tuple[Content, tuple[Code, ...], Kind, Reason], ...] = (
    (Treatment(modality=Modality.DRUG), (), Kind.IMAGING, Reason.GUIDES),
    (Lab(value="high"), (_SODIUM,), Kind.TREATMENT, Reason.HARMS),
    (Lab(value="low"), (_CALCIUM,), Kind.TREATMENT, Reason.HARMS),
    (AdverseEvent(grade=2), (_RASH,), Kind.TREATMENT, Reason.HARMS),
    (Imaging(modality="ct"), (), Kind.TREATMENT, Reason.RESPONDS),
    (Outcome(type=OutcomeType.RESPONSE), (), Kind.IMAGING, Reason.READS),
    (Lab(value="high"), (_SODIUM,), Kind.TREATMENT, Reason.RESPONDS),
    (Clone(kind=CloneKind.BYPASS, log10_cells=6.0), (), Kind.TREATMENT, Reason.SELECTS),
)


def make_steps(count: int) -> list[Step]:
    """Additions in order of time; one event in eight is truth."""
    steps: list[Step] = []
    for number in range(count):
        content, codes, cause, reason = _PATTERN[number % len(_PATTERN)]
        day = 1 + number // EVENTS_PER_DAY
        event = Event(
            id=f"e{number}",
            day=day,
            recorded=None if isinstance(content, Clone) else day + number % 5,
            source=Source.CLINICAL,
            content=content,
            codes=codes,
        )
        steps.append(Step(event, track_of(event), cause, reason))
    return steps


def shuffle(steps: Sequence[Step]) -> list[Step]:
    """The same additions in an order that has nothing to do with time."""
    random = Seed(5).child("benchmark", "journey_growth").generator()
    return [steps[int(number)] for number in random.permutation(len(steps))]


def new_journey() -> Journey:
    """A journey with the diagnosis that everything rests on."""
    journey = Journey(Patient(id="p1"), INDEX)
    diagnosis = Diagnosis(role=Role.PRIMARY)
    journey.add(Event(id="d", day=0, recorded=0, source=Source.CLINICAL, content=diagnosis))
    return journey


def grow(journey: Journey, steps: Iterable[Step]) -> None:
    """Add events, each with its cause."""
    for step in steps:
        cause = journey.latest(step.cause, by=step.event.day)
        journey.add(step.event, because=() if cause is None else (Because(cause.id, step.reason),))


class Scan:
    """The naive peer: a list of events, searched from end to end for each addition."""

    def __init__(self, journey: Journey, steps: Iterable[Step]) -> None:
        """The same events and edges as a journey that these steps have made."""
        diagnosis = journey.event("d")
        self.nodes = [(diagnosis, diagnosis.kind, track_of(diagnosis))]
        self.nodes += [(step.event, step.event.kind, step.track) for step in steps]
        self.temporal, self.causal = edges_of(journey)

    def add(self, step: Step) -> None:
        """Add an event by looking at all earlier ones."""
        event, track = step.event, step.track
        day = event.day
        cause = before = after = before_on_track = after_on_track = None
        for node, kind, its_track in self.nodes:
            if node.day <= day:
                if before is None or node.day >= before.day:
                    before = node
                if its_track == track and (before_on_track is None or node.day >= before_on_track.day):
                    before_on_track = node
                if kind is step.cause and (cause is None or node.day >= cause.day):
                    cause = node
            else:
                if after is None or node.day < after.day:
                    after = node
                if its_track == track and (after_on_track is None or node.day < after_on_track.day):
                    after_on_track = node
        self.nodes.append((event, event.kind, track))
        self._insert(before, event, after, "")
        self._insert(before_on_track, event, after_on_track, track)
        if cause is not None:
            self.causal.add((cause.id, event.id, step.reason))

    def _insert(self, before: Event | None, event: Event, after: Event | None, track: str) -> None:
        if before is not None and after is not None:
            self.temporal.discard((before.id, after.id, track))
        if before is not None:
            self.temporal.add((before.id, event.id, track))
        if after is not None:
            self.temporal.add((event.id, after.id, track))


def edges_of(journey: Journey) -> Edges:
    """All edges of a journey, temporal and causal."""
    temporal = {(edge.before, edge.after, edge.track) for edge in journey.temporal_edges()}
    return temporal, {(link.cause, link.effect, link.reason) for link in journey.links()}


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    start = perf_counter()
    action()
    return perf_counter() - start


def journey_costs(steps: Sequence[Step]) -> Iterator[float]:
    """Microseconds for one addition at each size, the mean of the next tenth of additions (50 at least)."""
    journey, done = new_journey(), 0
    for size in SIZES:
        grow(journey, steps[done:size])
        done = size + max(50, size // 10)
        yield seconds(lambda: grow(journey, steps[size:done])) / (done - size) * 1e6  # noqa: B023  called at once


def scan_cost(steps: Sequence[Step], size: int) -> float:
    """Microseconds for one addition to the peer at a size; refuses to go on where its edges differ."""
    journey = new_journey()
    grow(journey, steps[:size])
    peer = Scan(journey, steps[:size])
    window = steps[size : size + SCANS]

    def run() -> None:
        for step in window:
            peer.add(step)

    spent = seconds(run)
    grow(journey, window)
    if (peer.temporal, peer.causal) != edges_of(journey):
        raise SystemExit(f"at {size} events the peer made other edges than the journey")
    return spent / len(window) * 1e6


def measure_growth() -> list[Cost]:
    """Every cost at every size: the shortest of several runs."""
    steps = make_steps(SIZES[-1] + SIZES[-1] // 10)
    shuffled = shuffle(steps)
    scan_cost(shuffled, SIZES[1])  # compares edges where events come out of order, too
    in_order = [min(each) for each in zip(*(journey_costs(steps) for _ in range(REPEATS)), strict=True)]
    mixed = [min(each) for each in zip(*(journey_costs(shuffled) for _ in range(REPEATS)), strict=True)]
    scans = [min(scan_cost(steps, size) for _ in range(REPEATS)) for size in SIZES]
    return [Cost(*each) for each in zip(SIZES, in_order, mixed, scans, strict=True)]


def print_growth(costs: Sequence[Cost]) -> None:
    """The table of additions."""
    print("adding one event to a journey of n events, in microseconds")
    print(f"{'n':>9} {'in order':>9} {'any order':>10} {'scan of all':>12} {'scan/in order':>14}")
    for each in costs:
        ratio = each.scan / each.in_order
        print(
            f"{each.size:>9,} {each.in_order:>9.1f} {each.shuffled:>10.1f} {each.scan:>12.1f} {ratio:>14.1f}"
        )
    first, last = costs[0], costs[-1]
    print(
        f"growth from n = {first.size:,} to {last.size:,}: in order x{last.in_order / first.in_order:.1f}, "
        f"any order x{last.shuffled / first.shuffled:.1f}, scan x{last.scan / first.scan:.0f} "
        f"(log n grows x{log10(last.size) / log10(first.size):.1f}, n x{last.size // first.size:,})"
    )
    journey = new_journey()
    grow(journey, make_steps(last.size))
    spent = min(seconds(lambda: sum(1 for _ in journey.temporal_edges())) for _ in range(REPEATS))
    print(f"deriving all temporal edges at n = {last.size:,}: {spent / last.size * 1e6:.1f} per event")


def make_hidden(count: int) -> Journey:
    """A journey of which day `TOLD` knows `TOLD` events; the others are truth of those days, or later."""
    journey = Journey(Patient(id="p1"), INDEX)
    clone, lab = Clone(kind=CloneKind.BYPASS, log10_cells=6.0), Lab(value="high")
    for number in range(count):
        day = 1 + number % TOLD
        is_truth = number >= TOLD and number % 2 == 1
        recorded = None if is_truth else day if number < TOLD else TOLD + number
        content = clone if is_truth else lab
        journey.add(Event(id=f"e{number}", day=day, recorded=recorded, source=Source.LAB, content=content))
    return journey


def tell_by_scan(journey: Journey, day: int) -> tuple[list[Event], list[Link]]:
    """What `visible` tells, found by looking at everything."""
    events = [event for event in journey if event.recorded is not None and event.recorded <= day]
    links = [link for link in journey.links() if link.recorded is not None and link.recorded <= day]
    return events, links


def print_view(journey: Journey, day: int) -> None:
    """A line of the table of views."""
    told = journey.visible(day).events
    if list(told) != tell_by_scan(journey, day)[0]:
        raise SystemExit("the scan tells other events than the journey")
    view = min(seconds(lambda: journey.visible(day)) for _ in range(REPEATS)) * 1e6
    scan = min(seconds(lambda: tell_by_scan(journey, day)) for _ in range(REPEATS)) * 1e6
    size = len(journey)
    each, ratio = view / len(told), scan / view
    print(f"{size:>9,} {len(told):>9,} {view:>10.0f} {each:>10.2f} {scan:>12.0f} {ratio:>14.1f}")


def print_views() -> None:
    """The table of views: more to tell of the same journey, then the same to tell of longer ones."""
    print("\ntelling the record of a day, in microseconds")
    print(f"{'n':>9} {'told':>9} {'visible':>10} {'per event':>10} {'scan of all':>12} {'scan/visible':>14}")
    journey = new_journey()
    grow(journey, make_steps(SIZES[-1]))
    for day in (40, 400, 4_000, 40_000):
        print_view(journey, day)
    for size in (1_000, 10_000, 100_000):
        print_view(make_hidden(size), TOLD)


WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 820, 440, 74, 222, 66, 52
INK, FAINT, GRID = "#1f2733", "#697386", "#e4e8ee"
CURVES = (
    ("scan of all events", "#b3452c", 0),
    ("journey, any order", "#6f9fd3", -14),
    ("journey, in order", "#1d5fa8", 9),
)
"""Name, colour and how far the name is moved down, in the order of drawing."""

HEAD = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" font-size="13" \
font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" fill="{INK}">
<title>What adding an event to a journey costs, by the number of its events</title>
<rect width="{WIDTH}" height="{HEIGHT}" rx="8" fill="#fff"/>
<text x="20" y="29" font-size="16" font-weight="600">What adding an event costs as a journey grows</text>
<text x="20" y="49" fill="{FAINT}">microseconds for one event with its links, both axes logarithmic</text>"""


def plot(costs: Sequence[Cost]) -> str:
    """Both curves on logarithmic axes, as SVG text."""
    lowest, highest = 1.0, 10.0 ** (int(log10(max(each.scan for each in costs))) + 1)

    def place(size: float, cost: float) -> tuple[float, float]:
        across = log10(size / SIZES[0]) / log10(SIZES[-1] / SIZES[0])
        up = log10(cost / lowest) / log10(highest / lowest)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    parts = [HEAD]
    for power in range(round(log10(highest / lowest)) + 1):
        cost = lowest * 10**power
        (left, y), (right, _) = place(SIZES[0], cost), place(SIZES[-1], cost)
        parts.append(f'<path d="M{left:.1f} {y:.1f}H{right:.1f}" stroke="{GRID}"/>')
        parts.append(
            f'<text x="{left - 10:.1f}" y="{y + 4:.1f}" text-anchor="end" fill="{FAINT}">{cost:,.0f}</text>'
        )
    for size in (100, 1_000, 10_000, 100_000):
        x, y = place(size, lowest)
        parts.append(
            f'<text x="{x:.1f}" y="{y + 21:.1f}" text-anchor="middle" fill="{FAINT}">{size:,}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.1f}" y="{HEIGHT - 10}" text-anchor="middle" fill="{FAINT}">'
        "events in the journey</text>"
    )
    columns = (
        [each.scan for each in costs],
        [each.shuffled for each in costs],
        [each.in_order for each in costs],
    )
    for (words, colour, shift), column in zip(CURVES, columns, strict=True):
        places = [place(*each) for each in zip(SIZES, column, strict=True)]
        parts += [draw_curve(places, colour), draw_name(places[-1], words, colour, shift, column)]
    return "\n".join([*parts, "</svg>", ""])


def draw_curve(places: list[tuple[float, float]], colour: str) -> str:
    """A line with its points."""
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    points = (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places)
    return "\n".join(
        [f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2.5"/>', *points]
    )


def draw_name(place: tuple[float, float], words: str, colour: str, shift: int, costs: list[float]) -> str:
    """The name of a curve at its end, with the last cost and how often the first goes into it."""
    x, y = place[0] + 12, place[1] + shift
    growth = costs[-1] / costs[0]
    times = f"×{growth:,.0f}" if growth >= 10 else f"×{growth:.1f}"
    return (
        f'<text x="{x:.1f}" y="{y - 1:.1f}" fill="{colour}" font-weight="600">{escape(words)}</text>\n'
        f'<text x="{x:.1f}" y="{y + 15:.1f}" fill="{FAINT}">{costs[-1]:,.0f} µs, {times} that at 100</text>'
    )


def main() -> None:
    """Print both tables, and draw the first where asked to."""
    parser = argparse.ArgumentParser(description="What adding to and telling of a long journey costs.")
    parser.add_argument("--plot", type=Path, metavar="FILE.svg", help="draw the costs of adding")
    chosen = parser.parse_args()
    costs = measure_growth()
    print_growth(costs)
    print_views()
    if chosen.plot is not None:
        chosen.plot.write_text(plot(costs), encoding="utf-8")


if __name__ == "__main__":
    main()
