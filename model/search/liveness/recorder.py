"""The behaviour graph of a system that is explored in Python."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable
from typing import Any

from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Stop
from rmqproof.model.search.system import Observing, State, System


def heads_of(number: int, heads: Iterable[int]) -> dict[int, None]:
    """Where the steps of state `number` lead, stuttering included, each once and in order."""
    return dict.fromkeys((*heads, number))


class Recorder:
    """Builds a graph from what an exploration meets, in breadth-first order. States with one name are one."""

    def __init__(self) -> None:
        self._states: list[State] = []
        self._first: array[int] = array("Q", [0])
        self._all: array[int] = array("I")
        self.graph = BehaviourGraph(self._states, first=self._first, heads=self._all)
        self._numbers: dict[Any, int] = {}
        self._heads: list[int] = []

    def start(self, name: Any, state: State) -> None:
        """An initial state inside the constraints."""
        if name not in self._numbers:
            self.graph.initial.append(len(self._states))
            self._number(name, state)

    def step(self, name: Any, state: State) -> None:
        """A step, inside the constraints, from the first state that is not closed."""
        known = self._numbers.get(name)
        self._heads.append(known if known is not None else self._number(name, state))

    def close(self) -> None:
        """There are no more steps from that state."""
        self._all.extend(heads_of(len(self._first) - 1, self._heads))
        self._first.append(len(self._all))
        self._heads = []

    def _number(self, name: Any, state: State) -> int:
        number = self._numbers[name] = len(self._states)
        self._states.append(state)
        return number


def behaviour_graph(system: System, name: Callable[[State], Any], stop: Stop = lambda states: False) -> BehaviourGraph:
    """Explore the states inside the constraints. States with the same `name` are one.

    `stop` is asked before each state is expanded, with the number of states known. Raise `GraphStopped` when it says
    so.
    """
    recorder = Recorder()
    observing = system if isinstance(system, Observing) else None
    if observing is not None:
        observing.now(0, 0, 0, 0, 0)
    for state in system.initial_states():
        if system.within(state):
            recorder.start(name(state), state)
    graph = recorder.graph
    constrained = system.has_constraints
    expanded = total = 0
    levels = array("I", [1] * len(graph))
    while expanded < len(graph):
        if stop(len(graph)):
            raise GraphStopped
        before, level = graph.states[expanded], levels[expanded]
        if observing is not None:
            observing.now(level, total, len(graph), len(graph) - expanded, level)
        for _, _, after in system.successors(before):
            if not constrained or (system.within(after) and system.allowed(before, after)):
                recorder.step(name(after), after)
            total += 1
        levels.extend([level + 1] * (len(graph) - len(levels)))
        recorder.close()
        expanded += 1
    return graph
