"""The whole graph of a small system: every state, every step, parallel ones too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rmqproof.model.search.system import State, System


@dataclass(frozen=True, slots=True)
class GraphStep:
    """A step between states, given by their positions in `StateGraph.states`; `action` indexes the system's."""

    tail: int
    head: int
    action: int
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States in the order in which breadth-first search meets them, initial ones first, as far as `most` of them.

    `whole` is false where there are more states. `violating` has the states in which some invariant is false, by the
    first such invariant's name.
    """

    states: tuple[State, ...]
    steps: tuple[GraphStep, ...]
    initial: frozenset[int]
    violating: dict[str, frozenset[int]]
    whole: bool
    deadlocks: frozenset[int] = frozenset()
    """States without any successor, where that is an error."""


def state_graph(system: System, most: int) -> StateGraph:
    """Explore the states inside the constraints, until more than `most` of them are known.

    States with one fingerprint (by VIEW or SYMMETRY) are one node, the first of them.
    """
    states: list[State] = []
    numbers: dict[int, int] = {}
    steps: list[GraphStep] = []

    def number(state: State) -> int | None:
        fingerprint = system.fingerprint(state)
        if fingerprint not in numbers:
            if len(states) == most:
                return None
            numbers[fingerprint] = len(states)
            states.append(state)
        return numbers[fingerprint]

    whole = True
    initial = set()
    for state in system.initial_states():
        if system.within(state):
            found = number(state)
            if found is None:
                whole = False
                break
            initial.add(found)
    deadlocks: set[int] = set()
    for tail, before in _growing(states):
        stuck = system.check_deadlock
        for action, arguments, after in system.successors(before):
            stuck = False
            if not system.within(after) or not system.allowed(before, after):
                continue
            head = number(after)
            if head is None:
                whole = False
                continue
            steps.append(GraphStep(tail, head, action, arguments))
        if stuck:
            deadlocks.add(tail)
        if not whole:
            break
    violating = _violations(system, states)
    return StateGraph(tuple(states), tuple(steps), frozenset(initial), violating, whole, frozenset(deadlocks))


def _growing(states: list[State]) -> Iterator[tuple[int, State]]:
    position = 0
    while position < len(states):
        yield position, states[position]
        position += 1


def _violations(system: System, states: Iterable[State]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for position, state in enumerate(states):
        broken = next((invariant.name for invariant in system.invariants if not invariant.holds(state)), None)
        if broken is not None:
            found.setdefault(broken, set()).add(position)
    return {name: frozenset(positions) for name, positions in found.items()}
