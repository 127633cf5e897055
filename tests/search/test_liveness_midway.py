"""Liveness on the part of a graph that a search has found so far: what is violated there is violated."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.formula import Atom, Predicate, always, conjunction, eventually
from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.liveness.recorder import Recorder, behaviour_graph
from rmqproof.model.search.liveness.region_check import RegionCheck
from tests.search.lassos import Steps, Tree, formula_of, holds
from tests.search.test_liveness_random import PAIRS, STATES, fairness, formulas
from tests.search.test_liveness_regions import Known, searched, toy_of
from tests.search.toys import Toy

graphs = st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=9)
starts = st.frozensets(st.sampled_from(STATES), min_size=1, max_size=2)


def parts(toy: Toy) -> Iterator[BehaviourGraph]:
    """What is known after each state."""
    recorder = Recorder()
    found: list[BehaviourGraph] = []

    def watch(states: int) -> bool:
        part = recorder.so_far()
        assert len(part) == states == len(part.first) - 1
        found.append(replace(part, states=list(part.states)))
        return False

    BreadthFirst(toy, recorder=recorder, watch=watch).run()
    return iter([*found, recorder.graph])


def check_that_it_is_one(edges: Steps, initial: frozenset[int], word: tuple[int, ...], loop: int) -> None:
    assert word[0] in initial
    assert all(pair in edges for pair in pairwise(word))
    assert word[-1] == word[loop] or (word[-1], word[loop]) in edges


@settings(max_examples=150, deadline=None)
@given(edges=graphs, initial=starts, fair=fairness, tree=formulas)
def test_what_a_part_violates_is_violated(edges: Steps, initial: frozenset[int], fair: list[Tree], tree: Tree) -> None:
    """By a behaviour that is one of the whole graph, is fair there, and is not forgotten again. Regions of the known
    states, which machine code looks at, find the same, and perhaps what steps between states of the queue make."""
    toy = toy_of(edges, initial)
    assumed, formula = conjunction(map(formula_of, fair)), formula_of(tree)
    violated = by_regions = False
    before: Evaluation | None = None
    for part in parts(toy):
        check = LivenessCheck(part, assumed)
        if before is not None:
            check.evaluation.take_over(before)
        before = check.evaluation
        lasso = check.counterexample(formula)
        assert lasso == LivenessCheck(part, assumed).counterexample(formula)
        assert lasso is not None or not violated
        violated = lasso is not None
        behaviours = []
        if lasso is not None:
            behaviours.append((tuple(part.states[i] for i in (*lasso.prefix, *lasso.cycle[1:])), len(lasso.prefix) - 1))
        regions = replace(searched(toy, part), goes_on=True)
        found = RegionCheck(regions, assumed).violated([TemporalProperty("it", formula)])
        assert found or not (violated or by_regions)
        by_regions = bool(found)
        behaviours += [(tuple(behaviour.states), behaviour.loop) for _, behaviour in found]
        for word, loop in behaviours:
            check_that_it_is_one(edges, initial, word, loop)
            assert set(word) <= set(part.states)
            assert all(holds(condition, word, loop) for condition in fair), (word, loop)
            assert not holds(tree, word, loop), (word, loop)
    whole = LivenessCheck(behaviour_graph(toy, toy.fingerprint), assumed).counterexample(formula)
    assert violated == by_regions == (whole is not None)


def test_a_state_whose_steps_are_not_known_does_not_end_a_behaviour() -> None:
    """Standing still in it is not fair, though no step from it is known."""
    edges = frozenset({(0, 1), (1, 2), (2, 3)})
    toy = toy_of(edges, {0})
    assumed, arrives = formula_of(("wf", edges)), formula_of(("eventually", ("p", {3})))
    found = list(parts(toy))
    assert [len(part) for part in found] == [1, 2, 3, 4, 4]
    assert all(LivenessCheck(part, assumed).counterexample(arrives) is None for part in found)
    unfair = [LivenessCheck(part, conjunction([])).counterexample(arrives) for part in found]
    assert None not in unfair  # without fairness it is one
    for part in found:
        check = RegionCheck(replace(searched(toy, part), goes_on=True), assumed)
        assert not check.violated([TemporalProperty("arrives", arrives)])


def test_what_was_found_out_is_known() -> None:
    """On the whole graph only what is new is evaluated: of states, of steps, and of classes of states."""
    toy = Toy([0], lambda state: [(0, (state + 1) % 40)])
    asked: list[tuple[int, ...]] = []

    def asks(*states: int) -> bool:
        asked.append(states)
        return states[0] % 3 == 0

    often = conjunction([always(eventually(Atom(Predicate(asks, step, "asks")))) for step in (False, True)])
    *some, whole = parts(toy)
    part = some[19]
    assert (len(part), part.closed) == (20, 19)
    for graph in (part, whole):
        graph.keys = lambda variables: lambda number: number // 2
    first = LivenessCheck(part, often)
    first.evaluation.everywhere([asks_state := Predicate(asks, text="of states")])
    assert first.counterexample(often) is None
    known = len(asked)
    second = LivenessCheck(whole, often)
    second.evaluation.take_over(first.evaluation)
    second.evaluation.everywhere([asks_state])
    assert len(asked) == known + 10, "one for each two of the other states"
    assert second.counterexample(often) is None
    third = LivenessCheck(whole, often)
    third.evaluation.everywhere([asks_state])
    third.counterexample(often)
    assert second.evaluation.evaluated < third.evaluation.evaluated


def test_a_region_ends_where_the_search_has_come_to() -> None:
    """Of what is not known no steps are derived; nor where there would be more states than there is room for."""
    toy = Toy([0], lambda state: [(0, (state + 1) % 100)])
    returns, met = formula_of(("eventually", ("p", {50}))), []

    class Some(Known):
        def met(self, states: bytes) -> bytearray:
            met.append(len(states) // 16)
            return super().met(states)

    graph = behaviour_graph(toy, toy.fingerprint)
    part = BehaviourGraph(graph.states[:20], [0], graph.first[:21], array("I", graph.heads[:39]))
    part.heads.append(19)  # of the last the next is not known
    regions = replace(searched(toy, part), known=Some(part), goes_on=True)
    fair = formula_of(("wf", frozenset((n, (n + 1) % 100) for n in range(100))))
    check = RegionCheck(regions, fair)
    assert not check.violated([TemporalProperty("returns", returns)])
    assert check.sizes == [(20, 39)] and sum(met) == 21
    low = formula_of(("always", ("p", {0, 1})))
    assert RegionCheck(regions, conjunction([])).violated([TemporalProperty("low", low)])
    none = RegionCheck(regions, conjunction([]), most=3)
    assert not none.violated([TemporalProperty("leads", formula_of(("leads", ("p", set(range(9))), ("p", {50}))))])
    assert none.sizes == []


@pytest.mark.parametrize("end", [1, 3, 7])
def test_a_search_ends_where_the_watch_says_so(end: int) -> None:
    """Between two states, with what is known then."""
    toy = Toy([0], lambda state: [(0, state + 1)] if state < 20 else [])
    asked: list[int] = []

    def watch(states: int) -> bool:
        asked.append(states)
        return states == end

    result = BreadthFirst(toy, watch=watch).run()
    assert asked == list(range(1, end + 1))
    assert not result.exhaustive and result.stopped is None
    assert (result.distinct, result.total, result.queue) == (end, end, 1)
