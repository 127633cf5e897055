"""A model searched by both engines."""

from __future__ import annotations

from dataclasses import dataclass

from rmqproof.model.evaluate.system import InterpretedSystem, system_of
from rmqproof.model.native.engine import NativeModel, NativeSearch, permutations_of
from rmqproof.model.search.breadth_first import BreadthFirst
from rmqproof.model.search.result import Result
from rmqproof.model.tla import core

FAST = ("-O0",)
"""Tests compile more than they run."""


@dataclass(frozen=True, slots=True)
class Explored:
    """What a search found, and every state: of the interpreter only where it went through all of them."""

    result: Result
    states: frozenset[object]


def native(model: core.Model, workers: int = 1, flags: tuple[str, ...] = FAST, *, keep_going: bool = False) -> Explored:
    """Raise `NotCompilable` where the native engine does not cover the model."""
    system = system_of(model)
    compiled = NativeModel(model, model.check_deadlock, flags=flags, group=permutations_of(system))
    compiled.compile()
    result, states = NativeSearch(compiled, system, workers=workers, keep_going=keep_going).explored()
    return Explored(result, frozenset(system.values(state) for state in states))


def interpreted(model: core.Model, *, keep_going: bool = False) -> Explored:
    system = system_of(model)
    result = BreadthFirst(system, workers=1, keep_going=keep_going).run()
    return Explored(result, frozenset(_reachable(system)) if result.exhaustive else frozenset())


def _reachable(system: InterpretedSystem) -> set[object]:
    """All states inside the constraints."""
    seen: set[object] = set()
    queue = [state for state in system.initial_states() if system.within(state)]
    while queue:
        state = queue.pop()
        values = system.values(state)
        if values in seen:
            continue
        seen.add(values)
        queue += [
            step.state
            for step in system.successors(state)
            if system.within(step.state) and system.allowed(state, step.state)
        ]
    return seen


def outcome(result: Result) -> tuple[object, ...]:
    """Everything that the engines must agree on."""
    return (
        result.verdict,
        result.distinct,
        result.total,
        result.depth,
        result.initial,
        result.cut,
        result.coverage,
        result.violations,
        result.message,
        result.exhaustive,
        result.queue,
    )
