"""tools.reduction measures what it says: what is left out of a graph hides no deadlock and no violation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest

from rmqproof import load
from rmqproof.model.evaluate.system import system_of
from rmqproof.model.tla import core
from tools.reduction.__main__ import measured
from tools.reduction.graph import Graph, TooLarge, explored
from tools.reduction.reduced import reduced
from tools.reduction.relations import Relation, Relations, exact, seen, static

pytestmark = pytest.mark.xdist_group("reduction")  # the random models are explored once

COUNTERS = r"""
---- MODULE Counters ----
EXTENDS Naturals
CONSTANT P
VARIABLES at, ghost
Init == at = [p \in P |-> 0] /\ ghost = 0
Step(p) == at[p] < 2 /\ at' = [at EXCEPT ![p] = @ + 1] /\ UNCHANGED ghost
Noted(p) == at[p] < 2 /\ at' = [at EXCEPT ![p] = @ + 1] /\ ghost' = IF p = "a" THEN 1 ELSE 2
Next == \E p \in P : Step(p)
NextNoted == \E p \in P : Noted(p)
InRange == \A p \in P : at[p] \in 0..2
====
"""
VARIABLES = ("u", "v", "w", "x", "y")


@dataclass(frozen=True)
class Explored:
    model: core.Model
    graph: Graph
    violating: frozenset[int]

    def found(self, relations: Relations, visible: Relation | None, proviso: bool = True) -> bool:
        """Whether the reduced search meets every deadlock, and a violation where there is one."""
        states = reduced(self.graph, relations, visible, proviso=proviso).states
        return self.graph.deadlocks <= states and (not self.violating or bool(self.violating & states))


def opened(text: str, next_step: str = "Next", constants: dict[str, str] | None = None) -> Explored:
    model = load(
        text, init="Init", next=next_step, invariants=["InRange"], constants=constants or {}, deadlock=False
    ).resolved
    system = system_of(model)
    graph = explored(system, 2_000)
    wrong = (n for n, state in enumerate(graph.states) if not all(i.holds(state) for i in system.invariants))
    return Explored(model, graph, frozenset(wrong))


def guarded(commands: Sequence[tuple[str, str, str]], wrong: str, starts: str) -> Explored:
    """Commands are (guard, variable, new value); `wrong` are the states that violate the invariant."""
    actions = []
    for number, (guard, written, value) in enumerate(commands):
        kept = ", ".join(name for name in VARIABLES if name != written)
        actions.append(f"A{number} == {guard} /\\ {written}' = {value} /\\ UNCHANGED <<{kept}>>")
    steps = " \\/ ".join(f"A{number}" for number, _ in enumerate(commands))
    lines = ["---- MODULE Guarded ----", "EXTENDS Naturals", f"VARIABLES {', '.join(VARIABLES)}", f"Init == {starts}"]
    return opened("\n".join([*lines, *actions, f"Next == {steps}", f"InRange == ~({wrong})", "===="]))


def drawn(seed: int) -> Explored:
    """A few commands over four variables, often a cycle apart from them, and an invariant that is false somewhere."""
    draw = Random(seed)
    commands = []
    for _ in range(draw.randint(3, 7)):
        written, *others = draw.sample(VARIABLES[:4], 3)
        before = draw.randint(0, 1)
        tests = [f"{name} = {draw.randint(0, 2)}" for name in others[: draw.randint(0, 1)]]
        value = str(before + 1) if draw.random() < 0.7 else f"({others[0]} + 1) % 3"
        commands.append((" /\\ ".join([f"{written} = {before}", *tests]), written, value))
    if draw.random() < 0.3:
        commands.append(("TRUE", "y", "1 - y"))
    one, other = draw.sample(VARIABLES[:4], 2)
    starts = " /\\ ".join(["y = 0", *(f"{name} = {draw.randint(0, 1)}" for name in VARIABLES[:4])])
    return guarded(commands, f"{one} = {draw.randint(0, 2)} /\\ {other} = {draw.randint(0, 2)}", starts)


@cache
def models() -> tuple[Explored, ...]:
    """Random ones, and for each condition one that needs it."""
    zero = " /\\ ".join(f"{name} = 0" for name in VARIABLES)
    conflict = guarded([("u = 0", "v", "1"), ("v = 0", "u", "1")], "u = 1 /\\ v = 0", zero)
    enabled_later = guarded([("u = 0", "u", "1"), ("u = 0 /\\ w = 1", "v", "1"), ("w = 0", "w", "1")], "v = 1", zero)
    between = guarded([("u < 2", "u", "u + 1"), ("w < 2", "w", "w + 1")], "u = 1 /\\ w = 1", zero)
    put_off = guarded([("TRUE", "y", "1 - y"), ("u = 0", "u", "1")], "u = 1", zero)
    return conflict, enabled_later, between, put_off, *(drawn(seed) for seed in range(40))


@pytest.mark.parametrize("count", [2, 4])
def test_of_independent_processes_one_order_is_left(count: int) -> None:
    names = ", ".join(f'"{name}"' for name in "abcd"[:count])
    found = opened(COUNTERS, constants={"P": f"{{{names}}}"})
    assert len(found.graph.states) == 3**count
    assert set(measured(found.model, found.graph)) == {2 * count + 1}


def test_a_ghost_that_both_write_keeps_their_order() -> None:
    found = opened(COUNTERS, "NextNoted", {"P": '{"a", "b"}'})
    one, other = range(2)
    assert exact(found.graph).dependent[one] >> other & 1
    assert static(found.model, found.graph).dependent[one] >> other & 1


def test_what_is_left_out_hides_nothing() -> None:
    smaller = 0
    for found in models():
        visible = seen(found.model, found.graph)
        for relations in exact(found.graph), static(found.model, found.graph):
            assert found.found(relations, visible)
            smaller += len(reduced(found.graph, relations, visible).states) < len(found.graph.states)
    assert smaller
    assert any(found.violating for found in models())
    assert any(found.graph.deadlocks for found in models())


def test_the_analysis_finds_every_conflict_of_the_graph() -> None:
    for found in models():
        shown, analysed = exact(found.graph), static(found.model, found.graph)
        for relation, wider in (shown.dependent, analysed.dependent), (shown.enabling, analysed.enabling):
            assert all(not one & ~other for one, other in zip(relation, wider, strict=True))


@pytest.mark.parametrize("dropped", ["conflicts", "enabling", "visibility", "proviso"])
def test_a_condition_that_is_dropped_is_missed(dropped: str) -> None:
    """Each condition is needed on one of the models: the test above would fail without it."""

    def holds(found: Explored) -> bool:
        relations = exact(found.graph)
        none = [0] * len(found.graph.instances)
        visible = seen(found.model, found.graph)
        match dropped:
            case "conflicts":
                return found.found(replace(relations, dependent=none), visible)
            case "enabling":
                return found.found(replace(relations, enabling=none), visible)
            case "visibility":
                return found.found(relations, None)
        return found.found(relations, visible, proviso=False)

    assert not all(map(holds, models()))


def test_too_large_a_model_is_left_out() -> None:
    with pytest.raises(TooLarge):
        explored(system_of(models()[0].model), 1)
