"""What TLC can compare, and what it refuses: the outcomes here are TLC's, for the same expressions.

They come from a run of TLC over 680,000 expressions, an operator and two operands of every kind; these are of the
kinds in which the two once differed, or could.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.evaluate.show import show
from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.evaluate.values import Value
from rmqproof.model.tla import core
from rmqproof.model.tla.model import load_model
from rmqproof.model.tla.source import TlaError

MODEL_VALUES = ("m1", "m2", "A_1", "A_2", "B_1")  # the last three are typed
ERROR = "error"

# the operator on a and b, a, b, what TLC says
CASES = [
    ("a = b", "1", '"a"', ERROR),
    ("a = b", "1", "TRUE", ERROR),
    ("a = b", "{}", "1", ERROR),
    ("a = b", "<<>>", "{}", ERROR),
    ("a = b", "m1", "1", "FALSE"),
    ("a = b", "m1", "A_1", "FALSE"),
    ("a = b", "A_1", "A_2", "FALSE"),
    ("a = b", "A_1", "B_1", ERROR),
    ("a = b", "A_1", "1", ERROR),
    ("a # b", "<<1>>", '<<"a">>', ERROR),
    ("a = b", "<<1>>", '<<"a", 1>>', "FALSE"),
    ("a = b", '<<1, "a">>', "<<2, 1>>", "FALSE"),
    ("a = b", "[f |-> 1]", "[f |-> {}]", ERROR),
    ("a = b", "[f |-> 1]", "[g |-> {}]", "FALSE"),
    ("a = b", "[f |-> 1]", "<<1>>", ERROR),
    ("a = b", "[f |-> 1]", "<<>>", "FALSE"),
    ("a = b", "{1}", '{"a"}', ERROR),
    ("a = b", "{1}", '{"a", "b"}', "FALSE"),
    ("a = b", "{m1}", "{1}", "FALSE"),
    ("a = b", "{A_1}", "{1}", ERROR),
    ("{a} = {b}", "TRUE", "{TRUE}", ERROR),
    ("a \\in b", "A_1", "{1, 2}", ERROR),
    ("a \\in b", "1", "{A_1}", ERROR),
    ("a \\in b", "m1", "{A_1}", "FALSE"),
    ("a \\in b", "m1", "{1, 2}", "FALSE"),
    ("a \\in b", "<<1>>", '{<<"a">>}', ERROR),
    ("a \\notin b", "{1}", '{{"a"}}', ERROR),
    ("a \\in {b}", "B_1", '"a"', ERROR),
    ("a \\in {b, 1}", "1", '"a"', ERROR),
    ("a \\in {1, b}", "1", '"a"', "TRUE"),
    ("a \\in {1, b}", '"a"', '"a"', ERROR),
    ("a \\in 1 .. 2", "A_1", "1", ERROR),
    ("a \\in Nat", "A_1", "1", ERROR),
    ("a \\in Nat", "m1", "1", "FALSE"),
    ("a \\in Nat", '"a"', "1", ERROR),
    ("a \\in STRING", "A_1", "1", ERROR),
    ("a \\in BOOLEAN", "A_1", "1", ERROR),
    ("a \\in SUBSET b", "{1}", '{"a"}', ERROR),
    ("a \\in SUBSET b", "{B_1}", "{1, 2}", ERROR),
    ("a \\in SUBSET b", "{1, 3}", "{1, 2}", "FALSE"),
    ("a \\in SUBSET b", "1", "{1, 2}", ERROR),
    ("{a} \\subseteq b", "B_1", '{"a"}', ERROR),
    ("a \\subseteq b", "{}", '{"a"}', "TRUE"),
    ("a \\in Seq(b)", "[f |-> 1]", "{1}", ERROR),
    ("a \\in Seq(b)", "m1", "{1}", "FALSE"),
    ("<<a>> \\in Seq(b)", "1", '{"a"}', ERROR),
    ("[f |-> a] \\in [f : b]", "1", '{"a"}', ERROR),
    ("[f |-> a] \\in [f : b]", "1", "<<1>>", ERROR),
    ("[f |-> a] \\in [g : b]", "1", "{1}", "FALSE"),
    ("a \\in [f : b]", "<<1>>", "{1}", ERROR),
    ("a \\in [f : b]", "A_1", "{1}", ERROR),
    ("a \\in (b \\X b)", "[f |-> 1]", "{1}", ERROR),
    ("a \\in (b \\X b)", "<<1>>", "{1}", "FALSE"),
    ("<<a, 1>> \\in (b \\X {1})", "1", '{"a"}', ERROR),
    ("a \\in [1 .. 2 -> b]", "[f |-> 1, g |-> 1]", "{1}", ERROR),
    ("a \\in [1 .. 2 -> b]", '<<1, "a">>', "{1}", ERROR),
    ("a \\in [1 .. 2 -> b]", "<<1>>", "{1}", "FALSE"),
    ("Cardinality({a, b})", "1", '"a"', ERROR),
    ("Cardinality({a, b})", "1", "m1", "2"),
    ("Cardinality({a, b})", "A_1", "B_1", ERROR),
    ("Cardinality({a, b})", "<<1>>", '<<"a">>', ERROR),
    ("Cardinality({a, b})", "<<1>>", '<<"a", 1>>', "2"),
    ("Cardinality({{a}, {b}})", "TRUE", "1", ERROR),
    ("Cardinality({[f |-> a], [f |-> b]})", "TRUE", "1", ERROR),
    ("Cardinality({[f |-> a], [g |-> b]})", "TRUE", "1", "2"),
    ("CHOOSE x \\in {a, b} : TRUE", "1", '"a"', ERROR),
    ("{IF x = 1 THEN a ELSE b : x \\in 1 .. 2}", "1", '"a"', ERROR),
    ("a \\cup b", "{1}", '{"a"}', ERROR),
    ("a \\cup b", "{A_1}", '{"a"}', ERROR),
    ("a \\cup b", "{m1}", '{"a"}', '{m1, "a"}'),
    ("a \\cap b", "{1}", '{"a"}', ERROR),
    ("a \\ b", "{1}", '{"a"}', ERROR),
    ("a \\cap b", "{}", '{"a"}', "{}"),
    ("[b EXCEPT ![a] = 9]", '"f"', "<<1>>", ERROR),
    ("[b EXCEPT ![a] = 9]", "2", "<<1>>", "<<1>>"),
    ("b[a]", '"f"', "<<1>>", ERROR),
    ("b[a]", "m1", "<<1>>", ERROR),
    ("a < b", "1", '"a"', ERROR),
    ("a + b", "TRUE", "1", ERROR),
    ("a /\\ b", "1", "TRUE", ERROR),
    ("a \\/ b", "TRUE", "1", "TRUE"),
    ("a => b", "FALSE", "1", "TRUE"),
    ("IF a THEN b ELSE b", "1", "2", ERROR),
    ("TRUE \\/ a = b", "1", '"a"', "TRUE"),
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> core.Model:
    folder = tmp_path_factory.mktemp("comparisons")
    lines = [
        "---- MODULE Comparisons ----",
        "EXTENDS Integers, Sequences, FiniteSets",
        f"CONSTANTS {', '.join(MODEL_VALUES)}",
        "VARIABLES first, second",
        "Init == first = 0 /\\ second = 0",
        "Start(x, y) == first = x /\\ second = y",
        "Next == UNCHANGED <<first, second>>",
    ]
    for number, (operator, a, b, _) in enumerate(CASES):
        lines += [f"Op{number}(a, b) == {operator}", f"Left{number} == {a}", f"Right{number} == {b}"]
    (folder / "Comparisons.tla").write_text("\n".join([*lines, "====", ""]), encoding="utf-8")
    given = " ".join(f"{name} = {name}" for name in MODEL_VALUES)
    (folder / "Comparisons.cfg").write_text(f"CONSTANTS {given}\nINIT Init\nNEXT Next\n", encoding="utf-8")
    return load_model(Path(folder) / "Comparisons.tla")


@pytest.mark.parametrize("number", range(len(CASES)), ids=lambda n: f"{CASES[n][0]} of {CASES[n][1]} and {CASES[n][2]}")
def test_outcomes_are_those_of_tlc(model: core.Model, number: int) -> None:
    """Of two variables, whose shapes the compiler knows, and of two constants, which it evaluates beforehand."""
    definitions, expected = model.specification.definitions, CASES[number][3]
    operator, start = definitions[f"Op{number}"], definitions["Start"]
    sides = tuple(core.Call(operator.at, definitions[f"{side}{number}"]) for side in ("Left", "Right"))
    variables = tuple(core.VariableReference(operator.at, v) for v in model.specification.variables)
    system = PythonSystem(replace(model, initial=core.Call(start.at, start, sides)))
    (state,) = system.initial_states()
    forms: list[Callable[[], Value]] = [
        lambda: system.evaluate_state(core.Call(operator.at, operator, variables), state),
        lambda: system.constant(core.Call(operator.at, operator, sides)),
    ]
    assert [_outcome(form) for form in forms] == [expected, expected]


def _outcome(evaluate: Callable[[], Value]) -> str:
    try:
        return show(evaluate())
    except TlaError as error:
        assert error.kind == "evaluation" and error.at is not None
        return ERROR


def test_a_state_cannot_hold_a_set_that_tlc_cannot_sort(model: core.Model) -> None:
    """However the set came about: here by a union, in which only a few elements are compared."""
    definitions = model.specification.definitions
    start = definitions["Start"]
    at = start.at
    numbers = core.SetEnumeration(at, tuple(core.TupleExpression(at, (core.Literal(at, n),)) for n in range(20)))
    strange = core.SetEnumeration(at, (core.TupleExpression(at, (core.Literal(at, "a"),)),))
    union = core.Builtin(at, "\\cup", (numbers, strange))
    system = PythonSystem(replace(model, initial=core.Call(at, start, (union, core.Literal(at, 0)))))
    with pytest.raises(TlaError, match="TLA\\+ does not say whether they are equal"):
        list(system.initial_states())


def test_an_update_of_what_was_just_computed_at_an_index_below_one(model: core.Model) -> None:
    """The sequence must have been computed whatever the index is."""
    definitions = model.specification.definitions
    at = definitions["Start"].at
    row = core.Builtin(at, "Sequences!Tail", (core.TupleExpression(at, tuple(core.Literal(at, n) for n in (1, 2))),))
    update = core.Update((core.Literal(at, -1),), core.Literal(at, 3), core.Binding("old", at))
    assert PythonSystem(model).constant(core.Except(at, row, (update,))) == (2,)
