"""Fair cycles on graphs worked out by hand."""

from __future__ import annotations

from collections.abc import Collection

from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.components import components
from rmqproof.model.search.liveness.formula import FALSE, TRUE, conjunction
from rmqproof.model.search.liveness.recorder import behaviour_graph
from tests.search.lassos import Tree, formula_of
from tests.search.toys import Toy

Pairs = Collection[tuple[int, int]]


def check(edges: Pairs, *fairness: Tree, start: int = 0) -> LivenessCheck:
    toy = Toy([start], lambda state: ((0, head) for tail, head in edges if tail == state))
    return LivenessCheck(behaviour_graph(toy, toy.fingerprint), conjunction(map(formula_of, fairness)))


def reach(*states: int) -> Tree:
    return ("eventually", ("p", set(states)))


def test_strong_fairness_takes_a_component_apart():
    """0 and 1 make a cycle on which the step to 2 is enabled again and again; staying at 1 is fair."""
    edges = [(0, 1), (1, 0), (0, 2)]
    way_out = {(0, 2)}
    found = check(edges, ("sf", way_out)).counterexample(formula_of(reach(2)))
    assert found is not None and (found.prefix, found.cycle) == ((0, 1), (1,))
    assert check(edges, ("sf", way_out), ("wf", set(edges))).counterexample(formula_of(reach(2))) is None
    found = check(edges, ("wf", way_out), ("wf", set(edges))).counterexample(formula_of(reach(2)))
    assert found is not None and sorted(found.cycle) == [0, 1]


def test_two_strong_conditions_one_inside_the_other():
    """Without the states of one condition the other still has to be looked at."""
    edges = [(0, 1), (1, 2), (2, 1), (2, 0), (0, 3), (1, 3)]
    both = ("sf", {(0, 3)}), ("sf", {(1, 3)})
    loose = check(edges, *both)
    found = loose.counterexample(formula_of(reach(3)))
    assert found is not None and [loose.graph.states[number] for number in found.cycle] == [2]
    assert check(edges, *both, ("wf", set(edges))).counterexample(formula_of(reach(3))) is None


def test_counterexample_is_the_one_reached_soonest():
    edges = [(0, 1), (1, 2), (2, 3), (3, 1), (0, 4), (4, 5), (5, 6), (6, 5)]
    found = check(edges, ("wf", set(edges))).counterexample(formula_of(reach(7)))
    assert found is not None
    assert len(found.prefix) + len(found.cycle) == 5


def test_no_state_no_behaviour():
    toy = Toy([], lambda state: iter(()))
    assert LivenessCheck(behaviour_graph(toy, toy.fingerprint), TRUE).counterexample(FALSE) is None


def test_unfair_conditions_leave_no_behaviour():
    never = ("always", ("not", ("p", {0, 1})))
    assert check([(0, 1), (1, 0)], never).counterexample(FALSE) is None


def test_components_of_a_long_path_need_no_recursion():
    count = 100_000
    found = list(components(range(count), lambda node: [node + 1] if node + 1 < count else [count // 2], count))
    assert max(map(len, found)) == count - count // 2
    assert sum(map(len, found)) == count
