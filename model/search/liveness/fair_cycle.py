"""Find a cycle of the product on which everything that a problem asks for happens, and a short behaviour that has it.

The components of the part that may last are examined one by one. A component without an edge for something that must
recur is out. Where a choice (`<>[]p \\/ []<>q`) has no edge for q, the edges without p are taken away and what is left
is taken apart again (Streett's condition; the refinement is Emerson and Lei's, 1987).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from rmqproof.model.search.liveness.components import components
from rmqproof.model.search.liveness.formula import TRUE, Formula, conjunction
from rmqproof.model.search.liveness.graph import Evaluation
from rmqproof.model.search.liveness.problem import Problem
from rmqproof.model.search.liveness.product import Edge, Product

_LOOKED_AT = 20
"""Components, the ones reached soonest, among which the shortest behaviour is chosen."""

Wanted = Callable[[int, Edge], bool]


@dataclass(frozen=True, slots=True)
class Lasso:
    """States of the graph: `prefix` ends with the first state of `cycle`, which repeats for ever."""

    prefix: tuple[int, ...]
    cycle: tuple[int, ...]


@dataclass(slots=True)
class _Fair:
    """A component with a fair cycle: its nodes, the edges that may be used, what the cycle must have."""

    nodes: frozenset[int]
    edges: dict[int, list[Edge]]
    wanted: list[Wanted]


def fair_lasso(product: Product, problem: Problem, evaluation: Evaluation) -> Lasso | None:
    """A behaviour that solves the problem, a short one; None when there is none."""
    search = _Search(product, problem, evaluation)
    first = nsmallest(_LOOKED_AT, search.components(), key=lambda fair: min(fair.nodes))
    found = [search.lasso(fair, start) for fair in first for start in search.starts(fair)]
    return min(found, key=lambda lasso: (len(lasso.prefix) + len(lasso.cycle), len(lasso.cycle)), default=None)


class _Search:
    def __init__(self, product: Product, problem: Problem, evaluation: Evaluation) -> None:
        self.product, self.problem, self.evaluation = product, problem, evaluation

    def components(self) -> Iterator[_Fair]:
        """The components that have a fair cycle."""
        work: list[tuple[Sequence[int] | range, Formula]] = [(range(len(self.product)), self.problem.lasting)]
        while work:
            nodes, lasting = work.pop()
            for component, edges in self._parts(nodes, lasting):
                answer = self._examine(component, edges)
                if isinstance(answer, _Fair):
                    yield answer
                elif answer is not None:
                    work.append((component, conjunction([lasting, answer])))

    def _parts(self, nodes: Sequence[int], lasting: Formula) -> Iterator[tuple[list[int], dict[int, list[Edge]]]]:
        """The components of these nodes with the edges on which `lasting` holds, each with its own edges."""
        product, holds = self.product, self.evaluation.holds
        inside = None if isinstance(nodes, range) else set(nodes)
        edges: dict[int, list[Edge]] = {}
        heads: dict[int, list[int]] = {}

        def heads_of(node: int) -> list[int]:
            state = product.states[node]
            kept = [
                edge
                for edge in product.edges[node]
                if (inside is None or edge[0] in inside) and (lasting == TRUE or holds(lasting, state, edge[1]))
            ]
            edges[node] = kept
            heads[node] = [edge[0] for edge in kept]
            return heads[node]

        for component in components(nodes, heads_of, len(product)):
            members = set(component)
            own = {node: [edge for edge in edges.pop(node) if edge[0] in members] for node in component}
            if any(own.values()):
                yield component, own

    def _examine(self, nodes: list[int], edges: dict[int, list[Edge]]) -> _Fair | Formula | None:
        """A fair component, what has to last in one to come closer, or None: no cycle here is fair."""
        wanted: list[Wanted] = []
        all_edges = [(node, edge) for node in nodes for edge in edges[node]]
        if self.product.all_kept:
            kept = 0
            for _, edge in all_edges:
                kept |= edge[2]
            if kept != self.product.all_kept:
                return None
            wanted += [_keeps(bit) for bit in range(self.product.all_kept.bit_length())]
        for recurring in self.problem.recurring:
            test = self._test(recurring)
            if not any(test(node, edge) for node, edge in all_edges):
                return None
            wanted.append(test)
        missing: list[Formula] = []
        for choice in self.problem.choices:
            test = self._test(choice.recurring)
            if any(test(node, edge) for node, edge in all_edges):
                # a cycle on which the other side lasts is as good, but asking for this one is always enough
                lasts = self._test(choice.lasting)
                if not all(lasts(node, edge) for node, edge in all_edges):
                    wanted.append(test)
                continue
            lasts = self._test(choice.lasting)
            if not all(lasts(node, edge) for node, edge in all_edges):
                missing.append(choice.lasting)
        if missing:
            return conjunction(missing)
        return _Fair(frozenset(nodes), edges, wanted)

    def _test(self, formula: Formula) -> Wanted:
        holds, states = self.evaluation.holds, self.product.states
        return lambda node, edge: holds(formula, states[node], edge[1])

    # --- the behaviour -------------------------------------------------------------------------------------------

    def starts(self, fair: _Fair) -> list[int]:
        """Nodes where the cycle may begin: the one reached soonest, and the first that can stand still."""
        found = [min(fair.nodes)]
        for node in sorted(fair.nodes):
            if self._stands(fair, node):
                found.append(node)
                break
        return found

    def _stands(self, fair: _Fair, node: int) -> bool:
        return any(edge[0] == node and all(want(node, edge) for want in fair.wanted) for edge in fair.edges[node])

    def lasso(self, fair: _Fair, start: int) -> Lasso:
        """From `start` always to the nearest edge that is still wanted, and back."""
        wanted = [] if self._stands(fair, start) else list(fair.wanted)
        cycle = [start]
        here = start
        while wanted:
            path = _nearest(fair, here, _one_of(wanted))
            for node, edge in path:
                wanted = [want for want in wanted if not want(node, edge)]
                here = edge[0]
                cycle.append(here)
        if here != start or (len(cycle) == 1 and not self._stands(fair, start)):
            for _, edge in _nearest(fair, here, lambda node, edge: edge[0] == start):
                cycle.append(edge[0])
        states = self.product.states
        prefix = [states[node] for node in self.product.path_to(start)]
        return Lasso(tuple(_without_stuttering(prefix)), tuple(_cycle_of([states[node] for node in cycle])))


def _keeps(bit: int) -> Wanted:
    return lambda node, edge: bool(edge[2] >> bit & 1)


def _one_of(wanted: Sequence[Wanted]) -> Wanted:
    return lambda node, edge: any(want(node, edge) for want in wanted)


def _nearest(fair: _Fair, start: int, wanted: Wanted) -> list[tuple[int, Edge]]:
    """The shortest path of the component from `start` that ends with a wanted edge."""
    came: dict[int, tuple[int, Edge] | None] = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for edge in fair.edges[node]:
            if wanted(node, edge):
                path = [(node, edge)]
                while (before := came[path[-1][0]]) is not None:
                    path.append(before)
                return path[::-1]
            if edge[0] not in came:
                came[edge[0]] = (node, edge)
                queue.append(edge[0])
    raise AssertionError("a component has a path between any two nodes")


def _without_stuttering(states: list[int]) -> list[int]:
    return [state for index, state in enumerate(states) if index == 0 or state != states[index - 1]]


def _cycle_of(states: list[int]) -> list[int]:
    """The states of a closed walk, once around and without stuttering; one state when it stands still."""
    short = _without_stuttering(states)
    return short[:-1] if len(short) > 1 else short
