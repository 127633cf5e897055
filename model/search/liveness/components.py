"""Strongly connected components (Tarjan, SIAM J. Comput. 1972), without recursion."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any


def components(nodes: Iterable[int], heads: Callable[[int], Sequence[int]], count: int) -> Iterator[list[int]]:
    """The components of the graph that `heads` gives on the numbers below `count`, as far as `nodes` reach.

    Those of one node count too, whether it has an edge to itself or not.
    """
    whole = isinstance(nodes, range)
    order: Any = array("I", bytes(4 * count)) if whole else defaultdict(int)
    low: Any = array("I", bytes(4 * count)) if whole else {}
    waiting: Any = bytearray(count) if whole else defaultdict(int)
    clock = 0
    stack: array[int] = array("I")
    for root in nodes:
        if order[root]:
            continue
        clock += 1
        order[root] = low[root] = clock
        stack.append(root)
        waiting[root] = 1
        path = [(root, iter(heads(root)))]
        while path:
            node, rest = path[-1]
            for head in rest:
                if not order[head]:
                    clock += 1
                    order[head] = low[head] = clock
                    stack.append(head)
                    waiting[head] = 1
                    path.append((head, iter(heads(head))))
                    break
                if waiting[head] and order[head] < low[node]:
                    low[node] = order[head]
            else:
                path.pop()
                if path and low[node] < low[path[-1][0]]:
                    low[path[-1][0]] = low[node]
                if low[node] == order[node]:
                    component = []
                    while True:
                        member = stack.pop()
                        waiting[member] = 0
                        component.append(member)
                        if member == node:
                            break
                    yield component
