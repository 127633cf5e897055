"""Guided behaviours on a graph of states that was explored before: the same ones as `Simulation(guided=True)` takes,
since a `Guide` looks at fingerprints and at the order of successors only, and many times as fast where tens of
thousands are needed. For models without step properties and without a check for deadlocks, in which nothing is
undefined.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from random import Random

from rmqproof.model.search.guide import Guide
from rmqproof.model.search.system import State, System, Transition


@dataclass
class Graph:
    """States are numbers, in the order in which they were met; `later`: the successors inside the constraints, in the
    order of the system; `bad`: a violated invariant."""

    starts: list[int] = field(default_factory=list)
    prints: list[int] = field(default_factory=list)
    later: list[array[int]] = field(default_factory=list)
    bad: list[bool] = field(default_factory=list)


def graph_of(system: System) -> Graph:
    """All states that are reached, beyond a violation, too."""
    if system.step_properties or system.check_deadlock:
        raise ValueError("the graph knows of invariants only")
    graph = Graph()
    numbers: dict[int, int] = {}
    waiting: list[State] = []

    def number(state: State) -> int:
        known = system.fingerprint(state)
        if known not in numbers:
            numbers[known] = len(numbers)
            graph.prints.append(known)
            graph.bad.append(not all(prop.holds(state) for prop in system.invariants))
            waiting.append(state)
        return numbers[known]

    graph.starts = [number(state) for state in system.initial_states() if system.within(state)]
    for place, state in enumerate(waiting):  # it grows
        inside = [t for t in system.successors(state) if system.within(t.state) and system.allowed(state, t.state)]
        graph.later.append(array("l", [number(transition.state) for transition in inside]))
        waiting[place] = None
    return graph


def behaviours_to(graph: Graph, seed: int, most: int, depth: int) -> tuple[int | None, int]:
    """How many behaviours of at most `depth` states found the violation, None where `most` did not, and its states."""
    guide = Guide(graph.prints.__getitem__)
    for number in range(most):
        random = Random(f"{seed}:{number}")
        begin = guide.start(random, graph.starts)
        if begin is None:
            break
        state, length = random.choice([begin]), 1  # as `Simulation` does, which draws here
        while length < depth:
            chosen = guide.choose(random, state, [Transition(0, (), later) for later in graph.later[state]])
            if chosen is None:
                break
            state, length = chosen.state, length + 1
            if graph.bad[state]:
                return number + 1, length
        guide.end()
    return None, 0
