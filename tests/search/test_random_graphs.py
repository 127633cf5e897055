"""Random graphs: the search agrees with a plain one, for any number of workers, and after a resume."""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.checkpoint import Checkpoint
from rmqproof.model.search.control import Control
from rmqproof.model.search.result import PropertyKind, Result, Stopped, Verdict
from rmqproof.model.search.simulate import Simulation
from rmqproof.model.search.state_queue import StateQueue

from .toys import Graph


@st.composite
def graphs(draw: st.DrawFn, faults: bool = True) -> Graph:
    size = draw(st.integers(1, 12))
    nodes = st.integers(0, size - 1)
    edges = draw(st.lists(st.lists(st.tuples(st.integers(0, 2), nodes), max_size=4), min_size=size, max_size=size))
    few = st.frozensets(nodes, max_size=2)
    pairs = st.frozensets(st.tuples(nodes, nodes), max_size=3)
    none = st.just(frozenset())
    return Graph(
        initial=draw(st.lists(nodes, max_size=3)),
        edges=edges,
        bad=draw(few if faults else none),
        bad_steps=draw(pairs if faults else none),
        outside=draw(few),
        forbidden=draw(pairs),
        check_deadlock=draw(st.booleans()) if faults else False,
    )


def plain(graph: Graph) -> tuple[Verdict, int, int, int, int | None]:
    """Verdict, distinct, generated, depth, states of the counterexample: the definition, with no regard for speed."""
    level: dict[int, int] = {}
    total = depth = 0

    def ends(verdict: Verdict, length: int | None) -> tuple[Verdict, int, int, int, int | None]:
        return verdict, len(level), total, depth, length

    for state in graph.initial:
        total, depth = total + 1, 1
        if state in level:
            continue
        if state not in graph.outside:
            level[state] = 1
        if state in graph.bad:
            return ends(Verdict.SAFETY, 1)
    pending = list(level)
    for state in pending:
        for _, after in graph.edges[state]:
            total += 1
            inside = after not in graph.outside and (state, after) not in graph.forbidden
            known = inside and after in level
            if inside and not known:
                level[after] = level[state] + 1
                depth = level[after]
            if not known and after in graph.bad:
                return ends(Verdict.SAFETY, level[state] + 1)
            if (state, after) in graph.bad_steps:
                return ends(Verdict.LIVENESS, level[state] + 1)
            if inside and not known:
                pending.append(after)
        if graph.check_deadlock and not graph.edges[state]:
            return ends(Verdict.DEADLOCK, level[state])
    return ends(Verdict.SUCCESS, None)


def summary(result: Result) -> tuple[Verdict, int, int, int, int | None]:
    length = len(result.behaviour) if result.violation is not None else None
    return result.verdict, result.distinct, result.total, result.depth, length


def comparable(result: Result) -> tuple:
    return (*summary(result), result.behaviour, result.coverage, result.cut, result.message, result.findings)


def assert_real(graph: Graph, result: Result) -> None:
    """The behaviour is a path of the graph that starts in an initial state and ends in what it claims."""
    steps = result.behaviour
    assert steps[0].action is None
    assert steps[0].state in graph.initial
    for before, after in pairwise(steps):
        assert ("ABC".index(after.action), after.state) in graph.edges[before.state]
    for before, after in pairwise(steps[:-1]):
        assert after.state not in graph.outside
        assert (before.state, after.state) not in graph.forbidden
    match result.violation.kind:
        case PropertyKind.INVARIANT:
            assert steps[-1].state in graph.bad
        case PropertyKind.STEP:
            assert (steps[-2].state, steps[-1].state) in graph.bad_steps
        case PropertyKind.DEADLOCK:
            assert graph.edges[steps[-1].state] == []


@given(graphs())
def test_same_as_a_plain_search(graph):
    result = BreadthFirst(graph.toy(), workers=1).run()
    assert summary(result) == plain(graph)
    if result.violation is not None:
        assert_real(graph, result)


@given(graphs(), st.integers(2, 3), st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_same_for_any_number_of_workers(graph, workers, block):
    alone = BreadthFirst(graph.toy(), workers=1).run()
    shared = BreadthFirst(graph.toy(), workers=workers, block=block).run()
    assert comparable(shared) == comparable(alone)


@given(graphs(), st.booleans())
@settings(max_examples=15, deadline=None)
def test_same_for_two_workers_when_going_on_after_a_violation(graph, many):
    alone = BreadthFirst(graph.toy(), workers=1, keep_going=True).run()
    shared = BreadthFirst(graph.toy(), workers=2, block=4 if many else 2, keep_going=True).run()
    assert comparable(shared) == comparable(alone)
    assert shared.violations == alone.violations


@given(graphs(), st.lists(st.integers(1, 6), max_size=4), st.integers(1, 2))
@settings(max_examples=20, deadline=None)
def test_same_after_stops_and_resumes(graph, stops, workers):
    whole = BreadthFirst(graph.toy(), workers=1).run()
    with tempfile.TemporaryDirectory() as folder:
        limit = 0
        resume = None
        for stop in stops:
            limit += stop
            part = BreadthFirst(graph.toy(), workers=workers, block=2, control=Control(max_states=limit), resume=resume)
            if part.run().stopped is Stopped.STATES:
                Checkpoint(Path(folder), "model").save(part.search, 0.0)
            checkpoint = Checkpoint(Path(folder), "model")
            resume = checkpoint.load() if checkpoint.exists else None
            if resume is not None:
                resume.queue = StateQueue(resume.queue, in_memory=2, chunk=2)
        resumed = BreadthFirst(graph.toy(), workers=workers, block=2, resume=resume).run()
    assert comparable(resumed) == comparable(whole)


@given(graphs(), st.integers(0, 99))
def test_a_simulated_violation_is_a_real_behaviour(graph, seed):
    def run() -> Result:
        return Simulation(graph.toy(), behaviours=20, depth=8, seed=seed).run()

    result = run()
    if result.violation is not None:
        assert_real(graph, result)
        assert len(result.behaviour) <= 8
    assert not result.exhaustive
    again = run()
    assert (again.behaviour, again.total, again.distinct) == (result.behaviour, result.total, result.distinct)


@given(graphs(faults=False), st.integers(0, 99))
def test_simulation_finds_nothing_where_nothing_is(graph, seed):
    result = Simulation(graph.toy(), behaviours=20, depth=8, seed=seed).run()
    assert result.verdict is Verdict.SUCCESS
    assert result.behaviours == (20 if any(s not in graph.outside for s in graph.initial) else 0)
