"""The behaviour graph: every reachable state and every step, stuttering steps included."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.search.liveness.formula import And, Atom, Formula, Or, Predicate, Truth
from rmqproof.model.search.system import State, System

Stop = Callable[[int], bool]
_ASK = 4096
"""Predicates evaluated between two questions whether to stop."""


@dataclass(slots=True)
class BehaviourGraph:
    """`states` by number, `initial` ones; the steps from state n are the numbers `first[n]` to `first[n + 1] - 1`,
    and step e leads to state `heads[e]`. One of them is the stuttering step, to n itself; there are no two alike.
    """

    states: list[State] = field(default_factory=list)
    initial: list[int] = field(default_factory=list)
    first: array[int] = field(default_factory=lambda: array("Q", [0]))
    heads: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.states)

    def steps(self, state: int) -> range:
        return range(self.first[state], self.first[state + 1])

    def close(self, heads: Sequence[int]) -> None:
        """The next state's real steps are known, and lead to `heads`."""
        number = len(self.first) - 1
        self.heads.extend(dict.fromkeys((*heads, number)))
        self.first.append(len(self.heads))


class GraphStopped(Exception):  # a request, not an error
    """The exploration was asked to stop."""


class Recorder:
    """Builds a graph from what an exploration meets, in breadth-first order. States with one name are one."""

    def __init__(self) -> None:
        self.graph = BehaviourGraph()
        self._numbers: dict[Any, int] = {}
        self._heads: list[int] = []

    def start(self, name: Any, state: State) -> None:
        """An initial state inside the constraints."""
        if name not in self._numbers:
            self.graph.initial.append(len(self.graph.states))
            self._number(name, state)

    def step(self, name: Any, state: State) -> None:
        """A step, inside the constraints, from the first state that is not closed."""
        known = self._numbers.get(name)
        self._heads.append(known if known is not None else self._number(name, state))

    def close(self) -> None:
        """There are no more steps from that state."""
        self.graph.close(self._heads)
        self._heads = []

    def _number(self, name: Any, state: State) -> int:
        number = self._numbers[name] = len(self.graph.states)
        self.graph.states.append(state)
        return number


def behaviour_graph(system: System, name: Callable[[State], Any], stop: Stop = lambda states: False) -> BehaviourGraph:
    """Explore the states inside the constraints. States with the same `name` are one.

    `stop` is asked before each state is expanded, with the number of states known. Raise `GraphStopped` when it says
    so.
    """
    recorder = Recorder()
    for state in system.initial_states():
        if system.within(state):
            recorder.start(name(state), state)
    graph = recorder.graph
    constrained = system.has_constraints
    expanded = 0
    while expanded < len(graph):
        if stop(len(graph)):
            raise GraphStopped
        before = graph.states[expanded]
        for _, _, after in system.successors(before):
            if not constrained or (system.within(after) and system.allowed(before, after)):
                recorder.step(name(after), after)
        recorder.close()
        expanded += 1
    return graph


class Evaluation:
    """Propositions on the steps of a graph; each predicate is evaluated once for each state or step, when asked for."""

    def __init__(self, graph: BehaviourGraph, stop: Callable[[], bool] = lambda: False) -> None:
        self.graph, self.stop = graph, stop
        self._evaluated = 0
        self._known: dict[Predicate, bytearray] = {}

    def holds(self, formula: Formula, tail: int, step: int) -> bool:
        """Whether the proposition is true of step number `step`, from state `tail`."""
        match formula:
            case Atom(predicate, positive):
                return self._predicate(predicate, tail, step) is positive
            case And(parts):
                return all(self.holds(part, tail, step) for part in parts)
            case Or(parts):
                return any(self.holds(part, tail, step) for part in parts)
            case Truth(value):
                return value
        raise TypeError(f"{formula} is not a proposition")

    def _predicate(self, predicate: Predicate, tail: int, step: int) -> bool:
        known = self._known.get(predicate)
        if known is None:
            known = self._known[predicate] = bytearray(len(self.graph.heads if predicate.step else self.graph.states))
        place = step if predicate.step else tail
        if not known[place]:
            self._evaluated += 1
            if self._evaluated % _ASK == 0 and self.stop():
                raise GraphStopped
            states = self.graph.states
            if predicate.step:
                answer = predicate.test(states[tail], states[self.graph.heads[step]])
            else:
                answer = predicate.test(states[tail])
            known[place] = 2 if answer else 1
        return known[place] == 2


def speaks_of_steps(formula: Formula) -> bool:
    """Whether a proposition has a step predicate."""
    if isinstance(formula, And | Or):
        return any(speaks_of_steps(part) for part in formula.parts)
    return isinstance(formula, Atom) and formula.predicate.step
