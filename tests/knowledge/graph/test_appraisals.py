"""Weighing evidence: what decides, what is taken for granted, and what turns an answer."""

from collections.abc import Mapping
from dataclasses import replace

from oncoproof.knowledge.evidence.evidence import Direction, Effect, Evidence, Level
from oncoproof.knowledge.evidence.known_evidence import load_evidence
from oncoproof.knowledge.evidence.molecular import parse_profile
from oncoproof.knowledge.graph.appraisals import Appraisal, appraise
from oncoproof.knowledge.graph.fact_reading import read_facts
from oncoproof.knowledge.graph.treatments import find_treatment
from oncoproof.knowledge.medicines.combinations import parse_combination

TEMPLATE = next(piece for piece in load_evidence() if piece.id == "curated:brca_rucaparib_treatment")


def _piece(
    name: str,
    requires: str,
    *,
    treatment: str = "rucaparib",
    direction: Direction = Direction.SUPPORTS,
    effect: Effect | None = None,
    level: Level = Level.B,
    lines: tuple[int, int] | None = None,
    histology: str = "any",
) -> Evidence:
    seen = Effect.SENSITIVITY if direction is Direction.SUPPORTS else Effect.NO_BENEFIT
    low, high = lines or (None, None)
    return replace(
        TEMPLATE,
        id=name,
        profile=parse_profile(requires),
        treatment=parse_combination(treatment),
        direction=direction,
        effect=effect or seen,
        level=level,
        line_min=low,
        line_max=high,
        histology=histology,
    )


def _against(
    name: str, requires: str, *, effect: Effect = Effect.NO_BENEFIT, level: Level = Level.B
) -> Evidence:
    return _piece(name, requires, direction=Direction.OPPOSES, effect=effect, level=level)


def _weigh(facts: Mapping[str, object], *pieces: Evidence, treatment: str = "rucaparib") -> Appraisal:
    return appraise(read_facts(facts, disease="ovarian"), find_treatment(treatment), pieces)


def _ids(found: Appraisal) -> list[str]:
    return [finding.piece.id for finding in found.deciding]


def test_more_particular_decides() -> None:
    wide, narrow = _piece("wide", "", level=Level.A), _against("narrow", "TP53=mut", level=Level.C)
    assert _ids(_weigh({"TP53": "mut"}, wide, narrow)) == ["narrow"]
    assert _ids(_weigh({"TP53": "wt"}, wide, narrow)) == ["wide"]


def test_level_decides_among_equals() -> None:
    pieces = _piece("for", "TP53=mut", level=Level.A), _against("against", "TP53=mut", level=Level.B)
    assert _weigh({"TP53": "mut"}, *pieces).direction is Direction.SUPPORTS


def test_tie_decides_nothing() -> None:
    found = _weigh({"TP53": "mut"}, _piece("for", "TP53=mut"), _against("against", "TP53=mut"))
    assert sorted(_ids(found)) == ["against", "for"]
    assert found.direction is None


def test_laboratory_comes_after_patients() -> None:
    patients = _piece("patients", "TP53=mut", level=Level.C)
    cells = _against("cells", "TP53=mut;NF1=mut", level=Level.D)
    assert _ids(_weigh({"TP53": "mut", "NF1": "mut"}, patients, cells)) == ["patients"]


def test_resistance_prevails_over_what_does_not_speak_of_it() -> None:
    proven = _piece("proven", "BRCA=mut;TP53=mut", level=Level.A)
    resists = _against("resists", "NF1=mut", effect=Effect.RESISTANCE, level=Level.C)
    facts = {"BRCA": "mut", "TP53": "mut", "NF1": "mut"}
    assert _ids(_weigh(facts, proven, resists)) == ["resists"]
    answered = _piece("answered", "TP53=mut;NF1=mut", level=Level.B)
    assert _ids(_weigh(facts, answered, resists)) == ["answered"]


def test_resistance_of_a_narrower_group_is_not_answered_by_a_wider() -> None:
    wide = _piece("wide", "BRCA=mut", level=Level.A)
    narrow = _against("narrow", "BRCA=somatic", effect=Effect.RESISTANCE)
    assert _ids(_weigh({"BRCA": "somatic"}, wide, narrow)) == ["narrow"]
    assert _ids(_weigh({"BRCA": "germline"}, wide, narrow)) == ["wide"]


def test_exactly_these_drugs_come_before_more() -> None:
    alone = _against("alone", "TP53=mut", level=Level.C)
    part = _piece("part", "TP53=mut;BRCA=mut", treatment="rucaparib+bevacizumab", level=Level.A)
    assert _ids(_weigh({"TP53": "mut", "BRCA": "mut"}, alone, part)) == ["alone"]
    found = _weigh({"TP53": "wt", "BRCA": "mut"}, replace(part, profile=parse_profile("BRCA=mut")), alone)
    assert [finding.is_whole for finding in found.deciding] == [False]


def test_part_of_what_is_given_to_anybody_says_nothing() -> None:
    found = _weigh({}, _piece("part", "", treatment="rucaparib+bevacizumab"))
    assert found.deciding == ()


def test_evidence_against_more_drugs_says_nothing_of_a_part() -> None:
    worse = _piece("worse", "TP53=mut", treatment="rucaparib+bevacizumab", direction=Direction.OPPOSES)
    assert _weigh({"TP53": "mut"}, worse).deciding == ()


def test_evidence_about_a_class_is_about_its_drugs() -> None:
    found = _weigh({"TP53": "mut"}, _piece("class", "TP53=mut", treatment="parp_inhibitor"))
    assert _ids(found) == ["class"]
    assert found.deciding[0].is_whole
    pair = _piece("pair", "TP53=mut", treatment="parp_inhibitor+anti_vegf")
    assert _ids(_weigh({"TP53": "mut"}, pair, treatment="rucaparib+bevacizumab")) == ["pair"]
    assert _weigh({"TP53": "mut"}, pair, treatment="rucaparib+olaparib").deciding == ()


def test_unknown_marker_leaves_evidence_open() -> None:
    found = _weigh({}, _piece("for", "TP53=mut"))
    assert found.deciding == ()
    assert [finding.bearing.missing for finding in found.open] == [("TP53",)]


def test_what_is_left_out_is_taken_for_granted_beside_what_is_selected() -> None:
    piece = _piece("for", "TP53=mut;NF1=wt")
    found = _weigh({"TP53": "mut"}, piece)
    assert [assumption.text for assumption in found.deciding[0].bearing.assumed] == ["NF1=wt"]
    assert _weigh({"NF1": "wt"}, piece).deciding == ()
    assert _weigh({"TP53": "mut"}, replace(piece, direction=Direction.OPPOSES)).deciding == ()


def test_histology_is_taken_for_granted_only_by_what_speaks_for() -> None:
    piece = _piece("for", "TP53=mut", histology="clear_cell")
    assert _ids(_weigh({"TP53": "mut"}, piece)) == ["for"]
    assert _weigh({"TP53": "mut", "histology": "mucinous"}, piece).deciding == ()
    against = replace(piece, direction=Direction.OPPOSES)
    assert _weigh({"TP53": "mut"}, against).open[0].bearing.missing == ("histology",)


def test_answer_that_turns_on_an_assumption_is_none() -> None:
    early = _piece("early", "TP53=mut", lines=(1, 1), level=Level.A)
    late = replace(_against("late", "TP53=mut"), line_min=2, line_max=9)
    found = _weigh({"TP53": "mut"}, early, late)
    assert found.direction is None
    assert found.turns_on == ("line",)
    assert _weigh({"TP53": "mut", "line": 1}, early, late).direction is Direction.SUPPORTS
    assert _weigh({"TP53": "mut", "line": 3}, early, late).direction is Direction.OPPOSES


def test_answer_does_not_turn_where_both_assume_the_same() -> None:
    wide = replace(_against("wide", "", level=Level.A), line_min=1, line_max=1)
    narrow = _piece("narrow", "TP53=mut", lines=(1, 1))
    assert _weigh({"TP53": "mut"}, narrow, wide).direction is Direction.SUPPORTS


def test_neutral_evidence_and_other_diseases_do_not_count() -> None:
    neutral = replace(_piece("neutral", "TP53=mut"), direction=Direction.NEUTRAL)
    elsewhere = replace(_piece("elsewhere", "TP53=mut"), disease="crc")
    assert _weigh({"TP53": "mut"}, neutral, elsewhere) == Appraisal((), (), (), (), ())


def test_what_speaks_for_others_is_told() -> None:
    piece = _piece("for", "TP53=mut", level=Level.A)
    found = _weigh({"TP53": "wt"}, piece)
    assert found.elsewhere == (piece,)
    assert found.is_proven_of_some
