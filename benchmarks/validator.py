"""How fast the clinical validator is, against a plain loop over patients that asks the same questions.

The loop is written fairly: the rules are parsed beforehand and turned into Python closures over one
patient's dictionary, with the short cuts Python offers (`any`, `all`, early exit, membership in sets);
it asks the safety rules only, which is the part of the validator that can be put per patient without
its tables. Both sides answer the same rules about the same patients in the same process, and their
answers are compared before any time is printed.

    ./run python benchmarks/validator.py [SUBJECTS]
"""

import operator
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from oncoproof.knowledge.expressions.expressions import (
    Among,
    And,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Not,
    Number,
    Operand,
    Or,
    Quantifier,
    Within,
)
from oncoproof.knowledge.rules.checks import check_of_rule
from oncoproof.knowledge.rules.rules import load_rules
from oncoproof.knowledge.rules.validator import load_checks, validate
from oncoproof.knowledge.subjects.features import FeatureKind, Vocabulary
from oncoproof.knowledge.subjects.subjects import Subjects
from oncoproof.knowledge.subjects.vocabulary import load_vocabulary
from oncoproof.seeds import Seed

Patient = Mapping[str, Any]
Question = Callable[[Patient], bool | None]

LOOP_SHARE = 50
"""The loop is timed on one patient of so many, and its time multiplied: it is that slow."""

_ORDERS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def make_subjects(rows: int) -> Subjects:
    """Patients of every disease with a plan of two drugs, half of their features known."""
    vocabulary = load_vocabulary()
    random = Seed(11).child("benchmark", "validator").generator()
    columns: dict[str, object] = {}
    for feature in vocabulary.features.values():
        if feature.kind is FeatureKind.NUMBER:
            low, high = feature.low or 0.0, feature.high or 1.0
            values = random.uniform(low, high, rows)
            values[random.random(rows) < 0.5] = np.nan
            columns[feature.name] = values
        elif feature.kind is FeatureKind.CATEGORY:
            columns[feature.name] = random.integers(-1, len(feature.values), rows)
        elif feature.kind is FeatureKind.FLAG:
            columns[feature.name] = random.integers(-1, 2, rows)
        elif feature.kind is FeatureKind.SET and not feature.name.endswith(("classes", "_groups")):
            columns[feature.name] = {
                member: random.random(rows) < 2 / len(feature.values) for member in feature.values
            }
    columns["dose"] = {drug: random.uniform(0.3, 1.1, rows) for drug in vocabulary.feature("dose").values}
    return Subjects.of_columns(columns, rows=rows)


def compile_question(expression: Expression, vocabulary: Vocabulary) -> Question:
    """A closure that answers an expression for one patient: True, False, or None for not known."""
    match expression:
        case And(terms):
            return _all_of([compile_question(term, vocabulary) for term in terms])
        case Or(terms):
            return _any_of([compile_question(term, vocabulary) for term in terms])
        case Not(term):
            return _opposite(compile_question(term, vocabulary))
        case Has(operand, quantifier, members):
            return _membership(operand.feature, quantifier, frozenset(word.text for word in members))
        case Known(operand):
            get = _getter(operand)
            return lambda patient: get(patient) is not None
        case Flag(operand):
            return _getter(operand)
        case Comparison() | Among() | Within():
            return _value_question(expression, vocabulary)


def _value_question(atom: Comparison | Among | Within, vocabulary: Vocabulary) -> Question:
    get, feature = _getter(atom.operand), vocabulary.feature(atom.operand.feature)
    match atom:
        case Within(_, low, high):
            return _of_known(get, lambda cell: low.value <= cell <= high.value)
        case Among(_, values):
            numbers = {value.value for value in values if isinstance(value, Number)}
            words = {
                one for value in values if not isinstance(value, Number) for one in feature.expand(value.text)
            }
            wanted = numbers | words
            return _of_known(get, lambda cell: cell in wanted)
        case Comparison(_, order, right) if isinstance(right, Number):
            compare, limit = _ORDERS[order.value], right.value
            return _of_known(get, lambda cell: compare(cell, limit))
        case Comparison(_, order, right):
            values = frozenset(feature.expand(str(getattr(right, "text", ""))))
            same = order.value == "=="
            return _of_known(get, lambda cell: (cell in values) is same)


def _getter(operand: Operand) -> Callable[[Patient], Any]:
    name = operand.feature
    if isinstance(operand, Lookup):
        member = operand.member
        return lambda patient: patient.get(name, {}).get(member)
    return lambda patient: patient.get(name)


def _of_known(get: Callable[[Patient], Any], ask: Callable[[Any], bool]) -> Question:
    def question(patient: Patient) -> bool | None:
        cell = get(patient)
        return None if cell is None else ask(cell)

    return question


def _membership(name: str, quantifier: Quantifier, wanted: frozenset[str]) -> Question:
    every = quantifier is Quantifier.ALL

    def question(patient: Patient) -> bool | None:
        given = patient.get(name)
        if given is None:
            return None
        return wanted <= given if every else not wanted.isdisjoint(given)

    return question


def _all_of(questions: list[Question]) -> Question:
    def question(patient: Patient) -> bool | None:
        unknown = False
        for ask in questions:
            answer = ask(patient)
            if answer is False:
                return False
            unknown = unknown or answer is None
        return None if unknown else True

    return question


def _any_of(questions: list[Question]) -> Question:
    opposite = _all_of([_opposite(ask) for ask in questions])
    return _opposite(opposite)


def _opposite(ask: Question) -> Question:
    def question(patient: Patient) -> bool | None:
        answer = ask(patient)
        return None if answer is None else not answer

    return question


def loop(patients: list[Patient], questions: list[Question]) -> NDArray[np.bool_]:
    """The plain way: each patient, each rule."""
    return np.array([[ask(patient) is True for ask in questions] for patient in patients]).T


def main(rows: int) -> None:
    """Print the times, their ratio, and that both sides agree."""
    rules = list(load_rules().values())
    subjects = make_subjects(rows)
    checks = load_checks()
    started = time.perf_counter()
    report = validate(subjects)
    everything = time.perf_counter() - started
    started = time.perf_counter()
    safety = validate(subjects, checks=[check_of_rule(rule) for rule in rules])
    columns = time.perf_counter() - started

    shown = range(0, rows, LOOP_SHARE)
    patients: list[Patient] = [
        {name: _plain(cell) for name, cell in subjects.row(row).items()} for row in shown
    ]
    questions = [compile_question(rule.breach, subjects.vocabulary) for rule in rules]
    started = time.perf_counter()
    plain = loop(patients, questions)
    per_patient = (time.perf_counter() - started) / len(patients)
    agreed = np.array_equal(plain, np.array([result.violated[::LOOP_SHARE] for result in safety.results]))

    print(f"{rows:,} subjects, {len(checks)} checks, of them {len(rules)} safety rules")
    print(f"all checks in columns        {everything:8.2f} s   ({int(report.violated().sum()):,} flagged)")
    print(f"safety rules in columns      {columns:8.2f} s")
    print(f"safety rules in a plain loop {per_patient * rows:8.2f} s   (timed on {len(patients):,} subjects)")
    print(f"ratio, safety rules          {per_patient * rows / columns:8.1f} x   answers agree: {agreed}")


def _plain(cell: object) -> object:
    return frozenset(cast("tuple[str, ...]", cell)) if isinstance(cell, tuple) else cell


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
