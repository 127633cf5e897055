"""How many states a search reaches that takes some of the enabled steps only.

Taken are stubborn sets: with an enabled instance all that it depends on, with one that is not enabled all that can
enable it. Any order of steps that leads somewhere can then begin with one of the set. Two more things are asked so that
no violation is put off for ever, or lies behind a cut state: one step leads to a state that has not been expanded, and
none to a cut state. Otherwise all steps are taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rmqproof.model.infer.clauses import elements
from tools.reduction.graph import Graph, masks
from tools.reduction.relations import Relation, Relations


@dataclass(frozen=True, slots=True)
class Reduced:
    states: frozenset[int]
    steps: int


class Stubborn:
    """Stubborn sets by the relations; the smaller a set is, the earlier it is tried."""

    def __init__(self, relations: Relations) -> None:
        self.relations = relations
        self._known: dict[int, list[int]] = {}

    def sets(self, enabled: int) -> list[int]:
        """The enabled instances of each set, as bits."""
        if enabled not in self._known:
            found = {self._closed(1 << seed, enabled) for seed in elements(enabled)}
            self._known[enabled] = sorted(found, key=lambda mask: (mask.bit_count(), mask))
        return self._known[enabled]

    def _closed(self, inside: int, enabled: int) -> int:
        waiting = inside
        while waiting:
            low = waiting & -waiting
            instance = low.bit_length() - 1
            needed = self.relations.dependent if enabled & low else self.relations.enabling
            more = needed[instance] & ~inside
            inside |= more
            waiting = (waiting ^ low) | more
        return inside & enabled


def reduced(graph: Graph, relations: Relations, visible: Relation | None = None, *, proviso: bool = True) -> Reduced:
    """Breadth first. `visible`: see `relations.seen`. Without `proviso` deadlocks are kept, and nothing else."""
    dependent: Sequence[int] = relations.dependent
    if visible is not None:
        dependent = [one | other for one, other in zip(dependent, visible, strict=True)]
    stubborn = Stubborn(Relations(list(dependent), relations.enabling))
    enabled = masks(graph)
    reached, expanded, steps = set(graph.starts), set[int](), 0
    waiting = deque(graph.starts)
    while waiting:
        state = waiting.popleft()
        for instance in elements(_taken(graph, state, stubborn.sets(enabled[state]), expanded, proviso)):
            for target in graph.steps[state][instance]:
                steps += 1
                if target not in reached:
                    reached.add(target)
                    waiting.append(target)
        expanded.add(state)
    return Reduced(frozenset(reached), steps)


def _taken(graph: Graph, state: int, sets: Sequence[int], expanded: set[int], proviso: bool) -> int:
    everything = sum(1 << instance for instance in graph.steps[state])
    for chosen in sets:
        targets = set(_targets(graph, state, chosen))
        forward = not proviso or any(t not in expanded and t != state for t in targets)
        if forward and not targets & graph.cut:
            return chosen
    return everything


def _targets(graph: Graph, state: int, chosen: int) -> Iterator[int]:
    for instance in elements(chosen):
        yield from graph.steps[state][instance]
