"""Which definitions reach which: strongly connected groups, those that others need first."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def components(nodes: Sequence[T], successors: Callable[[T], Iterable[T]]) -> Iterator[tuple[list[T], bool]]:
    """Groups of nodes that reach each other, what they reach before them; whether the group is a cycle.

    Tarjan's algorithm without recursion. Nodes that only successors name are visited too.
    """
    index: dict[T, int] = {}
    low: dict[T, int] = {}
    on_stack: set[T] = set()
    stack: list[T] = []
    for root in nodes:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        loops: set[T] = set()
        work = [(root, iter(tuple(successors(root))))]
        while work:
            node, following = work[-1]
            for other in following:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(tuple(successors(other)))))
                    break
                if other is node:
                    loops.add(node)
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    group: list[T] = []
                    while True:
                        member = stack.pop()
                        on_stack.remove(member)
                        group.append(member)
                        if member is node:
                            break
                    group.reverse()
                    yield group, len(group) > 1 or node in loops
