"""INSTANCE: what the constants, variables and definitions of an instantiated module become."""

from __future__ import annotations

from pathlib import Path

from rmqproof.model.tla import core

from .core_text import text
from .specs import refused, resolve

COUNTER = """
EXTENDS Naturals
CONSTANTS Limit, Step(_)
VARIABLE n
Init == n = 0
Next == n < Limit /\\ n' = Step(n)
Spec == Init /\\ [][Next]_n
LOCAL Secret == n"""


def body(spec: core.Specification, name: str) -> str:
    return text(spec.definitions[name].body)


def called(expression: core.Expression) -> core.Definition:
    assert isinstance(expression, core.Call)
    return expression.definition


def test_named_with_substitutions(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Counter=COUNTER,
        M="""
EXTENDS Naturals
VARIABLES a, b
Two(k) == k + 2
C == INSTANCE Counter WITH Limit <- 3, n <- a + b, Step <- Two
Init == C!Init
Next == C!Next""",
    )
    init = called(spec.definitions["Init"].body)
    assert init.name == "C!Init" and init.module == "Counter"
    assert text(init.body) == "(= C!n 0)"
    step = called(spec.definitions["Next"].body)
    assert text(step.body) == "(/\\ (< C!n 3) (= (' C!n) Two(C!n)))"
    assert isinstance(step.body, core.Builtin) and isinstance(step.body.arguments[0], core.Builtin)
    assert text(called(step.body.arguments[0].arguments[0]).body) == "(+ %a %b)"
    assert step.level == core.ACTION


def test_implicit_and_lambda(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Counter=COUNTER,
        M="""
EXTENDS Naturals
CONSTANT Limit
VARIABLE n
INSTANCE Counter WITH Step <- LAMBDA k : k + Limit
Both == Init /\\ Next""",
    )
    both = spec.definitions["Both"].body
    assert isinstance(both, core.Builtin)
    step = called(both.arguments[1])
    assert text(step.body) == "(/\\ (< %n $Limit) (= (' %n) Step(%n)))"
    assert isinstance(step.body, core.Builtin)
    substituted = step.body.arguments[1]
    assert isinstance(substituted, core.Builtin)
    assert text(called(substituted.arguments[1])) == "Step(k) == (+ k $Limit)"


def test_builtins_and_operator_names_for_constant_operators(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        A="CONSTANT Op(_, _)\nX == Op(1, 2)\nApply(F(_, _)) == F(3, 4)\nY == Apply(Op)",
        B="EXTENDS Naturals\nI == INSTANCE A WITH Op <- +\nX == I!X\nY == I!Y",
    )
    assert text(called(spec.definitions["X"].body).body) == "(+ 1 2)"
    assert text(called(spec.definitions["Y"].body).body) == "I!Apply((\\ _1 _2 . (+ _1 _2)))"


def test_parameterised(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Cell="VARIABLE v\nCONSTANT W\nSet(e) == v' = <<e, W>>\nTwice(e) == Set(e) /\\ Set(e)",
        M="""
VARIABLE f
At(i, w) == INSTANCE Cell WITH v <- f[i], W <- w
Next == \\E j \\in {1} : At(j, 7)!Twice(2)
Op(F(_)) == F(1)
Passed(i) == Op(LAMBDA e : At(i, 8)!Set(e))""",
    )
    next_body = spec.definitions["Next"].body
    assert text(next_body) == "[Quantified \\E <j in [SetEnumeration <1>]> At!Twice(j, 7, 2)]"
    assert isinstance(next_body, core.Quantified)
    twice = called(next_body.body)
    assert text(twice) == "At!Twice(i, w, e) == (/\\ At!Set(i, w, e) At!Set(i, w, e))"
    assert isinstance(twice.body, core.Builtin)
    one = called(twice.body.arguments[0])
    assert text(one) == "At!Set(i, w, e) == (= (' At!v(i, w)) [TupleExpression <e, w>])"
    # every definition has parameters of its own
    assert set(twice.parameters).isdisjoint(one.parameters)
    assert isinstance(one.body, core.Builtin) and isinstance(one.body.arguments[0], core.Builtin)
    value = called(one.body.arguments[0].arguments[0])
    assert text(value) == "At!v(i, w) == [FunctionApplication %f i]"
    assert isinstance(value.body, core.FunctionApplication) and isinstance(value.body.argument, core.Reference)
    assert value.body.argument.binding is value.parameters[0]


def test_instance_in_an_instance(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Deep="CONSTANT c\nGet == c",
        Middle="CONSTANT m\nD(x) == INSTANCE Deep WITH c <- <<m, x>>\nOwn == D(1)!Get",
        Top="M(y) == INSTANCE Middle WITH m <- {y}\nA == M(5)!D(6)!Get\nB == M(7)!Own",
    )
    assert body(spec, "A") == "M!D!Get(5, 6)"
    get = called(spec.definitions["A"].body)
    assert text(get) == "M!D!Get(y, x) == M!D!c(y, x)"
    own = called(spec.definitions["B"].body)
    assert text(own) == "M!Own(y) == M!D!Get(y, 1)"
    inner = called(get.body)
    assert text(inner) == "M!D!c(y, x) == [TupleExpression <M!m(y), x>]"


def test_extends_inside_an_instance(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Base="CONSTANT N\nHalf == N",
        Upper="EXTENDS Base\nWhole == <<Half, Half, N>>",
        Top="CONSTANT K\nU == INSTANCE Upper WITH N <- K\nX == <<U!Whole, U!Half>>",
    )
    assert body(spec, "X") == "[TupleExpression <U!Whole, U!Half>]"
    whole = spec.definitions["X"].body
    assert isinstance(whole, core.TupleExpression)
    assert text(called(whole.items[0]).body) == "[TupleExpression <U!Half, U!Half, $K>]"
    assert text(called(whole.items[1]).body) == "$K"


def test_a_module_without_parameters_is_shared(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Util="Id(x) == x",
        A="INSTANCE Util\nX == Id(1)",
        B="EXTENDS A\nU == INSTANCE Util\nY == U!Id(2)\nZ == Id(3)",
    )
    definitions = {called(spec.definitions[name].body) for name in "XYZ"}
    assert len(definitions) == 1


def test_nested_modules(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Outer="""
VARIABLE x
Before == x
---- MODULE Inner ----
VARIABLE h
Pair == <<Before, x, h>>
====
Hidden(h) == INSTANCE Inner
Spec == \\EE h : Hidden(h)!Pair = 1""",
        Top="VARIABLE z\nO == INSTANCE Outer WITH x <- z\nX == O!Hidden(4)!Pair",
    )
    pair = called(spec.definitions["X"].body)
    assert text(pair) == "O!Hidden!Pair(h) == [TupleExpression <O!Before, %z, h>]"


def test_a_module_that_extends_a_nested_module(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Outer="""
CONSTANT C
---- MODULE One ----
First == C
====
---- MODULE Two ----
EXTENDS One
Second == First
====
T == INSTANCE Two
X == T!Second""",
    )
    assert text(called(spec.definitions["X"].body).body) == "T!First"


def test_instance_in_a_let(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        Cell="CONSTANT c\nGet == {c}\nTwo == <<Get, Get>>",
        M="X(a) == \\A k \\in {1} : LET I == INSTANCE Cell WITH c <- <<a, k>>\n   b == I!Two\n IN b = I!Get",
    )
    quantified = spec.definitions["X"].body
    assert isinstance(quantified, core.Quantified) and isinstance(quantified.body, core.Let)
    names = [definition.name for definition in quantified.body.definitions]
    assert sorted(names) == ["I!Get", "I!Two", "I!c", "b"]
    value = next(d for d in quantified.body.definitions if d.name == "I!c")
    assert text(value.body) == "[TupleExpression <a, k>]"
    assert isinstance(value.body, core.TupleExpression)
    bound = value.body.items[1]
    assert isinstance(bound, core.Reference) and bound.binding is quantified.binders[0].bindings[0]


def test_local_instance_is_not_passed_on(tmp_path: Path) -> None:
    error = refused(tmp_path, A="LOCAL INSTANCE Naturals\nX == 1 + 1", B="EXTENDS A\nY == 1 + 1")
    assert error.message == "+ is not known here"


def test_what_is_wrong_with_substitutions(tmp_path: Path) -> None:
    def message(text: str) -> str:
        return refused(tmp_path, Counter=COUNTER, M="EXTENDS Naturals\nVARIABLE n\n" + text).message

    assert message("INSTANCE Counter") == "nothing is substituted for Limit, Step of module Counter"
    assert "Limit is substituted twice" in message("I == INSTANCE Counter WITH Limit <- 1, Limit <- 2, Step <- -.")
    assert "declares no constant or variable Lim" in message("I == INSTANCE Counter WITH Lim <- 1")
    wrong = "I == INSTANCE Counter WITH Limit <- 1, Step <- +"
    assert message(wrong) == "Step takes 1 argument, but what is substituted for it takes 2 arguments"
    assert message("I == INSTANCE Counter WITH Limit <- 1, Step <- LAMBDA k : k\nX == I!Secret").startswith(
        "module Counter defines no Secret"
    )


def test_operators_substituted_are_operators_on_values(tmp_path: Path) -> None:
    for operator in ("Prime", "[]", "LAMBDA k : ENABLED (k = 1)"):
        error = refused(
            tmp_path, A="CONSTANT F(_)\nX == F(1)", B=f"Prime(a) == a'\nI == INSTANCE A WITH F <- {operator}"
        )
        assert error.message.startswith("constant F of module A is an operator on values"), operator


def test_an_operator_of_an_instance_without_arguments(tmp_path: Path) -> None:
    spec = resolve(
        tmp_path,
        A="CONSTANT c\nPair(e) == <<c, e>>",
        B="Op(F(_, _)) == F(1, 2)\nI(x) == INSTANCE A WITH c <- x\nX == Op(I!Pair)",
    )
    assert body(spec, "X") == "Op((\\ x _1 . I!Pair(x, _1)))"


def test_levels_of_substitutions(tmp_path: Path) -> None:
    error = refused(
        tmp_path,
        Counter=COUNTER,
        M="EXTENDS Naturals\nVARIABLE n\nI == INSTANCE Counter WITH Limit <- n + 1, Step <- LAMBDA k : k",
    )
    assert error.message == "Limit of module Counter is a constant, and a state function is substituted for it"
    # a module of constants only may be given anything
    resolve(tmp_path, A="CONSTANT c\nX == {c}", B="VARIABLE v\nI == INSTANCE A WITH c <- v'\nY == I!X")
    error = refused(tmp_path, A="VARIABLE c\nX == {c}", B="VARIABLE v\nI == INSTANCE A WITH c <- v'\nY == I!X")
    assert "is a variable, and an action is substituted for it" in error.message
