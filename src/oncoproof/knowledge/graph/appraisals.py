"""What evidence says of a treatment for one patient, weighed: resistance first, then the more particular.

Rules this module guarantees:

- Evidence counts where everything it asks of the tumour is known to be so. What it asks of the course
  (line, states, earlier treatment) is taken for granted where it is not known, and named. Evidence for a
  treatment also takes the histology for granted and, where an alteration it selects is known to be
  there, that those it leaves out are absent.
- Evidence about exactly these drugs comes before evidence about more drugs of which they are a part;
  that counts only if it asks something of the tumour. Evidence about a class is about each drug of it.
- Evidence from patients (levels A to C) comes before the laboratory and inference. A resistance that is
  present decides unless evidence for the treatment asks for the same alteration; else evidence that asks
  more of the tumour is the more particular; among equals the level decides; a tie decides nothing.
- Nothing is decided by what is taken for granted: where the opposite evidence would count if the
  assumption failed, the answer turns on it.

    >>> from oncoproof.knowledge.evidence.known_evidence import load_evidence
    >>> from oncoproof.knowledge.graph.fact_reading import read_facts
    >>> from oncoproof.knowledge.graph.treatments import find_treatment
    >>> facts = read_facts({"EGFR": "ex19del", "EGFR_T790M": "positive"}, disease="nsclc")
    >>> found = appraise(facts, find_treatment("gefitinib"), load_evidence())
    >>> [finding.piece.id for finding in found.deciding]
    ['curated:t790m_first_generation_tki']
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from oncoproof.knowledge.evidence.evidence import Direction, Effect, Evidence, Level
from oncoproof.knowledge.evidence.molecular import Clause
from oncoproof.knowledge.graph.facts import Facts, is_absence, is_of_tumour
from oncoproof.knowledge.graph.treatments import Treatment
from oncoproof.knowledge.medicines.conditions import Condition
from oncoproof.knowledge.medicines.treatments import members

_LABORATORY = frozenset({Level.D, Level.E})

_Weight = tuple[bool, bool, int, str]


@dataclass(frozen=True, slots=True, order=True)
class Assumption:
    """Something that is taken for granted because nobody knows it."""

    feature: str
    """What would have to be known."""
    text: str
    """What is taken to be so, in words."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """What a piece of evidence asks for that is not known of the patient."""

    missing: tuple[str, ...] = ()
    """What it waits for: biomarkers, variants, the histology."""
    assumed: tuple[Assumption, ...] = ()
    """What it takes for granted."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece of evidence as it bears on one patient and treatment."""

    piece: Evidence
    """The evidence."""
    clause: Clause
    """The one of its alternatives that bears on the patient."""
    drugs: tuple[str, ...]
    """The one of its treatments that bears on the question, as words of the evidence."""
    is_whole: bool
    """Whether it speaks of exactly the drugs asked about, rather than of more."""
    bearing: Bearing
    """What it asks for that nobody knows."""

    @property
    def is_settled(self) -> bool:
        """Whether everything it asks of the tumour is known to be so."""
        return not self.bearing.missing

    @property
    def is_for(self) -> bool:
        """Whether it speaks for the treatment."""
        return self.piece.direction is Direction.SUPPORTS

    @property
    def particularity(self) -> int:
        """How many conditions it sets on the tumour, those taken for granted aside."""
        granted = {assumption.feature for assumption in self.bearing.assumed}
        asked = [
            part for part in self.clause.conditions if is_of_tumour(part.key) and part.key not in granted
        ]
        return len(asked) + len(self.clause.variants)


@dataclass(frozen=True, slots=True)
class Appraisal:
    """All evidence that may bear on a question."""

    deciding: tuple[Finding, ...]
    """The weightiest of what counts, that which takes least for granted first; empty = nothing counts."""
    open: tuple[Finding, ...]
    """What would count if something of the tumour were known."""
    others: tuple[Finding, ...]
    """What counts and was outweighed."""
    elsewhere: tuple[Evidence, ...]
    """What speaks for exactly these drugs, but in patients that this one is not."""
    turns_on: tuple[str, ...]
    """Features that nobody knows and that would turn the answer; empty = none would."""

    @property
    def direction(self) -> Direction | None:
        """For or against; None = nothing decides, it is a tie, or it turns on something not known."""
        directions = {finding.piece.direction for finding in self.deciding}
        return next(iter(directions)) if len(directions) == 1 and not self.turns_on else None

    @property
    def granted(self) -> frozenset[str]:
        """The features that what decides takes for granted."""
        return frozenset(one.feature for found in self.deciding[:1] for one in found.bearing.assumed)

    @property
    def hopeful(self) -> tuple[Finding, ...]:
        """What would speak for it if something were known; of exactly these drugs where any is."""
        some = tuple(finding for finding in self.open if finding.is_for)
        return tuple(finding for finding in some if finding.is_whole) or some

    @property
    def is_proven_of_some(self) -> bool:
        """Whether it is proven that these drugs help some patients, of whom this one may or may not be."""
        some = (*self.elsewhere, *(finding.piece for finding in self.hopeful if finding.is_whole))
        return any(piece.level is Level.A for piece in some)


def appraise(facts: Facts, treatment: Treatment, evidence: Iterable[Evidence]) -> Appraisal:
    """Weigh the evidence about a treatment for a patient."""
    about = [piece for piece in evidence if _is_about(facts, treatment, piece)]
    found = [finding for piece in about for finding in _findings(facts, treatment, piece)]
    candidates = [finding for finding in found if finding.is_whole or finding.is_for]
    settled = [finding for finding in candidates if finding.is_settled and finding.is_whole]
    settled = settled or [finding for finding in candidates if finding.is_settled and finding.particularity]
    weight = _scale(settled)
    settled.sort(key=lambda finding: (weight(finding), len(finding.bearing.assumed)))
    deciding = tuple(finding for finding in settled if weight(finding) == weight(settled[0]))
    open_ = tuple(finding for finding in candidates if not finding.is_settled)
    bearing = {finding.piece.id for finding in found}
    return Appraisal(
        deciding,
        open_,
        tuple(settled[len(deciding) :]),
        tuple(piece for piece in about if piece.id not in bearing and _is_for_all(treatment, piece)),
        _turns_on(deciding, settled, open_, weight),
    )


def _is_about(facts: Facts, treatment: Treatment, piece: Evidence) -> bool:
    """Whether it speaks for or against these drugs, alone or among more, in this disease."""
    if piece.direction is Direction.NEUTRAL or piece.disease not in {None, facts.disease}:
        return False
    return any(_covers(words, treatment) for words in piece.treatment.alternatives())


def _is_for_all(treatment: Treatment, piece: Evidence) -> bool:
    """Whether it speaks for exactly these drugs."""
    return piece.direction is Direction.SUPPORTS and any(
        _covers(words, treatment) and len(words) == len(treatment.drugs)
        for words in piece.treatment.alternatives()
    )


def _covers(words: Sequence[str], treatment: Treatment) -> bool:
    """Whether each drug is one of the words, or of the class that a word of its own names."""
    left = list(words)
    for drug in treatment.drugs:
        word = next((one for one in (drug, *left) if one in left and drug in members(one)), None)
        if word is None:
            return False
        left.remove(word)
    return True


def _findings(facts: Facts, treatment: Treatment, piece: Evidence) -> Iterator[Finding]:
    drugs = min((words for words in piece.treatment.alternatives() if _covers(words, treatment)), key=len)
    for clause in piece.profile.clauses:
        bearing = _bearing(facts, piece, clause)
        if bearing is not None:
            yield Finding(piece, clause, drugs, len(drugs) == len(treatment.drugs), bearing)


def _bearing(facts: Facts, piece: Evidence, clause: Clause) -> Bearing | None:
    """What it asks for that is not known; None = it does not bear on the patient."""
    asked = {condition: facts.admits(condition) for condition in clause.conditions}
    histology = True if piece.disease is None else facts.admits_histology(piece.histology)
    line = facts.others.get("line")
    if False in asked.values() or histology is False or not _reaches(piece, line):
        return None
    is_for = piece.direction is Direction.SUPPORTS
    is_selected = any(is_so and not is_absence(condition) for condition, is_so in asked.items())
    open_ = [condition for condition, is_so in asked.items() if is_so is None]
    granted = {
        condition
        for condition in open_
        if not is_of_tumour(condition.key) or (is_for and is_selected and is_absence(condition))
    }
    missing = [*map(str, clause.variants), *(part.key for part in open_ if part not in granted)]
    assumed = [Assumption(part.key, str(part)) for part in open_ if part in granted]
    if histology is None and is_for:
        assumed.append(Assumption("histology", f"histology {piece.histology.replace('_', ' ')}"))
    elif histology is None:
        missing.append("histology")
    if line is None and not (_reaches(piece, 1) and _reaches(piece, 9)):
        assumed.append(Assumption("line", _line(piece)))
    return Bearing(tuple(missing), tuple(assumed))


def _reaches(piece: Evidence, line: object) -> bool:
    """Whether it speaks of a line; of one that is not known it may."""
    low, high = piece.line_min or 0, 9 if piece.line_max is None else piece.line_max
    return not isinstance(line, int | float) or low <= min(line, 9) <= high


def _line(piece: Evidence) -> str:
    low, high = piece.line_min or 0, 9 if piece.line_max is None else piece.line_max
    if low == high:
        return f"line {low}" if low else "maintenance"
    return f"line {low} or later" if high == 9 else f"line {low} to {high}"


def _scale(settled: Sequence[Finding]) -> Callable[[Finding], _Weight]:
    """What sorts the weightiest of these first."""
    supports = [finding for finding in settled if finding.is_for]

    def weight(finding: Finding) -> _Weight:
        resists = finding.piece.effect is Effect.RESISTANCE and not finding.is_for
        prevails = resists and not any(_answers(support, finding) for support in supports)
        level = finding.piece.level
        return level in _LABORATORY, not prevails, -finding.particularity, level.value

    return weight


def _answers(support: Finding, resistance: Finding) -> bool:
    """Whether evidence for the treatment asks for the very alteration that is said to resist it."""
    if not set(resistance.clause.variants) <= set(support.clause.variants):
        return False
    return all(
        any(_is_within(narrow, wide) for narrow in support.clause.conditions)
        for wide in resistance.clause.conditions
    )


def _is_within(narrow: Condition, wide: Condition) -> bool:
    if narrow.key != wide.key or wide.low is not None:
        return narrow == wide
    return narrow.plain_values() <= wide.plain_values()


def _turns_on(
    deciding: Sequence[Finding],
    settled: Sequence[Finding],
    open_: Sequence[Finding],
    weight: Callable[[Finding], _Weight],
) -> tuple[str, ...]:
    """The features taken for granted without which opposite evidence would decide."""
    if not deciding:
        return ()
    best = deciding[0]
    granted = {assumption.feature for assumption in best.bearing.assumed}
    same = [finding for finding in settled if finding.is_for is best.is_for]
    rivals = [
        rival
        for rival in (*settled, *open_)
        if rival.is_whole and rival.is_for is not best.is_for and set(rival.bearing.missing) <= granted
    ]
    turning = {
        feature
        for rival in rivals
        if not any(
            weight(ally) <= weight(rival) and set(ally.bearing.assumed) <= set(rival.bearing.assumed)
            for ally in same
        )
        for feature in rival.bearing.missing or _alone(best, rival)
    }
    return tuple(sorted(turning))


def _alone(best: Finding, rival: Finding) -> Iterator[str]:
    """What one takes for granted and the other does not."""
    own = set(best.bearing.assumed) - set(rival.bearing.assumed)
    return (assumption.feature for assumption in own)
