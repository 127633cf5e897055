"""A behaviour of the system from the numbers of its states in the behaviour graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any, NamedTuple

from rmqproof.model.search.liveness.fair_cycle import Lasso
from rmqproof.model.search.liveness.graph import BehaviourGraph
from rmqproof.model.search.liveness.moments import Moments
from rmqproof.model.search.result import Step
from rmqproof.model.search.system import Observing, State, System
from rmqproof.model.search.trace import TraceError


class Behaviour(NamedTuple):
    """`loop`: the index of the step to which the last one returns; `back`: the state that comes after the last one,
    that of step `loop` or one of the same name."""

    steps: tuple[Step, ...]
    loop: int
    back: State


def steps_of(system: System, graph: BehaviourGraph, lasso: Lasso, name: Callable[[State], Any]) -> Behaviour:
    """The behaviour of a lasso. Raise `TraceError` when the system has changed."""
    numbers = (*lasso.prefix, *lasso.cycle[1:])
    steps = [Step(None, (), graph.states[numbers[0]])]
    at = Moments(system, graph).expanded if isinstance(system, Observing) else lambda *_: None
    pairs = [*pairwise(numbers), *([(numbers[-1], lasso.cycle[0])] if len(lasso.cycle) > 1 else [])]
    for before, after in pairs:
        at(after, 1)
        wanted = name(graph.states[after])
        at(before)
        steps.append(_step(system, steps[-1].state, wanted, name))
    return Behaviour(tuple(steps[: len(numbers)]), len(lasso.prefix) - 1, steps[-1].state)


def _step(system: System, before: State, wanted: Any, name: Callable[[State], Any]) -> Step:
    transitions: Iterable[Any] = system.successors(before)
    for action, arguments, state in transitions:
        if name(state) == wanted and system.within(state) and system.allowed(before, state):
            return Step(system.actions[action], arguments, state)
    raise TraceError("a step of the behaviour graph was not found again")
