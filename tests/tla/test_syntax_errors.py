"""What a user reads when a module does not parse: the cause in words, the place, and what to do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.tla.parser import parse_module
from rmqproof.model.tla.source import Source, TlaError
from tests.tla.outline import module

# text of the module's body, line and column of the error in it, words of the message, words of the remedy
MESSAGES = [
    ("A == x /\\ == 3", (1, 11), "expected an expression after /\\ but found ==", "one ="),
    ("Init = x\nNext == y", (1, 6), "a definition is written with ==", "Write =="),
    ("Init = /\\ x\n       /\\ y", (1, 6), "a definition is written with ==", "Write =="),
    ("F(x) = 1", (1, 6), "expected == but found =", "Write =="),
    ("A == (x + 1\nB == 2", (2, 1), "expected ) to go on with the parenthesis ( of line 2, column 6", "not finished"),
    ("A == f[1", (2, 1), "expected ] to go on with the bracket [", ""),
    ("A == {1, 2", (2, 1), "to go on with the bracket {", ""),
    ("A == <<1, 2\nB == 1", (2, 1), "expected , or >>", ""),
    ("A == /\\ (x\n     /\\ y", (2, 6), "the ( of line 2 inside that list is not finished", "Finish the ("),
    ("A == /\\ x =>\n     /\\ y", (2, 6), "expected an expression after =>, but here the next item", "indent it"),
    ("A == a = b = c", (1, 12), "= does not chain", "parentheses"),
    ("A == a /\\ b \\/ c", (1, 13), "/\\ and \\/ stand side by side", "parentheses"),
    ("A == IF x THEN y", (2, 1), "expected ELSE to go on with IF", ""),
    ("A == IF x y", (1, 11), "expected THEN", ""),
    ("A == \\A x \\in S P(x)", (1, 17), "expected : to go on with \\A", ""),
    ("A == x != 3", (1, 11), "follows =", "# or /="),
    ("A == x != B /\\ x' = 1", (1, 17), "expected ==", "# or /="),
    ("A == x <> 3", (1, 11), "after <>", "# or /="),
    ("A == !x", (1, 6), "found !", "~"),
    ("A == (x == 3)", (1, 9), "to go on with the parenthesis", "one ="),
    ("A == x = 'a'", (1, 11), "after '", "double quotes"),
    ("A == x and TRUE", (1, 12), "follows and", "written /\\"),
    ("A == not x = 1", (1, 14), "", "written ~"),
    ("A == x in {1}", (1, 11), "{ follows in", "\\in"),
    ("A == if x = 1 then y else z", (1, 13), "", "written IF"),
    ("A == in + )", (1, 11), "", ""),
    ("A == x )", (1, 8), "this ) closes nothing", ""),
    ("A == 1 2", (1, 8), "the number 2 follows the number 1 with nothing between", ""),
    ("A == 3(x)", (1, 7), "( follows the number 3", "[ ]"),
    ("A == x == y", (1, 8), "no header of a definition", "one ="),
    ("A == x +\nB == 1", (2, 1), "expected an expression after + of line 2, but here B is defined", ""),
    ("A == x + * y", (1, 10), "expected an expression after + but found *", "side by side"),
    ("A == x + -. y", (1, 13), "expected ( after -., but found y", "unary minus"),
    ("A == {1,}", (1, 9), "expected an expression after ,", "comma"),
    ("A == LET a == 1", (2, 1), "expected IN", ""),
    ("A == LET LOCAL a == 1 IN a", (1, 10), "LOCAL has no meaning inside LET", ""),
    ("A == CHOOSE x, y \\in S : x", (1, 13), "CHOOSE binds one name", "<<x, y>>"),
    ("A == [f EXCEPT ![1] := 2]", (1, 21), "but found :=", ""),
    ("A == [f EXCEPT [1] = 2]", (1, 16), "expected ! after EXCEPT", ""),
    ("A == WF_v", (1, 6), "needs a subscript and one action", "WF_vars(Next)"),
    ("A == WF_(Next)", (1, 6), "needs a subscript and one action", "WF_vars(Next)"),
    ("A(x,) == 1", (1, 5), "a name", ""),
    ("A == \\foo", (1, 6), "\\foo is no operator", ""),
    ("A == F( \\X )", (1, 9), "\\X is no operator that can be an argument", "LAMBDA"),
    ("A == {x \\in S, y \\in T : x}", (1, 24), "only one expression", ""),
    ("A == {x : y}", (1, 11), "needs a set", ""),
    ("A == \\A <<x, y>> : x", (1, 9), "needs a set", "\\in S"),
    ("A == \\A x \\in S, y : x", (1, 18), "no set", ""),
    ("VARIABLE\nA == 1\nB == 2", (2, 3), "what stands before this ==", ""),
    ('A == "abc', (1, 6), "this string is never closed", "closing"),
    ("A == (* abc", (1, 6), "this comment is never closed", "nest"),
    ("----\n- a == 1", (2, 1), "defined as -.", "-. a"),
    ("A == a;", (1, 7), "no meaning", "semicolons"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "place", "message", "remedy"), MESSAGES, ids=[text for text, *_ in MESSAGES])
def test_messages(text: str, place: tuple[int, int], message: str, remedy: str) -> None:
    with pytest.raises(TlaError) as caught:
        module(text)
    error = caught.value
    assert message in error.message
    assert remedy in error.remedy
    assert error.kind == "parse"
    assert error.at is not None
    assert (error.at.line - 1, error.at.column) == place


def test_missing_header_and_end() -> None:
    with pytest.raises(TlaError, match="no module here"):
        parse_module(Source("x.tla", "A == 1"))
    with pytest.raises(TlaError, match="the module does not"):
        parse_module(Source("x.tla", "---- MODULE x ----\nA == 1\n"))
    with pytest.raises(TlaError) as error:
        parse_module(Source("x.tla", "---- MODULE x ----\nA == (1\n"))
    assert "expected )" in error.value.message


def test_the_whole_message() -> None:
    with pytest.raises(TlaError) as error:
        module("Next ==", "  /\\ x' = (y + 1", "  /\\ z")
    assert str(error.value).split("\n") == [
        "Test.tla:4:3: /\\ stands at or left of the column of the list /\\ begun on line 3, but the ( of line 3 "
        "inside that list is not finished",
        "      /\\ z",
        "      ^^",
        "    Finish the ( first, or indent this line to the right of column 3.",
    ]


WORDS = (
    "A B x 1 == = /\\ \\/ ( ) [ ] { } << >> , : :: . ! -> |-> <- ' ~ - [] <> => IF THEN ELSE CASE OTHER LET IN \\A \\E "
    "CHOOSE LAMBDA \\in \\X + @ EXCEPT VARIABLE CONSTANT ASSUME THEOREM PROVE BY DEF QED <1>1. ---- ==== WF_ ]_ >>_ _ "
    'INSTANCE WITH LOCAL RECURSIVE MODULE NEW "s" (* *) \\* \\n \\o12 UNCHANGED SUBSET'
)
PIECES = st.sampled_from(WORDS.split())


@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", " ", "\n", "\n  ", "\t", ""])), max_size=12))
def test_any_text_parses_or_gives_a_message(pieces: list[tuple[str, str]]) -> None:
    text = "A == " + "".join(piece + space for piece, space in pieces)
    try:
        module(text)
    except TlaError as error:
        assert error.kind == "parse"
        assert error.at is not None
        assert error.message
        assert "__ANON" not in error.message
        assert "LIST_" not in error.message
        assert error.render()
