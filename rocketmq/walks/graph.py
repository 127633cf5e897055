"""The state graph of a model, and walks from its initial state that take every edge."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rmqproof.conformance.subject import ModelSubject
from rmqproof.model.evaluate.itf import to_itf


class Edge(NamedTuple):
    """A step: the numbers of its states, and what is asked for; `place` is its number among all edges."""

    place: int
    source: int
    target: int
    action: str
    arguments: tuple[Any, ...]


@dataclass(slots=True)
class Graph:
    """States by number, the initial one is 0; `out`: the edges of each."""

    subject: ModelSubject
    states: list[Any] = field(default_factory=list)
    out: list[list[Edge]] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)

    def state(self, number: int) -> dict[str, Any]:
        """As ITF JSON."""
        return self.subject.system.to_itf(self.states[number])


def graph_of(subject: ModelSubject, most: int = 200_000) -> Graph:
    """Raise `ValueError` when it has more states, or several initial ones."""
    system = subject.system
    graph = Graph(subject, list(dict.fromkeys(system.initial_states())))
    if len(graph.states) != 1:
        raise ValueError(f"{subject.name} has {len(graph.states)} initial states; a walk begins in one.")
    known = {graph.states[0]: 0}
    for number, state in enumerate(graph.states):
        found: dict[tuple[str, Any, int], Edge] = {}
        for action, arguments, target in system.successors(state):
            to = known.get(target)
            if to is None:
                to = known[target] = len(graph.states)
                if to >= most:
                    raise ValueError(f"{subject.name} has more than {most:,} states; take a smaller model.")
                graph.states.append(target)
            name = system.actions[action]
            if (name, arguments, to) not in found:
                given = tuple(to_itf(each) for each in arguments)
                edge = Edge(len(graph.edges), number, to, name, given)
                found[name, arguments, to] = edge
                graph.edges.append(edge)
        graph.out.append(list(found.values()))
    return graph


class Tour:
    """Chooses the next edge of a walk: one that was not taken, else the way to the nearest such one."""

    def __init__(self, graph: Graph, wanted: Collection[int]) -> None:
        """`wanted`: the places of the edges to be taken; the others are ways only."""
        self.graph = graph
        self.left = set(wanted)
        self.closed: set[int] = set()
        """Edges that a walk must not take: they were skipped, or the class took them otherwise."""

    def out_of_reach(self) -> list[int]:
        """The edges that are left and that no walk comes to."""
        met, todo = {0}, [0]
        while todo:
            for edge in self.graph.out[todo.pop()]:
                if edge.place not in self.closed and edge.target not in met:
                    met.add(edge.target)
                    todo.append(edge.target)
        return sorted(place for place in self.left if self.graph.edges[place].source not in met)

    def next_walk(self) -> Iterator[Edge]:
        """The edges of a walk from the initial state; the caller takes each, or closes it and stops."""
        at = 0
        while self.left:
            way = self._way(at)
            if not way:
                return
            for edge in way:
                yield edge
                if edge.place in self.closed:
                    return
            at = way[-1].target

    def _way(self, at: int) -> list[Edge]:
        """The shortest way to an edge that is left, that edge the last."""
        before: dict[int, Edge | None] = {at: None}
        queue = deque([at])
        while queue:
            number = queue.popleft()
            for edge in self.graph.out[number]:
                if edge.place in self.closed:
                    continue
                if edge.place in self.left:
                    way = [edge]
                    back = before[number]
                    while back is not None:
                        way.append(back)
                        back = before[back.source]
                    return way[::-1]
                if edge.target not in before:
                    before[edge.target] = edge
                    queue.append(edge.target)
        return []
