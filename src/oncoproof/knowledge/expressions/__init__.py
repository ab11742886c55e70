"""The closed language of the rules: parsed, typed, evaluated over columns, explained in a sentence."""

from oncoproof.knowledge.expressions.bits import Bits
from oncoproof.knowledge.expressions.evaluation import Evaluator, evaluate
from oncoproof.knowledge.expressions.explanations import explain, missing_features
from oncoproof.knowledge.expressions.expression_types import check, parse_expression
from oncoproof.knowledge.expressions.expressions import (
    Among,
    And,
    Atom,
    Comparison,
    Expression,
    Flag,
    Has,
    Known,
    Lookup,
    Name,
    Not,
    Number,
    Operand,
    Operator,
    Or,
    Quantifier,
    Within,
    Word,
    atoms,
    conjunction,
    disjunction,
    names,
)
from oncoproof.knowledge.expressions.parser import parse
from oncoproof.knowledge.expressions.truths import Truth

__all__ = [
    "Among",
    "And",
    "Atom",
    "Bits",
    "Comparison",
    "Evaluator",
    "Expression",
    "Flag",
    "Has",
    "Known",
    "Lookup",
    "Name",
    "Not",
    "Number",
    "Operand",
    "Operator",
    "Or",
    "Quantifier",
    "Truth",
    "Within",
    "Word",
    "atoms",
    "check",
    "conjunction",
    "disjunction",
    "evaluate",
    "explain",
    "missing_features",
    "names",
    "parse",
    "parse_expression",
]
