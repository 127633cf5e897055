"""Numbers, strings, names, comments, and where things stand."""

from __future__ import annotations

import pytest

from rmqproof.model.tla import syntax
from rmqproof.model.tla.lexer import tokens_of_expression
from rmqproof.model.tla.parser import parse_expression, parse_module
from rmqproof.model.tla.source import Source, TlaError
from tests.tla.outline import body, expression, module


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens_of_expression(Source("t", text))][:-1]


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("007", 7), ("\\b1010", 10), ("\\B11", 3), ("\\o17", 15), ("\\O7", 7), ("\\hFf", 255), ("\\H10", 16)],
)
def test_numbers(text: str, value: int) -> None:
    node = parse_expression(text)
    assert isinstance(node, syntax.Number)
    assert node.value == value


def test_decimals_and_ranges() -> None:
    node = parse_expression("3.14")
    assert isinstance(node, syntax.Decimal)
    assert node.text == "3.14"
    assert expression("1..4") == "(.. 1 4)"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"plain"', "plain"),
        ('"a\\\\b\\"c"', 'a\\b"c'),
        ('"\\t\\n\\f\\r"', "\t\n\f\r"),
        ('"(* no comment *)"', "(* no comment *)"),
        ('"\\\\* none"', "\\* none"),
        ('"===="', "===="),
        ('""', ""),
        ('"ünï∧"', "ünï∧"),
    ],
)
def test_strings(text: str, value: str) -> None:
    node = parse_expression(text)
    assert isinstance(node, syntax.Text)
    assert node.value == value


@pytest.mark.parametrize("name", ["a", "_a", "a_", "x1", "1x", "WFx", "W", "SF", "IFx", "x_y_z", "Nat", "TRUE", "a__b"])
def test_names(name: str) -> None:
    assert expression(name) == name


def test_longest_symbol_wins() -> None:
    assert kinds("a<=>b<=c=>d=<e") == ["NAME", "INFIX", "NAME", "INFIX", "NAME", "INFIX", "NAME", "INFIX", "NAME"]
    assert kinds("[A]_v") == ["[", "NAME", "]_", "NAME"]
    assert kinds("<<A>>_v") == ["<<", "NAME", ">>_", "NAME"]
    assert kinds("S\\T \\in \\o17 a\\o b") == ["NAME", "INFIX", "NAME", "\\in", "NUMBER", "NAME", "INFIX", "NAME"]
    assert expression("a/\\b") == "(/\\ a b)"
    assert expression("a\\/b") == "(\\/ a b)"
    assert expression("a-+->b") == "(-+-> a b)"
    assert expression("a(+)b") == "((+) a b)"


def test_comments_nest_and_vanish() -> None:
    assert expression("a (* one (* two *) \\* three *) + (**) b \\* rest (*") == "(+ a b)"


def test_number_sets() -> None:
    assert expression("ℕ \\cup ℤ \\cup ℝ") == "(\\cup (\\cup Nat Int) Real)"


def test_unicode() -> None:
    assert expression("∀ x ∈ S : ¬(x ≠ y ⇒ ⟨x⟩ ≤ 1)") == expression("\\A x \\in S : ~(x # y => <<x>> <= 1)")
    assert body("A ≜ [x ∈ S ↦ □P]") == "(FunctionConstructor <(Bound <x> S)> ([] P))"


def test_text_around_the_module_is_skipped() -> None:
    text = 'words (* here \\* "\n-- \n---- MODULE M ----\nA == 1\n====\nA == ) (* not closed'
    parsed = parse_module(Source("M.tla", text))
    assert parsed.name == "M"
    assert parsed.comment.startswith("words")
    assert len(parsed.units) == 1


def test_places() -> None:
    parsed = module("A ==", "  \tx + (yy", "   * z)")
    definition = parsed.units[0]
    assert isinstance(definition, syntax.OperatorDefinition)
    at = definition.body.at
    assert (at.line, at.column, at.end_line, at.end_column) == (3, 4, 4, 8)
    assert isinstance(definition.body, syntax.Apply)
    inner = definition.body.arguments[1].at
    assert (inner.line, inner.column, inner.end_line, inner.end_column) == (3, 9, 4, 7)


def test_comments_go_with_the_definition_below() -> None:
    parsed = module(
        "\\* far away",
        "",
        "\\* first line",
        "\\* second line",
        "A == 1 \\* behind",
        "B == 2",
        "(**************)",
        "(* in a box   *)",
        "(* two lines  *)",
        "(**************)",
        "LOCAL C == 3",
        "(* a block",
        "   of text *)",
        "f[x \\in S] == x",
        "\\* a theorem",
        "THEOREM TRUE",
    )
    comments = [getattr(unit, "comment", None) for unit in parsed.units]
    assert comments == ["first line\nsecond line", "", "in a box\ntwo lines", "a block\nof text", "a theorem"]


def test_annotations() -> None:
    parsed = module(
        "CONSTANTS",
        "  \\* @type: Set(BROKER);",
        "  Brokers, \\* behind",
        "  (* @type:",
        "       Int; *)",
        "  Limit",
        "\\* @type: Int -> Int;",
        "VARIABLE clock",
        "VARIABLES",
        "  plain,",
        "  \\* @type: Bool;",
        "  flag",
        "\\* @type: (Int) => Bool;",
        "\\* @typeAlias: log = Seq(Int);",
        "Op(x) == x = 1",
    )
    constants, clock, variables, operator = parsed.units
    assert isinstance(constants, syntax.Constants)
    assert [[(a.kind, a.text) for a in each] for each in constants.annotations] == [
        [("type", "Set(BROKER)")],
        [("type", "Int")],
    ]
    assert isinstance(clock, syntax.Variables)
    assert clock.annotations[0][0].text == "Int -> Int"
    assert isinstance(variables, syntax.Variables)
    assert [len(each) for each in variables.annotations] == [0, 1]
    assert isinstance(operator, syntax.OperatorDefinition)
    assert [a.kind for a in operator.annotations] == ["type", "typeAlias"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a (* b", "comment is never closed"),
        ('"abc', "string is never closed"),
        ('"a\\qb"', "no escape"),
        ("a \\foo b", "\\foo is no operator"),
        ("a ; b", "no meaning"),
    ],
)
def test_errors(text: str, words: str) -> None:
    with pytest.raises(TlaError) as error:
        expression(text)
    assert words in error.value.message
    assert error.value.at is not None
