"""All states of a model and its labelled steps."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rmqproof.model.evaluate.system import PythonSystem
from rmqproof.model.search.system import State


class TooLarge(Exception):
    """There are more states than were allowed."""


@dataclass(frozen=True, slots=True)
class Instance:
    """An action with its arguments: what two orders are compared of."""

    action: str
    arguments: tuple[Any, ...]


@dataclass(slots=True)
class Graph:
    """States and instances are numbers. `steps[s]`: for each instance that is enabled in s, where it leads to.

    `cut`: states outside the constraints, from which no step is taken.
    """

    starts: list[int] = field(default_factory=list)
    steps: list[dict[int, frozenset[int]]] = field(default_factory=list)
    cut: set[int] = field(default_factory=set)
    instances: list[Instance] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    @property
    def deadlocks(self) -> set[int]:
        return {number for number, steps in enumerate(self.steps) if not steps and number not in self.cut}


def explored(system: PythonSystem, most: int) -> Graph:
    """The graph of a system without VIEW and SYMMETRY. Raise `TooLarge` beyond `most` states."""
    graph = Graph()
    numbers: dict[int, int] = {}
    instances: dict[Instance, int] = {}

    def number(state: State) -> int:
        found = numbers.setdefault(system.fingerprint(state), len(numbers))
        if found == len(graph.states):
            graph.states.append(state)
            if not system.within(state):
                graph.cut.add(found)
        return found

    graph.starts = list(dict.fromkeys(number(state) for state in system.initial_states()))
    for place, state in enumerate(graph.states):  # it grows
        if place >= most:
            raise TooLarge(f"more than {most:,} states")
        found: dict[int, set[int]] = {}
        for action, arguments, after in system.successors(state) if place not in graph.cut else ():
            if system.allowed(state, after):
                instance = Instance(system.actions[action], arguments)
                found.setdefault(instances.setdefault(instance, len(instances)), set()).add(number(after))
        graph.steps.append({instance: frozenset(targets) for instance, targets in found.items()})
    graph.instances = list(instances)
    return graph


def masks(graph: Graph) -> list[int]:
    """Of each state the enabled instances as bits."""
    return [sum(1 << instance for instance in steps) for steps in graph.steps]
