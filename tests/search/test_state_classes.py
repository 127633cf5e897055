"""Predicates of states in Python are asked once for states with the same values of what they read."""

from __future__ import annotations

from rmqproof.model.checking.state_classes import StateClasses
from rmqproof.model.search.liveness.evaluation import Evaluation
from rmqproof.model.search.liveness.formula import Atom, Predicate
from rmqproof.model.search.liveness.graph import BehaviourGraph

STATES = [(turn % 3, frozenset({turn % 2}), turn, hash(turn)) for turn in range(60)]


def test_a_predicate_is_asked_once_for_the_values_that_it_reads() -> None:
    evaluation = Evaluation(BehaviourGraph(STATES, keys=StateClasses(STATES).keys))
    both = Predicate(lambda state: state[0] == 1 and 0 in state[1], reads=frozenset({0, 1}))
    last = Predicate(lambda state: state[2] > 7, reads=frozenset({2}))
    for predicate in (both, last):
        for number, state in enumerate(STATES):
            assert evaluation.holds(Atom(predicate), number, 0) is predicate.test(state)
    assert evaluation.evaluated == 6 + len(STATES)


def test_what_reads_everything_or_what_is_not_known_is_asked_of_each() -> None:
    classes = StateClasses(STATES)
    assert classes.keys(None) is None and classes.keys(frozenset({0, 1, 2})) is None
    assert StateClasses([]).keys(frozenset({0})) is None
