"""What a user reads when an expression has no value: what, where, what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from rmqproof.model.evaluate.system import check_assumptions
from rmqproof.model.tla.source import TlaError
from tests.evaluate.explore import written

HEAD = "EXTENDS Integers, Sequences, FiniteSets, TLC\nVARIABLES x, y\n"

# (expression, the text that the caret points to, part of the message)
EXPRESSIONS = [
    ('1 = "a"', '1 = "a"', "whether they are equal"),
    ("{1} = {{}}", "{1} = {{}}", "whether they are equal"),
    ('1 \\in {"a"}', '1 \\in {"a"}', "whether they are equal"),
    ("x \\div 0 = 1", "x \\div 0", "5 is divided by zero"),
    ("x % (-1) = 1", "x % (-1)", "must be positive"),
    ('x + "a" = 1', 'x + "a"', '+ needs integers, and is given a string: "a"'),
    ("y < 3", "y < 3", "< needs integers, and is given a tuple or sequence: <<7, 8>>"),
    ("y[3] = 1", "y[3]", "applied to 3, which is not in its domain {1, 2}"),
    ("y[0] = 1", "y[0]", "applied to 0, which is not in its domain {1, 2}"),
    ("[a |-> 1].b = 1", "[a |-> 1].b", "[a |-> 1] has no field b"),
    ("x[1] = 1", "x[1]", "5 is an integer, not a function"),
    ("(CASE x = 1 -> TRUE)", "CASE x = 1 -> TRUE", "no guard of this CASE is true"),
    ("(CHOOSE i \\in 1..3 : i > x) = 1", "CHOOSE i \\in 1..3 : i > x", "CHOOSE finds no element"),
    ("(CHOOSE i : i > x) = 1", "CHOOSE i : i > x", "CHOOSE without a set"),
    ("Loop(x) = 1", "Loop(n + 1)", "the recursion does not end"),
    ("Deep[x] = 1", "Deep[n + 1]", "the recursion does not end"),
    ("\\A i \\in Nat : i < x", "Nat", "Nat is not enumerable"),
    ("\\E i : i < x", "i", "ranges over everything"),
    ("Cardinality(Nat) = 1", "Cardinality(Nat)", "which is not finite"),
    ("3 \\in DOMAIN [i \\in 1..x |-> Head(SubSeq(y, 2, 1))]", "Head(SubSeq(y, 2, 1))", "Head of the empty sequence"),
    ("Head(SubSeq(y, 2, 1)) = 1", "Head(SubSeq(y, 2, 1))", "Head of the empty sequence"),
    ("Len(x) = 1", "Len(x)", "Len needs a sequence, and is given an integer: 5"),
    ("x \\in y", "x \\in y", "the right side of \\in must be a set"),
    ("x \\cup {1} = {}", "x \\cup {1}", "\\cup needs sets, and is given an integer: 5"),
    ("x", "x", "a Boolean is needed here, and this is an integer: 5"),
    ("\\A <<i, j>> \\in {x} : TRUE", "i", "a tuple of 2 is bound here, and an element of the set is 5"),
    ("[<<i, j>> \\in {<<1, 2, x>>} |-> i] = y", "[<<i, j>> \\in {<<1, 2, x>>} |-> i]", "not as long as an element"),
    ("(x = 5) /\\ y", "y", "a Boolean is needed here"),
    ("DOMAIN x = {}", "DOMAIN x", "DOMAIN needs a function"),
    ('Assert(x = 4, "not four")', 'Assert(x = 4, "not four")', "not four"),
]


def body_of(invariant: str) -> str:
    return (
        HEAD
        + "RECURSIVE Loop(_)\nLoop(n) == 1 + Loop(n + 1)\nDeep[n \\in Nat] == 1 + Deep[n + 1]\n"
        + f"Init == x = 5 /\\ y = <<7, 8>>\nNext == UNCHANGED <<x, y>>\nInv == {invariant}"
    )


@pytest.mark.parametrize(("expression", "place", "message"), EXPRESSIONS, ids=[e for e, _, _ in EXPRESSIONS])
def test_errors_in_invariants(tmp_path: Path, expression: str, place: str, message: str) -> None:
    system = written(tmp_path, body_of(expression), "INIT Init\nNEXT Next\nINVARIANT Inv\n")
    (state,) = system.initial_states()
    with pytest.raises(TlaError) as caught:
        system.invariants[0].holds(state)
    error = caught.value
    assert message in error.message
    assert error.kind == ("assert" if expression.startswith("Assert") else "evaluation")
    assert error.at is not None
    assert marked(error) == place


def marked(error: TlaError) -> str:
    """The text that an error points to."""
    at = error.at
    assert at is not None and at.line == at.end_line
    return at.source.line(at.line)[at.column - 1 : at.end_column - 1]


def test_a_variable_that_is_not_assigned(tmp_path: Path) -> None:
    system = written(tmp_path, HEAD + "Init == x = 0 /\\ y = 0\nStep == x' = 1\nNext == Step \\/ UNCHANGED <<x, y>>")
    (state,) = system.initial_states()
    with pytest.raises(TlaError, match="action Step leaves the variable y without a next value") as caught:
        list(system.successors(state))
    assert caught.value.at is not None and caught.value.at.line == 5
    assert "UNCHANGED y" in caught.value.remedy


def test_an_initial_predicate_that_is_not_complete(tmp_path: Path) -> None:
    system = written(tmp_path, HEAD + "Init == x = 0\nNext == UNCHANGED <<x, y>>")
    with pytest.raises(TlaError, match="the initial predicate gives the variable y no value"):
        list(system.initial_states())


def test_a_primed_variable_read_too_early(tmp_path: Path) -> None:
    system = written(tmp_path, HEAD + "Init == x = 0 /\\ y = 0\nNext == x' = y' + 1 /\\ y' = 1")
    (state,) = system.initial_states()
    with pytest.raises(TlaError, match="variable y is read before it has a value"):
        list(system.successors(state))


def test_successors_before_an_error_are_found_first(tmp_path: Path) -> None:
    """As in TLC, whose invariants see them before the error ends the search."""
    body = HEAD + "Init == x = 0 /\\ y = 0\nNext == y' = y /\\ (x' = 1 \\/ x' = 2 \\/ x' = 1 \\div x)"
    system = written(tmp_path, body)
    (state,) = system.initial_states()
    found = []
    with pytest.raises(TlaError, match="divided by zero"):
        for transition in system.successors(state):
            found.append(system.values(transition[2]))
    assert found == [(1, 0), (2, 0)]


def test_an_assumption_without_a_value(tmp_path: Path) -> None:
    body = HEAD + "ASSUME Fine == 1 = 1\nASSUME Wrong == 1 = 2\nASSUME Bad == Head(<<>>) = 1\nInit == x = 0 /\\ y = 0"
    system = written(tmp_path, body + "\nNext == UNCHANGED <<x, y>>")
    with pytest.raises(TlaError, match="Head of the empty sequence"):
        check_assumptions(system.model, system)


def test_an_assumption_that_is_false(tmp_path: Path) -> None:
    body = HEAD + "ASSUME Fine == 1 = 1\nASSUME Wrong == 1 = 2\nInit == x = 0 /\\ y = 0\nNext == UNCHANGED <<x, y>>"
    system = written(tmp_path, body)
    assert [name for name, _ in check_assumptions(system.model, system)] == ["Wrong"]


def test_what_is_not_needed_is_not_evaluated(tmp_path: Path) -> None:
    body = HEAD + (
        "Bad == 1 \\div 0\nPick(a, b) == IF x = 0 THEN a ELSE b\n"
        "Init == x = 0 /\\ y = <<>>\n"
        "Next == LET h == Head(y) IN IF y = <<>> THEN x' = 1 /\\ y' = y ELSE x' = h + h /\\ y' = y\n"
        "Inv == Pick(0, Bad) = 0 \\/ x = 1"
    )
    system = written(tmp_path, body, "INIT Init\nNEXT Next\nINVARIANT Inv\n")
    (state,) = system.initial_states()
    assert system.invariants[0].holds(state)
    assert [system.values(after) for _, _, after in system.successors(state)] == [(1, ())]


def test_deep_recursion(tmp_path: Path) -> None:
    body = HEAD + (
        "RECURSIVE Up(_)\nUp(n) == IF n = 0 THEN 0 ELSE 1 + Up(n - 1)\n"
        "Init == x = 4000 /\\ y = 0\nNext == x' = Up(x) /\\ y' = y"
    )
    system = written(tmp_path, body)
    (state,) = system.initial_states()
    assert [system.values(after) for _, _, after in system.successors(state)] == [(4000, 0)]


def test_a_tuple_that_is_bound_beside_a_step(tmp_path: Path) -> None:
    system = written(tmp_path, HEAD + "Init == x = 1 /\\ y = 2\nNext == \\A <<i, j>> \\in {x} : x' = 1 /\\ y' = 1")
    (state,) = system.initial_states()
    with pytest.raises(TlaError, match="a tuple of 2 is bound here") as caught:
        list(system.successors(state))
    assert caught.value.at is not None and caught.value.at.line == 5
