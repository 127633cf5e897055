"""Find a cycle of the product on which everything that a problem asks for happens, and a short behaviour that has it.

The components of the part that may last are examined one by one. A component without an edge for something that must
recur is out. Where a choice (`<>[]p \\/ []<>q`) has no edge for q, the edges without p are taken away and what is left
is taken apart again (Streett's condition; the refinement is Emerson and Lei's, 1987).
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field
from heapq import nsmallest
from typing import Literal

from rmqproof.model.records import dataclass
from rmqproof.model.search.liveness.components import components
from rmqproof.model.search.liveness.evaluation import Evaluation, Test
from rmqproof.model.search.liveness.formula import TRUE, Formula, conjunction
from rmqproof.model.search.liveness.graph import Edge, GraphCode, Product
from rmqproof.model.search.liveness.problem import Problem

_LOOKED_AT = 20
"""Components, the ones reached soonest, among which the shortest behaviour is chosen."""

Wanted = Callable[[int, Edge], bool]


class Nodes(Collection[int]):
    """Nodes of a product, in ascending order: a part can have most of them."""

    def __init__(self, numbers: Iterable[int]) -> None:
        self._numbers = array("I", sorted(numbers))
        self._bits = bytearray(self._numbers[-1] // 8 + 1)
        for number in self._numbers:
            self._bits[number >> 3] |= 1 << (number & 7)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __contains__(self, number: object) -> bool:
        return (
            isinstance(number, int)
            and number >> 3 < len(self._bits)
            and bool(self._bits[number >> 3] >> (number & 7) & 1)
        )


@dataclass(frozen=True, slots=True)
class Lasso:
    """States of the graph: `prefix` ends with the first state of `cycle`, which repeats for ever."""

    prefix: tuple[int, ...]
    cycle: tuple[int, ...]


@dataclass(slots=True)
class _Part:
    """A strongly connected part of the product: its nodes, of which the edges on which `lasts` holds may be used."""

    search: _Search
    nodes: Collection[int]
    lasts: Test | None
    """None: on all."""
    wanted: list[Wanted] = field(default_factory=list)
    """What a cycle must have."""

    def edges(self, node: int) -> Iterator[Edge]:
        nodes, lasts = self.nodes, self.lasts
        state = self.search.product.states[node]
        for edge in self.search.product.edges(node):
            if edge[0] in nodes and (lasts is None or lasts(state, edge[1])):
                yield edge

    def all_edges(self) -> Iterator[tuple[int, Edge]]:
        return ((node, edge) for node in self.nodes for edge in self.edges(node))

    @property
    def first(self) -> int:
        return min(self.nodes)


def fair_lasso(
    product: Product, problem: Problem, evaluation: Evaluation, before: Callable[[int], int] | None = None
) -> Lasso | None:
    """A behaviour that solves the problem, a short one; None when there is none. `before`: how many states precede
    each initial state of the product, as `Product.begin_late` wants it."""
    search = _Search(product, problem, evaluation)
    if product.code is not None:
        first = search.parts_found(product.code)
    else:
        first = nsmallest(_LOOKED_AT, search.fair_parts(), key=lambda part: part.first)
    if first and before is not None:
        product.begin_late(before)

    def length(lasso: Lasso) -> tuple[int, int]:
        start = before(lasso.prefix[0]) if before is not None else 0
        return start + len(lasso.prefix) + len(lasso.cycle), len(lasso.cycle)

    found = [search.lasso(part, start) for part in first for start in search.starts(part)]
    return min(found, key=length, default=None)


class _Search:
    def __init__(self, product: Product, problem: Problem, evaluation: Evaluation) -> None:
        self.product, self.problem, self.evaluation = product, problem, evaluation
        self.recurs = [evaluation.test(recurring) for recurring in problem.recurring]

    def parts_found(self, code: GraphCode) -> list[_Part]:
        """The parts that have a fair cycle, those of them that are reached soonest."""
        parts = []
        for found in code.fair_parts(self.product, self.problem, self.evaluation, _LOOKED_AT):
            chosen = [choice.lasting for choice, lasts in zip(self.problem.choices, found.chosen, strict=True) if lasts]
            lasting = conjunction([self.problem.lasting, *chosen])
            part = _Part(self, Nodes(found.nodes), self.evaluation.test(lasting) if lasting != TRUE else None)
            if self._examine(part) is not True:
                raise AssertionError("a part with a fair cycle has none")
            parts.append(part)
        return parts

    def fair_parts(self) -> Iterator[_Part]:
        """The same, all of them, in any order."""
        work: list[tuple[Collection[int], Formula]] = [(range(len(self.product)), self.problem.lasting)]
        while work:
            nodes, lasting = work.pop()
            lasts = self.evaluation.test(lasting) if lasting != TRUE else None
            for component in components(nodes, self._heads(nodes, lasts), len(self.product)):
                if len(component) == 1 and not self._turns(component[0], lasts):
                    continue
                part = _Part(self, component if len(component) == 1 else frozenset(component), lasts)
                answer = self._examine(part)
                if answer is True:
                    yield part
                elif answer is not None:
                    work.append((part.nodes, conjunction([lasting, answer])))

    def _turns(self, node: int, lasts: Test | None) -> bool:
        """Whether some cycle stays at the node: a quick look, most nodes are components of one that do not last."""
        product = self.product
        first, last = product.first[node], product.first[node + 1]
        state, steps, kept = product.states[node], product.steps, product.kept
        own = [edge for edge, head in enumerate(product.heads[first:last], first) if head == node]
        if lasts is not None:
            own = [edge for edge in own if lasts(state, steps[edge])]
        if not own:
            return False
        if product.all_kept:
            promises = 0
            for edge in own:
                promises |= kept[edge]
            if promises != product.all_kept:
                return False
        for recurs in self.recurs:
            for edge in own:
                if recurs(state, steps[edge]):
                    break
            else:
                return False
        return True

    def _heads(self, nodes: Collection[int], lasts: Test | None) -> Callable[[int], Sequence[int]]:
        """Where the edges lead that stay in `nodes` and on which `lasts` holds."""
        product = self.product
        first, heads = product.first, product.heads
        if not isinstance(nodes, range):
            part = _Part(self, nodes, lasts)
            return lambda node: [edge[0] for edge in part.edges(node)]
        if lasts is None:
            return lambda node: heads[first[node] : first[node + 1]]
        states, steps = product.states, product.steps

        def lasting_heads(node: int) -> list[int]:
            state, start = states[node], first[node]
            found = enumerate(heads[start : first[node + 1]], start)
            return [head for edge, head in found if lasts(state, steps[edge])]

        return lasting_heads

    def _examine(self, part: _Part) -> Literal[True] | Formula | None:
        """Whether the part has a fair cycle, what has to last in one to come closer, or None: no cycle here is part."""
        if not any(True for _ in part.all_edges()):
            return None
        wanted: list[Wanted] = []
        if self.product.all_kept:
            kept = 0
            for _, edge in part.all_edges():
                kept |= edge[2]
                if kept == self.product.all_kept:
                    break
            else:
                return None
            wanted += [_keeps(bit) for bit in range(self.product.all_kept.bit_length())]
        for recurring in self.problem.recurring:
            test = self._test(recurring)
            if not any(test(node, edge) for node, edge in part.all_edges()):
                return None
            wanted.append(test)
        missing: list[Formula] = []
        for choice in self.problem.choices:
            test = self._test(choice.recurring)
            if any(test(node, edge) for node, edge in part.all_edges()):
                # a cycle on which the other side lasts is as good, but asking for this one is always enough
                lasts = self._test(choice.lasting)
                if not all(lasts(node, edge) for node, edge in part.all_edges()):
                    wanted.append(test)
                continue
            lasts = self._test(choice.lasting)
            if not all(lasts(node, edge) for node, edge in part.all_edges()):
                missing.append(choice.lasting)
        if missing:
            return conjunction(missing)
        part.wanted = wanted
        return True

    def _test(self, formula: Formula) -> Wanted:
        test, states = self.evaluation.test(formula), self.product.states
        return lambda node, edge: test(states[node], edge[1])

    # --- the behaviour -------------------------------------------------------------------------------------------

    def starts(self, part: _Part) -> list[int]:
        """Nodes where the cycle may begin: the one reached soonest, and the first that can stand still."""
        found = [min(part.nodes)]
        for node in sorted(part.nodes):
            if self._stands(part, node):
                found.append(node)
                break
        return found

    def _stands(self, part: _Part, node: int) -> bool:
        return self._standing(part, node) is not None

    def _standing(self, part: _Part, node: int) -> Edge | None:
        """An edge from the node to itself that is all that is wanted; one that changes nothing, if there is one."""
        after = self.evaluation.graph.after
        own = (edge for edge in part.edges(node) if edge[0] == node and all(want(node, edge) for want in part.wanted))
        return min(own, key=lambda edge: edge[1] in after, default=None)

    def lasso(self, part: _Part, start: int) -> Lasso:
        """From `start` always to the nearest edge that is still wanted, and back."""
        standing = self._standing(part, start)
        wanted = list(part.wanted) if standing is None else []
        walk: list[Edge] = [] if standing is None else [standing]
        here = start
        while wanted:
            path = _nearest(part, here, _one_of(wanted))
            for node, edge in path:
                wanted = [want for want in wanted if not want(node, edge)]
                here = edge[0]
                walk.append(edge)
        if here != start or not walk:
            walk += [edge for _, edge in _nearest(part, here, lambda node, edge: edge[0] == start)]
        prefix = [self.product.states[node] for node in self.product.path_to(start)]
        return Lasso(tuple(_without_stuttering(prefix)), tuple(self._once_around(start, walk)))

    def _once_around(self, start: int, walk: list[Edge]) -> list[int]:
        """The states of a closed walk, once around and without stuttering; one state when it stands still.

        A step to a state that is one with that before it, and differs, shows it twice.
        """
        states, after = self.product.states, self.evaluation.graph.after
        cycle = [states[start]]
        for head, step, _ in walk:
            if states[head] != cycle[-1] or step in after:
                cycle.append(states[head])
        if len(cycle) == 2:
            return cycle
        return cycle[:-1] if len(cycle) > 2 else cycle


def _keeps(bit: int) -> Wanted:
    return lambda node, edge: bool(edge[2] >> bit & 1)


def _one_of(wanted: Sequence[Wanted]) -> Wanted:
    return lambda node, edge: any(want(node, edge) for want in wanted)


def _nearest(part: _Part, start: int, wanted: Wanted) -> list[tuple[int, Edge]]:
    """The shortest path of the component from `start` that ends with a wanted edge."""
    came: dict[int, tuple[int, Edge] | None] = {start: None}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for edge in part.edges(node):
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
