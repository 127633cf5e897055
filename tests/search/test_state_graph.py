"""The whole graph of a small system."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rmqproof.model.search.state_graph import state_graph
from rmqproof.model.search.system import StateProperty
from tests.search.toys import Toy


def _jugs(state: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
    small, big = state
    to_big, to_small = min(small, 5 - big), min(big, 3 - small)
    yield 0, (3, big)
    yield 1, (small, 5)
    yield 2, (0, big)
    yield 3, (small, 0)
    yield 4, (small - to_big, big + to_big)
    yield 5, (small + to_small, big - to_small)


_JUGS = Toy([(0, 0)], _jugs, actions=("FillSmall", "FillBig", "EmptySmall", "EmptyBig", "SmallToBig", "BigToSmall"))


def test_every_state_and_every_step() -> None:
    graph = state_graph(_JUGS, 100)
    assert (len(graph.states), len(graph.steps)) == (16, 96)  # TLC: 16 distinct, 97 generated with the initial one
    assert graph.whole
    assert graph.initial == {0}
    assert graph.states[0] == (0, 0)
    for step in graph.steps:
        assert (step.action, graph.states[step.head]) in list(_jugs(graph.states[step.tail]))
        assert step.arguments == (step.action, "argument")


def test_parallel_steps_are_kept() -> None:
    graph = state_graph(Toy([0], lambda n: iter([(0, 1), (1, 1)]) if n == 0 else iter([]), ("A", "B")), 10)
    assert Counter((step.tail, step.head) for step in graph.steps) == {(0, 1): 2}
    assert [step.action for step in graph.steps] == [0, 1]


def test_states_in_which_an_invariant_is_false() -> None:
    never = (StateProperty("NotFour", lambda s: s[1] != 4), StateProperty("NotOne", lambda s: 1 not in s))
    graph = state_graph(Toy([(0, 0)], _jugs, _JUGS.actions, invariants=never), 100)
    by_name = {name: {graph.states[number] for number in numbers} for name, numbers in graph.violating.items()}
    assert by_name == {"NotFour": {(3, 4), (0, 4)}, "NotOne": {(1, 0), (0, 1), (1, 5), (3, 1)}}


def test_the_limit() -> None:
    graph = state_graph(_JUGS, 15)
    assert (len(graph.states), graph.whole) == (15, False)
    assert all(max(step.tail, step.head) < 15 for step in graph.steps)
    assert state_graph(_JUGS, 16).whole
    assert not state_graph(Toy([0, 1, 2], lambda n: iter([])), 2).whole


def test_constraints_cut() -> None:
    counter = Toy([0, 7], lambda n: iter([(0, n + 1), (0, n + 2)]), constraint=lambda n: n < 4)
    graph = state_graph(counter, 100)
    assert sorted(graph.states) == [0, 1, 2, 3]
    by_ones = Toy([0], counter.step, constraint=lambda n: n < 4, action_constraint=lambda a, b: b == a + 1)
    assert len(state_graph(by_ones, 100).steps) == 3


def test_a_view_identifies_states() -> None:
    graph = state_graph(Toy([0], lambda n: iter([(0, n + 1)]), view=lambda n: n % 3), 100)
    assert graph.states == (0, 1, 2)
    assert (graph.steps[-1].tail, graph.steps[-1].head) == (2, 0)
