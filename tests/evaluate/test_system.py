"""What the system offers a search and a report: names, arguments, alias, post-conditions, states from outside."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from rmqproof.model.evaluate.library.operator import Runtime
from rmqproof.model.evaluate.shape import INT
from rmqproof.model.evaluate.system import check_postconditions, system_of
from rmqproof.model.evaluate.values import Function, model_value, record
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Verdict
from rmqproof.model.tla.model import load_model
from tests.evaluate.explore import SPECS, explore, load, written

LOCK = SPECS / "Lock.tla"


def test_steps_carry_the_innermost_named_action_and_its_arguments() -> None:
    system = load(LOCK, SPECS / "LockPlain.cfg")
    seen = {}
    for state in explore(system).states:
        for action, arguments, _ in system.successors(state):
            seen.setdefault(system.actions[action], arguments)
    assert set(seen) == set(system.actions) == {"Ask", "Take", "Leave", "Queue", "Grant"}
    assert seen["Grant"] == ()
    assert seen["Ask"] == (model_value("c1"),)
    (message,) = seen["Queue"]
    assert isinstance(message, Function)
    assert message == record(**{"kind": "ask", "from": message[1]})


def test_names_of_branches_that_have_none_are_those_of_the_definition_around(tmp_path: Path) -> None:
    body = (
        "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nFar(n) == x' = 0\nStep(n) == x' = x + n\n"
        "Near == x < 5 /\\ Step(1)\nUp(n) == IF x > n THEN Far(n) ELSE Near\n"
        "Next == \\/ \\E n \\in 1..2 : Up(n)\n        \\/ x = 3 /\\ x' = 9"
    )
    system = written(tmp_path, body)
    names = set()
    for state in explore(system).states:
        names |= {(system.actions[action], arguments) for action, arguments, _ in system.successors(state)}
    assert names == {("Near", ()), ("Far", (1,)), ("Far", (2,)), ("Next", ())}


def test_states_survive_pickling_and_can_be_made_from_values() -> None:
    system = load(LOCK, SPECS / "LockPlain.cfg")
    for state in explore(system).states:
        assert pickle.loads(pickle.dumps(state)) == state
        assert system.state(system.values(state)) == state


def test_a_state_that_no_step_leads_to_is_refused() -> None:
    system = load(LOCK, SPECS / "LockPlain.cfg")
    (state,) = system.initial_states()
    holder, _queue, box, served = system.values(state)
    with pytest.raises(ValueError, match="no step of the model gives queue a value like 5"):
        system.state((holder, 5, box, served))


def test_alias_shows_what_it_says(tmp_path: Path) -> None:
    body = (
        "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x + 1 /\\ x < 2\n"
        "Shown == [now |-> x, later |-> x', can |-> ENABLED Next]"
    )
    system = written(tmp_path, body, "INIT Init\nNEXT Next\nALIAS Shown\nCHECK_DEADLOCK FALSE\n")
    (first,) = system.initial_states()
    ((_, _, second),) = system.successors(first)
    assert system.alias(first, second) == {"now": 0, "later": 1, "can": True}
    ((_, _, last),) = system.successors(second)
    assert system.alias(last) == {"now": 2, "later": 2, "can": False}
    assert system.to_itf(last) == {"x": 2}


def test_postconditions_see_the_numbers_of_the_search(tmp_path: Path) -> None:
    body = (
        "EXTENDS Naturals, TLC\nVARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n"
        'Post == TLCGet("distinct") = 3 /\\ TLCGet("stats").diameter = 3'
    )
    system = written(tmp_path, body, "INIT Init\nNEXT Next\nPOSTCONDITION Post\n")
    system.runtime.distinct = system.runtime.diameter = 3
    assert check_postconditions(system) == []
    system.runtime.distinct = 4
    assert check_postconditions(system) == ["Post"]


def test_print_goes_where_the_runtime_says(tmp_path: Path) -> None:
    (tmp_path / "Test.tla").write_text(
        "---- MODULE Test ----\nEXTENDS TLC\nVARIABLE x\n"
        'Init == x = 0 /\\ PrintT(<<"start", x>>)\nNext == x\' = x\n====\n'
    )
    (tmp_path / "Test.cfg").write_text("INIT Init\nNEXT Next\n")
    written_lines: list[str] = []
    system = system_of(load_model(tmp_path / "Test.tla"), Runtime(output=written_lines.append))
    list(system.initial_states())
    assert written_lines == ['<<"start", 0>>']


def test_a_constant_prints_once(tmp_path: Path) -> None:
    """As in TLC, which computes it once: CCF's specification says which of its defaults it takes."""
    (tmp_path / "Test.tla").write_text(
        "---- MODULE Test ----\nEXTENDS Naturals, TLC\nVARIABLE x\n"
        'Most == Print("three", 3)\nLeast == Most - 3\n'
        "Init == x = Least\nNext == x < Most /\\ x' = x + 1\n====\n"
    )
    (tmp_path / "Test.cfg").write_text("INIT Init\nNEXT Next\n")
    written_lines: list[str] = []
    system = system_of(load_model(tmp_path / "Test.tla"), Runtime(output=written_lines.append))
    assert BreadthFirst(system).run().distinct == 4
    assert written_lines == ['"three"  3']


def test_a_property_is_explained_by_the_first_sentence_of_its_comment(tmp_path: Path) -> None:
    body = (
        "EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == x' = x\n"
        "\\* A reader sees zero. Nobody writes anything else.\nZero == x = 0"
    )
    system = written(tmp_path, body, "INIT Init\nNEXT Next\nINVARIANT Zero\n")
    assert [(p.name, p.sentence) for p in system.invariants] == [("Zero", "A reader sees zero.")]


def test_code_that_often_gives_up_is_replaced(tmp_path: Path) -> None:
    """A LET definition that has no value in most states must not make every state slow."""
    body = (
        "EXTENDS Naturals, Sequences\nVARIABLES x, q\nInit == x = 0 /\\ q = <<>>\n"
        "Next == \\/ x < 100 /\\ x' = x + 1 /\\ q' = q\n"
        "        \\/ LET h == Head(q) IN q # <<>> /\\ x' = h + h - h /\\ q' = Tail(q)"
    )
    system = written(tmp_path, body)
    assert explore(system).distinct == 101
    assert 0 < system.deoptimised < 30


@pytest.mark.parametrize(
    ("formula", "counts"),
    [
        ("x' \\in {y \\in 0..9 : y > x} /\\ x < 3", (10, 25)),
        ("(\\E i \\in {1, 2} : TRUE) /\\ x' = (x + 1) % 3", (3, 7)),
        ("[x' = (x + 1) % 3]_x", (3, 7)),
        ("x' = (x + 1) % 3 \\/ UNCHANGED x", (3, 7)),
        ("(x < 2 => x' = x + 1) /\\ (x >= 2 => x' = 0)", (3, 4)),
        ("\\A i \\in {x} : \\E j \\in 1..3 : j # i /\\ x' = j", (4, 10)),
    ],
)
def test_ways_through_an_action(tmp_path: Path, formula: str, counts: tuple[int, int]) -> None:
    """Distinct and generated states, the numbers that TLC prints."""
    system = written(tmp_path, f"EXTENDS Naturals\nVARIABLE x\nInit == x = 0\nNext == {formula}")
    found = explore(system)
    assert (found.distinct, found.total) == counts


def test_shapes_go_from_variable_to_variable(tmp_path: Path) -> None:
    """What one action assigns another reads: the code takes all of it, and what is learnt first is not what is used."""
    (tmp_path / "Test.tla").write_text(
        "---- MODULE Test ----\nEXTENDS Naturals, Sequences\nVARIABLES a, b, c\n"
        "Init == a = <<>> /\\ b = <<>> /\\ c = <<>>\n"
        "Third == c' = b /\\ UNCHANGED <<a, b>>\n"
        "Second == b' = a /\\ UNCHANGED <<a, c>>\n"
        "First == Len(a) < 2 /\\ a' = Append(a, [n |-> Len(a)]) /\\ UNCHANGED <<b, c>>\n"
        "Next == First \\/ Second \\/ Third\nInv == \\A i \\in DOMAIN c : c[i].n < 2\n====\n"
    )
    (tmp_path / "Test.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    system = system_of(load_model(tmp_path / "Test.tla"))
    assert len(set(system.shapes)) == 1 and system.shapes[0].element.field("n") == INT
    found = BreadthFirst(system).run()
    assert (found.distinct, found.verdict, system.deoptimised) == (10, Verdict.SUCCESS, 0)


def test_a_described_function_is_asked_for_as_an_element(tmp_path: Path) -> None:
    """The test of {f \\in Fs : P} is written for elements; the function is described, and so is Fs."""
    (tmp_path / "Test.tla").write_text(
        "---- MODULE Test ----\nEXTENDS Integers, Sequences\nVARIABLE y\n"
        "Into(S, T) == LET Fs == UNION {[U -> T] : U \\in SUBSET S}\n"
        "              IN {f \\in Fs : \\A a, b \\in DOMAIN f : a # b => f[a] # f[b]}\n"
        "Init == y = <<>>\nNext == Len(y) < 3 /\\ y' = Append(y, 1)\n"
        "Inv == [i \\in 2..Len(y) |-> i - 1] \\in Into(DOMAIN y, 1..3)\n====\n"
    )
    (tmp_path / "Test.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")
    found = BreadthFirst(system_of(replace(load_model(tmp_path / "Test.tla"), check_deadlock=False))).run()
    assert (found.distinct, found.verdict) == (4, Verdict.SUCCESS)
