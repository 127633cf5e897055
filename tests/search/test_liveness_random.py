"""Random formulas on random small graphs: the search for fair cycles against the naive enumeration of lassos."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rmqproof.model.search.liveness.check import LivenessCheck
from rmqproof.model.search.liveness.formula import FALSE, conjunction
from rmqproof.model.search.liveness.recorder import behaviour_graph
from tests.search.lassos import formula_of, holds, lassos
from tests.search.toys import Toy

STATES = range(4)
PAIRS = [(tail, head) for tail in STATES for head in STATES if tail != head]
steps = st.frozensets(st.sampled_from(PAIRS), max_size=6)
predicates = st.frozensets(st.sampled_from(STATES), min_size=1, max_size=3).map(lambda states: ("p", states))
moves = st.one_of(
    st.tuples(st.just("box"), steps),
    st.tuples(st.just("angle"), steps),
    st.tuples(st.sampled_from(["wf", "sf"]), steps),
)


def _grow(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.tuples(st.sampled_from(["always", "eventually", "not"]), inner),
        st.tuples(st.sampled_from(["and", "or", "leads"]), inner, inner),
    )


formulas = st.recursive(st.one_of(predicates, predicates, moves), _grow, max_leaves=5)
fairness = st.lists(st.tuples(st.sampled_from(["wf", "sf"]), steps), max_size=3)


@settings(max_examples=400, deadline=None)
@given(
    edges=st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=7),
    initial=st.frozensets(st.sampled_from(STATES), min_size=1, max_size=2),
    fair=fairness,
    tree=formulas,
)
def test_agrees_with_enumeration(edges, initial, fair, tree):
    toy = Toy(sorted(initial), lambda state: ((0, head) for tail, head in sorted(edges) if tail == state))
    graph = behaviour_graph(toy, toy.fingerprint)
    check = LivenessCheck(graph, conjunction(map(formula_of, fair)))
    whole = edges | {(state, state) for state in STATES}
    found = check.counterexample(formula_of(tree))
    if found is not None:
        word = tuple(graph.states[i] for i in (*found.prefix, *found.cycle[1:]))
        loop = len(found.prefix) - 1
        assert word[0] in initial
        assert all((before, after) in edges for before, after in pairwise(word))
        assert (word[-1], word[loop]) in whole
        assert all(holds(condition, word, loop) for condition in fair), (word, loop)
        assert not holds(tree, word, loop), (word, loop)
        return
    for word, loop in lassos(whole, initial, 2, 4):
        assert holds(tree, word, loop) or not all(holds(condition, word, loop) for condition in fair), (word, loop)


@settings(max_examples=100, deadline=None)
@given(edges=st.frozensets(st.sampled_from(PAIRS), min_size=1, max_size=7), fair=fairness)
def test_fairness_never_excludes_every_behaviour(edges, fair):
    """Fairness of actions that are steps of the system: what has happened can go on fairly."""
    toy = Toy([0], lambda state: ((0, head) for tail, head in sorted(edges) if tail == state))
    check = LivenessCheck(
        behaviour_graph(toy, toy.fingerprint), conjunction(formula_of((kind, steps & edges)) for kind, steps in fair)
    )
    assert check.counterexample(FALSE) is not None
