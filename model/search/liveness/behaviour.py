"""A behaviour of the system from the numbers of its states in the behaviour graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rmqproof.model.search.liveness.fair_cycle import Lasso
from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.result import Step
from rmqproof.model.search.system import State, System
from rmqproof.model.search.trace import TraceError


def steps_of(
    system: System, graph: BehaviourGraph, lasso: Lasso, name: Callable[[State], Any]
) -> tuple[tuple[Step, ...], int]:
    """The steps, and the index of the one to which the last returns. Raise `TraceError` when the system has changed."""
    numbers = (*lasso.prefix, *lasso.cycle[1:])
    steps = [Step(None, (), graph.states[numbers[0]])]
    for number in numbers[1:]:
        steps.append(_step(system, steps[-1].state, graph.states[number], name))
    if len(lasso.cycle) > 1:
        _step(system, steps[-1].state, graph.states[lasso.cycle[0]], name)
    return tuple(steps), len(lasso.prefix) - 1


def _step(system: System, before: State, after: State, name: Callable[[State], Any]) -> Step:
    wanted = name(after)
    transitions: Iterable[Any] = system.successors(before)
    for action, arguments, state in transitions:
        if name(state) == wanted and system.within(state) and system.allowed(before, state):
            return Step(system.actions[action], arguments, state)
    raise TraceError("a step of the behaviour graph was not found again")
