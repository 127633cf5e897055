"""Levels of definitions, and the errors that follow from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.tla.core import ACTION, CONSTANT, STATE, TEMPORAL

from .specs import refused, resolve

LEVELS = """
EXTENDS Naturals
CONSTANT C
VARIABLES x, y
vars == <<x, y>>
Const == C + 1
State == x + C
Action == x' = y
Same == UNCHANGED vars
Can == ENABLED Action
Box == [][Action]_vars
Ever == <>(x = 1)
Leads == x = 1 ~> y = 1
Fair == WF_vars(Action)
Id(a) == a
OfState == Id(x)
OfAction == Id(x')
Prime(a) == a'
Primed == Prime(x)
Ignore(a) == 1
Ignored == Ignore(x')
Apply(F(_), a) == F(a)
Applied == Apply(Prime, x)
AppliedLambda == Apply(LAMBDA k : k \\cup x, 1)
RECURSIVE Count(_)
Count(n) == IF n = 0 THEN x ELSE Count(n - 1)
InLet == LET z == x' IN z = 1
Bound == \\E k \\in {x} : k = 1
Function == [k \\in {1} |-> x']
"""


def test_levels(tmp_path: Path) -> None:
    spec = resolve(tmp_path, M=LEVELS)
    wanted = {
        CONSTANT: "Const Id Ignore Ignored Apply",
        STATE: "vars State Can OfState Count AppliedLambda Bound",
        ACTION: "Action Same OfAction Prime Primed Applied InLet Function",
        TEMPORAL: "Box Ever Leads Fair",
    }
    for level, names in wanted.items():
        assert {name for name, d in spec.definitions.items() if d.level == level} == set(names.split())


HEAD = "VARIABLE x\nP(a) == a'\nA == x' = 1\n"
CASES: list[tuple[str, str]] = [
    ("X == (x')'", "the argument of ' must be a state function, and this is an action"),
    ("X == P(x')", "this argument of P must be a state function, and this is an action"),
    ("Q(b) == P(b)\nX == Q(x')", "this argument of Q must be a state function"),
    ("X == UNCHANGED (x')", "the argument of UNCHANGED must be a state function"),
    ("X == []A", "[] is followed by an action that is not of the form [A]_v"),
    ("X == <>A", "<> is followed by an action that is not of the form <<A>>_v"),
    ("X == A ~> x = 1", "~> relates states and temporal formulas"),
    ("X == A /\\ [](x = 1)", "an action stands beside a temporal formula under /\\"),
    ("X == [][A]_(x')", "the subscript must be a state function"),
    ("X == {[](x = 1)}", "a part of this must be an action at most, and this is a temporal formula"),
    ("X == CHOOSE k \\in {1} : <>(x = k)", "the condition of CHOOSE must be an action at most"),
    ("X == \\E k \\in {<>(x = 1)} : TRUE", "a part of this must be"),
    ("X == \\E k \\in x' : [](x = k)", "the set of a bound variable in a temporal formula is an action"),
    ("F(G(_)) == G(x')\nX == F(P)", "F applies G to an action, and the operator passed here takes a state function"),
    ("F(G(_), a) == G(a)\nX == F(P, x')", "F applies G to an action, and the operator passed here takes"),
    ("RECURSIVE R(_)\nR(a) == IF a = 1 THEN a' ELSE R(1)", "recursive operator R primes its parameter a"),
    ("ASSUME x = 1", "an assumption speaks of constants only"),
    ("THEOREM (x')' = 1", "the argument of ' must be a state function"),
]


@pytest.mark.parametrize(("text", "message"), CASES, ids=[case[0][-30:] for case in CASES])
def test_errors(tmp_path: Path, text: str, message: str) -> None:
    error = refused(tmp_path, M=HEAD + text)
    assert error.message.startswith(message), error


@pytest.mark.parametrize(
    "text",
    [
        "X == [](x = 1) /\\ <>(x = 2)",
        "X == <><<A>>_x",
        "X == \\A k \\in {1} : [](x = k)",
        "X == IF x = 1 THEN [](x = 1) ELSE <>(x = 2)",
        "X == LET L == [](x = 1) IN L",
        "F(G(_), a) == G(a)\nX == F(P, x)",
        "X == [](ENABLED A)",
        "RECURSIVE R(_)\nR(a) == R(a)\nX == R(x')",
    ],
)
def test_allowed(tmp_path: Path, text: str) -> None:
    resolve(tmp_path, M=HEAD + text)
