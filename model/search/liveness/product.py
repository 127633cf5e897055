"""The product of a behaviour graph and an automaton: the behaviours that satisfy the automaton's formula."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.search.liveness.automaton import Automaton, Move
from rmqproof.model.search.liveness.code import GraphCode
from rmqproof.model.search.liveness.formula import TRUE, conjunction
from rmqproof.model.search.liveness.graph import BehaviourGraph, Evaluation, GraphStopped, Test, speaks_of_steps
from rmqproof.model.search.liveness.storage import Numbers

Edge = tuple[int, int, int]
"""The node that it leads to, the number of the graph's step, the promises that it keeps (bits)."""
_ASK = 4096
"""Nodes between two questions whether to stop."""


@dataclass(slots=True)
class Product:
    """Nodes are in breadth-first order, the first `starts` of them initial. `states[n]` is the graph's state at node n;
    its edges are those from `first[n]` to `first[n + 1] - 1`: to node `heads[e]`, by the graph's step `steps[e]`,
    keeping the promises `kept[e]`. `kept` None: there are none.
    """

    starts: int
    states: Numbers
    first: Numbers
    heads: Numbers
    steps: Numbers
    kept: Any = None
    all_kept: int = 0
    code: GraphCode | None = None
    _parents: array[int] = field(default_factory=lambda: array("I"))

    def __len__(self) -> int:
        return len(self.states)

    def edges(self, node: int) -> Iterator[Edge]:
        heads, steps, kept = self.heads, self.steps, self.kept
        for edge in range(self.first[node], self.first[node + 1]):
            yield heads[edge], steps[edge], kept[edge] if kept is not None else 0

    def path_to(self, node: int) -> list[int]:
        """Nodes from an initial one to `node`, as few as possible."""
        path = [node]
        while path[-1] >= self.starts:
            path.append(self._parent(path[-1]))
        return path[::-1]

    def begin_late(self, before: Callable[[int], int]) -> None:
        """From now on paths are the shortest where `before(n)` states precede the initial node n; these numbers do not
        fall with n, and no initial node is reached sooner from another one."""
        self._parents = parents = array("I", bytes(4 * len(self)))
        seen = bytearray(len(self))
        first, heads, starts = self.first, self.heads, self.starts
        reached: list[int] = []
        start = level = 0
        while reached or start < starts:
            level = level + 1 if reached else before(start)
            while start < starts and before(start) <= level:
                if not seen[start]:
                    seen[start] = 1
                    reached.append(start)
                start += 1
            tails, reached = reached, []
            for tail in tails:
                for head in heads[first[tail] : first[tail + 1]]:
                    if not seen[head]:
                        seen[head] = 1
                        parents[head] = tail
                        reached.append(head)

    def _parent(self, node: int) -> int:
        """The node from which this one was first reached."""
        if not self._parents and self.code is not None:
            self._parents = self.code.parents(self)
        if not self._parents:
            self._parents = parents = array("I", bytes(4 * len(self)))
            seen, first, heads = self.starts, self.first, self.heads
            # nodes have the numbers in which they were reached
            for tail in range(len(self)):
                for head in heads[first[tail] : first[tail + 1]]:
                    if head == seen:
                        parents[head] = tail
                        seen += 1
        return self._parents[node]


@dataclass(frozen=True, slots=True)
class _Way:
    """A move with its needs sorted: those that speak of the state alone, and the others."""

    of_state: Test
    of_step: Test | None
    target: int
    kept: int

    @classmethod
    def of(cls, move: Move, evaluation: Evaluation) -> _Way:
        of_state = conjunction(need for need in move.needs if not speaks_of_steps(need))
        of_step = conjunction(need for need in move.needs if speaks_of_steps(need))
        test = evaluation.test(of_step) if of_step != TRUE else None
        return cls(evaluation.test(of_state), test, move.target, move.kept)


def product(graph: BehaviourGraph, automaton: Automaton, evaluation: Evaluation) -> Product:
    """Explore what both can do together."""
    if automaton.trivial:
        starts, states, steps = len(graph.initial), range(len(graph)), range(len(graph.heads))
        return Product(starts, states, graph.first, graph.heads, steps, code=graph.code)
    if graph.code is not None:
        found = graph.code.product(graph, automaton, evaluation)
        if found is not None:
            return found
    return _Exploration(graph, automaton, evaluation).run()


class _Exploration:
    def __init__(self, graph: BehaviourGraph, automaton: Automaton, evaluation: Evaluation) -> None:
        self.graph, self.automaton, self.evaluation = graph, automaton, evaluation
        self.states: array[int] = array("I")
        self.places: array[int] = array("I")
        """The automaton's state at a node."""
        self._nodes: dict[int, array[int]] = {}
        """For a state of the automaton: by the graph's state the node's number and 1; 0: it is not reached."""

    def run(self) -> Product:
        graph, storage, places = self.graph, self.graph.storage, self.places
        for state in graph.initial:
            self._number(state, 0)
        starts = len(self.states)
        promises = self.automaton.all_kept.bit_length()
        first, heads = storage.column("Q"), storage.column("I")
        steps = storage.column("I" if len(graph.heads) < 1 << 32 else "Q")
        kept: Any = storage.column("B" if promises <= 8 else "Q") if promises <= 64 else []
        first.append(0)
        ways: dict[int, list[_Way]] = {}
        node = 0
        while node < len(places):
            if node % _ASK == 0 and self.evaluation.stop():
                raise GraphStopped
            place = places[node]
            if place not in ways:
                ways[place] = [_Way.of(move, self.evaluation) for move in self.automaton.moves(place)]
            edges = self._edges(self.states[node], ways[place])
            heads.extend([edge[0] for edge in edges])
            steps.extend([edge[1] for edge in edges])
            kept.extend([edge[2] for edge in edges])
            first.append(len(heads))
            node += 1
        return Product(
            starts,
            self.states,
            first.finished(),
            heads.finished(),
            steps.finished(),
            kept if isinstance(kept, list) else kept.finished(),
            self.automaton.all_kept,
            self.graph.code if promises <= 64 else None,
        )

    def _edges(self, state: int, ways: list[_Way]) -> dict[Edge, None]:
        heads, number = self.graph.heads, self._number
        steps = self.graph.steps(state)
        edges: dict[Edge, None] = {}
        for way in ways:
            if not way.of_state(state, 0):
                continue
            target, kept, of_step = way.target, way.kept, way.of_step
            for step in steps:
                if of_step is None or of_step(state, step):
                    edges[number(heads[step], target), step, kept] = None
        return edges

    def _number(self, state: int, place: int) -> int:
        nodes = self._nodes.get(place)
        if nodes is None:
            nodes = self._nodes[place] = array("I", bytes(4 * len(self.graph)))
        known = nodes[state]
        if known:
            return known - 1
        number = len(self.places)
        self.places.append(place)
        self.states.append(state)
        nodes[state] = number + 1
        return number
