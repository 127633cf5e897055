"""The product of a behaviour graph and an automaton: the behaviours that satisfy the automaton's formula."""

from __future__ import annotations

from array import array
from typing import Any

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.automaton import Automaton, Move
from rmqproof.model.search.liveness.evaluation import Evaluation, Test
from rmqproof.model.search.liveness.formula import TRUE, conjunction, speaks_of_steps
from rmqproof.model.search.liveness.graph import BehaviourGraph, Edge, GraphStopped, Product

_ASK = 4096
"""Nodes between two questions whether to stop."""


@dataclass(frozen=True, slots=True)
class Way:
    """A move with its needs sorted: those that speak of the state alone, and the others."""

    of_state: Test
    of_step: Test | None
    target: int
    kept: int

    @classmethod
    def of(cls, move: Move, evaluation: Evaluation) -> Way:
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
        self.locations: array[int] = array("I")
        """The automaton's state at a node."""
        self._nodes: dict[int, array[int]] = {}
        """For a state of the automaton: by the graph's state the node's number and 1; 0: it is not reached."""

    def run(self) -> Product:
        graph, storage, locations = self.graph, self.graph.storage, self.locations
        for state in graph.initial:
            self._number(state, 0)
        starts = len(self.states)
        promises = self.automaton.all_kept.bit_length()
        first, heads = storage.column("Q"), storage.column("I")
        steps = storage.column("I" if len(graph.heads) < 1 << 32 else "Q")
        kept: Any = storage.column("B" if promises <= 8 else "Q") if promises <= 64 else []
        first.append(0)
        ways: dict[int, list[Way]] = {}
        node = 0
        while node < len(locations):
            if node % _ASK == 0 and self.evaluation.stop():
                raise GraphStopped
            location = locations[node]
            if location not in ways:
                ways[location] = [Way.of(move, self.evaluation) for move in self.automaton.moves(location)]
            edges = self._edges(self.states[node], ways[location])
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

    def _edges(self, state: int, ways: list[Way]) -> dict[Edge, None]:
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

    def _number(self, state: int, location: int) -> int:
        nodes = self._nodes.get(location)
        if nodes is None:
            nodes = self._nodes[location] = array("I", bytes(4 * len(self.graph)))
        known = nodes[state]
        if known:
            return known - 1
        number = len(self.locations)
        self.locations.append(location)
        self.states.append(state)
        nodes[state] = number + 1
        return number
