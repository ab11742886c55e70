"""What a table of trials proves, derived row by row.

Rules this module guarantees:

- Every experimental and single arm gives one piece of evidence: what it required, and none of what it
  excluded, is the profile; its comparator is the control's treatment.
- A comparison is of level A, an arm without comparison of level B.
- A hazard ratio whose whole interval is below 1 supports; one whose whole interval is above 1 opposes
  as harm; both at once is neutral. Where no interval excludes 1, adding a drug to the control's treatment
  (or to nothing) is opposed as without benefit, and an active alternative is neutral. Where a hazard ratio
  has no interval, nothing is concluded.
- An arm without comparison supports where the lower bound of its response rate (Wilson, from the rate
  and the patients) is above one in ten, and is neutral otherwise.

    >>> from oncoproof.knowledge.trials.trial_table import load_trials
    >>> piece = next(piece for piece in evidence_from_trials() if piece.id == "trial:flaura-egfr-osimertinib")
    >>> piece.direction.value, piece.sizes[0].endpoint.value, piece.sizes[0].figure.value
    ('supports', 'pfs_hr', 0.46)
    >>> str(piece.comparator)
    'choice:(gefitinib|erlotinib)'
"""

import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from oncoproof.knowledge.evidence.evidence import (
    Direction,
    Effect,
    EffectSize,
    Endpoint,
    Evidence,
    Level,
    Origin,
)
from oncoproof.knowledge.evidence.molecular import Clause, MolecularProfile
from oncoproof.knowledge.medicines.combinations import NOTHING, Combination
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.treatments import PLACEBO
from oncoproof.knowledge.tables import Basis, Figure
from oncoproof.knowledge.trials.arms import ArmRole, Confidence, Interval, TrialArm
from oncoproof.knowledge.trials.trial_table import load_trials

_ACTIVE_RESPONSE_SHARE = 0.1
_NORMAL_QUANTILE = 1.959964
_BASIS = {Confidence.HIGH: Basis.READ, Confidence.MEDIUM: Basis.RECALLED}


class _Verdict(NamedTuple):
    """What figures amount to."""

    direction: Direction
    """Whether they speak for the treatment."""
    effect: Effect
    """What was seen."""


_HELPS = _Verdict(Direction.SUPPORTS, Effect.SENSITIVITY)
_HARMS = _Verdict(Direction.OPPOSES, Effect.HARM)
_ADDS_NOTHING = _Verdict(Direction.OPPOSES, Effect.NO_BENEFIT)
_UNDECIDED = _Verdict(Direction.NEUTRAL, Effect.NO_DIFFERENCE)


def evidence_from_trials(arms: Iterable[TrialArm] | None = None) -> tuple[Evidence, ...]:
    """What the arms prove.

    Args:
        arms: Arms of a table; None = the project's own.
    """
    return _own() if arms is None else _derive(tuple(arms))


@cache
def _own() -> tuple[Evidence, ...]:
    return _derive(load_trials())


def _derive(arms: tuple[TrialArm, ...]) -> tuple[Evidence, ...]:
    by_id = {arm.row_id: arm for arm in arms}
    return tuple(_evidence(arm, by_id) for arm in arms if arm.arm is not ArmRole.CONTROL)


def _evidence(arm: TrialArm, by_id: Mapping[str, TrialArm]) -> Evidence:
    control = by_id[arm.comparator_row_id] if arm.comparator_row_id else None
    comparator = control.drugs if control else None
    hazards = _hazards(arm)
    verdict = _judge_comparison(arm, comparator) if hazards else _judge_response(arm)
    against = f" against {control.regimen}" if control else ""
    return Evidence(
        id=f"trial:{arm.row_id}",
        origin=Origin.TRIAL,
        disease=arm.disease,
        histology=arm.histology,
        profile=MolecularProfile((Clause(_conditions(arm)),)),
        treatment=arm.drugs,
        comparator=comparator,
        direction=verdict.direction,
        effect=verdict.effect,
        level=Level.A if hazards else Level.B,
        sizes=hazards or _response(arm),
        line_min=arm.line_min,
        line_max=arm.line_max,
        sources=arm.sources,
        basis=_BASIS[arm.confidence],
        statement=f"{arm.trial}: {arm.regimen}{against}; {arm.biomarker_population}.",
    )


def _conditions(arm: TrialArm) -> tuple[Condition, ...]:
    """What the arm required, and the opposite of what it excluded, earlier treatment aside."""
    ruled_out = [condition for condition in arm.excludes if condition.key != "PRIOR"]
    admitted = [condition.negated(arm.disease) for condition in ruled_out]
    return tuple(dict.fromkeys((*arm.requires, *admitted)))


def _hazards(arm: TrialArm) -> tuple[EffectSize, ...]:
    """The hazard ratios, one that excludes 1 before one that does not."""
    found = [
        (interval, EffectSize(endpoint, _figure(interval, arm, word)))
        for endpoint, interval, word in (
            (Endpoint.PFS_HR, arm.pfs_hazard, "PFS"),
            (Endpoint.OS_HR, arm.os_hazard, "OS"),
        )
        if interval.value is not None
    ]
    found.sort(key=lambda pair: not pair[0].excludes(1.0))
    return tuple(size for _, size in found)


def _figure(interval: Interval, arm: TrialArm, word: str) -> Figure:
    return Figure(
        value=interval.value if interval.value is not None else math.nan,
        low=interval.low,
        high=interval.high,
        unit="1",
        source=_source(arm, word),
        basis=_BASIS[arm.confidence],
    )


def _source(arm: TrialArm, word: str) -> str:
    """The report that names the endpoint, or else the first; the registration where there is no report."""
    named = [publication for publication in arm.pmid_or_doi if publication.mentions(word)]
    sources = [source for publication in (*named, *arm.pmid_or_doi) for source in publication.sources]
    return (*sources, *arm.sources)[0]


def _judge_comparison(arm: TrialArm, comparator: Combination | None) -> _Verdict:
    given = [interval for interval in (arm.pfs_hazard, arm.os_hazard) if interval.value is not None]
    helps = any(interval.high is not None and interval.high < 1 for interval in given)
    harms = any(interval.low is not None and interval.low > 1 for interval in given)
    if helps or harms:
        return _UNDECIDED if helps and harms else _HELPS if helps else _HARMS
    is_bounded = any(interval.low is not None and interval.high is not None for interval in given)
    return _ADDS_NOTHING if is_bounded and comparator and _adds(arm.drugs, comparator) else _UNDECIDED


def _adds(treatment: Combination, comparator: Combination) -> bool:
    """Whether the treatment is the comparator's with something added."""
    return comparator.words() - {NOTHING, PLACEBO} < treatment.words()


def _response(arm: TrialArm) -> tuple[EffectSize, ...]:
    if arm.orr_pct is None:
        return ()
    share = arm.orr_pct / 100
    low, high = _wilson(share, arm.n)
    figure = Figure(share, low, high, "1", _source(arm, "ORR"), _BASIS[arm.confidence])
    return (EffectSize(Endpoint.RESPONSE, figure),)


def _judge_response(arm: TrialArm) -> _Verdict:
    lows = [size.figure.low for size in _response(arm)]
    return _HELPS if any(low is not None and low > _ACTIVE_RESPONSE_SHARE for low in lows) else _UNDECIDED


def _wilson(share: float, patients: int) -> tuple[float, float]:
    """The 95 % interval of a share (Wilson), rounded to thousandths."""
    squared = _NORMAL_QUANTILE**2
    middle = share + squared / (2 * patients)
    spread = _NORMAL_QUANTILE * math.sqrt(share * (1 - share) / patients + squared / (4 * patients**2))
    scale = 1 + squared / patients
    return round((middle - spread) / scale, 3), round((middle + spread) / scale, 3)
