"""Liveness without the steps of the whole graph: the same verdicts, by behaviours as short."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.native.graph_code import graph_code
from rmqproof.model.search.liveness.check import LivenessCheck, TemporalProperty
from rmqproof.model.search.liveness.formula import (
    FALSE,
    TRUE,
    Atom,
    Formula,
    Predicate,
    always,
    conjunction,
    disjunction,
    eventually,
    negation,
)
from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped
from rmqproof.model.search.liveness.problem import problems
from rmqproof.model.search.liveness.recorder import behaviour_graph
from rmqproof.model.search.liveness.region_check import RegionCheck, regions_suffice
from rmqproof.model.search.liveness.region_graph import Searched
from rmqproof.model.search.liveness.regions import Region, region, standing
from rmqproof.model.search.liveness.storage import Storage
from tests.search.lassos import formula_of, holds
from tests.search.test_liveness_random import PAIRS, STATES, fairness, formulas
from tests.search.test_liveness_sources import PackedToy
from tests.search.toys import Toy

x = Atom(Predicate(lambda state: state == 1, text="x"))
y = Atom(Predicate(lambda state: state == 2, text="y"))
go = Atom(Predicate(lambda before, after: after > before, True, "go", stuttering=False))


class FingerprintedToy(PackedToy):
    def fingerprints(self, states: bytes) -> bytes:
        return array("Q", [self.toy.fingerprint(state) for state in array("Q", bytes(states))[::2]]).tobytes()


@dataclass
class Known:
    """The states of a graph, as a search would leave them."""

    graph: BehaviourGraph
    parents: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        seen = set(self.graph.initial)
        for tail in range(len(self.graph)):
            for step in self.graph.steps(tail):
                head = self.graph.heads[step]
                if head not in seen:
                    seen.add(head)
                    self.parents[head] = tail

    def __len__(self) -> int:
        return len(self.graph)

    def read(self, first: int, count: int) -> bytearray:
        states = self.graph.states[first : first + count]
        return bytearray(array("Q", [word for state in states for word in (state, state % 2)]).tobytes())

    def before(self, number: int) -> int:
        return len(self.path(number)) - 1

    def met(self, states: bytes) -> bytearray:
        return bytearray(state in self.graph.states for state in array("Q", bytes(states))[::2])

    def path(self, number: int) -> list[int]:
        found = [number]
        while found[-1] in self.parents:
            found.append(self.parents[found[-1]])
        return [self.graph.states[number] for number in reversed(found)]


def searched(toy: Toy, graph: BehaviourGraph, stop=lambda: False) -> Searched:
    return Searched(
        Known(graph), FingerprintedToy(toy), graph_code(), None, lambda words: words[0], None, Storage(), stop
    )


def toy_of(edges, initial) -> Toy:
    return Toy(sorted(initial), lambda state: ((0, head) for tail, head in sorted(edges) if tail == state))


def recurring(part: Region) -> bool:
    return part.problem.rest == TRUE and bool(part.problem.recurring)


@settings(max_examples=150, deadline=None)
@given(
    edges=st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=9),
    initial=st.frozensets(st.sampled_from(STATES), min_size=1, max_size=2),
    fair=fairness,
    tree=formulas,
)
def test_verdicts_are_those_of_the_whole_graph(edges, initial, fair, tree):
    toy = toy_of(edges, initial)
    graph = behaviour_graph(toy, toy.fingerprint)
    assumed, formula = conjunction(map(formula_of, fair)), formula_of(tree)
    expected = LivenessCheck(graph, assumed).counterexample(formula)
    check = RegionCheck(searched(toy, graph), assumed)
    prop = TemporalProperty("it", formula)
    found = check.violated([prop])
    assert bool(found) == (expected is not None)
    for _, behaviour in [*found, *check.stands([prop])]:
        word, loop = tuple(behaviour.states), behaviour.loop
        assert word[0] in initial
        assert all(pair in edges for pair in pairwise(word))
        assert word[-1] == word[loop] or (word[-1], word[loop]) in edges
        assert all(holds(condition, word, loop) for condition in fair), (word, loop)
        assert not holds(tree, word, loop), (word, loop)
    if expected is not None:
        length = len(expected.prefix) + len(expected.cycle) - 1
        parts = [region(problem) for problem in problems(conjunction([assumed, negation(formula)]))]
        if not any(part.problem.recurring or part.problem.choices for part in parts):
            assert len(found[0][1].states) <= length
        else:  # the cycle has to come by what recurs, from where it is entered
            assert len(found[0][1].states) <= length + len(graph)
    some_fair = LivenessCheck(graph, assumed).counterexample(FALSE) is not None
    assert check.some_fair() in ((True, None) if some_fair else (None,))


def the_region(formula: Formula, fair: Formula = TRUE) -> Region:
    (part,) = (region(problem) for problem in problems(conjunction([fair, negation(formula)])))
    return part


def test_where_counterexamples_lie():
    leads = the_region(always(disjunction([negation(x), eventually(y)])))
    assert (leads.anywhere, leads.entries, leads.stay) == (True, (conjunction([x, negation(y)]),), negation(y))
    never = the_region(eventually(x))
    assert (never.anywhere, never.entries, never.stay) == (False, (negation(x),), negation(x))
    often = the_region(always(eventually(x)))
    assert (often.anywhere, often.entries, often.stay) == (True, (negation(x),), negation(x))
    at_last = the_region(eventually(always(x)))
    assert (at_last.anywhere, at_last.entries, at_last.stay) == (True, (negation(x),), TRUE)
    weak = the_region(always(eventually(disjunction([negation(x), go]))))
    assert (weak.anywhere, weak.entries, weak.stay) == (True, (x,), x)
    taken = always(eventually(go))
    assert the_region(taken).whole and not regions_suffice(TRUE, [TemporalProperty("taken", taken)])
    assert regions_suffice(taken, [TemporalProperty("often", always(eventually(x)))])


def test_standing_still():
    def still(formula: Formula) -> Formula | None:
        (problem,) = problems(negation(formula))
        return standing(problem)

    assert still(always(disjunction([negation(x), eventually(y)]))) == conjunction([x, negation(y)])
    assert still(always(eventually(disjunction([x, go])))) == negation(x)
    assert still(eventually(always(disjunction([x, go])))) == negation(x)
    unknown = Atom(Predicate(lambda before, after: True, True))
    assert still(always(eventually(disjunction([x, unknown])))) is None


def test_a_part_of_a_long_chain():
    """0 to 9,999; from 5,000 to 5,009 one may stay for ever in a ring, and the last state is one where all ends."""

    def step(n: int) -> list[tuple[int, int]]:
        return [(0, n + 1)] * (n < 9_999) + [(0, 5_000)] * (n == 5_009)

    toy = Toy([0], lambda n: iter(step(n)))
    graph = behaviour_graph(toy, toy.fingerprint)
    ring = Atom(Predicate(lambda n: 5_000 <= n < 5_010))
    left = Atom(Predicate(lambda n: n >= 5_010))
    moves = Atom(Predicate(lambda before, after: before != after, True, stuttering=False))
    fair = always(eventually(disjunction([moves, Atom(Predicate(lambda n: n == 9_999))])))
    check = RegionCheck(searched(toy, graph), fair)
    ((_, found),) = check.violated(
        [TemporalProperty("leaves", always(disjunction([negation(ring), eventually(left)])))]
    )
    assert (found.states, found.loop) == ([*range(5_010), 5_000], 5_001)
    assert check.sizes == [(10, 20)], "ten states, each with the step to the next one and to itself"
    late = [TemporalProperty(f"{n}", eventually(always(disjunction([left, ring])))) for n in range(2)]
    check = RegionCheck(check.searched, fair)
    assert not check.violated(late)
    assert check.sizes == [(10_000, 20_000)], "two properties have the same region, explored once"
    goes_on = TemporalProperty("goes on", always(eventually(negation(left))))
    ((_, stuck),) = check.stands([goes_on])
    assert (stuck.states[-1], stuck.loop) == (9_999, 9_999)
    assert check.stands([goes_on], first=9_999) and not RegionCheck(check.searched, TRUE).stands([goes_on], 10_000)
    assert check.some_fair()


def test_stops_when_asked_and_passes_on_what_a_predicate_raises():
    toy = toy_of(frozenset({(0, 1), (1, 0)}), {0})
    graph = behaviour_graph(toy, toy.fingerprint)
    often = [TemporalProperty("often", always(eventually(x)))]
    with pytest.raises(GraphStopped):
        RegionCheck(searched(toy, graph, stop=lambda: True), TRUE).violated(often)

    def broken(n: int) -> bool:
        raise ZeroDivisionError(f"state {n}")

    with pytest.raises(ZeroDivisionError, match="state 0"):
        RegionCheck(searched(toy, graph), TRUE).violated(
            [TemporalProperty("it", always(eventually(Atom(Predicate(broken)))))]
        )
