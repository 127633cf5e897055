"""The behaviour graph of a system that is explored in Python."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable
from typing import Any

from rmqproof.model.search.liveness.graph import BehaviourGraph, GraphStopped, Stop
from rmqproof.model.search.system import Observing, State, System


def heads_of(number: int, heads: Iterable[int]) -> dict[int, None]:
    """Where the steps of state `number` lead, stuttering included, each once and in order."""
    return dict.fromkeys((*heads, number))


class Recorder:
    """Builds a graph from what an exploration meets, in breadth-first order. States with one name are one.

    `apart`, if it is given, tells apart also states of one name: steps are then told from each other by it.
    """

    def __init__(self, apart: Callable[[State], Hashable] | None = None) -> None:
        self._apart = apart
        self._states: list[State] = []
        self._first: array[int] = array("Q", [0])
        self._all: array[int] = array("I")
        self.graph = BehaviourGraph(self._states, first=self._first, heads=self._all)
        self._numbers: dict[Any, int] = {}
        self._heads: list[int] = []
        self._after: list[State] = []
        """Where those steps lead, with `apart`."""

    def start(self, name: Any, state: State) -> None:
        """An initial state inside the constraints."""
        if name not in self._numbers:
            self.graph.initial.append(len(self._states))
            self._number(name, state)

    def step(self, name: Any, state: State) -> None:
        """A step, inside the constraints, from the first state that is not closed."""
        known = self._numbers.get(name)
        self._heads.append(known if known is not None else self._number(name, state))
        if self._apart is not None:
            self._after.append(state)

    def close(self, total: int | None = None) -> None:
        """There are no more steps from that state; `total` states have been generated until now, if that may matter."""
        number = len(self._first) - 1
        if total is not None:
            self.graph.totals.append(total)
            if number in self._heads:
                self.graph.returning.add(number)
        if self._apart is None:
            self._all.extend(heads_of(number, self._heads))
        else:
            self._close_apart(number, self._apart)
        self._first.append(len(self._all))
        self._heads = []

    def so_far(self) -> BehaviourGraph:
        """The part of the graph that is known: a state that is not closed has no step but the stuttering one.

        So each behaviour in it is one of the whole graph, and what is enabled in a state is no matter of its steps.
        It shares the states, and is true as long as there are no more of them.
        """
        first, heads = self._first[:], self._all[:]
        closed = len(first) - 1
        for number in range(closed, len(self._states)):
            heads.append(number)
            first.append(len(heads))
        return BehaviourGraph(self._states, list(self.graph.initial), first, heads, closed=closed)

    def _close_apart(self, number: int, apart: Callable[[State], Hashable]) -> None:
        steps = {(head, apart(state)): state for head, state in zip(self._heads, self._after, strict=True)}
        steps.setdefault((number, apart(self._states[number])), self._states[number])
        for (head, found), state in steps.items():
            if found != apart(self._states[head]):
                self.graph.after[len(self._all)] = state
            self._all.append(head)
        self._after = []

    def _number(self, name: Any, state: State) -> int:
        number = self._numbers[name] = len(self._states)
        self._states.append(state)
        return number


def behaviour_graph(
    system: System,
    name: Callable[[State], Any],
    stop: Stop = lambda states: False,
    apart: Callable[[State], Hashable] | None = None,
) -> BehaviourGraph:
    """Explore the states inside the constraints. States with the same `name` are one; steps to different ones of them,
    as `apart` tells, are remembered.

    `stop` is asked before each state is expanded, with the number of states known. Raise `GraphStopped` when it says
    so.
    """
    recorder = Recorder(apart)
    graph = recorder.graph
    observing = system if isinstance(system, Observing) else None
    expanded = total = level = 0

    def tell() -> None:
        if observing is not None:
            queue = len(graph) - expanded - 1
            observing.now(level, total, len(graph), queue, levels[-1])

    if observing is not None:
        observing.now(0, 0, 0, 0, 0)
    for total, state in enumerate(system.initial_states(), 1):  # noqa: B007
        if system.within(state):
            recorder.start(name(state), state)
    constrained = system.has_constraints
    levels = array("I", [1] * len(graph))
    while expanded < len(graph):
        if stop(len(graph)):
            raise GraphStopped
        before, level = graph.states[expanded], levels[expanded]
        tell()
        for _, _, after in system.successors(before):
            total += 1
            tell()
            if not constrained or (system.within(after) and system.allowed(before, after)):
                recorder.step(name(after), after)
                levels.extend([level + 1] * (len(graph) - len(levels)))
        recorder.close(total)
        expanded += 1
    return graph
