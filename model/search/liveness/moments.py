"""Where a search was when it met the states of a behaviour graph, for formulas that ask for that (TLC's TLCGet).

TLC evaluates what it needs for liveness while it searches. An action, and a predicate of states that it needs without
an automaton (`[]<>p`), is asked when all successors of the state before have been found; a predicate that its automaton
(tableau) reads is asked of a state each time that a step to it is found, when that is so for the state before
(`LiveCheck.addNextState`, `TBGraphNode.isConsistent`): one state can have several answers.
"""

from __future__ import annotations

from array import array

from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.system import Observing


class Moments:
    """Tells a system where a breadth-first search of a graph was, by the numbers of states."""

    def __init__(self, system: Observing, graph: BehaviourGraph) -> None:
        self._system, self._graph = system, graph
        self._levels = graph.levels()
        self._known = _known_after_each(graph)

    def expanded(self, state: int, below: int = 0) -> None:
        """All successors of a state have been found; a level is asked for that is that state's, or so much less."""
        self._now(state, self._levels[state] - below)

    def met(self, state: int, before: int, expanded: int) -> None:
        """A step from `before` to `state` is looked at when all successors of `expanded` have been found."""
        stuttering = state == before and state not in self._graph.returning
        self._now(expanded, self._levels[before] + (not stuttering))

    def begun(self, number: int) -> None:
        """The initial state of this number has been found, and no later one."""
        self._system.now(1, number + 1, number + 1, number + 1, 1)

    def _now(self, expanded: int, level: int) -> None:
        totals, known = self._graph.totals, self._known[expanded]
        total = totals[expanded] if totals else known
        self._system.now(level, total, known, known - expanded - 1, self._levels[known - 1])


def _known_after_each(graph: BehaviourGraph) -> array[int]:
    """By number, how many states are known when a state and those before it have been expanded."""
    found, known = array("I"), len(graph.initial)
    for state in range(len(graph)):
        known = max(known, 1 + max(graph.heads[graph.first[state] : graph.first[state + 1]]))
        found.append(known)
    return found
