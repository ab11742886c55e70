"""The rule language: parsing, printing, type errors, and three-valued evaluation in columns."""

from collections.abc import Callable, Mapping
from operator import eq, ge, gt, le, lt, ne

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oncoproof.errors import FormatError
from oncoproof.knowledge.expressions.evaluation import Evaluator, evaluate
from oncoproof.knowledge.expressions.explanations import explain, missing_features
from oncoproof.knowledge.expressions.expression_types import check, parse_expression
from oncoproof.knowledge.expressions.expressions import (
    Among,
    And,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Name,
    Not,
    Number,
    Operator,
    Or,
    Quantifier,
    Within,
    Word,
    names,
)
from oncoproof.knowledge.expressions.parser import parse
from oncoproof.knowledge.subjects.features import Feature, FeatureKind, FeaturePart, Vocabulary
from oncoproof.knowledge.subjects.subjects import Subjects

Value = bool | None
Row = Mapping[str, object]


def _feature(name: str, kind: FeatureKind, **more: object) -> Feature:
    return Feature(name, kind, FeaturePart.HEALTH, "For a test.", **more)  # pyright: ignore[reportArgumentType]  test data


WORDS = Vocabulary(
    {
        feature.name: feature
        for feature in (
            _feature("weight", FeatureKind.NUMBER, unit="kg", low=0.0, high=300.0),
            _feature("height", FeatureKind.NUMBER, unit="cm", low=0.0, high=250.0),
            _feature("other_weight", FeatureKind.NUMBER, unit="kg", low=0.0, high=300.0),
            _feature(
                "gene",
                FeatureKind.CATEGORY,
                values=("wt", "a", "b", "*28/*28"),
                groups={"mut": ("a", "b")},
            ),
            _feature("smoker", FeatureKind.FLAG),
            _feature("sites", FeatureKind.SET, values=("brain", "liver", "any")),
            _feature("dose", FeatureKind.NUMBERS, unit="1", low=0.0, high=3.0, values=("x", "y")),
        )
    }
)

NUMBERS = st.floats(-5, 5, allow_nan=False).map(lambda value: round(value, 3))
NUMBER_OPERANDS = st.sampled_from(
    [Name("weight"), Name("other_weight"), Lookup("dose", "x"), Lookup("dose", "y")]
)
GENE_WORDS = st.sampled_from(["wt", "a", "b", "*28/*28", "mut"]).map(Word)
SITE_WORDS = st.sampled_from(["brain", "liver", "any"]).map(Word)
ORDERS = st.sampled_from(list(Operator))
EQUALITIES = st.sampled_from([Operator.EQUAL, Operator.UNEQUAL])


def _range(operand: Name | Lookup, pair: tuple[float, float]) -> Within:
    return Within(operand, Number(min(pair)), Number(max(pair)))


ATOMS = st.one_of(
    st.just(Flag(Name("smoker"))),
    st.sampled_from(["weight", "gene", "smoker", "sites"]).map(lambda name: Known(Name(name))),
    st.just(Known(Lookup("dose", "x"))),
    st.builds(Comparison, NUMBER_OPERANDS, ORDERS, st.builds(Number, NUMBERS)),
    st.builds(Comparison, st.just(Name("weight")), st.just(Operator.BELOW), st.just(Word("other_weight"))),
    st.builds(Comparison, st.just(Name("gene")), EQUALITIES, GENE_WORDS),
    st.builds(Among, st.just(Name("gene")), st.lists(GENE_WORDS, min_size=1, max_size=3).map(tuple)),
    st.builds(_range, NUMBER_OPERANDS, st.tuples(NUMBERS, NUMBERS)),
    st.builds(Has, st.just(Name("sites")), st.just(Quantifier.ONE), st.tuples(SITE_WORDS)),
    st.builds(
        Has,
        st.just(Name("sites")),
        st.sampled_from([Quantifier.ANY, Quantifier.ALL]),
        st.lists(SITE_WORDS, min_size=1, max_size=3).map(tuple),
    ),
)


def _compounds(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(inner.map(Not), several.map(And), several.map(Or))


EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(ATOMS, _compounds, max_leaves=12)

ROWS = st.fixed_dictionaries(
    {},
    optional={
        "weight": NUMBERS,
        "other_weight": NUMBERS,
        "gene": st.sampled_from(["wt", "a", "b", "*28/*28"]),
        "smoker": st.booleans(),
        "sites": st.sets(st.sampled_from(["brain", "liver", "any"])).map(sorted),
        "dose": st.dictionaries(st.sampled_from(["x", "y"]), NUMBERS),
    },
)


def _scalar(expression: Expression, row: Row) -> Value:
    """What an expression says of one row, by the definition of Kleene's tables."""
    match expression:
        case Not(term):
            inner = _scalar(term, row)
            return None if inner is None else not inner
        case And(terms):
            return _kleene_all([_scalar(term, row) for term in terms])
        case Or(terms):
            inner = _kleene_all([_scalar(Not(term), row) for term in terms])
            return None if inner is None else not inner
        case Known(operand):
            return _cell(operand, row) is not None
        case Flag(operand):
            found = row.get(operand.feature)
            return found if isinstance(found, bool) else None
        case Has():
            return _scalar_has(expression, row)
        case Comparison() | Among() | Within():
            return _scalar_value(expression, row)


def _kleene_all(values: list[Value]) -> Value:
    if False in values:
        return False
    return None if None in values else True


def _cell(operand: Name | Lookup, row: Row) -> object:
    found = row.get(operand.feature)
    if isinstance(operand, Lookup):
        return found.get(operand.member) if isinstance(found, dict) else None  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  any cell
    return found


def _scalar_has(expression: Has, row: Row) -> Value:
    given = row.get("sites")
    if not isinstance(given, list):
        return None
    wanted = [word.text in given for word in expression.members]
    return all(wanted) if expression.quantifier is Quantifier.ALL else any(wanted)


def _scalar_value(expression: Comparison | Among | Within, row: Row) -> Value:
    cell = _cell(expression.operand, row)
    if isinstance(cell, str):
        return _scalar_word(expression, cell)
    if not isinstance(cell, float):
        return None
    match expression:
        case Within(_, low, high):
            return low.value <= cell <= high.value
        case Comparison(_, operator, Number(value)):
            return _ORDERS[operator](cell, value)
        case _:
            other = row.get("other_weight")
            return cell < other if isinstance(other, float) else None


def _scalar_word(expression: Comparison | Among | Within, cell: str) -> bool:
    gene = WORDS.feature("gene")
    match expression:
        case Among(_, values):
            return any(cell in gene.expand(word.text) for word in values if isinstance(word, Word))
        case Comparison(_, operator, Word(text)):
            return (cell in gene.expand(text)) is (operator is Operator.EQUAL)
        case _:
            raise AssertionError(expression)


_ORDERS: Mapping[Operator, Callable[[float, float], bool]] = {
    Operator.EQUAL: eq,
    Operator.UNEQUAL: ne,
    Operator.BELOW: lt,
    Operator.AT_MOST: le,
    Operator.ABOVE: gt,
    Operator.AT_LEAST: ge,
}


@given(EXPRESSIONS)
def test_printing_and_parsing_are_inverse(expression: Expression) -> None:
    assert parse(str(expression)) == expression


@given(EXPRESSIONS, st.lists(ROWS, min_size=1, max_size=6))
def test_columns_agree_with_the_definition(expression: Expression, rows: list[Row]) -> None:
    check(expression, WORDS)
    truth = evaluate(expression, Subjects.of_rows(rows, vocabulary=WORDS))
    expected = [_scalar(expression, row) for row in rows]
    assert truth.true.tolist() == [value is True for value in expected]
    assert truth.known.tolist() == [value is not None for value in expected]
    assert not (truth.true & truth.false).any()


@given(EXPRESSIONS, EXPRESSIONS, st.lists(ROWS, min_size=1, max_size=6))
def test_de_morgan_holds_with_unknowns(one: Expression, other: Expression, rows: list[Row]) -> None:
    evaluator = Evaluator(Subjects.of_rows(rows, vocabulary=WORDS))
    left = evaluator.truth(Not(And((one, other))))
    right = evaluator.truth(Or((Not(one), Not(other))))
    assert np.array_equal(left.true, right.true)
    assert np.array_equal(left.known, right.known)


@given(EXPRESSIONS, ROWS)
def test_what_is_missing_is_named_exactly_when_nobody_can_tell(expression: Expression, row: Row) -> None:
    subject = Subjects.of_rows([row], vocabulary=WORDS)
    known = bool(evaluate(expression, subject).known[0])
    assert known is (not missing_features(expression, subject))
    assert bool(explain(expression, subject)) is known


@pytest.mark.parametrize(
    ("text", "column", "came"),
    [
        ("weight = 3", 8, "'='"),
        ("weight <", 9, "'end of text'"),
        ("weight < 3 and", 15, "'end of text'"),
        ("(weight < 3", 12, "'end of text'"),
        ("weight < 3)", 11, "')'"),
        ("gene in []", 10, "']'"),
        ("weight in 3", 12, "'end of text'"),
        ("and smoker", 1, "'and'"),
        ("dose(x)", 8, "'end of text'"),
        ("smoker; import os", 7, "';'"),
        ("", 1, "'end of text'"),
        ("sites has any", 14, "'end of text'"),
    ],
)
def test_what_does_not_parse_is_refused_at_its_column(text: str, column: int, came: str) -> None:
    with pytest.raises(FormatError) as caught:
        parse(text, where="rule")
    assert caught.value.where == f"rule column {column}"
    assert caught.value.came == came


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("wieght < 3", 1),
        ("gene == c", 9),
        ("gene < a", 8),
        ("gene == 3", 9),
        ("weight == wt", 11),
        ("weight < gene", 10),
        ("weight < height", 10),
        ("weight < 3 'g'", 10),
        ("weight in 5..3", 11),
        ("smoker == wt", 1),
        ("weight", 1),
        ("gene has wt", 1),
        ("sites has lung", 11),
        ("sites == brain", 1),
        ("dose < 1", 1),
        ("dose(z) < 1", 1),
        ("weight(x) < 1", 1),
        ("smoker and gene in [wt, c]", 25),
    ],
)
def test_what_makes_no_sense_is_refused_at_its_column(text: str, column: int) -> None:
    with pytest.raises(FormatError) as caught:
        parse_expression(text, WORDS, where="rule")
    assert caught.value.where == f"rule column {column}"
    assert caught.value.expected
    assert caught.value.remedy


def test_a_misspelt_feature_is_met_with_the_nearest() -> None:
    with pytest.raises(FormatError, match="did you mean 'weight'"):
        parse_expression("wieght < 3", WORDS)


def test_names_are_the_features_read() -> None:
    expression = parse("weight < other_weight and (gene == mut or dose(x) > 1) and not known(height)")
    assert names(expression) == {"weight", "other_weight", "gene", "dose", "height"}


def test_a_present_member_counts_even_where_the_set_is_not_complete() -> None:
    subject = Subjects.of_rows([{"sites": ["brain"]}], vocabulary=WORDS)
    truth = evaluate(parse("sites has brain"), subject)
    assert truth.true.tolist() == [True]


def test_explanations_name_what_decides() -> None:
    subject = Subjects.of_rows([{"weight": 3.0, "gene": "a", "smoker": False}], vocabulary=WORDS)
    said = explain(parse("weight < 4 and (gene == mut or smoker) and not smoker"), subject)
    assert said == ("weight: 3 kg, below 4", "gene is a", "no smoker")
