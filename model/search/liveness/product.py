"""The product of a behaviour graph and an automaton: the behaviours that satisfy the automaton's formula."""

from __future__ import annotations

from dataclasses import dataclass, field

from rmqproof.model.search.liveness.automaton import Automaton
from rmqproof.model.search.liveness.formula import Formula
from rmqproof.model.search.liveness.graph import BehaviourGraph, Evaluation, speaks_of_steps

Edge = tuple[int, int, int]
"""The node that it leads to, the number of the graph's step, the promises that it keeps (bits)."""


@dataclass(slots=True)
class Product:
    """`states[n]` is the graph's state at node n, `edges[n]` the ways on from there; nodes are in breadth-first order,
    and `parents[n]` is the node from which n was first reached (-1 for an initial one).
    """

    states: list[int] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    all_kept: int = 0

    def __len__(self) -> int:
        return len(self.states)

    def path_to(self, node: int) -> list[int]:
        """Nodes from an initial one to `node`, as few as possible."""
        path = [node]
        while (parent := self.parents[path[-1]]) >= 0:
            path.append(parent)
        return path[::-1]


def product(graph: BehaviourGraph, automaton: Automaton, evaluation: Evaluation) -> Product:
    """Explore what both can do together."""
    found = Product(all_kept=automaton.all_kept)
    numbers: dict[tuple[int, int], int] = {}
    places: list[int] = []
    parts: dict[int, list[tuple[tuple[Formula, ...], tuple[Formula, ...], int, int]]] = {}

    def number(state: int, place: int, parent: int) -> int:
        key = (state, place)
        known = numbers.get(key)
        if known is None:
            known = numbers[key] = len(places)
            places.append(place)
            found.states.append(state)
            found.parents.append(parent)
        return known

    for state in graph.initial:
        number(state, 0, -1)
    heads, holds = graph.heads, evaluation.holds
    node = 0
    while node < len(places):
        state, place = found.states[node], places[node]
        if place not in parts:
            parts[place] = [
                (
                    tuple(need for need in move.needs if not speaks_of_steps(need)),
                    tuple(need for need in move.needs if speaks_of_steps(need)),
                    move.target,
                    move.kept,
                )
                for move in automaton.moves(place)
            ]
        steps = graph.steps(state)
        edges: dict[Edge, None] = {}
        for of_state, of_step, target, kept in parts[place]:
            if not all(holds(need, state, 0) for need in of_state):
                continue
            for step in steps:
                if all(holds(need, state, step) for need in of_step):
                    edges[number(heads[step], target, node), step, kept] = None
        found.edges.append(list(edges))
        node += 1
    return found
