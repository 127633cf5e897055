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


PLACES = """
EXTENDS Naturals
CONSTANT c
VARIABLE v
Only == c
Again == Only
Sum == c + 1
Both == c + v
Of(k) == k
OfConstant == Of(c)
Set == {c}
Via == Sum
Twice == Only + 1
Unless == IF c THEN 1 ELSE 2
Argument(k) == k + c
Function == [i \\in {1} |-> c]
Variable == v
VariableSum == v + 1
Step == v' = c
Local == LET k == c IN k
LocalSum == LET k == c IN k + 1
Unused == LET k == c IN v"""
LATER = "EXTENDS Naturals\nOf(later) == later + 1\nVARIABLE later\nA == Of(later')"
OPERATOR = "CONSTANT Op(_)\nVARIABLE v\nOf(k) == {Op(k), v}"
P = "I(p) == INSTANCE Places WITH c <- p, v <- y\n"
V = "I(p) == INSTANCE Places WITH c <- 1, v <- p\n"
HEADER = "EXTENDS Naturals\nVARIABLES x, y\n"


@pytest.mark.parametrize(
    "body",
    [
        *(P + f"A == I(x)!{name}" for name in ("Only", "Again", "Variable", "VariableSum", "Local", "Unused")),
        *(P + f"A == I(1)!{name}" for name in ("Sum", "Argument(x)", "Step", "LocalSum", "OfConstant")),
        P + "A == \\E q \\in {x} : I(q)!Sum = 2",
        "I(p, q) == INSTANCE Places WITH c <- p, v <- q\nA == I(1, x)!Both",
        "I(p) == INSTANCE Places WITH c <- p + 1, v <- y\nA == I(x)!Only",
        V + "A == I(x')!Variable",
        V + "A == I(x)!VariableSum",
        "I(p) == INSTANCE Constants WITH c <- p\nA == I(x)!Sum",
        "inc(k) == k + 1\nI == INSTANCE Operator WITH Op <- inc, v <- y\nA == I!Of(x)",
        "I(p) == INSTANCE Later WITH later <- p\nA == I(x)!A",
    ],
)
def test_what_an_instance_may_have_as_an_argument(tmp_path: Path, body: str) -> None:
    """As SANY 2.20: an operator that is applied to a constant of the instance makes it one."""
    resolve(
        tmp_path,
        Places=PLACES,
        Constants="EXTENDS Naturals\nCONSTANT c\nSum == c + 1",
        Later=LATER,
        Operator=OPERATOR,
        M=HEADER + body,
    )


@pytest.mark.parametrize(
    "body",
    [
        *(P + f"A == I(x)!{name}" for name in ("Sum", "Both", "OfConstant", "Set", "Via", "Twice", "Unless")),
        *(P + f"A == I(x)!{name}" for name in ("Argument(1)", "Function", "Step", "LocalSum")),
        P + "B(q) == I(q)!Sum\nA == B(x)",
        "I(p) == INSTANCE Places WITH c <- p + 1, v <- y\nA == I(x)!Sum",
        "B(p) == LET J == INSTANCE Places WITH c <- p, v <- y IN J!Sum\nA == B(x)",
        "B(p) == LET J(q) == INSTANCE Places WITH c <- q, v <- y IN J(p)!Sum\nA == B(x)",
        V + "A == I(x')!VariableSum",
    ],
)
def test_a_state_in_the_place_of_a_constant(tmp_path: Path, body: str) -> None:
    error = refused(tmp_path, Places=PLACES, M=HEADER + body)
    assert error.at is not None and error.at.line == 1 + len((HEADER + body).splitlines())
    kind = "variable" if body.startswith(V) else "constant"
    assert f"in the place of a {kind} of a module with variables, must be a" in error.message
    assert error.remedy
